/* jm-ledger-pull.c: nodes' ledgers, into a site's accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-ledger-pull-private.h"

#include <string.h>

#include "core/jm-error.h"
#include "sources/jm-ledger-client-private.h"

#define DEFAULT_AT_ONCE 16
#define MAX_AT_ONCE 256
/* Pages that wait to be stored: who reads more waits with them. */
#define MAX_WAITING 8
#define BATCH_RECORDS 1000
/* The rest of a node that has more is for the next round. */
#define MAX_PAGES_OF_ROUND 100
#define FIRST_DELAY_US (60 * G_GINT64_CONSTANT (1000000))
#define MAX_DELAY_US (3600 * G_GINT64_CONSTANT (1000000))
#define DAY_US (24 * 3600 * G_GINT64_CONSTANT (1000000))
#define RETRY_US (600 * G_GINT64_CONSTANT (1000000))

/* One node's ledger, as far as it is read. */
typedef struct
{
  char *cluster;
  char *node;
  char *url;
  gboolean is_wanted;
  char *source;      /* names the position in the store */
  char *held_source; /* names since when a record is waited for */
  gboolean is_known; /* what the store has was read */
  guint64 position;  /* as it is stored */
  guint64 read_to;
  guint64 held;       /* position of the first record that waits; 0 for none */
  gint64 held_since;  /* seconds since 1970; 0 for none */
  gint64 complete_us; /* all that was told before is stored; 0 where nothing is known */
  gint64 retry_us;    /* when what waits is tried again */
  gint64 due_us;
  guint n_failures;
} Ledger;

struct _JmLedgerPull
{
  GObject parent_instance;
  JmJobStore *store;
  JmLedgerPullPlan plan;
  guint max_at_once;
  char *username;
  char *password;
  char *ca_file;
  GMutex lock;         /* of the ledgers and counts */
  GHashTable *ledgers; /* of source to Ledger */
  guint64 n_records;
  guint64 n_unresolved;
  guint n_failed;
};

/* What a thread that asks hands on: a page, or how a node's reading ended. */
typedef struct
{
  Ledger *ledger;
  JmLedgerPage page;
  gint64 asked_us;
  gboolean is_end;
  GError *error;
} Message;

typedef struct
{
  JmLedgerPull *pull;
  JmLedgerClient client;
  GCancellable *cancellable;
  GMutex lock;
  GCond changed;
  GQueue messages;
  gboolean is_over; /* nobody takes messages any more */
} Round;

G_DEFINE_FINAL_TYPE (JmLedgerPull, jm_ledger_pull, G_TYPE_OBJECT)

static void
ledger_free (gpointer data)
{
  Ledger *ledger = data;

  g_free (ledger->cluster);
  g_free (ledger->node);
  g_free (ledger->url);
  g_free (ledger->source);
  g_free (ledger->held_source);
  g_free (ledger);
}

static void
message_free (gpointer data)
{
  Message *message = data;

  jm_ledger_page_clear (&message->page);
  g_clear_error (&message->error);
  g_free (message);
}

static void
jm_ledger_pull_finalize (GObject *object)
{
  JmLedgerPull *self = JM_LEDGER_PULL (object);

  g_clear_object (&self->store);
  g_free (self->username);
  g_free (self->password);
  g_free (self->ca_file);
  g_hash_table_unref (self->ledgers);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (jm_ledger_pull_parent_class)->finalize (object);
}

static void
jm_ledger_pull_class_init (JmLedgerPullClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_ledger_pull_finalize;
}

static gboolean
merge_into_store (JmJobStore *store, JmRunBatch *batch, gpointer data, GError **error)
{
  return jm_job_store_merge (store, batch, error);
}

static void
jm_ledger_pull_init (JmLedgerPull *self)
{
  g_mutex_init (&self->lock);
  self->ledgers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, ledger_free);
  self->max_at_once = DEFAULT_AT_ONCE;
  self->plan = (JmLedgerPullPlan){ .get_time = g_get_real_time,
                                   .merge = merge_into_store,
                                   .hold_us = DAY_US,
                                   .retry_us = RETRY_US };
}

