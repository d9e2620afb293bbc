/* test-figure.c: a figure of a snapshot, which may be absent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-figure-private.h"

#include "report-jobs.h"

static JmFigure
get_labelled (JmSnapshot *snapshot, JmMetric metric, const char *a, const char *b)
{
  g_autoptr (JmLabels) labels = jm_labels_of (a, b, NULL);

  return jm_figure_of_metric_label (snapshot, JOB, metric, labels);
}

static void
check (JmFigure figure, double expected)
{
  g_assert_true (figure.is_known);
  g_assert_cmpfloat (figure.value, ==, expected);
}

static void
test_the_figures_of_all_labels_are_added_up (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();

  check (jm_figure_of_metric (snapshot, JOB, JM_METRIC_THREADS), 5);
  check (get_labelled (snapshot, JM_METRIC_THREADS, "sleeping", NULL), 2);
  check (jm_figure_of_metric (snapshot, JOB, JM_METRIC_CPUS), 4);
}

static void
test_what_was_not_read_is_absent_and_not_zero (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();

  g_assert_false (jm_figure_of_metric (snapshot, BARE_JOB, JM_METRIC_THREADS).is_known);
  g_assert_false (jm_figure_of_metric (snapshot, BARE_JOB, JM_METRIC_CPUS).is_known);
  g_assert_false (get_labelled (snapshot, JM_METRIC_THREADS, "zombie", NULL).is_known);
  g_assert_null (jm_figure_format ((JmFigure){ 0 }, JM_FORMAT_BYTES));
}

static void
test_a_sum_is_estimated_where_any_part_of_it_is (void)
{
  g_autoptr (JmSnapshot) snapshot = report_jobs_make_snapshot ();
  JmFigure energy = jm_figure_of_metric (snapshot, JOB, JM_METRIC_ENERGY);
  g_autofree char *text = jm_figure_format (energy, JM_FORMAT_JOULES);

  g_assert_true (energy.is_estimated);
  g_assert_cmpstr (text, ==, "~31J");
  g_assert_false (
    get_labelled (snapshot, JM_METRIC_ENERGY, "package", JM_QUALITY_MEASURED)
      .is_estimated);
  g_assert_false (jm_figure_of_metric (snapshot, JOB, JM_METRIC_THREADS).is_estimated);
}

static void
test_what_is_reckoned_with_an_absent_figure_is_absent (void)
{
  const JmFigure absent = { 0 };
  const JmFigure known = jm_figure_known (8);

  g_assert_false (jm_figure_get_share (absent, known).is_known);
  g_assert_false (jm_figure_get_share (known, absent).is_known);
  g_assert_false (jm_figure_get_share (known, jm_figure_known (0)).is_known);
  g_assert_false (jm_figure_get_rate (known, absent, 1).is_known);
  g_assert_false (jm_figure_get_rate (absent, known, 1).is_known);
  g_assert_false (jm_figure_add (absent, absent).is_known);
  check (jm_figure_add (absent, known), 8);
  check (jm_figure_add (known, absent), 8);
}

static void
test_shares_and_rates_are_divided (void)
{
  check (jm_figure_get_share (jm_figure_known (3), jm_figure_known (4)), 75);
  check (jm_figure_get_rate (jm_figure_known (9), jm_figure_known (4), 2), 2.5);
}

static void
test_a_counter_that_fell_or_took_no_time_has_no_rate (void)
{
  g_assert_false (
    jm_figure_get_rate (jm_figure_known (3), jm_figure_known (4), 1).is_known);
  g_assert_false (
    jm_figure_get_rate (jm_figure_known (4), jm_figure_known (3), 0).is_known);
}

static void
test_an_estimate_stays_one_when_it_is_reckoned_with (void)
{
  const JmFigure estimate = { 8, TRUE, TRUE };
  const JmFigure known = jm_figure_known (4);

  g_assert_true (jm_figure_add (known, estimate).is_estimated);
  g_assert_true (jm_figure_get_share (known, estimate).is_estimated);
  g_assert_true (jm_figure_get_rate (estimate, known, 1).is_estimated);
  g_assert_false (jm_figure_get_share (known, known).is_estimated);
}

static void
test_what_is_absent_comes_last_in_either_direction (void)
{
  const JmFigure absent = { 0 };
  const JmFigure small = jm_figure_known (1);
  const JmFigure large = jm_figure_known (2);

  g_assert_cmpint (jm_figure_compare (small, large, FALSE), <, 0);
  g_assert_cmpint (jm_figure_compare (small, large, TRUE), >, 0);
  g_assert_cmpint (jm_figure_compare (absent, large, FALSE), >, 0);
  g_assert_cmpint (jm_figure_compare (absent, large, TRUE), >, 0);
  g_assert_cmpint (jm_figure_compare (large, absent, TRUE), <, 0);
  g_assert_cmpint (jm_figure_compare (absent, absent, FALSE), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report/figure/the-figures-of-all-labels-are-added-up",
                   test_the_figures_of_all_labels_are_added_up);
  g_test_add_func ("/report/figure/what-was-not-read-is-absent-and-not-zero",
                   test_what_was_not_read_is_absent_and_not_zero);
  g_test_add_func ("/report/figure/a-sum-is-estimated-where-any-part-of-it-is",
                   test_a_sum_is_estimated_where_any_part_of_it_is);
  g_test_add_func ("/report/figure/what-is-reckoned-with-an-absent-figure-is-absent",
                   test_what_is_reckoned_with_an_absent_figure_is_absent);
  g_test_add_func ("/report/figure/shares-and-rates-are-divided",
                   test_shares_and_rates_are_divided);
  g_test_add_func ("/report/figure/a-counter-that-fell-or-took-no-time-has-no-rate",
                   test_a_counter_that_fell_or_took_no_time_has_no_rate);
  g_test_add_func ("/report/figure/an-estimate-stays-one-when-it-is-reckoned-with",
                   test_an_estimate_stays_one_when_it_is_reckoned_with);
  g_test_add_func ("/report/figure/what-is-absent-comes-last-in-either-direction",
                   test_what_is_absent_comes_last_in_either_direction);

  return g_test_run ();
}
