/* test-gpu-totals.c: what a job made of each of its accelerators so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/gpu/jm-gpu-job-private.h"

#include <math.h>

#include "core/jm-readings-private.h"
#include "sql/jm-versioned-private.h"

#define SECOND G_USEC_PER_SEC
#define GIB (G_GINT64_CONSTANT (1) << 30)
#define HALF 500000

#define FIRST "GPU-0"
#define SECOND_GPU "GPU-1"

/* A round in each second, which a library answered a moment before. */
static JmGpuMoment
at (guint second)
{
  return (JmGpuMoment){ second, (1000 + second) * SECOND,
                        (1000 + second) * SECOND - 2000, G_MAXINT64 };
}

static void
use (JmGpuTotals *totals, guint second, gint64 utilization_ppm)
{
  const JmGpuMoment moment = at (second);

  jm_gpu_totals_take_use (totals, FIRST, utilization_ppm, &moment);
}

static void
have_memory (JmGpuTotals *totals, guint second, gint64 used_bytes)
{
  const JmGpuMoment moment = at (second);

  jm_gpu_totals_take_memory (totals, FIRST, used_bytes, 80 * GIB, &moment);
}

/* -1 for what is not reported. */
static gint64
get_of (const JmGpuTotals *totals,
        const char *name,
        gboolean has_ended,
        JmMetric metric)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmReading *reading;

  jm_readings_begin (readings, JM_COLLECTOR_GPU);
  jm_gpu_totals_tell (totals, name, has_ended, readings);
  reading = jm_readings_find (readings, 0, metric);

  return reading != NULL ? (gint64) reading->value : -1;
}

static gint64
get (const JmGpuTotals *totals, JmMetric metric)
{
  return get_of (totals, FIRST, FALSE, metric);
}

/* The first interval begins with the round, and its answer came a little earlier. */
static void
assert_observed (const JmGpuTotals *totals, guint n_intervals, guint n_beginnings)
{
  g_assert_cmpint (get (totals, JM_METRIC_GPU_OBSERVED), ==,
                   (gint64) n_intervals * SECOND - n_beginnings * 2000);
}

static JmGpuTotals *
restart (JmGpuTotals *before)
{
  g_autoptr (GBytes) bytes = jm_gpu_totals_save (before);
  JmGpuTotals *totals;

  g_assert_nonnull (bytes);
  totals = jm_gpu_totals_restore (bytes);
  g_assert_nonnull (totals);

  return totals;
}

/* --- busy --- */

static void
test_a_device_that_is_half_busy_is_so_for_half_of_the_time (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  for (guint i = 0; i <= 100; i++)
    use (totals, i, HALF);

  assert_observed (totals, 100, 1);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==,
                   get (totals, JM_METRIC_GPU_OBSERVED) / 2);
}

static void
test_what_an_answer_reports_is_of_the_time_before_it (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  use (totals, 0, 1000000);
  use (totals, 1, 0);
  use (totals, 2, 1000000);
  use (totals, 3, 250000);

  assert_observed (totals, 3, 1);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==, SECOND + SECOND / 4);
}

static void
test_begins_at_nothing_with_the_first_answer (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  use (totals, 0, HALF);

  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==, 0);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_OBSERVED), ==, 0);
}

static void
test_of_a_device_that_reports_no_use_nothing_is_reported (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==, -1);
  have_memory (totals, 0, GIB);
  have_memory (totals, 1, GIB);

  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==, -1);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_OBSERVED), ==, -1);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_MEMORY_PEAK), ==, GIB);
}

static void
test_only_the_covered_part_of_an_answer_is_observed (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();
  JmGpuMoment moment = at (2);

  use (totals, 0, HALF);
  use (totals, 1, HALF);
  moment.covered_us = SECOND / 4;
  jm_gpu_totals_take_use (totals, FIRST, 2 * HALF, &moment);
  use (totals, 3, 0);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_OBSERVED), ==,
                   2 * SECOND + SECOND / 4 - 2000);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==,
                   SECOND / 2 - 1000 + SECOND / 4);
}

static void
test_one_answer_that_is_looked_at_again_counts_once (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();
  JmGpuMoment moment = at (1);

  use (totals, 0, HALF);
  use (totals, 1, HALF);
  for (guint i = 2; i < 5; i++)
    {
      moment.round = i;
      moment.round_us += SECOND;
      moment.answer_us += (gint64) i - 3; /* as far as clocks are read apart */
      jm_gpu_totals_take_use (totals, FIRST, HALF, &moment);
    }
  assert_observed (totals, 1, 1);

  use (totals, 5, 0);
  assert_observed (totals, 5, 1);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==, (SECOND - 2000) / 2);
}

