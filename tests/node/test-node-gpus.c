/* test-node-gpus.c: what a node's jobs have of its accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "core/jm-collector-set.h"
#include "core/jm-gpu-private.h"
#include "core/jm-snapshot-private.h"
#include "fake-gpus.h"
#include "fake-sources.h"
#include "node/jm-node.h"

#define GIB (G_GUINT64_CONSTANT (1) << 30)

#define UUID_0 "GPU-00000000-1111-2222-3333-444444444444"
#define UUID_1 "GPU-11111111-1111-2222-3333-444444444444"
#define UUID_2 "MIG-22222222-1111-2222-3333-444444444444"
#define UUID_3 "MIG-33333333-1111-2222-3333-444444444444"

#define NOT_THERE NAN

/* A node of made-up cgroups and devices on a host that has nothing else. */
typedef struct
{
  JmHost *host;
  FakeReader *cgroups;
  FakeJobs *jobs;
  FakeGpus *gpus;
  JmNode *node;
} Fixture;

static void
open_node (Fixture *f, const char *const *order, guint n_shards)
{
  const char *const none[] = { NULL };
  g_autoptr (GError) error = NULL;

  f->node =
    g_initable_new (JM_TYPE_NODE, NULL, &error, "host", f->host, "schedulers", none,
                    "power-sources", none, "emission-providers", none, "gpu-sources",
                    none, "gpu-order", order, "gpu-shards", n_shards, NULL);
  g_assert_no_error (error);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->cgroups));
  if (f->gpus != NULL)
    jm_node_add_source (f->node, JM_SOURCE (f->gpus));
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->host = jm_host_new ("/nonexistent");
  f->jobs = fake_jobs_new (f->host);
  f->cgroups = fake_reader_new (f->host);
  f->gpus = fake_gpus_new (f->host);
  fake_reader_set_cpu (f->cgroups, "/job_1", 10);
  open_node (f, NULL, 0);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->node);
  g_clear_object (&f->gpus);
  g_clear_object (&f->cgroups);
  g_clear_object (&f->jobs);
  g_clear_object (&f->host);
}

/* Two devices, of which a library reports all that it could. */
static void
add_devices (Fixture *f)
{
  static const char *const names[] = { "0", "1" };
  static const char *const uuids[] = { UUID_0, UUID_1 };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      JmGpu *gpu = fake_gpus_add (f->gpus, names[i], uuids[i], NULL, NULL);

      jm_gpu_set_field (gpu, JM_GPU_FIELD_VENDOR, "nvidia");
      jm_gpu_set_device_number (gpu, 195, i);
      fake_gpus_set (f->gpus, names[i], JM_METRIC_GPU_UTILIZATION, 700000 + i);
      fake_gpus_set (f->gpus, names[i], JM_METRIC_GPU_MEMORY_USED, 10 * GIB);
      fake_gpus_set (f->gpus, names[i], JM_METRIC_GPU_PROCESSES, 5);
      fake_gpus_set (f->gpus, names[i], JM_METRIC_GPU_POWER, 300000000);
    }
}

static JmSnapshot *
sample (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot = jm_node_sample (f->node, NULL, &error);

  g_assert_no_error (error);

  return snapshot;
}

static gboolean
find (JmSnapshot *snapshot,
      JmSubjectKind kind,
      const char *job,
      const char *gpu,
      guint *subject)
{
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    {
      JmLabels *labels = jm_snapshot_get_subject_labels (snapshot, i);

      if (jm_snapshot_get_kind (snapshot, i) == kind &&
          g_str_equal (jm_labels_get_value (labels, 0), gpu) &&
          (job == NULL || jm_job_is_called (jm_snapshot_get_job (snapshot, i), job)))
        {
          *subject = i;
          return TRUE;
        }
    }

  return FALSE;
}

static double
get (JmSnapshot *snapshot, const char *job, const char *gpu, JmMetric metric)
{
  guint subject;
  double value;

  return find (snapshot, JM_SUBJECT_KIND_JOB_GPU, job, gpu, &subject) &&
             jm_snapshot_get_metric (snapshot, subject, metric, &value)
           ? value
           : NOT_THERE;
}

