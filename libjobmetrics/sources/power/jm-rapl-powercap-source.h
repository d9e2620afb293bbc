/* jm-rapl-powercap-source.h: energy of the processors, from powercap
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_RAPL_POWERCAP_SOURCE (jm_rapl_powercap_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmRaplPowercapSource,
                      jm_rapl_powercap_source,
                      JM,
                      RAPL_POWERCAP_SOURCE,
                      JmSource)

G_END_DECLS