static void
test_no_device_is_more_than_busy (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  for (guint i = 0; i <= 10; i++)
    use (totals, i, 1700000);

  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==,
                   get (totals, JM_METRIC_GPU_OBSERVED));
}

static void
test_what_was_asked_before_the_job_was_seen_is_not_its_own (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();
  JmGpuMoment moment = { 1, 1000 * SECOND, 996 * SECOND, G_MAXINT64 };

  for (guint i = 1; i < 4; i++)
    {
      jm_gpu_totals_take_use (totals, FIRST, 1000000, &moment);
      jm_gpu_totals_take_memory (totals, FIRST, 70 * GIB, 80 * GIB, &moment);
      moment.round++;
      moment.round_us += SECOND;
    }
  g_assert_cmpint (get (totals, JM_METRIC_GPU_OBSERVED), ==, 0);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_MEMORY_PEAK), ==, -1);

  moment.answer_us = 1002 * SECOND;
  jm_gpu_totals_take_use (totals, FIRST, HALF, &moment);
  jm_gpu_totals_take_memory (totals, FIRST, GIB, 80 * GIB, &moment);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_OBSERVED), ==, 2 * SECOND);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==, SECOND);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_MEMORY_PEAK), ==, GIB);
}

static void
test_devices_are_kept_apart (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  for (guint i = 0; i <= 10; i++)
    {
      const JmGpuMoment moment = at (i);

      jm_gpu_totals_take_use (totals, FIRST, 1000000, &moment);
      jm_gpu_totals_take_use (totals, SECOND_GPU, 0, &moment);
      jm_gpu_totals_take_memory (totals, SECOND_GPU, 3 * GIB, 40 * GIB, &moment);
    }

  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==, 10 * SECOND - 2000);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_MEMORY_PEAK), ==, -1);
  g_assert_cmpint (get_of (totals, SECOND_GPU, FALSE, JM_METRIC_GPU_BUSY), ==, 0);
  g_assert_cmpint (get_of (totals, SECOND_GPU, FALSE, JM_METRIC_GPU_OBSERVED), ==,
                   10 * SECOND - 2000);
  g_assert_cmpint (get_of (totals, SECOND_GPU, FALSE, JM_METRIC_GPU_MEMORY_PEAK), ==,
                   3 * GIB);
}

/* --- gaps --- */

static void
test_while_it_cannot_be_read_it_is_not_observed (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  for (guint i = 0; i <= 10; i++)
    use (totals, i, HALF);
  /* rounds that had no answer of it */
  for (guint i = 71; i <= 80; i++)
    use (totals, i, 1000000);

  assert_observed (totals, 10 + 9, 2);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==,
                   (10 * SECOND - 2000) / 2 + 9 * SECOND - 2000);
}

static void
test_one_round_without_an_answer_is_a_gap (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  use (totals, 0, HALF);
  use (totals, 1, HALF);
  use (totals, 3, HALF);
  assert_observed (totals, 1, 1);

  use (totals, 4, HALF);
  assert_observed (totals, 2, 2);
}

/* --- memory --- */

static void
test_the_most_memory_stays (void)
{
  static const gint64 used[] = { 1, 5, 20, 7, 0 };
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  have_memory (totals, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (used); i++)
    have_memory (totals, i + 1, used[i] * GIB);

  g_assert_cmpint (get (totals, JM_METRIC_GPU_MEMORY_PEAK), ==, 20 * GIB);
}

static void
test_the_size_is_reported_of_ended_jobs_alone (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  have_memory (totals, 0, GIB);

  g_assert_cmpint (get (totals, JM_METRIC_GPU_MEMORY_SIZE), ==, -1);
  g_assert_cmpint (get_of (totals, FIRST, TRUE, JM_METRIC_GPU_MEMORY_SIZE), ==,
                   80 * GIB);
}

/* --- restarts --- */

static void
test_goes_on_after_a_restart_and_leaves_the_time_between_out (void)
{
  g_autoptr (JmGpuTotals) before = jm_gpu_totals_new ();
  g_autoptr (JmGpuTotals) after = NULL;

  for (guint i = 0; i <= 10; i++)
    {
      use (before, i, HALF);
      have_memory (before, i, i == 5 ? 30 * GIB : GIB);
    }
  after = restart (before);
  assert_observed (after, 10, 1);

  /* rounds are counted anew */
  for (guint i = 1; i <= 11; i++)
    {
      use (after, i, 0);
      have_memory (after, i, GIB);
    }
  assert_observed (after, 20, 2);
  g_assert_cmpint (get (after, JM_METRIC_GPU_BUSY), ==, (10 * SECOND - 2000) / 2);
  g_assert_cmpint (get (after, JM_METRIC_GPU_MEMORY_PEAK), ==, 30 * GIB);
}

