/* jm-electricity-maps-provider.h: what electricity emits, as Electricity Maps says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/emissions/jm-online-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_ELECTRICITY_MAPS_PROVIDER (jm_electricity_maps_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmElectricityMapsProvider,
                      jm_electricity_maps_provider,
                      JM,
                      ELECTRICITY_MAPS_PROVIDER,
                      JmOnlineProvider)

G_END_DECLS
