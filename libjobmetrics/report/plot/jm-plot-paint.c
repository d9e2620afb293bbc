/* jm-plot-paint.c: the lines, areas and words of a plot
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "report/plot/jm-plot-layout-private.h"
#include "report/plot/jm-plot-text-private.h"

#define LINE_WIDTH 1.7
#define THIN_WIDTH 0.7
#define MEAN_WIDTH 2.6
#define HAIR_WIDTH 1.0
#define TICK_LENGTH 4.0

/* One mark of a line for every so many pixels. */
#define MARK_DISTANCE 90.0
#define MARK_SIZE 3.4
#define DOT_SIZE 2.6

/* Text stands on its y, yet is placed by its middle. */
#define MIDDLE_OF_TEXT 0.36

#define SHADE 0.14

static const double limit_dashes[] = { 6, 4 };

/* --- small things --- */

/* A line of a pixel that lies in one, and not in two halfway. */
static double
snap (double y)
{
  return floor (y) + 0.5;
}

static void
stroke_line (const JmPlotLayout *self,
             double x1,
             double y1,
             double x2,
             double y2,
             const JmPlotPen *pen)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));
  JmPlotPoint ends[] = { { x1, y1 }, { x2, y2 } };

  g_array_append_vals (points, ends, 2);
  self->canvas->stroke (self->canvas, points, pen);
}

static void
fill_box (const JmPlotLayout *self,
          double x,
          double y,
          double width,
          double height,
          const JmPlotPen *pen)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));
  JmPlotPoint corners[] = { { x, y },
                            { x + width, y },
                            { x + width, y + height },
                            { x, y + height } };

  g_array_append_vals (points, corners, 4);
  self->canvas->fill (self->canvas, points, pen);
}

static JmPlotPen
make_pen (const JmPlotLayout *self, JmPlotInk ink, double width)
{
  return (JmPlotPen){ .ink = ink, .width = width * self->unit, .opacity = 1 };
}

static void
write_middle (const JmPlotLayout *self,
              double x,
              double y,
              const char *text,
              const JmPlotFont *font)
{
  self->canvas->write (self->canvas, x, y + MIDDLE_OF_TEXT * font->size, text, font);
}

/* --- axes --- */

static void
paint_grid (const JmPlotLayout *self)
{
  JmPlotPen pen = make_pen (self, JM_PLOT_INK_GRID, HAIR_WIDTH);
  JmPlotFont font = jm_plot_layout_get_font (self, JM_PLOT_INK_MUTED);

  font.anchor = JM_PLOT_ANCHOR_END;
  for (guint i = 0; i < self->values->ticks->len; i++)
    {
      const JmPlotTick *tick = jm_plot_ticks_get (self->values, i);
      double y = jm_plot_layout_get_y (self, tick->at);

      stroke_line (self, self->left, snap (y), self->right, snap (y), &pen);
      write_middle (self, self->left - 7 * self->unit, y, tick->label, &font);
    }
}

static void
paint_time_axis (const JmPlotLayout *self)
{
  JmPlotPen pen = make_pen (self, JM_PLOT_INK_AXIS, HAIR_WIDTH);
  JmPlotFont font = jm_plot_layout_get_font (self, JM_PLOT_INK_MUTED);
  double zero = snap (self->has_data ? jm_plot_layout_get_y (self, 0) : self->bottom);

  stroke_line (self, self->left, zero, self->right, zero, &pen);
  font.anchor = JM_PLOT_ANCHOR_MIDDLE;
  for (guint i = 0; i < self->times->ticks->len; i++)
    {
      const JmPlotTick *tick = jm_plot_ticks_get (self->times, i);
      double x = snap (jm_plot_layout_get_x (self, tick->at));
      double half = self->canvas->measure (self->canvas, tick->label, &font) / 2;

      stroke_line (self, x, self->bottom, x, self->bottom + TICK_LENGTH * self->unit,
                   &pen);
      self->canvas->write (self->canvas, CLAMP (x, half, self->width - half),
                           self->bottom + 16 * self->unit, tick->label, &font);
    }
}

static void
paint_title (const JmPlotLayout *self)
{
  JmPlotFont font = jm_plot_layout_get_title_font (self);
  double room = self->width - 20 * self->unit;
  gsize n = (gsize) g_utf8_strlen (self->plot->title, -1);
  g_autofree char *title = g_strdup (self->plot->title);

  while (n > 1 && self->canvas->measure (self->canvas, title, &font) > room)
    {
      g_free (title);
      title = jm_plot_text_cut (self->plot->title, --n);
    }
  if (*title != '\0')
    self->canvas->write (self->canvas, 10 * self->unit, 20 * self->unit, title, &font);
}

/* --- marks, which distinguish lines --- */

