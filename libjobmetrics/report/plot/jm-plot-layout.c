/* jm-plot-layout.c: where everything of a plot is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/plot/jm-plot-layout-private.h"

#include <math.h>

#include "report/plot/jm-plot-text-private.h"

/* The usual size, on which the others are measured. */
#define USUAL_WIDTH 720.0
#define USUAL_HEIGHT 300.0
#define LEAST_UNIT 0.75

#define MARGIN 10.0
#define FONT_SIZE 11.5
#define TITLE_SIZE 13.5
#define LINE_HEIGHT 16.0
#define TITLE_HEIGHT 26.0
#define TICK_GAP 7.0
#define AXIS_HEIGHT 24.0
#define SAMPLE_WIDTH 26.0
#define KEY_GAP 10.0

/* An axis has a tick for every so many pixels. */
#define VALUE_DISTANCE 34.0
#define TIME_DISTANCE 56.0

/* Beside a plot that is narrower there is no room for names: they stand above. */
#define LEAST_WIDTH_WITH_NAMES 380.0
#define LARGEST_SHARE_OF_NAMES 0.3

/* A limit that is so many times what was used would leave nothing to be seen of it. */
#define FARTHEST_LIMIT 20.0

static void
clear_key (gpointer data)
{
  JmPlotKey *key = data;

  g_free (key->text);
}

double
jm_plot_layout_get_x (const JmPlotLayout *self, double seconds)
{
  return self->left + (self->right - self->left) * (seconds / self->span);
}

double
jm_plot_layout_get_y (const JmPlotLayout *self, double value)
{
  double share = (value - self->values->from) / (self->values->to - self->values->from);

  return self->bottom - (self->bottom - self->top) * share;
}

JmPlotFont
jm_plot_layout_get_font (const JmPlotLayout *self, JmPlotInk ink)
{
  return (JmPlotFont){ ink, FONT_SIZE * self->unit, FALSE, JM_PLOT_ANCHOR_START };
}

JmPlotFont
jm_plot_layout_get_title_font (const JmPlotLayout *self)
{
  return (JmPlotFont){ JM_PLOT_INK_TEXT, TITLE_SIZE * self->unit, TRUE,
                       JM_PLOT_ANCHOR_START };
}

double
jm_plot_layout_get_sample_width (const JmPlotLayout *self)
{
  return SAMPLE_WIDTH * self->unit;
}

static double
measure (const JmPlotLayout *self, const char *text)
{
  JmPlotFont font = jm_plot_layout_get_font (self, JM_PLOT_INK_TEXT);

  return self->canvas->measure (self->canvas, text, &font);
}

/* --- what is to be seen --- */

static void
zoom (JmPlotLayout *self)
{
  const double from = fmax (self->plot->zoom_from, 0);
  const double to =
    self->plot->zoom_to > 0 ? fmin (self->plot->zoom_to, self->span) : self->span;

  if (!(to - from > 1e-3))
    return;

  self->begin += from;
  self->passed = from;
  self->span = to - from;
}

static void
find_range (JmPlotLayout *self)
{
  double from = NAN;
  double to = NAN;

  for (guint i = 0; i < self->plot->series->len; i++)
    {
      const JmPlotSeries *series = g_ptr_array_index (self->plot->series, i);

      if (series->points->len == 0)
        continue;
      from = fmin (from, jm_plot_points_get (series->points, 0)->x);
      to = fmax (to, jm_plot_points_get (series->points, series->points->len - 1)->x);
    }
  if (self->plot->has_range)
    {
      from = self->plot->begin_seconds;
      to = self->plot->end_seconds;
    }

  /* a moment is shown as a second */
  self->begin = isnan (from) ? 0 : from;
  self->span = to - from > 1e-3 ? to - from : 1;
  zoom (self);
}

static void
find_extent (JmPlotLayout *self, double *lowest, double *highest)
{
  *lowest = *highest = 0;
  for (guint i = 0; i < self->traces->len; i++)
    {
      double low;
      double high;

      if (!jm_plot_trace_get_extent (g_ptr_array_index (self->traces, i), &low, &high))
        continue;
      self->has_data = TRUE;
      *lowest = fmin (*lowest, low);
      *highest = fmax (*highest, high);
    }

  self->has_limit = self->plot->limit_name != NULL &&
                    (*highest <= 0 || self->plot->limit <= FARTHEST_LIMIT * *highest);
  if (self->has_limit)
    {
      *lowest = fmin (*lowest, self->plot->limit);
      *highest = fmax (*highest, self->plot->limit);
    }
  *highest = fmax (*highest, self->plot->highest);
  if (self->plot->format == JM_FORMAT_PERCENT)
    *highest = fmax (*highest, 100);
}

/* --- the legend --- */

static void
add_key (JmPlotLayout *self, const JmPlotTrace *trace, const char *text, double room)
{
  JmPlotKey key = { .trace = trace };
  gsize n = (gsize) g_utf8_strlen (text, -1);

  key.text = g_strdup (text);
  while (n > 1 && measure (self, key.text) > room)
    {
      g_free (key.text);
      key.text = jm_plot_text_cut (text, --n);
    }
  g_array_append_val (self->keys, key);
}

