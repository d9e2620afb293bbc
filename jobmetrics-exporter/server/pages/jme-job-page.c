/* jme-job-page.c: one run on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "archive/jm-run-filter.h"
#include "base/jm-error.h"
#include "base/jm-name-pattern-private.h"
#include "core/jm-run.h"
#include "judge/jm-run-report-private.h"
#include "report/page/jm-report-html-private.h"
#include "report/page/jm-report-plots-private.h"
#include "server/jme-answer.h"
#include "server/jme-archive-query.h"
#include "server/jme-jobs.h"
#include "server/jme-series.h"
#include "server/jme-suggestion.h"
#include "server/pages/jme-compare-page.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"

/* All of more are in the API's document. */
#define MAX_ROWS 200
#define MAX_STATES 200

typedef struct
{
  const char *quantity;
  const char *title;
  JmFormat format;
} Column;

static const Column step_columns[] = {
  { "name", "Name", JM_FORMAT_TEXT },
  { "state", "State", JM_FORMAT_TEXT },
  { "start_time", "Began", JM_FORMAT_TIME },
  { "end_time", "Ended", JM_FORMAT_TIME },
  { "nodes", "Nodes", JM_FORMAT_COUNT },
  { "tasks", "Tasks", JM_FORMAT_COUNT },
  { "cpus", "CPUs", JM_FORMAT_COUNT },
  { "gpus_allocated", "GPUs", JM_FORMAT_COUNT },
  { "cpu_seconds", "CPU time", JM_FORMAT_DURATION },
  { "memory_peak_bytes", "Most memory", JM_FORMAT_BYTES },
  { "energy_joules", "Energy", JM_FORMAT_JOULES },
  { "emissions_grams", "CO₂e", JM_FORMAT_GRAMS },
  { "exit_code", "Exit code", JM_FORMAT_COUNT },
  { "exit_signal", "Signal", JM_FORMAT_COUNT },
};

static const Column factor_columns[] = {
  { "node", "Node", JM_FORMAT_TEXT },
  { "emissions_grams", "CO₂e", JM_FORMAT_GRAMS },
  { "provider", "Factor of", JM_FORMAT_TEXT },
  { "zone", "Zone", JM_FORMAT_TEXT },
  { "method", "Method", JM_FORMAT_TEXT },
  { "scope", "Counts in", JM_FORMAT_TEXT },
  { "factor_quality", "Factor is", JM_FORMAT_TEXT },
};

/* What a report has no table of: parts of a kind of which something is known. */
typedef struct
{
  JmRunPartKind kind;
  const char *key;
  const Column *columns;
  guint n_columns;
  const char *id;
  const char *title;
  const char *caption;
} Table;

static const Table tables[] = {
  { JM_RUN_PART_KIND_STEP, "name", step_columns, G_N_ELEMENTS (step_columns), "steps",
    "Steps", "What each step had and used" },
  { JM_RUN_PART_KIND_ENERGY, "provider", factor_columns, G_N_ELEMENTS (factor_columns),
    "factors", "Emission factors", "Emission factors of this run" },
};

/* Points of a series of the time series database. */
#define MAX_POINTS 300
/* It shall not keep a page from coming. */
#define TSDB_TIMEOUT_MS 3000

#define REFRESH_SECONDS 30
/* How far back the run before is looked for. */
#define FORMER_SECONDS (90 * 86400)

typedef struct
{
  const char *quantity;
  const char *title;
  JmFormat format;
} Fact;

/* What a report leaves out, as far as it is plain. */
static const Fact facts[] = {
  { "eligible_time", "Might begin", JM_FORMAT_TIME },
  { "memory_requested_bytes", "Memory asked for", JM_FORMAT_BYTES },
  { "gpus_requested", "GPUs asked for", JM_FORMAT_COUNT },
  { "node_list", "On the nodes", JM_FORMAT_TEXT },
  { "tres", "Allocation, by the scheduler", JM_FORMAT_TEXT },
  { "work_dir", "Directory", JM_FORMAT_TEXT },
  { "kept_until_time", "Kept, although idle, until", JM_FORMAT_TIME },
  { "het_jobid", "Of the heterogeneous job", JM_FORMAT_TEXT },
};

