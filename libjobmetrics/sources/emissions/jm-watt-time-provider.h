/* jm-watt-time-provider.h: what more electricity emits, as WattTime says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/emissions/jm-online-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_WATT_TIME_PROVIDER (jm_watt_time_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmWattTimeProvider,
                      jm_watt_time_provider,
                      JM,
                      WATT_TIME_PROVIDER,
                      JmOnlineProvider)

G_END_DECLS
