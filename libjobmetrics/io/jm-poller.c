/* jm-poller.c: asks in the background what may be slow to answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "io/jm-poller-private.h"

#define BACK_OFF 16
/* For what is asked but once: how soon after a failure. */
#define RETRY_MS 60000

struct _JmPoller
{
  guint interval_ms;
  JmPollFunc poll;
  gpointer user_data;
  GBoxedCopyFunc answer_ref;
  GDestroyNotify answer_unref;

  GThread *thread;
  GCancellable *cancellable;
  GMutex mutex; /* guards what follows */
  GCond cond;
  gboolean is_ending;
  gboolean is_asked; /* once at least, to the end */
  gpointer answer;
  gint64 answered_us; /* monotonic */
  GError *error;      /* of the last question, NULL if it was answered */
};

static void
keep (JmPoller *self, gpointer answer, GError *error)
{
  g_clear_error (&self->error);
  self->error = error;
  if (answer != NULL)
    {
      g_clear_pointer (&self->answer, self->answer_unref);
      self->answer = answer;
      self->answered_us = g_get_monotonic_time ();
    }
  self->is_asked = TRUE;
  g_cond_broadcast (&self->cond);
}

static void
ask (JmPoller *self)
{
  GError *error = NULL;
  gpointer answer = self->poll (self->user_data, self->cancellable, &error);

  g_mutex_lock (&self->mutex);
  keep (self, answer, error);
}

/* With the mutex locked; so it is afterwards. */
static void
pause_until (JmPoller *self, gint64 end_us)
{
  while (!self->is_ending && g_cond_wait_until (&self->cond, &self->mutex, end_us))
    ;
}

static gint64
get_pause_us (JmPoller *self, guint n_failures)
{
  gint64 pause_us =
    (gint64) (self->interval_ms > 0 ? self->interval_ms : RETRY_MS) * 1000;

  if (n_failures == 0)
    return pause_us;

  /* not all nodes of a cluster at once */
  return pause_us * MIN (1 << MIN (n_failures - 1, 10), BACK_OFF) +
         g_random_int_range (0, (gint32) MIN (pause_us, G_MAXINT32 - 1) + 1) / 4;
}

static gpointer
run (gpointer user_data)
{
  JmPoller *self = user_data;
  guint n_failures = 0;

  for (;;)
    {
      gint64 began_us = g_get_monotonic_time ();
      gboolean is_over;

      ask (self);
      n_failures = self->error != NULL ? n_failures + 1 : 0;
      if (n_failures > 0 || self->interval_ms > 0)
        pause_until (self, began_us + get_pause_us (self, n_failures));
      is_over = self->is_ending || (n_failures == 0 && self->interval_ms == 0);
      g_mutex_unlock (&self->mutex);

      if (is_over)
        return NULL;
    }
}

JmPoller *
jm_poller_new (const char *name,
               guint interval_ms,
               JmPollFunc poll,
               gpointer user_data,
               GBoxedCopyFunc answer_ref,
               GDestroyNotify answer_unref)
{
  JmPoller *self = g_new0 (JmPoller, 1);

  self->interval_ms = interval_ms;
  self->poll = poll;
  self->user_data = user_data;
  self->answer_ref = answer_ref;
  self->answer_unref = answer_unref;
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->thread = g_thread_new (name, run, self);

  return self;
}

void
jm_poller_free (JmPoller *self)
{
  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  g_cancellable_cancel (self->cancellable);
  g_thread_join (self->thread);

  g_clear_pointer (&self->answer, self->answer_unref);
  g_clear_error (&self->error);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

gpointer
jm_poller_get_latest (JmPoller *self, gint64 *age_us, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->error != NULL)
    g_propagate_error (error, g_error_copy (self->error));
  if (self->answer == NULL)
    return NULL;

  *age_us = g_get_monotonic_time () - self->answered_us;

  return self->answer_ref (self->answer);
}

gboolean
jm_poller_wait (JmPoller *self, gint64 timeout_us)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  gint64 end_us = g_get_monotonic_time () + timeout_us;

  while (!self->is_asked && g_cond_wait_until (&self->cond, &self->mutex, end_us))
    ;

  return self->is_asked;
}