/* --- steps and emission factors --- */

static gboolean
is_known (JmRunPart *part, const Column *column)
{
  const char *text;

  if (column->format != JM_FORMAT_TEXT)
    return jm_run_part_get_figure (part, column->quantity).is_known;
  text = jm_run_part_get_text (part, column->quantity);

  return text != NULL && *text != '\0';
}

/* A column of which nothing is known is left out. */
static gboolean
is_wanted (GPtrArray *parts, const Column *column)
{
  for (guint i = 0; i < parts->len; i++)
    if (is_known (parts->pdata[i], column))
      return TRUE;

  return FALSE;
}

static double
find_greatest (GPtrArray *parts, const Column *column)
{
  double greatest = 0;

  for (guint i = 0; column->format != JM_FORMAT_TEXT && i < parts->len; i++)
    greatest =
      MAX (greatest, jm_run_part_get_figure (parts->pdata[i], column->quantity).value);

  return greatest;
}

static void
append_cell (GString *out, JmRunPart *part, const Column *column, double greatest)
{
  JmFigure figure = jm_run_part_get_figure (part, column->quantity);

  if (!is_known (part, column))
    g_string_append (out, column->format == JM_FORMAT_TEXT ||
                              column->format == JM_FORMAT_TIME
                            ? "<td>–</td>"
                            : "<td class=\"number\">–</td>");
  else if (g_str_equal (column->quantity, "state"))
    jme_part_append_state_cell (out, jm_run_part_get_text (part, column->quantity));
  else if (column->format == JM_FORMAT_TEXT)
    jme_html_append_cell (out, jm_run_part_get_text (part, column->quantity));
  else if (column->format == JM_FORMAT_TIME)
    jme_part_append_time_cell (out, (gint64) figure.value);
  else
    jme_part_append_figure_beside (out, figure, column->format, greatest);
}

static void
append_rows (GString *out, const Table *table, GPtrArray *parts)
{
  g_autofree gboolean *wanted = g_new (gboolean, table->n_columns);
  g_autofree double *greatest = g_new (double, table->n_columns);

  g_string_append (out, "<thead><tr>");
  for (guint i = 0; i < table->n_columns; i++)
    {
      const Column *column = &table->columns[i];

      wanted[i] = is_wanted (parts, column);
      greatest[i] = find_greatest (parts, column);
      if (wanted[i])
        jme_part_append_column (out, column->title,
                                column->format != JM_FORMAT_TEXT &&
                                  column->format != JM_FORMAT_TIME);
    }
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  for (guint n = 0; n < MIN (parts->len, MAX_ROWS); n++)
    {
      g_string_append (out, "<tr>");
      for (guint i = 0; i < table->n_columns; i++)
        if (wanted[i])
          append_cell (out, parts->pdata[n], &table->columns[i], greatest[i]);
      g_string_append (out, "</tr>\n");
    }
  g_string_append (out, "</tbody>\n");
}

static GPtrArray *
choose (const Table *table, GPtrArray *all)
{
  GPtrArray *chosen;

  if (table->kind == JM_RUN_PART_KIND_STEP)
    return jm_run_part_merge_steps (all);

  chosen = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    if (jm_run_part_get_text (all->pdata[i], table->key) != NULL)
      g_ptr_array_add (chosen, all->pdata[i]);

  return chosen;
}

static void
append_table (GString *out, const Table *table, JmRun *run)
{
  GPtrArray *all = jm_run_get_parts (run, table->kind);
  g_autoptr (GPtrArray) parts = choose (table, all);
  gboolean may_be_more =
    table->kind == JM_RUN_PART_KIND_STEP && all->len == JM_ARCHIVE_STEPS_MAX;

  if (parts->len == 0)
    return;

  g_string_append_printf (out, "<h2>%s</h2>\n", table->title);
  jme_html_begin_table (out, table->id, table->caption);
  append_rows (out, table, parts);
  jme_html_end_table (out);
  if (parts->len > MAX_ROWS)
    g_string_append_printf (out, "<p>These are the first %u of %s%u; %s has all.</p>\n",
                            MAX_ROWS, may_be_more ? "at least " : "", parts->len,
                            may_be_more ? "the list of steps of the API"
                                        : "the document below");
}

