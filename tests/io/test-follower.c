/* test-follower.c: a peer that is asked again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "io/jm-follower-private.h"

#define LONG_US (60 * G_TIME_SPAN_SECOND)

/* Answers what the test sets, and can be held up. */
typedef struct
{
  GMutex lock;
  GCond changed;
  gboolean is_held;
  gboolean is_inside;
  gboolean fails;
  guint n_asked;
} Peer;

static void
peer_init (Peer *self)
{
  *self = (Peer){ 0 };
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

static void
peer_clear (Peer *self)
{
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

static void
peer_set (Peer *self, gboolean *what, gboolean value)
{
  g_mutex_lock (&self->lock);
  *what = value;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
peer_wait_until_inside (Peer *self)
{
  g_mutex_lock (&self->lock);
  while (!self->is_inside)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}

static void
peer_wait_for (Peer *self, guint n_asked)
{
  g_mutex_lock (&self->lock);
  while (self->n_asked < n_asked)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}

/* Cancelling lets nobody out who is held: a peer may be deaf. */
static gpointer
answer (gpointer data, GCancellable *cancellable, GError **error)
{
  Peer *self = data;
  g_autofree char *text = NULL;

  g_mutex_lock (&self->lock);
  self->is_inside = TRUE;
  self->n_asked++;
  g_cond_broadcast (&self->changed);
  while (self->is_held)
    g_cond_wait (&self->changed, &self->lock);
  self->is_inside = FALSE;
  if (self->fails)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "attempt %u", self->n_asked);
  else
    text = g_strdup_printf ("answer %u", self->n_asked);
  g_mutex_unlock (&self->lock);

  return g_steal_pointer (&text);
}

static gpointer
ref_text (gpointer text)
{
  return g_strdup (text);
}

static JmFollower *
follow (Peer *peer, const JmFollowerPace *pace)
{
  return jm_follower_new ("test", pace, answer, peer, ref_text, g_free);
}

static void
assert_latest (JmFollower *follower, const char *text, const char *problem)
{
  g_autoptr (GError) error = NULL;
  gint64 age_us = -1;
  g_autofree char *latest = jm_follower_get_latest (follower, &age_us, &error);

  g_assert_cmpstr (latest, ==, text);
  g_assert_cmpstr (error != NULL ? error->message : NULL, ==, problem);
  if (text != NULL)
    g_assert_cmpint (age_us, >=, 0);
}

static void
ask (JmFollower *follower)
{
  jm_follower_ask (follower);
  g_assert_true (jm_follower_wait (follower, LONG_US, NULL));
}

/* Without a period there is one round for each time that it is wanted. */
static void
test_on_demand (void)
{
  g_auto (JmFollowerState) state = { 0 };
  const JmFollowerPace pace = { 0 };
  JmFollower *follower;
  Peer peer;

  peer_init (&peer);
  follower = follow (&peer, &pace);
  assert_latest (follower, NULL, NULL);
  g_assert_true (jm_follower_wait (follower, 0, NULL));
  jm_follower_get_state (follower, &state);
  g_assert_cmpuint (state.n_rounds, ==, 0);
  g_assert_cmpint (state.began_us, ==, 0);

  ask (follower);
  assert_latest (follower, "answer 1", NULL);
  ask (follower);
  assert_latest (follower, "answer 2", NULL);
  jm_follower_free (follower);
  g_assert_cmpuint (peer.n_asked, ==, 2);
  peer_clear (&peer);
}

/* The last good answer stays, and since when it fails is known. */
static void
test_failure (void)
{
  const JmFollowerPace pace = { 0 };
  gint64 before_us = g_get_real_time ();
  JmFollowerState first = { 0 }, second = { 0 }, third = { 0 };
  JmFollower *follower;
  Peer peer;

  peer_init (&peer);
  follower = follow (&peer, &pace);
  ask (follower);
  peer_set (&peer, &peer.fails, TRUE);
  ask (follower);
  jm_follower_get_state (follower, &first);
  ask (follower);
  jm_follower_get_state (follower, &second);
  assert_latest (follower, "answer 1", "attempt 3");
  g_assert_cmpint (first.failed_us, >=, before_us);
  g_assert_cmpint (second.failed_us, ==, first.failed_us);
  g_assert_cmpint (second.success_us, ==, first.success_us);
  g_assert_cmpstr (second.problem, ==, "attempt 3");
  g_assert_cmpuint (second.n_failures, ==, 2);

  peer_set (&peer, &peer.fails, FALSE);
  ask (follower);
  jm_follower_get_state (follower, &third);
  g_assert_cmpint (third.failed_us, ==, 0);
  g_assert_null (third.problem);
  g_assert_cmpuint (third.n_rounds, ==, 4);
  assert_latest (follower, "answer 4", NULL);

  jm_follower_free (follower);
  jm_follower_state_clear (&first);
  jm_follower_state_clear (&second);
  peer_clear (&peer);
}

/* Whoever waits for one that is held up is let go, and a wish meanwhile is kept. */
static void
test_held_up (void)
{
  g_auto (JmFollowerState) state = { 0 };
  const JmFollowerPace pace = { 0 };
  JmFollower *follower;
  Peer peer;

  peer_init (&peer);
  peer.is_held = TRUE;
  follower = follow (&peer, &pace);
  jm_follower_ask (follower);
  peer_wait_until_inside (&peer);
  g_assert_false (jm_follower_wait (follower, 0, NULL));
  jm_follower_get_state (follower, &state);
  g_assert_true (state.is_asking);
  g_assert_cmpuint (state.n_rounds, ==, 0);
  g_assert_cmpint (state.began_us, >, 0);

  jm_follower_ask (follower);
  peer_set (&peer, &peer.is_held, FALSE);
  g_assert_true (jm_follower_wait (follower, LONG_US, NULL));
  assert_latest (follower, "answer 2", NULL);
  jm_follower_free (follower);
  peer_clear (&peer);
}

static gpointer
cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);

  return NULL;
}

