/* jm-sibling-runs.c: the runs of an archive that a run is compared with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "archive/jm-archive.h"
#include "archive/jm-run-filter-private.h"
#include "base/jm-error.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-private.h"
#include "judge/jm-run-report-private.h"
#include "judge/jm-run-suggestion-private.h"

/* The last ones say most of how a job is now, and a queue. */
#define MAX_RUNS 200
#define MAX_WAITS 500
#define WAIT_DAYS 30
/* Of a run that is not submitted yet, as queues change. */
#define SUGGESTION_WAIT_DAYS 7
#define DAY_SECONDS 86400

/* The runs of the same job that began before the run ended. NULL where it has not
 * begun, or nobody knows whose it is or what it is called. */
static JmRunFilter *
make_sibling_filter (JmRun *run)
{
  static const char *const complete[] = { "COMPLETED", "ENDED", NULL };
  const char *users[] = { jm_run_peek_text (run, JM_RUN_FIELD_USER), NULL };
  const char *name = jm_run_peek_text (run, JM_RUN_FIELD_NAME);
  const gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);
  const gint64 end = jm_run_peek (run, JM_RUN_FIELD_END_TIME);
  JmRunFilter *filter;

  if (users[0] == NULL || name == NULL || start <= 0)
    return NULL;

  filter = jm_run_filter_new ();
  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_cluster (filter, jm_run_get_cluster (run));
  jm_run_filter_set_name (filter, name);
  jm_run_filter_set_states (filter, complete);
  jm_run_filter_set_period (filter, MAX (start - JM_RUN_SUGGESTION_MAX_AGE, 1), end);
  jm_run_filter_set_sort (filter, "-end", NULL);
  jm_run_filter_set_limit (filter, MAX_RUNS);

  return filter;
}

/* The runs of its partition, of several the first, that began lately. NULL where none
 * is known. */
static JmRunFilter *
make_wait_filter (JmRun *run, guint days)
{
  const char *partitions = jm_run_peek_text (run, JM_RUN_FIELD_PARTITION);
  g_auto (GStrv) names = g_strsplit (partitions != NULL ? partitions : "", ",", 2);
  JmRunFilter *filter;

  if (names[0] == NULL)
    return NULL;

  filter = jm_run_filter_new ();
  jm_run_filter_set_cluster (filter, jm_run_get_cluster (run));
  jm_run_filter_set_partition (filter, names[0]);
  jm_run_filter_set_started_since (filter, g_get_real_time () / G_USEC_PER_SEC -
                                             (gint64) days * DAY_SECONDS);
  jm_run_filter_set_sort (filter, "-start", NULL);
  jm_run_filter_set_limit (filter, MAX_WAITS);

  return filter;
}

/* What runs are looked for, or NULL, and whom they are given to. */
typedef struct
{
  JmRunFilter *filter;
  JmRunReport *report;
  JmRunSuggestion *suggestion;
} Search;

static Search
search_for_report (JmRunReport *report)
{
  JmRun *run = jm_run_report_get_run (report);

  return (Search){ .filter = jm_run_derived_is_waiting (run)
                               ? make_wait_filter (run, WAIT_DAYS)
                               : make_sibling_filter (run),
                   .report = report };
}

/* With fewer runs nothing is suggested. */
static Search
search_for_suggestion (JmRunSuggestion *suggestion)
{
  return (Search){ .filter =
                     suggestion->n_runs >= JM_RUN_SUGGESTION_MIN_RUNS
                       ? make_wait_filter (suggestion->last, SUGGESTION_WAIT_DAYS)
                       : NULL,
                   .suggestion = suggestion };
}

static void
set_runs (const Search *search, GPtrArray *runs)
{
  if (search->suggestion != NULL)
    jm_run_suggestion_set_waits (search->suggestion, runs);
  else if (jm_run_derived_is_waiting (jm_run_report_get_run (search->report)))
    jm_run_report_set_waits (search->report, runs);
  else
    jm_run_report_set_siblings (search->report, runs);
}

static gboolean
search_archive (JmArchive *self,
                const Search *search,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (JmRunFilter) filter = search->filter;
  g_autoptr (GPtrArray) runs = NULL;

  if (filter == NULL)
    return TRUE;
  runs = jm_archive_list_runs (self, filter, jm_run_filter_get_limit (filter),
                               cancellable, error);
  if (runs != NULL)
    set_runs (search, runs);

  return runs != NULL;
}

/* The first page has as many as are compared. */
static gboolean
search_database (JmArchiveDatabase *self,
                 const Search *search,
                 JmViewer *viewer,
                 GError **error)
{
  g_autoptr (JmRunFilter) filter = search->filter;
  g_autoptr (GPtrArray) runs = NULL;
  char *next = NULL;

  if (filter == NULL)
    return TRUE;
  runs = jm_archive_database_list_runs (self, filter, viewer, &next, error);
  g_free (next);
  if (runs != NULL)
    set_runs (search, runs);

  return runs != NULL;
}

/**
 * jm_archive_add_siblings:
 * @self: an archive
 * @report: a report that is not shared yet
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Compares the run of a report with the complete runs of the same user, cluster, job
 * name and size of the 180 days before it, as far as one may see them: the figures
 * `siblings`, `usual_elapsed_seconds` and so on of the report are known where there are
 * five or more. A run that waits is compared with the runs that began in its partition
 * in the last 30 days: `usual_wait_seconds`, `expected_start_time` and so on.
 *
 * - Errors: those of jm_archive_read_runs(); the report is as good as before.
 *
 * Returns: whether they could be read, or there is nothing to read
 * Since: 0.1
 */
