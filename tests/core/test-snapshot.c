/* test-snapshot.c: everything read in one sweep of a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "../add-labelled.h"
#include "base/jm-error.h"
#include "core/jm-snapshot-private.h"
#include "made-job.h"

/* The node, an ended job of two subjects and a running job with the same id. */
enum
{
  NODE,
  ENDED,
  ENDED_STEP,
  RUNNING,
  N_SUBJECTS
};

static JmJob *
make_job (const char *name)
{
  const char
    *fields[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "7", [JM_JOB_FIELD_NAME] = name };

  return made_job_new (fields, JM_ORIGIN_HOOK);
}

static void
fill_readings (JmReadings *readings)
{
  g_autoptr (GError) error = g_error_new (JM_ERROR, JM_ERROR_DENIED, "no");

  jm_readings_add (readings, JM_METRIC_NODE_CPUS, 4);
  jm_readings_set_subject (readings, ENDED);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, 2500000000);
  add_labelled (readings, JM_METRIC_IO_READS, "8:0", 10);
  add_labelled (readings, JM_METRIC_IO_READS, "8:16", 20);
  jm_readings_set_subject (readings, RUNNING);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, 1);
  jm_readings_begin (readings, JM_COLLECTOR_IO);
  jm_readings_add_error (readings, error);
  jm_readings_end (readings);
}

static JmSnapshot *
make_snapshot (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmJob) ended = make_job ("ended");
  g_autoptr (JmJob) running = make_job ("running");
  g_autoptr (JmLabels) step = jm_labels_of ("batch", NULL);
  JmSubject subjects[N_SUBJECTS] = {
    [NODE] = { JM_SUBJECT_KIND_NODE },
    [ENDED] = { JM_SUBJECT_KIND_JOB, NODE, ended, NULL, 1700000009000000 },
    [ENDED_STEP] = { JM_SUBJECT_KIND_STEP, ENDED, ended, step, 1700000009000000 },
    [RUNNING] = { JM_SUBJECT_KIND_JOB, NODE, running },
  };
  JmSnapshot *snapshot;

  fill_readings (readings);
  snapshot = jm_snapshot_new (1700000010000000, 1234567,
                              JM_COLLECTOR_SET (JM_COLLECTOR_IO, JM_COLLECTOR_CPU,
                                                JM_COLLECTOR_NODE),
                              subjects, N_SUBJECTS, readings);

  return snapshot;
}

static void
test_outlives_what_it_was_made_from (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (GPtrArray) jobs = jm_snapshot_get_jobs (snapshot);

  g_assert_cmpint (jm_snapshot_get_time (snapshot), ==, 1700000010000000);
  g_assert_cmpint (jm_snapshot_get_duration (snapshot), ==, 1234567);
  g_assert_cmpuint (jm_snapshot_get_n_subjects (snapshot), ==, N_SUBJECTS);
  g_assert_cmpuint (jobs->len, ==, 2);
  g_assert_cmpstr (jm_job_get_id (g_ptr_array_index (jobs, 0)), ==, "7");
  g_assert_cmpstr (jm_snapshot_get_step (snapshot, ENDED_STEP), ==, "batch");
  g_assert_null (jm_snapshot_get_task (snapshot, ENDED_STEP));
  g_assert_cmpstr (jm_labels_get_value (jm_snapshot_get_subject_labels (snapshot,
                                                                        ENDED_STEP),
                                        0),
                   ==, "batch");
  g_assert_cmpuint (jm_snapshot_get_parent (snapshot, ENDED_STEP), ==, ENDED);
  g_assert_cmpuint (jm_snapshot_get_parent (snapshot, ENDED), ==, NODE);
  g_assert_cmpuint (jm_snapshot_get_parent (snapshot, NODE), ==, NODE);
  g_assert_null (jm_snapshot_get_subject_labels (snapshot, ENDED));
  g_assert_null (jm_snapshot_get_job (snapshot, NODE));
  g_assert_cmpint (jm_snapshot_get_end_time (snapshot, ENDED), ==, 1700000009000000);
  g_assert_cmpint (jm_snapshot_get_end_time (snapshot, RUNNING), ==, 0);
}

static void
test_gives_figures_in_base_units (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmLabels) labels = jm_labels_of ("8:16", NULL);
  double value = -1;

  g_assert_true (jm_snapshot_get_metric (snapshot, ENDED, JM_METRIC_CPU_TOTAL, &value));
  g_assert_cmpfloat (value, ==, 2.5);
  g_assert_true (jm_snapshot_get_labelled_metric (snapshot, ENDED, JM_METRIC_IO_READS,
                                                  labels, &value));
  g_assert_cmpfloat (value, ==, 20);
}

