/* test-energy-counter.c: a counter of energy that begins anew at its end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-energy-counter-private.h"

#include "base/jm-error.h"

#define SECOND_US G_GINT64_CONSTANT (1000000)
#define WATT_UW G_GUINT64_CONSTANT (1000000)
#define JOULE_UJ G_GUINT64_CONSTANT (1000000)
#define MAX_UJ G_GUINT64_CONSTANT (262143328850)

static JmEnergyCounter
make_counter (void)
{
  return (JmEnergyCounter){ .max = MAX_UJ, .factor = 1, .ceiling_uw = 500 * WATT_UW };
}

/* As perf counts: 2^32 to a joule, in 64 bits. */
static JmEnergyCounter
make_perf_counter (void)
{
  return (JmEnergyCounter){ .max = G_MAXUINT64,
                            .factor = 15625,
                            .shift = 26,
                            .ceiling_uw = 500 * WATT_UW };
}

static void
assert_step (JmEnergyCounter *counter,
             guint64 raw,
             gint64 seconds,
             JmEnergyStep expected)
{
  g_assert_cmpint (jm_energy_counter_step (counter, raw, seconds * SECOND_US), ==,
                   expected);
}

static void
assert_uj (const JmEnergyCounter *counter, guint64 expected)
{
  g_assert_cmpuint (jm_energy_counter_get_uj (counter), ==, expected);
}

static void
test_a_difference_knows_one_wrap (void)
{
  g_assert_cmpuint (jm_energy_delta (0, 0, 99), ==, 0);
  g_assert_cmpuint (jm_energy_delta (0, 99, 99), ==, 99);
  g_assert_cmpuint (jm_energy_delta (99, 99, 99), ==, 0);
  g_assert_cmpuint (jm_energy_delta (99, 0, 99), ==, 1);
  g_assert_cmpuint (jm_energy_delta (90, 10, 99), ==, 20);
  g_assert_cmpuint (jm_energy_delta (1, 0, 99), ==, 99);
  g_assert_cmpuint (jm_energy_delta (0, 0, 0), ==, 0);
  g_assert_cmpuint (jm_energy_delta (G_MAXUINT64, 0, G_MAXUINT64), ==, 1);
  g_assert_cmpuint (jm_energy_delta (G_MAXUINT64 - 4, 5, G_MAXUINT64), ==, 10);
  g_assert_cmpuint (jm_energy_delta (0, G_MAXUINT64, G_MAXUINT64), ==, G_MAXUINT64);
  g_assert_cmpuint (jm_energy_delta (1, 0, G_MAXUINT64), ==, G_MAXUINT64);
}

static void
test_counting_begins_with_the_first_reading (void)
{
  JmEnergyCounter counter = make_counter ();

  assert_uj (&counter, 0);
  assert_step (&counter, 123 * JOULE_UJ, 0, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 0);
  assert_step (&counter, 124 * JOULE_UJ, 1, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 1 * JOULE_UJ);
  assert_step (&counter, 124 * JOULE_UJ, 2, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 1 * JOULE_UJ);
}

static void
test_many_wraps_add_up (void)
{
  JmEnergyCounter counter = make_counter ();
  guint64 raw = MAX_UJ;
  guint64 sum = 0;

  assert_step (&counter, raw, 0, JM_ENERGY_STEP_COUNTED);
  for (gint64 i = 1; i <= 10000; i++)
    {
      guint64 step = 40000 * JOULE_UJ + (guint64) i;

      raw = (raw + step) % (MAX_UJ + 1);
      sum += step;
      assert_step (&counter, raw, i * 100, JM_ENERGY_STEP_COUNTED);
      assert_uj (&counter, sum);
    }
  g_assert_cmpuint (sum, >, 1000 * MAX_UJ);
}

static void
test_a_reset_is_reported_and_counting_goes_on (void)
{
  JmEnergyCounter counter = make_counter ();

  assert_step (&counter, 100000 * JOULE_UJ, 0, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 100300 * JOULE_UJ, 1, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 5 * JOULE_UJ, 6, JM_ENERGY_STEP_IMPOSSIBLE);
  assert_uj (&counter, 300 * JOULE_UJ);
  assert_step (&counter, 7 * JOULE_UJ, 7, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 302 * JOULE_UJ);
}

/* It would pass for having come around. */
static void
test_a_reset_near_the_end_is_no_wrap (void)
{
  JmEnergyCounter counter = make_counter ();
  guint64 near = MAX_UJ - 250 * JOULE_UJ;

  assert_step (&counter, near, 0, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 0, 5, JM_ENERGY_STEP_IMPOSSIBLE);
  assert_uj (&counter, 0);

  counter = make_counter ();
  assert_step (&counter, near - 50 * JOULE_UJ, 0, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, near, 5, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 1 * JOULE_UJ, 10, JM_ENERGY_STEP_IMPOSSIBLE);
  assert_uj (&counter, 50 * JOULE_UJ);
  assert_step (&counter, 11 * JOULE_UJ, 11, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 60 * JOULE_UJ);
}

static void
test_a_wrap_of_a_busy_processor_is_one (void)
{
  JmEnergyCounter counter = make_counter ();

  assert_step (&counter, MAX_UJ - 1250 * JOULE_UJ, 0, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, MAX_UJ - 250 * JOULE_UJ, 5, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 750 * JOULE_UJ - 1, 10, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 2000 * JOULE_UJ);
}

static void
test_a_leap_is_not_believed (void)
{
  JmEnergyCounter counter = make_counter ();

  assert_step (&counter, 0, 0, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 200000 * JOULE_UJ, 10, JM_ENERGY_STEP_IMPOSSIBLE);
  assert_uj (&counter, 0);
}

