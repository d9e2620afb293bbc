/* jm-ledger-pull.c: nodes' ledgers, into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "archive/import/jm-ledger-pull-private.h"

#include <string.h>

#include "archive/import/jm-pull-parts-private.h"
#include "archive/import/jm-pull-targets-private.h"
#include "archive/jm-archive-database-private.h"
#include "base/jm-error.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-nodes-private.h"

#define DEFAULT_AT_ONCE 16
#define MAX_AT_ONCE 256
#define DAY_US (24 * 3600 * G_GINT64_CONSTANT (1000000))
#define RETRY_US (600 * G_GINT64_CONSTANT (1000000))
#define MAX_LOGGED 4096
#define SLOW_US (5 * G_TIME_SPAN_SECOND)
#define BUDGET_US (15 * G_TIME_SPAN_SECOND)

struct _JmLedgerPull
{
  GObject parent_instance;
  JmArchiveDatabase *store;
  JmLedgerPullPlan plan;
  guint max_at_once;
  char *username;
  char *password;
  char *ca_file;
  JmPullThreads *threads; /* NULL where nobody is asked */
  GMutex lock;            /* of the ledgers and counts */
  GHashTable *ledgers;    /* of JmNodeLedger by source */
  GHashTable *logged;     /* what was logged about refused records */
  guint64 n_records;
  guint64 lag_us; /* from the ends of runs to their records, all together */
  guint64 n_unresolved;
  guint64 n_unread[JM_N_LEDGER_FAULTS];
};

G_DEFINE_FINAL_TYPE (JmLedgerPull, jm_ledger_pull, G_TYPE_OBJECT)

/* What was handed on and not stored is asked for again. */
static void
stop_threads (JmLedgerPull *self)
{
  GHashTableIter iter;
  gpointer value;

  g_clear_pointer (&self->threads, jm_pull_threads_free);
  g_hash_table_iter_init (&iter, self->ledgers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      JmNodeLedger *ledger = value;

      ledger->is_busy = FALSE;
      ledger->is_known = FALSE;
    }
}

static void
jm_ledger_pull_finalize (GObject *object)
{
  JmLedgerPull *self = JM_LEDGER_PULL (object);

  stop_threads (self);
  g_clear_object (&self->store);
  g_free (self->username);
  g_free (self->password);
  g_free (self->ca_file);
  g_hash_table_unref (self->ledgers);
  g_hash_table_unref (self->logged);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (jm_ledger_pull_parent_class)->finalize (object);
}

static void
jm_ledger_pull_class_init (JmLedgerPullClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_ledger_pull_finalize;
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
jm_ledger_pull_init (JmLedgerPull *self)
{
  g_mutex_init (&self->lock);
  self->ledgers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                         (GDestroyNotify) jm_node_ledger_free);
  self->logged = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->max_at_once = DEFAULT_AT_ONCE;
  self->plan = (JmLedgerPullPlan){ .get_time = g_get_real_time,
                                   .merge = merge_into_store,
                                   .hold_us = DAY_US,
                                   .retry_us = RETRY_US,
                                   .slow_us = SLOW_US,
                                   .budget_us = BUDGET_US };
}

JmLedgerPullPlan *
jm_ledger_pull_get_plan (JmLedgerPull *self)
{
  return &self->plan;
}

/* --- what was sent is stored --- */

static gboolean
has_one_that_may_wait (const JmLedgerPage *page)
{
  for (guint i = 0; i < page->records->len; i++)
    if (jm_node_ledger_may_wait (page->records->pdata[i]))
      return TRUE;

  return FALSE;
}

static JmRunBatch *
make_batch (GPtrArray *pages)
{
  JmRunBatch *batch = jm_run_batch_new ();

  for (guint i = 0; i < pages->len; i++)
    {
      const JmPullMessage *message = pages->pdata[i];

      for (guint k = 0; k < message->page.records->len; k++)
        {
          jm_run_batch_add_record (batch, message->page.records->pdata[k],
                                   message->ledger->cluster);
          jm_run_batch_set_target (batch, message->ledger->node);
        }
    }

  return batch;
}

/* Where none is expected to be refused that is welcome later, records and positions are
 * one transaction; else the positions follow what was stored, which may be read again.
 */
