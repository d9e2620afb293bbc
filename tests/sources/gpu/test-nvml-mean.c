/* test-nvml-mean.c: levels that the driver samples, over the time between readings
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/gpu/jm-nvml-device-private.h"

#define MS 1000
#define N_KEPT 100

/* A driver that takes a sample each 100 ms, of a load that is all or nothing. */
static struct
{
  guint64 now_us;
  guint period_ms; /* of the load */
  guint n_kept;
  int result;
  gint64 covered_us; /* by the last mean */
} driver;

static guint
get_load (guint64 time_us)
{
  return time_us / MS % driver.period_ms < driver.period_ms / 2 ? 100 : 0;
}

static int
get_timed_values (JmNvmlHandle *handle,
                  guint kind,
                  guint64 since_us,
                  guint *type,
                  guint *n,
                  JmNvmlTimedValue *samples)
{
  guint64 first_us = driver.now_us - (guint64) driver.n_kept * 100 * MS;
  guint room = *n;

  g_assert_cmpuint (kind, ==, JM_NVML_UTILIZATION_SAMPLES);
  if (driver.result != JM_NVML_SUCCESS)
    return driver.result;

  *type = JM_NVML_UNSIGNED_INT;
  *n = 0;
  for (guint64 at_us = MAX (first_us, since_us) + 100 * MS; at_us <= driver.now_us;
       at_us += 100 * MS, *n += 1)
    if (samples != NULL && *n < room)
      samples[*n] = (JmNvmlTimedValue){ at_us, { .natural = get_load (at_us) } };

  return *n > 0 ? JM_NVML_SUCCESS : JM_NVML_NOT_FOUND;
}

static const JmNvmlApi api = { .get_timed_values = get_timed_values };

static double
take (JmNvmlMean *self)
{
  double mean = -1;

  g_assert_cmpint (jm_nvml_mean_take (self, &api, NULL, JM_NVML_UTILIZATION_SAMPLES,
                                      &mean, &driver.covered_us),
                   ==, JM_NVML_SUCCESS);

  return mean;
}

static void
play (guint period_ms, guint n_kept)
{
  driver.now_us = G_GUINT64_CONSTANT (1700000000000000);
  driver.period_ms = period_ms;
  driver.n_kept = n_kept;
  driver.result = JM_NVML_SUCCESS;
}

/* What the driver forgot before it is asked is not covered. */
static void
test_only_what_the_driver_has_kept_is_covered (void)
{
  JmNvmlMean mean = { 0 };

  play (1000, N_KEPT);
  jm_nvml_mean_init (&mean);
  take (&mean);
  driver.now_us += 5000 * MS;
  take (&mean);
  g_assert_cmpint (driver.covered_us, ==, G_MAXINT64);
  driver.now_us += 3 * N_KEPT * 100 * MS;
  take (&mean);
  g_assert_cmpint (driver.covered_us, ==, N_KEPT * 100 * MS);
  jm_nvml_mean_clear (&mean);
}

/* Asked each 5 s, as long as the load's own period, and for others. */
static void
test_a_load_of_any_period_is_half_of_the_time (void)
{
  static const guint periods_ms[] = { 400, 1000, 2000, 5000, 10000, 20000 };

  for (guint i = 0; i < G_N_ELEMENTS (periods_ms); i++)
    {
      JmNvmlMean mean = { 0 };
      double sum = 0;

      play (periods_ms[i], N_KEPT);
      jm_nvml_mean_init (&mean);
      take (&mean);
      for (guint k = 0; k < 12; k++)
        {
          driver.now_us += 5000 * MS;
          sum += take (&mean);
        }
      g_assert_cmpfloat (sum / 12, >=, 48);
      g_assert_cmpfloat (sum / 12, <=, 52);
      jm_nvml_mean_clear (&mean);
    }
}

static void
test_the_first_reading_is_of_now (void)
{
  JmNvmlMean mean = { 0 };

  play (10000, N_KEPT);
  jm_nvml_mean_init (&mean);
  g_assert_cmpfloat (take (&mean), ==, get_load (driver.now_us));
  jm_nvml_mean_clear (&mean);
}

static void
test_no_sample_since_is_no_mean (void)
{
  JmNvmlMean mean = { 0 };
  double value;

  play (1000, N_KEPT);
  jm_nvml_mean_init (&mean);
  take (&mean);
  g_assert_cmpint (jm_nvml_mean_take (&mean, &api, NULL, JM_NVML_UTILIZATION_SAMPLES,
                                      &value, &driver.covered_us),
                   ==, JM_NVML_NOT_FOUND);
  driver.result = JM_NVML_NOT_SUPPORTED;
  g_assert_cmpint (jm_nvml_mean_take (&mean, &api, NULL, JM_NVML_UTILIZATION_SAMPLES,
                                      &value, &driver.covered_us),
                   ==, JM_NVML_NOT_SUPPORTED);
  jm_nvml_mean_clear (&mean);
}

static void
test_a_sample_stands_for_the_time_before_it (void)
{
  const JmNvmlTimedValue samples[] = { { 1000, { .natural = 10 } },
                                       { 4000, { .natural = 50 } } };
  double mean;
  gint64 covered_us;

  g_assert_true (
    jm_nvml_mean_weigh (samples, 2, JM_NVML_UNSIGNED_INT, 0, &mean, &covered_us));
  g_assert_cmpfloat (mean, ==, 40);
  /* what the driver no longer has is not the first one's */
  g_assert_true (
    jm_nvml_mean_weigh (&samples[1], 1, JM_NVML_UNSIGNED_INT, 0, &mean, &covered_us));
  g_assert_cmpfloat (mean, ==, 50);
  g_assert_false (
    jm_nvml_mean_weigh (samples, 2, JM_NVML_DOUBLE, 0, &mean, &covered_us));
  g_assert_false (
    jm_nvml_mean_weigh (samples, 0, JM_NVML_UNSIGNED_INT, 0, &mean, &covered_us));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/nvml-mean/any-period",
                   test_a_load_of_any_period_is_half_of_the_time);
  g_test_add_func ("/nvml-mean/covered", test_only_what_the_driver_has_kept_is_covered);
  g_test_add_func ("/nvml-mean/first", test_the_first_reading_is_of_now);
  g_test_add_func ("/nvml-mean/none", test_no_sample_since_is_no_mean);
  g_test_add_func ("/nvml-mean/weights", test_a_sample_stands_for_the_time_before_it);

  return g_test_run ();
}
