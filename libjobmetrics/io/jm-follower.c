/* jm-follower.c: asks a peer again and again, in a thread of its own
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "io/jm-follower-private.h"

#define BACK_OFF 16
/* For what is asked but once: how soon after a failure. */
#define RETRY_US (60 * G_TIME_SPAN_SECOND)

/* A thread that asks one after the other of its followers. */
typedef struct
{
  GThread *thread;
  GMutex mutex; /* guards what follows, and the followers' own */
  GCond changed;
  gboolean is_ending;
  GPtrArray *followers;
  const JmFollower *asked; /* whose round is under way; NULL for none */
} Worker;

struct _JmFollower
{
  Worker *worker;
  JmFollowerPace pace;
  JmFollowFunc follow;
  gpointer peer;
  GBoxedCopyFunc answer_ref;
  GDestroyNotify answer_unref;

  GCancellable *cancellable;
  gboolean is_wanted; /* guarded by the worker's mutex, as all that follows */
  gint64 due_us;      /* monotonic, as is the next */
  gint64 ended_us;    /* the last round; 0 before the first */
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

gint64
jm_follower_pace_get_pause_us (const JmFollowerPace *pace,
                               gint64 took_us,
                               guint n_in_turn,
                               guint n_failures,
                               double jitter)
{
  gint64 pause_us =
    n_failures > 0 && pace->retry_us > 0 ? pace->retry_us : pace->period_us;

  if (pause_us == 0)
    return 0;
  /* not all nodes of a cluster at once */
  if (n_failures > 0 && pace->back_off > 0)
    pause_us = pause_us * MIN (1 << MIN (n_failures - 1, 10), (int) pace->back_off) +
               (gint64) ((double) pause_us * jitter / 4);

  return MAX (pause_us, took_us * pace->share * n_in_turn);
}

static guint
count_in_turn (const Worker *self)
{
  guint n = 0;

  for (guint i = 0; i < self->followers->len; i++)
    n += !((const JmFollower *) self->followers->pdata[i])->state.is_retired;

  return n;
}

static void
set_due (JmFollower *self)
{
  gint64 pause_us =
    jm_follower_pace_get_pause_us (&self->pace, self->state.took_us,
                                   count_in_turn (self->worker),
                                   self->n_failures_in_turn, g_random_double ());

  self->due_us =
    pause_us > 0 && !self->state.is_retired
      ? MAX (self->state.began_us + pause_us, self->ended_us + self->pace.pause_us)
      : G_MAXINT64;
}

static void
note_failure (JmFollower *self)
{
  self->state.n_failures++;
  if (self->n_failures_in_turn++ == 0)
    self->state.failed_us = g_get_real_time ();
}

/* Returns: the answer before, if there is another one now. */
static gpointer
note_success (JmFollower *self, gpointer answer)
{
  gpointer before = self->answer;

  self->n_failures_in_turn = 0;
  self->state.failed_us = 0;
  self->state.success_us = g_get_real_time ();
  if (answer == NULL)
    return NULL;
  self->answer = answer;
  self->answered_us = g_get_monotonic_time ();
  self->state.asked_us = self->state.began_us;

  return before;
}

static gint64
get_next_us (const JmFollower *self)
{
  if (!self->is_wanted)
    return self->due_us;

  return self->ended_us == 0 ? 0
                             : MIN (self->ended_us + self->pace.pause_us, self->due_us);
}

/* The one that is due first; NULL where there is none. */
static JmFollower *
choose (const Worker *self)
{
  JmFollower *first = NULL;

  for (guint i = 0; i < self->followers->len; i++)
    if (first == NULL || get_next_us (self->followers->pdata[i]) < get_next_us (first))
      first = self->followers->pdata[i];

  return first;
}

/* NULL at the end. */
static JmFollower *
wait_until_due (Worker *self)
{
  while (!self->is_ending)
    {
      JmFollower *next = choose (self);
      gint64 next_us = next != NULL ? get_next_us (next) : G_MAXINT64;

      if (next_us == G_MAXINT64)
        g_cond_wait (&self->changed, &self->mutex);
      else if (g_get_monotonic_time () >= next_us)
        return next;
      else
        g_cond_wait_until (&self->changed, &self->mutex, next_us);
    }

  return NULL;
}

static void
ask (JmFollower *self)
{
  Worker *worker = self->worker;
  GError *error = NULL;
  gpointer answer, before = NULL;

  self->is_wanted = FALSE;
  self->state.is_asking = TRUE;
  self->state.began_us = g_get_monotonic_time ();
  worker->asked = self;
  g_mutex_unlock (&worker->mutex);
  answer = self->follow (self->peer, self->cancellable, &error);
  g_mutex_lock (&worker->mutex);

  g_clear_error (&self->error);
  self->error = error;
  self->ended_us = g_get_monotonic_time ();
  self->state.took_us = self->ended_us - self->state.began_us;
  self->state.is_asking = FALSE;
  self->state.n_rounds++;
  if (error == NULL)
    before = note_success (self, answer);
  else
    note_failure (self);
  set_due (self);
  g_cond_broadcast (&worker->changed);
  if (before != NULL)
    {
      /* a large one takes its time, and nobody waits for that */
      g_mutex_unlock (&worker->mutex);
      self->answer_unref (before);
      g_mutex_lock (&worker->mutex);
    }
  worker->asked = NULL;
  g_cond_broadcast (&worker->changed);
}

static gpointer
run (gpointer user_data)
{
  Worker *self = user_data;
  JmFollower *next;

  g_mutex_lock (&self->mutex);
  while ((next = wait_until_due (self)) != NULL)
    ask (next);
  g_mutex_unlock (&self->mutex);

  return NULL;
}

static Worker *
worker_new (const char *name)
{
  Worker *self = g_new0 (Worker, 1);

  self->followers = g_ptr_array_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->thread = g_thread_new (name, run, self);

  return self;
}

static void
worker_free (Worker *self)
{
  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);

