/* test-rapl-perf-source.c: energy of the processors, from perf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <string.h>

#include "fake-perf.h"
#include "meter.h"
#include "sources/power/jm-rapl-perf-source-private.h"
#include "tree.h"

#define PMU "sys/bus/event_source/devices/power/"
#define SCALE "2.3283064365386962890625e-10\n"
#define JOULE_COUNTS (G_GUINT64_CONSTANT (1) << 32)
#define JOULE_UJ G_GUINT64_CONSTANT (1000000)

#define CORES 1
#define PKG 2
#define RAM 3
#define GPU 4
#define PSYS 5

static JmRaplPerfSource *
open_at (const char *root, FakePerf *perf, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (root);

  return jm_rapl_perf_source_new_with_calls (host, &fake_perf_calls, perf, error);
}

static Meter *
open_tree (Tree *tree, FakePerf *perf)
{
  g_autoptr (GError) error = NULL;
  JmRaplPerfSource *source = open_at (tree->root, perf, &error);

  g_assert_no_error (error);
  return meter_new (source);
}

static Meter *
open_fixture (const char *situation, FakePerf *perf)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", situation, NULL);
  JmRaplPerfSource *source = open_at (root, perf, &error);

  g_assert_no_error (error);
  return meter_new (source);
}

static void
write_event (Tree *tree, const char *name, const char *config, const char *scale)
{
  g_autofree char *event = g_strconcat (PMU "events/", name, NULL);
  g_autofree char *scale_path = g_strconcat (event, ".scale", NULL);
  g_autofree char *unit_path = g_strconcat (event, ".unit", NULL);

  tree_write (tree, event, config);
  tree_write (tree, scale_path, scale);
  tree_write (tree, unit_path, "Joules\n");
}

static void
write_seat (Tree *tree, guint cpu, guint package, guint die)
{
  g_autofree char *folder =
    g_strdup_printf ("sys/devices/system/cpu/cpu%u/topology/", cpu);
  g_autofree char *package_path = g_strconcat (folder, "physical_package_id", NULL);
  g_autofree char *die_path = g_strconcat (folder, "die_id", NULL);
  g_autofree char *package_text = g_strdup_printf ("%u\n", package);
  g_autofree char *die_text = g_strdup_printf ("%u\n", die);

  tree_write (tree, package_path, package_text);
  tree_write (tree, die_path, die_text);
}

/* CPUs 0 and 2 on package 0, 1 and 3 on package 1. */
static Tree *
make_server (void)
{
  Tree *tree = tree_new ();

  tree_write (tree, PMU "type", "32\n");
  tree_write (tree, PMU "cpumask", "0-1\n");
  write_event (tree, "energy-pkg", "event=0x02\n", SCALE);
  write_event (tree, "energy-ram", "event=0x03\n", SCALE);
  for (guint cpu = 0; cpu < 4; cpu++)
    write_seat (tree, cpu, cpu % 2, 0);

  return tree;
}

static void
count (FakePerf *perf, guint64 config, guint cpu, guint64 joules)
{
  fake_perf_find (perf, config, cpu)->count += joules * JOULE_COUNTS;
}

static void
test_a_server_has_packages_and_memory (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Meter) meter = open_fixture ("power-rapl-server", &perf);

  assert_domains (meter, "package-0,dram-0,package-1,dram-1");
  g_assert_cmpuint (perf.type, ==, 32);

  count (&perf, PKG, 0, 100);
  count (&perf, PKG, 1, 50);
  count (&perf, RAM, 1, 7);
  meter_read (meter);
  assert_uj (meter, "package-0", 100 * JOULE_UJ);
  assert_uj (meter, "package-1", 50 * JOULE_UJ);
  assert_uj (meter, "dram-0", 0);
  assert_uj (meter, "dram-1", 7 * JOULE_UJ);
  g_assert_cmpuint (meter_count_errors (meter), ==, 0);
}

