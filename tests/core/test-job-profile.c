/* test-job-profile.c: what a job did over its life, in a few points
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "core/jm-job-profile-private.h"

#define BEGIN_US G_GINT64_CONSTANT (1700000000000000)
#define SECOND_US G_GINT64_CONSTANT (1000000)
#define DAY_US (86400 * SECOND_US)

/* --- another way to reckon: all that was added is kept, and looked at in the end ---
 */

typedef struct
{
  JmProfileSeries series;
  gint64 from_us;
  gint64 to_us;
  guint64 amount;
} Addition;

typedef struct
{
  JmJobProfile *profile;
  GArray *additions; /* of Addition */
} Life;

static Life *
life_new (void)
{
  Life *self = g_new0 (Life, 1);

  self->profile = jm_job_profile_new (BEGIN_US);
  self->additions = g_array_new (FALSE, FALSE, sizeof (Addition));

  return self;
}

static void
life_free (Life *self)
{
  jm_job_profile_unref (self->profile);
  g_array_unref (self->additions);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Life, life_free)

static void
life_add (Life *self,
          JmProfileSeries series,
          gint64 from_us,
          gint64 to_us,
          guint64 amount)
{
  Addition addition = { series, from_us, to_us, amount };

  g_array_append_val (self->additions, addition);
  if (jm_profile_series_is_sum (series))
    jm_job_profile_add_sum (self->profile, series, from_us, to_us, amount);
  else
    jm_job_profile_add_level (self->profile, series, from_us, to_us, amount);
}

/* One point, as the additions have it. */
typedef struct
{
  long double sum;
  long double area;
  long double seen_us;
  guint64 peak;
  guint n;
} Reckoned;

static long double
overlap (long double a_from, long double a_to, long double b_from, long double b_to)
{
  return MAX (MIN (a_to, b_to) - MAX (a_from, b_from), 0.0L);
}

static void
reckon (Reckoned *all, const Addition *addition, gint64 interval_us)
{
  gint64 to_us = MAX (addition->to_us, BEGIN_US + 1);
  gint64 from_us = MIN (addition->from_us, to_us - 1);
  gint64 first = (MAX (from_us, BEGIN_US) - BEGIN_US) / interval_us;
  gint64 last = (to_us - 1 - BEGIN_US) / interval_us;

  for (gint64 i = first; i <= last; i++)
    {
      long double point_us = BEGIN_US + (long double) i * interval_us;
      long double seen = overlap (from_us, to_us, point_us, point_us + interval_us);
      long double counted =
        i == 0 ? overlap (from_us, to_us, 0, point_us + interval_us) : seen;

      all[i].sum += addition->amount * (counted / (long double) (to_us - from_us));
      all[i].area += addition->amount * seen;
      all[i].seen_us += seen;
      all[i].peak = MAX (all[i].peak, addition->amount);
      all[i].n++;
    }
}

static void
check_sums (const JmProfilePoint *points, const Reckoned *all, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (points[i].seen_us, ==, (gint64) all[i].seen_us);
      g_assert_true (fabsl (points[i].sum - all[i].sum) <= all[i].n + 1);
    }
}

static void
check_levels (const double *values,
              const double *peaks,
              const JmProfilePoint *points,
              const Reckoned *all,
              guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (points[i].seen_us, ==, (gint64) all[i].seen_us);
      g_assert_cmpuint (points[i].peak, ==, all[i].peak);
      if (all[i].n == 0)
        {
          g_assert_true (isnan (values[i]) && isnan (peaks[i]));
          continue;
        }
      g_assert_cmpfloat_with_epsilon (values[i],
                                      (double) (all[i].area / all[i].seen_us),
                                      1e-9 * (double) all[i].peak + 1e-12);
    }
}

