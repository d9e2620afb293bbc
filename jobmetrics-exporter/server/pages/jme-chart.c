/* jme-chart.c: columns, one for each day
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-chart.h"

#include <math.h>

#include "server/pages/jme-page-part.h"

#define DAY_SECONDS 86400
/* The last of more. */
#define MAX_DAYS 400
#define WIDTH 720.0
#define HEIGHT 140.0
#define TOP 18.0
#define BOTTOM 20.0

/* What is drawn. */
typedef struct
{
  GString *out;
  GPtrArray *usages;
  JmUsageQuantity amount;
  JmFormat format;
  gint64 first; /* day */
  gint64 last;
  double most;
} Chart;

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
format_day (gint64 day)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (day);

  return g_date_time_format (moment, "%Y-%m-%d");
}

/* FALSE where nothing is to be drawn. */
static gboolean
measure (Chart *self)
{
  self->first = G_MAXINT64;
  self->last = 0;
  self->most = 0;
  for (guint i = 0; i < self->usages->len; i++)
    {
      JmUsage *usage = self->usages->pdata[i];
      JmFigure figure = jme_part_get_amount (usage, self->amount);

      if (!figure.is_known)
        continue;
      self->first = MIN (self->first, jm_usage_get_day (usage));
      self->last = MAX (self->last, jm_usage_get_day (usage));
      self->most = MAX (self->most, figure.value);
    }
  self->first = MAX (self->first, self->last - (MAX_DAYS - 1) * (gint64) DAY_SECONDS);

  return self->most > 0;
}

static void
append_text (Chart *self, double x, double y, const char *anchor, const char *text)
{
  g_string_append (self->out, "<text");
  append_attribute (self->out, "x", x);
  append_attribute (self->out, "y", y);
  g_string_append_printf (self->out, " text-anchor=\"%s\">", anchor);
  jme_html_append_escaped (self->out, text);
  g_string_append (self->out, "</text>\n");
}

/* Each says what it is of where somebody points at it. */
static void
append_column (Chart *self, JmUsage *usage)
{
  double n_days = (double) ((self->last - self->first) / DAY_SECONDS + 1);
  double width = WIDTH / MAX (n_days, 7);
  double place = (double) ((jm_usage_get_day (usage) - self->first) / DAY_SECONDS);
  JmFigure figure = jme_part_get_amount (usage, self->amount);
  double height = figure.value / self->most * (HEIGHT - TOP - BOTTOM);
  g_autofree char *day = format_day (jm_usage_get_day (usage));
  g_autofree char *text = jme_part_format (figure, self->format);

  if (!figure.is_known || jm_usage_get_day (usage) < self->first)
    return;

  g_string_append (self->out, "<rect class=\"column\"");
  append_attribute (self->out, "x", place * width + width * 0.08);
  append_attribute (self->out, "y", HEIGHT - BOTTOM - height);
  append_attribute (self->out, "width", width * 0.84);
  append_attribute (self->out, "height", height);
  g_string_append_printf (self->out, "><title>%s: %s</title></rect>\n", day, text);
}

static void
append_axes (Chart *self)
{
  g_autofree char *first = format_day (self->first);
  g_autofree char *last = format_day (self->last);
  g_autofree char *most = jme_part_format (jm_figure_known (self->most), self->format);
  double y[] = { TOP, HEIGHT - BOTTOM };

  for (guint i = 0; i < G_N_ELEMENTS (y); i++)
    {
      g_string_append_printf (self->out, "<line class=\"%s\" x1=\"0\"",
                              i == 0 ? "line" : "edge");
      append_attribute (self->out, "x2", WIDTH);
      append_attribute (self->out, "y1", y[i]);
      append_attribute (self->out, "y2", y[i]);
      g_string_append (self->out, "/>\n");
    }
  append_text (self, 0, TOP - 5, "start", most);
  append_text (self, 0, HEIGHT - 5, "start", first);
  if (self->last > self->first)
    append_text (self, WIDTH, HEIGHT - 5, "end", last);
}

static void
append_drawing (Chart *self, const char *title)
{
  g_autofree char *first = format_day (self->first);
  g_autofree char *last = format_day (self->last);
  g_autofree char *most = jme_part_format (jm_figure_known (self->most), self->format);

  g_string_append_printf (self->out,
                          "<figure class=\"chart\"><figcaption>%s</figcaption>\n<div "
                          "class=\"box\">"
                          "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
                          "aria-label=\"%s from %s to %s, at most %s; the table has "
                          "the figures\">\n",
                          title, WIDTH, HEIGHT, title, first, last, most);
  append_axes (self);
  for (guint i = 0; i < self->usages->len; i++)
    append_column (self, self->usages->pdata[i]);
  g_string_append (self->out, "</svg></div></figure>\n");
}

void
jme_chart_append (GString *out,
                  GPtrArray *usages,
                  JmUsageQuantity amount,
                  JmFormat format,
                  const char *title)
{
  Chart chart = { .out = out, .usages = usages, .amount = amount, .format = format };

  if (measure (&chart))
    append_drawing (&chart, title);
}
