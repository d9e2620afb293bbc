/* test-jmc-run-summary.c: what run reports at its end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <json-glib/json-glib.h>
#include <string.h>

#include "run/jmc-run-summary.h"

static JmcRunSummary *
make_report (void)
{
  static const struct rusage usage = {
    .ru_utime = { 6, 500000 },
    .ru_stime = { 1, 0 },
    .ru_maxrss = 2048,
    .ru_inblock = 8,
  };
  g_auto (GStrv) command = g_strsplit ("make \xff", " ", -1);
  JmcRunSummary *report = jmc_run_summary_new ("42", "ma\033ke", command);

  report->elapsed = 5;
  report->code = 3;
  jmc_run_summary_set (report, JMC_RUN_SUMMARY_CPU_USER, jm_figure_known (7),
                       JMC_SOURCE_CGROUP);
  jmc_run_summary_take_usage (report, &usage);
  jmc_run_summary_set (report, JMC_RUN_SUMMARY_CPUS, jm_figure_known (2),
                       JMC_SOURCE_AFFINITY);
  jmc_run_summary_add_note (report, "one\n%s", "two");
  jmc_run_summary_finish (report);

  return report;
}

static void
test_each_figure_reports_where_it_is_from (void)
{
  g_autoptr (JmcRunSummary) report = make_report ();
  g_autofree char *text = jmc_run_summary_render (report, FALSE);

  g_assert_cmpstr (text, ==,
                   "Job 42 (ma?ke): ended with exit code 3 after 5.00s\n"
                   "  CPU user          7.00s  cgroup\n"
                   "  CPU system        1.00s  wait4\n"
                   "  CPU time          7.50s  wait4\n"
                   "  CPUs                  2  affinity\n"
                   "  CPU efficiency    75.0%  wait4\n"
                   "  Memory peak           -  not known\n"
                   "  Largest process  2.0MiB  wait4, with what it shares\n"
                   "  Read             4.0KiB  wait4\n"
                   "  Written              0B  wait4\n"
                   "  Processes seen        -  not known\n"
                   "  Note: one?two\n");
}

static void
test_a_share_of_next_to_no_time_is_not_reported (void)
{
  g_autoptr (JmcRunSummary) report = make_report ();
  g_autofree char *text = NULL;

  report->figures[JMC_RUN_SUMMARY_EFFICIENCY] = (JmFigure){ 0 };
  report->elapsed = 0.004;
  jmc_run_summary_finish (report);
  text = jmc_run_summary_render (report, FALSE);

  g_assert_nonnull (strstr (text, "  CPU efficiency        -  too short to measure\n"));
}

static void
test_a_process_as_small_as_we_are_is_called_so (void)
{
  static const struct rusage usage = { .ru_maxrss = 0 };
  g_auto (GStrv) command = g_strsplit ("true", " ", -1);
  g_autoptr (JmcRunSummary) report = jmc_run_summary_new ("42", "true", command);
  g_autofree char *text = NULL;

  jmc_run_summary_take_usage (report, &usage);
  text = jmc_run_summary_render (report, FALSE);

  g_assert_nonnull (
    strstr (text, "  Largest process      -  no larger than jobmetrics-cli\n"));
}

static void
test_no_sampled_peak_is_below_the_largest_process (void)
{
  g_autoptr (JmcRunSummary) report = make_report ();
  g_autoptr (JmcRunSummary) other = make_report ();

  jmc_run_summary_take_sampled_peak (report, jm_figure_known (256 << 10));
  jmc_run_summary_take_sampled_peak (other, jm_figure_known (3 << 20));

  g_assert_cmpfloat (report->figures[JMC_RUN_SUMMARY_MEMORY_PEAK].value, ==, 2 << 20);
  g_assert_cmpfloat (other->figures[JMC_RUN_SUMMARY_MEMORY_PEAK].value, ==, 3 << 20);
  g_assert_cmpstr (report->sources[JMC_RUN_SUMMARY_MEMORY_PEAK], ==,
                   JMC_SOURCE_SAMPLES_AT_LEAST);
}

static void
test_json_leaves_out_what_is_not_known (void)
{
  g_autoptr (JmcRunSummary) report = make_report ();
  g_autofree char *text = jmc_run_summary_to_json (report);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = json_from_string (text, &error);
  JsonObject *object = json_node_get_object (root);
  JsonObject *figures = json_object_get_object_member (object, "figures");
  JsonObject *user = json_object_get_object_member (figures, "cpu_user_seconds");

  g_assert_no_error (error);
  g_assert_cmpstr (json_object_get_string_member (object, "jobid"), ==, "42");
  g_assert_cmpint (json_object_get_int_member (object, "exit_code"), ==, 3);
  g_assert_false (json_object_has_member (object, "signal"));
  g_assert_true (json_object_get_null_member (object, "cgroup"));
  g_assert_cmpfloat (json_object_get_double_member (user, "value"), ==, 7);
  g_assert_cmpstr (json_object_get_string_member (user, "source"), ==, "cgroup");
  g_assert_false (json_object_has_member (figures, "memory_peak_bytes"));
}

static void
test_json_has_no_more_digits_than_there_are (void)
{
  g_autoptr (JmcRunSummary) report = make_report ();
  g_autofree char *text = NULL;

  report->elapsed = 0.074113;
  text = jmc_run_summary_to_json (report);

  g_assert_nonnull (strstr (text, "\"elapsed_seconds\": 0.074113,\n"));
  g_assert_nonnull (strstr (text, "\"value\": 2097152,\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/report/each-figure-shows-where-it-is-from",
                   test_each_figure_reports_where_it_is_from);
  g_test_add_func ("/cli/report/a-share-of-next-to-no-time-is-not-reported",
                   test_a_share_of_next_to_no_time_is_not_reported);
  g_test_add_func ("/cli/report/a-process-as-small-as-we-are-is-called-so",
                   test_a_process_as_small_as_we_are_is_called_so);
  g_test_add_func ("/cli/report/no-sampled-peak-is-below-the-largest-process",
                   test_no_sampled_peak_is_below_the_largest_process);
  g_test_add_func ("/cli/report/json-leaves-out-what-is-not-known",
                   test_json_leaves_out_what_is_not_known);
  g_test_add_func ("/cli/report/json-has-no-more-digits-than-there-are",
                   test_json_has_no_more_digits_than_there_are);

  return g_test_run ();
}