/* --- what the scheduler said --- */

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

static void
append_state (GString *out, const char *document)
{
  g_autoptr (JsonNode) node = json_from_string (document, NULL);
  JsonObject *object;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;

  object = json_node_get_object (node);
  g_string_append (out, "<tr>");
  jme_part_append_time_cell (out, json_object_get_int_member_with_default (object,
                                                                           "time", 0));
  jme_part_append_state_cell (out, get_text (object, "state"));
  jme_html_append_cell (out, get_text (object, "reason"));
  jme_html_append_cell (out, get_text (object, "partitions"));
  jme_html_append_cell (out, get_text (object, "node_list"));
  g_string_append (out, "</tr>\n");
}

static gboolean
append_states (JmeAnswer *answer, JmRun *run, GError **error)
{
  static const char *const titles[] = { "When",      "State", "Why",
                                        "Partition", "Nodes", NULL };
  GString *out = answer->text;
  g_auto (GStrv) states =
    jm_archive_database_list_states (answer->store, jm_run_get_text (run, "cluster"),
                                     jm_run_get_text (run, "raw_id"), answer->viewer,
                                     error);
  guint n;

  if (states == NULL)
    return FALSE;
  n = g_strv_length (states);
  if (n == 0)
    return TRUE;

  g_string_append (out, "<h2>History</h2>\n");
  jme_part_begin_table (out, "states",
                        "States of the job, as the scheduler reported them", titles);
  for (guint i = n > MAX_STATES ? n - MAX_STATES : 0; i < n; i++)
    append_state (out, states[i]);
  jme_part_end_table (out);

  return TRUE;
}

/* What a report does not have: steps, emission factors, and what the scheduler said of
 * it, as far as there are.
 *
 * - Errors: those of the store. */
static gboolean
append_parts (JmeAnswer *answer, JmRun *run, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    append_table (answer->text, &tables[i], run);

  return append_states (answer, run, error);
}

/* --- plots --- */

/* Of JmPlot, as its nodes' records have it, else as the time series database does; none
 * where neither knows it. @is_broken is set where the database did not answer. */
static GPtrArray *
list_plots (JmeAnswer *answer, JmRun *run, JmRunReport *report, gboolean *is_broken)
{
  g_autoptr (GPtrArray) series = NULL;
  g_autoptr (GError) error = NULL;

  *is_broken = FALSE;
  if (!jm_run_report_wants_series (report))
    return jm_report_plots_list (report);

  series = jme_series_list (answer, run, MAX_POINTS, TSDB_TIMEOUT_MS, &error);
  if (series != NULL)
    jm_run_report_set_series (report, series);
  *is_broken = series == NULL && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT);
  if (*is_broken)
    g_warning ("the time series database cannot be read: %s", error->message);

  return jm_report_plots_list (report);
}

/* --- what only a page has --- */

static void
append_fact (GString *out, JmRun *run, const Fact *fact)
{
  const JmFigure figure = jm_run_get_figure (run, fact->quantity);

  if (fact->format == JM_FORMAT_TEXT)
    jme_part_append_fact (out, fact->title, jm_run_get_text (run, fact->quantity));
  else if (fact->format != JM_FORMAT_TIME)
    jme_part_append_figure_fact (out, fact->title, figure, fact->format);
  else if (figure.is_known)
    jme_part_append_time_fact (out, fact->title, (gint64) figure.value);
}

/* A list of nodes that is too long for a report stands here as a whole. */
static gboolean
is_in_report (JmRun *run, const Fact *fact)
{
  const char *list = jm_run_get_text (run, "node_list");

  return g_str_equal (fact->quantity, "node_list") && list != NULL &&
         strlen (list) <= JM_REPORT_MAX_LIST_CHARACTERS;
}

