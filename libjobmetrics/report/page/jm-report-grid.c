/* jm-report-grid.c: what all nodes of a run did at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-grid-private.h"

#include <math.h>

#include "core/jm-job-profile-private.h"
#include "judge/jm-run-report-private.h"

/* Nodes that began long after each other make no more points than this. */
#define MAX_POINTS 1000

static void
allocate (JmReportGrid *self, gsize n)
{
  self->times = g_new (double, n);
  self->values = g_new (double, n);
  self->n = n;
}

/* Per second of a sum, of what was observed of the interval. */
static double
get_value (const JmProfilePoint *points, const double *values, gsize i, gboolean is_sum)
{
  if (!is_sum || points[i].seen_us <= 0)
    return values[i];

  return values[i] * (double) G_USEC_PER_SEC / (double) points[i].seen_us;
}

gboolean
jm_report_grid_init_of_profile (JmReportGrid *self,
                                JmJobProfile *profile,
                                JmProfileSeries series)
{
  const double begin_us = (double) jm_job_profile_get_begin_time (profile);
  const double interval_us = (double) jm_job_profile_get_interval (profile);
  const gboolean is_sum = jm_profile_series_is_sum (series);
  guint n_points;
  gsize n;
  const JmProfilePoint *points = jm_job_profile_get_points (profile, series, &n_points);
  g_autofree double *values = jm_job_profile_list_values (profile, series, &n);

  if (points == NULL || values == NULL || n == 0)
    return FALSE;

  allocate (self, n);
  for (gsize i = 0; i < n; i++)
    {
      self->times[i] = (begin_us + ((double) i + 0.5) * interval_us) / G_USEC_PER_SEC;
      self->values[i] = get_value (points, values, i, is_sum);
    }

  return TRUE;
}

void
jm_report_grid_scale (JmReportGrid *self, double factor)
{
  for (gsize i = 0; i < self->n; i++)
    self->values[i] *= factor;
}

void
jm_report_grid_clear (JmReportGrid *self)
{
  g_clear_pointer (&self->times, g_free);
  g_clear_pointer (&self->values, g_free);
  self->n = 0;
}

/* --- several nodes --- */

static JmJobProfile *
get_profile (JmRunReport *report, guint node, JmProfileSeries series)
{
  JmJobProfile *profile = jm_run_report_get_node_profile (report, node);

  return profile != NULL && jm_job_profile_has (profile, series) ? profile : NULL;
}

/* When any of them began and ended, and the longest interval. FALSE where there are
 * none. */
static gboolean
find_extent (JmRunReport *report,
             JmProfileSeries series,
             guint from,
             guint to,
             gint64 *begin_us,
             gint64 *end_us,
             gint64 *interval_us)
{
  *begin_us = G_MAXINT64;
  *end_us = G_MININT64;
  *interval_us = 0;
  for (guint i = from; i < to; i++)
    {
      JmJobProfile *profile = get_profile (report, i, series);
      gint64 begin, interval;

      if (profile == NULL)
        continue;
      begin = jm_job_profile_get_begin_time (profile);
      interval = jm_job_profile_get_interval (profile);
      *begin_us = MIN (*begin_us, begin);
      *end_us = MAX (*end_us, begin + interval * jm_job_profile_get_n_points (profile));
      *interval_us = MAX (*interval_us, interval);
    }

  return *interval_us > 0 && *end_us > *begin_us;
}

/* The mean of @grid between two times; NaN where it has a gap there, 0 outside of
 * it. */
static double
get_mean (const JmReportGrid *grid, double interval, double from, double to)
{
  const double begin = grid->times[0] - interval / 2;
  const double first = floor ((from - begin) / interval);
  double area = 0;

  for (double i = MAX (first, 0); i < (double) grid->n; i++)
    {
      const double left = MAX (begin + i * interval, from);
      const double right = MIN (begin + (i + 1) * interval, to);

      if (begin + i * interval >= to)
        break;
      if (right > left)
        area += (right - left) * grid->values[(gsize) i];
    }

  return area / (to - from);
}

static void
add (JmReportGrid *self,
     double interval,
     const JmReportGrid *node,
     double node_interval)
{
  for (gsize i = 0; i < self->n; i++)
    self->values[i] += get_mean (node, node_interval, self->times[i] - interval / 2,
                                 self->times[i] + interval / 2);
}

gboolean
jm_report_grid_init_of_nodes (JmReportGrid *self,
                              JmRunReport *report,
                              JmProfileSeries series,
                              guint from,
                              guint to)
{
  gint64 begin_us, end_us, interval_us;
  double interval;

  if (!find_extent (report, series, from, to, &begin_us, &end_us, &interval_us))
    return FALSE;

  interval_us = MAX (interval_us, (end_us - begin_us) / MAX_POINTS);
  interval = (double) interval_us / G_USEC_PER_SEC;
  allocate (self, (gsize) ((end_us - begin_us + interval_us - 1) / interval_us));
  for (gsize i = 0; i < self->n; i++)
    {
      self->times[i] =
        (double) begin_us / G_USEC_PER_SEC + ((double) i + 0.5) * interval;
      self->values[i] = 0;
    }

  for (guint i = from; i < to; i++)
    {
      JmJobProfile *profile = get_profile (report, i, series);
      g_auto (JmReportGrid) node = { 0 };

      if (profile != NULL && jm_report_grid_init_of_profile (&node, profile, series))
        add (self, interval, &node,
             (double) jm_job_profile_get_interval (profile) / G_USEC_PER_SEC);
    }

  return TRUE;
}

gboolean
jm_report_grid_init_of_all (JmReportGrid *self,
                            JmRunReport *report,
                            JmProfileSeries series)
{
  return jm_report_grid_init_of_nodes (self, report, series, 0, report->nodes->len);
}
