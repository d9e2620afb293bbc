/* jm-node-summary.c: how a node is doing, in a few figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-node-summary.h"

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
        jm_figure_of_label (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_CPU, mode).value;
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

/* Of a part of the node; absent where nobody keeps accounts. */
static JmFigure
get_energy (JmSnapshot *snapshot, JmSubjectKind kind)
{
  guint subject;

  if (!jm_snapshot_find_subject (snapshot, kind, &subject))
    return (JmFigure){ 0 };

  return jm_figure_of_metric (snapshot, subject, JM_METRIC_ENERGY);
}

static void
read_energy (JmNodeSummary *self, JmSnapshot *snapshot)
{
  g_autoptr (GPtrArray) sources =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_POWER_SOURCE_UP);

  self->is_metered = sources->len > 0;
  self->other_energy = jm_figure_add (get_energy (snapshot, JM_SUBJECT_KIND_SYSTEM),
                                      get_energy (snapshot, JM_SUBJECT_KIND_IDLE));
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
  self->jobs_power =
    jm_figure_add (self->jobs_power,
                   jm_figure_of_metric (snapshot, job, JM_METRIC_POWER));
  self->allocated_cpus.is_known &= cpus.is_known;
  self->allocated_cpus.value += cpus.value;
}

/**
 * jm_node_summary_init: (skip)
 * @self: (out caller-allocates): a summary, whatever it held before
 * @snapshot: a snapshot
 *
 * Reads what one snapshot says of its node. The two figures that need another snapshot
 * are absent.
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
  read_energy (self, snapshot);
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB)
      count_job (self, snapshot, i);
  if (!self->allocated_cpus.is_known)
    self->allocated_cpus.value = 0;
}

/* What is no job's is known as energy alone. Accounts of another program come from time
 * to time, and say nothing of the time between. */
static JmFigure
get_power (const JmNodeSummary *self, const JmNodeSummary *before)
{
  double seconds = (double) (self->time_us - before->time_us) / G_USEC_PER_SEC;
  /* what was not known before began at 0 */
  JmFigure earlier = { before->other_energy.value, TRUE,
                       before->other_energy.is_estimated };
  JmFigure others = jm_figure_get_rate (self->other_energy, earlier, seconds);

  if (!self->is_metered || !others.is_known)
    return (JmFigure){ 0 };

  return jm_figure_add (others, self->jobs_power);
}

/**
 * jm_node_summary_set_rates: (skip)
 * @self: a summary
 * @before: that of an earlier sweep
 *
 * Works out the figures that need two sweeps: how busy the CPUs were between them, and
 * what the node took. The kernel's idle time may step back a little: then it is not
 * known how busy they were.
 *
 * Since: 0.1
 */
void
jm_node_summary_set_rates (JmNodeSummary *self, const JmNodeSummary *before)
{
  double total, busy;

  g_return_if_fail (self != NULL);
  g_return_if_fail (before != NULL);

  self->power = get_power (self, before);

  total = self->cpu_time.value - before->cpu_time.value;
  busy = self->busy_time.value - before->busy_time.value;
  if (self->cpu_time.is_known && before->cpu_time.is_known && busy >= 0 &&
      busy <= total)
    self->busy_percent =
      jm_figure_get_share (jm_figure_known (busy), jm_figure_known (total));
}
