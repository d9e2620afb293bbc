/* jme-column-chart.c: a column for each day or hour
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-column-chart.h"

#include "server/pages/jme-page-part.h"

#define DAY_SECONDS 86400
/* The last of more. */
#define MAX_COLUMNS 400
#define WIDTH 720.0
#define HEIGHT 150.0
#define TOP 22.0
#define BOTTOM 28.0

typedef struct
{
  GString *out;
  const JmeColumnChart *chart;
  gint64 first; /* time */
  gint64 last;
  double most; /* figure */
  double top;
} Drawing;

static void
append_number (GString *out, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_formatd (text, sizeof text, "%.1f", number));
}

static void
append_attribute (GString *out, const char *name, double number)
{
  g_string_append_printf (out, " %s=\"", name);
  append_number (out, number);
  g_string_append_c (out, '"');
}

static char *
format_time (const Drawing *self, gint64 time)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (time);

  return g_date_time_format (moment, self->chart->step_seconds < DAY_SECONDS
                                       ? "%Y-%m-%d %H:%M UTC"
                                       : "%Y-%m-%d");
}

static const JmeColumn *
get_column (const Drawing *self, guint i)
{
  return &g_array_index (self->chart->columns, JmeColumn, i);
}

/* FALSE where nothing is to be drawn. */
static gboolean
measure (Drawing *self)
{
  const JmeColumnChart *chart = self->chart;
  const gint64 reach = (MAX_COLUMNS - 1) * chart->step_seconds;

  for (guint i = 0; i < chart->columns->len; i++)
    if (get_column (self, i)->figure.is_known)
      self->most = MAX (self->most, get_column (self, i)->figure.value);
  if (!(self->most > 0))
    return FALSE;

  self->last = get_column (self, chart->columns->len - 1)->time;
  self->first = MAX (get_column (self, 0)->time, self->last - reach);
  self->top = chart->whole.is_known ? MAX (self->most, chart->whole.value) : self->most;

  return TRUE;
}

static double
get_height (const Drawing *self, double value)
{
  return value / self->top * (HEIGHT - TOP - BOTTOM);
}

static void
append_text (Drawing *self, double x, double y, const char *anchor, const char *text)
{
  g_string_append (self->out, "<text");
  append_attribute (self->out, "x", x);
  append_attribute (self->out, "y", y);
  g_string_append_printf (self->out, " text-anchor=\"%s\">", anchor);
  jme_html_append_escaped (self->out, text);
  g_string_append (self->out, "</text>\n");
}

static void
append_line (Drawing *self, const char *class, double y)
{
  g_string_append_printf (self->out, "<line class=\"%s\" x1=\"0\"", class);
  append_attribute (self->out, "x2", WIDTH);
  append_attribute (self->out, "y1", y);
  append_attribute (self->out, "y2", y);
  g_string_append (self->out, "/>\n");
}

static void
append_column (Drawing *self, const JmeColumn *column)
{
  const gint64 step = self->chart->step_seconds;
  double n_columns = (double) ((self->last - self->first) / step + 1);
  double width = WIDTH / MAX (n_columns, self->chart->min_columns);
  double place = (double) ((column->time - self->first) / step);
  double height = get_height (self, column->figure.value);
  g_autofree char *time = NULL;
  g_autofree char *text = NULL;

  if (!column->figure.is_known || column->time < self->first)
    return;

  time = format_time (self, column->time);
  text = jme_part_format (column->figure, self->chart->format);
  g_string_append (self->out, "<rect class=\"column\"");
  append_attribute (self->out, "x", place * width + width * 0.08);
  append_attribute (self->out, "y", HEIGHT - BOTTOM - height);
  append_attribute (self->out, "width", width * 0.84);
  append_attribute (self->out, "height", height);
  g_string_append_printf (self->out, "><title>%s: %s</title></rect>\n", time, text);
}

static void
append_axes (Drawing *self)
{
  g_autofree char *first = format_time (self, self->first);
  g_autofree char *last = format_time (self, self->last);
  g_autofree char *top =
    jme_part_format (jm_figure_known (self->top), self->chart->format);

  append_line (self, "line", TOP);
  append_line (self, "edge", HEIGHT - BOTTOM);
  append_text (self, 0, TOP - 5, "start", top);
  append_text (self, 0, HEIGHT - 5, "start", first);
  if (self->last > self->first)
    append_text (self, WIDTH, HEIGHT - 5, "end", last);
}

static void
append_drawing (Drawing *self)
{
  const JmeColumnChart *chart = self->chart;
  g_autofree char *first = format_time (self, self->first);
  g_autofree char *last = format_time (self, self->last);
  g_autofree char *most = jme_part_format (jm_figure_known (self->most), chart->format);

  g_string_append_printf (self->out,
                          "<figure class=\"chart\"><figcaption>%s</figcaption>\n<div "
                          "class=\"box\">"
                          "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
                          "aria-label=\"%s from %s to %s, at most %s; the table has "
                          "the figures\">\n",
                          chart->title, WIDTH, HEIGHT, chart->title, first, last, most);
  append_axes (self);
  for (guint i = 0; i < chart->columns->len; i++)
    append_column (self, get_column (self, i));
  if (chart->whole.is_known)
    append_line (self, "whole",
                 HEIGHT - BOTTOM - get_height (self, chart->whole.value));
  g_string_append (self->out, "</svg></div></figure>\n");
}

void
jme_column_chart_append (GString *out, const JmeColumnChart *self)
{
  Drawing drawing = { .out = out, .chart = self };

  if (measure (&drawing))
    append_drawing (&drawing);
}
