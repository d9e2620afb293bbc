/* test-gpu-roll.c: the accelerators of a node, as several libraries report them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-error.h"
#include "core/jm-gpu-private.h"
#include "fake-gpus.h"
#include "node/gpu/jm-gpu-roll-private.h"

typedef struct
{
  JmHost *host;
  FakeGpus *first;
  FakeGpus *second;
  JmGpuRoll *roll;
  JmReadings *readings;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->host = jm_host_new (NULL);
  self->first = fake_gpus_new (self->host);
  self->second = fake_gpus_new (self->host);
  self->roll = jm_gpu_roll_new ();
  self->readings = jm_readings_new ();
  jm_gpu_roll_add_library (self->roll, "first", JM_GPU_MAPPER (self->first));
  jm_gpu_roll_add_library (self->roll, "second", JM_GPU_MAPPER (self->second));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  jm_gpu_roll_free (self->roll);
  jm_readings_unref (self->readings);
  g_object_unref (self->first);
  g_object_unref (self->second);
  g_object_unref (self->host);
}

static void
read_all (Fixture *self)
{
  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  g_assert_true (jm_readings_begin (self->readings, JM_COLLECTOR_GPU));
  jm_gpu_roll_read (self->roll, self->readings);
  jm_readings_end (self->readings);
}

static const char *
get_name (Fixture *self, guint gpu)
{
  return jm_labels_get_value (jm_gpu_roll_get_labels (self->roll, gpu), 0);
}

static void
test_a_device_is_one_whoever_reports_it (Fixture *self, gconstpointer data)
{
  fake_gpus_add (self->first, "0", "GPU-a", "0000:3b:00.0", NULL);
  fake_gpus_set (self->first, "0", JM_METRIC_GPU_UTILIZATION, 500000);
  fake_gpus_add (self->second, "7", "gpu-A", NULL, NULL);
  fake_gpus_set (self->second, "7", JM_METRIC_GPU_UTILIZATION, 1);
  fake_gpus_set (self->second, "7", JM_METRIC_GPU_SM_ACTIVE, 250000);
  read_all (self);

  g_assert_cmpuint (jm_gpu_roll_get_size (self->roll), ==, 1);
  g_assert_cmpstr (get_name (self, 0), ==, "0");
  g_assert_cmpint (jm_gpu_roll_get_value (self->roll, 0, JM_METRIC_GPU_UTILIZATION), ==,
                   500000);
  g_assert_cmpint (jm_gpu_roll_get_value (self->roll, 0, JM_METRIC_GPU_SM_ACTIVE), ==,
                   250000);
  g_assert_cmpint (jm_gpu_roll_get_value (self->roll, 0, JM_METRIC_GPU_POWER), ==, -1);
  g_assert_cmpuint (jm_gpu_roll_find_of_library (self->roll, self->second, 7), ==, 0);
  g_assert_cmpuint (jm_gpu_roll_find_of_library (self->roll, self->second, 0), ==,
                    JM_NO_GPU);
}

static void
test_a_figure_is_reported_once (Fixture *self, gconstpointer data)
{
  guint n, n_told = 0;
  const JmReading *told;

  fake_gpus_add (self->first, "0", "GPU-a", NULL, NULL);
  fake_gpus_set (self->first, "0", JM_METRIC_GPU_UTILIZATION, 500000);
  fake_gpus_add (self->second, "0", "GPU-a", NULL, NULL);
  fake_gpus_set (self->second, "0", JM_METRIC_GPU_UTILIZATION, 400000);
  read_all (self);
  jm_gpu_roll_tell (self->roll, 0, self->readings);

  told = jm_readings_get_values (self->readings, &n);
  for (guint i = 0; i < n; i++)
    if (told[i].metric == JM_METRIC_GPU_UTILIZATION)
      {
        g_assert_cmpuint (told[i].value, ==, 500000);
        n_told++;
      }
  g_assert_cmpuint (n_told, ==, 1);
}

static gint64
find_told (Fixture *self, JmMetric metric, const char *label)
{
  guint n;
  const JmReading *told = jm_readings_get_values (self->readings, &n);

  for (guint i = 0; i < n; i++)
    if (told[i].metric == metric &&
        g_str_equal (jm_labels_get_value (told[i].labels, 0), label))
      return (gint64) told[i].value;

  return -1;
}

static void
test_what_one_library_knows_more_of_a_metric_is_reported_too (Fixture *self,
                                                              gconstpointer data)
{
  const JmMetric engine = JM_METRIC_GPU_ENGINE_UTILIZATION;

  fake_gpus_add (self->first, "0", "GPU-a", NULL, NULL);
  fake_gpus_add_labelled (self->first, "0", engine, "decoder", 100000);
  fake_gpus_add (self->second, "0", "GPU-a", NULL, NULL);
  fake_gpus_add_labelled (self->second, "0", engine, "decoder", 200000);
  fake_gpus_add_labelled (self->second, "0", engine, "graphics", 300000);
  read_all (self);
  jm_gpu_roll_tell (self->roll, 0, self->readings);

  g_assert_cmpint (find_told (self, engine, "decoder"), ==, 100000);
  g_assert_cmpint (find_told (self, engine, "graphics"), ==, 300000);
}

static void
test_where_a_device_sits_identifies_what_has_no_uuid (Fixture *self, gconstpointer data)
{
  fake_gpus_add (self->first, "0", "GPU-a", "0000:3b:00.0", NULL);
  fake_gpus_add (self->second, "4", NULL, "00000000:3B:00.0", NULL);
  read_all (self);

  g_assert_cmpuint (jm_gpu_roll_get_size (self->roll), ==, 1);
}

static void
test_two_devices_of_one_name_are_distinguished (Fixture *self, gconstpointer data)
{
  fake_gpus_add (self->first, "0", "GPU-a", NULL, NULL);
  fake_gpus_add (self->second, "0", "GPU-b", NULL, NULL);
  read_all (self);

  g_assert_cmpuint (jm_gpu_roll_get_size (self->roll), ==, 2);
  g_assert_cmpstr (get_name (self, 0), ==, "0");
  g_assert_cmpstr (get_name (self, 1), ==, "second:0");
}

static void
test_an_instance_sits_where_its_parent_does_and_is_another (Fixture *self,
                                                            gconstpointer data)
{
  fake_gpus_add (self->first, "0", "GPU-a", "0000:3b:00.0", NULL);
  fake_gpus_add (self->first, "0.3", "MIG-c", "0000:3b:00.0", "0");
  read_all (self);

  g_assert_cmpuint (jm_gpu_roll_get_size (self->roll), ==, 2);
  g_assert_cmpuint (jm_gpu_roll_get_parent (self->roll, 1), ==, 0);
  g_assert_cmpuint (jm_gpu_roll_get_parent (self->roll, 0), ==, JM_NO_GPU);
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "0000:3b:00.0"), ==, 0);
}

static void
test_an_instance_that_was_made_anew_has_the_name_of_the_old (Fixture *self,
                                                             gconstpointer data)
{
  fake_gpus_add (self->first, "0", "GPU-a", NULL, NULL);
  fake_gpus_add (self->first, "0.3", "MIG-c", NULL, "0");
  read_all (self);
  fake_gpus_add (self->first, "0.3", "MIG-d", NULL, "0");
  read_all (self);

  g_assert_cmpuint (jm_gpu_roll_get_size (self->roll), ==, 3);
  g_assert_false (jm_gpu_roll_is_present (self->roll, 1));
  g_assert_true (jm_gpu_roll_is_present (self->roll, 2));
  g_assert_cmpstr (get_name (self, 2), ==, "0.3");
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "0.3"), ==, 2);
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "MIG-c"), ==, 1);
}

static void
test_a_device_keeps_its_number_while_it_is_away (Fixture *self, gconstpointer data)
{
  fake_gpus_add (self->first, "0", "GPU-a", NULL, NULL);
  fake_gpus_add (self->first, "1", "GPU-b", NULL, NULL);
  read_all (self);
  fake_gpus_remove (self->first, "0");
  read_all (self);
  g_assert_false (jm_gpu_roll_is_present (self->roll, 0));
  g_assert_true (jm_gpu_roll_is_present (self->roll, 1));

  fake_gpus_add (self->first, "0", "GPU-a", NULL, NULL);
  read_all (self);
  g_assert_cmpuint (jm_gpu_roll_get_size (self->roll), ==, 2);
  g_assert_true (jm_gpu_roll_is_present (self->roll, 0));
}

static void
test_one_is_found_by_whatever_it_is_called (Fixture *self, gconstpointer data)
{
  JmGpu *gpu;

  fake_gpus_add (self->first, "0", "GPU-a", "0000:3b:00.0", NULL);
  gpu = fake_gpus_add (self->first, "1", "GPU-b", "0000:5e:00.0", NULL);
  jm_gpu_set_device_number (gpu, 195, 7);
  read_all (self);

  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "1"), ==, 1);
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "GPU-b"), ==, 1);
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "00000000:5E:00.0"), ==, 1);
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "195:7"), ==, 1);
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "195:0"), ==, JM_NO_GPU);
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, ""), ==, JM_NO_GPU);
  g_assert_cmpuint (jm_gpu_roll_find (self->roll, "2"), ==, JM_NO_GPU);
}

static void
test_a_library_that_fails_costs_its_own_devices (Fixture *self, gconstpointer data)
{
  const JmCollectorStatus *status;

  fake_gpus_add (self->first, "0", "GPU-a", NULL, NULL);
  fake_gpus_add (self->second, "amd0", "GPU-b", NULL, NULL);
  read_all (self);
  fake_gpus_fail (self->first, "the driver is gone");
  read_all (self);

  g_assert_false (jm_gpu_roll_is_present (self->roll, 0));
  g_assert_true (jm_gpu_roll_is_present (self->roll, 1));
  status = jm_readings_get_status (self->readings, JM_COLLECTOR_GPU);
  g_assert_cmpuint (status->n_errors, ==, 1);
  g_assert_cmpstr (status->first_error->message, ==, "the driver is gone");
}

#define ADD(name, function)                                                            \
 g_test_add ("/gpu-roll/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("a-device-is-one-whoever-reports-it", test_a_device_is_one_whoever_reports_it);
  ADD ("a-figure-is-reported-once", test_a_figure_is_reported_once);
  ADD ("what-one-library-knows-more-of-a-metric-is-reported-too",
       test_what_one_library_knows_more_of_a_metric_is_reported_too);
  ADD ("where-a-device-sits-identifies-what-has-no-uuid",
       test_where_a_device_sits_identifies_what_has_no_uuid);
  ADD ("two-devices-of-one-name-are-distinguished",
       test_two_devices_of_one_name_are_distinguished);
  ADD ("an-instance-sits-where-its-parent-does-and-is-another",
       test_an_instance_sits_where_its_parent_does_and_is_another);
  ADD ("an-instance-that-was-made-anew-has-the-name-of-the-old",
       test_an_instance_that_was_made_anew_has_the_name_of_the_old);
  ADD ("a-device-keeps-its-number-while-it-is-away",
       test_a_device_keeps_its_number_while_it_is_away);
  ADD ("one-is-found-by-whatever-it-is-called",
       test_one_is_found_by_whatever_it_is_called);
  ADD ("a-library-that-fails-costs-its-own-devices",
       test_a_library_that_fails_costs_its_own_devices);

  return g_test_run ();
}
