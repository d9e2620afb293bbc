/* jme-jobs-page.c: runs on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-jobs-page.h"

#include "base/jm-number-private.h"
#include "judge/jm-run-report-private.h"
#include "server/jme-archive-query.h"
#include "server/pages/jme-compare-page.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-run-groups.h"
#include "server/pages/jme-worst-runs.h"

#define PAGE_RUNS 50
#define REFRESH_SECONDS 30
#define WORST_REFRESH_SECONDS 300
#define DAY_SECONDS 86400
#define SUMMED_DAYS 30
/* The first of more runs that failed, or took long. */
#define MAX_NAMED 20

typedef struct
{
  JmeAnswer *answer;
  JmeArchiveQuery *query;
  gboolean is_own;
} JobsPage;

/* --- a table --- */

static const struct
{
  const char *title;
  gboolean is_number;
  const char *sort; /* by which runs are put into its order; NULL for none */
} columns[] = {
  { "Job", FALSE, NULL },
  { "Name", FALSE, NULL },
  { "State", FALSE, NULL },
  { "Began", FALSE, "start" },
  { "Ran", TRUE, "elapsed_seconds" },
  { "CPUs", TRUE, "cpus" },
  { "GPUs", TRUE, "gpus_allocated" },
  { "CPU used", TRUE, "cpu_efficiency_percent" },
  { "Memory used", TRUE, "memory_share_percent" },
  { "GPUs used", TRUE, "gpu_utilization_percent" },
  { "Verdict", FALSE, NULL },
  { "Energy", TRUE, "energy_joules" },
  { "CO₂e", TRUE, "emissions_grams" },
  { "Account", FALSE, NULL },
  { "Partition", FALSE, NULL },
};

#define USER_COLUMN 2
/* Shown where a run has the figure. */
#define GPU_COLUMN 9
#define VERDICT_COLUMN 10

/* Which columns a table has. */
typedef struct
{
  gboolean has_user;
  gboolean has_cluster; /* beside a run's id: they are of several */
  gboolean has_gpus;
  GPtrArray *more; /* of JmQuantity: those that were chosen, and what it is sorted by */
  GArray *greatest; /* of double: the greatest of each of these; so are the others */
  double energy;
  double emissions;
  gint64 now;
  gboolean has_estimates;
} Shape;

static gboolean
is_shown (const JmQuantity *quantity)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].sort != NULL && jm_quantity_is_called (quantity, columns[i].sort))
      return TRUE;

  return FALSE;
}

/* What the runs are sorted by, which need not have been chosen. */
static void
add_sorted (GPtrArray *more, JmeRequest *request)
{
  g_autofree char *chosen = jme_form_get_value (request, "sort");
  const char *name = chosen != NULL ? chosen + (*chosen == '-') : "";
  g_autoptr (GPtrArray) kept = jm_run_list_quantities ();

  for (guint i = 0; i < kept->len; i++)
    {
      const JmQuantity *column = kept->pdata[i];

      if (jm_quantity_is_called (column, name) && column->format != JM_FORMAT_TEXT &&
          column->title != NULL && !g_ptr_array_find (more, column, NULL))
        g_ptr_array_add (more, kept->pdata[i]);
    }
}

/* Columns that no other stands for. */
static GPtrArray *
list_more (JmeRequest *request, GPtrArray *chosen)
{
  GPtrArray *more = g_ptr_array_new ();

  if (chosen != NULL)
    g_ptr_array_extend (more, chosen, NULL, NULL);
  if (request != NULL)
    add_sorted (more, request);
  for (guint i = more->len; i > 0; i--)
    if (is_shown (more->pdata[i - 1]))
      g_ptr_array_remove_index (more, i - 1);

  return more;
}

/* A link that puts the greatest or the last first, and once they are, the others. */
static void
append_order (GString *out,
              JmeRequest *request,
              const char *title,
              const char *sort,
              gboolean is_number)
{
  g_autofree char *chosen = jme_form_get_value (request, "sort");
  g_autofree char *descending = g_strconcat ("-", sort, NULL);
  const gboolean descends = g_strcmp0 (chosen, descending) == 0;
  const gboolean ascends = g_strcmp0 (chosen, sort) == 0;

  g_string_append_printf (out, "<th scope=\"col\"%s%s><a href=\"",
                          is_number ? " class=\"number\"" : "",
                          descends  ? " aria-sort=\"descending\""
                          : ascends ? " aria-sort=\"ascending\""
                                    : "");
  jme_form_append_query (out, request, "sort", descends ? sort : descending);
  g_string_append_printf (out, "\">%s</a></th>", title);
}