static void
test_a_laptop_reports_psys_once_it_counts (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Meter) meter = open_fixture ("power-rapl-laptop", &perf);

  assert_domains (meter, "package-0,core-0,uncore-0");

  count (&perf, PSYS, 0, 20);
  count (&perf, GPU, 0, 1);
  meter_read (meter);
  assert_domains (meter, "package-0,core-0,uncore-0,psys");
  assert_uj (meter, "psys", 20 * JOULE_UJ);
  assert_uj (meter, "uncore-0", 1 * JOULE_UJ);
}

static void
test_of_amd_one_cpu_of_a_package_is_asked (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Meter) meter = open_fixture ("power-rapl-amd", &perf);

  assert_domains (meter, "package-0");
  g_assert_cmpuint (fake_perf_count_open (&perf), ==, 1);
  g_assert_nonnull (fake_perf_find (&perf, PKG, 0));
}

static void
test_dies_of_intel_are_distinguished (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = NULL;

  write_seat (tree, 2, 0, 1);
  write_seat (tree, 3, 1, 1);
  tree_rewrite (tree, PMU "cpumask", "0-3\n");
  meter = open_tree (tree, &perf);

  assert_domains (meter, "package-0-die-0,dram-0-die-0,package-1-die-0,dram-1-die-0,"
                         "package-0-die-1,dram-0-die-1,package-1-die-1,dram-1-die-1");
}

static void
test_counting_begins_when_the_source_opens (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree, &perf);

  assert_uj (meter, "package-0", 0);
  fake_perf_find (&perf, PKG, 0)->count += JOULE_COUNTS / 2;
  meter_read (meter);
  assert_uj (meter, "package-0", JOULE_UJ / 2);
}

static void
test_without_the_right_it_is_denied_and_says_which (void)
{
  FakePerf perf = { .open_result = -EACCES };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (GError) error = NULL;

  g_assert_null (open_at (tree->root, &perf, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, "events/energy-pkg on CPU 0"));
  g_assert_nonnull (strstr (error->message, "CAP_PERFMON"));
  g_assert_nonnull (strstr (error->message, "perf_event_paranoid"));
}

static void
test_an_event_that_dies_costs_its_own_domain_and_may_come_back (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree, &perf);

  count (&perf, PKG, 1, 5);
  meter_read (meter);
  fake_perf_find (&perf, PKG, 1)->is_dead = TRUE;
  meter_read (meter);
  assert_domains (meter, "package-0,dram-0,dram-1");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_nonnull (
    strstr (meter_get_error (meter)->message, "energy-pkg on CPU 1: counts no more"));

  meter_read (meter);
  assert_uj (meter, "package-1", 5 * JOULE_UJ);
  count (&perf, PKG, 1, 2);
  meter_read (meter);
  assert_uj (meter, "package-1", 7 * JOULE_UJ);
  g_assert_cmpuint (fake_perf_count_open (&perf), ==, 4);
}

static void
test_when_all_events_are_dead_it_fails (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree, &perf);

  for (guint i = 0; i < perf.n_events; i++)
    perf.events[i].is_dead = TRUE;
  meter_fail (meter, JM_ERROR_UNAVAILABLE, "energy-pkg on CPU 0");
}

static void
test_another_cpu_of_the_package_takes_over_where_the_first_left (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree, &perf);

  count (&perf, PKG, 0, 10);
  tree_rewrite (tree, PMU "cpumask", "1-2\n");
  meter_read (meter);
  assert_uj (meter, "package-0", 10 * JOULE_UJ);
  g_assert_cmpuint (fake_perf_count_open (&perf), ==, 4);

  count (&perf, PKG, 2, 3);
  meter_read (meter);
  assert_domains (meter, "package-0,dram-0,package-1,dram-1");
  assert_uj (meter, "package-0", 13 * JOULE_UJ);
}

static void
test_a_package_without_cpus_is_silent_until_one_comes_back (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree, &perf);

  count (&perf, PKG, 1, 4);
  tree_rewrite (tree, PMU "cpumask", "0\n");
  meter_read (meter);
  assert_domains (meter, "package-0,dram-0");
  g_assert_cmpuint (meter_count_errors (meter), ==, 0);
  g_assert_cmpuint (fake_perf_count_open (&perf), ==, 2);

  tree_rewrite (tree, PMU "cpumask", "0,3\n");
  meter_read (meter);
  assert_uj (meter, "package-1", 4 * JOULE_UJ);
  count (&perf, PKG, 3, 1);
  meter_read (meter);
  assert_uj (meter, "package-1", 5 * JOULE_UJ);
}

