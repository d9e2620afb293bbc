/* test-job-record.c: what a run of a job was, for good
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "core/jm-job-draft-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-snapshot-private.h"

#define BEGIN_US G_GINT64_CONSTANT (1700000000000000)
#define END_US (BEGIN_US + 500000)

static JmJob *
make_job (const char *run_key)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "7", -1);
  if (run_key != NULL)
    jm_job_draft_set_run_key (draft, run_key);

  return jm_job_draft_to_job (draft);
}

static JmSnapshot *
make_snapshot (JmJob *job)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  JmSubject subjects[] = { { JM_SUBJECT_KIND_NODE },
                           { JM_SUBJECT_KIND_JOB, JM_NODE_SUBJECT, job, NULL,
                             END_US } };

  jm_readings_set_subject (readings, JM_RECORD_SUBJECT);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, 400000000);

  return jm_snapshot_new (END_US, 0, jm_collector_set_get_all (), subjects,
                          G_N_ELEMENTS (subjects), readings);
}

static JmJobRecord *
make_record (const char *run_key)
{
  g_autoptr (JmJob) job = make_job (run_key);
  g_autoptr (JmSnapshot) snapshot = make_snapshot (job);
  g_autoptr (JmJobProfile) profile = jm_job_profile_new (BEGIN_US);
  const JmCoverage coverage[] = {
    { "life", 0.9, JM_TOTAL_METHOD_LAST },
    { "cpu", 1, JM_TOTAL_METHOD_FINAL },
  };
  JmJobRecordContent content = { .job = job,
                                 .node = "n1",
                                 .state = JM_RUN_STATE_ENDED,
                                 .begin_us = BEGIN_US,
                                 .end_us = END_US,
                                 .seen_us = END_US - 1,
                                 .snapshot = snapshot,
                                 .profile = profile,
                                 .coverage = coverage,
                                 .n_coverage = G_N_ELEMENTS (coverage) };

  return jm_job_record_new (&content);
}

static void
test_outlives_what_it_was_made_of (void)
{
  g_autoptr (JmJobRecord) record = make_record ("boot/7");
  double value;

  g_assert_cmpstr (jm_job_get_id (jm_job_record_get_job (record)), ==, "7");
  g_assert_cmpstr (jm_job_record_get_node (record), ==, "n1");
  g_assert_cmpint (jm_job_record_get_state (record), ==, JM_RUN_STATE_ENDED);
  g_assert_cmpint (jm_job_record_get_begin_time (record), ==, BEGIN_US);
  g_assert_cmpint (jm_job_record_get_end_time (record), ==, END_US);
  g_assert_cmpint (jm_job_record_get_seen_time (record), ==, END_US - 1);
  g_assert_true (jm_snapshot_get_metric (jm_job_record_get_snapshot (record),
                                         JM_RECORD_SUBJECT, JM_METRIC_CPU_TOTAL,
                                         &value));
  g_assert_cmpfloat (value, ==, 0.4);
  g_assert_nonnull (jm_job_record_get_profile (record));
}

static void
test_says_how_much_was_observed (void)
{
  g_autoptr (JmJobRecord) record = make_record ("boot/7");
  g_auto (GStrv) names = jm_job_record_list_coverage (record);

  g_assert_cmpstrv (names, ((const char *const[]){ "life", "cpu", NULL }));
  g_assert_cmpfloat (jm_job_record_get_coverage (record, "life"), ==, 0.9);
  g_assert_cmpint (jm_job_record_get_method (record, "cpu"), ==, JM_TOTAL_METHOD_FINAL);
  g_assert_true (isnan (jm_job_record_get_coverage (record, "energy.package")));
  g_assert_cmpint (jm_job_record_get_method (record, "energy.package"), ==,
                   JM_TOTAL_METHOD_UNKNOWN);
}

static void
test_its_key_is_that_of_the_run (void)
{
  g_autoptr (JmJobRecord) known = make_record ("boot/7");
  g_autoptr (JmJobRecord) unknown = make_record (NULL);
  g_autofree char *made =
    g_strdup_printf ("%s/%" G_GINT64_FORMAT,
                     jm_job_get_uuid (jm_job_record_get_job (unknown)), BEGIN_US);

  g_assert_cmpstr (jm_job_record_get_key (known), ==, "boot/7");
  g_assert_cmpstr (jm_job_record_get_key (unknown), ==, made);
}

static void
test_is_the_same_at_another_position (void)
{
  g_autoptr (JmJobRecord) record = make_record ("boot/7");
  g_autoptr (JmJobRecord) kept = jm_job_record_at (record, 42);

  g_assert_cmpuint (jm_job_record_get_position (record), ==, 0);
  g_assert_cmpuint (jm_job_record_get_position (kept), ==, 42);
  g_assert_cmpstr (jm_job_record_get_key (kept), ==, "boot/7");
  g_assert_cmpfloat (jm_job_record_get_coverage (kept, "life"), ==, 0.9);
  g_assert_true (jm_job_record_get_snapshot (kept) ==
                 jm_job_record_get_snapshot (record));
}

static void
test_names_its_states_and_methods (void)
{
  for (JmRunState i = 0; i < JM_N_RUN_STATES; i++)
    {
      JmRunState same = JM_N_RUN_STATES;

      g_assert_true (jm_run_state_from_name (jm_run_state_get_name (i), &same));
      g_assert_cmpint (same, ==, i);
    }
  for (JmTotalMethod i = 0; i < JM_N_TOTAL_METHODS; i++)
    {
      JmTotalMethod same = JM_N_TOTAL_METHODS;

      g_assert_true (jm_total_method_from_name (jm_total_method_get_name (i), &same));
      g_assert_cmpint (same, ==, i);
    }
  g_assert_false (jm_run_state_from_name ("finished", &(JmRunState){ 0 }));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/job-record/outlives-what-it-was-made-of",
                   test_outlives_what_it_was_made_of);
  g_test_add_func ("/job-record/says-how-much-was-observed",
                   test_says_how_much_was_observed);
  g_test_add_func ("/job-record/its-key-is-that-of-the-run",
                   test_its_key_is_that_of_the_run);
  g_test_add_func ("/job-record/is-the-same-at-another-position",
                   test_is_the_same_at_another_position);
  g_test_add_func ("/job-record/names-its-states-and-methods",
                   test_names_its_states_and_methods);

  return g_test_run ();
}
