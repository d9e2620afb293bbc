/* jm-tsdb-fill.c: what no ledger has, from a time series database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/tsdb/jm-tsdb-fill-private.h"

#include "archive/jm-run-filter-private.h"
#include "base/jm-error.h"
#include "core/jm-run-private.h"
#include "core/jm-usage-private.h"

#define DEFAULT_DELAY_S 600
/* How long an exporter shows a job that has ended, and some scrapes. */
#define GRACE_MAX_S 300
#define BATCH_RUNS 25
#define PAGE_RUNS 500
/* The rest of a cluster is for the next round. */
#define MAX_PAGES_OF_ROUND 10
/* What databases keep by themselves, at most. */
#define FIRST_AGE_S (31 * 86400)

/* Fills in what runs used where no ledger has it: asks a time series database for runs
 * that have ended, in the order of their end, each cluster from where it was. What it
 * learns and how far it came are stored at once, so that it may be killed at any
 * moment. It belongs to one thread, as its store does; its counts may be read by all.
 */
struct _JmTsdbFill
{
  GObject parent_instance;
  JmArchiveDatabase *store;
  JmTsdb *tsdb;
  JmTsdbFillPlan plan;
  guint delay_s;
  GMutex lock; /* of the counts */
  guint64 n_filled;
  guint64 n_lacking;
  guint64 n_failed;
};

/* One cluster, on one round. */
typedef struct
{
  JmTsdbFill *fill;
  char *source; /* names the position in the store */
  JmRunFilter *filter;
  gint64 until; /* runs that ended later are for a later round */
  GCancellable *cancellable;
} Round;

G_DEFINE_FINAL_TYPE (JmTsdbFill, jm_tsdb_fill, G_TYPE_OBJECT)

static void
jm_tsdb_fill_finalize (GObject *object)
{
  JmTsdbFill *self = JM_TSDB_FILL (object);

  g_clear_object (&self->store);
  g_clear_object (&self->tsdb);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (jm_tsdb_fill_parent_class)->finalize (object);
}

static void
jm_tsdb_fill_class_init (JmTsdbFillClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_tsdb_fill_finalize;
}

static gboolean
merge_into_store (JmArchiveDatabase *store,
                  JmRunBatch *batch,
                  gpointer data,
                  GError **error)
{
  return jm_archive_database_merge (store, batch, error);
}

static void
jm_tsdb_fill_init (JmTsdbFill *self)
{
  g_mutex_init (&self->lock);
  self->delay_s = DEFAULT_DELAY_S;
  self->plan = (JmTsdbFillPlan){ .get_time = g_get_real_time,
                                 .merge = merge_into_store,
                                 .batch_runs = BATCH_RUNS };
}

JmTsdbFillPlan *
jm_tsdb_fill_get_plan (JmTsdbFill *self)
{
  return &self->plan;
}

/* Makes one that has filled nothing yet.
 *
 * Returns who fills. */
JmTsdbFill *
jm_tsdb_fill_new (JmArchiveDatabase *store, JmTsdb *tsdb)
{
  JmTsdbFill *self;

  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (store), NULL);
  g_return_val_if_fail (JM_IS_TSDB (tsdb), NULL);

  self = g_object_new (JM_TYPE_TSDB_FILL, NULL);
  self->store = g_object_ref (store);
  self->tsdb = g_object_ref (tsdb);

  return self;
}

/* Sets how long is waited for the last scrapes of a run, and for the ledgers of its
 * nodes. */
void
jm_tsdb_fill_set_delay (JmTsdbFill *self, guint seconds)
{
  g_return_if_fail (JM_IS_TSDB_FILL (self));

  self->delay_s = seconds;
}

/* --- counts --- */

static void
count (JmTsdbFill *self, guint64 *place, guint64 n)
{
  g_mutex_lock (&self->lock);
  *place += n;
  g_mutex_unlock (&self->lock);
}

static guint64
read_count (JmTsdbFill *self, const guint64 *place)
{
  guint64 n;

  g_mutex_lock (&self->lock);
  n = *place;
  g_mutex_unlock (&self->lock);

  return n;
}

/* Counts the runs of which the database knew something.
 *
 * Returns how many. */
guint64
jm_tsdb_fill_get_n_filled (JmTsdbFill *self)
{
  g_return_val_if_fail (JM_IS_TSDB_FILL (self), 0);

  return read_count (self, &self->n_filled);
}

/* Counts the runs of which it did not know a whole figure.
 *
 * Returns how many. */
guint64
jm_tsdb_fill_get_n_lacking (JmTsdbFill *self)
{
  g_return_val_if_fail (JM_IS_TSDB_FILL (self), 0);

  return read_count (self, &self->n_lacking);
}

/* Counts the runs that were given up, for the database answers all but these.
 *
 * Returns how many. */
