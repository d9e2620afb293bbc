/* jm-ledger-writer.c: the thread that writes a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-ledger-writer-private.h"

#include "store/jm-ledger-output-private.h"

/* What could not be written is tried again after so long, which doubles. */
#define FIRST_PAUSE_US (1 * G_USEC_PER_SEC)
#define LONGEST_PAUSE_US (16 * G_USEC_PER_SEC)

struct _JmLedgerWriter
{
  GThread *thread;
  GMutex lock;
  GCond changed;

  /* under the lock */
  JmLedgerBatch *inbox; /* NULL when nothing was handed over */
  guint64 n_submitted;
  guint64 n_stored;
  guint64 n_late; /* who waits for one up to this has waited already */
  gboolean is_closing;
  gboolean has_ended;
  GError *error; /* of the last attempt */

  /* the thread's own */
  JmLedgerOutput *output;
  JmLedgerBatch *backlog;
  gint64 next_try_us;
  gint64 pause_us;
};

typedef enum
{
  WORK_END,
  WORK_ABSORB, /* what was handed over, while it cannot be written */
  WORK_WRITE,
} Work;

static void
writer_clear (JmLedgerWriter *self)
{
  g_clear_pointer (&self->inbox, jm_ledger_batch_free);
  g_clear_pointer (&self->backlog, jm_ledger_batch_free);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

static void
writer_unref (JmLedgerWriter *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) writer_clear);
}

static gboolean
has_waiting (JmLedgerWriter *self)
{
  return self->inbox != NULL || !jm_ledger_batch_is_empty (self->backlog);
}

/* What is to be done, once there is something. A last attempt is made at the end. */
static Work
await_work (JmLedgerWriter *self)
{
  for (;;)
    {
      if (has_waiting (self) &&
          (self->is_closing || g_get_monotonic_time () >= self->next_try_us))
        return WORK_WRITE;
      if (self->is_closing)
        return WORK_END;
      if (self->inbox != NULL)
        return WORK_ABSORB;

      if (has_waiting (self))
        g_cond_wait_until (&self->changed, &self->lock, self->next_try_us);
      else
        g_cond_wait (&self->changed, &self->lock);
    }
}

static void
absorb (JmLedgerWriter *self, JmLedgerBatch *inbox)
{
  if (inbox == NULL)
    return;

  jm_ledger_batch_merge (self->backlog, inbox);
  jm_ledger_batch_free (inbox);
}

/* One line when it begins to fail, and one when that is over. */
static void
note_failure (JmLedgerWriter *self, GError *error)
{
  if (self->error == NULL)
    g_warning ("%s; what is to be written waits in memory", error->message);

  g_clear_error (&self->error);
  self->error = error;
  self->pause_us = CLAMP (2 * self->pause_us, FIRST_PAUSE_US, LONGEST_PAUSE_US);
  self->next_try_us = g_get_monotonic_time () + self->pause_us;
}

static void
note_success (JmLedgerWriter *self, guint64 ticket)
{
  if (self->error != NULL)
    g_message ("%s: it can be written again", jm_ledger_output_get_path (self->output));

  g_clear_error (&self->error);
  self->pause_us = 0;
  self->next_try_us = 0;
  self->n_stored = ticket;
}

/* Called under the lock, which it gives up while it works. */
static void
do_work (JmLedgerWriter *self, Work work)
{
  JmLedgerBatch *inbox = g_steal_pointer (&self->inbox);
  guint64 ticket = self->n_submitted;
  GError *error = NULL;
  gboolean done = FALSE;

  g_mutex_unlock (&self->lock);
  absorb (self, inbox);
  if (work == WORK_WRITE)
    done = jm_ledger_output_write (self->output, self->backlog, &error);
  if (done)
    jm_ledger_batch_clear (self->backlog);
  g_mutex_lock (&self->lock);

  if (done)
    note_success (self, ticket);
  else if (work == WORK_WRITE)
    note_failure (self, error);
  g_cond_broadcast (&self->changed);
}

static gpointer
run (gpointer data)
{
  JmLedgerWriter *self = data;
  gboolean is_last = FALSE;
  Work work;

  g_mutex_lock (&self->lock);
  while (!is_last && (work = await_work (self)) != WORK_END)
    {
      is_last = self->is_closing;
      do_work (self, work);
    }
  g_mutex_unlock (&self->lock);

  jm_ledger_output_close (self->output);

  g_mutex_lock (&self->lock);
  self->has_ended = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  writer_unref (self);

  return NULL;
}

JmLedgerWriter *
jm_ledger_writer_start (const JmLedgerPlan *plan, GError **error)
{
  JmLedgerOutput *output = jm_ledger_output_open (plan, error);
  JmLedgerWriter *self;

  if (output == NULL)
    return NULL;

  self = g_atomic_rc_box_new0 (JmLedgerWriter);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->output = output;
  self->backlog = jm_ledger_batch_new ();
  self->thread = g_thread_new ("jm-ledger", run, g_atomic_rc_box_acquire (self));

  return self;
}

guint64
jm_ledger_writer_submit (JmLedgerWriter *self, JmLedgerBatch *batch)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->inbox == NULL)
    self->inbox = batch;
  else
    {
      jm_ledger_batch_merge (self->inbox, batch);
      jm_ledger_batch_free (batch);
    }
  g_cond_broadcast (&self->changed);

  return ++self->n_submitted;
}

/* Who was kept waiting once is not kept again before the ledger has caught up. */
static gboolean
is_worth_waiting (JmLedgerWriter *self)
{
  return self->error == NULL && self->n_stored >= self->n_late && !self->has_ended;
}

gboolean
jm_ledger_writer_await (JmLedgerWriter *self, guint64 ticket, gint64 timeout_us)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 until_us = g_get_monotonic_time () + timeout_us;

  while (self->n_stored < ticket && is_worth_waiting (self))
    if (!g_cond_wait_until (&self->changed, &self->lock, until_us))
      {
        self->n_late = self->n_submitted;
        break;
      }

  return self->n_stored >= ticket;
}

void
jm_ledger_writer_get_status (JmLedgerWriter *self, JmLedgerStatus *status)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  *status = (JmLedgerStatus){
    .is_writable = self->error == NULL,
    .error = self->error != NULL ? g_error_copy (self->error) : NULL,
  };
}

void
jm_ledger_writer_stop (JmLedgerWriter *self, gint64 timeout_us)
{
  GThread *thread = self->thread;
  gint64 until_us = g_get_monotonic_time () + timeout_us;
  gboolean has_ended;

  g_mutex_lock (&self->lock);
  self->is_closing = TRUE;
  g_cond_broadcast (&self->changed);
  while (!self->has_ended)
    if (!g_cond_wait_until (&self->changed, &self->lock, until_us))
      break;
  has_ended = self->has_ended;
  g_mutex_unlock (&self->lock);

  if (has_ended)
    g_thread_join (thread);
  else
    g_thread_unref (thread);
  writer_unref (self);
}
