/* jm-plot-series-private.h: the points of one series of a plot
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of a longer series the peaks and troughs are kept. */
#define JM_PLOT_MAX_POINTS 2000

/* What is larger nobody measured. */
#define JM_PLOT_LARGEST_VALUE 1e21

/* A value that is not a number is a gap. */
typedef struct
{
  double x;
  double y;
} JmPlotPoint;

/* Of no points minimum, mean and maximum are NaN. They are of all points, also of those
 * that were left out since. */
typedef struct
{
  char *name;
  GArray *points; /* of JmPlotPoint: seconds, and base units; in the order of time */
  double minimum;
  double mean;
  double maximum;
} JmPlotSeries;

JmPlotSeries *jm_plot_series_new (const char *name,
                                  const double *times_seconds,
                                  const double *values,
                                  gsize n_points);
void jm_plot_series_free (JmPlotSeries *self);

/* What lies from @from to @to, of lines that run beyond up to there; @from is 0 in it. */
GArray *jm_plot_points_clip (const GArray *points, double from, double to);

/* At each of @n_times ascending @times, on the line between the points before and after;
 * NaN beyond the points and in gaps. */
void jm_plot_points_sample (const GArray *points,
                            const double *times,
                            gsize n_times,
                            double *values);

/* All times at which there is a point in any of @n_lists, ascending and each once; at most
 * some thousands. */
GArray *jm_plot_points_merge_times (GArray *const *lists, guint n_lists);

/* Which of @points to draw in columns of @column_width: of each the highest and the lowest,
 * in their order, and a gap for one without any. All, where they are no more than that.
 */
GArray *jm_plot_points_reduce (const GArray *points, double column_width);

static inline const JmPlotPoint *
jm_plot_points_get (const GArray *points, gsize i)
{
  return &g_array_index (points, JmPlotPoint, i);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPlotSeries, jm_plot_series_free)

G_END_DECLS
