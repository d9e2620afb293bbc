/* test-node-gpu-totals.c: what jobs made of a node's accelerators, over their whole
 * life
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "core/jm-snapshot-private.h"
#include "fake-gpus.h"
#include "fake-sources.h"
#include "left-ledger.h"
#include "node/jm-node-private.h"
#include "node/ledger/jm-ledger-private.h"
#include "tree.h"

#define BOOT "01234567-89ab-4cde-8f01-23456789abcd"
#define BOOT_FILE "proc/sys/kernel/random/boot_id"
#define PATIENCE_MS 60000
/* The shortest time between two answers that are not one. */
#define STEP_US 2000
#define GIB 1073741824.

#define UUID_0 "GPU-00000000-1111-2222-3333-444444444444"
#define UUID_1 "GPU-11111111-1111-2222-3333-444444444444"
#define UUID_2 "MIG-22222222-1111-2222-3333-444444444444"

#define NOT_THERE NAN

typedef struct
{
  Tree *tree;
  FakeReader *cgroups;
  FakeJobs *jobs;
  FakeGpus *gpus;
  char *path; /* of the ledger */
  JmLedger *ledger;
  JmNode *node;
} Fixture;

/* --- the program --- */

static void
start (Fixture *f)
{
  const JmLedgerPlan plan = { .path = f->path };
  const char *const none[] = { NULL };
  g_autoptr (GError) error = NULL;

  f->ledger = jm_ledger_open_for_writing (&plan, &error);
  g_assert_no_error (error);
  f->node =
    g_initable_new (JM_TYPE_NODE, NULL, &error, "host", f->tree->host, "power-sources",
                    none, "emission-providers", none, "gpu-sources", none, NULL);
  g_assert_no_error (error);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->cgroups));
  jm_node_add_source (f->node, JM_SOURCE (f->gpus));
  jm_node_set_ledger (f->node, f->ledger);
}

static void
stop (Fixture *f)
{
  g_clear_object (&f->node);
  jm_ledger_close_within (f->ledger, PATIENCE_MS * 1000);
  g_clear_object (&f->ledger);
}

/* What is on the disk at this moment is all that a killed program leaves. */
static void
kill_and_start (Fixture *f)
{
  g_autofree char *left = g_strconcat (f->path, ".left", NULL);

  left_ledger_copy (f->path, left);
  stop (f);
  g_free (f->path);
  f->path = g_steal_pointer (&left);
  start (f);
}

static void
pass (gint64 time_us)
{
  gint64 end_us = g_get_monotonic_time () + time_us;

  while (g_get_monotonic_time () < end_us)
    g_thread_yield ();
}

static JmSnapshot *
sample (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot;

  pass (STEP_US);
  snapshot = jm_node_sample (f->node, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (jm_node_await_stored (f->node, PATIENCE_MS));

  return snapshot;
}

static JmSnapshot *
sample_often (Fixture *f, guint n)
{
  JmSnapshot *snapshot = sample (f);

  for (guint i = 1; i < n; i++)
    {
      jm_snapshot_unref (snapshot);
      snapshot = sample (f);
    }

  return snapshot;
}

/* --- a made-up machine --- */

static void
set_up (Fixture *f, gconstpointer data)
{
  f->tree = tree_new ();
  f->path = g_build_filename (f->tree->root, "ledger.db", NULL);
  f->cgroups = fake_reader_new (f->tree->host);
  f->jobs = fake_jobs_new (f->tree->host);
  f->gpus = fake_gpus_new (f->tree->host);
  tree_put (f->tree, "proc/stat", "cpu  1 1 1 1 1 1 1 1 1 1\nbtime 1700000000\n");
  tree_put (f->tree, "proc/uptime", "100.00 200.00\n");
  tree_put (f->tree, BOOT_FILE, BOOT "\n");
  fake_reader_set_cpu (f->cgroups, "/job_1", 10);
  fake_gpus_add (f->gpus, "0", UUID_0, NULL, NULL);
  fake_gpus_add (f->gpus, "1", UUID_1, NULL, NULL);
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_UTILIZATION, 500000);
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_MEMORY_USED, (gint64) (10 * GIB));
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_MEMORY_SIZE, (gint64) (80 * GIB));
  fake_gpus_grant (f->gpus, "1", JM_GPU_ORIGIN_HOOK, UUID_0, 1);
  start (f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  stop (f);
  g_assert_finalize_object (f->gpus);
  g_assert_finalize_object (f->cgroups);
  g_assert_finalize_object (f->jobs);
  g_free (f->path);
  tree_free (f->tree);
}

