/* jm-call-thread.c: makes calls that may never return
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "io/jm-call-thread-private.h"

/* For how long one that is cancelled is waited for: most return within that. */
#define GRACE_US 200000

struct _JmCall
{
  JmCallFunc func;
  gpointer data;
  GDestroyNotify destroy;

  GMutex mutex; /* guards what follows */
  GCond cond;
  gboolean is_over;
  gboolean is_cancelled;
  GObject *held;
};

struct _JmCallThread
{
  char *name;
  GThread *thread;    /* NULL before the first call, and after one was left behind */
  GAsyncQueue *queue; /* of JmCall; the thread's too */
};

/* Ends a thread. */
static const char the_end[] = "";

/* --- one call --- */

JmCall *
jm_call_new (JmCallFunc func, gpointer data, GDestroyNotify destroy)
{
  JmCall *self = g_atomic_rc_box_new0 (JmCall);

  self->func = func;
  self->data = data;
  self->destroy = destroy;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);

  return self;
}

JmCall *
jm_call_ref (JmCall *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
call_clear (gpointer data)
{
  JmCall *self = data;

  if (self->destroy != NULL)
    self->destroy (self->data);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
}

void
jm_call_unref (JmCall *self)
{
  g_atomic_rc_box_release_full (self, call_clear);
}

gboolean
jm_call_is_over (JmCall *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->is_over;
}

gpointer
jm_call_get_data (JmCall *self)
{
  return self->data;
}

void
jm_call_hold (JmCall *self, GObject *object)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (!self->is_over && self->held == NULL)
    self->held = g_object_ref (object);
}

/* The object goes last, for the data may be about it. */
static void
make (JmCall *self)
{
  g_autoptr (GObject) held = NULL;

  self->func (self->data);

  g_mutex_lock (&self->mutex);
  self->is_over = TRUE;
  held = g_steal_pointer (&self->held);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  jm_call_unref (self);
}

static void
cancel (GCancellable *cancellable, gpointer user_data)
{
  JmCall *self = user_data;

  g_mutex_lock (&self->mutex);
  self->is_cancelled = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

static gboolean
wait_until (JmCall *self, gint64 end_us)
{
  gboolean is_hurried = FALSE;

  g_mutex_lock (&self->mutex);
  do
    if (self->is_cancelled && !is_hurried)
      {
        is_hurried = TRUE;
        end_us = MIN (end_us, g_get_monotonic_time () + GRACE_US);
      }
  while (!self->is_over && g_cond_wait_until (&self->cond, &self->mutex, end_us));
  g_mutex_unlock (&self->mutex);

  return jm_call_is_over (self);
}

/* --- the thread --- */

static gpointer
work (gpointer user_data)
{
  GAsyncQueue *queue = user_data;
  gpointer call;

  while ((call = g_async_queue_pop (queue)) != the_end)
    make (call);
  g_async_queue_unref (queue);

  return NULL;
}

static void
start (JmCallThread *self)
{
  self->queue = g_async_queue_new ();
  self->thread = g_thread_new (self->name, work, g_async_queue_ref (self->queue));
}

/* Has the thread end as soon as it has nothing to do; it may take for ever. */
static GThread *
let_go (JmCallThread *self)
{
  g_async_queue_push (self->queue, (gpointer) the_end);
  g_clear_pointer (&self->queue, g_async_queue_unref);

  return g_steal_pointer (&self->thread);
}

JmCallThread *
jm_call_thread_new (const char *name)
{
  JmCallThread *self = g_new0 (JmCallThread, 1);

  self->name = g_strdup (name);

  return self;
}

void
jm_call_thread_free (JmCallThread *self)
{
  if (self->thread != NULL)
    g_thread_join (let_go (self));
  g_free (self->name);
  g_free (self);
}

gboolean
jm_call_thread_run (JmCallThread *self,
                    JmCall *call,
                    gint64 timeout_us,
                    GCancellable *cancellable)
{
  gint64 end_us = g_get_monotonic_time () + timeout_us;
  gulong handler = 0;
  gboolean is_over;

  if (self->thread == NULL)
    start (self);
  g_async_queue_push (self->queue, jm_call_ref (call));

  if (cancellable != NULL)
    handler =
      g_cancellable_connect (cancellable, G_CALLBACK (cancel), jm_call_ref (call),
                             (GDestroyNotify) jm_call_unref);
  is_over = wait_until (call, end_us);
  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  if (!is_over)
    g_thread_unref (let_go (self));

  return is_over;
}
