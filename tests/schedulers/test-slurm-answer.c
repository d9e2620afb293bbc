/* test-slurm-answer.c: answers of slurmrestd, recorded and made up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <string.h>

#include "base/jm-error.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"

#define MIB ((gint64) 1 << 20)

/* Returns: the report, or NULL */
static JmSchedulerReport *
read_text (const JmSlurmShape *shape, const char *text, gsize chunk, GError **error)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSlurmAnswer) answer = jm_slurm_answer_new (shape, report, "recorded");
  gsize length = strlen (text);

  for (gsize i = 0; i < length; i += chunk)
    jm_slurm_answer_feed (text + i, MIN (chunk, length - i), answer);
  if (!jm_slurm_answer_finish (answer, "slurmrestd", error))
    return NULL;

  return g_steal_pointer (&report);
}

static JmSchedulerReport *
read_file (const JmSlurmShape *shape, const char *folder, const char *name)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", folder, name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  JmSchedulerReport *report;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  report = read_text (shape, text, 7, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==, NULL);

  return report;
}

static JmSchedulerReport *
read_recorded (const JmSlurmShape *shape, const char *name)
{
  return read_file (shape, "slurm-rest-22.05", name);
}

static JmSchedulerReport *
read_made (const JmSlurmShape *shape, const char *name)
{
  return read_file (shape, "slurm-rest-made", name);
}

static const JmSchedulerJob *
find_job (JmSchedulerReport *report, gint64 raw_id)
{
  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (report); i++)
    if (jm_scheduler_report_get_job (report, i)->raw_id == raw_id)
      return jm_scheduler_report_get_job (report, i);

  g_error ("there is no job %" G_GINT64_FORMAT, raw_id);
}

/* --- what a Slurm 22.05 said --- */

static void
assert_recorded_jobs (const char *name)
{
  g_autoptr (JmSchedulerReport) report = read_recorded (&jm_slurm_jobs_shape, name);
  const JmSchedulerJob *task = find_job (report, 3);
  const JmSchedulerJob *waiting = find_job (report, 1);
  const JmSchedulerJob *with_gpu = find_job (report, 2);
  const JmSchedulerJob *later = find_job (report, 6);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 6);
  g_assert_cmpstr (task->id, ==, "1_1");
  g_assert_cmpint (task->state, ==, JM_SCHEDULER_JOB_STATE_RUNNING);
  g_assert_cmpstr (task->user, ==, "ada");
  g_assert_cmpint (task->uid, ==, 1001);
  g_assert_cmpstr (task->account, ==, "physics");
  g_assert_cmpstr (task->partitions, ==, "batch");
  g_assert_cmpstr (task->node_list, ==, "rec1");
  g_assert_cmpint (task->cpus_allocated, ==, 1);
  g_assert_cmpint (task->cpus_requested, ==, 1);
  g_assert_cmpint (task->memory_allocated_bytes, ==, 256 * MIB);
  g_assert_cmpint (task->time_limit_seconds, ==, 86400);
  g_assert_cmpint (task->end_time - task->start_time, ==, 86400);
  g_assert_cmpint (task->priority, ==, 1000);
  g_assert_null (task->reason);
  g_assert_cmpint (task->het_job_id, ==, -1);

  g_assert_cmpstr (waiting->id, ==, "1_[4-200%3]");
  g_assert_cmpint (waiting->state, ==, JM_SCHEDULER_JOB_STATE_PENDING);
  g_assert_cmpint (waiting->tasks, ==, 197);
  g_assert_cmpstr (waiting->reason, ==, "JobArrayTaskLimit");
  g_assert_cmpint (waiting->cpus_allocated, ==, -1);
  g_assert_cmpint (waiting->cpus_requested, ==, 1);
  g_assert_cmpint (waiting->eligible_time, ==, 0);

  g_assert_cmpstr (with_gpu->id, ==, "2");
  g_assert_cmpstr (with_gpu->name, ==, "a \"quoted\" \\name");
  g_assert_cmpint (with_gpu->array_job_id, ==, -1);
  g_assert_cmpint (with_gpu->gpus_allocated, ==, 1);
  g_assert_cmpint (with_gpu->memory_allocated_bytes, ==, 100 * MIB);
  g_assert_cmpint (with_gpu->time_limit_seconds, ==, 600);
  g_assert_cmpint (with_gpu->tasks, ==, 1);

  g_assert_cmpstr (later->reason, ==, "BeginTime");
  g_assert_cmpint (later->eligible_time - later->submit_time, ==, 86400);
}