/* How much of the device the job has by the word of that origin. */
static double
get_share (JmSnapshot *snapshot, const char *job, const char *gpu, const char *origin)
{
  g_autoptr (JmLabels) labels = jm_labels_of (origin, NULL);
  guint subject;
  double value;

  return find (snapshot, JM_SUBJECT_KIND_JOB_GPU, job, gpu, &subject) &&
             jm_snapshot_get_labelled_metric (snapshot, subject, JM_METRIC_GPU_SHARE,
                                              labels, &value)
           ? value
           : NOT_THERE;
}

static double
get_of_job (JmSnapshot *snapshot, const char *job, JmMetric metric)
{
  guint subject;
  double value;

  g_assert_true (jm_snapshot_find_job (snapshot, job, &subject));

  return jm_snapshot_get_metric (snapshot, subject, metric, &value) ? value : NOT_THERE;
}

static double
get_jobs (JmSnapshot *snapshot, const char *gpu)
{
  guint subject;
  double value;

  g_assert_true (find (snapshot, JM_SUBJECT_KIND_GPU, NULL, gpu, &subject));

  return jm_snapshot_get_metric (snapshot, subject, JM_METRIC_GPU_JOBS, &value)
           ? value
           : NOT_THERE;
}

static void
assert_absent (double value)
{
  g_assert_true (isnan (value));
}

static void
assert_has (JmSnapshot *snapshot, const char *job, const char *gpu, const char *origin)
{
  g_assert_cmpfloat (get_share (snapshot, job, gpu, origin), ==, 1);
}

static void
assert_has_not (JmSnapshot *snapshot, const char *job, const char *gpu)
{
  guint subject;

  g_assert_false (find (snapshot, JM_SUBJECT_KIND_JOB_GPU, job, gpu, &subject));
}

/* --- who says what --- */

static void
test_a_job_has_the_device_that_it_was_given (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "1", 1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "hook");
  assert_has_not (snapshot, "1", "0");
  g_assert_cmpfloat (get_of_job (snapshot, "1", JM_METRIC_ALLOCATED_GPUS), ==, 1);
  g_assert_cmpfloat (get_jobs (snapshot, "0"), ==, 0);
  g_assert_cmpfloat (get_jobs (snapshot, "1"), ==, 1);
  g_assert_cmpstr (fake_gpus_get_cgroup (f->gpus), ==, "/job_1");
}

static void
test_a_job_that_was_given_none_has_none (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  snapshot = sample (f);

  assert_has_not (snapshot, "1", "0");
  assert_absent (get_of_job (snapshot, "1", JM_METRIC_ALLOCATED_GPUS));
}

static void
test_what_a_hook_left_in_the_job_itself_counts (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "0-1");
  snapshot = sample (f);

  assert_has (snapshot, "1", "0", "hook");
  assert_has (snapshot, "1", "1", "hook");
  g_assert_cmpfloat (get_of_job (snapshot, "1", JM_METRIC_ALLOCATED_GPUS), ==, 2);
}

static void
test_an_environment_counts_where_nobody_else_speaks (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, NULL);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "1");
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "environment");
  assert_has_not (snapshot, "1", "0");
}

static void
test_numbers_within_a_job_mean_nothing_outside (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, NULL);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_VISIBLE_GPUS, "0," UUID_1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "environment");
  assert_has_not (snapshot, "1", "0");
}

static void
test_a_part_of_a_device_is_given_by_percentage (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, NULL);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "1");
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPU_PERCENTAGE, "12.5");
  snapshot = sample (f);

  g_assert_cmpfloat (get_share (snapshot, "1", "1", "environment"), ==, 0.125);
}

static void
test_a_percentage_that_is_none_is_passed_over (Fixture *f, gconstpointer data)
{
  static const char *const texts[] = { "", "half", "-5", "0", "1e999", "nan", "50 %" };

  add_devices (f);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, NULL);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "1");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JmSnapshot) snapshot = NULL;

      fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPU_PERCENTAGE, texts[i]);
      g_clear_object (&f->node);
      open_node (f, NULL, 0);
      snapshot = sample (f);
      g_assert_cmpfloat (get_share (snapshot, "1", "1", "environment"), ==, 1);
    }
}

