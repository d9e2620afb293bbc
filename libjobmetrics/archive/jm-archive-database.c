/* jm-archive-database.c: the archive of a site's runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-database-private.h"

#include "archive/jm-archive-schema-private.h"
#include "archive/jm-run-foreign-private.h"
#include "archive/jm-run-group-private.h"
#include "archive/jm-run-reader-private.h"
#include "archive/jm-run-sight-private.h"
#include "archive/jm-run-upkeep-private.h"
#include "archive/jm-run-writer-private.h"
#include "base/jm-error.h"
#include "core/jm-run-private.h"

/* The tables, which anybody with SQL may read:
 *
 * - `run` has one row for each run of a job, on however many nodes. A run is identified
 *   by its cluster, the scheduler's own id and `moment`: its begin, or
 *   minus its submission where it has not begun. `sources` has for each field, at the
 *   place of its row, where it comes from, as the number of a #JmRunSource.
 * - `alias` has further uuids: of the submission of a run that has begun, of its begin
 *   where it goes by the scheduler's unique id. A weak uuid is in neither table.
 * - `run_step`, `run_node`, `run_device`, `run_energy` have the parts of runs, by the
 *   node and the ledger's key of the run; what the accounting has is of no node.
 * - `usage_daily` has sums by day, cluster, user, account and partition. What a run
 *   adds to it is a function of its row in `run` alone: when that changes, what it had
 *   added is taken away and what it adds now is added, in the same transaction. It
 *   outlives the runs: what they had added stays when they are deleted.
 * - `job_state` has the history of jobs, `ingest_position` how far sources were read,
 *   `person`, `project` and `member` who may see what.
 *
 * All times are seconds since 1970, but for `time_us`; units are part of names. */

/* The archive of a site's runs, of all its clusters: in a file (SQLite) or on a server
 * (PostgreSQL). One program writes it at a time, and any number reads it; each object
 * belongs to one thread at a time.
 *
 * What sources say of the same run is put together: of who and when it was, the
 * scheduler's accounting is believed first; of what it used, the ledgers of its nodes,
 * then a time series database, then the accounting. What was said before may be said
 * again: nothing changes. All of a JmRunBatch is stored, or nothing. */
struct _JmArchiveDatabase
{
  GObject parent_instance;
  JmSql *sql; /* NULL once it is closed */
  GHashTable
    *targets; /* as jm_run_targets_new() makes them; NULL before the first batch */
};

G_DEFINE_FINAL_TYPE (JmArchiveDatabase, jm_archive_database, G_TYPE_OBJECT)

static void
jm_archive_database_finalize (GObject *object)
{
  JmArchiveDatabase *self = JM_ARCHIVE_DATABASE (object);

  jm_archive_database_close (self);
  g_clear_pointer (&self->targets, g_hash_table_unref);

  G_OBJECT_CLASS (jm_archive_database_parent_class)->finalize (object);
}

static void
jm_archive_database_class_init (JmArchiveDatabaseClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_archive_database_finalize;
}

static void
jm_archive_database_init (JmArchiveDatabase *self)
{
}

static JmArchiveDatabase *
open_as (const char *uri, JmSqlAccess access, GCancellable *stop, GError **error)
{
  g_autoptr (JmArchiveDatabase) self = g_object_new (JM_TYPE_ARCHIVE_DATABASE, NULL);

  self->sql = jm_sql_open (uri, access, stop, error);
  if (self->sql == NULL)
    return NULL;
  if (access == JM_SQL_WRITE ? jm_archive_schema_prepare (self->sql, error)
                             : jm_archive_schema_check (self->sql, error))
    return g_steal_pointer (&self);

  return NULL;
}

/* Opens a site's archive to write it. A file and tables that are not there are made,
 * and tables of an earlier version brought up to date.
 *
 * - Errors: `ABSENT` where there is no such directory, server or database, and for a
 *   server in a build without PostgreSQL; `DENIED`; `INVALID` for another's file, one
 *   of a later version, and what is no URI; `MALFORMED` where it is broken;
 *   `UNAVAILABLE` where the disk is full, the server does not answer, or somebody else
 *   has it locked for seconds.
 *
 * Returns the archive. */
