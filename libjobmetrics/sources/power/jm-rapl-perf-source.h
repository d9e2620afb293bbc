/* jm-rapl-perf-source.h: energy of the processors, from perf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_RAPL_PERF_SOURCE (jm_rapl_perf_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmRaplPerfSource,
                      jm_rapl_perf_source,
                      JM,
                      RAPL_PERF_SOURCE,
                      JmSource)

G_END_DECLS
