/* test-scheduler-report.c: what one question to a scheduler brought
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"

#include <math.h>
#include <string.h>

static void
test_of_a_new_record_nothing_is_reported (void)
{
  JmSchedulerJob job;
  JmSchedulerNode node;

  jm_scheduler_job_init (&job);
  jm_scheduler_node_init (&node);

  g_assert_null (job.id);
  g_assert_cmpint (job.cpus_requested, ==, -1);
  g_assert_cmpint (job.start_time, ==, 0);
  g_assert_cmpint (job.tasks, ==, 1);
  g_assert_cmpint (job.state, ==, JM_SCHEDULER_JOB_STATE_UNKNOWN);
  g_assert_true (isnan (node.load));
  g_assert_cmpint (node.memory_free_bytes, ==, -1);
}

static void
test_texts_live_as_long_as_the_report (void)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  char user[] = "alice";
  JmSchedulerJob job;

  jm_scheduler_job_init (&job);
  job.id = "7";
  job.user = user;
  job.account = "";
  jm_scheduler_report_add_job (report, &job);
  jm_scheduler_report_add_job (report, &job);
  memset (user, 'x', sizeof user - 1);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 2);
  g_assert_cmpstr (jm_scheduler_report_get_job (report, 0)->user, ==, "alice");
  g_assert_null (jm_scheduler_report_get_job (report, 0)->account);
  g_assert_true (jm_scheduler_report_get_job (report, 0)->user ==
                 jm_scheduler_report_get_job (report, 1)->user);
}

static void
test_a_record_can_be_taken_back (void)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);

  jm_scheduler_report_append_node (report)->cpus = 4;
  jm_scheduler_report_append_node (report)->cpus = 8;
  jm_scheduler_report_drop_node (report);

  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 1);
  g_assert_cmpint (jm_scheduler_report_get_node (report, 0)->cpus, ==, 4);
}

static void
test_complaints_are_kept_once_and_all_are_counted (void)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_auto (GStrv) few = NULL;
  g_auto (GStrv) many = NULL;

  g_assert_null (jm_scheduler_report_get_complaint (report));
  jm_scheduler_report_complain (report, "not a number: \033x");
  jm_scheduler_report_complain (report, "another");

  jm_scheduler_report_pass_over (report, "another");

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 3);
  g_assert_cmpuint (jm_scheduler_report_get_n_faults (report,
                                                      JM_SCHEDULER_FAULT_RECORD),
                    ==, 1);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==,
                   "not a number: \\033x");
  few = jm_scheduler_report_list_complaints (report);
  g_assert_true (
    g_strv_equal ((const char *const *) few,
                  (const char *const[]){ "not a number: \\033x", "another", NULL }));

  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *complaint = g_strdup_printf ("%u", i);

      jm_scheduler_report_complain (report, complaint);
    }
  many = jm_scheduler_report_list_complaints (report);
  g_assert_cmpuint (g_strv_length (many), ==, 16);
  g_assert_cmpuint (jm_scheduler_report_get_n_faults (report, JM_SCHEDULER_FAULT_VALUE),
                    ==, 1002);
}

static void
test_diagnostics_are_there_once_they_are_reported (void)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_DIAGNOSTICS);
  JmSchedulerDiagnostics diagnostics;

  g_assert_null (jm_scheduler_report_get_diagnostics (report));
  jm_scheduler_diagnostics_init (&diagnostics);
  diagnostics.server_threads = 3;
  jm_scheduler_report_set_diagnostics (report, &diagnostics);

  g_assert_cmpint (jm_scheduler_report_get_diagnostics (report)->server_threads, ==, 3);
  g_assert_cmpint (jm_scheduler_report_get_diagnostics (report)->cycles, ==, -1);
}

static void
test_every_state_flag_and_topic_has_a_name (void)
{
  for (guint i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    g_assert_nonnull (jm_scheduler_job_state_get_name (i));
  for (guint i = 0; i < JM_N_SCHEDULER_JOB_FLAGS; i++)
    g_assert_nonnull (jm_scheduler_job_flag_get_name (i));
  for (guint i = 0; i < JM_N_SCHEDULER_NODE_STATES; i++)
    g_assert_nonnull (jm_scheduler_node_state_get_name (i));
  for (guint i = 0; i < JM_N_SCHEDULER_NODE_FLAGS; i++)
    g_assert_nonnull (jm_scheduler_node_flag_get_name (i));
  for (guint i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    g_assert_nonnull (jm_scheduler_topic_get_name (i));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scheduler-report/of-a-new-record-nothing-is-reported",
                   test_of_a_new_record_nothing_is_reported);
  g_test_add_func ("/scheduler-report/texts-live-as-long-as-the-report",
                   test_texts_live_as_long_as_the_report);
  g_test_add_func ("/scheduler-report/a-record-can-be-taken-back",
                   test_a_record_can_be_taken_back);
  g_test_add_func ("/scheduler-report/"
                   "the-first-complaint-is-reported-and-all-are-counted",
                   test_complaints_are_kept_once_and_all_are_counted);
  g_test_add_func ("/scheduler-report/diagnostics-are-there-once-they-are-reported",
                   test_diagnostics_are_there_once_they_are_reported);
  g_test_add_func ("/scheduler-report/every-state-flag-and-topic-has-a-name",
                   test_every_state_flag_and_topic_has_a_name);

  return g_test_run ();
}