static void
test_a_broken_cpumask_is_reported_and_the_domains_stay (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree, &perf);

  tree_rewrite (tree, PMU "cpumask", "all\n");
  meter_read (meter);
  assert_domains (meter, "package-0,dram-0,package-1,dram-1");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (meter_get_error (meter)->message, "cpumask"));
}

static void
test_a_count_that_goes_back_is_reported_and_goes_on (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree, &perf);

  count (&perf, PKG, 0, 9);
  meter_read (meter);
  fake_perf_find (&perf, PKG, 0)->count = JOULE_COUNTS;
  meter_read (meter);
  assert_silent (meter, "package-0");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);

  count (&perf, PKG, 0, 2);
  meter_read (meter);
  assert_uj (meter, "package-0", 11 * JOULE_UJ);
}

static void
test_several_readers_count_for_themselves (void)
{
  FakePerf early_perf = { 0 };
  FakePerf late_perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) early = open_tree (tree, &early_perf);
  g_autoptr (Meter) late = NULL;

  count (&early_perf, PKG, 0, 3);
  late = open_tree (tree, &late_perf);
  count (&early_perf, PKG, 0, 1);
  count (&late_perf, PKG, 0, 1);
  meter_read (early);
  meter_read (late);

  assert_uj (early, "package-0", 4 * JOULE_UJ);
  assert_uj (late, "package-0", 1 * JOULE_UJ);
}

static void
test_an_event_of_another_unit_is_reported_and_left_out (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = NULL;

  tree_remove (tree, PMU "events/energy-ram.unit");
  tree_write (tree, PMU "events/energy-ram.unit", "Watts\n");
  meter = open_tree (tree, &perf);

  assert_domains (meter, "package-0,package-1");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (
    strstr (meter_get_error (meter)->message, "energy-ram.unit: not Joules: Watts"));
}