  g_ptr_array_unref (self->followers);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

static JmFollower *
join (Worker *worker,
      const JmFollowerPace *pace,
      JmFollowFunc follow,
      gpointer peer,
      GBoxedCopyFunc answer_ref,
      GDestroyNotify answer_unref)
{
  JmFollower *self = g_new0 (JmFollower, 1);

  self->worker = worker;
  self->pace = *pace;
  self->follow = follow;
  self->peer = peer;
  self->answer_ref = answer_ref;
  self->answer_unref = answer_unref;
  self->is_wanted = pace->period_us > 0 || pace->retry_us > 0;
  self->due_us = G_MAXINT64;
  self->cancellable = g_cancellable_new ();
  g_mutex_lock (&worker->mutex);
  g_ptr_array_add (worker->followers, self);
  g_cond_broadcast (&worker->changed);
  g_mutex_unlock (&worker->mutex);

  return self;
}

JmFollower *
jm_follower_new (const char *name,
                 const JmFollowerPace *pace,
                 JmFollowFunc follow,
                 gpointer peer,
                 GBoxedCopyFunc answer_ref,
                 GDestroyNotify answer_unref)
{
  return join (worker_new (name), pace, follow, peer, answer_ref, answer_unref);
}

JmFollower *
jm_follower_new_beside (JmFollower *other,
                        const JmFollowerPace *pace,
                        JmFollowFunc follow,
                        gpointer peer,
                        GBoxedCopyFunc answer_ref,
                        GDestroyNotify answer_unref)
{
  return join (other->worker, pace, follow, peer, answer_ref, answer_unref);
}

/* Whether it was the last one of its worker. */
static gboolean
leave (JmFollower *self)
{
  Worker *worker = self->worker;
  gboolean is_last;

  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&worker->mutex);
  g_ptr_array_remove (worker->followers, self);
  g_cond_broadcast (&worker->changed);
  while (worker->asked == self)
    g_cond_wait (&worker->changed, &worker->mutex);
  is_last = worker->followers->len == 0;
  g_mutex_unlock (&worker->mutex);

  return is_last;
}

void
jm_follower_free (JmFollower *self)
{
  if (leave (self))
    worker_free (self->worker);

  if (self->answer != NULL)
    self->answer_unref (self->answer);
  g_clear_error (&self->error);
  g_object_unref (self->cancellable);
  g_free (self);
}

/* --- other threads --- */

void
jm_follower_ask (JmFollower *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
    g_mutex_locker_new (&self->worker->mutex);

  self->is_wanted = !self->state.is_retired;
  g_cond_broadcast (&self->worker->changed);
}

void
jm_follower_retire (JmFollower *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
    g_mutex_locker_new (&self->worker->mutex);

  self->state.is_retired = TRUE;
  self->is_wanted = FALSE;
  self->due_us = G_MAXINT64;
  g_cond_broadcast (&self->worker->changed);
}

static gboolean
is_idle (const JmFollower *self, guint n_rounds)
{
  return !self->is_wanted && !self->state.is_asking;
}

static gboolean
has_asked (const JmFollower *self, guint n_rounds)
{
  return self->state.n_rounds >= n_rounds || self->state.is_retired;
}

static gboolean
wait_for (JmFollower *self,
          gboolean (*is_true) (const JmFollower *self, guint n_rounds),
          guint n_rounds,
          gint64 timeout_us,
          GCancellable *cancellable)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
    g_mutex_locker_new (&self->worker->mutex);
  gint64 end_us = g_get_monotonic_time () + timeout_us;

  while (!is_true (self, n_rounds) && !g_cancellable_is_cancelled (cancellable) &&
         g_cond_wait_until (&self->worker->changed, &self->worker->mutex, end_us))
    ;

  return is_true (self, n_rounds);
}

static void
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  JmFollower *self = user_data;

  g_mutex_lock (&self->worker->mutex);
  g_cond_broadcast (&self->worker->changed);
  g_mutex_unlock (&self->worker->mutex);
}

gboolean
jm_follower_wait (JmFollower *self, gint64 timeout_us, GCancellable *cancellable)
{
  gulong handler =
    cancellable != NULL
      ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL)
      : 0;
  gboolean is_idle_now = wait_for (self, is_idle, 0, timeout_us, cancellable);

  g_cancellable_disconnect (cancellable, handler);

  return is_idle_now;
}

gboolean
jm_follower_wait_for_rounds (JmFollower *self, guint n_rounds, gint64 timeout_us)
{
  return wait_for (self, has_asked, n_rounds, timeout_us, NULL);
}

gpointer
jm_follower_get_latest (JmFollower *self, gint64 *age_us, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
    g_mutex_locker_new (&self->worker->mutex);

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
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
    g_mutex_locker_new (&self->worker->mutex);

  *state = self->state;
  state->is_asking = !is_idle (self, 0);
  state->problem = self->error != NULL ? g_strdup (self->error->message) : NULL;
}