static double
get (JmSnapshot *snapshot, const char *job, const char *gpu, JmMetric metric)
{
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    {
      double value;

      if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB_GPU &&
          g_str_equal (jm_snapshot_get_gpu (snapshot, i), gpu) &&
          jm_job_is_called (jm_snapshot_get_job (snapshot, i), job) &&
          jm_snapshot_get_metric (snapshot, i, metric, &value))
        return value;
    }

  return NOT_THERE;
}

static double
get_observed (JmSnapshot *snapshot)
{
  return get (snapshot, "1", "0", JM_METRIC_GPU_OBSERVED);
}

static double
get_busy (JmSnapshot *snapshot)
{
  return get (snapshot, "1", "0", JM_METRIC_GPU_BUSY);
}

/* Each answer is rounded to a microsecond. */
static void
assert_busy (JmSnapshot *snapshot, double part)
{
  g_assert_cmpfloat (get_observed (snapshot), >, 0);
  g_assert_cmpfloat_with_epsilon (get_busy (snapshot), part * get_observed (snapshot),
                                  100e-6);
}

static void
assert_absent (double value)
{
  g_assert_true (isnan (value));
}

static JmJobRecord *
get_record (Fixture *f, GPtrArray **records)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (GError) error = NULL;

  jm_ledger_filter_set_state (filter, JM_RUN_STATE_ENDED);
  *records = jm_ledger_list (f->ledger, filter, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((*records)->len, ==, 1);

  return (*records)->pdata[0];
}

/* --- a life --- */

static void
test_a_gpu_is_half_busy_for_a_job_s_life (Fixture *f, gconstpointer data)
{
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (JmSnapshot) snapshot = sample_often (f, 10);
  double elapsed = (double) (g_get_monotonic_time () - begin_us) / 1e6;

  assert_busy (snapshot, 0.5);
  g_assert_cmpfloat (get_observed (snapshot), >=, 9 * STEP_US / 1e6);
  g_assert_cmpfloat (get_observed (snapshot), <=, elapsed);
  g_assert_cmpfloat (get (snapshot, "1", "0", JM_METRIC_GPU_MEMORY_PEAK), ==, 10 * GIB);
}

static void
test_no_meter_of_power_is_needed_and_no_ledger (Fixture *f, gconstpointer data)
{
  const char *const none[] = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot = NULL;

  g_clear_object (&f->node);
  f->node =
    g_initable_new (JM_TYPE_NODE, NULL, &error, "host", f->tree->host, "power-sources",
                    none, "emission-providers", none, "gpu-sources", none, NULL);
  g_assert_no_error (error);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->cgroups));
  jm_node_add_source (f->node, JM_SOURCE (f->gpus));
  snapshot = sample_often (f, 3);

  assert_busy (snapshot, 0.5);
}

static void
test_the_most_memory_stays_when_it_is_given_back (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  jm_snapshot_unref (sample_often (f, 2));
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_MEMORY_USED, (gint64) (33 * GIB));
  jm_snapshot_unref (sample (f));
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_MEMORY_USED, 0);
  snapshot = sample (f);

  g_assert_cmpfloat (get (snapshot, "1", "0", JM_METRIC_GPU_MEMORY_USED), ==, 0);
  g_assert_cmpfloat (get (snapshot, "1", "0", JM_METRIC_GPU_MEMORY_PEAK), ==, 33 * GIB);
}

/* --- gaps --- */

static void
test_a_gpu_that_cannot_be_read_is_not_observed (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample_often (f, 5);
  g_autoptr (JmSnapshot) meanwhile = NULL;
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (JmSnapshot) after = NULL;

  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_UTILIZATION, -1);
  meanwhile = sample_often (f, 5);
  g_assert_cmpfloat (get_observed (meanwhile), ==, get_observed (before));
  g_assert_cmpfloat (get_busy (meanwhile), ==, get_busy (before));

  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_UTILIZATION, 1000000);
  first = sample (f);
  g_assert_cmpfloat (get_observed (first), ==, get_observed (before));

  after = sample (f);
  g_assert_cmpfloat (get_observed (after), >, get_observed (before));
  g_assert_cmpfloat_with_epsilon (get_busy (after) - get_busy (before),
                                  get_observed (after) - get_observed (before), 1e-5);
}