JmArchiveDatabase *
jm_archive_database_open (const char *uri, GError **error)
{
  g_return_val_if_fail (uri != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return open_as (uri, JM_SQL_WRITE, NULL, error);
}

/* Opens a site's archive to read it, beside who writes it or without. @stop is as
 * jm_archive_database_set_stop() has it.
 *
 * - Errors: as jm_archive_database_open(); `ABSENT` where there is no such file,
 *   `INVALID` for tables of an earlier version.
 *
 * Returns the archive. */
JmArchiveDatabase *
jm_archive_database_open_for_reading (const char *uri,
                                      GCancellable *stop,
                                      GError **error)
{
  g_return_val_if_fail (uri != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return open_as (uri, JM_SQL_READ, stop, error);
}

JmSql *
jm_archive_database_get_sql (JmArchiveDatabase *self, GError **error)
{
  if (self->sql == NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                         "the archive is closed");

  return self->sql;
}

gboolean
jm_archive_database_set_stop (JmArchiveDatabase *self, GCancellable *stop)
{
  return self->sql != NULL && jm_sql_set_stop (self->sql, stop);
}

static gboolean
is_open (JmArchiveDatabase *self, GError **error)
{
  return jm_archive_database_get_sql (self, error) != NULL;
}

/* Merges a batch in one transaction: all of it is stored with its positions, or nothing
 * is. It may be merged again after an error, and twice without harm. Some thousands of
 * runs at once are fast.
 *
 * - Errors: as jm_archive_database_open(). A run that cannot be identified is no error:
 *   jm_run_batch_list_refused() has it.
 *
 * Returns whether it is stored. */
gboolean
jm_archive_database_merge (JmArchiveDatabase *self, JmRunBatch *batch, GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), FALSE);
  g_return_val_if_fail (batch != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!is_open (self, error))
    return FALSE;
  if (self->targets == NULL)
    self->targets = jm_run_foreign_load_targets (self->sql, error);

  return self->targets != NULL &&
         jm_run_writer_merge (self->sql, batch, self->targets, error);
}

gboolean
jm_archive_database_keep (JmArchiveDatabase *self,
                          JmRun *run,
                          gint64 time,
                          GError **error)
{
  g_autoptr (JmRun) kept = jm_run_new (run->cluster, run->raw_id);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  jm_run_set_scheduler (kept, run->scheduler);
  jm_run_keep_number (kept, JM_RUN_FIELD_START_TIME,
                      jm_run_peek (run, JM_RUN_FIELD_START_TIME));
  jm_run_keep_number (kept, JM_RUN_FIELD_KEPT_UNTIL, time);
  jm_run_batch_add_run (batch, kept, JM_RUN_SOURCE_LEDGER);

  return jm_archive_database_merge (self, batch, error);
}

void
jm_archive_database_set_targets (JmArchiveDatabase *self, GHashTable *targets)
{
  g_clear_pointer (&self->targets, g_hash_table_unref);
  self->targets = g_hash_table_ref (targets);
}

GHashTable *
jm_archive_database_get_targets (JmArchiveDatabase *self)
{
  return self->targets;
}

/* Gets how far a source has been read, as the last batch said.
 *
 * - Errors: as jm_archive_database_open(); none where it has not been read.
 *
 * Returns the position; NULL where it has not been read. */
