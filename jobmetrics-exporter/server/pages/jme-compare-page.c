/* jme-compare-page.c: runs side by side on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-compare-page.h"

#include <string.h>

#include "base/jm-error.h"
#include "judge/jm-run-comparison.h"
#include "judge/jm-run-report-private.h"
#include "judge/jm-run-verdict.h"
#include "report/page/jm-report-html-private.h"
#include "report/page/jm-report-plots-private.h"
#include "server/jme-archive-query.h"
#include "server/jme-jobs.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"

#define REFRESH_SECONDS 30

typedef struct
{
  JmRunComparison *comparison;
  GPtrArray *verdicts; /* of JmRunVerdict, one for each run */
  guint n_runs;
} ComparePage;

static JmRun *
get_run (const ComparePage *self, guint i)
{
  return jm_run_report_get_run (jm_run_comparison_get_report (self->comparison, i));
}

/* --- the table --- */

/* In the colour that the run's line has in the plots. */
static void
append_swatch (GString *out, guint i)
{
  g_string_append_printf (out,
                          "<svg class=\"jm-plot swatch\" width=\"10\" height=\"10\" "
                          "aria-hidden=\"true\"><rect class=\"jm-plot-fill-%u\" "
                          "width=\"10\" height=\"10\"/></svg> ",
                          i);
}

static void
append_titles (GString *out, const ComparePage *self)
{
  g_string_append (out, "<thead><tr><td></td>");
  for (guint i = 0; i < self->n_runs; i++)
    {
      JmRun *run = get_run (self, i);

      g_string_append (out, "<th scope=\"col\" class=\"number\">");
      append_swatch (out, i);
      jme_part_append_link (out, JME_PAGE_JOB, jm_run_get_text (run, "uuid"),
                            jm_run_get_text (run, "jobid"));
      g_string_append (out, "<br><span class=\"muted\">");
      jme_html_append_escaped (out, jm_run_get_text (run, "cluster"));
      g_string_append (out, "</span></th>");
    }
  g_string_append (out, "</tr></thead>\n");
}

static void
begin_row (GString *out, const char *title)
{
  g_string_append (out, "<tr><th scope=\"row\">");
  jme_html_append_escaped (out, title);
  g_string_append (out, "</th>");
}

static void
append_facts (GString *out, const ComparePage *self)
{
  begin_row (out, "Name");
  for (guint i = 0; i < self->n_runs; i++)
    {
      g_string_append (out, "<td class=\"number name\">");
      jme_html_append_escaped (out, jm_run_get_text (get_run (self, i), "name"));
      g_string_append (out, "</td>");
    }
  g_string_append (out, "</tr>\n");

  begin_row (out, "State");
  for (guint i = 0; i < self->n_runs; i++)
    {
      g_string_append (out, "<td class=\"number\">");
      jme_part_append_run_state (out, get_run (self, i));
      g_string_append (out, "</td>");
    }
  g_string_append (out, "</tr>\n");

  begin_row (out, "Began");
  for (guint i = 0; i < self->n_runs; i++)
    {
      const JmFigure start = jm_run_get_figure (get_run (self, i), "start_time");

      g_string_append (out, "<td class=\"number name\">");
      jme_part_append_time (out, (gint64) start.value);
      g_string_append (out, "</td>");
    }
  g_string_append (out, "</tr>\n");
}

static void
append_quantity (GString *out, const ComparePage *self, const JmQuantity *quantity)
{
  begin_row (out, quantity->title);
  for (guint i = 0; i < self->n_runs; i++)
    {
      g_autofree char *value =
        jm_run_comparison_format_value (self->comparison, quantity, i);
      g_autofree char *difference =
        jm_run_comparison_format_difference (self->comparison, quantity, i);

      g_string_append (out, "<td class=\"number\">");
      jme_html_append_escaped (out, value);
      if (i > 0)
        {
          g_string_append (out, " <span class=\"difference\">");
          jme_html_append_escaped (out, difference != NULL ? difference : "");
          g_string_append (out, "</span>");
        }
      g_string_append (out, "</td>");
    }
  g_string_append (out, "</tr>\n");
}

/* In a word; the sentence stands above the table. */
static void
append_verdict_row (GString *out, const ComparePage *self)
{
  begin_row (out, "Verdict");
  for (guint i = 0; i < self->n_runs; i++)
    {
      const char *title = jm_run_verdict_get_title (self->verdicts->pdata[i]);
      g_autofree char *kind = g_strndup (title, strcspn (title, ":"));

      jme_html_append_number_cell (out, kind);
    }
  g_string_append (out, "</tr>\n");
}

static void
append_legend (GString *out)
{
  g_string_append (out, "<p class=\"muted\">Differences are in per cent of the first "
                        "run's figure, of shares in percentage points (pp). – stands "
                        "for what is not known, " JM_FIGURE_ESTIMATE_MARK
                        " before what is estimated, in part or as a whole.</p>\n");
}

static void
append_table (GString *out, const ComparePage *self)
{
  g_autoptr (GPtrArray) quantities =
    jm_run_comparison_list_quantities (self->comparison);

  jme_html_begin_table (out, "compared",
                        "Figures of each run, and their differences to the first");
  append_titles (out, self);
  g_string_append (out, "<tbody>\n");
  append_facts (out, self);
  for (guint i = 0; i < quantities->len; i++)
    append_quantity (out, self, quantities->pdata[i]);
  append_verdict_row (out, self);
  jme_part_end_table (out);
  append_legend (out);
}

