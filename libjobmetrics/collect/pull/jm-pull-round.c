/* jm-pull-round.c: many nodes' ledgers, read at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/pull/jm-pull-round-private.h"

#include "core/jm-error.h"

/* Pages that wait to be stored: who reads more waits with them. */
#define MAX_WAITING 8
#define BATCH_RECORDS 1000
/* The rest of a node that has more is for the next round. */
#define MAX_PAGES 100

struct _JmPullRound
{
  JmPullRoundPlan plan;
  GThreadPool *pool;
  GCancellable *callers; /* may be NULL */
  gulong handler;
  GCancellable *cancellable;
  guint n_left; /* nodes whose end was not taken; of the thread that takes */
  GMutex lock;
  GCond changed;
  GQueue messages;  /* of JmPullMessage */
  gboolean is_over; /* nobody takes messages any more */
};

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
push (JmPullRound *self, JmPullMessage *message)
{
  gboolean is_taken;

  g_mutex_lock (&self->lock);
  while (!self->is_over && !message->is_end &&
         g_queue_get_length (&self->messages) >= MAX_WAITING)
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

static JmPullMessage *
make_message (JmPullRound *self, JmNodeLedger *ledger)
{
  JmPullMessage *message = g_new0 (JmPullMessage, 1);

  message->ledger = ledger;
  message->asked_us = self->plan.get_time ();

  return message;
}

/* NULL with an error. */
static JmPullMessage *
fetch (JmPullRound *self, JmNodeLedger *ledger, guint64 after, GError **error)
{
  g_autoptr (JmPullMessage) message = make_message (self, ledger);

  return jm_ledger_client_fetch (&self->plan.client, ledger->url, after, &message->page,
                                 self->cancellable, error)
           ? g_steal_pointer (&message)
           : NULL;
}

/* FALSE where there is an error, or nobody wants more. */
static gboolean
read_pages (JmPullRound *self, JmNodeLedger *ledger, GError **error)
{
  guint64 after = ledger->read_to;
  gboolean was_anew = FALSE;
  gboolean has_more = TRUE;

  for (guint i = 0; i < MAX_PAGES && has_more; i++)
    {
      g_autoptr (JmPullMessage) message = fetch (self, ledger, after, error);

      if (message == NULL)
        return FALSE;
      if (message->page.is_anew && was_anew)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                       "%s: the ledger begins anew again and again", ledger->source);
          return FALSE;
        }
      was_anew = was_anew || message->page.is_anew;
      has_more = message->page.has_more;
      after = message->page.next;
      if (!push (self, g_steal_pointer (&message)))
        return FALSE;
    }

  return TRUE;
}

/* After what has ended, so that a job that ends meanwhile is told as running once more
 * at most, and as ended the next time. */
static void
read_running (JmPullRound *self, JmNodeLedger *ledger, GError **error)
{
  g_autoptr (JmPullMessage) message = make_message (self, ledger);

  if (jm_ledger_client_fetch_running (&self->plan.client, ledger->url, &message->page,
                                      self->cancellable, error))
    push (self, g_steal_pointer (&message));
}

static void
read_ledger (gpointer data, gpointer user_data)
{
  JmNodeLedger *ledger = data;
  JmPullRound *self = user_data;
  JmPullMessage *end = g_new0 (JmPullMessage, 1);

  end->ledger = ledger;
  end->is_end = TRUE;
  if (read_pages (self, ledger, &end->error))
    read_running (self, ledger, &end->error);
  push (self, end);
}

/* --- the thread that takes --- */

/* NULL where the caller gave it up, or where there is none and it is not to wait. */
static JmPullMessage *
pop (JmPullRound *self, gboolean may_wait)
{
  JmPullMessage *message;

  g_mutex_lock (&self->lock);
  while (may_wait && g_queue_is_empty (&self->messages) &&
         !g_cancellable_is_cancelled (self->cancellable))
    g_cond_wait (&self->changed, &self->lock);
  message = g_cancellable_is_cancelled (self->cancellable)
              ? NULL
              : g_queue_pop_head (&self->messages);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);

  return message;
}

GPtrArray *
jm_pull_round_take (JmPullRound *self)
{
  GPtrArray *taken =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_pull_message_free);
  guint n_records = 0;
  JmPullMessage *message = pop (self, TRUE);

  while (message != NULL)
    {
      if (message->is_end)
        self->n_left--;
      else
        n_records += message->page.records->len;
      g_ptr_array_add (taken, message);
      message = n_records < BATCH_RECORDS ? pop (self, FALSE) : NULL;
    }

  return taken;
}

gboolean
jm_pull_round_is_over (JmPullRound *self)
{
  return self->n_left == 0;
}

/* --- begin and end --- */

static void
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  JmPullRound *self = user_data;

  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

JmPullRound *
jm_pull_round_new (const JmPullRoundPlan *plan,
                   GPtrArray *ledgers,
                   GCancellable *cancellable)
{
  JmPullRound *self = g_new0 (JmPullRound, 1);

  self->plan = *plan;
  self->n_left = ledgers->len;
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->messages);
  if (cancellable != NULL)
    {
      self->callers = g_object_ref (cancellable);
      self->handler =
        g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL);
    }
  self->pool =
    g_thread_pool_new (read_ledger, self, (int) plan->max_at_once, FALSE, NULL);
  for (guint i = 0; i < ledgers->len; i++)
    g_thread_pool_push (self->pool, ledgers->pdata[i], NULL);

  return self;
}

void
jm_pull_round_free (JmPullRound *self)
{
  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  g_thread_pool_free (self->pool, TRUE, TRUE);
  g_cancellable_disconnect (self->callers, self->handler);
  g_clear_object (&self->callers);
  g_queue_clear_full (&self->messages, (GDestroyNotify) jm_pull_message_free);
  g_object_unref (self->cancellable);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_free (self);
}