static void
test_a_library_that_fails_observes_nothing (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample_often (f, 3);
  g_autoptr (JmSnapshot) meanwhile = NULL;
  g_autoptr (JmSnapshot) first = NULL;

  fake_gpus_fail (f->gpus, "no answer");
  meanwhile = sample_often (f, 3);
  fake_gpus_fail (f->gpus, NULL);
  first = sample (f);

  g_assert_cmpfloat (get_observed (meanwhile), ==, get_observed (before));
  g_assert_cmpfloat (get_observed (first), ==, get_observed (before));
}

static void
test_far_more_than_the_interval_is_a_gap (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (JmSnapshot) later = NULL;

  /* sweeps are never late by three of these */
  jm_node_set_interval (f->node, 3600 * 1000);
  before = sample_often (f, 3);
  assert_busy (before, 0.5);

  /* and always by as many of those */
  jm_node_set_interval (f->node, 1);
  pass (4000);
  after = sample (f);
  g_assert_cmpfloat (get_observed (after), ==, get_observed (before));

  jm_node_set_interval (f->node, 3600 * 1000);
  later = sample (f);
  g_assert_cmpfloat (get_observed (later), >, get_observed (before));
}

/* --- the end --- */

static void
test_a_job_that_has_ended_keeps_its_totals (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample_often (f, 5);
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (GPtrArray) records = NULL;
  JmSnapshot *kept;

  fake_reader_remove (f->cgroups, "/job_1");
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_UTILIZATION, 1000000);
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_MEMORY_USED, (gint64) (70 * GIB));
  after = sample_often (f, 3);

  assert_absent (get (after, "1", "0", JM_METRIC_GPU_UTILIZATION));
  assert_absent (get (after, "1", "0", JM_METRIC_GPU_MEMORY_USED));
  g_assert_cmpfloat (get_busy (after), ==, get_busy (before));
  g_assert_cmpfloat (get_observed (after), ==, get_observed (before));
  g_assert_cmpfloat (get (after, "1", "0", JM_METRIC_GPU_MEMORY_PEAK), ==, 10 * GIB);
  g_assert_cmpfloat (get (after, "1", "0", JM_METRIC_GPU_MEMORY_SIZE), ==, 80 * GIB);

  kept = jm_job_record_get_snapshot (get_record (f, &records));
  g_assert_cmpfloat (get_busy (kept), ==, get_busy (before));
  g_assert_cmpfloat (get_observed (kept), ==, get_observed (before));
  g_assert_cmpfloat (get (kept, "1", "0", JM_METRIC_GPU_MEMORY_PEAK), ==, 10 * GIB);
  g_assert_cmpfloat (get (kept, "1", "0", JM_METRIC_GPU_MEMORY_SIZE), ==, 80 * GIB);
}

static void
test_a_killed_program_s_successor_goes_on (Fixture *f, gconstpointer data)
{
  double observed = 0;

  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (JmSnapshot) before = sample_often (f, 3);
      g_autoptr (JmSnapshot) after = NULL;

      g_assert_cmpfloat (get_observed (before), >, observed);
      observed = get_observed (before);
      kill_and_start (f);
      /* what was while no program ran is not known */
      pass (10 * STEP_US);
      after = sample (f);

      g_assert_cmpfloat (get_observed (after), ==, observed);
      g_assert_cmpfloat (get_busy (after), ==, get_busy (before));
      assert_busy (after, 0.5);
    }
}

static void
test_the_most_memory_outlives_the_program (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) after = NULL;

  jm_snapshot_unref (sample_often (f, 2));
  kill_and_start (f);
  fake_gpus_set (f->gpus, "0", JM_METRIC_GPU_MEMORY_USED, 0);
  after = sample_often (f, 2);

  g_assert_cmpfloat (get (after, "1", "0", JM_METRIC_GPU_MEMORY_PEAK), ==, 10 * GIB);
}

static void
test_a_job_that_came_after_has_nothing_of_another (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample_often (f, 3);
  g_autoptr (JmSnapshot) after = NULL;

  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, UUID_0, 1);
  fake_reader_remove (f->cgroups, "/job_1");
  jm_snapshot_unref (sample (f));
  fake_reader_set_cpu (f->cgroups, "/job_2", 1);
  after = sample (f);

  g_assert_cmpfloat (get_observed (before), >, 0);
  g_assert_cmpfloat (get (after, "2", "0", JM_METRIC_GPU_OBSERVED), ==, 0);
  assert_absent (get (after, "2", "0", JM_METRIC_GPU_MEMORY_PEAK));
}