/* --- above and below it --- */

static void
append_verdicts (GString *out, const ComparePage *self)
{
  g_string_append (out, "<dl class=\"facts\">\n");
  for (guint i = 0; i < self->n_runs; i++)
    {
      g_autofree char *title =
        g_strdup_printf ("Job %s", jm_run_get_text (get_run (self, i), "jobid"));
      g_autofree char *verdict = jm_run_verdict_to_string (self->verdicts->pdata[i]);

      jme_part_append_fact (out, title, verdict);
    }
  g_string_append (out, "</dl>\n");
}

/* Runs that plots have no line of. */
static void
append_gaps (GString *out, const ComparePage *self)
{
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < self->n_runs; i++)
    if (jm_run_report_wants_series (jm_run_comparison_get_report (self->comparison, i)))
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? ", " : "",
                              jm_run_get_text (get_run (self, i), "jobid"));
  if (ids->len == 0)
    return;

  g_string_append (out, "<p class=\"muted\">Not in the plots, for no record of their "
                        "nodes has a profile over time: ");
  jme_html_append_escaped (out, ids->str);
  g_string_append (out, ".</p>\n");
}

static void
append_plots (JmeAnswer *answer, const JmeArchiveQuery *query, const ComparePage *self)
{
  GString *out = answer->text;
  g_autoptr (GPtrArray) plots = jm_report_plots_compare (self->comparison);

  if (plots->len == 0)
    {
      g_string_append (out, "<p class=\"muted\">There are no records over time of two "
                            "of these runs, which plots would show.</p>\n");
      return;
    }

  g_string_append (out,
                   "<h2>Over time</h2>\n<p>Each run from its own start on, all its "
                   "nodes together.</p>\n");
  jme_form_append_zoom (answer, query);
  g_string_append (out, "<div class=\"jm-plots\">\n");
  for (guint i = 0; i < plots->len; i++)
    jm_plot_set_zoom (plots->pdata[i], query->from, query->to);
  for (guint i = 0; i < plots->len; i++)
    jm_report_html_append_plot (out, plots->pdata[i]);
  g_string_append (out, "</div>\n");
  append_gaps (out, self);
}

static void
append_comparison (JmeAnswer *answer,
                   const JmePages *pages,
                   const JmeArchiveQuery *query,
                   GPtrArray *reports)
{
  g_autoptr (JmRunComparison) comparison = jm_run_comparison_new (reports);
  g_autoptr (GPtrArray) verdicts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_verdict_unref);
  const ComparePage self = { comparison, verdicts, reports->len };

  for (guint i = 0; i < reports->len; i++)
    {
      g_autoptr (GPtrArray) advice =
        jm_run_rules_judge (jme_archive_get_rules (pages->accounts), reports->pdata[i]);

      g_ptr_array_add (verdicts, jm_run_verdict_new (reports->pdata[i], advice));
    }

  g_string_append (answer->text, "<h1>Runs side by side</h1>\n");
  append_verdicts (answer->text, &self);
  append_table (answer->text, &self);
  append_plots (answer, query, &self);
}

/* --- the runs --- */

/* NULL where it is not there for who asks. */
static JmRunReport *
find_report (JmeAnswer *answer, const char *name, GError **error)
{
  g_autoptr (JmRun) run = jme_jobs_find_run (answer, name, error);

  return run != NULL && jme_jobs_read_parts (answer, run, error)
           ? jm_run_report_new (run, NULL)
           : NULL;
}

static GPtrArray *
list_reports (JmeAnswer *answer, char **runs, GError **error)
{
  const guint n = runs != NULL ? g_strv_length (runs) : 0;
  g_autoptr (GPtrArray) reports =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_report_unref);

  if (n < 2 || n > JM_RUN_COMPARISON_MAX_RUNS)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "two to %d runs can be compared, not %u", JM_RUN_COMPARISON_MAX_RUNS,
                   n);
      return NULL;
    }

  for (guint i = 0; i < n; i++)
    {
      JmRunReport *report = find_report (answer, runs[i], error);

      if (report == NULL)
        return NULL;
      g_ptr_array_add (reports, report);
    }

  return g_steal_pointer (&reports);
}

/* Runs that have ended do not change any more. */
static guint
get_refresh_seconds (GPtrArray *reports)
{
  for (guint i = 0; i < reports->len; i++)
    if (!jm_run_get_figure (jm_run_report_get_run (reports->pdata[i]), "end_time")
           .is_known)
      return REFRESH_SECONDS;

  return 0;
}

void
jme_compare_page_answer (JmeRequest *request, gpointer pages)
{
  static const JmeHtmlLink above[] = { { JME_PAGE_JOBS, "Jobs" }, { NULL } };
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) reports = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (jme_archive_query_init (&query, request, JME_ARCHIVE_PAGE_OF_COMPARISON, &error))
    reports = list_reports (&answer, query.runs, &error);
  if (reports == NULL)
    {
      jme_answer_fail (&answer, error);
      return;
    }

  append_comparison (&answer, pages, &query, reports);
  jme_page_reply (&answer,
                  &(JmeHtmlPage){ .title = "Runs side by side",
                                  .section = JME_PAGE_JOBS,
                                  .above = above,
                                  .refresh_seconds = get_refresh_seconds (reports) });
}
