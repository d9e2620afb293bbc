/* jm-archive.c: a site's store of runs, as one person may read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-private.h"

#include "base/jm-error.h"
#include "core/jm-run-field-private.h"
#include "core/jm-tsdb-series.h"
#include "judge/jm-run-report-private.h"

/* Of an array all tasks are called so; the newest thousand are enough. */
#define MAX_RUNS_OF_JOB 1000

/**
 * JmArchive:
 *
 * A site's store of runs, as one person may read it: a database, or a server over HTTP.
 * Its calls wait for the answer; it belongs to one thread.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (JmArchive, jm_archive, G_TYPE_OBJECT)

static void
jm_archive_default_init (JmArchiveInterface *iface)
{
}

/**
 * jm_archive_open:
 * @place: a server, `https://HOST` or `unix:PATH` of its local socket; else the URI of a
 *   database: a file of SQLite, or `postgresql://...`
 * @login_file: (nullable): a file with lines `username=NAME` and `password=TEXT` that
 *   the server knows
 * @ca_file: (nullable): the CA certificates that the server's is verified against;
 *   %NULL for the system's
 * @error: return location for an error
 *
 * Opens an archive for reading. Of a server one sees what the server lets one see, of a
 * database all.
 *
 * - Errors: %JM_ERROR_ABSENT, %JM_ERROR_DENIED and %JM_ERROR_UNAVAILABLE of a database,
 *   and of the login file; %JM_ERROR_INVALID for an address that is none.
 *
 * Returns: (transfer full): the archive
 * Since: 0.1
 */
JmArchive *
jm_archive_open (const char *place,
                 const char *login_file,
                 const char *ca_file,
                 GError **error)
{
  g_return_val_if_fail (place != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return jm_archive_is_server (place)
           ? jm_archive_open_server (place, login_file, ca_file, error)
           : jm_archive_open_database (place, error);
}

/* Gets what messages call it. It has no password in it.
 *
 * Returns the name. */
const char *
jm_archive_get_name (JmArchive *self)
{
  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);

  return JM_ARCHIVE_GET_IFACE (self)->get_name (self);
}

/**
 * jm_archive_get_user:
 * @self: an archive
 *
 * Gets whose runs are one's own there: the user that the login names, else the calling
 * one.
 *
 * Returns: the user's name
 * Since: 0.1
 */
const char *
jm_archive_get_user (JmArchive *self)
{
  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);

  return JM_ARCHIVE_GET_IFACE (self)->get_user (self);
}

/**
 * jm_archive_get_url:
 * @self: an archive
 *
 * Gets where its pages are; that of a run is behind it, at `/job/UUID`.
 *
 * Returns: (nullable): the URL without a `/` at its end; %NULL where there are none
 * Since: 0.1
 */
const char *
jm_archive_get_url (JmArchive *self)
{
  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);

  return JM_ARCHIVE_GET_IFACE (self)->get_url (self);
}

/* --- many runs --- */

/* A page must lead on, lest the same is asked for without an end. It may be empty where
 * none of many runs had the node that is asked for. */
static gboolean
check_page (JmArchive *self,
            GPtrArray *runs,
            guint limit,
            const char *cursor,
            const char *next,
            GError **error)
{
  if (runs->len <= limit && (next == NULL || g_strcmp0 (next, cursor) != 0))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: a page leads nowhere",
               jm_archive_get_name (self));

  return FALSE;
}

gboolean
jm_archive_read_first_runs (JmArchive *self,
                            JmRunFilter *filter,
                            const JmRunBounds *bounds,
                            JmRunFunc func,
                            gpointer user_data,
                            gboolean *has_more,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autofree char *cursor = NULL;
  guint n_read = 0;
  guint n_pages = 0;

  do
    {
      const guint limit = MIN (bounds->n_runs - n_read, JM_RUN_FILTER_MAX_LIMIT);
      g_autofree char *next = NULL;
      g_autoptr (GPtrArray) runs =
        JM_ARCHIVE_GET_IFACE (self)->list_runs (self, filter, limit, cursor, &next,
                                                cancellable, error);

      if (runs == NULL || !check_page (self, runs, limit, cursor, next, error))
        return FALSE;
      for (guint i = 0; i < runs->len; i++)
        func (runs->pdata[i], user_data);
      n_read += runs->len;
      n_pages++;
      g_free (cursor);
      cursor = g_steal_pointer (&next);
    }
  while (cursor != NULL && n_read < bounds->n_runs && n_pages < bounds->n_pages);
  *has_more = cursor != NULL;

  return TRUE;
}

/**
 * jm_archive_read_runs:
 * @self: an archive
 * @filter: which runs, and in which order; without a cursor, and the length of its
 *   pages does not count
 * @max: how many runs at most; 0 for all
 * @func: (scope call): is called for each of them
 * @user_data: data for @func
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Reads runs page by page, without holding all of them. Where it fails, @func may have
 * been called for some.
 *
 * - Errors: %JM_ERROR_DENIED, %JM_ERROR_UNAVAILABLE, %JM_ERROR_MALFORMED.
 *
 * Returns: whether all could be read
 * Since: 0.1
 */