static void
test_jobs_of_22_05 (void)
{
  assert_recorded_jobs ("jobs-38.json");
  assert_recorded_jobs ("jobs-37.json");
}

static void
test_nodes_of_22_05 (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_recorded (&jm_slurm_nodes_shape, "nodes-38.json");
  const JmSchedulerNode *mixed = jm_scheduler_report_get_node (report, 0);
  const JmSchedulerNode *drained = jm_scheduler_report_get_node (report, 3);

  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 4);
  g_assert_cmpstr (mixed->name, ==, "rec1");
  g_assert_cmpstr (mixed->partitions, ==, "batch,debug");
  g_assert_cmpint (mixed->state, ==, JM_SCHEDULER_NODE_STATE_MIXED);
  g_assert_cmpuint (mixed->flags, ==, 0);
  g_assert_cmpint (mixed->cpus, ==, 8);
  g_assert_cmpint (mixed->cpus_allocated, ==, 4);
  g_assert_cmpint (mixed->cpus_idle, ==, 4);
  g_assert_cmpint (mixed->memory_bytes, ==, 5423 * MIB);
  g_assert_cmpint (mixed->memory_allocated_bytes, ==, 868 * MIB);
  g_assert_cmpint (mixed->gpus, ==, 2);
  g_assert_cmpint (mixed->gpus_allocated, ==, 1);
  g_assert_cmpfloat (mixed->load, ==, 0.20);
  g_assert_cmpstr (mixed->version, ==, "22.05.8");
  g_assert_null (mixed->reason);
  g_assert_cmpint (mixed->reason_time, ==, 0);

  g_assert_cmpint (drained->state, ==, JM_SCHEDULER_NODE_STATE_IDLE);
  g_assert_cmpuint (drained->flags, ==, 1u << JM_SCHEDULER_NODE_FLAG_DRAIN);
  g_assert_cmpint (drained->cpus_idle, ==, 0);
  g_assert_cmpint (drained->cpus_other, ==, 8);
  g_assert_cmpstr (drained->reason, ==, "odd \"reason");
  g_assert_cmpstr (drained->reason_user, ==, "root");
  g_assert_cmpint (drained->reason_time, ==, 1795447362);
}

static void
test_objects_of_22_05 (void)
{
  g_autoptr (JmSchedulerReport) partitions =
    read_recorded (&jm_slurm_partitions_shape, "partitions-38.json");
  g_autoptr (JmSchedulerReport) reservations =
    read_recorded (&jm_slurm_reservations_shape, "reservations-38.json");
  g_autoptr (JmSchedulerReport) licenses =
    read_recorded (&jm_slurm_licenses_shape, "licenses-38.json");
  const JmSchedulerPartition *batch = jm_scheduler_report_get_partition (partitions, 0);
  const JmSchedulerReservation *maint =
    jm_scheduler_report_get_reservation (reservations, 0);

  g_assert_cmpstr (batch->name, ==, "batch");
  g_assert_cmpstr (batch->state, ==, "UP");
  g_assert_cmpint (batch->is_default, ==, 1);
  g_assert_cmpstr (batch->node_list, ==, "rec[1-4]");
  g_assert_cmpint (batch->nodes, ==, 4);
  g_assert_cmpint (batch->cpus, ==, 32);
  g_assert_cmpint (batch->gpus, ==, 8);
  g_assert_cmpint (batch->memory_bytes, ==, 21692 * MIB);
  g_assert_cmpint (batch->max_nodes, ==, -1);
  g_assert_cmpint (batch->max_time_seconds, ==, 86400);
  g_assert_cmpint (batch->default_time_seconds, ==, -1);
  g_assert_cmpint (batch->priority_tier, ==, 1);

  g_assert_cmpstr (maint->name, ==, "maint");
  g_assert_cmpstr (maint->node_list, ==, "rec3");
  g_assert_cmpstr (maint->users, ==, "ada");
  g_assert_cmpstr (maint->flags, ==, "SPEC_NODES");
  g_assert_cmpint (maint->cores, ==, 8);
  g_assert_cmpint (maint->cpus, ==, 8);
  g_assert_cmpint (maint->end_time - maint->start_time, ==, 3600);

  g_assert_cmpuint (jm_scheduler_report_get_n_licenses (licenses), ==, 0);
}

