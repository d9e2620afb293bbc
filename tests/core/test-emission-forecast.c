/* test-emission-forecast.c: when electricity is expected to emit least
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-emission-factor.h"

#define HOUR_US (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)
#define NOW (G_GINT64_CONSTANT (1772323200) * G_USEC_PER_SEC)

static void
add (GPtrArray *forecast, double from_hours, double grams, JmEmissionScope scope)
{
  const gint64 from_us = NOW + (gint64) (from_hours * (double) HOUR_US);

  g_ptr_array_add (forecast, jm_emission_factor_new ("test", "GB", grams,
                                                     JM_EMISSION_METHOD_AVERAGE, scope,
                                                     JM_EMISSION_QUALITY_ESTIMATED,
                                                     from_us, from_us + HOUR_US));
}

/* An hour each, the first of which began half an hour ago. */
static GPtrArray *
make_forecast (const double *grams, guint n)
{
  GPtrArray *forecast =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_emission_factor_unref);

  for (guint i = 0; i < n; i++)
    add (forecast, i - 0.5, grams[i], JM_EMISSION_SCOPE_DIRECT);

  return forecast;
}

static void
assert_start (GPtrArray *forecast,
              double by_hours,
              double length_hours,
              double expected_hours,
              double expected,
              double expected_now)
{
  gint64 start_us;
  double grams, now;

  g_assert_true (
    jm_emission_factor_find_start (forecast, NOW,
                                   NOW + (gint64) (by_hours * (double) HOUR_US),
                                   (gint64) (length_hours * (double) HOUR_US),
                                   &start_us, &grams, &now));
  g_assert_cmpfloat ((double) (start_us - NOW) / (double) HOUR_US, ==, expected_hours);
  g_assert_cmpfloat_with_epsilon (grams, expected, 1e-9);
  g_assert_cmpfloat_with_epsilon (now, expected_now, 1e-9);
}

static void
assert_none (GPtrArray *forecast, double by_hours, double length_hours)
{
  gint64 start_us;
  double grams, now;

  g_assert_false (
    jm_emission_factor_find_start (forecast, NOW,
                                   NOW + (gint64) (by_hours * (double) HOUR_US),
                                   (gint64) (length_hours * (double) HOUR_US),
                                   &start_us, &grams, &now));
}

/* 300 until half past, then 200, 100, 40, 90, 500. */
static const double grams[] = { 300, 200, 100, 40, 90, 500 };

static void
test_the_start_is_where_the_mean_is_least (void)
{
  g_autoptr (GPtrArray) forecast = make_forecast (grams, G_N_ELEMENTS (grams));

  assert_start (forecast, 6, 1, 2.5, 40, 250);
  /* 40 and 90 rather than 100 and 40 */
  assert_start (forecast, 6, 2, 2.5, 65, 200);
  /* half an hour of 90 before the end of the window cannot be had: 100, 40 and half of
   * it */
  assert_start (forecast, 4, 2, 2, 67.5, 200);
  assert_start (forecast, 1, 1, 0, 250, 250);
}

static void
test_of_equal_starts_the_earlier_counts (void)
{
  static const double level[] = { 70, 70, 70, 70 };
  static const double low_twice[] = { 90, 20, 90, 20 };
  g_autoptr (GPtrArray) flat = make_forecast (level, G_N_ELEMENTS (level));
  g_autoptr (GPtrArray) two = make_forecast (low_twice, G_N_ELEMENTS (low_twice));

  assert_start (flat, 3, 1, 0, 70, 70);
  assert_start (two, 3.5, 1, 0.5, 20, 55);
}

static void
test_no_answer_rests_on_half_a_forecast (void)
{
  g_autoptr (GPtrArray) forecast = make_forecast (grams, G_N_ELEMENTS (grams));
  g_autoptr (GPtrArray) none = make_forecast (grams, 0);
  g_autoptr (GPtrArray) gap = make_forecast (grams, 3);
  g_autoptr (GPtrArray) late =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_emission_factor_unref);
  g_autoptr (GPtrArray) twice = make_forecast (grams, 3);
  g_autoptr (GPtrArray) mixed = make_forecast (grams, 3);

  assert_none (none, 6, 1);
  assert_none (forecast, 20, 6);  /* it ends before the run would */
  assert_none (forecast, 0.5, 1); /* too late */
  assert_none (forecast, 6, 0);
  add (late, 0.5, 10, JM_EMISSION_SCOPE_DIRECT); /* nothing of now */
  add (late, 1.5, 10, JM_EMISSION_SCOPE_DIRECT);
  assert_none (late, 6, 1);
  add (twice, -0.5, 10, JM_EMISSION_SCOPE_DIRECT);
  assert_none (twice, 6, 1);
  add (mixed, 2.5, 10, JM_EMISSION_SCOPE_LIFECYCLE);
  assert_none (mixed, 6, 1);
  /* behind a gap a start is as good as before it */
  add (gap, 3.5, 10, JM_EMISSION_SCOPE_DIRECT);
  assert_start (gap, 6, 1, 3.5, 10, 250);
}

#define TEST(name) g_test_add_func ("/emission-forecast/" #name, test_##name)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST (the_start_is_where_the_mean_is_least);
  TEST (of_equal_starts_the_earlier_counts);
  TEST (no_answer_rests_on_half_a_forecast);

  return g_test_run ();
}