static void
append_facts (GString *out, JmRun *run)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    if (!is_in_report (run, &facts[i]))
      append_fact (list, run, &facts[i]);
  if (list->len > 0)
    g_string_append_printf (out,
                            "<h2>As it was asked for</h2>\n"
                            "<dl class=\"facts\">\n%s</dl>\n",
                            list->str);
}

/* --- the page --- */

static void
append_heading (GString *out, JmRun *run)
{
  const char *name = jm_run_get_text (run, "name");

  g_string_append (out, "<h1>Job ");
  jme_html_append_escaped (out, jm_run_get_text (run, "jobid"));
  g_string_append (out, " on ");
  jme_html_append_escaped (out, jm_run_get_text (run, "cluster"));
  g_string_append (out, "</h1>\n<p>");
  jme_part_append_run_state (out, run);
  if (name != NULL)
    {
      g_string_append (out, " · ");
      jme_html_append_escaped (out, name);
    }
  g_string_append (out, "</p>\n");
}

static void
append_gap (JmeAnswer *answer, JmRun *run)
{
  g_autofree char *gap = jme_archive_explain_gap (answer->accounts, run);

  if (gap == NULL)
    return;
  g_string_append (answer->text, "<p class=\"muted\">");
  jme_html_append_escaped (answer->text, gap);
  g_string_append (answer->text, "</p>\n");
}

static void
append_way (GString *out, const char *what, const char *path, const char *name)
{
  if (name == NULL || *name == '\0')
    return;

  g_string_append_printf (out, "<li>%s ", what);
  jme_part_append_link (out, path, name, name);
  g_string_append (out, "</li>\n");
}

static gboolean
has_begun (JmRun *run)
{
  return jm_run_get_figure (run, "start_time").is_known;
}

/* The last run of the same user, cluster and name that began before @start, or none.
 * NULL on error.
 *
 * - Errors: those of the store. */