static void
test_an_environment_does_not_cut_down_what_root_gave (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_ENVIRONMENT, NULL);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPU_PERCENTAGE, "1");
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  snapshot = sample (f);

  g_assert_cmpfloat (get_share (snapshot, "1", "0", "hook"), ==, 1);
}

static void
test_shards_are_parts_of_all_devices_that_a_job_has (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "0,1");
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPU_SHARDS, "4");
  g_clear_object (&f->node);
  open_node (f, NULL, 8);
  snapshot = sample (f);

  g_assert_cmpfloat (get_share (snapshot, "1", "0", "hook"), ==, 0.25);
  g_assert_cmpfloat (get_share (snapshot, "1", "1", "hook"), ==, 0.25);
}

static void
test_the_most_reliable_decides (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_ENVIRONMENT, "1", 1);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_CGROUP, "195:0", 1);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_CGROUP, "195:0", 1);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, UUID_1, 1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "0", "cgroup");
  assert_has_not (snapshot, "1", "1");
  assert_has (snapshot, "2", "1", "hook");
  assert_has_not (snapshot, "2", "0");
}

static void
test_an_environment_does_not_take_what_another_was_given (Fixture *f,
                                                          gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_ENVIRONMENT, "0", 1);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_CGROUP, "195:0", 1);
  snapshot = sample (f);

  assert_has_not (snapshot, "1", "0");
  assert_has (snapshot, "2", "0", "cgroup");
}

static void
test_an_environment_that_the_driver_belies_is_not_believed (Fixture *f,
                                                            gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_reader_add_process (f->cgroups, "/job_1", 4711);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_ENVIRONMENT, "0", 1);
  fake_gpus_add_process (f->gpus, "1", 4711, GIB, 100000);
  snapshot = sample (f);

  assert_has_not (snapshot, "1", "0");
  g_assert_cmpfloat (get_share (snapshot, "1", "1", "driver"), ==, 0);
  assert_absent (get_of_job (snapshot, "1", JM_METRIC_ALLOCATED_GPUS));
}

/* --- what is used, and what is not --- */

static void
test_a_device_that_was_given_and_is_idle_is_seen (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "0", "hook");
  g_assert_cmpfloat (get (snapshot, "1", "0", JM_METRIC_GPU_PROCESSES), ==, 0);
}

/* A library that reports no processes says nothing of there being none. */
static void
test_no_processes_are_reported_where_nobody_lists_them (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_gpus_add (f->gpus, "amd0", NULL, NULL, NULL);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "amd0", 1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "amd0", "hook");
  assert_absent (get (snapshot, "1", "amd0", JM_METRIC_GPU_PROCESSES));
}

static void
test_use_is_no_allocation (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_reader_add_process (f->cgroups, "/job_1", 4711);
  fake_reader_add_process (f->cgroups, "/job_1", 4712);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  fake_gpus_add_process (f->gpus, "1", 4711, 2 * GIB, 100000);
  fake_gpus_add_process (f->gpus, "1", 4712, 3 * GIB, 50000);
  fake_gpus_add_process (f->gpus, "1", 99, GIB, 1000);
  snapshot = sample (f);

  assert_has (snapshot, "1", "0", "hook");
  g_assert_cmpfloat (get_share (snapshot, "1", "1", "driver"), ==, 0);
  g_assert_cmpfloat (get_of_job (snapshot, "1", JM_METRIC_ALLOCATED_GPUS), ==, 1);
  g_assert_cmpfloat (get_jobs (snapshot, "1"), ==, 0);
  g_assert_cmpfloat (get (snapshot, "1", "1", JM_METRIC_GPU_PROCESSES), ==, 2);
  g_assert_cmpfloat (get (snapshot, "1", "1", JM_METRIC_GPU_MEMORY_USED), ==, 5. * GIB);
  g_assert_cmpfloat_with_epsilon (get (snapshot, "1", "1", JM_METRIC_GPU_UTILIZATION),
                                  0.15, 1e-9);
}