static gboolean
has_doubts (GPtrArray *pages)
{
  for (guint i = 0; i < pages->len; i++)
    {
      const JmPullMessage *message = pages->pdata[i];

      if (message->ledger->held != 0 || has_one_that_may_wait (&message->page))
        return TRUE;
    }

  return FALSE;
}

static void
hold_to_mandates (JmLedgerPull *self, GPtrArray *messages)
{
  gint64 now_us = self->plan.get_time ();

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < messages->len; i++)
    {
      JmPullMessage *message = messages->pdata[i];

      jm_node_ledger_hold_to_mandate (message->ledger, self->ledgers, now_us,
                                      &message->page);
    }
  g_mutex_unlock (&self->lock);
}

static void
note_unread (JmLedgerPull *self, GPtrArray *pages)
{
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < pages->len; i++)
    {
      const JmPullMessage *message = pages->pdata[i];

      for (guint k = 0; k < JM_N_LEDGER_FAULTS; k++)
        self->n_unread[k] += message->page.n_unread[k];
      if (message->page.fault != NULL)
        jm_node_ledger_note_fault (message->ledger, message->page.fault);
    }
  g_mutex_unlock (&self->lock);
}

static gboolean
is_disputed (const char *refused)
{
  return strstr (refused, JM_RUN_DISPUTED) != NULL;
}

static gboolean
has_dispute (char **refused)
{
  for (guint i = 0; refused[i] != NULL; i++)
    if (is_disputed (refused[i]))
      return TRUE;

  return FALSE;
}

static JmLedgerFault
get_fault (const char *refused)
{
  return strstr (refused, JM_RUN_OF_OTHER_NODES) != NULL ? JM_LEDGER_FAULT_ALLOCATION
                                                         : JM_LEDGER_FAULT_REFUSED;
}

/* Those that are never welcome: one that waits for its run is read again. What runs is
 * refused in each round, and logged once. */
static void
note_refused (JmLedgerPull *self, JmRunBatch *batch)
{
  g_auto (GStrv) refused = jm_run_batch_list_refused (batch);

  g_mutex_lock (&self->lock);
  if (g_hash_table_size (self->logged) >= MAX_LOGGED)
    g_hash_table_remove_all (self->logged);
  for (guint i = 0; refused[i] != NULL; i++)
    if (strstr (refused[i], JM_RUN_UNKNOWN_YET) == NULL)
      {
        self->n_unread[get_fault (refused[i])] += !is_disputed (refused[i]);
        if (g_hash_table_add (self->logged, g_strdup (refused[i])))
          g_warning ("a record is refused: %s", refused[i]);
      }
  g_mutex_unlock (&self->lock);
}

/* A node whose clock is ahead has none. */
static guint64
sum_lags (GPtrArray *records, gint64 now_us)
{
  guint64 sum_us = 0;

  for (guint i = 0; i < records->len; i++)
    sum_us +=
      (guint64) MAX (now_us - jm_job_record_get_end_time (records->pdata[i]), 0);

  return sum_us;
}

static void
note_stored (JmLedgerPull *self, GPtrArray *pages)
{
  gint64 now_us = self->plan.get_time ();

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < pages->len; i++)
    {
      const JmPullMessage *message = pages->pdata[i];

      jm_node_ledger_note_stored (message->ledger, &message->page, message->asked_us);
      self->n_records += message->page.records->len;
      self->lag_us += sum_lags (message->page.records, now_us);
    }
  g_mutex_unlock (&self->lock);
  note_unread (self, pages);
}

static gboolean
run_merge (JmLedgerPull *self, JmRunBatch *batch, GError **error)
{
  return self->plan.merge (self->store, batch, self->plan.merge_data, error);
}

/* Readers of the counts wait for no disk. */
static void
take_pages (JmLedgerPull *self, GPtrArray *pages, char **refused, JmRunBatch *batch)
{
  gint64 now_us = self->plan.get_time ();

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < pages->len; i++)
    {
      const JmPullMessage *message = pages->pdata[i];

      self->n_unresolved += jm_node_ledger_take_page (message->ledger, &message->page,
                                                      (const char *const *) refused,
                                                      now_us, self->plan.hold_us);
      jm_node_ledger_set_positions (message->ledger, batch);
    }
  g_mutex_unlock (&self->lock);
}