JmLedgerPullPlan *
jm_ledger_pull_get_plan (JmLedgerPull *self)
{
  return &self->plan;
}

/* --- threads that ask --- */

/* Waits while too many wait already. Takes the message. */
static gboolean
round_push (Round *round, Message *message)
{
  gboolean is_taken;

  g_mutex_lock (&round->lock);
  while (!round->is_over && !message->is_end &&
         g_queue_get_length (&round->messages) >= MAX_WAITING)
    g_cond_wait (&round->changed, &round->lock);
  is_taken = !round->is_over;
  if (is_taken)
    g_queue_push_tail (&round->messages, message);
  g_cond_broadcast (&round->changed);
  g_mutex_unlock (&round->lock);
  if (!is_taken)
    message_free (message);

  return is_taken;
}

/* NULL with an error. */
static Message *
fetch (Round *round, Ledger *ledger, guint64 after, GError **error)
{
  Message *message = g_new0 (Message, 1);

  message->ledger = ledger;
  message->asked_us = round->pull->plan.get_time ();
  if (jm_ledger_client_fetch (&round->client, ledger->url, after, &message->page,
                              round->cancellable, error))
    return message;
  message_free (message);

  return NULL;
}

static void
read_pages (Round *round, Ledger *ledger, guint64 after, GError **error)
{
  gboolean was_anew = FALSE;
  gboolean has_more = TRUE;

  for (guint i = 0; i < MAX_PAGES_OF_ROUND && has_more; i++)
    {
      Message *message = fetch (round, ledger, after, error);

      if (message == NULL)
        return;
      if (message->page.is_anew && was_anew)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                       "%s: the ledger begins anew again and again", ledger->source);
          message_free (message);
          return;
        }
      was_anew = was_anew || message->page.is_anew;
      has_more = message->page.has_more;
      after = message->page.next;
      if (!round_push (round, message))
        return;
    }
}

static void
read_ledger (gpointer data, gpointer user_data)
{
  Ledger *ledger = data;
  Round *round = user_data;
  Message *end = g_new0 (Message, 1);

  end->ledger = ledger;
  end->is_end = TRUE;
  read_pages (round, ledger, ledger->read_to, &end->error);
  round_push (round, end);
}

/* --- the thread that stores --- */

static const char *
get_text (JmJobRecord *record, JmJobField field)
{
  const char *text = jm_job_get_field (jm_job_record_get_job (record), field);

  return text != NULL ? text : "";
}

/* Whether a run that nobody has told of yet may make it welcome. */
static gboolean
may_wait (JmJobRecord *record)
{
  return *get_text (record, JM_JOB_FIELD_START_TIME) == '\0' &&
         *get_text (record, JM_JOB_FIELD_SUBMIT_TIME) == '\0' &&
         *get_text (record, JM_JOB_FIELD_ID) != '\0';
}

static gboolean
has_one_that_may_wait (const JmLedgerPage *page)
{
  for (guint i = 0; i < page->records->len; i++)
    if (may_wait (page->records->pdata[i]))
      return TRUE;

  return FALSE;
}

static gboolean
is_refused (char **refused, const Ledger *ledger, JmJobRecord *record)
{
  const char *own = get_text (record, JM_JOB_FIELD_CLUSTER);
  g_autofree char *start =
    g_strdup_printf ("%s/%s: ", *own != '\0' ? own : ledger->cluster,
                     get_text (record, JM_JOB_FIELD_ID));

  for (guint i = 0; refused[i] != NULL; i++)
    if (g_str_has_prefix (refused[i], start))
      return TRUE;

  return FALSE;
}