static void
test_alone_on_a_device_a_job_has_its_figures (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_reader_add_process (f->cgroups, "/job_1", 4711);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  fake_gpus_add_process (f->gpus, "0", 4711, GIB, 100000);
  fake_gpus_add_process (f->gpus, "0", 4711, GIB, -1);
  snapshot = sample (f);

  g_assert_cmpfloat_with_epsilon (get (snapshot, "1", "0", JM_METRIC_GPU_UTILIZATION),
                                  0.7, 1e-9);
  g_assert_cmpfloat (get (snapshot, "1", "0", JM_METRIC_GPU_MEMORY_USED), ==,
                     10. * GIB);
  g_assert_cmpfloat (get (snapshot, "1", "0", JM_METRIC_GPU_PROCESSES), ==, 1);
  /* what of the device's power is the job's, only the split of energy can show */
  assert_absent (get (snapshot, "1", "0", JM_METRIC_GPU_POWER));
}

static double
get_xids (JmSnapshot *snapshot, const char *job, const char *xid)
{
  g_autoptr (JmLabels) labels = jm_labels_of (xid, NULL);
  guint subject;
  double value;

  return find (snapshot, JM_SUBJECT_KIND_JOB_GPU, job, "0", &subject) &&
             jm_snapshot_get_labelled_metric (snapshot, subject,
                                              JM_METRIC_GPU_XID_ERRORS, labels, &value)
           ? value
           : NOT_THERE;
}

static void
test_errors_are_of_the_job_that_has_the_device_then (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) during = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  add_devices (f);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_gpus_add_labelled (f->gpus, "0", JM_METRIC_GPU_XID_ERRORS, "13", 4);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  before = sample (f);
  g_assert_cmpfloat (get_xids (before, "1", "13"), ==, 0);

  fake_gpus_add_labelled (f->gpus, "0", JM_METRIC_GPU_XID_ERRORS, "79", 1);
  during = sample (f);
  g_assert_cmpfloat (get_xids (during, "1", "13"), ==, 0);
  g_assert_cmpfloat (get_xids (during, "1", "79"), ==, 1);

  fake_gpus_take_away (f->gpus, "1");
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, "0", 1);
  after = sample (f);
  g_assert_cmpfloat (get_xids (after, "2", "79"), ==, 0);
}

/* --- sharing --- */

static void
test_jobs_that_have_one_device_whole_share_it (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_reader_add_process (f->cgroups, "/job_1", 4711);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, "0", 1);
  fake_gpus_add_process (f->gpus, "0", 4711, GIB, -1);
  snapshot = sample (f);

  g_assert_cmpfloat (get_share (snapshot, "1", "0", "hook"), ==, 0.5);
  g_assert_cmpfloat (get_share (snapshot, "2", "0", "hook"), ==, 0.5);
  g_assert_cmpfloat (get_jobs (snapshot, "0"), ==, 2);
  /* of a device that is shared, a job has what its processes have */
  g_assert_cmpfloat (get (snapshot, "1", "0", JM_METRIC_GPU_MEMORY_USED), ==, 1. * GIB);
  assert_absent (get (snapshot, "1", "0", JM_METRIC_GPU_UTILIZATION));
  g_assert_cmpfloat (get (snapshot, "2", "0", JM_METRIC_GPU_PROCESSES), ==, 0);
  assert_absent (get (snapshot, "2", "0", JM_METRIC_GPU_MEMORY_USED));
}

static void
test_shares_that_are_reported_stay (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 0.25);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, "0", 0.5);
  snapshot = sample (f);

  g_assert_cmpfloat (get_share (snapshot, "1", "0", "hook"), ==, 0.25);
  g_assert_cmpfloat (get_share (snapshot, "2", "0", "hook"), ==, 0.5);
}

