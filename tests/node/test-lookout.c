/* test-lookout.c: the jobs that are looked at between two rounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jm-job-tracker-private.h"

#include <poll.h>

#include "node/jm-sweep-private.h"

#define MS G_GINT64_CONSTANT (1000)
#define SOME_TIME (5000 * MS)

/* Never looked into. */
static JmTrackedJob *const first = GSIZE_TO_POINTER (8);
static JmTrackedJob *const second = GSIZE_TO_POINTER (16);

static void
test_is_due_at_once (void)
{
  g_autoptr (JmLookout) lookout = jm_lookout_new ();

  g_assert_cmpint (jm_lookout_get_next (lookout), ==, G_MAXINT64);
  g_assert_null (jm_lookout_take (lookout, SOME_TIME));

  jm_lookout_add (lookout, first, SOME_TIME);
  g_assert_cmpint (jm_lookout_get_next (lookout), ==, SOME_TIME);
  g_assert_true (jm_lookout_take (lookout, SOME_TIME) == first);
  g_assert_null (jm_lookout_take (lookout, SOME_TIME));
}

static void
test_comes_again_ever_later_and_then_no_more (void)
{
  g_autoptr (JmLookout) lookout = jm_lookout_new ();
  gint64 now_us = SOME_TIME;
  gint64 pause_us = 0;
  guint n_looks = 0;

  jm_lookout_add (lookout, first, now_us);
  while (jm_lookout_get_next (lookout) != G_MAXINT64)
    {
      gint64 next_us = jm_lookout_get_next (lookout);

      g_assert_cmpint (next_us - now_us, >=, pause_us);
      g_assert_null (n_looks > 0 ? jm_lookout_take (lookout, next_us - 1) : NULL);
      g_assert_true (jm_lookout_take (lookout, next_us) == first);
      pause_us = next_us - now_us;
      now_us = next_us;
      n_looks++;
    }

  g_assert_cmpint (now_us - SOME_TIME, >, 300 * MS);
  g_assert_cmpint (now_us - SOME_TIME, <, 2000 * MS);
  g_assert_cmpuint (n_looks, <, 20);
}

/* However often something happens to it. */
static void
test_is_looked_at_a_few_hundred_times_a_second_at_most (void)
{
  g_autoptr (JmLookout) lookout = jm_lookout_new ();
  guint n_looks = 0;

  for (gint64 now_us = SOME_TIME; now_us < SOME_TIME + 1000 * MS; now_us += 10)
    {
      jm_lookout_add (lookout, first, now_us);
      n_looks += jm_lookout_take (lookout, now_us) != NULL ? 1 : 0;
    }

  g_assert_cmpuint (n_looks, >=, 100);
  g_assert_cmpuint (n_looks, <=, 501);
}

static void
test_one_does_not_hold_up_another (void)
{
  g_autoptr (JmLookout) lookout = jm_lookout_new ();
  guint n_first = 0;
  JmTrackedJob *job;

  jm_lookout_add (lookout, first, SOME_TIME);
  jm_lookout_add (lookout, second, SOME_TIME);
  while ((job = jm_lookout_take (lookout, SOME_TIME)) != NULL)
    n_first += job == first ? 1 : 0;
  g_assert_cmpuint (n_first, ==, 1);
  g_assert_false (jm_lookout_has_seen (lookout, second));

  jm_lookout_remove (lookout, first);
  g_assert_true (jm_lookout_take (lookout, SOME_TIME + 10 * MS) == second);
  g_assert_null (jm_lookout_take (lookout, SOME_TIME + 10 * MS));
  g_assert_true (jm_lookout_has_seen (lookout, second));
}

static void
test_an_alarm_goes_off_in_its_time (void)
{
  g_autoptr (JmAlarm) alarm = jm_alarm_new ();
  g_autoptr (JmAlarm) other = jm_alarm_new ();
  struct pollfd event = { .events = POLLIN };
  gint64 due_us = g_get_monotonic_time () + 20 * MS;

  jm_alarm_set (alarm, due_us);
  g_assert_cmpint (jm_alarm_get_fd (alarm), ==, -1);

  /* any that can be polled */
  g_assert_false (jm_alarm_add_fd (other, -1));
  g_assert_true (jm_alarm_add_fd (alarm, jm_alarm_get_fd (other)));
  event.fd = jm_alarm_get_fd (alarm);
  jm_alarm_set (alarm, G_MAXINT64);
  g_assert_cmpint (poll (&event, 1, 0), ==, 0);

  jm_alarm_set (alarm, due_us);
  g_assert_cmpint (poll (&event, 1, -1), ==, 1);
  g_assert_cmpint (g_get_monotonic_time (), >=, due_us);
  jm_alarm_clear (alarm);
  g_assert_cmpint (poll (&event, 1, 0), ==, 0);

  /* the past is now */
  jm_alarm_set (alarm, due_us);
  g_assert_cmpint (poll (&event, 1, -1), ==, 1);
  jm_alarm_set (alarm, G_MAXINT64);
  g_assert_cmpint (poll (&event, 1, 0), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, name) g_test_add_func ("/lookout/" path, test_##name)
  ADD ("due", is_due_at_once);
  ADD ("pauses", comes_again_ever_later_and_then_no_more);
  ADD ("bounded", is_looked_at_a_few_hundred_times_a_second_at_most);
  ADD ("several", one_does_not_hold_up_another);
  ADD ("alarm", an_alarm_goes_off_in_its_time);

  return g_test_run ();
}
