/* jm-pull-threads.c: threads that read many nodes' ledgers at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/import/jm-pull-parts-private.h"

#include "base/jm-error.h"

/* Pages that wait to be stored: who reads more waits with them. */
#define MAX_WAITING 8
#define BATCH_RECORDS 1000
/* Of the threads, one in so many is for nodes that were slow the last time. */
#define SLOW_SHARE 4

struct _JmPullThreads
{
  JmPullPlan plan;
  GThreadPool *pool;
  GThreadPool *slow_pool;
  GCancellable *cancellable; /* of all that is asked */
  GMutex lock;
  GCond changed;
  GPtrArray *readings; /* of Reading: those that have not ended */
  GQueue messages;     /* of JmPullMessage */
  gboolean is_over;    /* nobody takes messages any more */
};

/* Of one node; what the ledger has may change meanwhile. */
typedef struct
{
  JmNodeLedger *ledger;
  char *url;
  guint64 after;
  gint64 since_us; /* when its page was asked for, monotonic; 0 before the first */
  gboolean was_slow;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->url);
  g_free (reading);
}

void
jm_pull_message_free (JmPullMessage *self)
{
  jm_ledger_page_clear (&self->page);
  g_clear_error (&self->error);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPullMessage, jm_pull_message_free)

/* --- threads that ask --- */

/* Waits while too many wait already. Takes the message. */
static gboolean
push (JmPullThreads *self, JmPullMessage *message)
{
  gboolean is_taken;

  g_mutex_lock (&self->lock);
  while (!self->is_over && g_queue_get_length (&self->messages) >= MAX_WAITING)
    g_cond_wait (&self->changed, &self->lock);
  is_taken = !self->is_over;
  if (is_taken)
    g_queue_push_tail (&self->messages, message);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  if (!is_taken)
    jm_pull_message_free (message);

  return is_taken;
}

/* For the thread that takes, which waits for those that are not slow. */
static void
note_asking (JmPullThreads *self, Reading *reading)
{
  gint64 now_us = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  if (reading->since_us != 0 && now_us - reading->since_us > self->plan.slow_us)
    reading->was_slow = TRUE;
  reading->since_us = now_us;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static JmPullMessage *
make_message (JmPullThreads *self, Reading *reading)
{
  JmPullMessage *message = g_new0 (JmPullMessage, 1);

  message->ledger = reading->ledger;
  message->asked_us = self->plan.get_time ();
  note_asking (self, reading);

  return message;
}

/* NULL with an error. */
static JmPullMessage *
fetch (JmPullThreads *self, Reading *reading, GError **error)
{
  g_autoptr (JmPullMessage) message = make_message (self, reading);

  return jm_ledger_client_fetch (&self->plan.client, reading->url, reading->after,
                                 &message->page, self->cancellable, error)
           ? g_steal_pointer (&message)
           : NULL;
}

/* FALSE where there is an error, or nobody wants more. What is left after a while is
 * for the next time. */
static gboolean
read_pages (JmPullThreads *self, Reading *reading, GError **error)
{
  const gint64 until_us = g_get_monotonic_time () + self->plan.budget_us;
  gboolean was_anew = FALSE;
  gboolean has_more = TRUE;

  while (has_more && g_get_monotonic_time () < until_us)
    {
      g_autoptr (JmPullMessage) message = fetch (self, reading, error);

      if (message == NULL)
        return FALSE;
      if (message->page.is_anew && was_anew)
        {
          g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED,
                               "the ledger begins anew again and again");
          return FALSE;
        }
      was_anew = was_anew || message->page.is_anew;
      has_more = message->page.has_more;
      reading->after = message->page.next;
      if (!push (self, g_steal_pointer (&message)))
        return FALSE;
    }

  return TRUE;
}

/* After what has ended, so that a job that ends meanwhile is read as running once more
 * at most, and as ended the next time. */
static void
read_running (JmPullThreads *self, Reading *reading, GError **error)
{
  g_autoptr (JmPullMessage) message = make_message (self, reading);

  if (jm_ledger_client_fetch_running (&self->plan.client, reading->url, &message->page,
                                      self->cancellable, error))
    push (self, g_steal_pointer (&message));
}