static void
test_an_intruder_costs_the_device_s_figures (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_reader_add_process (f->cgroups, "/job_2", 4712);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  fake_gpus_add_process (f->gpus, "0", 4712, GIB, 100000);
  snapshot = sample (f);

  assert_has (snapshot, "1", "0", "hook");
  assert_absent (get (snapshot, "1", "0", JM_METRIC_GPU_MEMORY_USED));
  g_assert_cmpfloat (get_share (snapshot, "2", "0", "driver"), ==, 0);
  g_assert_cmpfloat (get (snapshot, "2", "0", JM_METRIC_GPU_MEMORY_USED), ==, 1. * GIB);
}

/* --- instances --- */

static void
add_instances (Fixture *f)
{
  add_devices (f);
  fake_gpus_add (f->gpus, "0.1", UUID_2, NULL, "0");
  fake_gpus_add (f->gpus, "0.2", UUID_3, NULL, "0");
}

static void
test_of_a_divided_device_the_instances_are_given (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_instances (f);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, UUID_2, 1);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_CGROUP, "195:0", 1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "0.1", "hook");
  assert_has_not (snapshot, "1", "0");
  assert_has_not (snapshot, "1", "0.2");
  /* that a job may open the device says not which instance it has */
  assert_has_not (snapshot, "2", "0");
  assert_has_not (snapshot, "2", "0.2");
  assert_absent (get_jobs (snapshot, "0"));
  g_assert_cmpfloat (get_jobs (snapshot, "0.1"), ==, 1);
  g_assert_cmpfloat (get_jobs (snapshot, "0.2"), ==, 0);
}

static void
test_who_was_given_a_divided_device_has_all_instances (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_instances (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, UUID_0, 1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "0.1", "hook");
  assert_has (snapshot, "1", "0.2", "hook");
  g_assert_cmpfloat (get_of_job (snapshot, "1", JM_METRIC_ALLOCATED_GPUS), ==, 2);
}

static void
test_a_device_that_is_divided_later_is_found_again (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  add_devices (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, UUID_0, 1);
  before = sample (f);
  fake_gpus_add (f->gpus, "0.1", UUID_2, NULL, "0");
  after = sample (f);

  assert_has (before, "1", "0", "hook");
  assert_has (after, "1", "0.1", "hook");
  assert_has_not (after, "1", "0");
}

/* --- numbers --- */

static void
test_the_scheduler_counts_instances_in_place_of_their_device (Fixture *f,
                                                              gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_instances (f);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "1,2");
  snapshot = sample (f);

  assert_has (snapshot, "1", "0.2", "hook");
  assert_has (snapshot, "1", "1", "hook");
  assert_has_not (snapshot, "1", "0.1");
}

static void
test_an_order_that_is_set_says_what_numbers_mean (Fixture *f, gconstpointer data)
{
  static const char *const order[] = { UUID_1, "amd0", "0", NULL };
  g_autoptr (JmSnapshot) snapshot = NULL;

  g_clear_object (&f->node);
  open_node (f, order, 0);
  add_devices (f);
  fake_gpus_add (f->gpus, "amd0", NULL, NULL, NULL);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "0,1");
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "hook");
  assert_has (snapshot, "1", "amd0", "hook");
  assert_has_not (snapshot, "1", "0");
}

static void
add_device_with_file (Fixture *f, const char *name, guint minor)
{
  jm_gpu_set_device_number (fake_gpus_add (f->gpus, name, NULL, NULL, NULL), 195,
                            minor);
}

static void
test_numbers_are_in_doubt_where_files_have_another_order (Fixture *f,
                                                          gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_device_with_file (f, "0", 4);
  add_device_with_file (f, "1", 0);
  add_device_with_file (f, "2", 2);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "0");
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "*number 0 is taken for GPU 0*would be GPU 1*gpu.order*");
  snapshot = sample (f);
  jm_snapshot_unref (sample (f));
  g_test_assert_expected_messages ();

  assert_has (snapshot, "1", "0", "hook");
}

static void
test_numbers_are_clear_where_files_have_the_same_order (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_device_with_file (f, "0", 1);
  add_device_with_file (f, "1", 7);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "1");
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "hook");
}