static void
test_cancelled_wait (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const JmFollowerPace pace = { 0 };
  JmFollower *follower;
  GThread *thread;
  Peer peer;

  peer_init (&peer);
  peer.is_held = TRUE;
  follower = follow (&peer, &pace);
  jm_follower_ask (follower);
  thread = g_thread_new ("cancel", cancel, cancellable);
  g_assert_false (jm_follower_wait (follower, LONG_US, cancellable));
  g_thread_join (thread);
  peer_set (&peer, &peer.is_held, FALSE);
  jm_follower_free (follower);
  peer_clear (&peer);
}

/* A wish within the pause, which does not end here, is not granted. */
static void
test_pause (void)
{
  const JmFollowerPace pace = { .pause_us = G_MAXINT64 / 2 };
  JmFollower *follower;
  Peer peer;

  peer_init (&peer);
  follower = follow (&peer, &pace);
  ask (follower);
  jm_follower_ask (follower);
  g_assert_false (jm_follower_wait (follower, 0, NULL));
  jm_follower_free (follower);
  g_assert_cmpuint (peer.n_asked, ==, 1);
  peer_clear (&peer);
}

static void
test_period (void)
{
  const JmFollowerPace pace = { .period_us = 1000 };
  JmFollower *follower;
  Peer peer;

  peer_init (&peer);
  follower = follow (&peer, &pace);
  peer_wait_for (&peer, 5);
  peer_set (&peer, &peer.fails, TRUE);
  peer_wait_for (&peer, 10);
  jm_follower_free (follower);
  peer_clear (&peer);
}