static const JmSchedulerLimit *
find_limit (JmSchedulerReport *report, const char *account, const char *user)
{
  for (guint i = 0; i < jm_scheduler_report_get_n_limits (report); i++)
    {
      const JmSchedulerLimit *limit = jm_scheduler_report_get_limit (report, i);

      if (g_strcmp0 (limit->account, account) == 0 &&
          g_strcmp0 (limit->user, user) == 0)
        return limit;
    }

  g_error ("there is no limit of %s", account);
}

static void
test_limits_of_22_05 (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_recorded (&jm_slurm_limits_shape, "associations-38.json");
  const JmSchedulerLimit *physics = find_limit (report, "physics", NULL);
  const JmSchedulerLimit *ben = find_limit (report, "chemistry", "ben");

  g_assert_cmpint (physics->group_cpus, ==, 100);
  g_assert_cmpint (physics->group_memory_bytes, ==, 51200 * MIB);
  g_assert_cmpint (physics->group_gpus, ==, -1);
  g_assert_cmpint (physics->group_jobs, ==, 40);
  g_assert_cmpint (physics->group_submit, ==, 500);
  g_assert_cmpint (physics->group_wall_seconds, ==, -1);
  g_assert_cmpint (physics->max_jobs, ==, 20);
  g_assert_cmpint (physics->max_submit, ==, 300);
  g_assert_cmpint (physics->max_wall_seconds, ==, 2 * 86400);
  g_assert_cmpint (ben->max_jobs, ==, -1);
}

static void
test_diagnostics_of_22_05 (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_recorded (&jm_slurm_diagnostics_shape, "diag-38.json");
  const JmSchedulerDiagnostics *told = jm_scheduler_report_get_diagnostics (report);
  guint n_types = 0;

  g_assert_nonnull (told);
  g_assert_cmpint (told->jobs_submitted, ==, 202);
  g_assert_cmpint (told->jobs_pending, ==, 198);
  g_assert_cmpint (told->reset_time, ==, 1795447311);
  g_assert_cmpfloat_with_epsilon (told->backfill_last_cycle_seconds, 0.005735, 1e-9);
  g_assert_cmpint (told->backfill_last_depth, ==, -1);
  for (guint i = 0; i < jm_scheduler_report_get_n_rpcs (report); i++)
    n_types += jm_scheduler_report_get_rpc (report, i)->type != NULL;
  g_assert_cmpuint (n_types, >, 3);
  g_assert_cmpuint (jm_scheduler_report_get_n_rpcs (report), >, n_types);
}

/* --- what later releases say --- */

static void
test_jobs_of_23_11 (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_made (&jm_slurm_jobs_shape, "jobs-40.json");
  const JmSchedulerJob *task = find_job (report, 107);
  const JmSchedulerJob *waiting = find_job (report, 100);

  g_assert_cmpstr (task->id, ==, "100_7");
  g_assert_cmpint (task->state, ==, JM_SCHEDULER_JOB_STATE_RUNNING);
  g_assert_cmpuint (task->flags, ==, 1u << JM_SCHEDULER_JOB_FLAG_CONFIGURING);
  g_assert_cmpint (task->eligible_time, ==, 1700000000);
  g_assert_cmpint (task->time_limit_seconds, ==, 3600);
  g_assert_cmpint (task->restarts, ==, 2);
  g_assert_cmpint (task->nodes, ==, 2);
  g_assert_cmpint (task->cpus_allocated, ==, 8);
  g_assert_cmpint (task->gpus_allocated, ==, 2);
  g_assert_cmpuint (task->n_gpus, ==, 1);
  g_assert_cmpstr (jm_scheduler_report_get_gpus (report, task->first_gpus)->type, ==,
                   "a100");
  g_assert_cmpint (task->het_job_id, ==, -1);

  g_assert_cmpstr (waiting->id, ==, "100_[8-10,12]");
  g_assert_cmpint (waiting->tasks, ==, 4);
  g_assert_cmpint (waiting->priority, ==, -1);
  g_assert_cmpint (waiting->time_limit_seconds, ==, -1);
  g_assert_cmpint (waiting->start_time, ==, 0);
  g_assert_cmpint (waiting->array_task_id, ==, -1);
}