static char *
describe_limit (const JmPlotLayout *self)
{
  g_autofree char *value = jm_plot_text_format (self->plot->format, self->plot->limit);

  return g_strdup_printf ("%s%s %s", self->has_limit ? "" : "↑ ",
                          self->plot->limit_name, value);
}

/* One series that is what the title says needs no name besides. */
static gboolean
says_the_title (const JmPlotLayout *self, const char *name)
{
  return *name == '\0' ||
         (self->plot->series->len == 1 && g_strcmp0 (name, self->plot->title) == 0);
}

static void
make_keys (JmPlotLayout *self, double room)
{
  self->keys = g_array_new (FALSE, TRUE, sizeof (JmPlotKey));
  g_array_set_clear_func (self->keys, clear_key);
  if (!self->has_data || self->plot->kind == JM_PLOT_KIND_MAP)
    return;

  if (self->plot->limit_name != NULL)
    {
      g_autofree char *limit = describe_limit (self);

      add_key (self, NULL, limit, room);
    }
  for (guint i = self->traces->len; i > 0; i--)
    {
      const JmPlotTrace *trace = g_ptr_array_index (self->traces, i - 1);
      const char *name = jm_plot_trace_get_key (trace);

      if (name != NULL && !says_the_title (self, name))
        add_key (self, trace, name, room);
      if (trace->kind == JM_PLOT_TRACE_MEAN)
        add_key (self, g_ptr_array_index (self->traces, 0), "each", room);
    }
}

static double
get_widest_key (const JmPlotLayout *self)
{
  double widest = 0;

  for (guint i = 0; i < self->keys->len; i++)
    widest =
      fmax (widest, measure (self, g_array_index (self->keys, JmPlotKey, i).text));

  return widest;
}

/* The last that was seen of a trace; in an area the middle of it. */
static double
find_end (const JmPlotLayout *self, const JmPlotTrace *trace)
{
  for (gsize i = trace->points->len; i > 0; i--)
    {
      double y = jm_plot_points_get (trace->points, i - 1)->y;

      if (trace->base != NULL)
        y = (y + jm_plot_points_get (trace->base, i - 1)->y) / 2;
      if (!isnan (y))
        return jm_plot_layout_get_y (self, y);
    }

  return self->bottom;
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  const JmPlotKey *one = a;
  const JmPlotKey *other = b;

  return (one->wanted_y > other->wanted_y) - (one->wanted_y < other->wanted_y);
}

/* Each beside the end of its line, and as far from it as the others need. */
static void
place_keys_beside (JmPlotLayout *self)
{
  double line = LINE_HEIGHT * self->unit;
  double lowest = self->bottom - line / 4;
  double y = -G_MAXDOUBLE;

  for (guint i = 0; i < self->keys->len; i++)
    {
      JmPlotKey *key = &g_array_index (self->keys, JmPlotKey, i);

      key->x = self->right + KEY_GAP * self->unit;
      if (key->trace != NULL)
        key->wanted_y = find_end (self, key->trace);
      else
        key->wanted_y =
          self->has_limit ? jm_plot_layout_get_y (self, self->plot->limit) : self->top;
    }
  g_array_sort (self->keys, compare_keys);

  for (guint i = 0; i < self->keys->len; i++)
    {
      JmPlotKey *key = &g_array_index (self->keys, JmPlotKey, i);

      y = key->y = fmax (key->wanted_y, y + line);
    }
  for (guint i = self->keys->len; i > 0; i--)
    {
      JmPlotKey *key = &g_array_index (self->keys, JmPlotKey, i - 1);

      key->y = fmin (key->y, lowest);
      lowest = key->y - line;
    }
}

/* From the first series on, as people read; beside a plot they go from its top. */
static void
reverse_keys (JmPlotLayout *self)
{
  for (guint i = 0; i < self->keys->len / 2; i++)
    {
      JmPlotKey *one = &g_array_index (self->keys, JmPlotKey, i);
      JmPlotKey *other =
        &g_array_index (self->keys, JmPlotKey, self->keys->len - 1 - i);
      JmPlotKey kept = *one;

      *one = *other;
      *other = kept;
    }
}

/* In rows below the title; those for which there is no room are left out. */
static void
place_keys_above (JmPlotLayout *self, double y)
{
  double line = LINE_HEIGHT * self->unit;
  double left = MARGIN * self->unit;
  double room = self->width - 2 * left;
  double x = 0;
  guint n_rows = self->keys->len > 0 ? 1 : 0;

  reverse_keys (self);
  for (guint i = 0; i < self->keys->len; i++)
    {
      JmPlotKey *key = &g_array_index (self->keys, JmPlotKey, i);
      double width = jm_plot_layout_get_sample_width (self) + measure (self, key->text);

      if (x > 0 && x + width > room)
        {
          x = 0;
          n_rows++;
        }
      if (n_rows * line > self->height / 3)
        {
          g_array_set_size (self->keys, i);
          n_rows--;
          break;
        }
      key->x = left + x;
      key->y = y + (n_rows - 0.5) * line;
      x += width + 1.5 * KEY_GAP * self->unit;
    }

  self->top = y + n_rows * line + LINE_HEIGHT / 2 * self->unit;
}