static gboolean
has_waited_enough (JmLedgerPull *self, const Ledger *ledger, JmJobRecord *record)
{
  gint64 now_us = self->plan.get_time ();

  return ledger->held_since != 0 &&
         now_us - ledger->held_since * G_USEC_PER_SEC > self->plan.hold_us &&
         now_us - jm_job_record_get_end_time (record) > self->plan.hold_us;
}

/* The first that waits keeps the position before it; what is behind is read once more
 * with it, and does no harm. */
static void
hold_refused (JmLedgerPull *self, const Message *message, char **refused)
{
  Ledger *ledger = message->ledger;
  GPtrArray *records = message->page.records;

  for (guint i = 0; i < records->len && ledger->held == 0; i++)
    {
      JmJobRecord *record = records->pdata[i];

      if (!may_wait (record) || !is_refused (refused, ledger, record))
        continue;
      if (has_waited_enough (self, ledger, record))
        {
          self->n_unresolved++;
          continue;
        }
      ledger->held = jm_job_record_get_position (record);
      if (ledger->held_since == 0)
        ledger->held_since = self->plan.get_time () / G_USEC_PER_SEC;
    }
}

static void
set_positions (JmRunBatch *batch, const Ledger *ledger)
{
  guint64 at = ledger->held != 0 ? ledger->held - 1 : ledger->read_to;
  g_autofree char *position = g_strdup_printf ("%" G_GUINT64_FORMAT, at);
  g_autofree char *since = g_strdup_printf ("%" G_GINT64_FORMAT, ledger->held_since);

  jm_run_batch_set_position (batch, ledger->source, position);
  jm_run_batch_set_position (batch, ledger->held_source, since);
}

/* What is known of a ledger once a page of it is stored. */
static void
take_page (JmLedgerPull *self, const Message *message, char **refused)
{
  Ledger *ledger = message->ledger;

  if (message->page.is_anew)
    ledger->held = 0;
  ledger->read_to = message->page.next;
  hold_refused (self, message, refused);
  if (ledger->held == 0 && !message->page.has_more)
    ledger->held_since = 0;
}

static JmRunBatch *
make_batch (GPtrArray *pages)
{
  JmRunBatch *batch = jm_run_batch_new ();

  for (guint i = 0; i < pages->len; i++)
    {
      const Message *message = pages->pdata[i];

      for (guint k = 0; k < message->page.records->len; k++)
        jm_run_batch_add_record (batch, message->page.records->pdata[k],
                                 message->ledger->cluster);
    }

  return batch;
}

/* Where none may be refused that is welcome later, records and positions are one
 * transaction; else the positions follow what was stored, which may be told again. */
static gboolean
has_doubts (GPtrArray *pages)
{
  for (guint i = 0; i < pages->len; i++)
    {
      const Message *message = pages->pdata[i];

      if (message->ledger->held != 0 || has_one_that_may_wait (&message->page))
        return TRUE;
    }

  return FALSE;
}

static void
note_stored (JmLedgerPull *self, GPtrArray *pages)
{
  for (guint i = 0; i < pages->len; i++)
    {
      const Message *message = pages->pdata[i];
      Ledger *ledger = message->ledger;
      GPtrArray *records = message->page.records;

      ledger->position = ledger->held != 0 ? ledger->held - 1 : ledger->read_to;
      self->n_records += records->len;
      if (!message->page.has_more)
        ledger->complete_us = message->asked_us;
      else if (records->len > 0)
        ledger->complete_us =
          jm_job_record_get_end_time (records->pdata[records->len - 1]);
    }
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
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < pages->len; i++)
    {
      const Message *message = pages->pdata[i];

      take_page (self, message, refused);
      set_positions (batch, message->ledger);
    }
  g_mutex_unlock (&self->lock);
}

