/* jmc-figure.c: a figure of a snapshot, which may not have been read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-figure.h"

#define NANO 1e9
/* Beyond this a double has no room for every whole number. */
#define MAX_WHOLE 0x1p53

static const JmcFigure unknown = { FALSE, 0 };

JmcFigure
jmc_figure_known (double value)
{
  return (JmcFigure){ TRUE, value };
}

JmcFigure
jmc_figure_get (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  double value;

  if (!jm_snapshot_get_value (snapshot, subject, metric, &value))
    return unknown;

  return jmc_figure_known (value);
}

/* A sum of decimals to the nanosecond that they were counted in, so that 0.1 and 0.2
 * are 0.3. What is larger has no such digits left. */
static double
round_sum (double sum)
{
  double counted = sum * NANO;

  return counted < MAX_WHOLE ? (double) (guint64) (counted + 0.5) / NANO : sum;
}

/* Adds the figures of all labels up, such as those of all devices. */
JmcFigure
jmc_figure_sum (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  g_autoptr (GPtrArray) all = jm_snapshot_list_labels (snapshot, subject, metric);
  JmcFigure sum = unknown;

  for (guint i = 0; i < all->len; i++)
    {
      double value;

      if (jm_snapshot_get_labelled_value (snapshot, subject, metric, all->pdata[i],
                                          &value))
        sum = jmc_figure_known (round_sum (sum.value + value));
    }

  return sum;
}

/* Seconds since the job began, or from then to its end. */
JmcFigure
jmc_figure_get_age (JmSnapshot *snapshot, guint subject)
{
  gint64 start_time_us = jm_snapshot_get_start_time (snapshot, subject);
  gint64 end_time_us = jm_snapshot_get_end_time (snapshot, subject);
  double age;

  if (end_time_us == 0)
    end_time_us = jm_snapshot_get_time (snapshot);
  age = (double) (end_time_us - start_time_us) / 1e6;

  /* A start in the future is a clock that was set, not an age. */
  if (start_time_us <= 0 || age < 0)
    return unknown;

  return jmc_figure_known (age);
}

/* Per cent of the CPU time that could have been used. */
JmcFigure
jmc_figure_compute_efficiency (JmcFigure cpu_time, JmcFigure cpus, JmcFigure elapsed)
{
  if (!cpu_time.is_known || !cpus.is_known || !elapsed.is_known)
    return unknown;

  if (cpus.value <= 0 || elapsed.value <= 0)
    return unknown;

  return jmc_figure_known (100 * cpu_time.value / (cpus.value * elapsed.value));
}

JmcFigure
jmc_figure_get_efficiency (JmSnapshot *snapshot, guint subject)
{
  return jmc_figure_compute_efficiency (jmc_figure_get (snapshot, subject,
                                                        JM_METRIC_CPU_TOTAL),
                                        jmc_figure_get (snapshot, subject,
                                                        JM_METRIC_CPUS),
                                        jmc_figure_get_age (snapshot, subject));
}

/* NULL where the figure was not read. */
char *
jmc_figure_format (JmcFigure self, char *(*format) (double value))
{
  return self.is_known ? format (self.value) : NULL;
}
