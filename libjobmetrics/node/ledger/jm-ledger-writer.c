/* jm-ledger-writer.c: the thread that writes a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-writer-private.h"

#include "node/ledger/jm-ledger-output-private.h"

/* What could not be written is tried again after so long, which doubles. */
#define FIRST_PAUSE_US (1 * G_USEC_PER_SEC)
#define LONGEST_PAUSE_US (16 * G_USEC_PER_SEC)
/* How often what is too old is looked for, where nothing is recorded. */
#define TIDY_PERIOD_US (60 * G_USEC_PER_SEC)

/* Of records that the thread has not come to, however fast they were. */
#define MAX_INBOX (4 * JM_LEDGER_MAX_WAITING)

struct _JmLedgerWriter
{
  GThread *thread;
  GMutex lock;
  GCond changed;

  gboolean keeps_oldest; /* these never change */
  gboolean is_makeshift;

  /* under the lock */
  JmLedgerBatch *inbox; /* NULL when nothing was handed over */
  guint64 n_submitted;
  guint64 n_stored;
  guint64 n_late; /* who waits for one up to this has waited already */
  gboolean is_closing;
  gboolean has_ended;
  GError *error;         /* of the last attempt */
  gint64 failing_us;     /* when the first failed since one was well */
  JmLedgerTotals *shown; /* what is stored: totals, and how much of it there is */
  guint64 n_records;
  guint64 size_bytes;
  guint64 n_dropped; /* of the backlog */
  guint64 n_given_up;
  gint64 given_up_us;
  guint n_backlog;

  /* the thread's own */
  JmLedgerOutput *output;
  JmLedgerBatch *backlog;
  gint64 next_try_us;
  gint64 pause_us;
  gint64 next_tidy_us;
};

typedef enum
{
  WORK_END,
  WORK_ABSORB, /* what was handed over, while it cannot be written */
  WORK_WRITE,
  WORK_TIDY,
} Work;

static void
writer_clear (JmLedgerWriter *self)
{
  g_clear_pointer (&self->inbox, jm_ledger_batch_free);
  g_clear_pointer (&self->backlog, jm_ledger_batch_free);
  g_clear_pointer (&self->shown, jm_ledger_totals_free);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

void
jm_ledger_writer_unref (JmLedgerWriter *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) writer_clear);
}

static gboolean
has_waiting (JmLedgerWriter *self)
{
  return self->inbox != NULL || !jm_ledger_batch_is_empty (self->backlog);
}

/* What is to be done now; FALSE for nothing, until that time. */
static gboolean
find_work (JmLedgerWriter *self, Work *work, gint64 *until_us)
{
  gint64 now_us = g_get_monotonic_time ();
  gboolean waits = has_waiting (self);

  *until_us = waits ? self->next_try_us : self->next_tidy_us;
  if (waits && (self->is_closing || now_us >= self->next_try_us))
    *work = WORK_WRITE;
  else if (self->is_closing)
    *work = WORK_END;
  else if (self->inbox != NULL)
    *work = WORK_ABSORB;
  else if (!waits && now_us >= self->next_tidy_us)
    *work = WORK_TIDY;
  else
    return FALSE;

  return TRUE;
}

static Work
await_work (JmLedgerWriter *self)
{
  gint64 until_us;
  Work work;

  while (!find_work (self, &work, &until_us))
    g_cond_wait_until (&self->changed, &self->lock, until_us);

  return work;
}

static void
absorb (JmLedgerWriter *self, JmLedgerBatch *inbox)
{
  if (inbox == NULL)
    return;

  jm_ledger_batch_merge (self->backlog, inbox);
  jm_ledger_batch_free (inbox);
  jm_ledger_batch_pack (self->backlog);
}

/* One line when it begins to fail, and one when that is over. */
static void
note_failure (JmLedgerWriter *self, GError *error)
{
  if (self->error == NULL)
    {
      g_warning ("%s; what is to be written waits in memory", error->message);
      self->failing_us = g_get_real_time ();
    }

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
  self->failing_us = 0;
  self->pause_us = 0;
  self->next_try_us = 0;
  self->n_stored = ticket;
}

/* What others see, without waiting for the disk. */
static void
show (JmLedgerWriter *self, JmLedgerTotals *totals, guint64 size_bytes)
{
  if (totals != NULL)
    {
      g_clear_pointer (&self->shown, jm_ledger_totals_free);
      self->shown = totals;
    }
  self->n_records = jm_ledger_output_get_n_records (self->output);
  self->size_bytes = size_bytes;
  self->n_backlog = self->backlog->n_whole;
  self->n_dropped = self->backlog->n_dropped;
  self->n_given_up = self->backlog->n_given_up;
  self->given_up_us = self->backlog->given_up_us;
}

