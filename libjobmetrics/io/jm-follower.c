/* jm-follower.c: asks a peer again and again, in a thread of its own
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "io/jm-follower-private.h"

#define BACK_OFF 16
/* For what is asked but once: how soon after a failure. */
#define RETRY_US (60 * G_TIME_SPAN_SECOND)

struct _JmFollower
{
  JmFollowerPace pace;
  JmFollowFunc follow;
  gpointer peer;
  GBoxedCopyFunc answer_ref;
  GDestroyNotify answer_unref;

  GThread *thread;
  GCancellable *cancellable;
  GMutex mutex; /* guards what follows */
  GCond changed;
  gboolean is_ending;
  gboolean is_wanted;
  gint64 due_us;   /* monotonic, as is the next */
  gint64 ended_us; /* the last round; 0 before the first */
  guint n_failures_in_turn;
  JmFollowerState state; /* is_asking: a round is under way; without the problem */
  GError *error;         /* of the last round */
  gpointer answer;
  gint64 answered_us; /* monotonic */
};

void
jm_follower_state_clear (JmFollowerState *self)
{
  g_clear_pointer (&self->problem, g_free);
}

JmFollowerPace
jm_follower_pace_of_interval (guint interval_ms)
{
  return (JmFollowerPace){ .period_us = (gint64) interval_ms * 1000,
                           .retry_us = interval_ms > 0 ? 0 : RETRY_US,
                           .back_off = BACK_OFF };
}

/* --- the thread; all with the mutex locked, but for asking itself --- */

static gint64
get_pause_us (const JmFollowerPace *pace, guint n_failures)
{
  gint64 pause_us =
    n_failures > 0 && pace->retry_us > 0 ? pace->retry_us : pace->period_us;

  if (n_failures == 0 || pace->back_off == 0 || pause_us == 0)
    return pause_us;

  /* not all nodes of a cluster at once */
  return pause_us * MIN (1 << MIN (n_failures - 1, 10), (int) pace->back_off) +
         (gint64) ((double) pause_us * g_random_double () / 4);
}

static void
set_due (JmFollower *self)
{
  gint64 pause_us = get_pause_us (&self->pace, self->n_failures_in_turn);

  self->due_us = pause_us > 0 ? MAX (self->state.began_us + pause_us,
                                     self->ended_us + self->pace.pause_us)
                              : G_MAXINT64;
}

static void
note_failure (JmFollower *self)
{
  self->state.n_failures++;
  if (self->n_failures_in_turn++ == 0)
    self->state.failed_us = g_get_real_time ();
}

static void
note_success (JmFollower *self, gpointer answer)
{
  self->n_failures_in_turn = 0;
  self->state.failed_us = 0;
  self->state.success_us = g_get_real_time ();
  if (answer == NULL)
    return;
  if (self->answer != NULL)
    self->answer_unref (self->answer);
  self->answer = answer;
  self->answered_us = g_get_monotonic_time ();
}

static gint64
get_next_us (const JmFollower *self)
{
  if (!self->is_wanted)
    return self->due_us;

  return self->ended_us == 0 ? 0
                             : MIN (self->ended_us + self->pace.pause_us, self->due_us);
}

static void
wait_until_due (JmFollower *self)
{
  while (!self->is_ending && g_get_monotonic_time () < get_next_us (self))
    if (get_next_us (self) == G_MAXINT64)
      g_cond_wait (&self->changed, &self->mutex);
    else
      g_cond_wait_until (&self->changed, &self->mutex, get_next_us (self));
}

static void
ask (JmFollower *self)
{
  GError *error = NULL;
  gpointer answer;

  self->is_wanted = FALSE;
  self->state.is_asking = TRUE;
  self->state.began_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->mutex);
  answer = self->follow (self->peer, self->cancellable, &error);
  g_mutex_lock (&self->mutex);

  g_clear_error (&self->error);
  self->error = error;
  self->ended_us = g_get_monotonic_time ();
  self->state.is_asking = FALSE;
  self->state.n_rounds++;
  if (error == NULL)
    note_success (self, answer);
  else
    note_failure (self);
  set_due (self);
  g_cond_broadcast (&self->changed);
}

static gpointer
run (gpointer user_data)
{
  JmFollower *self = user_data;

  g_mutex_lock (&self->mutex);
  for (;;)
    {
      wait_until_due (self);
      if (self->is_ending)
        break;
      ask (self);
    }
  g_mutex_unlock (&self->mutex);

  return NULL;
}

JmFollower *
jm_follower_new (const char *name,
                 const JmFollowerPace *pace,
                 JmFollowFunc follow,
                 gpointer peer,
                 GBoxedCopyFunc answer_ref,
                 GDestroyNotify answer_unref)
{
  JmFollower *self = g_new0 (JmFollower, 1);

  self->pace = *pace;
  self->follow = follow;
  self->peer = peer;
  self->answer_ref = answer_ref;
  self->answer_unref = answer_unref;
  self->is_wanted = pace->period_us > 0 || pace->retry_us > 0;
  self->due_us = G_MAXINT64;
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->thread = g_thread_new (name, run, self);

  return self;
}

void
jm_follower_free (JmFollower *self)
{
  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_cancellable_cancel (self->cancellable);
  g_thread_join (self->thread);

  if (self->answer != NULL)
    self->answer_unref (self->answer);
  g_clear_error (&self->error);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* --- other threads --- */

void
jm_follower_ask (JmFollower *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->is_wanted = TRUE;
  g_cond_broadcast (&self->changed);
}

static gboolean
is_idle (const JmFollower *self)
{
  return !self->is_wanted && !self->state.is_asking;
}

static gboolean
has_asked (const JmFollower *self)
{
  return self->state.n_rounds > 0;
}

static gboolean
wait_for (JmFollower *self,
          gboolean (*is_true) (const JmFollower *self),
          gint64 timeout_us,
          GCancellable *cancellable)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  gint64 end_us = g_get_monotonic_time () + timeout_us;

  while (!is_true (self) && !g_cancellable_is_cancelled (cancellable) &&
         g_cond_wait_until (&self->changed, &self->mutex, end_us))
    ;

  return is_true (self);
}

static void
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  JmFollower *self = user_data;

  g_mutex_lock (&self->mutex);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

gboolean
jm_follower_wait (JmFollower *self, gint64 timeout_us, GCancellable *cancellable)
{
  gulong handler =
    cancellable != NULL
      ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL)
      : 0;
  gboolean is_idle_now = wait_for (self, is_idle, timeout_us, cancellable);

  g_cancellable_disconnect (cancellable, handler);

  return is_idle_now;
}

gboolean
jm_follower_wait_for_first (JmFollower *self, gint64 timeout_us)
{
  return wait_for (self, has_asked, timeout_us, NULL);
}

gpointer
jm_follower_get_latest (JmFollower *self, gint64 *age_us, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->error != NULL)
    g_propagate_error (error, g_error_copy (self->error));
  if (self->answer == NULL)
    return NULL;

  *age_us = g_get_monotonic_time () - self->answered_us;

  return self->answer_ref (self->answer);
}

void
jm_follower_get_state (JmFollower *self, JmFollowerState *state)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  *state = self->state;
  state->is_asking = !is_idle (self);
  state->problem = self->error != NULL ? g_strdup (self->error->message) : NULL;
}
