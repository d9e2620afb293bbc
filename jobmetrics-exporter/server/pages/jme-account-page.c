/* jme-account-page.c: accounts on pages
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "base/jm-error.h"
#include "server/jme-archive-query.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-usage-table.h"

#define PAGE_NAMES 100
#define REFRESH_SECONDS 300

/* --- all accounts --- */

static void
append_listing (GString *out, JmListing *listing)
{
  const char *name = jm_listing_get_name (listing);
  double n_runs = (double) jm_listing_get_n_runs (listing);

  g_string_append (out, "<tr><th scope=\"row\">");
  jme_part_append_link (out, JME_PAGE_ACCOUNT, name, name);
  g_string_append (out, "</th>");
  jme_part_append_figure_cell (out, jm_figure_known (n_runs), JM_FORMAT_COUNT);
  jme_part_append_day_cell (out, jm_listing_get_first_day (listing));
  jme_part_append_day_cell (out, jm_listing_get_last_day (listing));
  g_string_append (out, "</tr>\n");
}

static void
append_accounts (GString *out, GPtrArray *list)
{
  jme_part_begin_table (out, "accounts", "Accounts that had runs, by name",
                        (const char *const[]){ "Account", "#Runs", "First day",
                                               "Last day", NULL });
  for (guint i = 0; i < list->len; i++)
    append_listing (out, list->pdata[i]);
  jme_part_end_table (out);
}

static gboolean
list_accounts (JmeAnswer *answer, JmeArchiveQuery *query, GError **error)
{
  GString *out = answer->text;
  g_autoptr (GPtrArray) list = NULL;
  gboolean has_more;

  jm_run_filter_set_limit (query->filter, PAGE_NAMES);
  list = jm_archive_database_list_names (answer->store, JM_USAGE_GROUPS_ACCOUNT,
                                         query->filter, query->after, answer->viewer,
                                         &has_more, error);
  if (list == NULL)
    return FALSE;

  g_string_append (out, "<h1>Accounts</h1>\n<p><a href=\"" JME_PAGE_GOODPUT
                        "\">Productive and lost hours</a></p>\n");
  if (list->len > 0)
    append_accounts (out, list);
  else
    g_string_append (out,
                     "<p>There is no account with runs that you may see. An account "
                     "is listed once a job of it is in the archive: your own, or "
                     "one of an account that you coordinate.</p>\n");
  if (has_more)
    {
      g_string_append (out, "<p class=\"pages\"><a rel=\"next\" href=\"");
      jme_form_append_query (out, answer->request, "cursor",
                             jm_listing_get_name (list->pdata[list->len - 1]));
      g_string_append (out, "\">Next page</a></p>\n");
    }

  return TRUE;
}

void
jme_archive_page_answer (JmeRequest *request, gpointer pages)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_PAGE_OF_NAMES, &error) ||
      !list_accounts (&answer, &query, &error))
    jme_answer_fail (&answer, error);
  else
    jme_page_reply (&answer, &(JmeHtmlPage){ .title = "Accounts",
                                             .section = JME_PAGE_ACCOUNTS });
}

/* --- one account --- */

/* One of which somebody may see no run, be it one that waits, is to them as one that
 * never was. */
static gboolean
is_there (JmeAnswer *answer, const char *const *accounts, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  jm_run_filter_set_accounts (filter, accounts);
  jm_run_filter_set_limit (filter, 1);
  runs =
    jm_archive_database_list_runs (answer->store, filter, answer->viewer, &next, error);
  if (runs == NULL || runs->len > 0)
    return runs != NULL;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "no account of that name has runs that you may see");

  return FALSE;
}

static void
append_statistic (GString *out,
                  JmRunStatistics *row,
                  const char *term,
                  JmRunStatistic statistic,
                  JmFormat format)
{
  double value;

  if (jm_run_statistics_get_value (row, statistic, &value))
    jme_part_append_figure_fact (out, term, jm_figure_known (value), format);
}

