/* jm-report-html.c: the report of a run as HTML
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-html-private.h"

#include "report/page/jm-report-content-private.h"
#include "report/page/jm-report-plots-private.h"
#include "report/plot/jm-plot-private.h"

#define PLOT_WIDTH 640
#define PLOT_HEIGHT 260
/* Text of so small a drawing can be read on a phone, where it is as wide as the screen,
 * and on a desk. */
#define DRAWING_WIDTH 320
#define DRAWING_HEIGHT 180
/* Of one of several nodes. */
#define SMALL_WIDTH 240
#define SMALL_HEIGHT 130

static const char *const tones[JM_N_REPORT_TONES] = {
  [JM_REPORT_TONE_PLAIN] = "jm-plain",
  [JM_REPORT_TONE_GOOD] = "jm-good",
  [JM_REPORT_TONE_FAIR] = "jm-fair",
  [JM_REPORT_TONE_POOR] = "jm-poor",
};

/* Where a mail program knows no style sheets. */
static const char *const fills[JM_N_REPORT_TONES] = {
  [JM_REPORT_TONE_PLAIN] = "#2f6fb5",
  [JM_REPORT_TONE_GOOD] = "#1d7f46",
  [JM_REPORT_TONE_FAIR] = "#b26a00",
  [JM_REPORT_TONE_POOR] = "#b3261e",
};

/* Text keeps a contrast of 4.5:1 in either scheme of colours, and bars one of 3:1. */
static const char fragment_css[] =
  ".jm-report h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }\n"
  ".jm-report table { border-collapse: collapse; } "
  ".jm-report table.jm-pairs { width: 100%; }\n"
  ".jm-report caption { text-align: left; color: #566070; padding: 0 0 .3rem; }\n"
  ".jm-report th, .jm-report td { text-align: left; padding: .2rem .9rem .2rem 0; "
  "border-bottom: 1px solid #d9dee5; vertical-align: top; }\n"
  ".jm-report th { font-weight: 600; color: #566070; }\n"
  ".jm-report table.jm-pairs th { width: 9rem; }\n"
  ".jm-report table.jm-pairs td { overflow-wrap: anywhere; }\n"
  ".jm-report .jm-number { text-align: right; font-variant-numeric: tabular-nums; "
  "white-space: nowrap; }\n"
  ".jm-report tr.jm-sum td, .jm-report tr.jm-sum th { font-weight: 600; }\n"
  ".jm-brief { color: #566070; margin: .2rem 0; }\n"
  ".jm-verdict { border-left: .4rem solid #2f6fb5; background: #f4f6f9; "
  "border-radius: .3rem; padding: .7rem 1rem; margin: 1rem 0; }\n"
  ".jm-report .jm-verdict h2 { margin: 0; } .jm-verdict p { margin: .3rem 0 0; }\n"
  ".jm-verdict.jm-good { border-color: #1d7f46; } "
  ".jm-verdict.jm-fair { border-color: #b26a00; } "
  ".jm-verdict.jm-poor { border-color: #b3261e; }\n"
  ".jm-report table.jm-bars, .jm-bars caption { display: block; }\n"
  ".jm-bars tbody { display: grid; gap: .7rem; "
  "grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); }\n"
  ".jm-bars tr { display: grid; grid-template-areas: 'title number' 'bar bar'; "
  "gap: .4rem .6rem; align-items: baseline; border: 1px solid #d9dee5; "
  "border-radius: .4rem; padding: .5rem .8rem .7rem; }\n"
  ".jm-report .jm-bars th, .jm-report .jm-bars td { border: 0; padding: 0; }\n"
  ".jm-bars th { grid-area: title; } .jm-bars td { grid-area: bar; } "
  ".jm-report .jm-bars .jm-number { grid-area: number; font-size: 1.3rem; }\n"
  ".jm-report .jm-bar { display: block; width: 100%; height: .6rem; }\n"
  ".jm-track { fill: #e3e8ee; } .jm-bar .jm-plain { fill: #2f6fb5; } "
  ".jm-bar .jm-good { fill: #1d7f46; } .jm-bar .jm-fair { fill: #b26a00; } "
  ".jm-bar .jm-poor { fill: #b3261e; }\n"
  ".jm-report td.jm-good { color: #1d7f46; font-weight: 600; } "
  ".jm-report td.jm-fair { color: #8f5500; font-weight: 600; } "
  ".jm-report td.jm-poor { color: #b3261e; font-weight: 600; }\n"
  ".jm-hint { border-left: .3rem solid #2f6fb5; padding: .1rem 0 .1rem .8rem; "
  "margin: .8rem 0; }\n"
  ".jm-hint.jm-fair { border-color: #b26a00; } "
  ".jm-hint.jm-poor { border-color: #b3261e; }\n"
  ".jm-hint h3 { font-size: 1rem; margin: 0; } .jm-hint p { margin: .2rem 0; }\n"
  ".jm-level { font-weight: 400; color: #566070; }\n"
  ".jm-scroll, .jm-box { overflow-x: auto; } "
  ".jm-scroll td, .jm-scroll th { white-space: nowrap; }\n"
  ".jm-plots { display: grid; gap: 0 1.5rem; "
  "grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }\n"
  ".jm-plots svg { display: block; width: 40rem; max-width: 100%; height: auto; }\n"
  ".jm-plots figure { margin: 0 0 1rem; min-width: 0; }\n"
  ".jm-multiples > div { display: grid; gap: .5rem 1rem; "
  "grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); }\n"
  ".jm-multiples figure { margin: 0; min-width: 0; } "
  ".jm-multiples svg { display: block; width: 100%; height: auto; } "
  ".jm-multiples summary { cursor: pointer; }\n"
  ".jm-aside { color: #566070; }\n"
  "@media screen and (prefers-color-scheme: dark) {\n"
  ".jm-report th, .jm-report td, .jm-bars tr { border-color: #333b45; } "
  ".jm-verdict { border-color: #6aa5e8; background: #1d232b; } "
  ".jm-verdict.jm-good { border-color: #4cb77b; } "
  ".jm-verdict.jm-fair { border-color: #e0a030; } "
  ".jm-verdict.jm-poor { border-color: #f2867e; } .jm-brief { color: #9aa5b1; }\n"
  ".jm-report th, .jm-report caption, .jm-level, .jm-aside { color: #9aa5b1; }\n"
  ".jm-report td.jm-good { color: #4cb77b; } .jm-report td.jm-fair { color: #e0a030; } "
  ".jm-report td.jm-poor { color: #f2867e; }\n"
  ".jm-track { fill: #2a323b; } .jm-bar .jm-plain { fill: #6aa5e8; } "
  ".jm-bar .jm-good { fill: #4cb77b; } .jm-bar .jm-fair { fill: #e0a030; } "
  ".jm-bar .jm-poor { fill: #f2867e; }\n"
  ".jm-hint { border-color: #6aa5e8; } .jm-hint.jm-fair { border-color: #e0a030; } "
  ".jm-hint.jm-poor { border-color: #f2867e; } }\n"
  "@media print { .jm-scroll, .jm-box { overflow: visible; } "
  ".jm-plots figure, .jm-hint, .jm-verdict, .jm-bars tr { break-inside: avoid; } }\n";