char *
jm_archive_database_get_position (JmArchiveDatabase *self,
                                  const char *source,
                                  GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (source != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return is_open (self, error) ? jm_run_reader_get_position (self->sql, source, error)
                               : NULL;
}

/* Reads a page of runs.
 *
 * - Shape: as the filter has it; what the viewer may not see is not there.
 * - Errors: as jm_archive_database_open().
 *
 * Returns the runs. */
GPtrArray *
jm_archive_database_list_runs (JmArchiveDatabase *self,
                               JmRunFilter *filter,
                               JmViewer *viewer,
                               char **next,
                               GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (filter != NULL && viewer != NULL && next != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *next = NULL;

  return is_open (self, error)
           ? jm_run_reader_list (self->sql, filter, viewer, next, error)
           : NULL;
}

GPtrArray *
jm_archive_database_list_greatest (JmArchiveDatabase *self,
                                   JmRunFilter *filter,
                                   const char *const *figures,
                                   JmViewer *viewer,
                                   GError **error)
{
  return is_open (self, error)
           ? jm_run_reader_list_greatest (self->sql, filter, figures, viewer, error)
           : NULL;
}

/* Has all that is read until jm_archive_database_end_reading() be of one moment.
 *
 * - Errors: as jm_archive_database_open(). */
gboolean
jm_archive_database_begin_reading (JmArchiveDatabase *self, GError **error)
{
  return is_open (self, error) && jm_sql_begin_reading (self->sql, error);
}

void
jm_archive_database_end_reading (JmArchiveDatabase *self)
{
  jm_sql_roll_back (self->sql);
}

/* The scheduler's own before one that nodes alone know. */
static JmRun *
take_first (GPtrArray *runs, const char *what, GError **error)
{
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    if (jm_run_is_accounted (runs->pdata[i]))
      return jm_run_ref (runs->pdata[i]);
  if (runs != NULL && runs->len > 0)
    return jm_run_ref (runs->pdata[0]);
  if (runs != NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no run called %s", what);

  return NULL;
}

static JmRun *
find_by_alias (JmArchiveDatabase *self,
               const char *alias,
               JmViewer *viewer,
               GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *next = NULL;

  jm_run_filter_set_uuid (filter, alias);
  runs = jm_archive_database_list_runs (self, filter, viewer, &next, error);

  return take_first (runs, alias, error);
}

/* Finds one run. One that only a node calls so is found where there is no other.
 *
 * - Errors: `ABSENT` where there is none that the viewer may see; as
 *   jm_archive_database_open().
 *
 * Returns the run. */
JmRun *
jm_archive_database_find_run (JmArchiveDatabase *self,
                              const char *uuid,
                              JmViewer *viewer,
                              GError **error)
{
  g_autofree char *claim = g_strconcat (JM_RUN_CLAIM, uuid, NULL);
  GError *problem = NULL;
  JmRun *run;

  g_return_val_if_fail (uuid != NULL, NULL);

  run = find_by_alias (self, uuid, viewer, &problem);
  if (g_error_matches (problem, JM_ERROR, JM_ERROR_ABSENT))
    {
      g_autoptr (GError) none = NULL;

      run = find_by_alias (self, claim, viewer, &none);
      if (run != NULL)
        g_clear_error (&problem);
    }
  if (problem != NULL)
    g_propagate_error (error, problem);

  return run;
}

/* Finds one run that has begun.
 *
 * - Errors: as jm_archive_database_find_run().
 *
 * Returns the run. */
JmRun *
jm_archive_database_find_run_by_key (JmArchiveDatabase *self,
                                     const char *cluster,
                                     const char *raw_id,
                                     gint64 start_time,
                                     JmViewer *viewer,
                                     GError **error)
{
  GError *problem = NULL;
  JmRun *run;

  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (cluster != NULL && raw_id != NULL && viewer != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!is_open (self, error))
    return NULL;
  run = jm_run_reader_find (self->sql, cluster, raw_id, start_time, viewer, &problem);
  if (run == NULL && problem == NULL)
    g_set_error (&problem, JM_ERROR, JM_ERROR_ABSENT, "no run of job %s on %s", raw_id,
                 cluster);
  if (problem != NULL)
    g_propagate_error (error, problem);

  return run;
}

/* Reads a page of a run's steps, by node and name.
 *
 * - Errors: as jm_archive_database_open().
 *
 * Returns the steps. */
GPtrArray *
jm_archive_database_list_steps (JmArchiveDatabase *self,
                                JmRun *run,
                                const JmStepPage *page,
                                JmViewer *viewer,
                                GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (run != NULL && page != NULL && viewer != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return is_open (self, error)
           ? jm_run_reader_list_steps (self->sql, run, page, viewer, error)
           : NULL;
}

/* Reads the parts of a run, by node and name; of steps the last.
 *
 * - Errors: as jm_archive_database_open().
 *
 * Returns the parts. */
GPtrArray *
jm_archive_database_list_parts (JmArchiveDatabase *self,
                                JmRun *run,
                                JmRunPartKind kind,
                                JmViewer *viewer,
                                GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (run != NULL && viewer != NULL, NULL);
  g_return_val_if_fail ((guint) kind < JM_N_RUN_PART_KINDS, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (kind == JM_RUN_PART_KIND_STEP)
    {
      const JmStepPage last = { .limit = JM_ARCHIVE_STEPS_MAX, .is_last = TRUE };

      return jm_archive_database_list_steps (self, run, &last, viewer, error);
    }

  return is_open (self, error)
           ? jm_run_reader_list_parts (self->sql, run, kind, viewer, error)
           : NULL;
}

/* Adds up what runs have used, by whole days of UTC. Of a run that went on over
 * midnight each day has its part; a run counts on the day that it began.
 *
 * - Shape: in the order of cluster, user, account, partition and day.
 * - Errors: as jm_archive_database_open().
 *
 * Returns the sums. */
GPtrArray *
jm_archive_database_list_usage (JmArchiveDatabase *self,
                                JmRunFilter *filter,
                                JmUsageGroups groups,
                                JmViewer *viewer,
                                GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (filter != NULL && viewer != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return is_open (self, error)
           ? jm_run_reader_list_usage (self->sql, filter, groups, viewer, error)
           : NULL;
}

/* Reads the history of a job, as jm_run_batch_add_state() wrote it, the oldest first.
 * Who may not see all runs of that id sees nothing of it.
 *
 * - Errors: as jm_archive_database_open().
 *
 * Returns the documents. */
char **
jm_archive_database_list_states (JmArchiveDatabase *self,
                                 const char *cluster,
                                 const char *raw_id,
                                 JmViewer *viewer,
                                 GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (cluster != NULL && raw_id != NULL && viewer != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return is_open (self, error)
           ? jm_run_reader_list_states (self->sql, cluster, raw_id, viewer, error)
           : NULL;
}

/* used again; each of all where none did
 * @error: return location for an error
 *
 * Checks whether all that goes by a job's number in a time may be shown to somebody,
 * such as time series that carry nothing else. Runs that the archive does not know yet
 * do not count.
 *
 * - Errors: as jm_archive_database_open().
 *
 * Returns whether it is known. */
gboolean
jm_archive_database_check_job (JmArchiveDatabase *self,
                               const char *cluster,
                               const char *raw_id,
                               gint64 since,
                               gint64 until,
                               JmViewer *viewer,
                               gboolean *is_seen,
                               GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), FALSE);
  g_return_val_if_fail (cluster != NULL && raw_id != NULL && viewer != NULL, FALSE);
  g_return_val_if_fail (is_seen != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  *is_seen = FALSE;

  return is_open (self, error) &&
         jm_run_sight_check_job (self->sql, cluster, raw_id, since, until, viewer,
                                 is_seen, error);
}

/* Whether all that goes by a uuid may be shown to somebody.
 *
 * - Errors: as jm_archive_database_open().
 *
 * Returns whether it is known. */
gboolean
jm_archive_database_check_uuid (JmArchiveDatabase *self,
                                const char *uuid,
                                JmViewer *viewer,
                                gboolean *is_seen,
                                GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), FALSE);
  g_return_val_if_fail (uuid != NULL && viewer != NULL, FALSE);
  g_return_val_if_fail (is_seen != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  *is_seen = FALSE;

  return is_open (self, error) &&
         jm_run_sight_check_uuid (self->sql, uuid, viewer, is_seen, error);
}

void
jm_archive_site_share_accounts (const JmArchiveSite *self, JmViewer *viewer)
{
  if (self->shares_accounts)
    jm_viewer_share_accounts (viewer);
}

static void
hold_to_accounting (const JmArchiveSite *self, JmViewer *viewer)
{
  GHashTableIter iter;
  gpointer cluster;

  g_hash_table_iter_init (&iter, self->managers);
  while (g_hash_table_iter_next (&iter, &cluster, NULL))
    if (*(const char *) cluster != '\0')
      jm_viewer_hold_to_accounting (viewer, cluster);
}

/* Finds what a user may see: everything, where each cluster that has administrators has
 * them as one; else all of the clusters that have, their own runs, by their numbers on
 * the clusters, and those of the accounts that they coordinate. Of the clusters of a
 * @site (or NULL) whose accounting is read, they see only what it has.
 *
 * - Errors: as jm_archive_database_open(); none for a stranger, who may see nothing.
 *
 * Returns the viewer. */
JmViewer *
jm_archive_database_make_viewer (JmArchiveDatabase *self,
                                 const char *user,
                                 const JmArchiveSite *site,
                                 GError **error)
{
  JmViewer *viewer;

  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (user != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  viewer =
    is_open (self, error) ? jm_run_reader_make_viewer (self->sql, user, error) : NULL;
  if (viewer != NULL && site != NULL)
    hold_to_accounting (site, viewer);

  return viewer;
}

/* Deletes the runs that ended before a time, and the history of jobs before it. Sums of
 * days stay, and runs of that time are refused from then on, as they would count twice.
 *
 * - Errors: as jm_archive_database_open(); some may be deleted by then.
 *
 * Returns how many runs were deleted; -1 with an error. */
gint64
jm_archive_database_forget (JmArchiveDatabase *self, gint64 before, GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  return is_open (self, error) ? jm_run_upkeep_forget (self->sql, before, error) : -1;
}

/* Deletes the records of nodes, JM_RUN_PART_KIND_RECORD, of runs that ended before a
 * time. All else that is known of these runs stays.
 *
 * - Errors: as jm_archive_database_open(); some may be deleted by then.
 *
 * Returns whether it is done. */
gboolean
jm_archive_database_forget_records (JmArchiveDatabase *self,
                                    gint64 before,
                                    GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return is_open (self, error) &&
         jm_run_upkeep_forget_records (self->sql, before, error);
}

/* Judges some of the runs, a hundred at most, that have ended and that these rules did
 * not judge yet: new ones, and those that have changed since. Nobody else can write
 * meanwhile.
 *
 * - Errors: as jm_archive_database_open(); none of them is judged then.
 *
 * Returns whether it is done; @is_done is whether no run is left. */
gboolean
jm_archive_database_judge (JmArchiveDatabase *self,
                           JmRunRules *rules,
                           gboolean *is_done,
                           GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), FALSE);
  g_return_val_if_fail (rules != NULL && is_done != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return is_open (self, error) &&
         jm_run_upkeep_judge (self->sql, rules, is_done, error);
}

/* Gives back the space of what was deleted. A file takes as much again meanwhile, and
 * cannot be written.
 *
 * - Errors: as jm_archive_database_open().
 *
 * Returns whether it is done. */
gboolean
jm_archive_database_vacuum (JmArchiveDatabase *self, GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return is_open (self, error) && jm_sql_vacuum (self->sql, error);
}

/* Checks that the database is whole, and that sums of days are what the runs add up to.
 * It reads everything, and may do so while they are written.
 *
 * - Errors: `MALFORMED` where they are not; as jm_archive_database_open().
 *
 * Returns whether all is well. */
gboolean
jm_archive_database_check (JmArchiveDatabase *self, GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return is_open (self, error) && jm_sql_check (self->sql, error) &&
         jm_run_upkeep_check (self->sql, error);
}

/* Copies the archive, as it is at one moment, while it is read and written.
 *
 * - Errors: `INVALID` for a server: `pg_dump` does it; `UNAVAILABLE` where the file is
 *   there already, or the disk is full, and then there is no copy; `DENIED`.
 *
 * Returns whether there is a copy. */
gboolean
jm_archive_database_back_up (JmArchiveDatabase *self, const char *path, GError **error)
{
  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return is_open (self, error) && jm_sql_back_up (self->sql, path, error);
}

/* Closes the archive before the last reference to it is gone. It is not read or
 * written any more then. */
void
jm_archive_database_close (JmArchiveDatabase *self)
{
  g_return_if_fail (JM_IS_ARCHIVE_DATABASE (self));

  g_clear_pointer (&self->sql, jm_sql_close);
}
