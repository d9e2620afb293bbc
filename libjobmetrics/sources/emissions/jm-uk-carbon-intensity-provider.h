/* jm-uk-carbon-intensity-provider.h: what electricity emits in Great Britain
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/emissions/jm-online-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_UK_CARBON_INTENSITY_PROVIDER                                           \
 (jm_uk_carbon_intensity_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmUkCarbonIntensityProvider,
                      jm_uk_carbon_intensity_provider,
                      JM,
                      UK_CARBON_INTENSITY_PROVIDER,
                      JmOnlineProvider)

G_END_DECLS