static void
life_check (Life *self, JmProfileSeries series)
{
  Reckoned all[JM_PROFILE_MAX_POINTS] = { 0 };
  gboolean is_sum = jm_profile_series_is_sum (series);
  gint64 interval_us = jm_job_profile_get_interval (self->profile);
  guint64 sum = 0, total = 0;
  gsize n_values, n_peaks;
  g_autofree double *values =
    jm_job_profile_list_values (self->profile, series, &n_values);
  g_autofree double *peaks =
    jm_job_profile_list_peaks (self->profile, series, &n_peaks);
  const JmProfilePoint *points;
  guint n;

  for (guint i = 0; i < self->additions->len; i++)
    {
      const Addition *addition = &g_array_index (self->additions, Addition, i);

      if (addition->series != series)
        continue;
      reckon (all, addition, interval_us);
      total += addition->amount;
    }

  points = jm_job_profile_get_points (self->profile, series, &n);
  g_assert_cmpuint (n, ==, jm_job_profile_get_n_points (self->profile));
  g_assert_cmpuint (n, <=, JM_PROFILE_MAX_POINTS);
  g_assert_cmpuint (n_values, ==, n);
  g_assert_cmpuint (n_peaks, ==, is_sum ? 0 : n);
  if (!is_sum)
    {
      check_levels (values, peaks, points, all, n);
      return;
    }

  check_sums (points, all, n);
  for (guint i = 0; i < n; i++)
    sum += points[i].sum;
  g_assert_cmpuint (sum, ==, total);
}

/* --- lives --- */

static guint64
random_amount (void)
{
  return ((guint64) g_test_rand_int_range (0, 1 << 20) << 20) +
         (guint64) g_test_rand_int_range (0, 1 << 20);
}

static void
add_random (Life *life, gint64 from_us, gint64 to_us)
{
  life_add (life, JM_PROFILE_SERIES_CPU, from_us, to_us, random_amount ());
  life_add (life, JM_PROFILE_SERIES_MEMORY, from_us, to_us, random_amount ());
  if (g_test_rand_bit ())
    life_add (life, JM_PROFILE_SERIES_READ, from_us, to_us, random_amount ());
  if (g_test_rand_bit ())
    life_add (life, JM_PROFILE_SERIES_THREADS, from_us, to_us,
              (guint64) g_test_rand_int_range (1, 300));
}

static void
check_all (Life *life)
{
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    if (jm_job_profile_has (life->profile, i))
      life_check (life, i);
}

static void
live (Life *life, gint64 life_us, gint64 step_us)
{
  gint64 now_us = BEGIN_US - g_test_rand_int_range (0, 3000000);

  while (now_us < BEGIN_US + life_us)
    {
      gint64 next_us = now_us + 1 + g_test_rand_int_range (0, (int) step_us);

      add_random (life, now_us, MIN (next_us, BEGIN_US + life_us));
      now_us = next_us;
    }
}

static void
test_agrees_with_the_sum_of_all_that_was_added (void)
{
  const struct
  {
    gint64 life_us;
    gint64 step_us;
    gint64 interval_us;
  } lives[] = {
    { 50000, 20000, SECOND_US },
    { SECOND_US, 300000, SECOND_US },
    { 200 * SECOND_US, 5000000, SECOND_US },
    { 200 * SECOND_US + 1, 5000000, 2 * SECOND_US },
    { 3600 * SECOND_US, 10000000, 32 * SECOND_US },
    { 30 * DAY_US, 600000000, 16384 * SECOND_US },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lives); i++)
    {
      g_autoptr (Life) life = life_new ();

      live (life, lives[i].life_us, lives[i].step_us);
      g_assert_cmpint (jm_job_profile_get_interval (life->profile), ==,
                       lives[i].interval_us);
      check_all (life);
    }
}

static void
test_bears_a_clock_that_goes_back_and_jumps (void)
{
  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (Life) life = life_new ();
      gint64 now_us = BEGIN_US;

      for (guint k = 0; k < 50; k++)
        {
          gint64 next_us = now_us + g_test_rand_int_range (-9000000, 20000000);

          if (g_test_rand_int_range (0, 40) == 0)
            next_us += (gint64) g_test_rand_int_range (-900, 900) * DAY_US;
          next_us = MAX (next_us, 1);
          add_random (life, now_us, next_us);
          now_us = next_us;
        }
      check_all (life);
    }
}

