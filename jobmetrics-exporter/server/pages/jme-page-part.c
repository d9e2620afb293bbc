/* jme-page-part.c: what pages are made of
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page-part.h"

#include <math.h>

static const struct
{
  const char *state;
  const char *class;
} states[] = {
  { "BOOT_FAIL", "bad" },    { "CANCELLED", "warn" },    { "COMPLETED", "good" },
  { "COMPLETING", "going" }, { "DEADLINE", "bad" },      { "FAILED", "bad" },
  { "NODE_FAIL", "bad" },    { "OUT_OF_MEMORY", "bad" }, { "PREEMPTED", "warn" },
  { "RUNNING", "going" },    { "SUSPENDED", "warn" },    { "TIMEOUT", "bad" },
};

/* --- text --- */

#define HOUR_SECONDS 3600

char *
jme_part_format (JmFigure figure, JmFormat format)
{
  double hours = figure.value / HOUR_SECONDS;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (format != JME_PART_HOURS)
    return jm_figure_format (figure, format);
  if (!figure.is_known)
    return NULL;

  return g_strconcat (g_ascii_formatd (text, sizeof text,
                                       hours > 0 && hours < 9.95 ? "%.1f" : "%.0f",
                                       hours),
                      " h", NULL);
}

JmFigure
jme_part_get_amount (JmUsage *usage, JmUsageQuantity quantity)
{
  double amount = jm_usage_get_amount (usage, quantity);

  return isnan (amount) ? (JmFigure){ 0 } : jm_figure_known (amount);
}

void
jme_part_append_link (GString *out,
                      const char *path,
                      const char *name,
                      const char *text)
{
  g_autofree char *valid = NULL;
  g_autofree char *escaped = NULL;

  if (name == NULL)
    {
      jme_html_append_escaped (out, text);
      return;
    }

  valid = g_utf8_make_valid (name, -1);
  /* a slash in disguise is refused in a path */
  escaped = g_uri_escape_string (valid, "/", FALSE);
  g_string_append_printf (out, "<a href=\"%s%s\">", path, escaped);
  jme_html_append_escaped (out, text);
  g_string_append (out, "</a>");
}

void
jme_part_append_state (GString *out, const char *state)
{
  const char *class = "";

  for (guint i = 0; state != NULL && i < G_N_ELEMENTS (states); i++)
    if (g_str_has_prefix (state, states[i].state))
      class = states[i].class;
  g_string_append_printf (out, "<span class=\"state %s\">", class);
  jme_html_append_escaped (out, state);
  g_string_append (out, "</span>");
}

void
jme_part_append_run_state (GString *out, JmRun *run)
{
  const char *reason = jm_run_get_text (run, "reason");

  jme_part_append_state (out, jm_run_get_text (run, "state"));
  if (reason == NULL)
    return;
  g_string_append (out, " <span class=\"muted\">");
  jme_html_append_escaped (out, reason);
  g_string_append (out, "</span>");
}

static void
append_moment (GString *out, gint64 time, const char *format)
{
  g_autoptr (GDateTime) moment = time > 0 ? g_date_time_new_from_unix_utc (time) : NULL;
  g_autofree char *exact = NULL;
  g_autofree char *text = NULL;

  if (moment == NULL)
    {
      jme_html_append_escaped (out, NULL);
      return;
    }

  exact = g_date_time_format (moment, "%Y-%m-%dT%H:%M:%SZ");
  text = g_date_time_format (moment, format);
  g_string_append_printf (out, "<time datetime=\"%s\">%s</time>", exact, text);
}

void
jme_part_append_time (GString *out, gint64 time)
{
  append_moment (out, time, "%Y-%m-%d %H:%M:%S");
}

char *
jme_part_format_age (gint64 age_us)
{
  gint64 seconds = age_us / G_USEC_PER_SEC;

  if (seconds < 60)
    return g_strdup_printf ("%" G_GINT64_FORMAT "s", seconds);

  return jm_format_to_string (JM_FORMAT_DURATION, (double) seconds);
}