/* Circle, square, triangle and diamond, full and hollow. */
typedef struct
{
  guint n_corners;
  double first_angle; /* of a full turn, clockwise from the right */
  double radius;      /* so that all look equally large */
} Shape;

static const Shape shapes[] = {
  { 16, 0, 1 },
  { 4, 0.125, 1.25 },
  { 3, 0.75, 1.35 },
  { 4, 0, 1.4 },
};

/* A polygon of about @size around @at, with a gap after it; there are
 * %JM_PLOT_N_STYLES of them. */
static void
append_mark (GArray *polygons, guint style, const JmPlotPoint *at, double size)
{
  const Shape *shape = &shapes[style % G_N_ELEMENTS (shapes)];
  JmPlotPoint gap = { NAN, NAN };

  /* the first corner once more, for the outline is a line */
  for (guint i = 0; i <= shape->n_corners; i++)
    {
      double angle =
        2 * G_PI *
        (shape->first_angle + (double) (i % shape->n_corners) / shape->n_corners);
      JmPlotPoint corner = { at->x + shape->radius * size * cos (angle),
                             at->y + shape->radius * size * sin (angle) };

      g_array_append_val (polygons, corner);
    }
  g_array_append_val (polygons, gap);
}

/* Whether it is drawn by its outline, and filled as the paper is. */
static gboolean
is_hollow_mark (guint style)
{
  return style >= G_N_ELEMENTS (shapes);
}

/* --- traces --- */

/* In pixels, and not more than can be distinguished. */
static GArray *
map_points (const JmPlotLayout *self, const GArray *points, const GArray *indices)
{
  GArray *mapped = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));

  for (gsize i = 0; i < indices->len; i++)
    {
      const JmPlotPoint *point =
        jm_plot_points_get (points, g_array_index (indices, gsize, i));
      JmPlotPoint on_paper = { jm_plot_layout_get_x (self, point->x),
                               jm_plot_layout_get_y (self, point->y) };

      g_array_append_val (mapped, on_paper);
    }

  return mapped;
}

static GArray *
reduce (const JmPlotLayout *self, const GArray *points)
{
  double n_columns = fmax (self->right - self->left, 1);
  GArray *indices;

  if (points->len > 2 * n_columns)
    return jm_plot_points_reduce (points, self->span / n_columns);

  indices = g_array_new (FALSE, FALSE, sizeof (gsize));
  for (gsize i = 0; i < points->len; i++)
    g_array_append_val (indices, i);

  return indices;
}

/* A point between two gaps makes no line. */
static void
paint_lone_points (const JmPlotLayout *self, const GArray *points, JmPlotPen pen)
{
  g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));

  for (gsize i = 0; i < points->len; i++)
    {
      const JmPlotPoint *point = jm_plot_points_get (points, i);

      if (!isnan (point->y) && (i == 0 || isnan (point[-1].y)) &&
          (i + 1 == points->len || isnan (point[1].y)))
        append_mark (dots, 0, point, fmax (DOT_SIZE * self->unit, pen.width));
    }
  pen.opacity = 1;
  if (dots->len > 0)
    self->canvas->fill (self->canvas, dots, &pen);
}

/* At each of @places that of the line. */
static void
paint_marks (const JmPlotLayout *self, const JmPlotTrace *trace, const GArray *places)
{
  JmPlotPen pen = make_pen (self, trace->ink, 1.3);
  JmPlotPen paper = make_pen (self, JM_PLOT_INK_PAPER, 0);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));

  for (gsize i = 0; i < places->len; i++)
    append_mark (marks, trace->style, jm_plot_points_get (places, i),
                 MARK_SIZE * self->unit);
  if (marks->len == 0)
    return;

  if (is_hollow_mark (trace->style))
    {
      self->canvas->fill (self->canvas, marks, &paper);
      self->canvas->stroke (self->canvas, marks, &pen);
    }
  else
    self->canvas->fill (self->canvas, marks, &pen);
}

/* Where something was measured, and for several lines beside each other. */
static GArray *
choose_places (const JmPlotLayout *self, const JmPlotTrace *trace, const GArray *points)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));
  double distance = MARK_DISTANCE * self->unit;
  double next = self->left + distance * (trace->style + 0.5) / self->traces->len;

  for (gsize i = 0; i < points->len; i++)
    {
      const JmPlotPoint *point = jm_plot_points_get (points, i);

      if (isnan (point->y) || point->x < next)
        continue;
      g_array_append_val (places, *point);
      next += distance * ceil ((point->x - next) / distance + 1e-6);
    }

  return places;
}