static void
test_bears_any_time (void)
{
  const gint64 times[] = { G_MININT64, -1, 0, 1, BEGIN_US, G_MAXINT64 - 1, G_MAXINT64 };
  const gint64 begins[] = { G_MININT64, 0, BEGIN_US, G_MAXINT64 };

  for (guint b = 0; b < G_N_ELEMENTS (begins); b++)
    {
      g_autoptr (JmJobProfile) profile = jm_job_profile_new (begins[b]);

      for (guint i = 0; i < G_N_ELEMENTS (times) * G_N_ELEMENTS (times); i++)
        {
          gint64 from_us = times[i % G_N_ELEMENTS (times)];
          gint64 to_us = times[i / G_N_ELEMENTS (times)];

          jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, from_us, to_us, 1000);
          jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, from_us, to_us,
                                    G_MAXUINT64);
        }
      g_assert_cmpfloat (jm_job_profile_get_total (profile, JM_PROFILE_SERIES_CPU), ==,
                         49e-6);
      g_assert_cmpfloat (jm_job_profile_get_peak (profile, JM_PROFILE_SERIES_MEMORY),
                         ==, (double) G_MAXUINT64);
    }
}

/* --- what it reports --- */

static void
test_reports_base_units_and_gaps (void)
{
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (BEGIN_US);
  g_autofree double *cpu = NULL;
  g_autofree double *threads = NULL;
  g_autofree double *peaks = NULL;
  gsize n;

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, BEGIN_US, BEGIN_US + 500000,
                          250000000);
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, BEGIN_US + 2000000,
                          BEGIN_US + 3000000, 1500000000);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_THREADS, BEGIN_US,
                            BEGIN_US + 50000, 4);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_THREADS, BEGIN_US + 50000,
                            BEGIN_US + 100000, 1);

  cpu = jm_job_profile_list_values (profile, JM_PROFILE_SERIES_CPU, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (cpu[0], ==, 0.25);
  g_assert_true (isnan (cpu[1]));
  g_assert_cmpfloat (cpu[2], ==, 1.5);
  g_assert_cmpfloat (jm_job_profile_get_total (profile, JM_PROFILE_SERIES_CPU), ==,
                     1.75);
  g_assert_true (isnan (jm_job_profile_get_peak (profile, JM_PROFILE_SERIES_CPU)));

  threads = jm_job_profile_list_values (profile, JM_PROFILE_SERIES_THREADS, &n);
  peaks = jm_job_profile_list_peaks (profile, JM_PROFILE_SERIES_THREADS, &n);
  g_assert_cmpfloat (threads[0], ==, 2.5);
  g_assert_cmpfloat (peaks[0], ==, 4);
  g_assert_true (isnan (threads[2]) && isnan (peaks[2]));
  g_assert_cmpfloat (jm_job_profile_get_total (profile, JM_PROFILE_SERIES_THREADS), ==,
                     2.5);
}

static void
test_reports_nothing_of_what_was_never_observed (void)
{
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (BEGIN_US);
  gsize n = 1;
  g_autofree double *values =
    jm_job_profile_list_values (profile, JM_PROFILE_SERIES_ENERGY, &n);

  g_assert_null (values);
  g_assert_cmpuint (n, ==, 0);
  g_assert_false (jm_job_profile_has (profile, JM_PROFILE_SERIES_ENERGY));
  g_assert_true (isnan (jm_job_profile_get_total (profile, JM_PROFILE_SERIES_ENERGY)));
  g_assert_true (isnan (jm_job_profile_get_peak (profile, JM_PROFILE_SERIES_MEMORY)));
  g_assert_cmpuint (jm_job_profile_get_n_points (profile), ==, 0);
}