static GPtrArray *
list_former (JmeAnswer *answer, JmRun *run, gint64 start, GError **error)
{
  const char *users[] = { jm_run_get_text (run, "user"), NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;

  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_cluster (filter, jm_run_get_text (run, "cluster"));
  jm_run_filter_set_name (filter, jm_run_get_text (run, "name"));
  jm_run_filter_set_period (filter, MAX (start - FORMER_SECONDS, 1), start);
  jm_run_filter_set_sort (filter, "-start", NULL);
  jm_run_filter_set_limit (filter, 1);

  return jm_archive_database_list_runs (answer->store, filter, answer->viewer, &next,
                                        error);
}

static gboolean
find_former (JmeAnswer *answer, JmRun *run, JmRun **former, GError **error)
{
  g_autoptr (GPtrArray) runs = NULL;
  const gint64 start = (gint64) jm_run_get_figure (run, "start_time").value;

  *former = NULL;
  if (start <= 0 || jm_run_get_text (run, "user") == NULL ||
      jm_run_get_text (run, "name") == NULL)
    return TRUE;

  runs = list_former (answer, run, start, error);
  if (runs != NULL && runs->len > 0 && has_begun (runs->pdata[0]))
    *former = jm_run_ref (runs->pdata[0]);

  return runs != NULL;
}

static void
append_former (GString *out, JmRun *run, JmRun *former)
{
  const char *uuid = jm_run_get_text (run, "uuid");
  const char *former_uuid = jm_run_get_text (former, "uuid");
  g_autofree char *escaped = NULL;
  g_autofree char *path = NULL;

  if (uuid == NULL || former_uuid == NULL)
    return;

  escaped = g_uri_escape_string (former_uuid, NULL, FALSE);
  path = g_strconcat (JME_PAGE_COMPARE "?" JME_COMPARE_KEY "=", escaped,
                      "&amp;" JME_COMPARE_KEY "=", NULL);
  g_string_append (out, "<li>");
  jme_part_append_link (out, path, uuid, "Compare with the run before");
  g_string_append (out, ", job ");
  jme_html_append_escaped (out, jm_run_get_text (former, "jobid"));
  g_string_append (out, "</li>\n");
}

/* To what it belongs to. */
static void
append_ways (GString *out, JmRun *run, JmRun *former)
{
  g_string_append (out, "<ul class=\"ways\">\n");
  append_way (out, "User", JME_PAGE_JOBS "?user=", jm_run_get_text (run, "user"));
  append_way (out, "Account", JME_PAGE_ACCOUNT, jm_run_get_text (run, "account"));
  append_way (out, "Cluster",
              JME_PAGE_JOBS "?cluster=", jm_run_get_text (run, "cluster"));
  append_way (out, "Array",
              JME_PAGE_JOBS "?job=", jm_run_get_text (run, "array_jobid"));
  append_way (out, "All runs of",
              JME_PAGE_JOBS "?job=", jm_run_get_text (run, "raw_id"));
  if (former != NULL)
    append_former (out, run, former);
  g_string_append (out, "</ul>\n");
}

/* What an owner answers to a notice that the run is idle. */
static void
append_keep (JmeAnswer *answer, JmRun *run)
{
  const char *uuid = jm_run_get_text (run, "uuid");

  if (uuid == NULL || !jme_jobs_may_keep (answer, run))
    return;

  g_string_append (answer->text, "<form method=\"post\" action=\"" JME_JOBS_KEEP);
  jme_html_append_escaped (answer->text, uuid);
  g_string_append (answer->text, "?seconds=14400\"><p>If this job is idle on purpose, "
                                 "<button>keep it for 4 hours</button>.</p></form>\n");
}

static void
append_links (GString *out, JmRun *run)
{
  const char *uuid = jm_run_get_text (run, "uuid");

  if (uuid == NULL)
    return;

  g_string_append (out, "<h2>For programs</h2>\n<p>");
  jme_part_append_link (out, "/api/v1/jobs/", uuid, "All of this as JSON");
  g_string_append (out, " · ");
  jme_part_append_link (out, JME_PAGE_JOBS "?uuid=", uuid, "In the list of jobs");
  g_string_append (out, "</p>\n");
}

/* --- the next run --- */

static void
append_similar_link (GString *out, JmRun *run)
{
  g_autofree char *cluster =
    g_uri_escape_string (jm_run_get_text (run, "cluster"), NULL, FALSE);
  g_autofree char *user =
    g_uri_escape_string (jm_run_get_text (run, "user"), NULL, FALSE);
  g_autofree char *name = jm_name_pattern_from_name (jm_run_get_text (run, "name"));
  g_autofree char *path = g_strconcat (JME_PAGE_JOBS "?cluster=", cluster,
                                       "&amp;user=", user, "&amp;name=", NULL);

  jme_part_append_link (out, path, name, "The runs behind this suggestion");
}

static void
append_next (GString *out, JmRun *run, JmRunSuggestion *suggestion)
{
  g_autofree char *sentence = jm_run_suggestion_to_string (suggestion);
  g_autofree char *wait = jm_run_suggestion_describe_wait (suggestion);

  g_string_append (out, "<h2>For the next run</h2>\n<p>");
  jme_html_append_escaped (out, sentence);
  g_string_append (out, " ");
  append_similar_link (out, run);
  g_string_append (out, "</p>\n");
  if (wait != NULL)
    {
      g_string_append (out, "<p>");
      jme_html_append_escaped (out, wait);
      g_string_append (out, "</p>\n");
    }
}

/* Nothing where too few runs are similar. */
static gboolean
append_suggestion (JmeAnswer *answer, JmRun *run, GError **error)
{
  const char *users[] = { jm_run_get_text (run, "user"), NULL };
  const char *name = jm_run_get_text (run, "name");
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmRunSuggestion) suggestion = NULL;

  if (users[0] == NULL || name == NULL)
    return TRUE;

  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_cluster (filter, jm_run_get_text (run, "cluster"));
  jm_run_filter_set_name (filter, name);
  suggestion =
    jme_suggestion_find (answer, filter, JM_RUN_SUGGESTION_CONFIDENCE, error);
  if (suggestion == NULL)
    return FALSE;
  if (jm_run_suggestion_get_n_runs (suggestion) >= JM_RUN_SUGGESTION_MIN_RUNS)
    append_next (answer->text, run, suggestion);

  return TRUE;
}

