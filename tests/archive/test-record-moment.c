/* test-record-moment.c: what the runs of a node did at one time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jm-record-moment-private.h"
#include "core/jm-derived-private.h"
#include "core/jm-figure-private.h"
#include "made-record.h"

#define SECOND_US G_GINT64_CONSTANT (1000000)
#define BEGIN_US MADE_BEGIN_US
#define NS G_GUINT64_CONSTANT (1000000000)
#define GIB (G_GUINT64_CONSTANT (1) << 30)

typedef struct
{
  GPtrArray *records; /* of JmJobRecord */
  JmRecordMoment moment;
  JmSnapshot *snapshot;
} Node;

static void
node_set_up (Node *node, gconstpointer data)
{
  node->records = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
}

static void
node_tear_down (Node *node, gconstpointer data)
{
  g_clear_pointer (&node->snapshot, jm_snapshot_unref);
  g_ptr_array_unref (node->records);
}

/* Takes a reference of the profile, which is NULL for none. */
static void
add_run (Node *node, gint64 begin_us, gint64 end_us, JmJobProfile *profile)
{
  g_autoptr (JmJob) job = made_job ();
  g_autoptr (JmSnapshot) snapshot = made_snapshot (job, end_us);
  const JmJobRecordContent content = {
    .job = job,
    .state = end_us != 0 ? JM_RUN_STATE_ENDED : JM_RUN_STATE_RUNNING,
    .begin_us = begin_us,
    .end_us = end_us,
    .seen_us = MAX (begin_us, end_us),
    .snapshot = snapshot,
    .profile = profile,
  };

  g_ptr_array_add (node->records, jm_job_record_new (&content));
}

/* Two seconds of two busy CPUs and 1 GiB, then two of none and 3 GiB, then nothing is
 * known for two. */
static JmJobProfile *
make_profile (gint64 begin_us)
{
  JmJobProfile *profile = jm_job_profile_new (begin_us);
  const gint64 middle_us = begin_us + 2 * SECOND_US;
  const gint64 end_us = begin_us + 4 * SECOND_US;

  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, begin_us, middle_us, 4 * NS);
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, middle_us, end_us, 0);
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_ENERGY, begin_us, end_us,
                          400 * G_GUINT64_CONSTANT (1000000));
  jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_READ, begin_us, end_us, 4096);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, begin_us, middle_us,
                            GIB);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, middle_us, end_us,
                            3 * GIB);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_THREADS, begin_us, end_us, 5);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_GPU_UTILIZATION, begin_us,
                            end_us, 250000);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_GPU_MEMORY, begin_us, end_us,
                            2 * GIB);
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_THREADS, end_us,
                            end_us + 2 * SECOND_US, 7);

  return profile;
}

/* How many runs there were, so long after the begin. */
static guint
look (Node *node, gint64 after_us)
{
  g_autoptr (GPtrArray) jobs = NULL;

  g_clear_pointer (&node->snapshot, jm_snapshot_unref);
  node->snapshot =
    jm_record_moment_make (node->records, BEGIN_US + after_us, &node->moment);
  g_assert_cmpint (jm_snapshot_get_time (node->snapshot), ==, BEGIN_US + after_us);
  jobs = jm_snapshot_get_jobs (node->snapshot);

  return jobs->len;
}

static JmFigure
get (Node *node, JmMetric metric)
{
  return jm_figure_of_metric (node->snapshot, 1, metric);
}

static void
check (JmFigure figure, double value)
{
  g_assert_true (figure.is_known);
  g_assert_cmpfloat_with_epsilon (figure.value, value, 1e-6);
}