static void
test_is_kept_only_where_something_has_changed (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();
  g_autoptr (GBytes) first = NULL;
  JmGpuMoment moment = at (0);

  g_assert_null (jm_gpu_totals_save (totals));
  use (totals, 0, HALF);
  first = jm_gpu_totals_save (totals);
  g_assert_nonnull (first);
  g_assert_null (jm_gpu_totals_save (totals));

  moment.round = 1;
  jm_gpu_totals_take_use (totals, FIRST, HALF, &moment);
  g_assert_null (jm_gpu_totals_save (totals));
}

static void
test_what_is_broken_is_nothing (void)
{
  static const struct
  {
    const char *name;
    gint64 busy_us, observed_us, peak_bytes, size_bytes;
  } broken[] = {
    { "", 1, 1, 1, 1 },           { "x", 2, 1, 1, 1 },  { "x", -1, 1, 1, 1 },
    { "x", -2, -2, 1, 1 },        { "x", 1, 1, -2, 1 }, { "x", 1, 1, 1, G_MININT64 },
    { "x", 1, G_MAXINT64, 1, 1 },
  };
  g_autoptr (GBytes) text = g_bytes_new_static ("\1no totals", 10);
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);

  g_assert_null (jm_gpu_totals_restore (text));
  g_assert_null (jm_gpu_totals_restore (empty));
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      GVariantBuilder builder;
      g_autoptr (GBytes) bytes = NULL;

      g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sxxxx)"));
      g_variant_builder_add (&builder, "(sxxxx)", broken[i].name, broken[i].busy_us,
                             broken[i].observed_us, broken[i].peak_bytes,
                             broken[i].size_bytes);
      bytes = jm_versioned_pack (1, g_variant_builder_end (&builder));
      g_assert_null (jm_gpu_totals_restore (bytes));
    }
}

/* --- errors --- */

/* What the device has counted by now; 0 of an Xid is none. */
static void
count_errors (JmGpuTotals *totals, guint64 uncorrected, guint64 xid_79)
{
  g_autoptr (JmLabels) type = jm_labels_of ("uncorrected", NULL);
  g_autoptr (JmLabels) xid = jm_labels_of ("79", NULL);
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (JmReading));
  const JmReading readings[] = {
    { .metric = JM_METRIC_GPU_ECC_ERRORS, .labels = type, .value = uncorrected },
    { .metric = JM_METRIC_GPU_XID_ERRORS, .labels = xid, .value = xid_79 },
  };

  g_array_append_vals (errors, readings, xid_79 > 0 ? 2 : 1);
  jm_gpu_totals_take_errors (totals, FIRST, errors);
}

static void
assert_errors (const JmGpuTotals *totals, gint64 uncorrected, gint64 xid_79)
{
  g_assert_cmpint (get (totals, JM_METRIC_GPU_ECC_ERRORS), ==, uncorrected);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_XID_ERRORS), ==, xid_79);
}

static void
test_errors_before_the_job_are_not_its_own (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  count_errors (totals, 7, 3);
  assert_errors (totals, 0, 0);
  count_errors (totals, 9, 4);
  assert_errors (totals, 2, 1);
}

static void
test_an_xid_that_is_new_counts_from_nothing (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  count_errors (totals, 7, 0);
  assert_errors (totals, 0, -1);
  count_errors (totals, 7, 2);
  assert_errors (totals, 0, 2);
}

static void
test_a_driver_that_is_loaded_anew_counts_from_nothing (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  count_errors (totals, 7, 0);
  count_errors (totals, 1, 0);
  assert_errors (totals, 1, -1);
}

static void
test_errors_stay_over_a_restart (void)
{
  g_autoptr (JmGpuTotals) before = jm_gpu_totals_new ();
  g_autoptr (JmGpuTotals) totals = NULL;

  count_errors (before, 7, 0);
  count_errors (before, 8, 2);
  totals = restart (before);
  assert_errors (totals, 1, 2);
  /* the driver has counted on, and this program listens anew */
  count_errors (totals, 12, 1);
  assert_errors (totals, 1, 2);
  count_errors (totals, 13, 2);
  assert_errors (totals, 2, 3);
}

static void
test_totals_of_an_earlier_version_are_read (void)
{
  GVariant *value = g_variant_new_parsed ("[('GPU-0', @x 5, @x 10, @x 3, @x 4)]");
  g_autoptr (GBytes) bytes = jm_versioned_pack (1, value);
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_restore (bytes);

  g_assert_nonnull (totals);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_BUSY), ==, 5);
  assert_errors (totals, -1, -1);
}

/* --- clocks that are held back --- */

static void
throttle (JmGpuTotals *totals, guint second, gboolean is_throttled)
{
  const JmGpuMoment moment = at (second);

  jm_gpu_totals_take_throttle (totals, FIRST, is_throttled, &moment);
}

