/* jmc-top-summary.c: the node above its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-summary.h"

#include "jmc-energy.h"

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
      g_autoptr (JmLabels) mode = jm_labels_of (idle[i], NULL);
      double seconds;

      if (jm_snapshot_get_labelled_value (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_CPU,
                                          mode, &seconds))
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
add (JmcFigure *sum, JmcFigure part)
{
  if (part.is_known)
    *sum = jmc_figure_known (sum->value + part.value);
}

static void
read_energy (JmcTopSummary *self, JmSnapshot *snapshot)
{
  static const JmMetric metrics[] = { JM_METRIC_SYSTEM_ENERGY, JM_METRIC_IDLE_ENERGY };
  g_autoptr (GPtrArray) sources =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_POWER_SOURCE_UP);

  self->is_metered = sources->len > 0;
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      add (&self->others, jmc_figure_sum (snapshot, JM_NODE_SUBJECT, metrics[i]));
      self->is_estimate |=
        jmc_energy_is_estimated (snapshot, JM_NODE_SUBJECT, metrics[i]);
    }
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
  add (&self->jobs_watts, jmc_figure_sum (snapshot, subject, JM_METRIC_POWER));
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
  read_energy (&self, snapshot);
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_level (snapshot, i) == JM_LEVEL_JOB)
      count_job (&self, snapshot, i);

  return self;
}

/* What is no job's is known as energy alone. Accounts of another program come from time
 * to time, and say nothing of the time between. */
static void
set_watts (JmcTopSummary *self, const JmcTopSummary *then)
{
  double seconds = (double) (self->time_us - then->time_us) / G_USEC_PER_SEC;
  double joules = self->others.value - then->others.value;

  if (self->is_metered && self->others.is_known && seconds > 0 && joules >= 0)
    self->watts = jmc_figure_known (self->jobs_watts.value + joules / seconds);
}

/* The kernel's idle time may step back a little: then there is no figure this time. */
void
jmc_top_summary_set_rates (JmcTopSummary *self, const JmcTopSummary *then)
{
  double total = self->total.value - then->total.value;
  double busy = self->busy.value - then->busy.value;

  set_watts (self, then);
  if (self->total.is_known && then->total.is_known && busy >= 0 && total > 0 &&
      busy <= total)
    self->cpu_percent = jmc_figure_known (100 * busy / total);
}
