/* jm-plot-series.c: the points of one series of a plot
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/plot/jm-plot-series-private.h"

#include <math.h>

#include "report/plot/jm-plot-text-private.h"

/* Seconds since 1970 beyond which no calendar goes. */
#define LARGEST_TIME 1e12

#define MAX_MERGED_TIMES 4000

/* The points of one column: which is the lowest, and which the highest. */
typedef struct
{
  gboolean has_any;
  gsize lowest;
  gsize highest;
} Column;

static GArray *
points_new (gsize n_points)
{
  return g_array_sized_new (FALSE, FALSE, sizeof (JmPlotPoint), (guint) n_points);
}

static void
add_point (GArray *points, double x, double y)
{
  JmPlotPoint point = { x, y };

  g_array_append_val (points, point);
}

/* --- fewer points --- */

static void
column_add (Column *self, const GArray *points, gsize i)
{
  double y = jm_plot_points_get (points, i)->y;

  if (isnan (y))
    return;

  if (!self->has_any || y < jm_plot_points_get (points, self->lowest)->y)
    self->lowest = i;
  if (!self->has_any || y > jm_plot_points_get (points, self->highest)->y)
    self->highest = i;
  self->has_any = TRUE;
}

static void
column_end (const Column *self, gsize last, GArray *indices)
{
  gsize first = MIN (self->lowest, self->highest);
  gsize second = MAX (self->lowest, self->highest);

  if (!self->has_any)
    {
      g_array_append_val (indices, last);
      return;
    }

  g_array_append_val (indices, first);
  if (second != first)
    g_array_append_val (indices, second);
}

static gint64
get_column (const GArray *points, gsize i, double column_width)
{
  return (gint64) floor (jm_plot_points_get (points, i)->x / column_width);
}

GArray *
jm_plot_points_reduce (const GArray *points, double column_width)
{
  GArray *indices = g_array_new (FALSE, FALSE, sizeof (gsize));
  Column column = { 0 };

  for (gsize i = 0; i < points->len; i++)
    {
      column_add (&column, points, i);
      if (i + 1 < points->len && get_column (points, i + 1, column_width) ==
                                   get_column (points, i, column_width))
        continue;
      column_end (&column, i, indices);
      column = (Column){ 0 };
    }

  return indices;
}

/* By number and not by time, lest a busy minute of a long day is lost. */
static GArray *
shorten (const GArray *points)
{
  const gsize n_columns = JM_PLOT_MAX_POINTS / 2;
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (gsize));
  GArray *kept = points_new (JM_PLOT_MAX_POINTS);
  Column column = { 0 };

  for (gsize i = 0; i < points->len; i++)
    {
      column_add (&column, points, i);
      if (i + 1 < points->len &&
          (i + 1) * n_columns / points->len == i * n_columns / points->len)
        continue;
      column_end (&column, i, indices);
      column = (Column){ 0 };
    }
  for (gsize i = 0; i < indices->len; i++)
    g_array_append_vals (kept,
                         jm_plot_points_get (points, g_array_index (indices, gsize, i)),
                         1);

  return kept;
}

/* --- a series --- */

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const JmPlotPoint *one = a;
  const JmPlotPoint *other = b;

  return (one->x > other->x) - (one->x < other->x);
}

static GArray *
collect (const double *times_seconds, const double *values, gsize n_points)
{
  GArray *points = points_new (n_points);
  gboolean is_sorted = TRUE;

  for (gsize i = 0; i < n_points; i++)
    {
      if (!isfinite (times_seconds[i]) || fabs (times_seconds[i]) > LARGEST_TIME)
        continue;
      add_point (points, times_seconds[i],
                 fabs (values[i]) <= JM_PLOT_LARGEST_VALUE ? values[i] : NAN);
      if (points->len > 1 &&
          times_seconds[i] < jm_plot_points_get (points, points->len - 2)->x)
        is_sorted = FALSE;
    }
  if (!is_sorted)
    g_array_sort (points, compare_points);

  return points;
}

