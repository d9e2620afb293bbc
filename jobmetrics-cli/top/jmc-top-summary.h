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
 * @jobs_watts: what all jobs together take
 * @watts: what the node takes, since the sweep before: jobs, system and idle
 * @is_metered: whether this program reads power sources itself
 * @is_estimate: whether any of that is not measured
 * @others: joules of system and idle so far
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
  JmcFigure jobs_watts;
  JmcFigure watts;
  gboolean is_metered;
  gboolean is_estimate;
  JmcFigure others;
  JmcFigure busy;
  JmcFigure total;
} JmcTopSummary;

JmcTopSummary jmc_top_summary_read (JmSnapshot *snapshot);
void jmc_top_summary_set_rates (JmcTopSummary *self, const JmcTopSummary *then);

G_END_DECLS