static void
paint_marks_along (const JmPlotLayout *self, const JmPlotTrace *trace)
{
  g_autoptr (GArray) indices = NULL;
  g_autoptr (GArray) points = NULL;
  g_autoptr (GArray) places = NULL;

  if (trace->kind != JM_PLOT_TRACE_LINE)
    return;

  indices = reduce (self, trace->points);
  points = map_points (self, trace->points, indices);
  places = choose_places (self, trace, points);
  paint_marks (self, trace, places);
}

/* Of a line that stands alone the area below is shaded, in the parts without gaps. */
static void
paint_shade (const JmPlotLayout *self, const GArray *points, JmPlotPen pen)
{
  g_autoptr (GArray) area = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));
  double zero = jm_plot_layout_get_y (self, 0);

  for (gsize i = 0; i < points->len; i++)
    {
      const JmPlotPoint *point = jm_plot_points_get (points, i);
      JmPlotPoint ground = { point->x, zero };
      JmPlotPoint gap = { NAN, NAN };

      if (isnan (point->y))
        continue;
      if (i == 0 || isnan (point[-1].y))
        g_array_append_val (area, ground);
      g_array_append_val (area, *point);
      if (i + 1 == points->len || isnan (point[1].y))
        {
          g_array_append_val (area, ground);
          g_array_append_val (area, gap);
        }
    }
  pen.opacity = SHADE;
  if (area->len > 0)
    self->canvas->fill (self->canvas, area, &pen);
}

static JmPlotPen
get_trace_pen (const JmPlotLayout *self, const JmPlotTrace *trace)
{
  JmPlotPen pen = make_pen (self, trace->ink, LINE_WIDTH);

  pen.title = *trace->name != '\0' ? trace->name : NULL;
  if (trace->kind == JM_PLOT_TRACE_THIN)
    {
      pen.width = THIN_WIDTH * self->unit;
      pen.opacity = 0.55;
    }
  else if (trace->kind == JM_PLOT_TRACE_MEAN)
    pen.width = MEAN_WIDTH * self->unit;

  return pen;
}

static void
paint_line (const JmPlotLayout *self, const JmPlotTrace *trace)
{
  JmPlotPen pen = get_trace_pen (self, trace);
  g_autoptr (GArray) indices = reduce (self, trace->points);
  g_autoptr (GArray) points = map_points (self, trace->points, indices);

  if (self->traces->len == 1)
    paint_shade (self, points, pen);
  if (trace->kind == JM_PLOT_TRACE_MEAN)
    {
      JmPlotPen paper = make_pen (self, JM_PLOT_INK_PAPER, MEAN_WIDTH + 2);

      self->canvas->stroke (self->canvas, points, &paper);
    }
  self->canvas->stroke (self->canvas, points, &pen);
  paint_lone_points (self, points, pen);
}

static void
append_moved (GArray *points, const JmPlotPoint *point, double by)
{
  JmPlotPoint moved = { point->x + by, point->y };

  g_array_append_val (points, moved);
}

/* The part of an area from one gap to the next, there and back. One that is a single
 * point is as wide as a line. */
static void
append_part (GArray *area,
             const GArray *top,
             const GArray *base,
             gsize from,
             gsize to,
             double least_width)
{
  double half = to - from == 1 ? least_width / 2 : 0;
  JmPlotPoint gap = { NAN, NAN };

  if (half > 0)
    append_moved (area, jm_plot_points_get (top, from), -half);
  for (gsize i = from; i < to; i++)
    append_moved (area, jm_plot_points_get (top, i), half);
  for (gsize i = to; i > from; i--)
    append_moved (area, jm_plot_points_get (base, i - 1), half);
  if (half > 0)
    append_moved (area, jm_plot_points_get (base, from), -half);
  g_array_append_val (area, gap);
}

static void
paint_area (const JmPlotLayout *self, const JmPlotTrace *trace, const GArray *indices)
{
  JmPlotPen pen = get_trace_pen (self, trace);
  JmPlotPen edge = make_pen (self, JM_PLOT_INK_PAPER, 0.9);
  g_autoptr (GArray) top = map_points (self, trace->points, indices);
  g_autoptr (GArray) base = map_points (self, trace->base, indices);
  g_autoptr (GArray) area = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));
  gsize from = 0;

  for (gsize i = 0; i <= top->len; i++)
    {
      if (i < top->len && !isnan (jm_plot_points_get (top, i)->y))
        continue;
      if (i > from)
        append_part (area, top, base, from, i, 2 * DOT_SIZE * self->unit);
      from = i + 1;
    }
  if (area->len == 0)
    return;

  self->canvas->fill (self->canvas, area, &pen);
  self->canvas->stroke (self->canvas, top, &edge);
}

