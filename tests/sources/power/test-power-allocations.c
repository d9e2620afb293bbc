/* test-power-allocations.c: reading power takes no memory anew
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "allocations.h"
#include "fake-perf.h"
#include "meter.h"
#include "sources/power/jm-power-types-private.h"
#include "sources/power/jm-rapl-powercap-source-private.h"

#define N_READS 5

static void
assert_reads_allocate_nothing (Meter *meter, guint n_domains)
{
  guint64 before;
  g_auto (GStrv) domains = NULL;
  g_autofree char *list = NULL;

  meter_read (meter);
  before = allocations_count_of_thread ();
  for (guint i = 0; i < N_READS; i++)
    meter_read (meter);
  g_assert_cmpuint (allocations_count_of_thread () - before, ==, 0);

  list = meter_list (meter);
  domains = g_strsplit (list, ",", -1);
  g_assert_cmpuint (g_strv_length (domains), ==, n_domains);
}

static JmHost *
open_fixture (const char *situation)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", situation, NULL);

  return jm_host_new (root);
}

static void
test_the_counter_counts (void)
{
  guint64 before = allocations_count_of_thread ();
  g_autofree char *text = g_strdup ("something");

  g_assert_nonnull (text);
  g_assert_cmpuint (allocations_count_of_thread (), >, before);
}

static void
test_powercap_allocates_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = open_fixture ("power-rapl-server");
  JmRaplPowercapSource *source =
    g_initable_new (JM_TYPE_RAPL_POWERCAP_SOURCE, NULL, &error, "host", host, NULL);
  g_autoptr (Meter) meter = NULL;

  g_assert_no_error (error);
  meter = meter_new (source);
  assert_reads_allocate_nothing (meter, 4);
}

static void
test_perf_allocates_nothing (void)
{
  FakePerf perf = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = open_fixture ("power-rapl-server");
  JmRaplPerfSource *source =
    jm_rapl_perf_source_new_with_calls (host, &fake_perf_calls, &perf, &error);
  g_autoptr (Meter) meter = NULL;

  g_assert_no_error (error);
  meter = meter_new (source);
  assert_reads_allocate_nothing (meter, 4);
}

static void
test_cray_allocates_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = open_fixture ("power-cray-gpus");
  JmCrayPmSource *source =
    g_initable_new (JM_TYPE_CRAY_PM_SOURCE, NULL, &error, "host", host, NULL);
  g_autoptr (Meter) meter = NULL;

  g_assert_no_error (error);
  meter = meter_new (source);
  assert_reads_allocate_nothing (meter, 9);
}

static void
test_hwmon_allocates_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = open_fixture ("power-hwmon");
  JmHwmonSource *source =
    g_initable_new (JM_TYPE_HWMON_SOURCE, NULL, &error, "host", host, NULL);
  g_autoptr (Meter) meter = NULL;

  g_assert_no_error (error);
  meter = meter_new (source);
  assert_reads_allocate_nothing (meter, 3);
}

static void
test_estimate_allocates_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = open_fixture ("power-hwmon");
  JmEstimateSource *source =
    g_initable_new (JM_TYPE_ESTIMATE_SOURCE, NULL, &error, "host", host, NULL);
  g_autoptr (Meter) meter = NULL;

  g_assert_no_error (error);
  meter = meter_new (source);
  assert_reads_allocate_nothing (meter, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/power-allocations/the-counter-counts", test_the_counter_counts);
  g_test_add_func ("/power-allocations/powercap-allocates-nothing",
                   test_powercap_allocates_nothing);
  g_test_add_func ("/power-allocations/perf-allocates-nothing",
                   test_perf_allocates_nothing);
  g_test_add_func ("/power-allocations/cray-allocates-nothing",
                   test_cray_allocates_nothing);
  g_test_add_func ("/power-allocations/hwmon-allocates-nothing",
                   test_hwmon_allocates_nothing);
  g_test_add_func ("/power-allocations/estimate-allocates-nothing",
                   test_estimate_allocates_nothing);

  return g_test_run ();
}