/* --- sharing --- */

static void
test_of_a_shared_gpu_counts_what_the_job_s_processes_did (Fixture *f,
                                                          gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_reader_add_process (f->cgroups, "/job_1", 4711);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, UUID_0, 1);
  fake_gpus_add_process (f->gpus, "0", 4711, (gint64) GIB, 250000);
  snapshot = sample_often (f, 4);

  assert_busy (snapshot, 0.25);
  g_assert_cmpfloat (get (snapshot, "1", "0", JM_METRIC_GPU_MEMORY_PEAK), ==, GIB);
  /* of who has no process there is as little known as of its utilization now */
  assert_absent (get (snapshot, "2", "0", JM_METRIC_GPU_UTILIZATION));
  assert_absent (get (snapshot, "2", "0", JM_METRIC_GPU_OBSERVED));
}

static void
test_an_instance_is_a_device (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_gpus_add (f->gpus, "1.0", UUID_2, NULL, "1");
  fake_gpus_set (f->gpus, "1.0", JM_METRIC_GPU_UTILIZATION, 125000);
  fake_gpus_set (f->gpus, "1.0", JM_METRIC_GPU_MEMORY_USED, (gint64) (2 * GIB));
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, UUID_2, 1);
  snapshot = sample_often (f, 4);

  assert_busy (snapshot, 0.5);
  g_assert_cmpfloat (get (snapshot, "2", "1.0", JM_METRIC_GPU_OBSERVED), >, 0);
  g_assert_cmpfloat_with_epsilon (get (snapshot, "2", "1.0", JM_METRIC_GPU_BUSY),
                                  0.125 *
                                    get (snapshot, "2", "1.0", JM_METRIC_GPU_OBSERVED),
                                  100e-6);
  g_assert_cmpfloat (get (snapshot, "2", "1.0", JM_METRIC_GPU_MEMORY_PEAK), ==,
                     2 * GIB);
  assert_absent (get (snapshot, "2", "1", JM_METRIC_GPU_OBSERVED));
}

static void
test_an_instance_whose_use_nobody_reports_has_a_peak_alone (Fixture *f,
                                                            gconstpointer data)
{
  g_autoptr (JmSnapshot) snapshot = NULL;

  fake_gpus_add (f->gpus, "1.0", UUID_2, NULL, "1");
  fake_gpus_set (f->gpus, "1.0", JM_METRIC_GPU_MEMORY_USED, (gint64) (2 * GIB));
  fake_reader_set_cpu (f->cgroups, "/job_2", 10);
  fake_gpus_grant (f->gpus, "2", JM_GPU_ORIGIN_HOOK, UUID_2, 1);
  snapshot = sample_often (f, 4);

  assert_absent (get (snapshot, "2", "1.0", JM_METRIC_GPU_BUSY));
  assert_absent (get (snapshot, "2", "1.0", JM_METRIC_GPU_OBSERVED));
  g_assert_cmpfloat (get (snapshot, "2", "1.0", JM_METRIC_GPU_MEMORY_PEAK), ==,
                     2 * GIB);
}

#define ADD(path, function)                                                            \
 g_test_add ("/node-gpu-totals/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("life/half", test_a_gpu_is_half_busy_for_a_job_s_life);
  ADD ("life/alone", test_no_meter_of_power_is_needed_and_no_ledger);
  ADD ("life/memory", test_the_most_memory_stays_when_it_is_given_back);
  ADD ("gap/device", test_a_gpu_that_cannot_be_read_is_not_observed);
  ADD ("gap/library", test_a_library_that_fails_observes_nothing);
  ADD ("gap/interval", test_far_more_than_the_interval_is_a_gap);
  ADD ("end/kept", test_a_job_that_has_ended_keeps_its_totals);
  ADD ("end/killed", test_a_killed_program_s_successor_goes_on);
  ADD ("end/memory", test_the_most_memory_outlives_the_program);
  ADD ("end/another", test_a_job_that_came_after_has_nothing_of_another);
  ADD ("sharing/processes", test_of_a_shared_gpu_counts_what_the_job_s_processes_did);
  ADD ("sharing/instance", test_an_instance_is_a_device);
  ADD ("sharing/untold", test_an_instance_whose_use_nobody_reports_has_a_peak_alone);

  return g_test_run ();
}