/* The archive can put runs into the order of what it keeps. */
static void
append_more_titles (GString *out, JmeRequest *request, const Shape *shape)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  for (guint i = 0; i < shape->more->len; i++)
    {
      const JmQuantity *column = shape->more->pdata[i];

      if (request == NULL || column->format == JM_FORMAT_TEXT ||
          !jm_run_filter_set_sort (filter, column->name, NULL))
        jme_part_append_column (out, column->title, column->format != JM_FORMAT_TEXT);
      else
        append_order (out, request, column->title, column->name, TRUE);
    }
}

static void
append_titles (GString *out, JmeRequest *request, const Shape *shape)
{
  g_string_append (out, "<thead><tr>");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      if (i == GPU_COLUMN && !shape->has_gpus)
        continue;
      if (i == USER_COLUMN && shape->has_user)
        jme_part_append_column (out, "User", FALSE);
      if (i == VERDICT_COLUMN)
        append_more_titles (out, request, shape);
      if (request != NULL && columns[i].sort != NULL)
        append_order (out, request, columns[i].title, columns[i].sort,
                      columns[i].is_number);
      else
        jme_part_append_column (out, columns[i].title, columns[i].is_number);
    }
  g_string_append (out, "</tr></thead>\n");
}

/* For comparing it with others. */
static void
append_choice (GString *out, const char *uuid, const char *id)
{
  if (uuid == NULL)
    return;

  g_string_append (out,
                   "<input type=\"checkbox\" name=\"" JME_COMPARE_KEY "\" value=\"");
  jme_html_append_escaped (out, uuid);
  g_string_append (out, "\" aria-label=\"Choose job ");
  jme_html_append_escaped (out, id);
  g_string_append (out, "\"> ");
}

/* What it is called, as its user has it, with its cluster where not all are of one. */
static void
append_identity (GString *out, JmRun *run, gboolean has_cluster)
{
  const char *id = jm_run_get_text (run, "jobid");
  const char *uuid = jm_run_get_text (run, "uuid");

  g_string_append (out, "<th scope=\"row\"><span class=\"choice\">");
  append_choice (out, uuid, id);
  jme_part_append_link (out, JME_PAGE_JOB, uuid, id);
  g_string_append (out, "</span>");
  if (has_cluster)
    {
      g_string_append (out, " <span class=\"muted\">");
      jme_html_append_escaped (out, jm_run_get_text (run, "cluster"));
      g_string_append (out, "</span>");
    }
  g_string_append (out, "</th><td class=\"name\">");
  jme_html_append_escaped (out, jm_run_get_text (run, "name"));
  g_string_append (out, "</td>");
}

static void
append_account (GString *out, JmRun *run)
{
  const char *account = jm_run_get_text (run, "account");

  g_string_append (out, "<td>");
  jme_part_append_link (out, JME_PAGE_ACCOUNT,
                        account != NULL && *account != '\0' ? account : NULL, account);
  g_string_append (out, "</td>");
}

static JmFigure
get_gpu_use (JmRun *run)
{
  return jm_run_get_figure (run, "gpu_utilization_percent");
}

static void
append_verdict (GString *out, JmRun *run)
{
  g_string_append (out, "<td class=\"verdict\">");
  jme_html_append_escaped (out, jm_run_get_text (run, "verdict"));
  g_string_append (out, "</td>");
}

static void
append_more (GString *out, JmRun *run, const Shape *shape)
{
  for (guint i = 0; i < shape->more->len; i++)
    {
      const JmQuantity *column = shape->more->pdata[i];
      const JmFigure figure = jm_run_get_figure (run, column->name);

      if (column->format == JM_FORMAT_TEXT)
        jme_html_append_cell (out, jm_run_get_text (run, column->name));
      else if (column->format == JM_FORMAT_TIME)
        jme_part_append_minute_cell (out, (gint64) figure.value);
      else
        jme_part_append_figure_beside (out, figure, column->format,
                                       g_array_index (shape->greatest, double, i));
    }
}