static void
test_clocks_are_held_back_from_answer_to_answer (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  g_assert_cmpint (get (totals, JM_METRIC_GPU_THROTTLED), ==, -1);
  throttle (totals, 1, TRUE);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_THROTTLED), ==, 0);
  throttle (totals, 2, TRUE);
  throttle (totals, 3, FALSE);
  throttle (totals, 4, TRUE);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_THROTTLED), ==, 2 * SECOND - 2000);
  /* nothing is known of a gap */
  throttle (totals, 9, TRUE);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_THROTTLED), ==, 2 * SECOND - 2000);
}

static void
test_clocks_are_held_back_while_the_device_is_observed (void)
{
  g_autoptr (JmGpuTotals) totals = jm_gpu_totals_new ();

  for (guint second = 1; second <= 5; second++)
    {
      JmGpuMoment moment = at (second);

      moment.covered_us = SECOND / 4;
      jm_gpu_totals_take_use (totals, FIRST, 1000000, &moment);
      jm_gpu_totals_take_throttle (totals, FIRST, TRUE, &moment);
    }
  g_assert_cmpint (get (totals, JM_METRIC_GPU_OBSERVED), ==, SECOND);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_THROTTLED), ==, SECOND);
}

static void
test_time_held_back_stays_over_a_restart (void)
{
  g_autoptr (JmGpuTotals) before = jm_gpu_totals_new ();
  g_autoptr (JmGpuTotals) totals = NULL;

  throttle (before, 1, TRUE);
  throttle (before, 2, TRUE);
  count_errors (before, 7, 2);
  totals = restart (before);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_THROTTLED), ==, SECOND - 2000);
  throttle (totals, 3, TRUE);
  throttle (totals, 4, TRUE);
  g_assert_cmpint (get (totals, JM_METRIC_GPU_THROTTLED), ==, 2 * SECOND - 4000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/gpu-totals/busy/half",
                   test_a_device_that_is_half_busy_is_so_for_half_of_the_time);
  g_test_add_func ("/gpu-totals/busy/before",
                   test_what_an_answer_reports_is_of_the_time_before_it);
  g_test_add_func ("/gpu-totals/busy/begin",
                   test_begins_at_nothing_with_the_first_answer);
  g_test_add_func ("/gpu-totals/busy/untold",
                   test_of_a_device_that_reports_no_use_nothing_is_reported);
  g_test_add_func ("/gpu-totals/busy/again",
                   test_one_answer_that_is_looked_at_again_counts_once);
  g_test_add_func ("/gpu-totals/busy/covered",
                   test_only_the_covered_part_of_an_answer_is_observed);
  g_test_add_func ("/gpu-totals/busy/bounded", test_no_device_is_more_than_busy);
  g_test_add_func ("/gpu-totals/busy/stale",
                   test_what_was_asked_before_the_job_was_seen_is_not_its_own);
  g_test_add_func ("/gpu-totals/busy/several", test_devices_are_kept_apart);
  g_test_add_func ("/gpu-totals/gap/long",
                   test_while_it_cannot_be_read_it_is_not_observed);
  g_test_add_func ("/gpu-totals/gap/short", test_one_round_without_an_answer_is_a_gap);
  g_test_add_func ("/gpu-totals/memory/peak", test_the_most_memory_stays);
  g_test_add_func ("/gpu-totals/memory/size",
                   test_the_size_is_reported_of_ended_jobs_alone);
  g_test_add_func ("/gpu-totals/restart/on",
                   test_goes_on_after_a_restart_and_leaves_the_time_between_out);
  g_test_add_func ("/gpu-totals/restart/changed",
                   test_is_kept_only_where_something_has_changed);
  g_test_add_func ("/gpu-totals/restart/broken", test_what_is_broken_is_nothing);
  g_test_add_func ("/gpu-totals/restart/version",
                   test_totals_of_an_earlier_version_are_read);
  g_test_add_func ("/gpu-totals/errors/before",
                   test_errors_before_the_job_are_not_its_own);
  g_test_add_func ("/gpu-totals/errors/xid",
                   test_an_xid_that_is_new_counts_from_nothing);
  g_test_add_func ("/gpu-totals/errors/driver",
                   test_a_driver_that_is_loaded_anew_counts_from_nothing);
  g_test_add_func ("/gpu-totals/throttle",
                   test_clocks_are_held_back_from_answer_to_answer);
  g_test_add_func ("/gpu-totals/throttle-observed",
                   test_clocks_are_held_back_while_the_device_is_observed);
  g_test_add_func ("/gpu-totals/throttle/restart",
                   test_time_held_back_stays_over_a_restart);
  g_test_add_func ("/gpu-totals/errors/restart", test_errors_stay_over_a_restart);

  return g_test_run ();
}