/* Frees the reading. */
static void
finish (JmPullThreads *self, Reading *reading, GError *error)
{
  JmPullMessage *end = make_message (self, reading);

  end->is_end = TRUE;
  end->was_slow = reading->was_slow;
  end->error = error;
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->messages, end);
  g_ptr_array_remove_fast (self->readings, reading);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
read_ledger (gpointer data, gpointer user_data)
{
  GError *error = NULL;

  if (read_pages (user_data, data, &error))
    read_running (user_data, data, &error);
  finish (user_data, data, error);
}

/* --- the thread that takes --- */

void
jm_pull_threads_start (JmPullThreads *self, JmNodeLedger *ledger)
{
  Reading *reading = g_new0 (Reading, 1);

  reading->ledger = ledger;
  reading->url = g_strdup (ledger->url);
  reading->after = ledger->read_to;
  ledger->is_busy = TRUE;
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->readings, reading);
  g_mutex_unlock (&self->lock);
  g_thread_pool_push (ledger->is_slow ? self->slow_pool : self->pool, reading, NULL);
}

/* Until when there may be a message of a node that is not slow, monotonic. */
static gint64
get_patience_us (JmPullThreads *self)
{
  gint64 until_us = 0;

  for (guint i = 0; i < self->readings->len; i++)
    {
      const Reading *reading = self->readings->pdata[i];

      if (reading->since_us != 0)
        until_us = MAX (until_us, reading->since_us + self->plan.slow_us);
      else if (!reading->ledger->is_slow)
        return G_MAXINT64;
    }

  return until_us;
}

/* NULL where the caller gave it up, or where there is none and none to wait for. */
static JmPullMessage *
pop (JmPullThreads *self, gboolean may_wait, GCancellable *cancellable)
{
  JmPullMessage *message = NULL;

  g_mutex_lock (&self->lock);
  while (may_wait && g_queue_is_empty (&self->messages) &&
         !g_cancellable_is_cancelled (cancellable))
    {
      gint64 until_us = get_patience_us (self);

      if (until_us <= g_get_monotonic_time ())
        break;
      if (until_us == G_MAXINT64)
        g_cond_wait (&self->changed, &self->lock);
      else
        g_cond_wait_until (&self->changed, &self->lock, until_us);
    }
  if (!g_cancellable_is_cancelled (cancellable))
    message = g_queue_pop_head (&self->messages);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);

  return message;
}

static void
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  JmPullThreads *self = user_data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

GPtrArray *
jm_pull_threads_take (JmPullThreads *self, GCancellable *cancellable)
{
  GPtrArray *taken =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_pull_message_free);
  gulong handler =
    cancellable != NULL
      ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL)
      : 0;
  guint n_records = 0;
  JmPullMessage *message = pop (self, TRUE, cancellable);

  while (message != NULL)
    {
      if (!message->is_end)
        n_records += message->page.records->len;
      g_ptr_array_add (taken, message);
      message = n_records < BATCH_RECORDS ? pop (self, FALSE, cancellable) : NULL;
    }
  g_cancellable_disconnect (cancellable, handler);

  return taken;
}

/* --- begin and end --- */

JmPullThreads *
jm_pull_threads_new (const JmPullPlan *plan)
{
  JmPullThreads *self = g_new0 (JmPullThreads, 1);
  guint n_slow = MAX (plan->max_at_once / SLOW_SHARE, 1);

  self->plan = *plan;
  self->cancellable = g_cancellable_new ();
  self->readings = g_ptr_array_new_with_free_func (reading_free);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->messages);
  self->pool =
    g_thread_pool_new (read_ledger, self, (int) plan->max_at_once, FALSE, NULL);
  self->slow_pool = g_thread_pool_new (read_ledger, self, (int) n_slow, FALSE, NULL);

  return self;
}

void
jm_pull_threads_free (JmPullThreads *self)
{
  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  g_thread_pool_free (self->pool, TRUE, TRUE);
  g_thread_pool_free (self->slow_pool, TRUE, TRUE);
  g_queue_clear_full (&self->messages, (GDestroyNotify) jm_pull_message_free);
  g_ptr_array_unref (self->readings);
  g_object_unref (self->cancellable);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_free (self);
}