/* --- all of it --- */

static void
set_zoom (GPtrArray *plots, const JmeArchiveQuery *query)
{
  for (guint i = 0; i < plots->len; i++)
    jm_plot_set_zoom (plots->pdata[i], query->from, query->to);
}

static GPtrArray *
list_multiples (JmRunReport *report, const JmeArchiveQuery *query)
{
  GPtrArray *multiples = jm_report_plots_list_multiples (report);

  for (guint i = 0; i < multiples->len; i++)
    set_zoom (((JmReportMultiples *) multiples->pdata[i])->plots, query);

  return multiples;
}

/* The same as files and mails have it. */
static gboolean
append_report (JmeAnswer *answer,
               const JmePages *pages,
               const JmeArchiveQuery *query,
               JmRun *run,
               GError **error)
{
  g_autoptr (JmRunReport) report = jme_jobs_make_report (answer, run, error);
  g_autoptr (GPtrArray) advice = NULL;
  g_autoptr (GPtrArray) plots = NULL;
  g_autoptr (GPtrArray) multiples = NULL;
  gboolean is_broken = FALSE;

  if (report == NULL)
    return FALSE;

  advice = jm_run_rules_judge (jme_archive_get_rules (pages->accounts), report);
  plots = list_plots (answer, run, report, &is_broken);
  set_zoom (plots, query);
  multiples = list_multiples (report, query);
  jm_report_html_append (answer->text, report, advice, plots, multiples);
  if (plots->len > 0)
    jme_form_append_zoom (answer, query);
  if (is_broken)
    g_string_append (answer->text,
                     "<p class=\"muted\">The time series cannot be read now.</p>\n");

  return TRUE;
}

static gboolean
append_run (JmeAnswer *answer,
            const JmePages *pages,
            const JmeArchiveQuery *query,
            JmRun *run,
            GError **error)
{
  g_autoptr (JmRun) former = NULL;

  if (!jme_jobs_read_parts (answer, run, error) ||
      !find_former (answer, run, &former, error))
    return FALSE;

  append_heading (answer->text, run);
  append_gap (answer, run);
  append_ways (answer->text, run, former);
  append_keep (answer, run);
  if (!append_report (answer, pages, query, run, error) ||
      !append_suggestion (answer, run, error))
    return FALSE;
  append_facts (answer->text, run);
  if (!append_parts (answer, run, error))
    return FALSE;
  append_links (answer->text, run);

  return TRUE;
}

/* One that has ended does not change any more. */
static void
reply (JmeAnswer *answer, JmRun *run)
{
  static const JmeHtmlLink above[] = { { JME_PAGE_JOBS, "Jobs" }, { NULL } };
  g_autofree char *title = g_strdup_printf ("Job %s", jm_run_get_text (run, "jobid"));
  const gboolean has_ended = jm_run_get_figure (run, "end_time").is_known;

  jme_page_reply (answer,
                  &(JmeHtmlPage){ .title = title,
                                  .section = JME_PAGE_JOBS,
                                  .above = above,
                                  .refresh_seconds = has_ended ? 0 : REFRESH_SECONDS });
}

void
jme_job_page_answer (JmeRequest *request, gpointer pages)
{
  const char *uuid = jme_request_get_path (request) + strlen (JME_PAGE_JOB);
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (jme_archive_query_init (&query, request, JME_ARCHIVE_PAGE_OF_RUN, &error))
    run = jme_jobs_find_run (&answer, uuid, &error);
  if (run == NULL || !append_run (&answer, pages, &query, run, &error))
    jme_answer_fail (&answer, error);
  else
    reply (&answer, run);
}