static const char page_css[] =
  "body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; "
  "padding: 0 1rem; color: #1c2430; background: #fff; }\n"
  "h1 { font-size: 1.5rem; margin: 0 0 1rem; }\n"
  "@media screen and (prefers-color-scheme: dark) { "
  "body { color: #dde3ea; background: #14181d; } "
  ".jm-plot { --jm-plot-paper: #14181d; } }\n"
  "@media print { @page { size: A4; margin: 15mm; } "
  "body { font-size: 9pt; margin: 0; max-width: none; padding: 0; } }\n";

/* --- words --- */

static void
append_escaped (GString *html, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append (html, escaped);
}

static void
append_element (GString *html, const char *begin, const char *text, const char *end)
{
  g_string_append (html, begin);
  append_escaped (html, text);
  g_string_append (html, end);
}

static void
append_heading (GString *html, const char *title)
{
  append_element (html, "<h2>", title, "</h2>\n");
}

static void
append_paragraph (GString *html, const char *text)
{
  if (*text != '\0')
    append_element (html, "<p class=\"jm-brief\">", text, "</p>\n");
}

/* --- lines and bars --- */

static void
append_lines (GString *html, const char *caption, GArray *lines)
{
  append_element (html, "<table class=\"jm-pairs\">\n<caption>", caption,
                  "</caption>\n");
  for (guint i = 0; i < lines->len; i++)
    {
      const JmReportLine *line = &g_array_index (lines, JmReportLine, i);

      append_element (html, "<tr><th scope=\"row\">", line->title, "</th>");
      if (line->tone == JM_REPORT_TONE_PLAIN)
        append_element (html, "<td>", line->text, "</td></tr>\n");
      else
        {
          g_string_append_printf (html, "<td class=\"%s\">", tones[line->tone]);
          append_element (html, "", line->text, "</td></tr>\n");
        }
    }
  g_string_append (html, "</table>\n");
}