static gboolean
store_pages (JmLedgerPull *self, GPtrArray *pages, GError **error)
{
  static char *none[] = { NULL };
  g_autoptr (JmRunBatch) batch = make_batch (pages);

  if (has_doubts (pages))
    {
      g_auto (GStrv) refused = NULL;

      if (!run_merge (self, batch, error))
        return FALSE;
      refused = jm_run_batch_list_refused (batch);
      jm_run_batch_unref (batch);
      batch = jm_run_batch_new ();
      take_pages (self, pages, refused, batch);
    }
  else
    {
      take_pages (self, pages, none, batch);
    }
  if (!run_merge (self, batch, error))
    return FALSE;

  g_mutex_lock (&self->lock);
  note_stored (self, pages);
  g_mutex_unlock (&self->lock);

  return TRUE;
}

/* --- a round --- */

static gboolean
load_number (JmLedgerPull *self, const char *source, gint64 *number, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = jm_job_store_get_position (self->store, source, &problem);

  *number = 0;
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (text != NULL && !g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, number, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: not a position: %s",
                   source, text);
      return FALSE;
    }

  return TRUE;
}

static gboolean
load_ledger (JmLedgerPull *self, Ledger *ledger, GError **error)
{
  gint64 position;

  if (!load_number (self, ledger->source, &position, error) ||
      !load_number (self, ledger->held_source, &ledger->held_since, error))
    return FALSE;
  ledger->position = (guint64) position;
  ledger->read_to = ledger->position;
  ledger->held = 0;
  ledger->is_known = TRUE;

  return TRUE;
}

/* What waits is tried anew from before it. */
static void
prepare_ledger (JmLedgerPull *self, Ledger *ledger, gint64 now_us)
{
  if (ledger->held == 0 || now_us < ledger->retry_us)
    return;
  ledger->read_to = ledger->position;
  ledger->held = 0;
  ledger->retry_us = now_us + self->plan.retry_us;
}

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
      Ledger *ledger = value;

      if (now_us < ledger->due_us)
        continue;
      if (!ledger->is_known && !load_ledger (self, ledger, error))
        return NULL;
      prepare_ledger (self, ledger, now_us);
      g_ptr_array_add (due, ledger);
    }

  return g_steal_pointer (&due);
}

/* A node that fails is left alone for longer each time, and not all at once. */
static void
note_end (JmLedgerPull *self, Ledger *ledger, const GError *problem)
{
  gint64 delay_us;

  if (problem == NULL)
    {
      ledger->n_failures = 0;
      ledger->due_us = 0;
      return;
    }

  g_debug ("%s: %s", ledger->source, problem->message);
  delay_us = MIN (FIRST_DELAY_US << MIN (ledger->n_failures, 6), MAX_DELAY_US);
  ledger->n_failures++;
  ledger->due_us = self->plan.get_time () +
                   (gint64) ((double) delay_us * g_random_double_range (0.5, 1.5));
  g_mutex_lock (&self->lock);
  self->n_failed++;
  g_mutex_unlock (&self->lock);
}

/* NULL where the caller gave it up. */
static Message *
round_pop (Round *round, gboolean may_wait_for_it)
{
  Message *message;

  g_mutex_lock (&round->lock);
  while (may_wait_for_it && g_queue_is_empty (&round->messages) &&
         !g_cancellable_is_cancelled (round->cancellable))
    g_cond_wait (&round->changed, &round->lock);
  message = g_cancellable_is_cancelled (round->cancellable)
              ? NULL
              : g_queue_pop_head (&round->messages);
  g_cond_broadcast (&round->changed);
  g_mutex_unlock (&round->lock);

  return message;
}

/* As much as is there and fits one transaction.
 *
 * Returns: how many nodes are read to their end */