/* --- cells of tables --- */

void
jme_part_append_column (GString *out, const char *title, gboolean is_number)
{
  g_string_append_printf (out, "<th scope=\"col\"%s>",
                          is_number ? " class=\"number\"" : "");
  jme_html_append_escaped (out, title);
  g_string_append (out, "</th>");
}

void
jme_part_begin_table (GString *out,
                      const char *id,
                      const char *caption,
                      const char *const *titles)
{
  jme_html_begin_table (out, id, caption);
  g_string_append (out, "<thead><tr>");
  for (; *titles != NULL; titles++)
    jme_part_append_column (out, *titles + (**titles == '#'), **titles == '#');
  g_string_append (out, "</tr></thead>\n<tbody>\n");
}

void
jme_part_end_table (GString *out)
{
  g_string_append (out, "</tbody>\n");
  jme_html_end_table (out);
}

void
jme_part_append_figure_cell (GString *out, JmFigure figure, JmFormat format)
{
  jme_part_append_figure_beside (out, figure, format, figure.value);
}

void
jme_part_append_total_cell (GString *out,
                            JmRunTotals *totals,
                            const JmQuantity *quantity,
                            JmFormat format)
{
  JmFigure figure = { 0 };

  figure.is_known = jm_run_totals_get_value (totals, quantity, &figure.value);
  jme_part_append_figure_cell (out, figure, format);
}

void
jme_part_append_figure_beside (GString *out,
                               JmFigure figure,
                               JmFormat format,
                               double greatest)
{
  g_autofree char *text = format == JME_PART_HOURS
                            ? jme_part_format (figure, format)
                            : jm_figure_format_beside (figure, format, greatest);

  jme_html_append_number_cell (out, text);
}

void
jme_part_append_number_cell (GString *out, gint64 number, JmFormat format)
{
  const JmFigure figure =
    number >= 0 ? jm_figure_known ((double) number) : (JmFigure){ 0 };

  jme_part_append_figure_cell (out, figure, format);
}

void
jme_part_append_time_cell (GString *out, gint64 time)
{
  g_string_append (out, "<td>");
  jme_part_append_time (out, time);
  g_string_append (out, "</td>");
}

void
jme_part_append_day_cell (GString *out, gint64 time)
{
  g_string_append (out, "<td>");
  append_moment (out, time, "%Y-%m-%d");
  g_string_append (out, "</td>");
}

void
jme_part_append_minute_cell (GString *out, gint64 time)
{
  g_string_append (out, "<td>");
  append_moment (out, time, "%Y-%m-%d %H:%M");
  g_string_append (out, "</td>");
}

void
jme_part_append_state_cell (GString *out, const char *state)
{
  g_string_append (out, "<td>");
  jme_part_append_state (out, state);
  g_string_append (out, "</td>");
}

