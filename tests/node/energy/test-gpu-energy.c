/* test-gpu-energy.c: what a node's accelerators have taken, over a restart
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-gpu-energy-private.h"

#include <math.h>

#include "core/jm-readings-private.h"

#define JOULE G_GUINT64_CONSTANT (1000000)
#define NONE G_MAXUINT64
#define SUBJECT 20 /* of device 0, and of those behind it */

/* A round in which the device took so much. */
static void
run_round (JmGpuEnergy *gpus, guint device, const char *name, guint64 energy_uj)
{
  const JmGpuDevice one = { .seat = { .device = device, .size = 1, .use = NAN },
                            .name = name,
                            .subject = SUBJECT + device,
                            .busy = NAN };
  const JmEnergyItem item = { .kind = JM_ENERGY_GPU,
                              .domain = JM_POWER_DOMAIN_GPU,
                              .energy_uj = energy_uj,
                              .is_keyed = TRUE,
                              .device = device,
                              .span_us = G_USEC_PER_SEC };
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof item);

  jm_gpu_energy_begin_round (gpus);
  jm_gpu_energy_add_device (gpus, &one);
  if (energy_uj == NONE)
    return;

  g_array_append_val (items, item);
  jm_gpu_energy_cover (gpus, items);
  jm_gpu_energy_take (gpus, &item);
}

static guint64
get_energy (JmGpuEnergy *gpus, guint device)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmReading *values;
  guint n;

  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_gpu_energy_tell (gpus, readings);
  values = jm_readings_get_values (readings, &n);
  for (guint i = 0; i < n; i++)
    if (values[i].subject == SUBJECT + device &&
        values[i].metric == JM_METRIC_GPU_ENERGY)
      return values[i].value;

  return NONE;
}

static JmGpuEnergy *
start_after (JmGpuEnergy *before)
{
  JmGpuEnergy *gpus = jm_gpu_energy_new (FALSE);
  g_autoptr (GVariant) value = g_variant_ref_sink (jm_gpu_energy_save (before));

  g_assert_true (g_variant_is_of_type (value, G_VARIANT_TYPE (JM_GPU_ENERGY_TYPE)));
  jm_gpu_energy_restore (gpus, value);

  return gpus;
}

static void
test_knows_a_device_by_its_name (void)
{
  JmGpuEnergy *before = jm_gpu_energy_new (FALSE);
  JmGpuEnergy *after;

  run_round (before, 0, "GPU-a", 5 * JOULE);
  after = start_after (before);
  run_round (after, 3, "GPU-a", NONE);
  g_assert_cmpuint (get_energy (after, 3), ==, 5 * JOULE);
  run_round (after, 3, "GPU-a", 2 * JOULE);
  g_assert_cmpuint (get_energy (after, 3), ==, 7 * JOULE);

  jm_gpu_energy_free (after);
  jm_gpu_energy_free (before);
}

static void
test_takes_no_device_for_another (void)
{
  JmGpuEnergy *before = jm_gpu_energy_new (FALSE);
  JmGpuEnergy *after;

  run_round (before, 0, "GPU-a", 5 * JOULE);
  after = start_after (before);
  run_round (after, 0, "GPU-b", NONE);
  g_assert_cmpuint (get_energy (after, 0), ==, NONE);
  run_round (after, 0, "GPU-b", JOULE);
  g_assert_cmpuint (get_energy (after, 0), ==, JOULE);

  jm_gpu_energy_free (after);
  jm_gpu_energy_free (before);
}

/* A program that ends before it has seen it. */
static void
test_keeps_what_a_device_took_that_is_not_seen_yet (void)
{
  JmGpuEnergy *first = jm_gpu_energy_new (FALSE);
  JmGpuEnergy *second, *third;

  run_round (first, 0, "GPU-a", 5 * JOULE);
  second = start_after (first);
  run_round (second, 0, "GPU-b", JOULE);
  third = start_after (second);
  run_round (third, 0, "GPU-a", NONE);
  g_assert_cmpuint (get_energy (third, 0), ==, 5 * JOULE);
  run_round (third, 1, "GPU-b", NONE);
  g_assert_cmpuint (get_energy (third, 1), ==, JOULE);

  jm_gpu_energy_free (third);
  jm_gpu_energy_free (second);
  jm_gpu_energy_free (first);
}

static void
test_believes_no_more_than_can_be (void)
{
  JmGpuEnergy *gpus = jm_gpu_energy_new (FALSE);
  g_autoptr (GVariant) value = g_variant_ref_sink (
    g_variant_new_parsed ("@a(stbt) [('GPU-a', %t, true, 1), ('', 7, true, 1)]",
                          G_MAXUINT64));

  jm_gpu_energy_restore (gpus, value);
  run_round (gpus, 0, "GPU-a", NONE);
  g_assert_cmpuint (get_energy (gpus, 0), ==, NONE);
  jm_gpu_energy_free (gpus);
}

#define ADD(path, function) g_test_add_func ("/gpu-energy/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("knows-a-device-by-its-name", test_knows_a_device_by_its_name);
  ADD ("takes-no-device-for-another", test_takes_no_device_for_another);
  ADD ("keeps-what-a-device-took-that-is-not-seen-yet",
       test_keeps_what_a_device_took_that_is_not_seen_yet);
  ADD ("believes-no-more-than-can-be", test_believes_no_more_than_can_be);

  return g_test_run ();
}