guint64
jm_tsdb_fill_get_n_failed (JmTsdbFill *self)
{
  g_return_val_if_fail (JM_IS_TSDB_FILL (self), 0);

  return read_count (self, &self->n_failed);
}

/* --- some runs --- */

static gboolean
is_told_by_ledger (JmRun *run)
{
  for (guint i = JM_FIRST_RUN_FIGURE; i < JM_N_RUN_FIELDS; i++)
    if (run->sources[i] == '0' + JM_RUN_SOURCE_LEDGER)
      return TRUE;

  return FALSE;
}

static gboolean
is_lacking (JmRun *run)
{
  return jm_run_has (run, JM_RUN_FIELD_START_TIME) && !is_told_by_ledger (run);
}

static gboolean
store_up_to (const Round *round, JmRunBatch *batch, JmRun *last, GError **error)
{
  JmTsdbFill *self = round->fill;
  g_autofree char *position = jm_run_filter_make_cursor (round->filter, last);

  jm_run_batch_set_position (batch, round->source, position);

  return self->plan.merge (self->store, batch, self->plan.merge_data, error);
}

static gboolean
give_up_run (const Round *round, JmRun *run, const GError *reason, GError **error)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  g_warning ("%s/%s: is not filled: %s", run->cluster, run->raw_id, reason->message);
  if (!store_up_to (round, batch, run, error))
    return FALSE;
  count (round->fill, &round->fill->n_failed, 1);

  return TRUE;
}

/* Whether what was asked was at fault, and not the server or the network. */
static gboolean
is_too_much (const Round *round, const GError *reason)
{
  g_autoptr (GPtrArray) all = NULL;

  if (g_error_matches (reason, JM_ERROR, JM_ERROR_INVALID))
    return TRUE;
  if (!g_error_matches (reason, JM_ERROR, JM_ERROR_UNAVAILABLE))
    return FALSE;
  all = jm_tsdb_query (round->fill->tsdb, "vector(1)",
                       round->fill->plan.get_time () / G_USEC_PER_SEC,
                       round->cancellable, NULL);

  return all != NULL;
}

static gboolean
fill_some (const Round *round, const JmTsdbRun *runs, guint n_runs, GError **error);

/* Half of them at a time, down to the one that cannot be asked for. */
static gboolean
fill_fewer (const Round *round,
            const JmTsdbRun *runs,
            guint n_runs,
            GError *reason,
            GError **error)
{
  g_autoptr (GError) owned = reason;
  guint half = n_runs / 2;

  if (!is_too_much (round, reason))
    {
      g_propagate_error (error, g_steal_pointer (&owned));
      return FALSE;
    }
  if (n_runs == 1)
    return give_up_run (round, runs[0].run, reason, error);

  return fill_some (round, runs, half, error) &&
         fill_some (round, runs + half, n_runs - half, error);
}

static gboolean
fill_some (const Round *round, const JmTsdbRun *runs, guint n_runs, GError **error)
{
  JmTsdbFill *self = round->fill;
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  GError *reason = NULL;
  int n_filled =
    jm_tsdb_figures_read (self->tsdb, runs, n_runs, batch, round->cancellable, &reason);

  if (n_filled < 0)
    return fill_fewer (round, runs, n_runs, reason, error);
  if (!store_up_to (round, batch, runs[n_runs - 1].run, error))
    return FALSE;
  count (self, &self->n_filled, (guint64) n_filled);
  count (self, &self->n_lacking, n_runs - (guint64) n_filled);

  return TRUE;
}

/* --- a cluster --- */

/* When the id was given again; 0 where that is not known. */
static gboolean
find_next_start (const Round *round, JmRun *run, gint64 *next_start, GError **error)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *behind = NULL;
  g_autofree char *next = NULL;

  jm_run_filter_set_cluster (filter, run->cluster);
  jm_run_filter_set_job (filter, run->raw_id);
  jm_run_filter_set_sort (filter, "start", NULL);
  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);
  behind = jm_run_filter_make_cursor (filter, run);
  *next_start = 0;
  if (!jm_run_filter_set_cursor (filter, behind, error))
    return FALSE;
  runs =
    jm_archive_database_list_runs (round->fill->store, filter, viewer, &next, error);
  for (guint i = 0; runs != NULL && i < runs->len && *next_start == 0; i++)
    {
      const JmRun *other = runs->pdata[i];

      /* of an array there are others under its id */
      if (g_str_equal (other->raw_id, run->raw_id))
        *next_start = jm_run_peek (other, JM_RUN_FIELD_START_TIME);
    }

  return runs != NULL;
}

