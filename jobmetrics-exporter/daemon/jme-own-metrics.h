/* jme-own-metrics.h: figures of the exporter itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "expose/jm-text-encoder.h"

G_BEGIN_DECLS

/* Figures of the program that it counts by itself. */
typedef struct
{
  guint64 n_scrapes;
  guint64 encode_ns; /* all scrapes together */
  gint64 start_us;   /* of the process, since 1970; 0 where unknown */
} JmeOwnCounters;

/* Looks up when the process started: once, for the clock is set now and then. */
void jme_own_counters_init (JmeOwnCounters *self);

/* Appends jobmetrics_build_info, the counters, and the process figures that every
 * exporter has (process_cpu_seconds_total and so on), as far as @encoder exports
 * metrics of these names. The encoder's own come after them, and the end. */
void jme_own_metrics_append (const JmeOwnCounters *counters,
                             JmTextEncoder *encoder,
                             JmTextFormat format,
                             GString *out);

/* Whether any of these metrics has a name that @pattern means. */
gboolean jme_own_metrics_match (const char *pattern);

G_END_DECLS