/* --- axes --- */

static double
get_widest_label (const JmPlotLayout *self, const JmPlotTicks *ticks)
{
  double widest = 0;

  for (guint i = 0; i < ticks->ticks->len; i++)
    widest = fmax (widest, measure (self, jm_plot_ticks_get (ticks, i)->label));

  return widest;
}

static double
get_widest_row (const JmPlotLayout *self)
{
  double widest = 0;

  for (guint i = 0; i < self->traces->len; i++)
    widest =
      fmax (widest, measure (self, ((JmPlotTrace *) self->traces->pdata[i])->name));

  return fmin (widest, self->width * LARGEST_SHARE_OF_NAMES);
}

/* Their labels are of the time since the begin, their places of what is drawn. */
static JmPlotTicks *
make_elapsed (const JmPlotLayout *self, guint n)
{
  JmPlotTicks *ticks =
    jm_plot_ticks_new_elapsed (self->passed, self->passed + self->span, n);

  for (guint i = 0; i < ticks->ticks->len; i++)
    g_array_index (ticks->ticks, JmPlotTick, i).at -= self->passed;

  return ticks;
}

/* As many as have room for their labels. */
static JmPlotTicks *
make_time_ticks (const JmPlotLayout *self)
{
  double length = self->right - self->left;
  guint n = (guint) CLAMP (length / (TIME_DISTANCE * self->unit), 2, 10);

  for (;; n--)
    {
      JmPlotTicks *ticks = make_elapsed (self, n);
      double distance =
        ticks->ticks->len > 1
          ? jm_plot_layout_get_x (self, jm_plot_ticks_get (ticks, 1)->at) -
              jm_plot_layout_get_x (self, jm_plot_ticks_get (ticks, 0)->at)
          : length;

      if (n <= 1 ||
          get_widest_label (self, ticks) + 2 * TICK_GAP * self->unit <= distance)
        return ticks;
      jm_plot_ticks_free (ticks);
    }
}

static void
make_value_ticks (JmPlotLayout *self)
{
  double lowest;
  double highest;
  guint n;

  find_extent (self, &lowest, &highest);
  n = (guint) CLAMP ((self->bottom - self->top) / (VALUE_DISTANCE * self->unit), 3, 8);
  self->values = jm_plot_ticks_new_values (self->plot->format, lowest, highest, n);
  self->left = MARGIN * self->unit;
  if (self->has_data)
    self->left +=
      (self->plot->kind == JM_PLOT_KIND_MAP ? get_widest_row (self)
                                            : get_widest_label (self, self->values)) +
      TICK_GAP * self->unit;
}

/* Names stand beside the plot where that leaves room for both. */
static void
place_keys (JmPlotLayout *self, double title_bottom)
{
  double names = self->width * LARGEST_SHARE_OF_NAMES;
  double sample = jm_plot_layout_get_sample_width (self);
  gboolean is_beside = self->width >= LEAST_WIDTH_WITH_NAMES * self->unit;

  make_keys (self, is_beside ? names - sample : self->width / 2);
  is_beside =
    is_beside && self->keys->len * LINE_HEIGHT * self->unit <= self->bottom - self->top;

  if (self->keys->len == 0)
    return;
  if (is_beside)
    {
      self->right -= get_widest_key (self) + sample + KEY_GAP * self->unit;
      place_keys_beside (self);
    }
  else
    place_keys_above (self, title_bottom);
}

void
jm_plot_layout_init (JmPlotLayout *self,
                     JmPlot *plot,
                     JmPlotCanvas *canvas,
                     double width,
                     double height)
{
  double unit = fmax (fmin (width / USUAL_WIDTH, height / USUAL_HEIGHT), LEAST_UNIT);
  double title_bottom;

  *self = (JmPlotLayout){ .plot = plot, .canvas = canvas, .width = width };
  self->height = height;
  self->unit = unit;
  find_range (self);
  self->traces = jm_plot_list_traces (plot, self->begin, self->begin + self->span);

  title_bottom = *plot->title != '\0' ? (TITLE_HEIGHT + 4) * unit : MARGIN * unit;
  self->top = title_bottom + LINE_HEIGHT / 2 * unit;
  self->bottom = height - AXIS_HEIGHT * unit;
  self->right = width - 2 * MARGIN * unit;
  make_value_ticks (self);
  place_keys (self, title_bottom);
  if (plot->kind == JM_PLOT_KIND_MAP)
    self->top = title_bottom + 1.5 * LINE_HEIGHT * unit;
  self->times = make_time_ticks (self);
}

void
jm_plot_layout_clear (JmPlotLayout *self)
{
  g_clear_pointer (&self->traces, g_ptr_array_unref);
  g_clear_pointer (&self->values, jm_plot_ticks_free);
  g_clear_pointer (&self->times, jm_plot_ticks_free);
  g_clear_pointer (&self->keys, g_array_unref);
}