static void
test_a_run_is_there_from_its_begin_until_its_end (Node *node, gconstpointer data)
{
  add_run (node, BEGIN_US, BEGIN_US + 4 * SECOND_US, NULL);
  add_run (node, BEGIN_US + 2 * SECOND_US, 0, NULL);

  g_assert_cmpuint (look (node, -1), ==, 0);
  g_assert_cmpuint (look (node, 0), ==, 1);
  g_assert_cmpuint (look (node, 2 * SECOND_US - 1), ==, 1);
  g_assert_cmpuint (look (node, 2 * SECOND_US), ==, 2);
  g_assert_cmpuint (look (node, 4 * SECOND_US - 1), ==, 2);
  g_assert_cmpuint (look (node, 4 * SECOND_US), ==, 1);
  g_assert_cmpuint (look (node, 86400 * SECOND_US), ==, 1);
}

static void
test_figures_are_of_the_point_in_which_the_time_lies (Node *node, gconstpointer data)
{
  g_autoptr (JmJobProfile) profile = make_profile (BEGIN_US);
  double rate;

  add_run (node, BEGIN_US, BEGIN_US + 6 * SECOND_US, profile);

  look (node, 1500000);
  check (jm_derived_get_cpus_used (node->snapshot, 1), 2);
  check (get (node, JM_METRIC_CPU_TOTAL), 3);
  check (get (node, JM_METRIC_MEMORY_USED), (double) GIB);
  check (get (node, JM_METRIC_THREADS), 5);
  check (get (node, JM_METRIC_POWER), 100);
  check (jm_derived_get_gpu_utilization (node->snapshot, 1), 25);
  check (jm_derived_get_gpu_memory_used (node->snapshot, 1), 2 * (double) GIB);
  g_assert_true (
    jm_snapshot_get_rate (node->snapshot, 1, JM_METRIC_IO_READ_BYTES, &rate));
  g_assert_cmpfloat_with_epsilon (rate, 1024, 1e-6);
  g_assert_false (
    jm_snapshot_get_rate (node->snapshot, 1, JM_METRIC_IO_WRITE_BYTES, &rate));

  look (node, 2 * SECOND_US);
  check (jm_derived_get_cpus_used (node->snapshot, 1), 0);
  check (get (node, JM_METRIC_CPU_TOTAL), 4);
  check (get (node, JM_METRIC_MEMORY_USED), 3 * (double) GIB);
}

static void
test_what_was_not_observed_is_unknown (Node *node, gconstpointer data)
{
  g_autoptr (JmJobProfile) profile = make_profile (BEGIN_US);

  add_run (node, BEGIN_US, 0, profile);
  add_run (node, BEGIN_US, 0, NULL);

  /* the threads alone */
  g_assert_cmpuint (look (node, 4500000), ==, 2);
  g_assert_false (jm_derived_get_cpus_used (node->snapshot, 1).is_known);
  g_assert_false (get (node, JM_METRIC_CPU_TOTAL).is_known);
  g_assert_false (get (node, JM_METRIC_MEMORY_USED).is_known);
  g_assert_false (get (node, JM_METRIC_POWER).is_known);
  check (get (node, JM_METRIC_THREADS), 7);

  /* behind the last point */
  g_assert_cmpuint (look (node, 7 * SECOND_US), ==, 2);
  g_assert_false (get (node, JM_METRIC_THREADS).is_known);
  g_assert_cmpint (node->moment.least_us, ==, 0);
  g_assert_cmpint (node->moment.most_us, ==, 0);
}

static void
test_nothing_of_the_end_of_a_run_is_there (Node *node, gconstpointer data)
{
  add_run (node, BEGIN_US, BEGIN_US + SECOND_US, NULL);
  look (node, 0);

  g_assert_false (get (node, JM_METRIC_MEMORY_PEAK).is_known);
  g_assert_false (get (node, JM_METRIC_ENERGY).is_known);
  g_assert_cmpint (jm_snapshot_get_end_time (node->snapshot, 1), ==, 0);
  check (get (node, JM_METRIC_CPUS), 2);
  check (jm_figure_of_metric (node->snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_CPUS),
         64);
}