static void
count (JmPlotSeries *self, const GArray *points)
{
  double sum = 0;
  gsize n = 0;

  self->minimum = self->mean = self->maximum = NAN;
  for (gsize i = 0; i < points->len; i++)
    {
      double y = jm_plot_points_get (points, i)->y;

      if (isnan (y))
        continue;
      self->minimum = fmin (self->minimum, y);
      self->maximum = fmax (self->maximum, y);
      sum += y;
      n++;
    }
  if (n > 0)
    self->mean = CLAMP (sum / (double) n, self->minimum, self->maximum);
}

JmPlotSeries *
jm_plot_series_new (const char *name,
                    const double *times_seconds,
                    const double *values,
                    gsize n_points)
{
  JmPlotSeries *self = g_new0 (JmPlotSeries, 1);
  g_autoptr (GArray) points = collect (times_seconds, values, n_points);

  self->name = jm_plot_text_make (name);
  count (self, points);
  self->points =
    points->len > JM_PLOT_MAX_POINTS ? shorten (points) : g_steal_pointer (&points);

  return self;
}

void
jm_plot_series_free (JmPlotSeries *self)
{
  g_free (self->name);
  g_array_unref (self->points);
  g_free (self);
}

/* --- parts and times --- */

/* Where one of them is a gap, so is what lies between. */
static double
interpolate (const JmPlotPoint *before, const JmPlotPoint *after, double x)
{
  if (x <= before->x)
    return before->y;
  if (x >= after->x)
    return after->y;

  return before->y +
         (after->y - before->y) * ((x - before->x) / (after->x - before->x));
}

GArray *
jm_plot_points_clip (const GArray *points, double from, double to)
{
  GArray *clipped = points_new (points->len);

  for (gsize i = 0; i < points->len; i++)
    {
      const JmPlotPoint *point = jm_plot_points_get (points, i);
      const JmPlotPoint *before = i > 0 ? point - 1 : NULL;

      if (before != NULL && before->x < from && point->x > from)
        add_point (clipped, 0, interpolate (before, point, from));
      if (before != NULL && before->x < to && point->x > to)
        add_point (clipped, to - from, interpolate (before, point, to));
      if (point->x >= from && point->x <= to)
        add_point (clipped, point->x - from, point->y);
    }

  return clipped;
}

void
jm_plot_points_sample (const GArray *points,
                       const double *times,
                       gsize n_times,
                       double *values)
{
  gsize next = 0; /* the first point that is not before the time */

  for (gsize i = 0; i < n_times; i++)
    {
      while (next < points->len && jm_plot_points_get (points, next)->x < times[i])
        next++;

      if (next >= points->len)
        values[i] = NAN;
      else if (jm_plot_points_get (points, next)->x == times[i])
        values[i] = jm_plot_points_get (points, next)->y;
      else
        values[i] = next == 0
                      ? NAN
                      : interpolate (jm_plot_points_get (points, next - 1),
                                     jm_plot_points_get (points, next), times[i]);
    }
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const double *one = a;
  const double *other = b;

  return (*one > *other) - (*one < *other);
}

static void
thin (GArray *times, gsize n_kept)
{
  for (gsize i = 0; i < n_kept; i++)
    g_array_index (times, double, i) =
      g_array_index (times, double, i *(times->len - 1) / (n_kept - 1));
  g_array_set_size (times, (guint) n_kept);
}

GArray *
jm_plot_points_merge_times (GArray *const *lists, guint n_lists)
{
  GArray *times = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 0;

  for (guint i = 0; i < n_lists; i++)
    for (gsize j = 0; j < lists[i]->len; j++)
      g_array_append_val (times, jm_plot_points_get (lists[i], j)->x);

  g_array_sort (times, compare_times);
  for (guint i = 0; i < times->len; i++)
    if (i == 0 ||
        g_array_index (times, double, i) > g_array_index (times, double, n - 1))
      g_array_index (times, double, n++) = g_array_index (times, double, i);
  g_array_set_size (times, n);
  if (n > MAX_MERGED_TIMES)
    thin (times, MAX_MERGED_TIMES);

  return times;
}