static void
test_a_value_behind_the_end_is_impossible (void)
{
  JmEnergyCounter counter = make_counter ();

  assert_step (&counter, 10, 0, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, MAX_UJ + 1, 1, JM_ENERGY_STEP_IMPOSSIBLE);
  assert_step (&counter, 20, 2, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 0);
  assert_step (&counter, 25, 3, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 5);
}

static void
test_what_may_have_wrapped_unseen_is_lost (void)
{
  JmEnergyCounter counter = make_counter ();

  g_assert_cmpint (jm_energy_counter_get_wrap_us (&counter) / SECOND_US, ==, 524);
  assert_step (&counter, 0, 0, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 1000 * JOULE_UJ, 1000, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 2000 * JOULE_UJ, 3000, JM_ENERGY_STEP_LOST);
  assert_uj (&counter, 1000 * JOULE_UJ);
  assert_step (&counter, 2500 * JOULE_UJ, 3010, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 1500 * JOULE_UJ);
}

static void
test_a_pause_is_not_counted (void)
{
  JmEnergyCounter counter = make_counter ();

  assert_step (&counter, 0, 0, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 10, 1, JM_ENERGY_STEP_COUNTED);
  jm_energy_counter_pause (&counter);
  assert_step (&counter, 5000, 2, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 10);
}

static void
test_time_that_stands_still_breaks_nothing (void)
{
  JmEnergyCounter counter = make_counter ();

  assert_step (&counter, 0, 5, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 100 * JOULE_UJ, 5, JM_ENERGY_STEP_COUNTED);
  assert_step (&counter, 200 * JOULE_UJ, 4, JM_ENERGY_STEP_COUNTED);
  assert_uj (&counter, 200 * JOULE_UJ);
}

/* 2^26 counts are exactly 15625 microjoules; each step here is some of them and a
 * rest, and of a billion rests not one gets lost. */
static void
test_fractions_of_a_microjoule_add_up (void)
{
  JmEnergyCounter counter = make_perf_counter ();
  guint64 raw = G_MAXUINT64 - 1000;

  assert_step (&counter, raw, 0, JM_ENERGY_STEP_COUNTED);
  for (gint64 i = 1; i <= 1 << 20; i++)
    {
      raw += 64;
      assert_step (&counter, raw, i, JM_ENERGY_STEP_COUNTED);
    }
  assert_uj (&counter, 15625);
}

/* At 400 W perf's own 64 bits are full after 124 days. */
static void
test_sixty_four_bits_of_perf_wrap_too (void)
{
  JmEnergyCounter counter = make_perf_counter ();
  guint64 day = G_GUINT64_CONSTANT (400) * 86400 << 32;
  guint64 raw = 0;

  assert_step (&counter, raw, 0, JM_ENERGY_STEP_COUNTED);
  for (gint64 i = 1; i <= 4000; i++)
    {
      raw += day;
      assert_step (&counter, raw, i * 86400, JM_ENERGY_STEP_COUNTED);
    }
  assert_uj (&counter, G_GUINT64_CONSTANT (400) * 86400 * 4000 * JOULE_UJ);
}

static void
test_a_step_that_did_not_count_is_reported (void)
{
  g_autoptr (GError) reset = NULL;
  g_autoptr (GError) late = NULL;

  jm_energy_step_set_error (JM_ENERGY_STEP_IMPOSSIBLE, "/sys/x", 900, 7, &reset);
  g_assert_error (reset, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_true (g_str_has_prefix (reset->message, "/sys/x: went from 900 to 7"));

  jm_energy_step_set_error (JM_ENERGY_STEP_LOST, "/sys/x", 900, 7, &late);
  g_assert_error (late, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/energy-counter/a-difference-knows-one-wrap",
                   test_a_difference_knows_one_wrap);
  g_test_add_func ("/energy-counter/counting-begins-with-the-first-reading",
                   test_counting_begins_with_the_first_reading);
  g_test_add_func ("/energy-counter/many-wraps-add-up", test_many_wraps_add_up);
  g_test_add_func ("/energy-counter/a-reset-is-reported-and-counting-goes-on",
                   test_a_reset_is_reported_and_counting_goes_on);
  g_test_add_func ("/energy-counter/a-reset-near-the-end-is-no-wrap",
                   test_a_reset_near_the_end_is_no_wrap);
  g_test_add_func ("/energy-counter/a-wrap-of-a-busy-processor-is-one",
                   test_a_wrap_of_a_busy_processor_is_one);
  g_test_add_func ("/energy-counter/a-leap-is-not-believed",
                   test_a_leap_is_not_believed);
  g_test_add_func ("/energy-counter/a-value-behind-the-end-is-impossible",
                   test_a_value_behind_the_end_is_impossible);
  g_test_add_func ("/energy-counter/what-may-have-wrapped-unseen-is-lost",
                   test_what_may_have_wrapped_unseen_is_lost);
  g_test_add_func ("/energy-counter/a-pause-is-not-counted",
                   test_a_pause_is_not_counted);
  g_test_add_func ("/energy-counter/time-that-stands-still-breaks-nothing",
                   test_time_that_stands_still_breaks_nothing);
  g_test_add_func ("/energy-counter/fractions-of-a-microjoule-add-up",
                   test_fractions_of_a_microjoule_add_up);
  g_test_add_func ("/energy-counter/sixty-four-bits-of-perf-wrap-too",
                   test_sixty_four_bits_of_perf_wrap_too);
  g_test_add_func ("/energy-counter/a-step-that-did-not-count-is-reported",
                   test_a_step_that_did_not_count_is_reported);

  return g_test_run ();
}