/* The number stands beside it, so that nothing is in the picture alone. */
static void
append_bar (GString *html, const JmReportBar *bar)
{
  char width[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (width, sizeof width, "%.1f", CLAMP (bar->share.value, 0, 100) * 2);
  g_string_append_printf (
    html,
    "<svg class=\"jm-bar\" viewBox=\"0 0 200 10\" width=\"200\" height=\"10\" "
    "preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    "<rect class=\"jm-track\" width=\"200\" height=\"10\" fill=\"#e3e8ee\"/>"
    "<rect class=\"%s\" width=\"%s\" height=\"10\" fill=\"%s\"/></svg>",
    tones[bar->tone], width, fills[bar->tone]);
}

static void
append_bars (GString *html, GArray *bars)
{
  g_string_append (html, "<table class=\"jm-bars\">\n"
                         "<caption>What it used, of what it was given</caption>\n");
  for (guint i = 0; i < bars->len; i++)
    {
      const JmReportBar *bar = &g_array_index (bars, JmReportBar, i);
      g_autofree char *number = jm_report_bar_format (bar);

      append_element (html, "<tr><th scope=\"row\">", bar->title, "</th><td>");
      if (bar->share.is_known)
        append_bar (html, bar);
      append_element (html, "</td><td class=\"jm-number\">", number, "</td></tr>\n");
    }
  g_string_append (html, "</table>\n");
}

/* --- tables --- */

/* A remark needs no title. */
static void
append_table_head (GString *html, const JmReportTable *table)
{
  g_string_append (html, "<thead><tr>");
  for (guint i = 0; i < table->columns->len; i++)
    {
      const JmReportColumn *column = &g_array_index (table->columns, JmReportColumn, i);

      if (*column->title == '\0')
        g_string_append (html, "<td></td>");
      else
        append_element (html,
                        column->is_number ? "<th scope=\"col\" class=\"jm-number\">"
                                          : "<th scope=\"col\">",
                        column->title, "</th>");
    }
  g_string_append (html, "</tr></thead>\n<tbody>\n");
}

static void
append_row (GString *html, const JmReportTable *table, guint row, gboolean is_sum)
{
  g_string_append (html, is_sum ? "<tr class=\"jm-sum\">" : "<tr>");
  for (guint i = 0; i < table->columns->len; i++)
    {
      const JmReportColumn *column = &g_array_index (table->columns, JmReportColumn, i);
      const char *cell = jm_report_table_get_cell (table, row, i);

      append_element (html,
                      i == 0              ? "<th scope=\"row\">"
                      : column->is_number ? "<td class=\"jm-number\">"
                                          : "<td>",
                      cell != NULL ? cell : JM_REPORT_ABSENT,
                      i == 0 ? "</th>" : "</td>");
    }
  g_string_append (html, "</tr>\n");
}

static void
append_table (GString *html, const JmReportTable *table)
{
  const guint n_rows = jm_report_table_get_n_rows (table);

  append_heading (html, table->title);
  append_element (html,
                  "<div class=\"jm-scroll\" role=\"region\" tabindex=\"0\" "
                  "aria-label=\"",
                  table->title, "\">\n<table>\n<caption>");
  if (table->n_left_out > 0)
    g_string_append_printf (html, "The first %u; %u more are left out",
                            JM_REPORT_MAX_ROWS, table->n_left_out);
  else
    append_element (html, "", table->caption, "");
  g_string_append (html, "</caption>\n");
  append_table_head (html, table);
  for (guint i = 0; i < n_rows; i++)
    append_row (html, table, i, table->has_sum && i + 1 == n_rows);
  g_string_append (html, "</tbody>\n</table>\n</div>\n");
}

/* --- advice --- */

/* Lines of a batch script or a command are set off, to be copied. */
static void
append_hint_lines (GString *html, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] == '#' || *lines[i] == '$')
      append_element (html, "<p><code>", lines[i], "</code></p>\n");
    else if (*lines[i] != '\0')
      append_element (html, "<p>", lines[i], "</p>\n");
}