static gboolean
store_ended (JmLedgerPull *self, GPtrArray *pages, GError **error)
{
  static char *none[] = { NULL };
  const gboolean has_positions = !has_doubts (pages);
  g_autoptr (JmRunBatch) batch = make_batch (pages);
  g_auto (GStrv) refused = NULL;

  if (has_positions)
    take_pages (self, pages, none, batch);
  if (!run_merge (self, batch, error))
    return FALSE;
  note_refused (self, batch);
  refused = jm_run_batch_list_refused (batch);
  if (!has_positions || has_dispute (refused))
    {
      g_autoptr (JmRunBatch) positions = jm_run_batch_new ();

      take_pages (self, pages, refused, positions);
      if (!run_merge (self, positions, error))
        return FALSE;
    }
  note_stored (self, pages);

  return TRUE;
}

/* What is refused of it is sent again in the next round, as all of it is. */
static gboolean
store_running (JmLedgerPull *self, GPtrArray *pages, GError **error)
{
  g_autoptr (JmRunBatch) batch = make_batch (pages);

  if (!run_merge (self, batch, error))
    return FALSE;
  note_refused (self, batch);

  return TRUE;
}

static gboolean
store_pages (JmLedgerPull *self, GPtrArray *pages, GError **error)
{
  g_autoptr (GPtrArray) ended = g_ptr_array_new ();
  g_autoptr (GPtrArray) running = g_ptr_array_new ();

  hold_to_mandates (self, pages);
  for (guint i = 0; i < pages->len; i++)
    {
      JmPullMessage *message = pages->pdata[i];

      if (!message->page.is_running)
        g_ptr_array_add (ended, message);
      else
        g_ptr_array_add (running, message);
    }

  note_unread (self, running);

  return (ended->len == 0 || store_ended (self, ended, error)) &&
         (running->len == 0 || store_running (self, running, error));
}

/* --- who is asked --- */

static void
name_targets (JmLedgerPull *self)
{
  g_autoptr (GHashTable) targets = jm_run_targets_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->ledgers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const JmNodeLedger *ledger = value;

      if (ledger->is_wanted)
        jm_run_targets_add (targets, ledger->cluster, ledger->node);
    }
  jm_archive_database_set_targets (self->store, targets);
}

/* --- a round --- */

static GPtrArray *
list_due (JmLedgerPull *self, GError **error)
{
  g_autoptr (GPtrArray) due = g_ptr_array_new ();
  gint64 now_us = self->plan.get_time ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->ledgers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      JmNodeLedger *ledger = value;

      if (!ledger->is_wanted || ledger->is_busy || now_us < ledger->due_us)
        continue;
      if (!ledger->is_known && !jm_node_ledger_load (ledger, self->store, error))
        return NULL;
      jm_node_ledger_retry (ledger, now_us, self->plan.retry_us);
      g_ptr_array_add (due, ledger);
    }

  return g_steal_pointer (&due);
}

static void
note_end (JmLedgerPull *self, const JmPullMessage *end)
{
  g_mutex_lock (&self->lock);
  end->ledger->is_busy = FALSE;
  end->ledger->is_slow = end->was_slow;
  jm_node_ledger_note_end (end->ledger, end->error, self->plan.get_time ());
  g_mutex_unlock (&self->lock);
}

/* Leaves the pages alone. */
static void
take_ends (JmLedgerPull *self, GPtrArray *taken)
{
  guint n_pages = 0;

  for (guint i = 0; i < taken->len; i++)
    {
      JmPullMessage *message = taken->pdata[i];

      if (message->is_end)
        {
          note_end (self, message);
          jm_pull_message_free (message);
        }
      else
        taken->pdata[n_pages++] = message;
    }
  taken->len = n_pages;
}

static void
start_threads (JmLedgerPull *self)
{
  const JmPullPlan plan = {
    .client = { self->username, self->password, self->ca_file, self->plan.timeout_ms,
                self->plan.limit },
    .max_at_once = self->max_at_once,
    .get_time = self->plan.get_time,
    .slow_us = self->plan.slow_us,
    .budget_us = self->plan.budget_us,
  };

  if (self->threads == NULL)
    self->threads = jm_pull_threads_new (&plan);
}

/* Also what slow nodes handed on since the last round. */
static gboolean
store_all (JmLedgerPull *self, GCancellable *cancellable, GError **error)
{
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (GPtrArray) taken = jm_pull_threads_take (self->threads, cancellable);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      has_more = taken->len > 0;
      take_ends (self, taken);
      if (taken->len > 0 && !store_pages (self, taken, error))
        return FALSE;
    }

  return TRUE;
}

