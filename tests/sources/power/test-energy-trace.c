/* test-energy-trace.c: how far a device's own counter of energy was followed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-energy-trace-private.h"

#define WATT G_GUINT64_CONSTANT (1000000)
#define JOULE G_GUINT64_CONSTANT (1000000)
#define SECOND G_USEC_PER_SEC

/* Goes around every 1000 s at its ceiling. */
static const JmEnergyCounter fresh = { .max = 200000 * JOULE - 1,
                                       .factor = 1,
                                       .ceiling_uw = 200 * WATT };

/* Reads a counter at the end of one program and at the beginning of the next. */
static gboolean
span (guint64 before_j, gint64 downtime_s, guint64 after_j, guint64 *energy_uj)
{
  JmEnergyCounter one = fresh;
  JmEnergyCounter other = fresh;
  JmEnergyTrace before, after;

  jm_energy_counter_step (&one, before_j * JOULE, SECOND);
  jm_energy_counter_step (&other, after_j * JOULE, (1 + downtime_s) * SECOND);
  g_assert_true (jm_energy_counter_trace (&one, &before));
  g_assert_true (jm_energy_counter_trace (&other, &after));

  return jm_energy_trace_span (&before, &after, energy_uj);
}

static void
test_counts_what_a_counter_took_meanwhile (void)
{
  guint64 energy_uj = 0;

  g_assert_true (span (500, 100, 10500, &energy_uj));
  g_assert_cmpuint (energy_uj, ==, 10000 * JOULE);
  g_assert_true (span (500, 0, 500, &energy_uj));
  g_assert_cmpuint (energy_uj, ==, 0);
}

static void
test_unfolds_one_that_went_around_once (void)
{
  guint64 energy_uj = 0;

  g_assert_true (span (195000, 100, 5000, &energy_uj));
  g_assert_cmpuint (energy_uj, ==, 10000 * JOULE);
}

static void
test_does_not_know_one_that_may_have_gone_around_twice (void)
{
  guint64 energy_uj = 7;

  g_assert_true (span (500, 999, 600, &energy_uj));
  g_assert_false (span (500, 1001, 600, &energy_uj));
}

static void
test_does_not_know_more_than_can_be_drawn (void)
{
  guint64 energy_uj;

  g_assert_false (span (500, 1, 100500, &energy_uj));
  g_assert_false (span (195000, 1, 0, &energy_uj));
}

static void
test_goes_on_from_the_last_reading_not_the_first (void)
{
  JmEnergyCounter one = fresh;
  JmEnergyCounter other = fresh;
  JmEnergyTrace before, after;
  guint64 energy_uj;

  jm_energy_counter_step (&one, 100 * JOULE, SECOND);
  jm_energy_counter_step (&one, 200 * JOULE, 2 * SECOND);
  jm_energy_counter_step (&other, 300 * JOULE, 3 * SECOND);
  jm_energy_counter_step (&other, 400 * JOULE, 4 * SECOND);
  jm_energy_counter_trace (&one, &before);
  jm_energy_counter_trace (&other, &after);

  g_assert_cmpuint (before.total_uj, ==, 100 * JOULE);
  g_assert_true (jm_energy_trace_span (&before, &after, &energy_uj));
  g_assert_cmpuint (energy_uj, ==, 100 * JOULE);
}

static void
test_has_none_of_what_is_out_of_sight (void)
{
  JmEnergyCounter counter = fresh;
  JmEnergyTotal total = { 0 };
  JmEnergyTrace trace;

  g_assert_false (jm_energy_counter_trace (&counter, &trace));
  g_assert_false (jm_energy_total_trace (&total, &trace));
  jm_energy_counter_step (&counter, 1, SECOND);
  g_assert_true (jm_energy_counter_trace (&counter, &trace));
  jm_energy_counter_pause (&counter);
  g_assert_false (jm_energy_counter_trace (&counter, &trace));
}

static void
test_has_none_where_the_unit_is_no_microjoule (void)
{
  JmEnergyCounter counter = fresh;
  JmEnergyTrace trace;

  counter.shift = 32;
  jm_energy_counter_step (&counter, 1, SECOND);
  g_assert_false (jm_energy_counter_trace (&counter, &trace));
}

/* A device's own total, which never begins anew by itself. */
static gboolean
span_total (guint64 before_j, guint64 after_j, guint64 identity, guint64 *energy_uj)
{
  JmEnergyTotal one = { 0 };
  JmEnergyTotal other = { 0 };
  JmEnergyTrace before, after;

  jm_energy_total_take (&one, before_j * JOULE, SECOND);
  jm_energy_total_take (&other, after_j * JOULE, 11 * SECOND);
  jm_energy_total_trace (&one, &before);
  jm_energy_total_trace (&other, &after);
  after.identity = identity;

  return jm_energy_trace_span (&before, &after, energy_uj);
}

static void
test_counts_a_total_that_went_on (void)
{
  guint64 energy_uj;

  g_assert_true (span_total (1000, 3000, 0, &energy_uj));
  g_assert_cmpuint (energy_uj, ==, 2000 * JOULE);
}

static void
test_does_not_know_a_total_that_began_anew (void)
{
  guint64 energy_uj;

  g_assert_false (span_total (1000, 10, 0, &energy_uj));
  g_assert_false (span_total (1000, 10000000, 0, &energy_uj));
}

static void
test_does_not_take_one_device_for_another (void)
{
  guint64 energy_uj;

  g_assert_false (
    span_total (1000, 3000, jm_energy_trace_identify ("GPU-1"), &energy_uj));
  g_assert_cmpuint (jm_energy_trace_identify ("GPU-1"), ==,
                    jm_energy_trace_identify ("GPU-1"));
  g_assert_cmpuint (jm_energy_trace_identify ("GPU-1"), !=,
                    jm_energy_trace_identify ("GPU-2"));
}

static void
test_does_not_go_back_in_time (void)
{
  JmEnergyTrace before = { .last_uj = 1, .last_us = 2 * SECOND };
  JmEnergyTrace after = { .first_uj = 2, .first_us = SECOND };
  guint64 energy_uj;

  g_assert_false (jm_energy_trace_span (&before, &after, &energy_uj));
}

#define ADD(path, function) g_test_add_func ("/energy-trace/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("counts-what-a-counter-took-meanwhile",
       test_counts_what_a_counter_took_meanwhile);
  ADD ("unfolds-one-that-went-around-once", test_unfolds_one_that_went_around_once);
  ADD ("does-not-know-one-that-may-have-gone-around-twice",
       test_does_not_know_one_that_may_have_gone_around_twice);
  ADD ("does-not-know-more-than-can-be-drawn",
       test_does_not_know_more_than_can_be_drawn);
  ADD ("goes-on-from-the-last-reading-not-the-first",
       test_goes_on_from_the_last_reading_not_the_first);
  ADD ("has-none-of-what-is-out-of-sight", test_has_none_of_what_is_out_of_sight);
  ADD ("has-none-where-the-unit-is-no-microjoule",
       test_has_none_where_the_unit_is_no_microjoule);
  ADD ("counts-a-total-that-went-on", test_counts_a_total_that_went_on);
  ADD ("does-not-know-a-total-that-began-anew",
       test_does_not_know_a_total_that_began_anew);
  ADD ("does-not-take-one-device-for-another",
       test_does_not_take_one_device_for_another);
  ADD ("does-not-go-back-in-time", test_does_not_go_back_in_time);

  return g_test_run ();
}