static void
append_hint (GString *html, const JmReportHint *hint)
{
  g_string_append_printf (html, "<div class=\"jm-hint %s\">\n", tones[hint->tone]);
  append_element (html, "<h3>", hint->title != NULL ? hint->title : "", "");
  append_element (html, " <span class=\"jm-level\">(", hint->level, ")</span></h3>\n");
  append_hint_lines (html, hint->reason);
  append_hint_lines (html, hint->action);
  g_string_append (html, "</div>\n");
}

static void
append_hints (GString *html, GArray *hints)
{
  if (hints->len == 0)
    return;

  append_heading (html, "Advice");
  for (guint i = 0; i < hints->len; i++)
    append_hint (html, &g_array_index (hints, JmReportHint, i));
}

/* --- verdict --- */

/* The first line is the verdict itself. */
static void
append_verdict (GString *html, GArray *lines)
{
  JmReportTone tone = JM_REPORT_TONE_PLAIN;

  for (guint i = 0; i < lines->len; i++)
    tone = MAX (tone, g_array_index (lines, JmReportLine, i).tone);
  g_string_append_printf (html, "<div class=\"jm-verdict %s\">\n", tones[tone]);
  for (guint i = 0; i < lines->len; i++)
    {
      const JmReportLine *line = &g_array_index (lines, JmReportLine, i);

      if (g_str_equal (line->title, "Cause"))
        append_element (html, "<p><strong>Cause:</strong> ", line->text, "</p>\n");
      else if (g_str_equal (line->title, "Verdict"))
        append_element (html, "<h2>Verdict: ", line->text, "</h2>\n");
      else
        append_hint_lines (html, line->text);
    }
  g_string_append (html, "</div>\n");
}

/* --- plots --- */

void
jm_report_html_append_plot (GString *html, JmPlot *plot)
{
  g_autofree char *svg = jm_plot_to_svg (plot, DRAWING_WIDTH, DRAWING_HEIGHT);

  g_string_append_printf (html, "<figure><div class=\"jm-box\">\n%s</div></figure>\n",
                          svg);
}

/* Drawn for screens of twice the pixels. FALSE where it cannot be drawn. */
static gboolean
append_picture (GString *html, JmPlot *plot, GPtrArray *pictures)
{
  GBytes *picture = jm_plot_to_png (plot, 2 * PLOT_WIDTH, 2 * PLOT_HEIGHT, NULL);
  g_autofree char *description = jm_plot_describe (plot);

  if (picture == NULL)
    return FALSE;

  g_string_append_printf (html,
                          "<p><img src=\"cid:" JM_REPORT_PICTURE_ID "\" width=\"%d\" "
                          "height=\"%d\" alt=\"",
                          pictures->len, PLOT_WIDTH, PLOT_HEIGHT);
  append_element (html, "", description, "\"/></p>\n");
  g_ptr_array_add (pictures, picture);

  return TRUE;
}

/* Takes the place of drawings by pictures where @pictures is not NULL. */
static void
append_plots (GString *html, GPtrArray *plots, GPtrArray *pictures)
{
  if (plots->len == 0)
    return;

  append_heading (html, "Over time");
  g_string_append (html, "<div class=\"jm-plots\">\n");
  for (guint i = 0; i < plots->len; i++)
    if (pictures == NULL || !append_picture (html, plots->pdata[i], pictures))
      jm_report_html_append_plot (html, plots->pdata[i]);
  g_string_append (html, "</div>\n");
}

/* Folded away: a plot of all nodes stands above. */
static void
append_multiples (GString *html, const JmReportMultiples *multiples)
{
  append_element (html, "<details class=\"jm-multiples\"><summary>", multiples->title,
                  "</summary>\n<div>\n");
  for (guint i = 0; i < multiples->plots->len; i++)
    {
      g_autofree char *svg =
        jm_plot_to_svg (multiples->plots->pdata[i], SMALL_WIDTH, SMALL_HEIGHT);

      g_string_append_printf (html, "<figure>\n%s</figure>\n", svg);
    }
  g_string_append (html, "</div></details>\n");
}

/* --- all of it --- */

