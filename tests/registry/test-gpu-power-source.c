/* test-gpu-power-source.c: a library of accelerators as a power source
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "registry/jm-gpu-power-source-private.h"

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "fake-gpus.h"
#include "sources/power/jm-energy-trace-private.h"

#define JOULE G_GUINT64_CONSTANT (1000000)
#define NONE G_MAXUINT64

typedef struct
{
  JmHost *host;
  FakeGpus *gpus;
  JmPowerSource *source;
  JmReadings *readings;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->host = jm_host_new ("/nonexistent");
  f->gpus = fake_gpus_new (f->host);
  f->source = JM_POWER_SOURCE (jm_gpu_power_source_new (JM_GPU_MAPPER (f->gpus)));
  f->readings = jm_readings_new ();
  fake_gpus_add (f->gpus, "3", NULL, NULL, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  jm_readings_unref (f->readings);
  g_object_unref (f->source);
  g_object_unref (f->gpus);
  g_object_unref (f->host);
}

/* Another answer has another time. */
static void
answer (Fixture *f, guint64 joules, guint64 watts)
{
  gint64 end_us = g_get_monotonic_time () + 2000;

  while (g_get_monotonic_time () < end_us)
    g_thread_yield ();
  fake_gpus_set_age (f->gpus, 0);
  fake_gpus_set (f->gpus, "3", JM_METRIC_GPU_ENERGY, (gint64) (joules * JOULE));
  fake_gpus_set (f->gpus, "3", JM_METRIC_GPU_POWER, (gint64) (watts * JOULE));
}

/* What is reported of `gpu-3`. */
static guint64
read_figure (Fixture *f, JmMetric metric)
{
  g_autoptr (GError) error = NULL;
  const JmReading *values;
  guint n;

  jm_readings_reset (f->readings, jm_collector_set_get_all ());
  jm_readings_begin (f->readings, JM_COLLECTOR_POWER);
  g_assert_true (jm_power_source_read (f->source, f->readings, &error));
  g_assert_no_error (error);
  values = jm_readings_get_values (f->readings, &n);
  for (guint i = 0; i < n; i++)
    if (values[i].metric == metric &&
        g_str_equal (jm_metric_find_label (metric, values[i].labels, "domain"),
                     "gpu-3"))
      return values[i].value;

  return NONE;
}

static guint64
read_joules (Fixture *f)
{
  return read_figure (f, JM_METRIC_NODE_ENERGY) / JOULE;
}

static void
test_counts_from_when_it_was_read_first (Fixture *f, gconstpointer data)
{
  answer (f, 5000, 100);
  g_assert_cmpuint (read_joules (f), ==, 0);
  answer (f, 5070, 100);
  g_assert_cmpuint (read_joules (f), ==, 70);
}

/* A sweep each second, of a device that is asked every five. */
static void
test_goes_on_by_the_power_between_two_answers (Fixture *f, gconstpointer data)
{
  answer (f, 5000, 100);
  g_assert_cmpuint (read_joules (f), ==, 0);
  fake_gpus_set_age (f->gpus, 2 * G_USEC_PER_SEC);
  g_assert_cmpuint (read_joules (f), ==, 200);
  answer (f, 5210, 100);
  g_assert_cmpuint (read_joules (f), ==, 210);
}

static void
test_waits_for_the_counter_where_the_power_fell (Fixture *f, gconstpointer data)
{
  answer (f, 5000, 500);
  g_assert_cmpuint (read_joules (f), ==, 0);
  fake_gpus_set_age (f->gpus, 2 * G_USEC_PER_SEC);
  g_assert_cmpuint (read_joules (f), ==, 1000);
  answer (f, 5300, 50);
  g_assert_cmpuint (read_joules (f), ==, 1000);
  answer (f, 6100, 50);
  g_assert_cmpuint (read_joules (f), ==, 1100);
}

/* What it reports may be ahead of the device's own counter. */
static void
test_says_how_far_the_counter_was_followed (Fixture *f, gconstpointer data)
{
  JmEnergyTrace trace, other;

  answer (f, 5000, 100);
  g_assert_cmpuint (read_joules (f), ==, 0);
  answer (f, 5070, 100);
  fake_gpus_set_age (f->gpus, 1000);
  g_assert_cmpuint (read_joules (f), ==, 70);
  g_assert_true (jm_power_source_trace (f->source, "gpu-3", &trace));
  g_assert_cmpuint (trace.first_uj, ==, 5000 * JOULE);
  g_assert_cmpuint (trace.last_uj, ==, 5070 * JOULE);
  g_assert_cmpuint (trace.total_uj, ==, 70 * JOULE);
  g_assert_cmpuint (trace.identity, !=, 0);
  g_assert_false (jm_power_source_trace (f->source, "gpu-4", &other));

  /* another device by the same number */
  fake_gpus_add (f->gpus, "3", "GPU-x", NULL, NULL);
  g_assert_cmpuint (read_joules (f), ==, 70);
  g_assert_true (jm_power_source_trace (f->source, "gpu-3", &other));
  g_assert_cmpuint (other.identity, !=, trace.identity);
}

static void
test_reports_the_power_of_a_device_without_a_counter (Fixture *f, gconstpointer data)
{
  answer (f, 0, 250);
  fake_gpus_set (f->gpus, "3", JM_METRIC_GPU_ENERGY, -1);

  g_assert_cmpuint (read_figure (f, JM_METRIC_NODE_POWER), ==, 250 * JOULE);
  g_assert_cmpuint (read_figure (f, JM_METRIC_NODE_ENERGY), ==, NONE);
}

static void
test_has_nothing_where_the_library_has_nothing (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_gpus_fail (f->gpus, "the driver hangs");

  g_assert_false (jm_power_source_read (f->source, f->readings, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

#define ADD(path, function)                                                            \
 g_test_add ("/gpu-power-source/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("counts-from-when-it-was-read-first", test_counts_from_when_it_was_read_first);
  ADD ("goes-on-by-the-power-between-two-answers",
       test_goes_on_by_the_power_between_two_answers);
  ADD ("waits-for-the-counter-where-the-power-fell",
       test_waits_for_the_counter_where_the_power_fell);
  ADD ("says-how-far-the-counter-was-followed",
       test_says_how_far_the_counter_was_followed);
  ADD ("reports-the-power-of-a-device-without-a-counter",
       test_reports_the_power_of_a_device_without_a_counter);
  ADD ("has-nothing-where-the-library-has-nothing",
       test_has_nothing_where_the_library_has_nothing);

  return g_test_run ();
}