static void
test_without_the_pmu_it_is_absent (void)
{
  FakePerf perf = { 0 };
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (GError) none = NULL;
  g_autoptr (GError) empty = NULL;
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "empty", NULL);

  g_assert_null (open_at (root, &perf, &none));
  g_assert_error (none, JM_ERROR, JM_ERROR_ABSENT);

  tree_remove (tree, PMU "events/energy-pkg");
  tree_remove (tree, PMU "events/energy-ram");
  g_assert_null (open_at (tree->root, &perf, &empty));
  g_assert_error (empty, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_a_virtual_machine_that_offers_psys_alone_has_nothing (void)
{
  FakePerf perf = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "power-rapl-none", NULL);

  g_assert_null (open_at (root, &perf, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_nonnull (strstr (error->message, "counts no package"));
}

static void
test_in_a_copied_tree_nothing_counts (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;

  g_assert_null (
    g_initable_new (JM_TYPE_RAPL_PERF_SOURCE, NULL, &error, "host", host, NULL));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_nonnull (strstr (error->message, "copied tree"));
}

static void
test_this_machine_counts_or_says_why_not (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  JmRaplPerfSource *source =
    g_initable_new (JM_TYPE_RAPL_PERF_SOURCE, NULL, &error, "host", host, NULL);
  g_autoptr (Meter) meter = NULL;

  if (source == NULL)
    {
      g_assert_true (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) ||
                     g_error_matches (error, JM_ERROR, JM_ERROR_DENIED));
      return;
    }

  meter = meter_new (source);
  g_assert_true (meter_find (meter, JM_METRIC_NODE_ENERGY, "package-0", NULL));
}

static void
assert_config (const char *text, gint64 expected)
{
  guint64 config = 0;

  if (jm_perf_parse_config (text, strlen (text), &config))
    g_assert_cmpuint (config, ==, (guint64) expected);
  else
    g_assert_cmpint (expected, ==, -1);
}

static void
test_events_have_few_shapes (void)
{
  assert_config ("event=0x02\n", 2);
  assert_config ("event=0x02", 2);
  assert_config ("event=5", 5);
  assert_config ("event=0xFF", 255);
  assert_config ("event=0x100", -1);
  assert_config ("event=0xfffffffffffffffff", -1);
  assert_config ("event=256", -1);
  assert_config ("event=0x", -1);
  assert_config ("event=", -1);
  assert_config ("event=0x02,umask=0x1", -1);
  assert_config ("config=1", -1);
  assert_config ("", -1);
}

static void
assert_scale (const char *text, guint64 factor, guint shift)
{
  guint64 seen_factor = 0;
  guint seen_shift = 0;

  g_assert_true (jm_perf_parse_scale (text, strlen (text), &seen_factor, &seen_shift));
  g_assert_cmpuint (seen_factor, ==, factor);
  g_assert_cmpuint (seen_shift, ==, shift);
}

static void
assert_no_scale (const char *text)
{
  guint64 factor;
  guint shift;

  g_assert_false (jm_perf_parse_scale (text, strlen (text), &factor, &shift));
}

static void
test_scales_are_taken_without_rounding (void)
{
  assert_scale (SCALE, 15625, 26);
  assert_scale ("1", 1000000, 0);
  assert_scale ("1.0e0\n", 1000000, 0);
  assert_scale ("0.5", 500000, 0);
  assert_scale ("6.103515625e-05", 15625, 8);
  assert_no_scale ("0");
  assert_no_scale ("-1");
  assert_no_scale ("2");
  assert_no_scale ("1e-16");
  assert_no_scale ("1e999");
  assert_no_scale ("nan");
  assert_no_scale ("0x1");
  assert_no_scale ("1 ");
  assert_no_scale ("");
  assert_no_scale ("0.00000000000000000000000000000000000000000000000001");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add_func ("/rapl-perf-source/" name, test_##function)

  SITUATION ("a-server-has-packages-and-memory", a_server_has_packages_and_memory);
  SITUATION ("a-laptop-reports-psys-once-it-counts",
             a_laptop_reports_psys_once_it_counts);
  SITUATION ("of-amd-one-cpu-of-a-package-is-asked",
             of_amd_one_cpu_of_a_package_is_asked);
  SITUATION ("dies-of-intel-are-distinguished", dies_of_intel_are_distinguished);
  SITUATION ("counting-begins-when-the-source-opens",
             counting_begins_when_the_source_opens);
  SITUATION ("without-the-right-it-is-denied-and-says-which",
             without_the_right_it_is_denied_and_says_which);
  SITUATION ("an-event-that-dies-costs-its-own-domain-and-may-come-back",
             an_event_that_dies_costs_its_own_domain_and_may_come_back);
  SITUATION ("when-all-events-are-dead-it-fails", when_all_events_are_dead_it_fails);
  SITUATION ("another-cpu-of-the-package-takes-over-where-the-first-left",
             another_cpu_of_the_package_takes_over_where_the_first_left);
  SITUATION ("a-package-without-cpus-is-silent-until-one-comes-back",
             a_package_without_cpus_is_silent_until_one_comes_back);
  SITUATION ("a-broken-cpumask-is-reported-and-the-domains-stay",
             a_broken_cpumask_is_reported_and_the_domains_stay);
  SITUATION ("a-count-that-goes-back-is-reported-and-goes-on",
             a_count_that_goes_back_is_reported_and_goes_on);
  SITUATION ("several-readers-count-for-themselves",
             several_readers_count_for_themselves);
  SITUATION ("an-event-of-another-unit-is-reported-and-left-out",
             an_event_of_another_unit_is_reported_and_left_out);
  SITUATION ("without-the-pmu-it-is-absent", without_the_pmu_it_is_absent);
  SITUATION ("a-virtual-machine-that-offers-psys-alone-has-nothing",
             a_virtual_machine_that_offers_psys_alone_has_nothing);
  SITUATION ("in-a-copied-tree-nothing-counts", in_a_copied_tree_nothing_counts);
  SITUATION ("this-machine-counts-or-says-why-not",
             this_machine_counts_or_says_why_not);
  SITUATION ("events-have-few-shapes", events_have_few_shapes);
  SITUATION ("scales-are-taken-without-rounding", scales_are_taken_without_rounding);

  return g_test_run ();
}