static guint
gather (Round *round, GPtrArray *pages)
{
  guint n_records = 0;
  guint n_ended = 0;
  Message *message = round_pop (round, TRUE);

  while (message != NULL)
    {
      if (message->is_end)
        {
          if (!g_error_matches (message->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            note_end (round->pull, message->ledger, message->error);
          n_ended++;
          message_free (message);
        }
      else
        {
          n_records += message->page.records->len;
          g_ptr_array_add (pages, message);
        }
      message = n_records < BATCH_RECORDS ? round_pop (round, FALSE) : NULL;
    }

  return n_ended;
}

static gboolean
store_all (Round *round, guint n_ledgers, GError **error)
{
  while (n_ledgers > 0)
    {
      g_autoptr (GPtrArray) pages = g_ptr_array_new_with_free_func (message_free);

      n_ledgers -= gather (round, pages);
      if (g_cancellable_set_error_if_cancelled (round->cancellable, error))
        return FALSE;
      if (pages->len > 0 && !store_pages (round->pull, pages, error))
        return FALSE;
    }

  return TRUE;
}

static void
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Round *round = user_data;

  g_cancellable_cancel (round->cancellable);
  g_mutex_lock (&round->lock);
  g_cond_broadcast (&round->changed);
  g_mutex_unlock (&round->lock);
}

static void
round_stop (Round *round)
{
  g_cancellable_cancel (round->cancellable);
  g_mutex_lock (&round->lock);
  round->is_over = TRUE;
  g_cond_broadcast (&round->changed);
  g_mutex_unlock (&round->lock);
}

static void
round_init (Round *round, JmLedgerPull *self)
{
  round->pull = self;
  round->client = (JmLedgerClient){ self->username, self->password, self->ca_file,
                                    self->plan.timeout_ms, self->plan.limit };
  round->cancellable = g_cancellable_new ();
  g_mutex_init (&round->lock);
  g_cond_init (&round->changed);
  g_queue_init (&round->messages);
}

static void
round_clear (Round *round)
{
  g_queue_clear_full (&round->messages, message_free);
  g_object_unref (round->cancellable);
  g_cond_clear (&round->changed);
  g_mutex_clear (&round->lock);
}

static gboolean
read_all (JmLedgerPull *self, GPtrArray *due, GCancellable *cancellable, GError **error)
{
  Round round = { 0 };
  GThreadPool *pool;
  gulong handler = 0;
  gboolean is_stored;

  round_init (&round, self);
  pool = g_thread_pool_new (read_ledger, &round, (int) self->max_at_once, FALSE, NULL);
  if (cancellable != NULL)
    handler =
      g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), &round, NULL);
  for (guint i = 0; i < due->len; i++)
    g_thread_pool_push (pool, due->pdata[i], NULL);
  is_stored = store_all (&round, due->len, error);
  round_stop (&round);
  g_thread_pool_free (pool, TRUE, TRUE);
  g_cancellable_disconnect (cancellable, handler);
  round_clear (&round);

  return is_stored;
}

/* What the store took of the last batch is known to it alone then. */
static void
forget_what_is_read (JmLedgerPull *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->ledgers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ((Ledger *) value)->is_known = FALSE;
}

/**
 * jm_ledger_pull_run_round:
 * @self: a pull
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Asks each node once for what is behind what is stored of it, stores that, and waits
 * for all of them. A node that failed is left out for a while, longer each time.
 *
 * - Errors: as jm_job_store_merge(), after which the next round goes on where the
 *   accounts are; `G_IO_ERROR_CANCELLED`. A node that fails is none:
 *   jm_ledger_pull_get_n_failed() counts it.
 *
 * Returns: whether all is stored that nodes told
 * Since: 0.1
 */
gboolean
jm_ledger_pull_run_round (JmLedgerPull *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) due = NULL;

  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), FALSE);

  g_mutex_lock (&self->lock);
  self->n_failed = 0;
  g_mutex_unlock (&self->lock);
  due = list_due (self, error);
  if (due == NULL)
    return FALSE;
  if (read_all (self, due, cancellable, error))
    return TRUE;
  forget_what_is_read (self);

  return FALSE;
}

/* --- what is asked --- */

/**
 * JmLedgerPull:
 *
 * Reads the ledgers of many nodes into a site's accounts, some nodes at once. How far
 * each was read is stored with what was read, so that it may be killed at any moment.
 * A record that does not know when its job began waits for the scheduler's accounting
 * to tell of that run, a day at most.
 *
 * It belongs to one thread, as its store does; its counts may be read by all.
 *
 * Since: 0.1
 */

