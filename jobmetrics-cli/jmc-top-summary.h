/* jmc-top-summary.h: the node above its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "jmc-figure.h"

G_BEGIN_DECLS

/* JmcTopSummary:
 * @time_us: when the sweep began, microseconds since 1970
 * @n_running: jobs that run
 * @n_ended: jobs that ended lately
 * @cpus: logical CPUs of the node
 * @allocated: CPUs that running jobs may use; unknown where one job's are
 * @cpu_percent: how busy the CPUs were since the sweep before
 * @memory_used: bytes that could not be had without swapping
 * @memory_size: bytes
 * @busy: seconds of CPU time so far, waiting for IO and idling apart
 * @total: seconds of CPU time so far */
typedef struct
{
  gint64 time_us;
  guint n_running;
  guint n_ended;
  JmcFigure cpus;
  JmcFigure allocated;
  JmcFigure cpu_percent;
  JmcFigure memory_used;
  JmcFigure memory_size;
  JmcFigure busy;
  JmcFigure total;
} JmcTopSummary;

JmcTopSummary jmc_top_summary_read (JmSnapshot *snapshot);
void jmc_top_summary_set_rates (JmcTopSummary *self, const JmcTopSummary *then);

G_END_DECLS