static void
append_ends (GString *out, JmRunStatistics *row)
{
  static const struct
  {
    const char *term;
    JmRunStatistic statistic;
    JmFormat format;
  } facts[] = {
    { "Completed", JM_RUN_STATISTIC_COMPLETED, JM_FORMAT_COUNT },
    { "Failed", JM_RUN_STATISTIC_FAILED, JM_FORMAT_COUNT },
    { "Timeout", JM_RUN_STATISTIC_TIMEOUT, JM_FORMAT_COUNT },
    { "Out of memory", JM_RUN_STATISTIC_OUT_OF_MEMORY, JM_FORMAT_COUNT },
    { "Cancelled", JM_RUN_STATISTIC_CANCELLED, JM_FORMAT_COUNT },
    { "Half waited at most", JM_RUN_STATISTIC_WAIT_MEDIAN, JM_FORMAT_DURATION },
    { "CPU hours unused", JM_RUN_STATISTIC_CPUS_UNUSED, JME_PART_HOURS },
    { "Memory unused", JM_RUN_STATISTIC_MEMORY_UNUSED, JM_FORMAT_BYTE_SECONDS },
    { "Energy of failed runs", JM_RUN_STATISTIC_ENERGY_LOST, JM_FORMAT_JOULES },
    { "CO₂e of failed runs", JM_RUN_STATISTIC_EMISSIONS_LOST, JM_FORMAT_GRAMS },
  };

  g_string_append (out, "<dl class=\"facts\">\n");
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    append_statistic (out, row, facts[i].term, facts[i].statistic, facts[i].format);
  g_string_append (out, "</dl>\n");
}

static JmFigure
get_share (JmRunStatistics *row, JmRunStatistic statistic)
{
  double ratio;

  return jm_run_statistics_get_value (row, statistic, &ratio)
           ? jm_figure_known (ratio * 100)
           : (JmFigure){ 0 };
}

static gboolean
append_efficiency (JmeAnswer *answer, JmeArchiveQuery *query, GError **error)
{
  GString *out = answer->text;
  g_autoptr (GPtrArray) rows =
    jm_archive_database_list_statistics (answer->store, query->filter, query->since,
                                         query->until, JM_USAGE_GROUPS_NONE,
                                         answer->viewer, error);
  double n;

  if (rows == NULL)
    return FALSE;
  if (rows->len == 0 ||
      !jm_run_statistics_get_value (rows->pdata[0], JM_RUN_STATISTIC_RUNS, &n) ||
      n <= 0)
    return TRUE;

  g_string_append_printf (out,
                          "<h2>The %.0f runs that ended</h2>\n"
                          "<div class=\"gauges\">\n",
                          n);
  jme_part_append_gauge (out, "of-cpu", "CPU",
                         get_share (rows->pdata[0], JM_RUN_STATISTIC_CPU_EFFICIENCY),
                         "CPU time, of the time of all their CPUs");
  jme_part_append_gauge (out, "of-memory", "Memory",
                         get_share (rows->pdata[0], JM_RUN_STATISTIC_MEMORY_EFFICIENCY),
                         "Peak, of the memory that runs on one node were given");
  g_string_append (out, "</div>\n");
  append_ends (out, rows->pdata[0]);

  return TRUE;
}

static gboolean
append_account (JmeAnswer *answer,
                JmeArchiveQuery *query,
                const char *account,
                GError **error)
{
  GString *out = answer->text;
  const char *accounts[] = { account, NULL };

  if (!is_there (answer, accounts, error))
    return FALSE;

  jm_run_filter_set_accounts (query->filter, accounts);
  jme_usage_table_set_preset_period (query);
  g_string_append (out, "<h1>Account ");
  jme_html_append_escaped (out, account);
  g_string_append (out, "</h1>\n<p>What you may see of it, the last 30 days unless you "
                        "choose others. ");
  jme_part_append_link (out, JME_PAGE_JOBS "?account=", account, "Its jobs");
  g_string_append (out, "</p>\n");

  return jme_form_append (answer, JME_FORM_PERIOD | JME_FORM_CLUSTER, error) &&
         jme_usage_table_append_sum (answer, query->filter, error) &&
         append_efficiency (answer, query, error) &&
         jme_usage_table_append_goodput (answer, query, error) &&
         jme_usage_table_append_days (answer, query->filter, FALSE, error) &&
         jme_usage_table_append_names (answer, query->filter, JM_USAGE_GROUPS_USER,
                                       "User", JME_PAGE_JOBS "?user=", error);
}

void
jme_account_page_answer (JmeRequest *request, gpointer pages)
{
  static const JmeHtmlLink above[] = { { JME_PAGE_ACCOUNTS, "Accounts" }, { NULL } };
  const char *account = jme_request_get_path (request) + strlen (JME_PAGE_ACCOUNT);
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_PAGE_OF_SUMS, &error) ||
      !append_account (&answer, &query, account, &error))
    jme_answer_fail (&answer, error);
  else
    jme_page_reply (&answer, &(JmeHtmlPage){ .title = account,
                                             .section = JME_PAGE_ACCOUNTS,
                                             .above = above,
                                             .refresh_seconds = REFRESH_SECONDS });
}
