/* jm-node-summary.h: how a node is doing, in a few figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-figure.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/**
 * JmNodeSummary:
 * @time_us: when the sweep began, microseconds since 1970
 * @n_running: jobs that run
 * @n_ended: jobs that ended lately
 * @cpus: logical CPUs of the node
 * @allocated_cpus: CPUs that running jobs may use; absent where one job's are not known
 * @cpu_time: seconds of all CPUs since boot, whatever they did
 * @busy_time: those of them in which a CPU neither idled nor waited for IO
 * @busy_percent: the share of @busy_time in @cpu_time since the sweep before; set by
 *   jm_node_summary_set_rates()
 * @memory_size: bytes
 * @memory_used: bytes that could not be had without swapping
 * @memory_percent: the share of @memory_used in @memory_size
 * @jobs_power: watts of all jobs since the sweep before; set by
 *   jm_node_summary_set_rates()
 * @power: watts of the node since the sweep before: of jobs, system and idle; absent
 *   where any of them is; set by jm_node_summary_set_rates()
 *
 * How a node is doing, in a few figures.
 *
 * Since: 0.1
 */
typedef struct
{
  gint64 time_us;
  guint n_running;
  guint n_ended;
  JmFigure cpus;
  JmFigure allocated_cpus;
  JmFigure cpu_time;
  JmFigure busy_time;
  JmFigure busy_percent;
  JmFigure memory_size;
  JmFigure memory_used;
  JmFigure memory_percent;
  JmFigure jobs_power;
  JmFigure power;
} JmNodeSummary;

JM_AVAILABLE_IN_ALL
void jm_node_summary_init (JmNodeSummary *self, JmSnapshot *snapshot);

JM_AVAILABLE_IN_ALL
void
jm_node_summary_set_rates (JmNodeSummary *self, JmSnapshot *before, JmSnapshot *now);

G_END_DECLS
