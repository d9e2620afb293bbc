/* jm-plot-map.c: series as rows of shaded cells
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "report/plot/jm-plot-layout-private.h"
#include "report/plot/jm-plot-text-private.h"

#define N_SHADES 8
#define LEAST_OPACITY 0.08

#define LEAST_CELL_WIDTH 8.0
#define SAMPLE_SIZE 11.0
#define LEAST_SAMPLE_SIZE 3.0
#define BLANK "blank: not measured"
#define ROW_GAP 1.0
#define LABEL_GAP 7.0
#define LABEL_HEIGHT 14.0

/* Text stands on its y, yet is placed by its middle. */
#define MIDDLE_OF_TEXT 0.36

static JmPlotPen
make_pen (guint shade)
{
  return (JmPlotPen){ .ink = JM_PLOT_INK_SERIES_0,
                      .opacity =
                        LEAST_OPACITY + (1 - LEAST_OPACITY) * shade / (N_SHADES - 1) };
}

static void
append_box (GArray *points, double x, double y, double width, double height)
{
  const JmPlotPoint corners[] = { { x, y },
                                  { x + width, y },
                                  { x + width, y + height },
                                  { x, y + height },
                                  { NAN, NAN } };

  g_array_append_vals (points, corners, G_N_ELEMENTS (corners));
}

/* --- cells --- */

/* The mean of what was measured in a column; between two points that are farther from
 * each other what lies between them. NaN where nothing was measured. */
static double
get_cell (const GArray *points, double from, double to)
{
  const double middle = (from + to) / 2;
  double sum = 0;
  double value;
  guint n = 0;
  gboolean has_points = FALSE;

  for (gsize i = 0; i < points->len; i++)
    {
      const JmPlotPoint *point = jm_plot_points_get (points, i);

      if (point->x < from || point->x >= to)
        continue;
      has_points = TRUE;
      if (isnan (point->y))
        continue;
      sum += point->y;
      n++;
    }
  if (n > 0)
    return sum / n;
  if (has_points)
    return NAN;

  jm_plot_points_sample (points, &middle, 1, &value);

  return value;
}

/* N_SHADES for none. */
static guint
get_shade (const JmPlotLayout *self, double value)
{
  const double share =
    (value - self->values->from) / (self->values->to - self->values->from);

  return isnan (share) ? N_SHADES : (guint) CLAMP (share * N_SHADES, 0, N_SHADES - 1);
}

static guint
count_columns (const JmPlotLayout *self)
{
  const double most = (self->right - self->left) / (LEAST_CELL_WIDTH * self->unit);
  guint n_points = 1;

  for (guint i = 0; i < self->traces->len; i++)
    n_points = MAX (n_points, ((JmPlotTrace *) self->traces->pdata[i])->points->len);

  return (guint) CLAMP (most, 1, n_points);
}

/* Cells beside each other that have the same shade are one. */
static gboolean
append_row (const JmPlotLayout *self, GArray *const *shades, guint row, double height)
{
  const JmPlotTrace *trace = self->traces->pdata[row];
  const guint n_columns = count_columns (self);
  const double width = (self->right - self->left) / n_columns;
  const double span = self->span / n_columns;
  const double gap = MIN (ROW_GAP * self->unit, height / 4);
  guint begin = 0;
  guint shade = N_SHADES;
  gboolean has_gap = FALSE;

  for (guint i = 0; i <= n_columns; i++)
    {
      const guint next =
        i < n_columns
          ? get_shade (self, get_cell (trace->points, i * span, (i + 1) * span))
          : N_SHADES + 1;

      has_gap |= next == N_SHADES;
      if (i > 0 && next == shade)
        continue;
      if (shade < N_SHADES)
        append_box (shades[shade], self->left + begin * width, self->top + row * height,
                    (i - begin) * width, height - gap);
      begin = i;
      shade = next;
    }

  return has_gap;
}

