/* jm-fixed-provider.h: a factor that the site knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/emissions/jm-emission-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_FIXED_PROVIDER (jm_fixed_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmFixedProvider, jm_fixed_provider, JM, FIXED_PROVIDER, JmSource)

G_END_DECLS
