/* test-derived-gpus.c: what follows from figures of accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-derived-private.h"
#include "core/jm-field.h"
#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"

static const char *const nothing[] = { "", "", "", "", "", "", "", NULL };
static const char *const instance_of_1[] = { "", "", "", "", "1", "", "", NULL };

static JmSnapshotBuilder *
make_builder (void)
{
  return jm_snapshot_builder_new (JM_COLLECTOR_SET (JM_COLLECTOR_GPU));
}

static void
add_gpu (JmSnapshotBuilder *builder, const char *name, int percent)
{
  jm_snapshot_builder_add_gpu (builder, name, nothing);
  if (percent >= 0)
    jm_snapshot_builder_add (builder, JM_METRIC_GPU_UTILIZATION,
                             (guint64) percent * 10000);
}

static void
add_job (JmSnapshotBuilder *builder, const char *id)
{
  g_autoptr (JmJob) job = jm_test_job_new (id, NULL);

  jm_snapshot_builder_add_job (builder, job);
}

static void
add_part (JmSnapshotBuilder *builder, const char *gpu, guint share, int percent)
{
  jm_snapshot_builder_add_job_gpu (builder, gpu, share > 0 ? "hook" : "driver", share);
  if (percent >= 0)
    jm_snapshot_builder_add (builder, JM_METRIC_GPU_UTILIZATION,
                             (guint64) percent * 10000);
}

static void
assert_state (JmSnapshot *snapshot, const char *gpu, const char *state)
{
  guint subject;

  g_assert_true (jm_snapshot_find_gpu (snapshot, gpu, &subject));
  g_assert_cmpstr (jm_gpu_state_get_name (jm_derived_get_gpu_state (snapshot, subject)),
                   ==, state);
}

static void
assert_text (JmSnapshot *snapshot, const char *job, const char *field, const char *text)
{
  g_autofree char *seen = NULL;
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, job, &subject));
  seen = jm_field_format (jm_field_from_name (field), snapshot, subject);
  g_assert_cmpstr (seen, ==, text);
}

static void
test_a_device_that_does_nothing_for_its_job_is_idle (void)
{
  g_autoptr (JmSnapshotBuilder) builder = make_builder ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_gpu (builder, "0", 0);
  add_gpu (builder, "1", 50);
  add_gpu (builder, "2", -1);
  add_gpu (builder, "3", 0);
  add_job (builder, "7");
  add_part (builder, "0", 100, 0);
  add_part (builder, "1", 100, 50);
  add_part (builder, "2", 100, -1);
  snapshot = jm_snapshot_builder_end (builder);

  assert_state (snapshot, "0", "idle");
  assert_state (snapshot, "1", "busy");
  assert_state (snapshot, "2", "given");
  assert_state (snapshot, "3", "free");
}

static void
test_a_device_that_nobody_was_given_may_be_taken (void)
{
  g_autoptr (JmSnapshotBuilder) builder = make_builder ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_gpu (builder, "0", 80);
  add_job (builder, "7");
  add_part (builder, "0", 0, 80);
  snapshot = jm_snapshot_builder_end (builder);

  assert_state (snapshot, "0", "taken");
  assert_text (snapshot, "7", "devices", "0");
  assert_text (snapshot, "7", "gpu%", NULL);
}

static void
test_a_device_that_is_divided_or_lost_says_so (void)
{
  g_autoptr (JmSnapshotBuilder) builder = make_builder ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_gpu (builder, "0", -1);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_UP, 0);
  add_gpu (builder, "1", -1);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_UP, 1);
  jm_snapshot_builder_add_gpu (builder, "1.7", instance_of_1);
  snapshot = jm_snapshot_builder_end (builder);

  assert_state (snapshot, "0", "lost");
  assert_state (snapshot, "1", "split");
  assert_state (snapshot, "1.7", "free");
}

static void
test_a_device_is_free_once_its_job_has_ended (void)
{
  g_autoptr (JmSnapshotBuilder) builder = make_builder ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_gpu (builder, "0", 0);
  add_job (builder, "7");
  jm_snapshot_builder_set_end_time (builder, 1700000000000000);
  jm_snapshot_builder_add_job_gpu (builder, "0", NULL, 0);
  snapshot = jm_snapshot_builder_end (builder);

  assert_state (snapshot, "0", "free");
  assert_text (snapshot, "7", "devices", "0");
}

static void
test_a_job_is_as_busy_as_its_devices_are_on_average (void)
{
  g_autoptr (JmSnapshotBuilder) builder = make_builder ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_job (builder, "both");
  add_part (builder, "0", 100, 90);
  add_part (builder, "1", 50, 30);
  add_part (builder, "2", 0, 100);
  add_job (builder, "one-unknown");
  add_part (builder, "0", 100, 90);
  add_part (builder, "1", 100, -1);
  add_job (builder, "none");
  snapshot = jm_snapshot_builder_end (builder);

  assert_text (snapshot, "both", "gpu%", "60.0%");
  assert_text (snapshot, "both", "devices", "0,1,2");
  assert_text (snapshot, "one-unknown", "gpu%", NULL);
  assert_text (snapshot, "none", "gpu%", NULL);
  assert_text (snapshot, "none", "devices", NULL);
}

static void
test_device_memory_of_a_job_is_that_of_all_its_devices (void)
{
  g_autoptr (JmSnapshotBuilder) builder = make_builder ();
  g_autoptr (JmSnapshot) snapshot = NULL;

  add_job (builder, "7");
  add_part (builder, "0", 100, -1);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_MEMORY_USED, 12 << 20);
  add_part (builder, "1", 100, -1);
  add_part (builder, "2", 0, -1);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_MEMORY_USED, 30 << 20);
  snapshot = jm_snapshot_builder_end (builder);

  assert_text (snapshot, "7", "gpu_mem", "42MiB");
}

static void
test_jobs_of_a_device_are_reported_with_share_and_origin (void)
{
  g_autoptr (JmSnapshotBuilder) builder = make_builder ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *jobs = NULL;
  guint gpu;

  add_gpu (builder, "0", 10);
  add_job (builder, "5");
  add_part (builder, "0", 100, -1);
  add_job (builder, "6");
  add_part (builder, "0", 25, -1);
  add_job (builder, "7");
  add_part (builder, "0", 0, -1);
  snapshot = jm_snapshot_builder_end (builder);
  g_assert_true (jm_snapshot_find_gpu (snapshot, "0", &gpu));
  jobs = jm_derived_format_gpu_jobs (snapshot, gpu);

  g_assert_cmpstr (jobs, ==, "5 (hook), 6 (25%, hook), 7 (used, driver)");
}

static void
test_instances_stand_behind_their_devices (void)
{
  g_autoptr (JmSnapshotBuilder) builder = make_builder ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (GArray) gpus = NULL;
  const char *const order[] = { "0", "1", "1.7", "1.13", "2", "10" };

  add_gpu (builder, "10", 0);
  add_gpu (builder, "2", 0);
  add_gpu (builder, "1", 0);
  add_gpu (builder, "1.13", 0);
  add_gpu (builder, "1.7", 0);
  add_gpu (builder, "0", 0);
  snapshot = jm_snapshot_builder_end (builder);
  gpus = jm_derived_list_gpu_tree (snapshot);

  g_assert_cmpuint (gpus->len, ==, G_N_ELEMENTS (order));
  for (guint i = 0; i < gpus->len; i++)
    g_assert_cmpstr (jm_snapshot_get_gpu (snapshot, g_array_index (gpus, guint, i)), ==,
                     order[i]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/derived-gpus/a-device-that-does-nothing-for-its-job-is-idle",
                   test_a_device_that_does_nothing_for_its_job_is_idle);
  g_test_add_func ("/derived-gpus/a-device-that-nobody-was-given-may-be-taken",
                   test_a_device_that_nobody_was_given_may_be_taken);
  g_test_add_func ("/derived-gpus/a-device-that-is-divided-or-lost-says-so",
                   test_a_device_that_is_divided_or_lost_says_so);
  g_test_add_func ("/derived-gpus/a-device-is-free-once-its-job-has-ended",
                   test_a_device_is_free_once_its_job_has_ended);
  g_test_add_func ("/derived-gpus/a-job-is-as-busy-as-its-devices-are-on-average",
                   test_a_job_is_as_busy_as_its_devices_are_on_average);
  g_test_add_func ("/derived-gpus/device-memory-of-a-job-is-that-of-all-its-devices",
                   test_device_memory_of_a_job_is_that_of_all_its_devices);
  g_test_add_func ("/derived-gpus/jobs-of-a-device-are-reported-with-share-and-origin",
                   test_jobs_of_a_device_are_reported_with_share_and_origin);
  g_test_add_func ("/derived-gpus/instances-stand-behind-their-devices",
                   test_instances_stand_behind_their_devices);

  return g_test_run ();
}