static void
paint_traces (const JmPlotLayout *self)
{
  const JmPlotTrace *last = g_ptr_array_index (self->traces, self->traces->len - 1);
  /* areas meet where they are drawn at the same times, which are those of their sum */
  g_autoptr (GArray) indices = reduce (self, last->points);

  for (guint i = 0; i < self->traces->len; i++)
    {
      const JmPlotTrace *trace = g_ptr_array_index (self->traces, i);

      if (trace->kind == JM_PLOT_TRACE_AREA)
        paint_area (self, trace, indices);
      else
        paint_line (self, trace);
    }

  /* upon all lines, and so none hides the mark of another */
  for (guint i = 0; i < self->traces->len && self->traces->len > 1; i++)
    paint_marks_along (self, g_ptr_array_index (self->traces, i));
}

/* --- the limit and the legend --- */

static JmPlotPen
get_limit_pen (const JmPlotLayout *self)
{
  JmPlotPen pen = make_pen (self, JM_PLOT_INK_LIMIT, 1.4);

  for (guint i = 0; i < G_N_ELEMENTS (limit_dashes); i++)
    pen.dashes[i] = limit_dashes[i] * self->unit;
  pen.n_dashes = G_N_ELEMENTS (limit_dashes);
  pen.title = self->plot->limit_name;

  return pen;
}

/* Not put on whole pixels: its place has its value. */
static void
paint_limit (const JmPlotLayout *self)
{
  JmPlotPen pen = get_limit_pen (self);
  double y = jm_plot_layout_get_y (self, self->plot->limit);

  stroke_line (self, self->left, y, self->right, y, &pen);
}

static void
paint_sample (const JmPlotLayout *self, const JmPlotKey *key)
{
  double width = jm_plot_layout_get_sample_width (self) - 6 * self->unit;
  double box = 10 * self->unit;
  JmPlotPen pen =
    key->trace != NULL ? get_trace_pen (self, key->trace) : get_limit_pen (self);

  pen.title = NULL;
  if (key->trace == NULL && !self->has_limit)
    return;
  if (key->trace != NULL && key->trace->kind == JM_PLOT_TRACE_AREA)
    {
      fill_box (self, key->x + width - box, key->y - box / 2, box, box, &pen);
      return;
    }

  pen.opacity = 1;
  stroke_line (self, key->x, key->y, key->x + width, key->y, &pen);
  if (key->trace != NULL && key->trace->kind == JM_PLOT_TRACE_LINE &&
      self->traces->len > 1)
    {
      g_autoptr (GArray) middle = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));
      JmPlotPoint point = { key->x + width / 2, key->y };

      g_array_append_val (middle, point);
      paint_marks (self, key->trace, middle);
    }
}

static void
paint_keys (const JmPlotLayout *self)
{
  JmPlotFont font = jm_plot_layout_get_font (self, JM_PLOT_INK_TEXT);

  for (guint i = 0; i < self->keys->len; i++)
    {
      const JmPlotKey *key = &g_array_index (self->keys, JmPlotKey, i);

      paint_sample (self, key);
      write_middle (self, key->x + jm_plot_layout_get_sample_width (self), key->y,
                    key->text, &font);
    }
}

static void
paint_absence (const JmPlotLayout *self)
{
  JmPlotFont font = jm_plot_layout_get_font (self, JM_PLOT_INK_MUTED);

  font.anchor = JM_PLOT_ANCHOR_MIDDLE;
  write_middle (self, (self->left + self->right) / 2, (self->top + self->bottom) / 2,
                "no data", &font);
}

static void
describe_frame (const JmPlotLayout *self)
{
  const GArray *ticks = self->values->ticks;
  const JmPlotFrame frame = {
    .left = self->left,
    .right = self->right,
    .top = self->top,
    .bottom = self->bottom,
    .from_seconds = self->passed,
    .to_seconds = self->passed + self->span,
    .lowest = jm_plot_ticks_get (self->values, 0)->label,
    .highest = jm_plot_ticks_get (self->values, ticks->len - 1)->label,
  };

  if (self->canvas->frame != NULL)
    self->canvas->frame (self->canvas, &frame);
}

void
jm_plot_paint (JmPlot *plot, JmPlotCanvas *canvas, double width, double height)
{
  g_auto (JmPlotLayout) self;

  jm_plot_layout_init (&self, plot, canvas, width, height);
  paint_title (&self);
  if (self.has_data && plot->kind == JM_PLOT_KIND_MAP)
    jm_plot_map_paint (&self);
  else if (self.has_data)
    {
      paint_grid (&self);
      paint_traces (&self);
      if (self.has_limit)
        paint_limit (&self);
      paint_keys (&self);
      if (plot->kind == JM_PLOT_KIND_LINES)
        describe_frame (&self);
    }
  else
    paint_absence (&self);
  paint_time_axis (&self);
}