/* One that has more in it than may wait is tried at once: it may have to drop some. */
static gboolean
is_due (JmLedgerWriter *self, Work work)
{
  return work == WORK_WRITE ||
         (work == WORK_ABSORB && jm_ledger_batch_count_excess (self->backlog) > 0);
}

/* Puts in place of the ones that are shown those that count now, if they have changed.
 */
static JmLedgerTotals *
write_backlog (JmLedgerWriter *self, GError **error)
{
  gboolean counts = jm_ledger_batch_counts (self->backlog);

  if (!jm_ledger_output_write (self->output, self->backlog, error))
    return NULL;

  jm_ledger_batch_clear (self->backlog);

  return counts ? jm_ledger_totals_copy (jm_ledger_output_get_totals (self->output))
                : NULL;
}

static void
tidy (JmLedgerWriter *self)
{
  gboolean is_done = jm_ledger_output_tidy (self->output);

  self->next_tidy_us = is_done ? g_get_monotonic_time () + TIDY_PERIOD_US : 0;
}

/* Called under the lock, which it gives up while it works. */
static void
do_work (JmLedgerWriter *self, Work work)
{
  JmLedgerBatch *inbox = g_steal_pointer (&self->inbox);
  guint64 ticket = self->n_submitted;
  JmLedgerTotals *totals = NULL;
  GError *error = NULL;
  gboolean tried;
  guint64 size_bytes;

  g_mutex_unlock (&self->lock);
  absorb (self, inbox);
  tried = is_due (self, work);
  if (tried)
    totals = write_backlog (self, &error);
  else if (work == WORK_TIDY)
    tidy (self);
  if (totals != NULL)
    self->next_tidy_us = 0;
  size_bytes = jm_ledger_output_get_size (self->output);
  g_mutex_lock (&self->lock);

  if (tried && error == NULL)
    note_success (self, ticket);
  else if (tried)
    note_failure (self, error);
  show (self, totals, size_bytes);
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
  jm_ledger_writer_unref (self);

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
  self->keeps_oldest = plan->keeps_oldest;
  self->is_makeshift = plan->is_makeshift;
  self->backlog = jm_ledger_batch_new ();
  show (self, jm_ledger_totals_copy (jm_ledger_output_get_totals (output)),
        jm_ledger_output_get_size (output));
  self->thread = g_thread_new ("jm-ledger", run, g_atomic_rc_box_acquire (self));

  return self;
}

/* A disk that does not answer at all holds the thread, so nobody else empties this. */
static void
drop_excess (JmLedgerWriter *self)
{
  if (self->inbox->n_whole > MAX_INBOX)
    jm_ledger_batch_give_up (self->inbox, self->inbox->n_whole - MAX_INBOX,
                             self->keeps_oldest);
}

guint64
jm_ledger_writer_submit (JmLedgerWriter *self, JmLedgerBatch *batch)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  /* they were shown before, so that the disk changes nothing about them */
  jm_ledger_totals_raise (self->shown, batch->raised, batch->n_raised);
  if (self->inbox == NULL)
    self->inbox = batch;
  else
    {
      jm_ledger_batch_merge (self->inbox, batch);
      jm_ledger_batch_free (batch);
      drop_excess (self);
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
    .is_writable = self->error == NULL && !self->is_makeshift,
    .n_records = self->n_records,
    .size_bytes = self->size_bytes,
    .n_dropped = jm_ledger_totals_get_dropped (self->shown) + self->n_dropped,
    .n_given_up = self->n_given_up,
    .given_up_us = self->given_up_us,
    .n_waiting = self->n_backlog + (self->inbox != NULL ? self->inbox->n_whole : 0),
    .error = self->error != NULL ? g_error_copy (self->error) : NULL,
    .failing_us = self->failing_us,
  };
  if (self->inbox != NULL)
    {
      status->n_dropped += self->inbox->n_dropped;
      status->n_given_up += self->inbox->n_given_up;
      status->given_up_us = MAX (status->given_up_us, self->inbox->given_up_us);
    }
}

GArray *
jm_ledger_writer_list_totals (JmLedgerWriter *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return jm_ledger_totals_list (self->shown);
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
}