static void
test_devices_are_those_of_the_run (Node *node, gconstpointer data)
{
  g_autofree char *devices = NULL;
  g_autofree char *later = NULL;
  guint second;

  add_run (node, BEGIN_US, 0, NULL);
  add_run (node, BEGIN_US, 0, NULL);
  look (node, 0);
  g_assert_true (
    jm_snapshot_find_subject (node->snapshot, JM_SUBJECT_KIND_JOB_GPU, &second));
  g_assert_cmpuint (jm_snapshot_get_parent (node->snapshot, second), ==, 1);
  devices = jm_derived_format_gpu_devices (node->snapshot, 1);
  later = jm_derived_format_gpu_devices (node->snapshot, 3);

  g_assert_cmpstr (devices, ==, "nvidia0");
  g_assert_cmpstr (later, ==, "nvidia0");
}

static void
test_power_of_estimated_energy_is_estimated (Node *node, gconstpointer data)
{
  g_autoptr (JmJobProfile) profile = make_profile (BEGIN_US);

  add_run (node, BEGIN_US, 0, profile);
  look (node, 0);

  /* a part of the energy of a made record is */
  g_assert_true (get (node, JM_METRIC_POWER).is_estimated);
}

static void
test_widths_are_those_of_the_points (Node *node, gconstpointer data)
{
  g_autoptr (JmJobProfile) young = make_profile (BEGIN_US);
  g_autoptr (JmJobProfile) old = jm_job_profile_new (BEGIN_US - 1000 * SECOND_US);

  jm_job_profile_add_sum (old, JM_PROFILE_SERIES_CPU, BEGIN_US - 1000 * SECOND_US,
                          BEGIN_US + 500 * SECOND_US, 1500 * NS);
  add_run (node, BEGIN_US, 0, young);
  add_run (node, BEGIN_US - 1000 * SECOND_US, 0, old);

  g_assert_cmpuint (look (node, SECOND_US), ==, 2);
  g_assert_cmpint (node->moment.least_us, ==, SECOND_US);
  g_assert_cmpint (node->moment.most_us, ==, 8 * SECOND_US);
  g_assert_cmpuint (look (node, 100 * SECOND_US), ==, 2);
  g_assert_cmpint (node->moment.least_us, ==, 8 * SECOND_US);
}

/* The clock went back by a minute while the second run went on. */
static void
test_a_clock_that_was_set_harms_no_other_run (Node *node, gconstpointer data)
{
  g_autoptr (JmJobProfile) profile = make_profile (BEGIN_US + 60 * SECOND_US);

  add_run (node, BEGIN_US, BEGIN_US + 3 * SECOND_US, NULL);
  add_run (node, BEGIN_US + 60 * SECOND_US, BEGIN_US + 30 * SECOND_US, profile);
  add_run (node, BEGIN_US, 0, profile);

  g_assert_cmpuint (look (node, SECOND_US), ==, 2);
  g_assert_cmpuint (look (node, 45 * SECOND_US), ==, 1);
  /* before the first point of its profile */
  g_assert_false (get (node, JM_METRIC_MEMORY_USED).is_known);
  g_assert_cmpuint (look (node, 60 * SECOND_US), ==, 2);
  check (get (node, JM_METRIC_MEMORY_USED), (double) GIB);
}

static void
add_test (const char *path, void (*test) (Node *node, gconstpointer data))
{
  g_test_add (path, Node, NULL, node_set_up, test, node_tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/record-moment/runs", test_a_run_is_there_from_its_begin_until_its_end);
  add_test ("/record-moment/points",
            test_figures_are_of_the_point_in_which_the_time_lies);
  add_test ("/record-moment/unknown", test_what_was_not_observed_is_unknown);
  add_test ("/record-moment/of-the-end", test_nothing_of_the_end_of_a_run_is_there);
  add_test ("/record-moment/devices", test_devices_are_those_of_the_run);
  add_test ("/record-moment/estimated", test_power_of_estimated_energy_is_estimated);
  add_test ("/record-moment/widths", test_widths_are_those_of_the_points);
  add_test ("/record-moment/clock", test_a_clock_that_was_set_harms_no_other_run);

  return g_test_run ();
}
