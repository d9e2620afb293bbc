/* jmc-top-summary.c: the node above its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-top-summary.h"

static const JmcFigure unknown = { FALSE, 0 };

static void
read_cpu (JmcTopSummary *self, JmSnapshot *snapshot)
{
  static const char *const idle[] = { "idle", "iowait" };

  self->cpus = jmc_figure_get (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_CPUS);
  self->total = jmc_figure_sum (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_CPU);
  self->busy = self->total;

  for (guint i = 0; i < G_N_ELEMENTS (idle); i++)
    {
      double seconds;

      if (jm_snapshot_get_labelled_value (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_CPU,
                                          idle[i], &seconds))
        self->busy.value -= seconds;
    }
}

static void
read_memory (JmcTopSummary *self, JmSnapshot *snapshot)
{
  JmcFigure available =
    jmc_figure_get (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_MEMORY_AVAILABLE);

  self->memory_size =
    jmc_figure_get (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_MEMORY_SIZE);
  if (self->memory_size.is_known && available.is_known)
    self->memory_used =
      jmc_figure_known (MAX (0, self->memory_size.value - available.value));
}

static void
count_job (JmcTopSummary *self, JmSnapshot *snapshot, guint subject)
{
  JmcFigure cpus = jmc_figure_get (snapshot, subject, JM_METRIC_CPUS);

  if (jm_snapshot_get_end_time (snapshot, subject) != 0)
    {
      self->n_ended++;
      return;
    }

  self->n_running++;
  if (!cpus.is_known)
    self->allocated = unknown;
  else if (self->allocated.is_known)
    self->allocated.value += cpus.value;
}

JmcTopSummary
jmc_top_summary_read (JmSnapshot *snapshot)
{
  JmcTopSummary self = { .time_us = jm_snapshot_get_time (snapshot),
                         .allocated = jmc_figure_known (0) };

  read_cpu (&self, snapshot);
  read_memory (&self, snapshot);
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_level (snapshot, i) == JM_LEVEL_JOB)
      count_job (&self, snapshot, i);

  return self;
}

/* The kernel's idle time may step back a little: then there is no figure this time. */
void
jmc_top_summary_set_rates (JmcTopSummary *self, const JmcTopSummary *then)
{
  double total = self->total.value - then->total.value;
  double busy = self->busy.value - then->busy.value;

  if (self->total.is_known && then->total.is_known && busy >= 0 && total > 0 &&
      busy <= total)
    self->cpu_percent = jmc_figure_known (100 * busy / total);
}