/* What is asked but once is asked until it answers. */
static void
test_once (void)
{
  const JmFollowerPace pace = { .retry_us = 1000, .back_off = 2 };
  g_auto (JmFollowerState) state = { 0 };
  JmFollower *follower;
  Peer peer;

  peer_init (&peer);
  peer.fails = TRUE;
  follower = follow (&peer, &pace);
  g_assert_true (jm_follower_wait_for_rounds (follower, 1, LONG_US));
  peer_wait_for (&peer, 4);
  peer_set (&peer, &peer.fails, FALSE);
  do
    {
      g_thread_yield ();
      jm_follower_state_clear (&state);
      jm_follower_get_state (follower, &state);
    }
  while (state.success_us == 0);
  jm_follower_free (follower);
  g_assert_cmpuint (state.n_rounds, ==, peer.n_asked);
  g_assert_cmpuint (state.n_failures, ==, peer.n_asked - 1);
  peer_clear (&peer);
}

/* Two questions to one peer: one at a time, and each ends alone. */
static void
test_beside (void)
{
  const JmFollowerPace pace = { 0 };
  JmFollower *first, *second;
  Peer slow, quick;

  peer_init (&slow);
  peer_init (&quick);
  slow.is_held = TRUE;
  first = follow (&slow, &pace);
  second = jm_follower_new_beside (first, &pace, answer, &quick, ref_text, g_free);
  jm_follower_ask (first);
  peer_wait_until_inside (&slow);
  jm_follower_ask (second);
  g_assert_false (jm_follower_wait (second, 0, NULL));
  assert_latest (second, NULL, NULL);

  peer_set (&slow, &slow.is_held, FALSE);
  g_assert_true (jm_follower_wait (second, LONG_US, NULL));
  assert_latest (first, "answer 1", NULL);
  assert_latest (second, "answer 1", NULL);

  jm_follower_free (first);
  ask (second);
  assert_latest (second, "answer 2", NULL);
  jm_follower_free (second);
  g_assert_cmpuint (slow.n_asked, ==, 1);
  peer_clear (&slow);
  peer_clear (&quick);
}

static void
test_retired (void)
{
  const JmFollowerPace pace = { .period_us = 1000 };
  g_auto (JmFollowerState) state = { 0 };
  JmFollower *follower;
  Peer peer;

  peer_init (&peer);
  follower = follow (&peer, &pace);
  g_assert_true (jm_follower_wait_for_rounds (follower, 3, LONG_US));
  jm_follower_retire (follower);
  g_assert_true (jm_follower_wait (follower, LONG_US, NULL));
  jm_follower_get_state (follower, &state);
  jm_follower_ask (follower);
  g_assert_true (jm_follower_wait (follower, 0, NULL));
  g_assert_true (jm_follower_wait_for_rounds (follower, G_MAXUINT, 0));
  jm_follower_free (follower);
  g_assert_true (state.is_retired);
  g_assert_cmpuint (peer.n_asked, ==, state.n_rounds);
  peer_clear (&peer);
}

static void
test_pace_of_interval (void)
{
  const JmFollowerPace often = jm_follower_pace_of_interval (5000);
  const JmFollowerPace once = jm_follower_pace_of_interval (0);

  g_assert_cmpint (often.period_us, ==, 5000000);
  g_assert_cmpint (often.retry_us, ==, 0);
  g_assert_cmpint (once.period_us, ==, 0);
  g_assert_cmpint (once.retry_us, ==, 60000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/follower/on-demand", test_on_demand);
  g_test_add_func ("/follower/failure", test_failure);
  g_test_add_func ("/follower/held-up", test_held_up);
  g_test_add_func ("/follower/cancelled-wait", test_cancelled_wait);
  g_test_add_func ("/follower/pause", test_pause);
  g_test_add_func ("/follower/period", test_period);
  g_test_add_func ("/follower/once", test_once);
  g_test_add_func ("/follower/beside", test_beside);
  g_test_add_func ("/follower/retired", test_retired);
  g_test_add_func ("/follower/pace-of-interval", test_pace_of_interval);

  return g_test_run ();
}