gboolean
jm_archive_read_runs (JmArchive *self,
                      JmRunFilter *filter,
                      guint max,
                      JmRunFunc func,
                      gpointer user_data,
                      GCancellable *cancellable,
                      GError **error)
{
  const JmRunBounds bounds = { max > 0 ? max : G_MAXUINT, G_MAXUINT };
  gboolean has_more;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), FALSE);
  g_return_val_if_fail (filter != NULL, FALSE);
  g_return_val_if_fail (func != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return jm_archive_read_first_runs (self, filter, &bounds, func, user_data, &has_more,
                                     cancellable, error);
}

static void
keep_run (JmRun *run, gpointer runs)
{
  g_ptr_array_add (runs, jm_run_ref (run));
}

/**
 * jm_archive_list_runs:
 * @self: an archive
 * @filter: which runs, and in which order; without a cursor, and the length of its
 *   pages does not count
 * @max: how many runs at most; 0 for all
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Lists runs; of very many, jm_archive_read_runs() does not hold all at once.
 *
 * - Errors: those of jm_archive_read_runs().
 *
 * Returns: (transfer container) (element-type JmRun): the runs
 * Since: 0.1
 */
GPtrArray *
jm_archive_list_runs (JmArchive *self,
                      JmRunFilter *filter,
                      guint max,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (GPtrArray) runs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);

  return jm_archive_read_runs (self, filter, max, keep_run, runs, cancellable, error)
           ? g_steal_pointer (&runs)
           : NULL;
}

/**
 * jm_archive_list_usage:
 * @self: an archive
 * @filter: of which runs; clusters, users, accounts, partition and period count
 * @groups: what the sums are kept apart by
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Adds up what runs had, by whole days of UTC.
 *
 * - Errors: %JM_ERROR_INVALID for groups by month, name, node or state; those of
 * jm_archive_read_runs().
 *
 * Returns: (transfer container) (element-type JmUsage): the sums
 * Since: 0.1
 */
GPtrArray *
jm_archive_list_usage (JmArchive *self,
                       JmRunFilter *filter,
                       JmUsageGroups groups,
                       GCancellable *cancellable,
                       GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (filter != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if ((groups & (JM_USAGE_GROUPS_MONTH | JM_USAGE_GROUPS_NAME | JM_USAGE_GROUPS_NODE |
                 JM_USAGE_GROUPS_STATE)) != 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "sums of days are not by month, name, node and state");
      return NULL;
    }

  return JM_ARCHIVE_GET_IFACE (self)->list_usage (self, filter, groups, cancellable,
                                                  error);
}

/* --- one run --- */

/**
 * jm_archive_find_run:
 * @self: an archive
 * @uuid: any uuid of a run
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Finds a run, and reads its parts: steps, nodes, devices, and its energy in detail.
 *
 * - Errors: %JM_ERROR_ABSENT where there is none that one may see; else those of
 *   jm_archive_read_runs().
 *
 * Returns: (transfer full): the run
 * Since: 0.1
 */
