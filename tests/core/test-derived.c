/* test-derived.c: what follows from a snapshot's figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "../report/report-jobs.h"
#include "core/jm-derived.h"
#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"

/* A job that began in the future, whatever else is known of it. */
static JmSnapshot *
make_snapshot_of_a_wrong_clock (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new ("1", "start_time", "1800000000", NULL);

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 1);

  return jm_snapshot_builder_end (builder);
}

static void
test_a_running_job_is_as_old_as_the_snapshot_says (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  JmFigure age = jm_derived_get_age (snapshot, JOB);

  g_assert_true (age.is_known);
  g_assert_cmpfloat (age.value, ==, 10.25);
  g_assert_false (jm_derived_get_end_time (snapshot, JOB).is_known);
}

static void
test_nobody_knows_the_age_of_a_job_without_a_start (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();

  g_assert_false (jm_derived_get_age (snapshot, BARE_JOB).is_known);
  g_assert_false (jm_derived_get_start_time (snapshot, BARE_JOB).is_known);
  g_assert_cmpfloat (jm_derived_get_end_time (snapshot, BARE_JOB).value, ==,
                     1700000005.5);
}

static void
test_a_start_in_the_future_is_no_age (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot_of_a_wrong_clock ();

  g_assert_false (jm_derived_get_age (snapshot, JOB).is_known);
  g_assert_false (jm_derived_get_efficiency (snapshot, JOB).is_known);
}

static void
test_efficiency_is_cpu_time_by_cpus_and_age (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  JmFigure efficiency = jm_derived_get_efficiency (snapshot, JOB);

  g_assert_true (efficiency.is_known);
  g_assert_cmpfloat (efficiency.value, ==, 50);
  g_assert_false (jm_derived_get_efficiency (snapshot, BARE_JOB).is_known);
}

static void
test_efficiency_needs_a_cpu_and_time (void)
{
  const JmFigure one = jm_figure_known (1);
  const JmFigure none = jm_figure_known (0);
  const JmFigure absent = { 0 };

  g_assert_true (jm_derived_compute_efficiency (one, one, one).is_known);
  g_assert_false (jm_derived_compute_efficiency (absent, one, one).is_known);
  g_assert_false (jm_derived_compute_efficiency (one, absent, one).is_known);
  g_assert_false (jm_derived_compute_efficiency (one, one, absent).is_known);
  g_assert_false (jm_derived_compute_efficiency (one, none, one).is_known);
  g_assert_false (jm_derived_compute_efficiency (one, one, none).is_known);
}

static void
test_energy_is_known_for_no_more_than_a_life (void)
{
  const JmFigure one = jm_figure_known (1);
  const JmFigure two = jm_figure_known (2);
  const JmFigure absent = { 0 };

  g_assert_cmpfloat (jm_derived_compute_coverage (one, two).value, ==, 50);
  g_assert_cmpfloat (jm_derived_compute_coverage (two, one).value, ==, 100);
  g_assert_false (jm_derived_compute_coverage (absent, one).is_known);
  g_assert_false (jm_derived_compute_coverage (one, absent).is_known);
}

static void
test_memory_without_a_limit_has_no_share (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();

  g_assert_cmpfloat (jm_derived_get_memory_share (snapshot, JOB).value, ==, 75);
  g_assert_false (jm_derived_get_memory_share (snapshot, BARE_JOB).is_known);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report/derived/a-running-job-is-as-old-as-the-snapshot-says",
                   test_a_running_job_is_as_old_as_the_snapshot_says);
  g_test_add_func ("/report/derived/nobody-knows-the-age-of-a-job-without-a-start",
                   test_nobody_knows_the_age_of_a_job_without_a_start);
  g_test_add_func ("/report/derived/a-start-in-the-future-is-no-age",
                   test_a_start_in_the_future_is_no_age);
  g_test_add_func ("/report/derived/efficiency-is-cpu-time-by-cpus-and-age",
                   test_efficiency_is_cpu_time_by_cpus_and_age);
  g_test_add_func ("/report/derived/efficiency-needs-a-cpu-and-time",
                   test_efficiency_needs_a_cpu_and_time);
  g_test_add_func ("/report/derived/energy-is-known-for-no-more-than-a-life",
                   test_energy_is_known_for_no_more_than_a_life);
  g_test_add_func ("/report/derived/memory-without-a-limit-has-no-share",
                   test_memory_without_a_limit_has_no_share);

  return g_test_run ();
}