static void
test_what_was_not_measured_is_absent (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JmLabels) labels = jm_labels_of ("8:0", NULL);
  double value = -1;

  g_assert_false (
    jm_snapshot_get_metric (snapshot, ENDED_STEP, JM_METRIC_CPU_TOTAL, &value));
  g_assert_false (jm_snapshot_get_metric (snapshot, ENDED, JM_METRIC_IO_READS, &value));
  g_assert_false (jm_snapshot_get_labelled_metric (snapshot, RUNNING,
                                                   JM_METRIC_IO_READS, labels, &value));
  g_assert_cmpfloat (value, ==, -1);
}

static void
test_readings_are_found_by_their_subject (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  static const guint expected[N_SUBJECTS] = { 1, 3, 0, 1 };
  guint n;

  for (guint i = 0; i < N_SUBJECTS; i++)
    {
      const JmReading *readings = jm_snapshot_get_readings_of (snapshot, i, &n);

      g_assert_cmpuint (n, ==, expected[i]);
      for (guint j = 0; j < n; j++)
        g_assert_cmpuint (readings[j].subject, ==, i);
    }
}

static void
test_lists_the_labels_of_a_metric (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (GPtrArray) labels =
    jm_snapshot_list_metric_labels (snapshot, ENDED, JM_METRIC_IO_READS);

  g_assert_cmpuint (labels->len, ==, 2);
  g_assert_cmpstr (jm_labels_get_value (labels->pdata[0], 0), ==, "8:0");
  g_assert_cmpstr (jm_labels_get_value (labels->pdata[1], 0), ==, "8:16");
}

static void
test_of_jobs_of_one_id_the_last_is_found (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, "7", &subject));
  g_assert_cmpuint (subject, ==, RUNNING);
  g_assert_false (jm_snapshot_find_job (snapshot, "8", &subject));
}

static void
test_reports_how_collectors_fared (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();

  g_assert_true (jm_snapshot_is_collected (snapshot, JM_COLLECTOR_IO));
  g_assert_false (jm_snapshot_is_collected (snapshot, JM_COLLECTOR_PIDS));
  g_assert_cmpuint (jm_snapshot_get_n_errors (snapshot, JM_COLLECTOR_IO), ==, 1);
  g_assert_error (jm_snapshot_get_error (snapshot, JM_COLLECTOR_IO), JM_ERROR,
                  JM_ERROR_DENIED);
  g_assert_null (jm_snapshot_get_error (snapshot, JM_COLLECTOR_CPU));
}

static void
assert_fared (const JmError *codes, guint n_codes, guint n_denied, gboolean has_failed)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  const JmSubject node = { JM_SUBJECT_KIND_NODE };

  jm_readings_begin (readings, JM_COLLECTOR_FILES);
  for (guint i = 0; i < n_codes; i++)
    {
      g_autoptr (GError) error = g_error_new_literal (JM_ERROR, codes[i], "no");

      jm_readings_add_error (readings, error);
    }
  jm_readings_end (readings);
  snapshot = jm_snapshot_new (1, 1, jm_collector_set_get_all (), &node, 1, readings);

  g_assert_cmpuint (jm_snapshot_get_n_errors (snapshot, JM_COLLECTOR_FILES), ==,
                    n_codes);
  g_assert_cmpuint (jm_snapshot_get_n_denied (snapshot, JM_COLLECTOR_FILES), ==,
                    n_denied);
  g_assert_cmpint (jm_snapshot_has_failed (snapshot, JM_COLLECTOR_FILES), ==,
                   has_failed);
}

static void
test_a_lacking_right_is_no_failure (void)
{
  const JmError codes[] = { JM_ERROR_DENIED, JM_ERROR_DENIED, JM_ERROR_MALFORMED };

  assert_fared (codes, 0, 0, FALSE);
  assert_fared (codes, 1, 1, FALSE);
  assert_fared (codes, 2, 2, FALSE);
  assert_fared (codes, 3, 2, TRUE);
  assert_fared (&codes[2], 1, 0, TRUE);
}