/* Asks each node once for what is behind what is stored of it and for what runs there,
 * and stores that. It waits for all of them, but for nodes that take long for a page:
 * what these send is stored in a later round. A node that failed is left out for a
 * while, longer each time.
 *
 * - Errors: as jm_archive_database_merge(), after which the next round goes on where
 *   the archive is; `G_IO_ERROR_CANCELLED`. A node that fails is none:
 *   jm_ledger_pull_get_n_failed() counts it.
 *
 * Returns whether all is stored that nodes sent. */
gboolean
jm_ledger_pull_run_round (JmLedgerPull *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) due = NULL;

  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), FALSE);

  due = list_due (self, error);
  if (due == NULL)
    return FALSE;
  name_targets (self);
  start_threads (self);
  for (guint i = 0; i < due->len; i++)
    jm_pull_threads_start (self->threads, due->pdata[i]);
  if (store_all (self, cancellable, error))
    return TRUE;
  stop_threads (self);

  return FALSE;
}

/* --- what is asked --- */

/* Reads the ledgers of many nodes into a site's archive, some nodes at once. How far
 * each was read is stored with what was read, so that it may be killed at any moment.
 * A record that does not know when its job began waits for the scheduler's accounting
 * to report that run, a day at most.
 *
 * It belongs to one thread, as its store does; its counts may be read by all. */

/* Makes one that asks no node yet.
 *
 * Returns a pull. */
JmLedgerPull *
jm_ledger_pull_new (JmArchiveDatabase *store)
{
  JmLedgerPull *self;

  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (store), NULL);

  self = g_object_new (JM_TYPE_LEDGER_PULL, NULL);
  self->store = g_object_ref (store);

  return self;
}

/* Sets how many nodes are asked at once: 16 where it is not set. */
void
jm_ledger_pull_set_max_at_once (JmLedgerPull *self, guint max_at_once)
{
  g_return_if_fail (JM_IS_LEDGER_PULL (self));

  stop_threads (self);
  self->max_at_once = CLAMP (max_at_once, 1, MAX_AT_ONCE);
}

/* Sets by what nodes let it in. That is sent by https, and to this very machine, alone.
 */
void
jm_ledger_pull_set_login (JmLedgerPull *self,
                          const char *username,
                          const char *password)
{
  g_return_if_fail (JM_IS_LEDGER_PULL (self));
  g_return_if_fail ((username == NULL) == (password == NULL));

  stop_threads (self);
  g_free (self->username);
  self->username = g_strdup (username);
  g_free (self->password);
  self->password = g_strdup (password);
}

/* Sets whose certificates are trusted. */
void
jm_ledger_pull_set_ca_file (JmLedgerPull *self, const char *path)
{
  g_return_if_fail (JM_IS_LEDGER_PULL (self));

  stop_threads (self);
  g_free (self->ca_file);
  self->ca_file = g_strdup (path);
}

/* Two nodes never share a position. */
static gboolean
is_name (const char *text)
{
  return *text != '\0' && strlen (text) <= 255 && strchr (text, '/') == NULL &&
         g_utf8_validate (text, -1, NULL);
}

/* Adds a node, or says where one is now. To be called between rounds.
 *
 * - Errors: `INVALID` for a name that is none.
 *
 * Returns whether it was added. */
gboolean
jm_ledger_pull_set_target (JmLedgerPull *self,
                           const char *cluster,
                           const char *node,
                           const char *url,
                           GError **error)
{
  g_autofree char *source = NULL;
  JmNodeLedger *ledger;

  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), FALSE);
  g_return_val_if_fail (cluster != NULL && node != NULL && url != NULL, FALSE);

  if (!is_name (cluster) || !is_name (node))
    {
      g_autofree char *shown = g_strescape (is_name (cluster) ? node : cluster, NULL);

      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%.64s: no name of a node",
                   shown);
      return FALSE;
    }

  source = jm_node_ledger_make_source (cluster, node);
  g_mutex_lock (&self->lock);
  ledger = g_hash_table_lookup (self->ledgers, source);
  if (ledger == NULL)
    {
      ledger = jm_node_ledger_new (cluster, node);
      g_hash_table_insert (self->ledgers, ledger->source, ledger);
    }
  jm_node_ledger_set_url (ledger, url);
  ledger->is_wanted = TRUE;
  g_mutex_unlock (&self->lock);

  return TRUE;
}