static void
test_a_copy_goes_its_own_way (void)
{
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (BEGIN_US);
  g_autoptr (JmJobProfile) copy = NULL;

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_READ, BEGIN_US, BEGIN_US + 1, 7);
  copy = jm_job_profile_copy (profile);
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_READ, BEGIN_US, BEGIN_US + 1, 7);

  g_assert_cmpfloat (jm_job_profile_get_total (profile, JM_PROFILE_SERIES_READ), ==,
                     14);
  g_assert_cmpfloat (jm_job_profile_get_total (copy, JM_PROFILE_SERIES_READ), ==, 7);
}

/* --- what a store gives back --- */

static void
test_is_restored_from_its_points (void)
{
  g_autoptr (Life) life = life_new ();
  g_autoptr (JmJobProfile) restored = NULL;
  const JmProfilePoint *points[JM_N_PROFILE_SERIES] = { NULL };
  guint n = 0;

  live (life, 500 * SECOND_US, 5000000);
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    points[i] = jm_job_profile_get_points (life->profile, i, &n);
  restored =
    jm_job_profile_restore (BEGIN_US, jm_job_profile_get_interval (life->profile),
                            jm_job_profile_get_n_points (life->profile), points);
  g_assert_nonnull (restored);
  g_assert_cmpint (jm_job_profile_get_begin_time (restored), ==, BEGIN_US);

  /* it grows on as the first would have */
  jm_job_profile_unref (life->profile);
  life->profile = g_steal_pointer (&restored);
  add_random (life, BEGIN_US + 500 * SECOND_US, BEGIN_US + DAY_US);
  check_all (life);
}

static void
test_refuses_points_that_cannot_be (void)
{
  const JmProfilePoint good = { .sum = 3, .seen_us = 5 };
  const JmProfilePoint bad[] = { { .sum = 3, .seen_us = 0 },
                                 { .sum = 3, .seen_us = -1 },
                                 { .sum = 3, .peak = 1, .seen_us = 5 } };
  const JmProfilePoint bad_levels[] = { { .area = -1, .seen_us = 5 },
                                        { .area = NAN, .seen_us = 5 },
                                        { .peak = 1, .seen_us = 0 } };
  const JmProfilePoint *points[JM_N_PROFILE_SERIES] = { [JM_PROFILE_SERIES_CPU] =
                                                          &good };

  g_assert_null (jm_job_profile_restore (-1, SECOND_US, 1, points));
  g_assert_null (jm_job_profile_restore (BEGIN_US, 0, 1, points));
  g_assert_null (jm_job_profile_restore (BEGIN_US, 3 * SECOND_US, 1, points));
  g_assert_null (
    jm_job_profile_restore (BEGIN_US, SECOND_US, JM_PROFILE_MAX_POINTS + 1, points));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      points[JM_PROFILE_SERIES_CPU] = &bad[i];
      g_assert_null (jm_job_profile_restore (BEGIN_US, SECOND_US, 1, points));
    }
  points[JM_PROFILE_SERIES_CPU] = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (bad_levels); i++)
    {
      points[JM_PROFILE_SERIES_MEMORY] = &bad_levels[i];
      g_assert_null (jm_job_profile_restore (BEGIN_US, SECOND_US, 1, points));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/job-profile/agrees-with-the-sum-of-all-that-was-added",
                   test_agrees_with_the_sum_of_all_that_was_added);
  g_test_add_func ("/job-profile/bears-a-clock-that-goes-back-and-jumps",
                   test_bears_a_clock_that_goes_back_and_jumps);
  g_test_add_func ("/job-profile/bears-any-time", test_bears_any_time);
  g_test_add_func ("/job-profile/reports-base-units-and-gaps",
                   test_reports_base_units_and_gaps);
  g_test_add_func ("/job-profile/reports-nothing-of-what-was-never-observed",
                   test_reports_nothing_of_what_was_never_observed);
  g_test_add_func ("/job-profile/a-copy-goes-its-own-way",
                   test_a_copy_goes_its_own_way);
  g_test_add_func ("/job-profile/is-restored-from-its-points",
                   test_is_restored_from_its_points);
  g_test_add_func ("/job-profile/refuses-points-that-cannot-be",
                   test_refuses_points_that_cannot_be);

  return g_test_run ();
}