static void
append_content (GString *html,
                JmReportContent *content,
                GPtrArray *plots,
                GPtrArray *multiples,
                GPtrArray *pictures)
{
  g_string_append (html, "<div class=\"jm-report\">\n");
  append_paragraph (html, content->brief);
  if (content->verdict->len > 0)
    append_verdict (html, content->verdict);
  if (content->bars->len > 0)
    append_bars (html, content->bars);
  append_hints (html, content->hints);
  append_plots (html, plots, pictures);
  for (guint i = 0; multiples != NULL && i < multiples->len; i++)
    append_multiples (html, multiples->pdata[i]);
  for (guint i = 0; i < content->tables->len; i++)
    append_table (html, content->tables->pdata[i]);
  if (content->energy->len > 0)
    {
      append_heading (html, "Energy and emissions");
      append_lines (html, "What it cost", content->energy);
    }
  if (content->meters != NULL)
    append_table (html, content->meters);
  if (content->identity->len > 0)
    {
      append_heading (html, "About the job");
      append_lines (html, "Identity and times", content->identity);
    }
  if (content->notes->len > 0)
    {
      append_heading (html, "Sources");
      append_lines (html, "Sources of these figures", content->notes);
    }
  if (content->figures->len > 0)
    {
      append_heading (html, "What else was seen");
      append_lines (html, "Of the whole run", content->figures);
    }
  if (content->is_estimated)
    g_string_append (html, "<p class=\"jm-aside\">" JM_FIGURE_ESTIMATE_MARK
                           " stands before what is estimated, in part or as a "
                           "whole.</p>\n");
  g_string_append (html, "</div>\n");
}

void
jm_report_html_append (GString *html,
                       JmRunReport *report,
                       GPtrArray *advice,
                       GPtrArray *plots,
                       GPtrArray *multiples)
{
  /* as all else on a page of the server */
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (JmReportContent) content =
    jm_report_content_new_in_zone (report, advice, utc);

  append_content (html, content, plots, multiples, NULL);
}

char *
jm_report_html_get_css (void)
{
  return g_strconcat (fragment_css, jm_plot_get_css (), NULL);
}

static void
append_link (GString *html, const char *link)
{
  append_element (html, "<p><a href=\"", link, "\">");
  append_element (html, "", link, "</a></p>\n");
}

char *
jm_report_html_format (JmReportContent *content,
                       GPtrArray *plots,
                       const char *link,
                       GPtrArray *pictures)
{
  g_autofree char *css = jm_report_html_get_css ();
  GString *html =
    g_string_new ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                  "<meta charset=\"utf-8\"/>\n"
                  "<meta name=\"viewport\" "
                  "content=\"width=device-width\"/>\n"
                  "<meta name=\"color-scheme\" content=\"light dark\"/>\n");

  append_element (html, "<title>", content->title, "</title>\n");
  g_string_append_printf (html, "<style>\n%s%s</style>\n</head>\n<body>\n", css,
                          page_css);
  append_element (html, "<h1>", content->title, "</h1>\n");
  append_paragraph (html, content->who);
  if (link != NULL)
    append_link (html, link);
  append_content (html, content, plots, NULL, pictures);
  g_string_append (html, "</body>\n</html>\n");

  return g_string_free (html, FALSE);
}

char *
jm_report_html_format_mail (JmRunReport *report,
                            GPtrArray *advice,
                            const char *link,
                            GPtrArray *pictures)
{
  g_autoptr (JmReportContent) content = jm_report_content_new (report, advice);
  g_autoptr (GPtrArray) plots = jm_report_plots_list (report);

  return jm_report_html_format (content, plots, link, pictures);
}

/**
 * jm_run_report_to_html:
 * @self: a report
 * @advice: (nullable) (element-type JmRunAdvice): what is said of it, or %NULL to leave
 *   that out
 *
 * Makes of a report a page for browsers and mails, which needs nothing else: it has its
 * style sheet in it, its plots as SVG, and no script. It follows light and dark, and
 * prints on A4. It is well-formed XML, too.
 *
 * Returns: (transfer full): a document of UTF-8
 * Since: 0.1
 */
char *
jm_run_report_to_html (JmRunReport *self, GPtrArray *advice)
{
  g_autoptr (JmReportContent) content = NULL;
  g_autoptr (GPtrArray) plots = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  content = jm_report_content_new (self, advice);
  plots = jm_report_plots_list (self);

  return jm_report_html_format (content, plots, NULL, NULL);
}