static void
sample_rounds (Fixture *f, guint n)
{
  for (guint i = 0; i < n; i++)
    jm_snapshot_unref (sample (f));
}

static void
test_a_number_means_nothing_among_several_makers (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_gpus_add (f->gpus, "amd0", NULL, NULL, NULL);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "0");
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "*several makers*gpu.order*");
  sample_rounds (f, 30);
  g_test_assert_expected_messages ();
  snapshot = sample (f);

  assert_has_not (snapshot, "1", "0");
  assert_has_not (snapshot, "1", "amd0");
}

static void
test_a_device_that_is_not_there_is_reported_once (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "9", 1);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "1", 1);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING, "job 1: *not have: 9");
  sample_rounds (f, 30);
  g_test_assert_expected_messages ();
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "hook");
}

static void
test_a_part_of_a_uuid_is_enough (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "GPU-11111111", 1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "hook");
  assert_has_not (snapshot, "1", "0");
}

static void
test_an_instance_may_have_its_older_name (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_instances (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "MIG-" UUID_0 "/2/0", 1);
  snapshot = sample (f);

  assert_has (snapshot, "1", "0.2", "hook");
  assert_has_not (snapshot, "1", "0.1");
}

/* --- rounds --- */

static void
test_jobs_are_not_asked_about_in_each_round (Fixture *f, gconstpointer data)
{
  guint n_first;

  add_devices (f);
  sample_rounds (f, 6);
  n_first = fake_gpus_count_questions (f->gpus);
  sample_rounds (f, 24);

  g_assert_cmpuint (n_first, >=, 2);
  g_assert_cmpuint (n_first, <=, 5);
  g_assert_cmpuint (fake_gpus_count_questions (f->gpus) - n_first, ==, 2);
}

static void
test_what_a_job_has_may_change_in_its_life (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  sample_rounds (f, 6);
  fake_gpus_take_away (f->gpus, "1");
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "1", 1);
  sample_rounds (f, 12);
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "hook");
  assert_has_not (snapshot, "1", "0");
}

/* What it had lingers with it, for its totals. */
static void
test_a_job_that_ended_gives_its_device_back (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;
  guint subject;

  add_devices (f);
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "0", 1);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, "0", 1);
  before = sample (f);
  fake_reader_remove (f->cgroups, "/job_1");
  after = sample (f);

  g_assert_cmpfloat (get_share (before, "2", "0", "hook"), ==, 0.5);
  assert_has (after, "2", "0", "hook");
  g_assert_cmpfloat (get_jobs (after, "0"), ==, 1);
  g_assert_true (find (after, JM_SUBJECT_KIND_JOB_GPU, "1", "0", &subject));
  g_assert_cmpint (jm_snapshot_get_end_time (after, subject), >, 0);
  assert_absent (get (after, "1", "0", JM_METRIC_GPU_MEMORY_USED));
}

static void
test_a_device_that_was_lost_stays_the_job_s (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  add_devices (f);
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, "1", 1);
  before = sample (f);
  fake_gpus_remove (f->gpus, "1");
  after = sample (f);

  assert_has (after, "1", "1", "hook");
  assert_absent (get (after, "1", "1", JM_METRIC_GPU_MEMORY_USED));
  assert_absent (get (after, "1", "1", JM_METRIC_GPU_PROCESSES));
}

static void
test_a_mapper_that_fails_costs_only_what_it_knows (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_devices (f);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "1");
  fake_gpus_refuse (f->gpus, "map: nobody answers");
  snapshot = sample (f);

  assert_has (snapshot, "1", "1", "hook");
  g_assert_cmpstr (jm_snapshot_get_error (snapshot, JM_COLLECTOR_GPU)->message, ==,
                   "map: nobody answers");
}

static void
test_without_a_library_nobody_is_asked (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  g_clear_object (&f->node);
  g_clear_object (&f->gpus);
  open_node (f, NULL, 0);
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_GPUS, "1");
  snapshot = sample (f);

  assert_absent (get_of_job (snapshot, "1", JM_METRIC_ALLOCATED_GPUS));
  g_assert_false (jm_snapshot_is_collected (snapshot, JM_COLLECTOR_GPU));
}

