/* jm-plot-trace.c: a line or an area of a plot
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/plot/jm-plot-trace-private.h"

#include <math.h>

#include "base/jm-number-private.h"

static void
trace_free (gpointer data)
{
  JmPlotTrace *self = data;

  g_free (self->name);
  g_array_unref (self->points);
  g_clear_pointer (&self->base, g_array_unref);
  g_free (self);
}

static JmPlotTrace *
add_trace (GPtrArray *traces,
           JmPlotTraceKind kind,
           char *name,
           JmPlotInk ink,
           GArray *points)
{
  JmPlotTrace *self = g_new0 (JmPlotTrace, 1);

  self->kind = kind;
  self->name = name;
  self->ink = ink;
  self->points = points;
  g_ptr_array_add (traces, self);

  return self;
}

const char *
jm_plot_trace_get_key (const JmPlotTrace *self)
{
  return self->kind == JM_PLOT_TRACE_THIN ? NULL : self->name;
}

static gboolean
extend (const GArray *points, double *lowest, double *highest)
{
  *lowest = *highest = NAN;
  for (gsize i = 0; i < points->len; i++)
    {
      *lowest = fmin (*lowest, jm_plot_points_get (points, i)->y);
      *highest = fmax (*highest, jm_plot_points_get (points, i)->y);
    }

  return !isnan (*lowest);
}

gboolean
jm_plot_trace_get_extent (const JmPlotTrace *self, double *lowest, double *highest)
{
  return extend (self->points, lowest, highest);
}

static const JmPlotSeries *
get_series (JmPlot *self, guint i)
{
  return g_ptr_array_index (self->series, i);
}

/* --- each as a line --- */

static void
add_lines (JmPlot *self, GPtrArray *traces, GArray *const *lists)
{
  gboolean are_few =
    self->kind == JM_PLOT_KIND_LINES && self->series->len <= JM_PLOT_N_STYLES;

  for (guint i = 0; i < self->series->len; i++)
    {
      JmPlotTrace *trace =
        add_trace (traces, are_few ? JM_PLOT_TRACE_LINE : JM_PLOT_TRACE_THIN,
                   g_strdup (get_series (self, i)->name),
                   are_few ? (JmPlotInk) (JM_PLOT_INK_SERIES_0 + i) : JM_PLOT_INK_MANY,
                   g_array_ref (lists[i]));

      trace->style = i;
    }
}

/* Of those that were seen at that time. */
static GArray *
reckon_mean (GArray *const *lists, guint n_lists)
{
  g_autoptr (GArray) times = jm_plot_points_merge_times (lists, n_lists);
  const double *at = (const double *) (gpointer) times->data;
  g_autofree double *values = g_new (double, times->len);
  g_autofree guint *n_seen = g_new0 (guint, times->len);
  GArray *mean = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));

  for (gsize i = 0; i < times->len; i++)
    {
      JmPlotPoint point = { at[i], 0 };

      g_array_append_val (mean, point);
    }
  for (guint i = 0; i < n_lists; i++)
    {
      jm_plot_points_sample (lists[i], at, times->len, values);
      for (gsize j = 0; j < times->len; j++)
        if (!isnan (values[j]))
          {
            g_array_index (mean, JmPlotPoint, j).y += values[j];
            n_seen[j]++;
          }
    }
  for (gsize i = 0; i < times->len; i++)
    g_array_index (mean, JmPlotPoint, i).y =
      n_seen[i] > 0 ? g_array_index (mean, JmPlotPoint, i).y / n_seen[i] : NAN;

  return mean;
}

static void
add_mean (JmPlot *self, GPtrArray *traces, GArray *const *lists)
{
  char *name = self->n_left_out == 0
                 ? g_strdup_printf ("mean of %u", self->series->len)
                 : g_strdup_printf ("mean of %u out of %u", self->series->len,
                                    self->series->len + self->n_left_out);

  add_trace (traces, JM_PLOT_TRACE_MEAN, name, JM_PLOT_INK_MEAN,
             reckon_mean (lists, self->series->len));
}

/* --- each upon another --- */

/* One area of a stack, at the times of all of them. */
typedef struct
{
  char *name;
  double *values;
  double sum;
  gboolean are_others;
} Layer;

/* Without colours what lies on something dark is light, and the reverse. */
static const JmPlotInk area_inks[JM_PLOT_N_STYLES] = {
  JM_PLOT_INK_SERIES_0, JM_PLOT_INK_SERIES_1, JM_PLOT_INK_SERIES_7,
  JM_PLOT_INK_SERIES_2, JM_PLOT_INK_SERIES_5, JM_PLOT_INK_SERIES_3,
  JM_PLOT_INK_SERIES_4, JM_PLOT_INK_SERIES_6,
};

static void
layer_clear (gpointer data)
{
  Layer *layer = data;

  g_free (layer->name);
  g_free (layer->values);
}