static void
test_jobs_of_26_05 (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_made (&jm_slurm_jobs_shape, "jobs-45.json");
  const JmSchedulerJob *job = find_job (report, 56);

  g_assert_cmpstr (job->id, ==, "55+1");
  g_assert_cmpstr (job->sluid, ==, "sEKNKTV3WPV500");
  g_assert_cmpstr (job->account, ==, "chem \"x\"");
  g_assert_cmpint (job->state, ==, JM_SCHEDULER_JOB_STATE_FAILED);
  g_assert_cmpuint (job->flags, ==, 1u << JM_SCHEDULER_JOB_FLAG_COMPLETING);
  g_assert_cmpstr (job->other_flags, ==, "flag_of_tomorrow");
  g_assert_cmpint (job->gpus_allocated, ==, 1);
  g_assert_cmpstr (job->node_list, ==, "g1");
}

static void
test_nodes_of_26_05 (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_made (&jm_slurm_nodes_shape, "nodes-45.json");
  const JmSchedulerNode *gpus = jm_scheduler_report_get_node (report, 0);
  const JmSchedulerNode *idle = jm_scheduler_report_get_node (report, 1);

  g_assert_cmpint (gpus->state, ==, JM_SCHEDULER_NODE_STATE_MIXED);
  g_assert_cmpuint (gpus->flags, ==,
                    1u << JM_SCHEDULER_NODE_FLAG_DRAIN |
                      1u << JM_SCHEDULER_NODE_FLAG_CLOUD);
  g_assert_cmpstr (gpus->other_flags, ==, "flag_of_tomorrow");
  g_assert_cmpint (gpus->cpus, ==, 126);
  g_assert_cmpint (gpus->cpus_other, ==, 122);
  g_assert_cmpfloat_with_epsilon (gpus->load, 12.34, 1e-9);
  g_assert_cmpint (gpus->memory_free_bytes, ==, 1000 * MIB);
  g_assert_cmpstr (gpus->features, ==, "a,b");
  g_assert_cmpstr (gpus->reservation, ==, "course");
  g_assert_cmpint (gpus->gpus, ==, 4);
  g_assert_cmpint (gpus->gpus_allocated, ==, 1);
  g_assert_cmpint (gpus->reason_time, ==, 1799990000);
  g_assert_cmpint (gpus->boot_time, ==, 1790000000);

  g_assert_cmpint (idle->memory_free_bytes, ==, -1);
  g_assert_cmpint (idle->boot_time, ==, 0);
  g_assert_null (idle->reservation);
  g_assert_cmpint (idle->cpus_idle, ==, 64);
}

static void
test_objects_of_26_05 (void)
{
  g_autoptr (JmSchedulerReport) partitions =
    read_made (&jm_slurm_partitions_shape, "partitions-45.json");
  g_autoptr (JmSchedulerReport) licenses =
    read_made (&jm_slurm_licenses_shape, "licenses-45.json");
  g_autoptr (JmSchedulerReport) shares =
    read_made (&jm_slurm_shares_shape, "shares-45.json");
  const JmSchedulerPartition *gpu = jm_scheduler_report_get_partition (partitions, 0);
  const JmSchedulerLicense *matlab = jm_scheduler_report_get_license (licenses, 0);
  const JmSchedulerShare *root = jm_scheduler_report_get_share (shares, 0);
  const JmSchedulerShare *ada = jm_scheduler_report_get_share (shares, 1);

  g_assert_cmpstr (gpu->name, ==, "gpu");
  g_assert_cmpstr (gpu->state, ==, "UP");
  g_assert_cmpstr (gpu->qos, ==, "gpuqos");
  g_assert_cmpstr (gpu->node_list, ==, "g[1-2]");
  g_assert_cmpint (gpu->nodes, ==, 2);
  g_assert_cmpint (gpu->cpus, ==, 252);
  g_assert_cmpint (gpu->gpus, ==, 8);
  g_assert_cmpint (gpu->max_nodes, ==, 2);
  g_assert_cmpint (gpu->max_time_seconds, ==, -1);
  g_assert_cmpint (gpu->default_time_seconds, ==, 1800);
  g_assert_cmpint (gpu->priority_tier, ==, 3);

  g_assert_cmpstr (matlab->name, ==, "matlab");
  g_assert_cmpint (matlab->total, ==, 50);
  g_assert_cmpint (matlab->used, ==, 3);
  g_assert_cmpint (matlab->is_remote, ==, 1);
  g_assert_cmpint (matlab->last_consumed, ==, 7);
  g_assert_cmpint (matlab->last_deficit, ==, 0);

  g_assert_cmpstr (root->account, ==, "root");
  g_assert_null (root->user);
  g_assert_true (isnan (root->norm_shares));
  g_assert_true (isnan (root->fair_share));
  g_assert_cmpstr (ada->account, ==, "physics");
  g_assert_cmpstr (ada->user, ==, "ada");
  g_assert_cmpint (ada->raw_shares, ==, 10);
  g_assert_cmpfloat (ada->raw_usage, ==, 640);
  g_assert_cmpfloat (ada->fair_share, ==, 0.75);
  g_assert_true (isinf (ada->level_fair_share));
}