static void
append_figures (GString *out, JmRun *run, const Shape *shape)
{
  jme_part_append_figure_cell (out, jm_run_get_elapsed (run, shape->now),
                               JM_FORMAT_DURATION);
  jme_part_append_figure_cell (out, jm_run_get_figure (run, "cpus"), JM_FORMAT_COUNT);
  jme_part_append_figure_cell (out, jm_run_get_figure (run, "gpus_allocated"),
                               JM_FORMAT_COUNT);
  jme_part_append_share_cell (out, jm_run_get_figure (run, "cpu_efficiency_percent"));
  jme_part_append_share_cell (out, jm_run_get_figure (run, "memory_share_percent"));
  if (shape->has_gpus)
    jme_part_append_share_cell (out, get_gpu_use (run));
  append_more (out, run, shape);
  append_verdict (out, run);
  jme_part_append_figure_beside (out, jm_run_get_figure (run, "energy_joules"),
                                 JM_FORMAT_JOULES, shape->energy);
  jme_part_append_figure_beside (out, jm_run_get_figure (run, "emissions_grams"),
                                 JM_FORMAT_GRAMS, shape->emissions);
}

static void
append_run (GString *out, JmRun *run, const Shape *shape)
{
  const gint64 start = (gint64) jm_run_get_figure (run, "start_time").value;

  g_string_append (out, "<tr>");
  append_identity (out, run, shape->has_cluster);
  if (shape->has_user)
    jme_html_append_cell (out, jm_run_get_text (run, "user"));
  g_string_append (out, "<td>");
  jme_part_append_run_state (out, run);
  g_string_append (out, "</td>");
  jme_part_append_minute_cell (out, start);
  append_figures (out, run, shape);
  append_account (out, run);
  jme_html_append_cell (out, jm_run_get_text (run, "partition"));
  g_string_append (out, "</tr>\n");
}

static void
measure (Shape *shape, JmRun *run)
{
  shape->has_gpus |= get_gpu_use (run).is_known;
  shape->has_estimates |= jm_run_get_figure (run, "energy_joules").is_estimated;
  shape->energy = MAX (shape->energy, jm_run_get_figure (run, "energy_joules").value);
  shape->emissions =
    MAX (shape->emissions, jm_run_get_figure (run, "emissions_grams").value);
  for (guint i = 0; i < shape->more->len; i++)
    {
      const JmQuantity *column = shape->more->pdata[i];
      double *greatest = &g_array_index (shape->greatest, double, i);

      *greatest = MAX (*greatest, jm_run_get_figure (run, column->name).value);
    }
}

static gboolean
are_of_one_cluster (GPtrArray *runs)
{
  for (guint i = 1; i < runs->len; i++)
    if (!g_str_equal (jm_run_get_text (runs->pdata[i], "cluster"),
                      jm_run_get_text (runs->pdata[0], "cluster")))
      return FALSE;

  return runs->len > 0;
}

void
jme_jobs_page_append_runs (GString *out,
                           JmeRequest *request,
                           GPtrArray *chosen,
                           GPtrArray *runs,
                           const char *caption,
                           gboolean has_user)
{
  g_autoptr (GPtrArray) more = list_more (request, chosen);
  g_autoptr (GArray) greatest =
    g_array_sized_new (FALSE, TRUE, sizeof (double), more->len);
  Shape shape = { .has_user = has_user,
                  .has_cluster = !are_of_one_cluster (runs),
                  .more = more,
                  .greatest = g_array_set_size (greatest, more->len),
                  .now = g_get_real_time () / G_USEC_PER_SEC };
  g_autofree char *where =
    shape.has_cluster ? g_strdup (caption)
                      : g_strdup_printf ("%s. Cluster: %s", caption,
                                         jm_run_get_text (runs->pdata[0], "cluster"));

  for (guint i = 0; i < runs->len; i++)
    measure (&shape, runs->pdata[i]);
  g_string_append (out, "<form action=\"" JME_PAGE_COMPARE
                        "\" aria-label=\"Compare runs\">\n");
  jme_html_begin_table (out, "runs", where);
  append_titles (out, request, &shape);
  g_string_append (out, "<tbody>\n");
  for (guint i = 0; i < runs->len; i++)
    append_run (out, runs->pdata[i], &shape);
  jme_part_end_table (out);
  if (shape.has_estimates)
    g_string_append (out, "<p class=\"muted\">" JM_FIGURE_ESTIMATE_MARK
                          " stands before what is estimated, in part or as a "
                          "whole.</p>\n");
  if (runs->len > 1)
    g_string_append (out, "<p><button>Compare chosen runs</button> "
                          "<span class=\"muted\">two to six of them</span></p>\n");
  g_string_append (out, "</form>\n");
}