/* What had not begun yet, or has ended, takes no room; a gap in between stays one. */
static void
fill_ends (double *values, gsize n_values)
{
  gsize first = 0;
  gsize end = n_values;

  while (first < n_values && isnan (values[first]))
    first++;
  while (end > first && isnan (values[end - 1]))
    end--;
  for (gsize i = 0; i < n_values; i++)
    if (i < first || i >= end)
      values[i] = 0;
}

static void
note_seen (gboolean *is_seen, const double *values, gsize n_values)
{
  for (gsize i = 0; i < n_values; i++)
    is_seen[i] = is_seen[i] || !isnan (values[i]);
}

/* Where nothing at all was seen there is no sum either: the gap of the lowest is one of
 * all that lie on it. */
static void
part_layers (GArray *layers, const gboolean *is_seen, gsize n_values)
{
  for (gsize i = 0; i < n_values; i++)
    if (!is_seen[i])
      g_array_index (layers, Layer, 0).values[i] = NAN;
}

static GArray *
make_layers (JmPlot *self, GArray *const *lists, const GArray *times, gboolean *is_seen)
{
  GArray *layers = g_array_new (FALSE, TRUE, sizeof (Layer));
  const double *at = (const double *) (gpointer) times->data;

  g_array_set_clear_func (layers, layer_clear);
  for (guint i = 0; i < self->series->len; i++)
    {
      Layer layer = { .name = g_strdup (get_series (self, i)->name),
                      .values = g_new (double, times->len) };

      jm_plot_points_sample (lists[i], at, times->len, layer.values);
      note_seen (is_seen, layer.values, times->len);
      fill_ends (layer.values, times->len);
      for (gsize j = 0; j < times->len; j++)
        if (!isnan (layer.values[j]))
          layer.sum += layer.values[j];
      g_array_append_val (layers, layer);
    }

  return layers;
}

static guint
find_smallest (const GArray *layers)
{
  guint smallest = 0;

  for (guint i = 1; i < layers->len; i++)
    if (g_array_index (layers, Layer, i).sum <
        g_array_index (layers, Layer, smallest).sum)
      smallest = i;

  return smallest;
}

/* The smallest ones become one, which is the last. */
static void
merge_small_layers (GArray *layers, gsize n_values, guint n_left_out)
{
  Layer others = { .values = g_new0 (double, n_values), .are_others = TRUE };
  guint n_others = 0;

  while (layers->len > JM_PLOT_N_STYLES - 1)
    {
      guint i = find_smallest (layers);

      for (gsize j = 0; j < n_values; j++)
        others.values[j] += g_array_index (layers, Layer, i).values[j];
      g_array_remove_index (layers, i);
      n_others++;
    }
  others.name = n_left_out == 0
                  ? jm_number_count (n_others, "other")
                  : g_strdup_printf ("%u others, without %u", n_others, n_left_out);
  g_array_append_val (layers, others);
}

static GArray *
make_points (const GArray *times, const double *values)
{
  GArray *points = g_array_sized_new (FALSE, FALSE, sizeof (JmPlotPoint), times->len);

  for (guint i = 0; i < times->len; i++)
    {
      JmPlotPoint point = { g_array_index (times, double, i), values[i] };

      g_array_append_val (points, point);
    }

  return points;
}

static void
add_areas (JmPlot *self, GPtrArray *traces, GArray *const *lists)
{
  g_autoptr (GArray) times = jm_plot_points_merge_times (lists, self->series->len);
  g_autoptr (GArray) layers = NULL;
  g_autofree double *top = g_new0 (double, times->len);
  g_autofree gboolean *is_seen = g_new0 (gboolean, times->len);

  layers = make_layers (self, lists, times, is_seen);
  if (layers->len > JM_PLOT_N_STYLES)
    merge_small_layers (layers, times->len, self->n_left_out);
  part_layers (layers, is_seen, times->len);

  for (guint i = 0; i < layers->len; i++)
    {
      const Layer *layer = &g_array_index (layers, Layer, i);
      GArray *base = make_points (times, top);
      JmPlotTrace *trace;

      for (guint j = 0; j < times->len; j++)
        top[j] += layer->values[j];
      trace = add_trace (traces, JM_PLOT_TRACE_AREA, g_strdup (layer->name),
                         layer->are_others ? JM_PLOT_INK_AXIS : area_inks[i],
                         make_points (times, top));
      trace->base = base;
    }
}

GPtrArray *
jm_plot_list_traces (JmPlot *self, double begin, double end)
{
  GPtrArray *traces = g_ptr_array_new_with_free_func (trace_free);
  g_autoptr (GPtrArray) clipped =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  GArray *const *lists;

  for (guint i = 0; i < self->series->len; i++)
    g_ptr_array_add (clipped,
                     jm_plot_points_clip (get_series (self, i)->points, begin, end));
  lists = (GArray *const *) clipped->pdata;

  if (self->series->len == 0)
    return traces;

  if (self->kind == JM_PLOT_KIND_STACKED)
    add_areas (self, traces, lists);
  else
    {
      add_lines (self, traces, lists);
      if (self->kind == JM_PLOT_KIND_LINES && self->series->len > JM_PLOT_N_STYLES)
        add_mean (self, traces, lists);
    }

  return traces;
}