/**
 * jm_ledger_pull_new:
 * @store: the accounts, which may be written
 *
 * Makes one that asks nobody yet.
 *
 * Returns: (transfer full): a pull
 * Since: 0.1
 */
JmLedgerPull *
jm_ledger_pull_new (JmJobStore *store)
{
  JmLedgerPull *self;

  g_return_val_if_fail (JM_IS_JOB_STORE (store), NULL);

  self = g_object_new (JM_TYPE_LEDGER_PULL, NULL);
  self->store = g_object_ref (store);

  return self;
}

/**
 * jm_ledger_pull_set_max_at_once:
 * @self: a pull
 * @max_at_once: from 1 to 256
 *
 * Sets how many nodes are asked at once: 16 unless told otherwise.
 *
 * Since: 0.1
 */
void
jm_ledger_pull_set_max_at_once (JmLedgerPull *self, guint max_at_once)
{
  g_return_if_fail (JM_IS_LEDGER_PULL (self));

  self->max_at_once = CLAMP (max_at_once, 1, MAX_AT_ONCE);
}

/**
 * jm_ledger_pull_set_login:
 * @self: a pull
 * @username: (nullable): a name that nodes know
 * @password: (nullable): its password
 *
 * Sets by what nodes let it in. That is sent by https, and to this very machine, alone.
 *
 * Since: 0.1
 */
void
jm_ledger_pull_set_login (JmLedgerPull *self,
                          const char *username,
                          const char *password)
{
  g_return_if_fail (JM_IS_LEDGER_PULL (self));
  g_return_if_fail ((username == NULL) == (password == NULL));

  g_free (self->username);
  self->username = g_strdup (username);
  g_free (self->password);
  self->password = g_strdup (password);
}

/**
 * jm_ledger_pull_set_ca_file:
 * @self: a pull
 * @path: (nullable): certificates of authorities; %NULL for the system's
 *
 * Sets whose certificates are trusted.
 *
 * Since: 0.1
 */
void
jm_ledger_pull_set_ca_file (JmLedgerPull *self, const char *path)
{
  g_return_if_fail (JM_IS_LEDGER_PULL (self));

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

static Ledger *
ledger_new (const char *cluster, const char *node)
{
  Ledger *ledger = g_new0 (Ledger, 1);

  ledger->cluster = g_strdup (cluster);
  ledger->node = g_strdup (node);
  ledger->source = g_strdup_printf ("ledger/%s/%s", cluster, node);
  ledger->held_source = g_strdup_printf ("ledger-held/%s/%s", cluster, node);

  return ledger;
}

/**
 * jm_ledger_pull_set_target:
 * @self: a pull
 * @cluster: the cluster of a node
 * @node: its name there
 * @url: of its ledger, such as `https://n1:9010/ledger`
 * @error: return location for an error
 *
 * Adds a node, or says where one is now. To be called between rounds.
 *
 * - Errors: `INVALID` for a name that is none.
 *
 * Returns: whether it was added
 * Since: 0.1
 */
gboolean
jm_ledger_pull_set_target (JmLedgerPull *self,
                           const char *cluster,
                           const char *node,
                           const char *url,
                           GError **error)
{
  g_autofree char *source = NULL;
  Ledger *ledger;

  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), FALSE);
  g_return_val_if_fail (cluster != NULL && node != NULL && url != NULL, FALSE);

  if (!is_name (cluster) || !is_name (node))
    {
      g_autofree char *shown = g_strescape (is_name (cluster) ? node : cluster, NULL);

      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%.64s: no name of a node",
                   shown);
      return FALSE;
    }

  source = g_strdup_printf ("ledger/%s/%s", cluster, node);
  g_mutex_lock (&self->lock);
  ledger = g_hash_table_lookup (self->ledgers, source);
  if (ledger == NULL)
    {
      ledger = ledger_new (cluster, node);
      g_hash_table_insert (self->ledgers, ledger->source, ledger);
    }
  g_free (ledger->url);
  ledger->url = g_strdup (url);
  ledger->is_wanted = TRUE;
  g_mutex_unlock (&self->lock);

  return TRUE;
}