/* --- a list, a page at a time --- */

static void
append_links (JobsPage *self, const char *next)
{
  GString *out = self->answer->text;
  JmeRequest *request = self->answer->request;
  g_autofree char *cursor = jme_form_get_value (request, "cursor");

  g_string_append (out, "<p class=\"pages\">");
  if (cursor != NULL)
    {
      g_string_append (out, "<a href=\"");
      g_string_append (out, jme_request_get_path (request));
      jme_form_append_query (out, request, NULL, NULL);
      g_string_append (out, "\">From the beginning</a> · ");
    }
  if (next != NULL)
    {
      g_string_append (out, "<a rel=\"next\" href=\"");
      jme_form_append_query (out, request, "cursor", next);
      g_string_append (out, "\">Next page</a> · ");
    }
  g_string_append (out, "<a href=\"/api/v1/jobs");
  jme_form_append_query (out, request, "format", "csv");
  g_string_append (out, "&amp;limit=all");
  if (self->is_own)
    {
      /* the page has no such key */
      g_string_append (out, "&amp;user=");
      g_string_append_uri_escaped (out, self->answer->user, NULL, FALSE);
    }
  g_string_append (out, "\">As a table (CSV)</a></p>\n");
}

/* The next step stands beside it. */
static void
append_nothing (JobsPage *self)
{
  GString *out = self->answer->text;

  if (jme_form_is_narrow (self->answer->request))
    g_string_append (out,
                     "<p>There is no run of that kind that you may see. Choose a "
                     "longer period above, or <a href=\"?\">see all runs</a>.</p>\n");
  else if (self->is_own)
    g_string_append (out,
                     "<p>The archive has no run of yours yet. Your jobs are listed "
                     "here, each with what it used and a verdict, once the server "
                     "has read of them.</p>\n");
  else if (jm_viewer_sees_all (self->answer->viewer))
    g_string_append (out, "<p>The archive has no run yet. <a href=\"" JME_PAGE_ADMIN
                          "\">Administration</a> shows the sources that the server "
                          "reads, and which of them fail.</p>\n");
  else
    g_string_append (out, "<p>The archive has no run yet that you may see: your own, "
                          "and those of accounts that you coordinate.</p>\n");
}

static void
append_list (JobsPage *self, GPtrArray *runs, const char *next)
{
  GString *out = self->answer->text;
  g_autofree char *count = jm_number_count (runs->len, "run");
  g_autofree char *caption =
    g_strdup_printf ("%s%s", count, next != NULL ? "; there are more" : "");

  if (runs->len == 0)
    append_nothing (self);
  else
    jme_jobs_page_append_runs (out, self->answer->request, self->query->columns, runs,
                               caption, !self->is_own);
  append_links (self, next);
}

/* --- runs of one job or name together --- */

static void
append_spread (GString *out, const JmRunMembers *members, JmQuantityId quantity)
{
  const JmQuantity *row = jm_quantity_get (quantity);
  JmFigure figures[3];
  guint n_known;

  if (!jm_run_members_get_spread (members, quantity, figures, &n_known))
    return;

  g_string_append_printf (out, "<tr><th scope=\"row\">%s</th>", row->title);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    jme_part_append_figure_cell (out, figures[i], row->format);
  jme_part_append_number_cell (out, n_known, JM_FORMAT_COUNT);
  g_string_append (out, "</tr>\n");
}

static void
append_spreads (GString *out, const JmRunMembers *members)
{
  static const char *const titles[] = { "Figure", "#Least", "#Median",
                                        "#Most",  "#Jobs",  NULL };

  jme_part_begin_table (out, "spread", "Differences between the jobs", titles);
  for (guint i = 0; i < jm_run_members_n_spread; i++)
    append_spread (out, members, jm_run_members_spread[i]);
  jme_part_end_table (out);
}

