/* jm-rapl-powercap-source-private.h: how often the counters must be looked at
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_RAPL_POWERCAP_SOURCE (jm_rapl_powercap_source_get_type ())

G_DECLARE_FINAL_TYPE (JmRaplPowercapSource,
                      jm_rapl_powercap_source,
                      JM,
                      RAPL_POWERCAP_SOURCE,
                      JmSource)

/* After how long without a reading the source reads for itself. */
gint64 jm_rapl_powercap_source_get_watch_us (JmRaplPowercapSource *self);

/* How often it did. */
guint jm_rapl_powercap_source_get_n_watches (JmRaplPowercapSource *self);

/* For tests, which cannot wait: as though @watch_us were the interval. */
void jm_rapl_powercap_source_set_watch_us (JmRaplPowercapSource *self, gint64 watch_us);

G_END_DECLS