static gboolean
append_run (const Round *round, GArray *runs, JmRun *run, GError **error)
{
  gint64 end = jm_run_peek (run, JM_RUN_FIELD_END_TIME);
  JmTsdbRun item = { .run = run,
                     .until = end + MIN (round->fill->delay_s, GRACE_MAX_S) };
  gint64 next_start;

  if (!find_next_start (round, run, &next_start, error))
    return FALSE;
  if (next_start > 0)
    item.until = MAX (end, MIN (item.until, next_start - 1));
  g_array_append_val (runs, item);

  return TRUE;
}

static gboolean
fill_list (const Round *round, GPtrArray *lacking, GError **error)
{
  guint n_at_once = round->fill->plan.batch_runs;
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (JmTsdbRun));

  for (guint i = 0; i < lacking->len; i++)
    {
      if (!append_run (round, runs, lacking->pdata[i], error))
        return FALSE;
      if (runs->len < n_at_once && i + 1 < lacking->len)
        continue;
      if (!fill_some (round, &g_array_index (runs, JmTsdbRun, 0), runs->len, error))
        return FALSE;
      g_array_set_size (runs, 0);
    }

  return TRUE;
}

/* Those that are old enough; sets the last of them. */
static GPtrArray *
choose_lacking (const Round *round, GPtrArray *runs, JmRun **last)
{
  GPtrArray *lacking = g_ptr_array_new ();

  *last = NULL;
  for (guint i = 0; i < runs->len; i++)
    {
      JmRun *run = runs->pdata[i];

      if (jm_run_peek (run, JM_RUN_FIELD_END_TIME) > round->until)
        break;
      *last = run;
      if (is_lacking (run))
        g_ptr_array_add (lacking, run);
    }

  return lacking;
}

/* Sets whether there may be more that are old enough. */
static gboolean
fill_page (const Round *round, gboolean *has_more, GError **error)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) lacking = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (round->fill->store, round->filter, viewer, &next,
                                   error);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  JmRun *last;

  *has_more = FALSE;
  if (runs == NULL)
    return FALSE;
  lacking = choose_lacking (round, runs, &last);
  if (last == NULL)
    return TRUE;
  if (!fill_list (round, lacking, error) || !store_up_to (round, batch, last, error))
    return FALSE;
  *has_more = next != NULL && last == runs->pdata[runs->len - 1];

  return next == NULL || jm_run_filter_set_cursor (round->filter, next, error);
}

static gboolean
set_begin (const Round *round, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *position =
    jm_archive_database_get_position (round->fill->store, round->source, &problem);

  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (position == NULL)
    {
      g_autoptr (JmRun) before = jm_run_new ("", "");

      jm_run_keep_number (before, JM_RUN_FIELD_END_TIME,
                          MAX (1, round->until - FIRST_AGE_S));
      position = jm_run_filter_make_cursor (round->filter, before);
    }

  return jm_run_filter_set_cursor (round->filter, position, error);
}

static gboolean
fill_cluster (JmTsdbFill *self,
              const char *cluster,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *source = g_strconcat ("tsdb:", cluster, NULL);
  Round round = { .fill = self,
                  .source = source,
                  .filter = filter,
                  .until = self->plan.get_time () / G_USEC_PER_SEC - self->delay_s,
                  .cancellable = cancellable };
  gboolean has_more = TRUE;

  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_sort (filter, "end", NULL);
  jm_run_filter_set_limit (filter, PAGE_RUNS);
  if (!set_begin (&round, error))
    return FALSE;
  for (guint i = 0; i < MAX_PAGES_OF_ROUND && has_more; i++)
    if (!fill_page (&round, &has_more, error))
      return FALSE;

  return TRUE;
}

/* Those that had a run lately. */
static GPtrArray *
list_clusters (JmTsdbFill *self, GError **error)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  gint64 now = self->plan.get_time () / G_USEC_PER_SEC;

  jm_run_filter_set_period (filter, MAX (1, now - FIRST_AGE_S), 0);

  return jm_archive_database_list_usage (self->store, filter, JM_USAGE_GROUPS_CLUSTER,
                                         viewer, error);
}

/* Asks for the runs that ended since it did so last, some thousands of each cluster at
 * most, and waits for the answers. A run that the database cannot answer for alone is
 * given up with a warning.
 *
 * - Errors: as jm_tsdb_query() and jm_archive_database_merge(); what was stored before
 *   stays, and the next round goes on there.
 *
 * Returns whether all were asked for. */
gboolean
jm_tsdb_fill_run_round (JmTsdbFill *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) clusters = NULL;

  g_return_val_if_fail (JM_IS_TSDB_FILL (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  clusters = list_clusters (self, error);
  for (guint i = 0; clusters != NULL && i < clusters->len; i++)
    if (!fill_cluster (self, jm_usage_get_cluster (clusters->pdata[i]), cancellable,
                       error))
      return FALSE;

  return clusters != NULL;
}