/* `Failed: 12_3, 12_7 and 4 more`; nothing where there are none. */
static void
append_named (GString *out, const char *title, GPtrArray *runs, gboolean has_time)
{
  if (runs->len == 0)
    return;

  g_string_append_printf (out, "<p>%s: ", title);
  for (guint i = 0; i < MIN (runs->len, MAX_NAMED); i++)
    {
      g_autofree char *time =
        jm_figure_format (jm_run_get_figure (runs->pdata[i], "elapsed_seconds"),
                          JM_FORMAT_DURATION);

      g_string_append (out, i > 0 ? ", " : "");
      jme_part_append_link (out, JME_PAGE_JOB, jm_run_get_text (runs->pdata[i], "uuid"),
                            jm_run_get_text (runs->pdata[i], "jobid"));
      if (has_time)
        g_string_append_printf (out, " with %s", time);
    }
  if (runs->len > MAX_NAMED)
    g_string_append_printf (out, " and %u more", runs->len - MAX_NAMED);
  g_string_append (out, "</p>\n");
}

static void
append_members (GString *out, GPtrArray *runs, gboolean has_more)
{
  const JmRunMembers members = jm_run_members_of_runs (runs);
  JmFigure usual;
  g_autoptr (GPtrArray) failed = jm_run_members_list_failed (&members);
  g_autoptr (GPtrArray) stragglers = jm_run_members_list_stragglers (&members, &usual);

  g_string_append_printf (out, "<h2>%s%u jobs together</h2>\n",
                          has_more ? "The last " : "All ", runs->len);
  append_spreads (out, &members);
  append_named (out, "Failed", failed, FALSE);
  append_named (out, "Took much longer than the median", stragglers, TRUE);
  g_string_append (out, "<h2>Each of them</h2>\n");
}

/* What a job did when it last ran: a requeued one counts once. */
static GPtrArray *
list_last (GPtrArray *runs)
{
  GPtrArray *last = g_ptr_array_new ();
  g_autoptr (GHashTable) jobs =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < runs->len; i++)
    {
      JmRun *run = runs->pdata[i];
      const char *user = jm_run_get_text (run, "user");
      g_autofree char *job =
        g_strjoin ("\n", jm_run_get_text (run, "cluster"),
                   jm_run_get_text (run, "jobid"), user != NULL ? user : "", NULL);

      if (g_hash_table_add (jobs, g_steal_pointer (&job)))
        g_ptr_array_add (last, run);
    }

  return last;
}

/* Of the tasks of an array, or the parts of a workflow. */
static gboolean
append_summary_of_members (JobsPage *self, GError **error)
{
  JmeAnswer *answer = self->answer;
  g_autoptr (JmRunFilter) filter = jm_run_filter_copy (self->query->filter);
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) last = NULL;

  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);
  if (jm_run_filter_set_cursor (filter, NULL, error) &&
      jm_run_filter_set_sort (filter, "-start", error))
    runs = jm_archive_database_list_runs (answer->store, filter, answer->viewer, &next,
                                          error);
  if (runs == NULL)
    return FALSE;

  last = list_last (runs);
  if (last->len > 1)
    append_members (answer->text, last, next != NULL);

  return TRUE;
}

static gboolean
has_members (JmeAnswer *answer)
{
  g_autofree char *job = jme_form_get_value (answer->request, "job");
  g_autofree char *name = jme_form_get_value (answer->request, "name");

  return job != NULL || name != NULL;
}

static gboolean
append_form (JobsPage *self, GError **error)
{
  return jme_form_append (self->answer,
                          JME_FORM_PERIOD | JME_FORM_CLUSTER | JME_FORM_RUNS |
                            (self->is_own ? 0 : JME_FORM_USER),
                          error);
}

static gboolean
list_runs (JobsPage *self, GError **error)
{
  JmeAnswer *answer = self->answer;
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (answer->store, self->query->filter, answer->viewer,
                                   &next, error);

  if (runs == NULL || !append_form (self, error) ||
      (has_members (answer) && !append_summary_of_members (self, error)))
    return FALSE;
  append_list (self, runs, next);

  return TRUE;
}

/* --- what somebody used lately --- */