/**
 * jm_ledger_pull_clear_targets:
 * @self: a pull
 *
 * Forgets all nodes; what was stored of them stays. To be called between rounds.
 *
 * Since: 0.1
 */
void
jm_ledger_pull_clear_targets (JmLedgerPull *self)
{
  g_return_if_fail (JM_IS_LEDGER_PULL (self));

  g_mutex_lock (&self->lock);
  g_hash_table_remove_all (self->ledgers);
  g_mutex_unlock (&self->lock);
}

void
jm_ledger_pull_begin_targets (JmLedgerPull *self)
{
  GHashTableIter iter;
  gpointer ledger;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->ledgers);
  while (g_hash_table_iter_next (&iter, NULL, &ledger))
    ((Ledger *) ledger)->is_wanted = FALSE;
  g_mutex_unlock (&self->lock);
}

static gboolean
is_left (gpointer key, gpointer value, gpointer user_data)
{
  return !((const Ledger *) value)->is_wanted;
}

void
jm_ledger_pull_end_targets (JmLedgerPull *self)
{
  g_mutex_lock (&self->lock);
  g_hash_table_foreach_remove (self->ledgers, is_left, NULL);
  g_mutex_unlock (&self->lock);
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

/**
 * jm_ledger_pull_get_n_records:
 * @self: a pull
 *
 * Counts what nodes told, also what they told again.
 *
 * Returns: how many records
 * Since: 0.1
 */
guint64
jm_ledger_pull_get_n_records (JmLedgerPull *self)
{
  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), 0);

  return read_count (self, &self->n_records);
}

/**
 * jm_ledger_pull_get_n_failed:
 * @self: a pull
 *
 * Counts the nodes that were asked in the last round in vain.
 *
 * Returns: how many nodes
 * Since: 0.1
 */
guint
jm_ledger_pull_get_n_failed (JmLedgerPull *self)
{
  guint n;

  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), 0);

  g_mutex_lock (&self->lock);
  n = self->n_failed;
  g_mutex_unlock (&self->lock);

  return n;
}

/**
 * jm_ledger_pull_get_n_unresolved:
 * @self: a pull
 *
 * Counts records that were given up: nobody told of their run for a day.
 *
 * Returns: how many records
 * Since: 0.1
 */
guint64
jm_ledger_pull_get_n_unresolved (JmLedgerPull *self)
{
  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), 0);

  return read_count (self, &self->n_unresolved);
}

/**
 * jm_ledger_pull_get_lag:
 * @self: a pull
 * @cluster: the cluster of a node
 * @node: its name there
 * @seconds: (out): return location for an age
 *
 * Tells how old a record may be that the accounts do not have yet.
 *
 * - Unit: seconds.
 *
 * Returns: whether it is known, as it is once a page of the node was read
 * Since: 0.1
 */
gboolean
jm_ledger_pull_get_lag (JmLedgerPull *self,
                        const char *cluster,
                        const char *node,
                        double *seconds)
{
  g_autofree char *source = NULL;
  const Ledger *ledger;
  gint64 complete_us;

  g_return_val_if_fail (JM_IS_LEDGER_PULL (self), FALSE);
  g_return_val_if_fail (cluster != NULL && node != NULL && seconds != NULL, FALSE);

  source = g_strdup_printf ("ledger/%s/%s", cluster, node);
  g_mutex_lock (&self->lock);
  ledger = g_hash_table_lookup (self->ledgers, source);
  complete_us = ledger != NULL ? ledger->complete_us : 0;
  g_mutex_unlock (&self->lock);
  *seconds = (double) MAX (self->plan.get_time () - complete_us, 0) / G_USEC_PER_SEC;

  return complete_us != 0;
}