/* --- what is wrong --- */

static void
assert_refused (const char *text, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerReport) report =
    read_text (&jm_slurm_jobs_shape, text, 3, &error);

  g_assert_null (report);
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refuses_what_is_no_answer (void)
{
  assert_refused ("{\"jobs\": [{\"job_id\": 1", JM_ERROR_MALFORMED, "too early");
  assert_refused ("{}", JM_ERROR_MALFORMED, "no 'jobs'");
  assert_refused ("[]", JM_ERROR_MALFORMED, "no 'jobs'");
  assert_refused ("{\"jobs\": null}", JM_ERROR_MALFORMED, "no 'jobs'");
  assert_refused ("{\"job\": []}", JM_ERROR_MALFORMED, "no 'jobs'");
}

static void
test_hands_on_an_error (void)
{
  assert_refused ("{\"jobs\": [], \"errors\": [{\"error_number\": 2, \"error\": "
                  "\"No!\"}]}",
                  JM_ERROR_UNAVAILABLE, "slurmrestd: No!");
  assert_refused ("{\"errors\": [{\"description\": \"Not now\", \"source\": \"x\"}], "
                  "\"jobs\": []}",
                  JM_ERROR_UNAVAILABLE, "Not now");
  assert_refused ("{\"errors\": [\"an old one\"], \"jobs\": []}", JM_ERROR_UNAVAILABLE,
                  "an old one");
}

static void
test_complains_about_what_it_cannot_read (void)
{
  static const char text[] =
    "{\"jobs\": ["
    "{\"job_id\": 1, \"job_state\": \"PENDING\", \"time_limit\": \"soon\"},"
    "{\"job_state\": \"PENDING\"},"
    "{\"job_id\": 3},"
    "{\"job_id\": 4, \"job_state\": [\"RUNNING\"], \"tres_alloc_str\": \"cpu=many\"},"
    "{\"job_id\": {\"a\": {\"b\": 1}}, \"job_state\": [[\"RUNNING\"]]},"
    "{\"job_id\": 18446744073709551999, \"job_state\": \"RUNNING\"},"
    "7, [{\"job_id\": 8, \"job_state\": \"RUNNING\"}],"
    "{\"job_id\": 9, \"job_state\": \"RUNNING\", \"priority\": 4294967294, "
    "\"time_limit\": -1, \"tres_alloc_str\": null}]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerReport) report =
    read_text (&jm_slurm_jobs_shape, text, 5, &error);

  g_assert_no_error (error);
  g_assert_cmpint (find_job (report, 1)->time_limit_seconds, ==, -1);
  g_assert_cmpint (find_job (report, 9)->priority, ==, -1);
  g_assert_cmpint (find_job (report, 9)->time_limit_seconds, ==, -1);
  g_assert_cmpint (find_job (report, 9)->cpus_allocated, ==, -1);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), >=, 5);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==,
                   "time_limit: not understood: soon");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/slurm-answer/22.05/jobs", test_jobs_of_22_05);
  g_test_add_func ("/slurm-answer/22.05/nodes", test_nodes_of_22_05);
  g_test_add_func ("/slurm-answer/22.05/objects", test_objects_of_22_05);
  g_test_add_func ("/slurm-answer/22.05/limits", test_limits_of_22_05);
  g_test_add_func ("/slurm-answer/22.05/diagnostics", test_diagnostics_of_22_05);
  g_test_add_func ("/slurm-answer/23.11/jobs", test_jobs_of_23_11);
  g_test_add_func ("/slurm-answer/26.05/jobs", test_jobs_of_26_05);
  g_test_add_func ("/slurm-answer/26.05/nodes", test_nodes_of_26_05);
  g_test_add_func ("/slurm-answer/26.05/objects", test_objects_of_26_05);
  g_test_add_func ("/slurm-answer/no-answer", test_refuses_what_is_no_answer);
  g_test_add_func ("/slurm-answer/error", test_hands_on_an_error);
  g_test_add_func ("/slurm-answer/complaints",
                   test_complains_about_what_it_cannot_read);

  return g_test_run ();
}