static const struct
{
  const char *title;
  JmUsageQuantity amount;
  JmFormat format;
} cards[] = {
  { "Runs that began", JM_USAGE_QUANTITY_RUNS, JM_FORMAT_COUNT },
  { "CPU hours given", JM_USAGE_QUANTITY_CPUS, JME_PART_HOURS },
  { "GPU hours given", JM_USAGE_QUANTITY_GPUS, JME_PART_HOURS },
  { "Energy", JM_USAGE_QUANTITY_ENERGY, JM_FORMAT_JOULES },
  { "CO₂e", JM_USAGE_QUANTITY_EMISSIONS, JM_FORMAT_GRAMS },
};

static void
append_cards (GString *out, JmUsage *usage)
{
  g_string_append_printf (out, "<h2>My last %u days</h2>\n<dl class=\"cards\">\n",
                          SUMMED_DAYS);
  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    jme_part_append_figure_fact (out, cards[i].title,
                                 jme_part_get_amount (usage, cards[i].amount),
                                 cards[i].format);
  g_string_append (out, "</dl>\n");
}

static gboolean
append_summary (JobsPage *self, GError **error)
{
  JmeAnswer *answer = self->answer;
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const char *users[] = { answer->user, NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) usages = NULL;

  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_period (filter, now - SUMMED_DAYS * DAY_SECONDS, 0);
  usages = jm_archive_database_list_usage (answer->store, filter, JM_USAGE_GROUPS_NONE,
                                           answer->viewer, error);
  if (usages == NULL)
    return FALSE;
  if (usages->len > 0 &&
      jme_part_get_amount (usages->pdata[0], JM_USAGE_QUANTITY_RUNS).value > 0)
    append_cards (answer->text, usages->pdata[0]);
  g_string_append (answer->text, "<h2>Runs</h2>\n");

  return TRUE;
}

/* --- answers --- */

/* Whoever chose anything of a list looks for something else. */
static gboolean
is_start_of_administrator (JmeAnswer *answer)
{
  g_auto (GStrv) pairs = jme_request_list_pairs (answer->request);

  return *pairs == NULL && jm_viewer_sees_all (answer->viewer);
}

static gboolean
append_page (JobsPage *self, GError **error)
{
  JmeAnswer *answer = self->answer;
  const char *users[] = { answer->user, NULL };

  g_string_append (answer->text,
                   self->is_own ? "<h1>My jobs</h1>\n" : "<h1>Jobs</h1>\n");
  if (self->is_own)
    jm_run_filter_set_users (self->query->filter, users);
  if (self->is_own &&
      ((is_start_of_administrator (answer) && !jme_worst_runs_append (answer, error)) ||
       !append_summary (self, error)))
    return FALSE;

  if (self->query->by != NULL)
    return append_form (self, error) &&
           jme_run_groups_append (answer, self->query, error);

  return list_runs (self, error);
}

static gboolean
read_query (JobsPage *self, GError **error)
{
  g_autofree char *limit = jme_form_get_value (self->answer->request, "limit");

  if (!jme_archive_query_init (self->query, self->answer->request,
                               self->is_own ? JME_ARCHIVE_PAGE_OF_OWN_RUNS
                                            : JME_ARCHIVE_PAGE_OF_RUNS,
                               error))
    return FALSE;
  if (limit == NULL)
    jm_run_filter_set_limit (self->query->filter, PAGE_RUNS);

  return TRUE;
}

/* What many runs were read for changes slowly. */
static guint
get_refresh_seconds (const JobsPage *self)
{
  if (self->query->by != NULL)
    return 0;

  return self->is_own && is_start_of_administrator (self->answer)
           ? WORST_REFRESH_SECONDS
           : REFRESH_SECONDS;
}

static void
answer_jobs (JmeRequest *request, const JmePages *pages, gboolean is_own)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  JobsPage self = { .answer = &answer, .query = &query, .is_own = is_own };

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (!read_query (&self, &error) || !append_page (&self, &error))
    jme_answer_fail (&answer, error);
  else
    jme_page_reply (&answer,
                    &(JmeHtmlPage){ .title = is_own ? "My jobs" : "Jobs",
                                    .section = is_own ? JME_PAGE_OWN : JME_PAGE_JOBS,
                                    .refresh_seconds = get_refresh_seconds (&self) });
}

void
jme_own_jobs_page_answer (JmeRequest *request, gpointer pages)
{
  answer_jobs (request, pages, TRUE);
}

void
jme_jobs_page_answer (JmeRequest *request, gpointer pages)
{
  answer_jobs (request, pages, FALSE);
}