static void
fill_shade (const JmPlotLayout *self, guint shade, const GArray *cells)
{
  const double step = (self->values->to - self->values->from) / N_SHADES;
  const double from = self->values->from + shade * step;
  g_autofree char *low = jm_plot_text_format (self->plot->format, from);
  g_autofree char *high = jm_plot_text_format (self->plot->format, from + step);
  g_autofree char *title = g_strdup_printf ("%s to %s", low, high);
  JmPlotPen pen = make_pen (shade);

  pen.title = title;
  if (cells->len > 0)
    self->canvas->fill (self->canvas, cells, &pen);
}

/* Whether something was not measured. */
static gboolean
paint_cells (const JmPlotLayout *self, double height)
{
  GArray *shades[N_SHADES];
  gboolean has_gap = FALSE;

  for (guint i = 0; i < N_SHADES; i++)
    shades[i] = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));
  for (guint i = 0; i < self->traces->len; i++)
    has_gap |= append_row (self, shades, i, height);
  for (guint i = 0; i < N_SHADES; i++)
    {
      fill_shade (self, i, shades[i]);
      g_array_unref (shades[i]);
    }

  return has_gap;
}

/* --- words --- */

static void
write_middle (const JmPlotLayout *self,
              double x,
              double y,
              const char *text,
              JmPlotFont font)
{
  self->canvas->write (self->canvas, x, y + MIDDLE_OF_TEXT * font.size, text, &font);
}

static void
write_name (const JmPlotLayout *self, const char *name, double y, JmPlotFont font)
{
  const double room = self->left - LABEL_GAP * self->unit;
  g_autofree char *text = g_strdup (name);
  gsize n = (gsize) g_utf8_strlen (name, -1);

  while (n > 1 && self->canvas->measure (self->canvas, text, &font) > room)
    {
      g_free (text);
      text = jm_plot_text_cut (name, --n);
    }
  write_middle (self, room, y, text, font);
}

/* As many as there is room for. */
static void
write_names (const JmPlotLayout *self, double height)
{
  JmPlotFont font = jm_plot_layout_get_font (self, JM_PLOT_INK_MUTED);
  const guint step = (guint) ceil (LABEL_HEIGHT * self->unit / height);

  font.anchor = JM_PLOT_ANCHOR_END;
  for (guint i = 0; i < self->traces->len; i += step)
    write_name (self, ((JmPlotTrace *) self->traces->pdata[i])->name,
                self->top + (i + 0.5) * height, font);
}

/* `0 [][][][] 64 CPUs`, with smaller samples where there is no room for all of it. */
static void
paint_scale (const JmPlotLayout *self, gboolean has_gap)
{
  const JmPlotFont font = jm_plot_layout_get_font (self, JM_PLOT_INK_TEXT);
  const double gap = LABEL_GAP * self->unit;
  const double y = self->top - LABEL_HEIGHT * self->unit;
  g_autofree char *low = jm_plot_text_format (self->plot->format, self->values->from);
  g_autofree char *high = jm_plot_text_format (self->plot->format, self->values->to);
  const double words =
    self->canvas->measure (self->canvas, low, &font) +
    self->canvas->measure (self->canvas, high, &font) +
    (has_gap ? self->canvas->measure (self->canvas, BLANK, &font) : 0) + 4 * gap;
  const double size =
    fmin (SAMPLE_SIZE * self->unit,
          fmax ((self->width - self->left - words) / N_SHADES, LEAST_SAMPLE_SIZE));
  double x = self->left;

  write_middle (self, x, y, low, font);
  x += self->canvas->measure (self->canvas, low, &font) + gap;
  for (guint i = 0; i < N_SHADES; i++)
    {
      g_autoptr (GArray) box = g_array_new (FALSE, FALSE, sizeof (JmPlotPoint));
      const JmPlotPen pen = make_pen (i);

      append_box (box, x, y - size / 2, size, size);
      self->canvas->fill (self->canvas, box, &pen);
      x += size;
    }
  write_middle (self, x + gap, y, high, font);
  x += self->canvas->measure (self->canvas, high, &font) + 3 * gap;
  if (has_gap)
    write_middle (self, x, y, BLANK, jm_plot_layout_get_font (self, JM_PLOT_INK_MUTED));
}

void
jm_plot_map_paint (const JmPlotLayout *self)
{
  const double height = (self->bottom - self->top) / self->traces->len;

  paint_scale (self, paint_cells (self, height));
  write_names (self, height);
}