/* Forgets all nodes; what was stored of them stays. To be called between rounds. */
void
jm_ledger_pull_clear_targets (JmLedgerPull *self)
{
  g_return_if_fail (JM_IS_LEDGER_PULL (self));

  stop_threads (self);
  g_mutex_lock (&self->lock);
  g_hash_table_remove_all (self->ledgers);
  g_mutex_unlock (&self->lock);
}

static void
want_none (JmLedgerPull *self)
{
  GHashTableIter iter;
  gpointer ledger;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->ledgers);
  while (g_hash_table_iter_next (&iter, NULL, &ledger))
    ((JmNodeLedger *) ledger)->is_wanted = FALSE;
  g_mutex_unlock (&self->lock);
}

static gboolean
is_left (gpointer key, gpointer value, gpointer user_data)
{
  const JmNodeLedger *ledger = value;

  return !ledger->is_wanted && !ledger->is_busy;
}

gboolean
jm_ledger_pull_set_targets (JmLedgerPull *self,
                            const GPtrArray *targets,
                            GError **error)
{
  want_none (self);
  for (guint i = 0; i < targets->len; i++)
    {
      const JmPullTarget *target = targets->pdata[i];

      if (!jm_ledger_pull_set_target (self, target->cluster, target->node, target->url,
                                      error))
        return FALSE;
    }

  g_mutex_lock (&self->lock);
  g_hash_table_foreach_remove (self->ledgers, is_left, NULL);
  g_mutex_unlock (&self->lock);
  name_targets (self);

  return TRUE;
}

static guint64
read_count (JmLedgerPull *self, const guint64 *count)
{
  guint64 value;

  g_mutex_lock (&self->lock);
  value = *count;
  g_mutex_unlock (&self->lock);

  return value;
}

/* Counts records that nodes sent, also those that they sent again.
 *
 * Returns how many records. */
guint64
jm_ledger_pull_get_n_records (JmLedgerPull *self)
{
  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), 0);

  return read_count (self, &self->n_records);
}

static void
count_failed (const JmNodeLedger *ledger, gpointer data)
{
  *(guint *) data += ledger->problem != NULL;
}

/* Counts the nodes whose last attempt failed, be it in the last round or before it: a
 * node that fails is left alone for a while.
 *
 * Returns how many nodes. */
guint
jm_ledger_pull_get_n_failed (JmLedgerPull *self)
{
  guint n = 0;

  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), 0);

  jm_ledger_pull_visit (self, count_failed, &n);

  return n;
}

void
jm_ledger_pull_visit (JmLedgerPull *self, JmNodeLedgerFunc func, gpointer data)
{
  GHashTableIter iter;
  gpointer value;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->ledgers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const JmNodeLedger *ledger = value;

      if (ledger->is_wanted)
        func (ledger, data);
    }
  g_mutex_unlock (&self->lock);
}

guint64
jm_ledger_pull_get_sum_of_lags (JmLedgerPull *self)
{
  return read_count (self, &self->lag_us);
}

guint64
jm_ledger_pull_get_n_unread (JmLedgerPull *self, JmLedgerFault fault)
{
  return read_count (self, &self->n_unread[fault]);
}

/* Counts records that were given up: no source had their run within a day.
 *
 * Returns how many records. */
guint64
jm_ledger_pull_get_n_unresolved (JmLedgerPull *self)
{
  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), 0);

  return read_count (self, &self->n_unresolved);
}

/* Finds how old a record may be that the archive does not have yet.
 *
 * - Unit: seconds.
 *
 * Returns whether it is known, as it is once a page of the node was read. */
gboolean
jm_ledger_pull_get_lag (JmLedgerPull *self,
                        const char *cluster,
                        const char *node,
                        double *seconds)
{
  g_autofree char *source = NULL;
  const JmNodeLedger *ledger;
  gint64 complete_us;

  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), FALSE);
  g_return_val_if_fail (cluster != NULL && node != NULL && seconds != NULL, FALSE);

  source = jm_node_ledger_make_source (cluster, node);
  g_mutex_lock (&self->lock);
  ledger = g_hash_table_lookup (self->ledgers, source);
  complete_us = ledger != NULL ? ledger->complete_us : 0;
  g_mutex_unlock (&self->lock);
  *seconds = (double) MAX (self->plan.get_time () - complete_us, 0) / G_USEC_PER_SEC;

  return complete_us != 0;
}