gboolean
jm_archive_add_siblings (JmArchive *self,
                         JmRunReport *report,
                         GCancellable *cancellable,
                         GError **error)
{
  Search search;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), FALSE);
  g_return_val_if_fail (report != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  search = search_for_report (report);

  return search_archive (self, &search, cancellable, error);
}

gboolean
jm_archive_database_add_siblings (JmArchiveDatabase *self,
                                  JmRunReport *report,
                                  JmViewer *viewer,
                                  GError **error)
{
  const Search search = search_for_report (report);

  return search_database (self, &search, viewer, error);
}

/* --- a run that is not submitted yet --- */

gboolean
jm_archive_database_add_waits (JmArchiveDatabase *self,
                               JmRunSuggestion *suggestion,
                               JmViewer *viewer,
                               GError **error)
{
  const Search search = search_for_suggestion (suggestion);

  return search_database (self, &search, viewer, error);
}

/* --- a suggestion --- */

/* The runs of a job, the last to end first; of any job for a @name of NULL. */
static GPtrArray *
list_runs_of_job (JmArchive *self,
                  const char *user,
                  const char *cluster,
                  const char *name,
                  guint limit,
                  GCancellable *cancellable,
                  GError **error)
{
  const char *const users[] = { user, NULL };
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;

  jm_run_filter_set_users (filter, users);
  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_name (filter, name);
  jm_run_filter_set_period (filter,
                            g_get_real_time () / G_USEC_PER_SEC -
                              JM_RUN_SUGGESTION_MAX_AGE,
                            0);
  runs = jm_archive_list_runs (self, filter, limit, cancellable, error);
  if (runs == NULL || runs->len > 0)
    return g_steal_pointer (&runs);

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "the archive has no run of %s%s%s in the last 180 days", user,
               name != NULL ? " called " : "", name != NULL ? name : "");

  return NULL;
}

/* NULL with an error where there is none, or it has no name. */
static char *
find_last_name (JmArchive *self,
                const char *user,
                const char *cluster,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (GPtrArray) runs =
    list_runs_of_job (self, user, cluster, NULL, 1, cancellable, error);
  const char *name = runs != NULL ? jm_run_get_text (runs->pdata[0], "name") : NULL;

  if (runs != NULL && name == NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT, "the last run has no name");

  return g_strdup (name);
}

/* It is good without the waits, unless nobody waits for it any more. */
static JmRunSuggestion *
suggest_by_runs (JmArchive *self,
                 const char *user,
                 const char *cluster,
                 const char *name,
                 double confidence,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GPtrArray) runs =
    list_runs_of_job (self, user, cluster, name, JM_RUN_SUGGESTION_MAX_RUNS,
                      cancellable, error);
  g_autoptr (JmRunSuggestion) suggestion = NULL;
  g_autoptr (GError) problem = NULL;
  Search search;

  if (runs == NULL)
    return NULL;
  suggestion = jm_run_suggestion_new (runs, confidence);
  search = search_for_suggestion (suggestion);
  if (!search_archive (self, &search, cancellable, &problem))
    g_debug ("the wait of the next run is unknown: %s", problem->message);

  return g_cancellable_set_error_if_cancelled (cancellable, error)
           ? NULL
           : g_steal_pointer (&suggestion);
}

/* By one request. A server does not distinguish a job that has no runs from one of
 * which none has ended. */
static JmRunSuggestion *
suggest_by_server (JmArchive *self,
                   const char *user,
                   const char *cluster,
                   const char *name,
                   double confidence,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (JmRunSuggestion) suggestion =
    JM_ARCHIVE_GET_IFACE (self)->suggest (self, user, cluster, name, confidence,
                                          cancellable, error);
  g_autoptr (GPtrArray) any = NULL;

  if (suggestion == NULL || jm_run_suggestion_get_n_runs (suggestion) > 0)
    return g_steal_pointer (&suggestion);
  any = list_runs_of_job (self, user, cluster, name, 1, cancellable, error);

  return any != NULL ? g_steal_pointer (&suggestion) : NULL;
}

/**
 * jm_archive_suggest:
 * @self: an archive
 * @user: (nullable): whose runs; %NULL for one's own
 * @cluster: (nullable): where; %NULL for where the last run was
 * @name: (nullable): the name of a job; %NULL for that of the last run
 * @confidence: the share of runs that a request should suffice for, from 0.5 to 0.99,
 *   such as %JM_RUN_SUGGESTION_CONFIDENCE
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Finds what the next run of a job should ask for, and how long it would wait, by the
 * runs of the last 180 days that one may see. A server makes the suggestion itself.
 *
 * - Errors: %JM_ERROR_ABSENT where there is no such run, %JM_ERROR_INVALID for any
 *   other confidence; else those of jm_archive_read_runs(). Waits that cannot be read
 * are absent.
 *
 * Returns: (transfer full): the suggestion
 * Since: 0.1
 */
JmRunSuggestion *
jm_archive_suggest (JmArchive *self,
                    const char *user,
                    const char *cluster,
                    const char *name,
                    double confidence,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autofree char *last = NULL;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!(confidence >= JM_RUN_SUGGESTION_LEAST_CONFIDENCE &&
        confidence <= JM_RUN_SUGGESTION_MOST_CONFIDENCE))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "the confidence is not from 0.5 to 0.99: %g", confidence);
      return NULL;
    }
  if (user == NULL)
    user = jm_archive_get_user (self);
  if (name == NULL)
    name = last = find_last_name (self, user, cluster, cancellable, error);
  if (name == NULL)
    return NULL;

  return JM_ARCHIVE_GET_IFACE (self)->suggest != NULL
           ? suggest_by_server (self, user, cluster, name, confidence, cancellable,
                                error)
           : suggest_by_runs (self, user, cluster, name, confidence, cancellable,
                              error);
}
