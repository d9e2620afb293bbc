/* jm-node-summary.c: how a node is doing, in a few figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-node-summary.h"

#include "core/jm-figure-private.h"
#include "core/jm-snapshot-private.h"
#include "report/jm-power-split.h"

static JmFigure
get_figure (JmSnapshot *snapshot, JmMetric metric)
{
  return jm_figure_of_metric (snapshot, JM_NODE_SUBJECT, metric);
}

static void
read_cpu (JmNodeSummary *self, JmSnapshot *snapshot)
{
  static const char *const idle[] = { "idle", "iowait" };

  self->cpus = get_figure (snapshot, JM_METRIC_NODE_CPUS);
  self->cpu_time = get_figure (snapshot, JM_METRIC_NODE_CPU);
  self->busy_time = self->cpu_time;
  for (guint i = 0; i < G_N_ELEMENTS (idle); i++)
    {
      g_autoptr (JmLabels) mode = jm_labels_of (idle[i], NULL);

      self->busy_time.value -=
        jm_figure_of_metric_label (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_CPU, mode)
          .value;
    }
}

static void
read_memory (JmNodeSummary *self, JmSnapshot *snapshot)
{
  JmFigure available = get_figure (snapshot, JM_METRIC_NODE_MEMORY_AVAILABLE);

  self->memory_size = get_figure (snapshot, JM_METRIC_NODE_MEMORY_SIZE);
  if (self->memory_size.is_known && available.is_known)
    self->memory_used =
      jm_figure_known (MAX (0, self->memory_size.value - available.value));
  self->memory_percent = jm_figure_get_share (self->memory_used, self->memory_size);
}

static void
count_job (JmNodeSummary *self, JmSnapshot *snapshot, guint job)
{
  JmFigure cpus = jm_figure_of_metric (snapshot, job, JM_METRIC_CPUS);

  if (jm_snapshot_get_end_time (snapshot, job) != 0)
    {
      self->n_ended++;
      return;
    }

  self->n_running++;
  self->allocated_cpus.is_known &= cpus.is_known;
  self->allocated_cpus.value += cpus.value;
}

/**
 * jm_node_summary_init: (skip)
 * @self: (out caller-allocates): a summary, whatever it held before
 * @snapshot: a snapshot
 *
 * Reads what one snapshot says of its node. The figures that need another snapshot are
 * absent.
 *
 * Since: 0.1
 */
void
jm_node_summary_init (JmNodeSummary *self, JmSnapshot *snapshot)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (snapshot != NULL);

  *self = (JmNodeSummary){ .time_us = jm_snapshot_get_time (snapshot),
                           .allocated_cpus = jm_figure_known (0) };

  read_cpu (self, snapshot);
  read_memory (self, snapshot);
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB)
      count_job (self, snapshot, i);
  if (!self->allocated_cpus.is_known)
    self->allocated_cpus.value = 0;
}

/* Accounts of another program come from time to time, and say nothing of the time
 * between. */
static gboolean
is_metered (JmSnapshot *snapshot)
{
  g_autoptr (GPtrArray) sources =
    jm_snapshot_list_metric_labels (snapshot, JM_NODE_SUBJECT,
                                    JM_METRIC_NODE_POWER_SOURCE_UP);

  return sources->len > 0;
}

static void
set_power (JmNodeSummary *self, JmSnapshot *before, JmSnapshot *now)
{
  g_autoptr (JmPowerSplit) split = jm_power_split_new (before, now);

  self->power = jm_power_split_sum_figures (split, JM_SUBJECT_KIND_NODE);
  self->jobs_power = jm_power_split_sum_figures (split, JM_SUBJECT_KIND_JOB);
}

/**
 * jm_node_summary_set_rates: (skip)
 * @self: a summary of @now
 * @before: the snapshot of an earlier sweep of the node
 * @now: that of the later one
 *
 * Works out the figures that need two sweeps: how busy the CPUs were between them, and
 * what the node took, as #JmPowerSplit has it. The kernel's idle time may step back a
 * little: then it is not known how busy they were.
 *
 * Since: 0.1
 */
void
jm_node_summary_set_rates (JmNodeSummary *self, JmSnapshot *before, JmSnapshot *now)
{
  JmNodeSummary then = { 0 };
  double total, busy;

  g_return_if_fail (self != NULL);
  g_return_if_fail (before != NULL);
  g_return_if_fail (now != NULL);

  if (is_metered (now))
    set_power (self, before, now);

  read_cpu (&then, before);
  total = self->cpu_time.value - then.cpu_time.value;
  busy = self->busy_time.value - then.busy_time.value;
  if (self->cpu_time.is_known && then.cpu_time.is_known && busy >= 0 && busy <= total)
    self->busy_percent =
      jm_figure_get_share (jm_figure_known (busy), jm_figure_known (total));
}
