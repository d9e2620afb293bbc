/* test-call-thread.c: makes calls that may never return
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "io/jm-call-thread-private.h"

/* Of what must happen; a test that fails waits so long. */
#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define SHORT_US 20000

/* A door that calls wait behind. */
typedef struct
{
  GMutex mutex;
  GCond cond;
  gboolean is_open;
  guint n_waiting;
  guint n_passed;
  guint n_freed;
  GThread *last; /* that passed */
} Door;

static void
pass (gpointer data)
{
  Door *self = data;

  g_mutex_lock (&self->mutex);
  self->n_waiting++;
  g_cond_broadcast (&self->cond);
  while (!self->is_open)
    g_cond_wait (&self->cond, &self->mutex);
  self->n_passed++;
  self->last = g_thread_self ();
  g_mutex_unlock (&self->mutex);
}

static void
note_freed (gpointer data)
{
  Door *self = data;

  g_mutex_lock (&self->mutex);
  self->n_freed++;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

static void
set_open (Door *self, gboolean is_open)
{
  g_mutex_lock (&self->mutex);
  self->is_open = is_open;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

static void
await (Door *self, const guint *figure, guint value)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  gboolean is_reached;

  g_mutex_lock (&self->mutex);
  while (*figure < value && g_cond_wait_until (&self->cond, &self->mutex, end_us))
    ;
  is_reached = *figure >= value;
  g_mutex_unlock (&self->mutex);
  g_assert_true (is_reached);
}

static gboolean
run (JmCallThread *thread, Door *door, gint64 timeout_us, GCancellable *cancellable)
{
  g_autoptr (JmCall) call = jm_call_new (pass, door, note_freed);

  return jm_call_thread_run (thread, call, timeout_us, cancellable);
}

static void
test_calls_are_made_in_one_thread (void)
{
  Door door = { .is_open = TRUE };
  JmCallThread *thread = jm_call_thread_new ("test");
  GThread *first;

  g_assert_true (run (thread, &door, PATIENCE_US, NULL));
  first = door.last;
  g_assert_true (run (thread, &door, PATIENCE_US, NULL));

  g_assert_true (door.last == first);
  g_assert_true (door.last != g_thread_self ());
  jm_call_thread_free (thread);
  g_assert_cmpuint (door.n_freed, ==, 2);
}

static void
test_one_that_does_not_return_is_left_behind (void)
{
  Door shut = { 0 };
  Door open = { .is_open = TRUE };
  JmCallThread *thread = jm_call_thread_new ("test");

  g_assert_false (run (thread, &shut, SHORT_US, NULL));
  g_assert_true (run (thread, &open, PATIENCE_US, NULL));
  jm_call_thread_free (thread);
  g_assert_cmpuint (open.n_passed, ==, 1);

  set_open (&shut, TRUE);
  await (&shut, &shut.n_freed, 1);
  g_assert_cmpuint (shut.n_passed, ==, 1);
}

static void
test_who_waits_learns_when_it_has_returned (void)
{
  Door door = { 0 };
  g_autoptr (JmCallThread) thread = jm_call_thread_new ("test");
  JmCall *call = jm_call_new (pass, &door, note_freed);

  g_assert_false (jm_call_thread_run (thread, call, SHORT_US, NULL));
  g_assert_false (jm_call_is_over (call));
  g_assert_true (jm_call_get_data (call) == &door);

  set_open (&door, TRUE);
  while (!jm_call_is_over (call))
    g_usleep (1000);
  g_assert_cmpuint (door.n_freed, ==, 0);
  jm_call_unref (call);
  await (&door, &door.n_freed, 1);
}

static gpointer
cancel_later (gpointer cancellable)
{
  g_usleep (SHORT_US);
  g_cancellable_cancel (cancellable);

  return NULL;
}

static void
test_waiting_ends_soon_after_it_is_cancelled (void)
{
  Door door = { 0 };
  g_autoptr (JmCallThread) thread = jm_call_thread_new ("test");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GThread *other = g_thread_new ("cancel", cancel_later, cancellable);
  gint64 began_us = g_get_monotonic_time ();

  g_assert_false (run (thread, &door, PATIENCE_US, cancellable));
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, PATIENCE_US / 2);
  g_thread_join (other);

  set_open (&door, TRUE);
  await (&door, &door.n_freed, 1);
}

static void
test_one_that_returns_soon_is_waited_for_all_the_same (void)
{
  Door door = { .is_open = TRUE };
  g_autoptr (JmCallThread) thread = jm_call_thread_new ("test");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  g_assert_true (run (thread, &door, PATIENCE_US, cancellable));
}

static void
note_gone (gpointer door, GObject *object)
{
  note_freed (door);
}

static void
test_what_it_holds_lives_until_it_has_returned (void)
{
  Door door = { 0 };
  g_autoptr (JmCallThread) thread = jm_call_thread_new ("test");
  g_autoptr (JmCall) call = jm_call_new (pass, &door, NULL);
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);

  g_object_weak_ref (object, note_gone, &door);
  g_assert_false (jm_call_thread_run (thread, call, SHORT_US, NULL));
  jm_call_hold (call, object);
  g_object_unref (object);
  await (&door, &door.n_waiting, 1);
  g_assert_cmpuint (door.n_freed, ==, 0);

  set_open (&door, TRUE);
  await (&door, &door.n_freed, 1);
}

static void
test_one_that_has_returned_holds_nothing (void)
{
  Door door = { .is_open = TRUE };
  g_autoptr (JmCallThread) thread = jm_call_thread_new ("test");
  g_autoptr (JmCall) call = jm_call_new (pass, &door, NULL);
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);

  g_assert_true (jm_call_thread_run (thread, call, PATIENCE_US, NULL));
  jm_call_hold (call, object);
  g_assert_cmpuint (object->ref_count, ==, 1);
  g_object_unref (object);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add_func ("/call-thread/" name, test_##function)

  SITUATION ("calls-are-made-in-one-thread", calls_are_made_in_one_thread);
  SITUATION ("one-that-does-not-return-is-left-behind",
             one_that_does_not_return_is_left_behind);
  SITUATION ("who-waits-learns-when-it-has-returned",
             who_waits_learns_when_it_has_returned);
  SITUATION ("waiting-ends-soon-after-it-is-cancelled",
             waiting_ends_soon_after_it_is_cancelled);
  SITUATION ("one-that-returns-soon-is-waited-for-all-the-same",
             one_that_returns_soon_is_waited_for_all_the_same);
  SITUATION ("what-it-holds-lives-until-it-has-returned",
             what_it_holds_lives_until_it_has_returned);
  SITUATION ("one-that-has-returned-holds-nothing",
             one_that_has_returned_holds_nothing);

  return g_test_run ();
}