/* More than all is drawn as all. */
static void
append_meter (GString *out, JmFigure share, const char *attribute)
{
  char value[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = jme_part_format (share, JM_FORMAT_PERCENT);

  g_ascii_formatd (value, sizeof value, "%.1f", CLAMP (share.value, 0, 100));
  g_string_append_printf (out, "<meter %s max=\"100\" value=\"%s\">%s</meter>",
                          attribute, value, text);
}

void
jme_part_append_share_cell (GString *out, JmFigure share)
{
  g_autofree char *text = jme_part_format (share, JM_FORMAT_PERCENT);

  g_string_append (out, "<td class=\"number\">");
  jme_html_append_escaped (out, text);
  if (share.is_known)
    append_meter (out, share, "aria-hidden=\"true\"");
  g_string_append (out, "</td>");
}

/* --- figures by themselves --- */

static void
begin_fact (GString *out, const char *term)
{
  g_string_append (out, "<div><dt>");
  jme_html_append_escaped (out, term);
  g_string_append (out, "</dt><dd>");
}

void
jme_part_append_fact (GString *out, const char *term, const char *text)
{
  if (text == NULL || *text == '\0')
    return;

  begin_fact (out, term);
  jme_html_append_escaped (out, text);
  g_string_append (out, "</dd></div>\n");
}

void
jme_part_append_time_fact (GString *out, const char *term, gint64 time)
{
  if (time <= 0)
    return;

  begin_fact (out, term);
  jme_part_append_time (out, time);
  g_string_append (out, "</dd></div>\n");
}

void
jme_part_append_figure_fact (GString *out,
                             const char *term,
                             JmFigure figure,
                             JmFormat format)
{
  g_autofree char *text = jme_part_format (figure, format);

  jme_part_append_fact (out, term, text);
}

void
jme_part_append_gauge (GString *out,
                       const char *id,
                       const char *title,
                       JmFigure share,
                       const char *hint)
{
  g_autofree char *text = jme_part_format (share, JM_FORMAT_PERCENT);
  g_autofree char *attribute = g_strdup_printf ("aria-labelledby=\"%s\"", id);

  if (text == NULL)
    return;

  g_string_append_printf (out,
                          "<div><p><span id=\"%s\">%s</span> "
                          "<span class=\"value\">%s</span></p>\n",
                          id, title, text);
  append_meter (out, share, attribute);
  g_string_append (out, "<p class=\"hint\">");
  jme_html_append_escaped (out, hint);
  g_string_append (out, "</p></div>\n");
}

/* --- tables of sums --- */

static JmFigure
get_figure (JmTable *table, guint row, guint column)
{
  double value;

  return jm_table_get_value (table, row, column, &value) ? jm_figure_known (value)
                                                         : (JmFigure){ 0 };
}

static JmFormat
get_format (const JmQuantity *quantity)
{
  return quantity->format == JM_FORMAT_DURATION ? JME_PART_HOURS : quantity->format;
}

static double
find_greatest (JmTable *table, guint column)
{
  double greatest = 0;

  for (guint row = 0; row < jm_table_get_n_rows (table); row++)
    greatest = MAX (greatest, get_figure (table, row, column).value);

  return greatest;
}

static void
append_row_name (GString *out,
                 const JmQuantity *quantity,
                 const char *name,
                 const char *path)
{
  g_string_append (out, "<tr><th scope=\"row\">");
  if (quantity->format == JM_FORMAT_TIME)
    g_string_append_printf (out, "<time datetime=\"%s\">%s</time>", name, name);
  else
    jme_part_append_link (out, path, path != NULL ? name : NULL, name);
  g_string_append (out, "</th>");
}

void
jme_part_append_rows (GString *out, JmTable *table, guint max_rows, const char *path)
{
  g_autoptr (GPtrArray) columns = jm_table_list_columns (table);
  g_autofree double *greatest = g_new (double, columns->len);

  for (guint i = 1; i < columns->len; i++)
    greatest[i] = find_greatest (table, i);
  for (guint row = 0; row < MIN (jm_table_get_n_rows (table), max_rows); row++)
    {
      g_autofree char *name = jm_table_format_cell (table, row, 0);

      append_row_name (out, columns->pdata[0], name, path);
      for (guint i = 1; i < columns->len; i++)
        jme_part_append_figure_beside (out, get_figure (table, row, i),
                                       get_format (columns->pdata[i]), greatest[i]);
      g_string_append (out, "</tr>\n");
    }
}

void
jme_part_append_row_as_facts (GString *out, JmTable *table, const char *const *titles)
{
  g_autoptr (GPtrArray) columns = jm_table_list_columns (table);

  for (guint i = 0; i < columns->len; i++)
    jme_part_append_figure_fact (out, titles[i], get_figure (table, 0, i),
                                 get_format (columns->pdata[i]));
}