/* --- recorded nodes --- */

static JmSnapshot *
sample_recorded (const char *fixture, guint pid, guint stranger)
{
  static const char *const none[] = { NULL };
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", fixture, NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (FakeGpus) gpus = fake_gpus_new (host);
  g_autoptr (JmNode) node = NULL;
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot;

  fake_gpus_add (gpus, "0", UUID_0, NULL, NULL);
  fake_gpus_add (gpus, "1", UUID_1, NULL, NULL);
  fake_gpus_add_process (gpus, "1", pid, GIB, -1);
  fake_gpus_add_process (gpus, "1", stranger, GIB, -1);
  node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "power-sources",
                         none, "emission-providers", none, "gpu-sources", none, NULL);
  g_assert_no_error (error);
  jm_node_add_source (node, JM_SOURCE (gpus));
  snapshot = jm_node_sample (node, NULL, &error);
  g_assert_no_error (error);

  return snapshot;
}

/* In cgroups of either version, and by a group that Grid Engine gave them. */
static void
test_processes_of_jobs_are_found_wherever_jobs_are (void)
{
  static const struct
  {
    const char *fixture;
    const char *job;
    guint pid;
    guint stranger;
  } nodes[] = {
    { "slurm-v2-hooks", "2", 829, 671 },
    { "slurm-v1-multi", "3", 29547, 1 },
    { "gridengine", "7", 29173, 14445 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      g_autoptr (JmSnapshot) snapshot =
        sample_recorded (nodes[i].fixture, nodes[i].pid, nodes[i].stranger);

      g_assert_cmpfloat (get_share (snapshot, nodes[i].job, "1", "driver"), ==, 0);
      g_assert_cmpfloat (get (snapshot, nodes[i].job, "1", JM_METRIC_GPU_PROCESSES), ==,
                         1);
      g_assert_cmpfloat (get (snapshot, nodes[i].job, "1", JM_METRIC_GPU_MEMORY_USED),
                         ==, 1. * GIB);
    }
}

static void
test_what_slurm_s_prolog_wrote_is_a_hook_s_word (void)
{
  g_autoptr (JmSnapshot) snapshot = sample_recorded ("slurm-v2-hooks", 1, 1);

  assert_has (snapshot, "3", "0", "hook");
  assert_has_not (snapshot, "2", "0");
}

#define ADD(path, function)                                                            \
 g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/node-gpus/a-job-has-the-device-that-it-was-given",
       test_a_job_has_the_device_that_it_was_given);
  ADD ("/node-gpus/a-job-that-was-given-none-has-none",
       test_a_job_that_was_given_none_has_none);
  ADD ("/node-gpus/what-a-hook-left-in-the-job-itself-counts",
       test_what_a_hook_left_in_the_job_itself_counts);
  ADD ("/node-gpus/an-environment-counts-where-nobody-else-speaks",
       test_an_environment_counts_where_nobody_else_speaks);
  ADD ("/node-gpus/numbers-within-a-job-mean-nothing-outside",
       test_numbers_within_a_job_mean_nothing_outside);
  ADD ("/node-gpus/a-part-of-a-device-is-given-by-percentage",
       test_a_part_of_a_device_is_given_by_percentage);
  ADD ("/node-gpus/a-percentage-that-is-none-is-passed-over",
       test_a_percentage_that_is_none_is_passed_over);
  ADD ("/node-gpus/an-environment-does-not-cut-down-what-root-gave",
       test_an_environment_does_not_cut_down_what_root_gave);
  ADD ("/node-gpus/shards-are-parts-of-all-devices-that-a-job-has",
       test_shards_are_parts_of_all_devices_that_a_job_has);
  ADD ("/node-gpus/the-most-reliable-decides", test_the_most_reliable_decides);
  ADD ("/node-gpus/an-environment-does-not-take-what-another-was-given",
       test_an_environment_does_not_take_what_another_was_given);
  ADD ("/node-gpus/an-environment-that-the-driver-belies-is-not-believed",
       test_an_environment_that_the_driver_belies_is_not_believed);
  ADD ("/node-gpus/a-device-that-was-given-and-is-idle-is-seen",
       test_a_device_that_was_given_and_is_idle_is_seen);
  ADD ("/node-gpus/no-processes-are-reported-where-nobody-lists-them",
       test_no_processes_are_reported_where_nobody_lists_them);
  ADD ("/node-gpus/use-is-no-allocation", test_use_is_no_allocation);
  ADD ("/node-gpus/alone-on-a-device-a-job-has-its-figures",
       test_alone_on_a_device_a_job_has_its_figures);
  ADD ("/node-gpus/errors-are-of-the-job-that-has-the-device-then",
       test_errors_are_of_the_job_that_has_the_device_then);
  ADD ("/node-gpus/jobs-that-have-one-device-whole-share-it",
       test_jobs_that_have_one_device_whole_share_it);
  ADD ("/node-gpus/shares-that-are-reported-stay", test_shares_that_are_reported_stay);
  ADD ("/node-gpus/an-intruder-costs-the-device-s-figures",
       test_an_intruder_costs_the_device_s_figures);
  ADD ("/node-gpus/of-a-divided-device-the-instances-are-given",
       test_of_a_divided_device_the_instances_are_given);
  ADD ("/node-gpus/who-was-given-a-divided-device-has-all-instances",
       test_who_was_given_a_divided_device_has_all_instances);
  ADD ("/node-gpus/a-device-that-is-divided-later-is-found-again",
       test_a_device_that_is_divided_later_is_found_again);
  ADD ("/node-gpus/the-scheduler-counts-instances-in-place-of-their-device",
       test_the_scheduler_counts_instances_in_place_of_their_device);
  ADD ("/node-gpus/an-order-that-is-set-says-what-numbers-mean",
       test_an_order_that_is_set_says_what_numbers_mean);
  ADD ("/node-gpus/numbers-are-in-doubt-where-files-have-another-order",
       test_numbers_are_in_doubt_where_files_have_another_order);
  ADD ("/node-gpus/numbers-are-clear-where-files-have-the-same-order",
       test_numbers_are_clear_where_files_have_the_same_order);
  ADD ("/node-gpus/a-number-means-nothing-among-several-makers",
       test_a_number_means_nothing_among_several_makers);
  ADD ("/node-gpus/a-device-that-is-not-there-is-reported-once",
       test_a_device_that_is_not_there_is_reported_once);
  ADD ("/node-gpus/a-part-of-a-uuid-is-enough", test_a_part_of_a_uuid_is_enough);
  ADD ("/node-gpus/an-instance-may-have-its-older-name",
       test_an_instance_may_have_its_older_name);
  ADD ("/node-gpus/jobs-are-not-asked-about-in-each-round",
       test_jobs_are_not_asked_about_in_each_round);
  ADD ("/node-gpus/what-a-job-has-may-change-in-its-life",
       test_what_a_job_has_may_change_in_its_life);
  ADD ("/node-gpus/a-job-that-ended-gives-its-device-back",
       test_a_job_that_ended_gives_its_device_back);
  ADD ("/node-gpus/a-device-that-was-lost-stays-the-job-s",
       test_a_device_that_was_lost_stays_the_job_s);
  ADD ("/node-gpus/a-mapper-that-fails-costs-only-what-it-knows",
       test_a_mapper_that_fails_costs_only_what_it_knows);
  ADD ("/node-gpus/without-a-library-nobody-is-asked",
       test_without_a_library_nobody_is_asked);
  g_test_add_func ("/node-gpus/processes-of-jobs-are-found-wherever-jobs-are",
                   test_processes_of_jobs_are_found_wherever_jobs_are);
  g_test_add_func ("/node-gpus/what-slurm-s-prolog-wrote-is-a-hook-s-word",
                   test_what_slurm_s_prolog_wrote_is_a_hook_s_word);

  return g_test_run ();
}