JmRun *
jm_archive_find_run (JmArchive *self,
                     const char *uuid,
                     GCancellable *cancellable,
                     GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (uuid != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return JM_ARCHIVE_GET_IFACE (self)->find_run (self, uuid, cancellable, error);
}

typedef struct
{
  const char *job; /* NULL for any */
  JmRun *newest;
  gboolean is_exact; /* it is that job itself, not one of its array */
  guint n_runs;
} Choice;

static gint64
get_time (JmRun *run)
{
  gint64 time = 0;

  if (!jm_run_get_number (run, JM_RUN_FIELD_START_TIME, &time))
    jm_run_get_number (run, JM_RUN_FIELD_SUBMIT_TIME, &time);

  return time;
}

static void
choose (JmRun *run, gpointer data)
{
  Choice *self = data;
  const gboolean is_exact = g_strcmp0 (jm_run_get_text (run, "jobid"), self->job) == 0;

  self->n_runs++;
  if (self->newest != NULL &&
      (is_exact != self->is_exact ? self->is_exact
                                  : get_time (run) <= get_time (self->newest)))
    return;

  g_clear_pointer (&self->newest, jm_run_unref);
  self->newest = jm_run_ref (run);
  self->is_exact = is_exact;
}

static JmRunFilter *
make_filter_of_job (JmArchive *self, const char *job, const char *cluster)
{
  const char *const own[] = { jm_archive_get_user (self), NULL };
  JmRunFilter *filter = jm_run_filter_new ();

  jm_run_filter_set_sort (filter, "-start", NULL);
  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_job (filter, job);
  if (job == NULL)
    jm_run_filter_set_users (filter, own);

  return filter;
}

/**
 * jm_archive_find_job:
 * @self: an archive
 * @job: (nullable): a job's id as users see it, such as `12`, `12_3` or `12+1`; %NULL
 *   for any of one's own
 * @cluster: (nullable): its cluster; %NULL for any
 * @n_runs: (out) (optional): return location for how many runs there are of that job,
 *   of which an id that came again, a requeue and an array have several
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Finds the newest run of a job, without its parts: jm_archive_find_run() reads these.
 *
 * - Errors: %JM_ERROR_ABSENT where there is none; else those of jm_archive_read_runs().
 *
 * Returns: (transfer full): the run
 * Since: 0.1
 */
JmRun *
jm_archive_find_job (JmArchive *self,
                     const char *job,
                     const char *cluster,
                     guint *n_runs,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (JmRunFilter) filter = NULL;
  Choice choice = { .job = job };

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  filter = make_filter_of_job (self, job, cluster);
  if (!jm_archive_read_runs (self, filter, job != NULL ? MAX_RUNS_OF_JOB : 1, choose,
                             &choice, cancellable, error))
    g_clear_pointer (&choice.newest, jm_run_unref);
  else if (choice.newest == NULL && job != NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                 "%s: no such job in the archive that you may see", job);
  else if (choice.newest == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "the archive has no run of %s",
                 jm_archive_get_user (self));
  if (n_runs != NULL)
    *n_runs = choice.n_runs;

  return choice.newest;
}

/**
 * jm_archive_read_report:
 * @self: an archive
 * @uuid: any uuid of a run
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Puts together all that the archive knows of a run: itself, its parts, and the records
 * of its nodes.
 *
 * - Errors: those of jm_archive_find_run().
 *
 * Returns: (transfer full): the report
 * Since: 0.1
 */
JmRunReport *
jm_archive_read_report (JmArchive *self,
                        const char *uuid,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (JmRun) run = jm_archive_find_run (self, uuid, cancellable, error);
  g_autoptr (GPtrArray) records = NULL;

  if (run == NULL)
    return NULL;
  records = JM_ARCHIVE_GET_IFACE (self)->list_records (self, run, cancellable, error);

  return records != NULL ? jm_run_report_new (run, records) : NULL;
}

/**
 * jm_archive_add_series:
 * @self: an archive
 * @report: a report that is not shared yet
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Adds what a time series database has of the run's course, where no node has recorded
 * it.
 *
 * - Errors: those of jm_archive_read_runs(); the report is as good as before.
 *
 * Returns: whether it could be read, or there is nothing to read
 * Since: 0.1
 */
gboolean
jm_archive_add_series (JmArchive *self,
                       JmRunReport *report,
                       GCancellable *cancellable,
                       GError **error)
{
  JmArchiveInterface *iface;
  JmRun *run;
  g_autoptr (GPtrArray) series = NULL;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), FALSE);
  g_return_val_if_fail (report != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  iface = JM_ARCHIVE_GET_IFACE (self);
  run = jm_run_report_get_run (report);
  if (iface->list_series == NULL || !jm_run_report_wants_series (report) ||
      jm_run_peek_text (run, JM_RUN_FIELD_UUID) == NULL)
    return TRUE;

  series = iface->list_series (self, run, cancellable, error);
  if (series != NULL)
    jm_run_report_set_series (report, series);

  return series != NULL;
}

/**
 * jm_archive_refresh:
 * @self: an archive
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Has a server read soon what happened just now, as administrators may. A database is
 * as it is.
 *
 * - Errors: %JM_ERROR_DENIED for others, %JM_ERROR_UNAVAILABLE.
 *
 * Returns: whether it does
 * Since: 0.1
 */
gboolean
jm_archive_refresh (JmArchive *self, GCancellable *cancellable, GError **error)
{
  JmArchiveInterface *iface;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  iface = JM_ARCHIVE_GET_IFACE (self);

  return iface->refresh == NULL || iface->refresh (self, cancellable, error);
}

/**
 * jm_archive_keep_run:
 * @self: an archive
 * @uuid: a uuid of a run that goes on
 * @seconds: for how long, 604800 at most; 0 ends what was kept
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Keeps a run from the policies on idle runs, as its owner and administrators may.
 *
 * - Errors: %JM_ERROR_ABSENT where there is no such run that goes on, %JM_ERROR_DENIED
 *   for others, and where the archive is no server.
 *
 * Returns: whether it is kept
 * Since: 0.1
 */
gboolean
jm_archive_keep_run (JmArchive *self,
                     const char *uuid,
                     guint seconds,
                     GCancellable *cancellable,
                     GError **error)
{
  JmArchiveInterface *iface;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), FALSE);
  g_return_val_if_fail (uuid != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  iface = JM_ARCHIVE_GET_IFACE (self);
  if (iface->keep_run != NULL)
    return iface->keep_run (self, uuid, seconds, cancellable, error);

  g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
               "%s: runs are kept by a server alone (--server=URL)",
               jm_archive_get_name (self));

  return FALSE;
}