static void
test_a_node_without_figures_is_a_snapshot (void)
{
  const JmCollectorSet none = { { 0 } };
  g_autoptr (JmReadings) readings = jm_readings_new ();
  JmSubject node = { JM_SUBJECT_KIND_NODE };
  g_autoptr (JmSnapshot) snapshot = jm_snapshot_new (0, 0, &none, &node, 1, readings);
  guint n;

  jm_snapshot_get_readings_of (snapshot, JM_NODE_SUBJECT, &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_jobs_of_one_id_are_distinguished_by_their_scheduler (void)
{
  static const char *const schedulers[] = { "slurm", "local" };
  JmSubject subjects[3] = { { .kind = JM_SUBJECT_KIND_NODE } };
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  guint subject;

  for (guint i = 0; i < G_N_ELEMENTS (schedulers); i++)
    {
      const char *fields[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "7",
                                              [JM_JOB_FIELD_CLUSTER] = "lab",
                                              [JM_JOB_FIELD_SCHEDULER] =
                                                schedulers[i] };

      subjects[i + 1] = (JmSubject){ .kind = JM_SUBJECT_KIND_JOB,
                                     .job = made_job_new (fields, JM_ORIGIN_HOOK) };
    }
  snapshot = jm_snapshot_new (0, 0, jm_collector_set_get_all (), subjects, 3, readings);

  g_assert_true (jm_snapshot_find_job (snapshot, "slurm:7", &subject));
  g_assert_cmpuint (subject, ==, 1);
  g_assert_true (jm_snapshot_find_job (snapshot, "slurm:lab/7", &subject));
  g_assert_cmpuint (subject, ==, 1);
  g_assert_true (jm_snapshot_find_job (snapshot, "local:7", &subject));
  g_assert_cmpuint (subject, ==, 2);
  g_assert_true (jm_snapshot_find_job (snapshot, "lab/7", &subject));
  g_assert_cmpuint (subject, ==, 2);
  g_assert_false (jm_snapshot_find_job (snapshot, "other:7", &subject));

  for (guint i = 1; i < 3; i++)
    jm_job_unref (subjects[i].job);
}

/* --- as many subjects as a controller has --- */

#define N_MANY 100000
/* Some more than the logarithm of all names to the base of two. */
#define FEW_COMPARISONS 25

static JmJob *
make_numbered_job (guint number)
{
  g_autofree char *id = g_strdup_printf ("%u", number);
  const char *fields[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = id };

  return made_job_new (fields, JM_ORIGIN_HOOK);
}

static JmSnapshot *
make_large_snapshot (void)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (GPtrArray) jobs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_unref);
  g_autofree JmSubject *subjects = g_new0 (JmSubject, N_MANY);

  for (guint i = 1; i < N_MANY; i++)
    {
      g_ptr_array_add (jobs, make_numbered_job (i));
      subjects[i].kind = JM_SUBJECT_KIND_JOB;
      subjects[i].job = jobs->pdata[i - 1];
      jm_readings_set_subject (readings, i);
      for (JmMetric j = JM_METRIC_CPU_USER; j < JM_METRIC_PERCPU; j++)
        jm_readings_add (readings, j, i);
    }

  return jm_snapshot_new (0, 0, jm_collector_set_get_all (), subjects, N_MANY,
                          readings);
}

static void
test_among_100000_subjects_one_is_found_by_few_comparisons (void)
{
  g_autoptr (JmSnapshot) snapshot = make_large_snapshot ();
  guint subject, n_compared;

  for (guint i = 1; i < N_MANY; i += 9973)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      const char *uuid;

      g_assert_true (jm_snapshot_look_up_job (snapshot, id, &subject, &n_compared));
      g_assert_cmpuint (subject, ==, i);
      g_assert_cmpuint (n_compared, <=, FEW_COMPARISONS);

      uuid = jm_job_get_uuid (jm_snapshot_get_job (snapshot, i));
      g_assert_true (jm_snapshot_look_up_job (snapshot, uuid, &subject, &n_compared));
      g_assert_cmpuint (subject, ==, i);
      g_assert_cmpuint (n_compared, <=, FEW_COMPARISONS);

      g_assert_cmpuint (jm_snapshot_look_up_reading (snapshot, i, JM_METRIC_CPUS, NULL,
                                                     &n_compared)
                          ->value,
                        ==, i);
      g_assert_cmpuint (n_compared, <=, 4);
    }

  g_assert_false (jm_snapshot_look_up_job (snapshot, "none", &subject, &n_compared));
  g_assert_cmpuint (n_compared, <=, FEW_COMPARISONS);
  g_assert_true (jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_JOB, &subject));
  g_assert_cmpuint (subject, ==, 1);
  g_assert_false (jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_IDLE, &subject));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/snapshot/outlives-what-it-was-made-from",
                   test_outlives_what_it_was_made_from);
  g_test_add_func ("/snapshot/gives-figures-in-base-units",
                   test_gives_figures_in_base_units);
  g_test_add_func ("/snapshot/what-was-not-measured-is-absent",
                   test_what_was_not_measured_is_absent);
  g_test_add_func ("/snapshot/readings-are-found-by-their-subject",
                   test_readings_are_found_by_their_subject);
  g_test_add_func ("/snapshot/lists-the-labels-of-a-metric",
                   test_lists_the_labels_of_a_metric);
  g_test_add_func ("/snapshot/of-jobs-of-one-id-the-last-is-found",
                   test_of_jobs_of_one_id_the_last_is_found);
  g_test_add_func ("/snapshot/jobs-of-one-id-are-distinguished-by-their-scheduler",
                   test_jobs_of_one_id_are_distinguished_by_their_scheduler);
  g_test_add_func ("/snapshot/reports-how-collectors-fared",
                   test_reports_how_collectors_fared);
  g_test_add_func ("/snapshot/denied", test_a_lacking_right_is_no_failure);
  g_test_add_func ("/snapshot/a-node-without-figures-is-a-snapshot",
                   test_a_node_without_figures_is_a_snapshot);

  g_test_add_func ("/snapshot/among-100000-subjects-one-is-found-by-few-comparisons",
                   test_among_100000_subjects_one_is_found_by_few_comparisons);

  return g_test_run ();
}
