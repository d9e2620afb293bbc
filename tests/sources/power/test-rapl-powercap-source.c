/* test-rapl-powercap-source.c: energy of the processors, from powercap
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-rapl-powercap-source-private.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answers.h"
#include "meter.h"
#include "sources/power/jm-energy-trace-private.h"
#include "tree.h"

#define MAX_UJ G_GUINT64_CONSTANT (262143328850)
#define JOULE_UJ G_GUINT64_CONSTANT (1000000)
#define CLASS "sys/class/powercap/"

static JmRaplPowercapSource *
open_at (const char *root, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (root);

  return g_initable_new (JM_TYPE_RAPL_POWERCAP_SOURCE, NULL, error, "host", host, NULL);
}

static Meter *
open_tree (Tree *tree)
{
  g_autoptr (GError) error = NULL;
  JmRaplPowercapSource *source = open_at (tree->root, &error);

  g_assert_no_error (error);
  return meter_new (source);
}

static Meter *
open_fixture (const char *situation)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", situation, NULL);
  JmRaplPowercapSource *source = open_at (root, &error);

  g_assert_no_error (error);
  return meter_new (source);
}

static void
write_file (Tree *tree, const char *zone, const char *file, const char *text)
{
  g_autofree char *path = g_strconcat (CLASS, zone, "/", file, NULL);
  g_autofree char *real = tree_path (tree, path);

  g_remove (real);
  tree_write (tree, path, text);
}

static void
set_counter (Tree *tree, const char *zone, guint64 energy_uj)
{
  g_autofree char *path = g_strconcat (CLASS, zone, "/energy_uj", NULL);
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT "\n", energy_uj);

  tree_rewrite (tree, path, text);
}

static void
write_zone (Tree *tree, const char *zone, const char *name, guint64 energy_uj)
{
  g_autofree char *line = g_strconcat (name, "\n", NULL);

  write_file (tree, zone, "name", line);
  write_file (tree, zone, "max_energy_range_uj", "262143328850\n");
  write_file (tree, zone, "energy_uj", "0\n");
  set_counter (tree, zone, energy_uj);
}

static Tree *
make_server (void)
{
  Tree *tree = tree_new ();

  write_zone (tree, "intel-rapl:0", "package-0", 1000 * JOULE_UJ);
  write_zone (tree, "intel-rapl:0:0", "dram", 500 * JOULE_UJ);
  write_zone (tree, "intel-rapl:1", "package-1", MAX_UJ - 9);
  write_zone (tree, "intel-rapl:1:0", "dram", 0);

  return tree;
}

static void
test_a_server_has_packages_and_memory (void)
{
  g_autoptr (Meter) meter = open_fixture ("power-rapl-server");

  assert_domains (meter, "package-0,dram-0,package-1,dram-1");
  assert_uj (meter, "package-0", 0);
  g_assert_cmpuint (meter_count_errors (meter), ==, 0);
}

static void
test_a_laptop_reports_what_two_interfaces_have_but_once (void)
{
  g_autoptr (Meter) meter = open_fixture ("power-rapl-laptop");

  assert_domains (meter, "package-0,core-0,uncore-0,psys");
}

static void
test_of_amd_there_is_one_counter_for_a_package (void)
{
  g_autoptr (Meter) meter = open_fixture ("power-rapl-amd");

  assert_domains (meter, "package-0");
}

static void
test_dies_of_intel_are_distinguished (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Meter) meter = NULL;

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *zone = g_strdup_printf ("intel-rapl:%u", i);
      g_autofree char *memory = g_strdup_printf ("intel-rapl:%u:0", i);
      g_autofree char *name = g_strdup_printf ("package-%u-die-%u", i / 2, i % 2);

      write_zone (tree, zone, name, i);
      write_zone (tree, memory, "dram", i);
    }
  meter = open_tree (tree);

  assert_domains (meter, "package-0-die-0,dram-0-die-0,package-0-die-1,dram-0-die-1,"
                         "package-1-die-0,dram-1-die-0,package-1-die-1,dram-1-die-1");
}

static void
test_registers_in_memory_serve_where_nothing_else_does (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Meter) meter = NULL;

  write_zone (tree, "intel-rapl-mmio:0", "package-0", 0);
  meter = open_tree (tree);

  assert_domains (meter, "package-0");
}

static void
test_zones_come_in_the_order_of_their_numbers (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Meter) meter = NULL;

  write_zone (tree, "intel-rapl:10", "psys-1", 0);
  write_zone (tree, "intel-rapl:2", "package-2", 0);
  write_zone (tree, "intel-rapl:2:1", "uncore", 0);
  write_zone (tree, "intel-rapl:2:0", "core", 0);
  meter = open_tree (tree);

  assert_domains (meter, "package-2,core-2,uncore-2,psys-1");
}

static void
test_counters_go_on_where_they_begin_anew (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree);

  set_counter (tree, "intel-rapl:0", 1100 * JOULE_UJ);
  set_counter (tree, "intel-rapl:1", 90);
  meter_read (meter);
  assert_uj (meter, "package-0", 100 * JOULE_UJ);
  assert_uj (meter, "dram-0", 0);
  assert_uj (meter, "package-1", 100);

  set_counter (tree, "intel-rapl:1", 100);
  meter_read (meter);
  assert_uj (meter, "package-0", 100 * JOULE_UJ);
  assert_uj (meter, "package-1", 110);
}

static void
test_several_readers_count_for_themselves (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) early = open_tree (tree);
  g_autoptr (Meter) late = NULL;

  set_counter (tree, "intel-rapl:0", 1005 * JOULE_UJ);
  late = open_tree (tree);
  set_counter (tree, "intel-rapl:0", 1007 * JOULE_UJ);
  meter_read (late);
  meter_read (early);

  assert_uj (early, "package-0", 7 * JOULE_UJ);
  assert_uj (late, "package-0", 2 * JOULE_UJ);
}

/* One program ends, and another begins. */
static void
test_what_a_counter_took_between_two_readers_is_known (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) early = open_tree (tree);
  g_autoptr (Meter) late = NULL;
  JmEnergyTrace before, after;
  guint64 energy_uj;

  set_counter (tree, "intel-rapl:0", 1005 * JOULE_UJ);
  meter_read (early);
  g_assert_true (jm_power_source_trace (early->source, "package-0", &before));
  g_assert_cmpuint (before.total_uj, ==, 5 * JOULE_UJ);
  set_counter (tree, "intel-rapl:0", 1025 * JOULE_UJ);
  late = open_tree (tree);
  set_counter (tree, "intel-rapl:0", 1026 * JOULE_UJ);
  meter_read (late);
  g_assert_true (jm_power_source_trace (late->source, "package-0", &after));
  g_assert_true (jm_energy_trace_span (&before, &after, &energy_uj));
  g_assert_cmpuint (energy_uj, ==, 20 * JOULE_UJ);
  assert_uj (late, "package-0", JOULE_UJ);

  g_assert_false (jm_power_source_trace (late->source, "package-9", &after));
}

static void
test_a_reset_counter_is_reported_and_goes_on (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree);

  set_counter (tree, "intel-rapl:0", 1002 * JOULE_UJ);
  meter_read (meter);
  set_counter (tree, "intel-rapl:0", 3 * JOULE_UJ);
  meter_read (meter);
  assert_silent (meter, "package-0");
  assert_uj (meter, "dram-0", 0);
  g_assert_cmpuint (meter_count_errors (meter), ==, 1);
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (meter_get_error (meter)->message,
                            "intel-rapl:0/energy_uj: went from 1002000000 to 3000000"));

  set_counter (tree, "intel-rapl:0", 4 * JOULE_UJ);
  meter_read (meter);
  assert_uj (meter, "package-0", 3 * JOULE_UJ);
  g_assert_cmpuint (meter_count_errors (meter), ==, 0);
}

static void
test_text_that_is_no_number_costs_its_own_domain (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree);

  tree_rewrite (tree, CLASS "intel-rapl:0/energy_uj", "-5\n");
  meter_read (meter);

  assert_domains (meter, "dram-0,package-1,dram-1");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (meter_get_error (meter)->message, "not a number: -5"));
}

static void
assert_down (Meter *meter, const char *domain)
{
  guint64 is_up = TRUE;

  g_assert_true (meter_find (meter, JM_METRIC_NODE_POWER_DOMAIN_UP, domain, &is_up));
  g_assert_false (is_up);
}

static void
test_a_zone_without_a_range_is_reported_and_left_out (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = NULL;

  write_file (tree, "intel-rapl:0", "max_energy_range_uj", "0\n");
  meter = open_tree (tree);

  assert_domains (meter, "dram-0,package-1,dram-1");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (meter_get_error (meter)->message, "max_energy_range_uj"));

  meter_read (meter);
  g_assert_cmpuint (meter_count_errors (meter), ==, 1);
  assert_down (meter, "package-0");
}

static void
test_a_zone_without_a_range_is_read_by_another_way (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = NULL;

  write_file (tree, "intel-rapl:0", "max_energy_range_uj", "0\n");
  write_zone (tree, "intel-rapl-mmio:0", "package-0", 7);
  meter = open_tree (tree);

  assert_domains (meter, "package-0,dram-0,package-1,dram-1");
  g_assert_cmpuint (meter_count_errors (meter), ==, 0);
}

static void
test_a_zone_without_a_counter_is_named (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = NULL;

  tree_remove (tree, CLASS "intel-rapl:1/energy_uj");
  meter = open_tree (tree);
  meter_read (meter);

  assert_domains (meter, "package-0,dram-0,dram-1");
  assert_down (meter, "package-1");
  g_assert_false (
    meter_find (meter, JM_METRIC_NODE_POWER_DOMAIN_UP, "package-0", NULL));
  g_assert_cmpuint (meter_count_errors (meter), ==, 1);
  g_assert_nonnull (
    strstr (meter_get_error (meter)->message, "intel-rapl:1/energy_uj: No such file"));
}

static void
test_limits_are_reported_as_they_are_set (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = NULL;

  write_file (tree, "intel-rapl:0", "constraint_0_name", "long_term\n");
  write_file (tree, "intel-rapl:0", "constraint_0_power_limit_uw", "125000000\n");
  write_file (tree, "intel-rapl:0", "constraint_1_name", "bad\"name\n");
  write_file (tree, "intel-rapl:0", "constraint_1_power_limit_uw", "150000000\n");
  write_file (tree, "intel-rapl:1", "constraint_0_name", "long_term\n");
  write_file (tree, "intel-rapl:1", "constraint_0_power_limit_uw", "0\n");
  meter = open_tree (tree);

  g_assert_cmpuint (answers_get_detail (meter->readings, JM_METRIC_NODE_POWER_LIMIT,
                                        "package-0", "long_term"),
                    ==, 125000000);
  g_assert_cmpuint (answers_get_detail (meter->readings, JM_METRIC_NODE_POWER_LIMIT,
                                        "package-0", "bad\"name"),
                    ==, 0);
  g_assert_cmpuint (answers_get_detail (meter->readings, JM_METRIC_NODE_POWER_LIMIT,
                                        "package-1", "long_term"),
                    ==, 0);
  g_assert_cmpuint (meter_count_errors (meter), ==, 0);
}

static void
test_a_zone_of_no_name_is_reported_and_left_out (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = NULL;

  write_file (tree, "intel-rapl:1:0", "name", "dr\"am\n");
  meter = open_tree (tree);

  assert_domains (meter, "package-0,dram-0,package-1");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);
}

static void
test_without_rapl_it_is_absent (void)
{
  static const char *const situations[] = { "power-rapl-none", "empty" };

  for (guint i = 0; i < G_N_ELEMENTS (situations); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *root =
        g_test_build_filename (G_TEST_BUILT, "fixtures", situations[i], NULL);

      g_assert_null (open_at (root, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
    }
}

static void
test_counters_that_only_root_may_read_are_denied (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (GError) error = NULL;
  static const char *const zones[] = { "intel-rapl:0", "intel-rapl:0:0", "intel-rapl:1",
                                       "intel-rapl:1:0" };
  int saved = geteuid () == 0 ? 0 : -1;

  for (guint i = 0; i < G_N_ELEMENTS (zones); i++)
    {
      g_autofree char *path = g_strconcat (CLASS, zones[i], "/energy_uj", NULL);
      g_autofree char *real = tree_path (tree, path);

      g_assert_cmpint (chmod (real, 0), ==, 0);
    }

  /* root may read what nobody may, so it is somebody else for the moment */
  g_assert_cmpint (chmod (tree->root, 0755), ==, 0);
  if (saved == 0)
    g_assert_cmpint (seteuid (65534), ==, 0);
  g_assert_null (open_at (tree->root, &error));
  if (saved == 0)
    g_assert_cmpint (seteuid (0), ==, 0);

  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, "intel-rapl:0/energy_uj"));
}

static void
test_zones_that_a_container_hides_are_denied (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *link = tree_path (tree, CLASS "intel-rapl:0");

  tree_make_dir (tree, CLASS);
  g_assert_cmpint (symlink ("../../devices/virtual/powercap/intel-rapl/intel-rapl:0",
                            link),
                   ==, 0);

  g_assert_null (open_at (tree->root, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, "a container may hide them"));
}

static void
test_where_nobody_reads_the_source_does (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = open_tree (tree);
  JmRaplPowercapSource *source = JM_RAPL_POWERCAP_SOURCE (meter->source);

  g_assert_cmpuint (jm_rapl_powercap_source_get_n_watches (source), ==, 0);
  set_counter (tree, "intel-rapl:1", 90);
  jm_rapl_powercap_source_set_watch_us (source, 1000);
  while (jm_rapl_powercap_source_get_n_watches (source) < 3)
    g_thread_yield ();
  jm_rapl_powercap_source_set_watch_us (source,
                                        G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);

  /* as though it had gone round to just where it was: only the watch can show it */
  set_counter (tree, "intel-rapl:1", MAX_UJ - 9);
  meter_read (meter);
  assert_silent (meter, "package-1");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);
  set_counter (tree, "intel-rapl:1", 5);
  meter_read (meter);
  assert_uj (meter, "package-1", 115);
}

static void
test_the_watch_is_twice_in_the_shortest_way_around (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) usual = open_tree (tree);
  g_autoptr (Meter) limited = NULL;
  g_autoptr (Meter) short_way = NULL;

  /* 262 kJ at 1 kW; memory of 500 W takes longer */
  g_assert_cmpint (jm_rapl_powercap_source_get_watch_us (
                     JM_RAPL_POWERCAP_SOURCE (usual->source)) /
                     G_USEC_PER_SEC,
                   ==, 131);

  for (guint i = 0; i < 2; i++)
    write_file (tree, i == 0 ? "intel-rapl:0" : "intel-rapl:1",
                "constraint_0_max_power_uw", "500000000\n");
  limited = open_tree (tree);
  g_assert_cmpint (jm_rapl_powercap_source_get_watch_us (
                     JM_RAPL_POWERCAP_SOURCE (limited->source)) /
                     G_USEC_PER_SEC,
                   ==, 262);

  write_file (tree, "intel-rapl:0", "max_energy_range_uj", "65532610987\n");
  write_file (tree, "intel-rapl:0", "constraint_0_max_power_uw", "4095000000\n");
  short_way = open_tree (tree);
  g_assert_cmpint (jm_rapl_powercap_source_get_watch_us (
                     JM_RAPL_POWERCAP_SOURCE (short_way->source)) /
                     G_USEC_PER_SEC,
                   ==, 60);
}

static void
test_a_counter_that_comes_later_is_read_from_then_on (void)
{
  g_autoptr (Tree) tree = make_server ();
  g_autoptr (Meter) meter = NULL;
  g_autofree char *real = tree_path (tree, CLASS "intel-rapl:0/energy_uj");
  g_autofree char *away = g_strconcat (real, ".away", NULL);

  g_assert_cmpint (rename (real, away), ==, 0);
  meter = open_tree (tree);
  assert_domains (meter, "dram-0,package-1,dram-1");

  g_assert_cmpint (rename (away, real), ==, 0);
  meter_read (meter);
  assert_uj (meter, "package-0", 0);
  set_counter (tree, "intel-rapl:0", 1002 * JOULE_UJ);
  meter_read (meter);
  assert_uj (meter, "package-0", 2 * JOULE_UJ);
}

static void
assert_address (const char *directory, const char *expected)
{
  JmPowercapAddress a = { 0 };
  g_autofree char *seen = NULL;

  if (!jm_powercap_parse_address (directory, &a))
    seen = g_strdup ("none");
  else if (a.is_child)
    seen = g_strdup_printf ("%s %u %u", a.is_mmio ? "mmio" : "msr", a.parent, a.child);
  else
    seen = g_strdup_printf ("%s %u", a.is_mmio ? "mmio" : "msr", a.parent);

  g_assert_cmpstr (seen, ==, expected);
}

static void
test_addresses_have_few_shapes (void)
{
  assert_address ("intel-rapl:0", "msr 0");
  assert_address ("intel-rapl:12:3", "msr 12 3");
  assert_address ("intel-rapl-mmio:0", "mmio 0");
  assert_address ("intel-rapl", "none");
  assert_address ("intel-rapl:", "none");
  assert_address ("intel-rapl:0:", "none");
  assert_address ("intel-rapl:0:1:2", "none");
  assert_address ("intel-rapl:-1", "none");
  assert_address ("intel-rapl:99999999999", "none");
  assert_address ("dtpm:0", "none");
  assert_address ("", "none");
}

static void
assert_domain (const char *name, const char *parent, const char *expected)
{
  JmSlice name_slice = { name, strlen (name) };
  JmSlice parent_slice = { parent, parent != NULL ? strlen (parent) : 0 };
  char *domain =
    jm_powercap_name_domain (name_slice, parent != NULL ? &parent_slice : NULL);

  g_assert_cmpstr (domain, ==, expected);
  g_clear_pointer (&domain, g_ref_string_release);
}

static void
test_domains_are_named_after_their_package (void)
{
  assert_domain ("package-1", NULL, "package-1");
  assert_domain ("psys", NULL, "psys");
  assert_domain ("dram", "package-1", "dram-1");
  assert_domain ("core", "package-0-die-3", "core-0-die-3");
  assert_domain ("dram", "psys", NULL);
  assert_domain ("dram", "package-", NULL);
  assert_domain ("", NULL, NULL);
  assert_domain ("a b", NULL, NULL);
  assert_domain ("a\nb", NULL, NULL);
  assert_domain ("0123456789012345678901234567890123456789x", NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add_func ("/rapl-powercap-source/" name, test_##function)

  SITUATION ("a-server-has-packages-and-memory", a_server_has_packages_and_memory);
  SITUATION ("a-laptop-reports-what-two-interfaces-have-but-once",
             a_laptop_reports_what_two_interfaces_have_but_once);
  SITUATION ("of-amd-there-is-one-counter-for-a-package",
             of_amd_there_is_one_counter_for_a_package);
  SITUATION ("dies-of-intel-are-distinguished", dies_of_intel_are_distinguished);
  SITUATION ("registers-in-memory-serve-where-nothing-else-does",
             registers_in_memory_serve_where_nothing_else_does);
  SITUATION ("zones-come-in-the-order-of-their-numbers",
             zones_come_in_the_order_of_their_numbers);
  SITUATION ("counters-go-on-where-they-begin-anew",
             counters_go_on_where_they_begin_anew);
  SITUATION ("several-readers-count-for-themselves",
             several_readers_count_for_themselves);
  SITUATION ("what-a-counter-took-between-two-readers-is-known",
             what_a_counter_took_between_two_readers_is_known);
  SITUATION ("a-reset-counter-is-reported-and-goes-on",
             a_reset_counter_is_reported_and_goes_on);
  SITUATION ("text-that-is-no-number-costs-its-own-domain",
             text_that_is_no_number_costs_its_own_domain);
  SITUATION ("a-zone-without-a-range-is-reported-and-left-out",
             a_zone_without_a_range_is_reported_and_left_out);
  SITUATION ("a-zone-without-a-range-is-read-by-another-way",
             a_zone_without_a_range_is_read_by_another_way);
  SITUATION ("a-zone-without-a-counter-is-named", a_zone_without_a_counter_is_named);
  SITUATION ("limits-are-reported-as-they-are-set",
             limits_are_reported_as_they_are_set);
  SITUATION ("a-zone-of-no-name-is-reported-and-left-out",
             a_zone_of_no_name_is_reported_and_left_out);
  SITUATION ("without-rapl-it-is-absent", without_rapl_it_is_absent);
  SITUATION ("counters-that-only-root-may-read-are-denied",
             counters_that_only_root_may_read_are_denied);
  SITUATION ("zones-that-a-container-hides-are-denied",
             zones_that_a_container_hides_are_denied);
  SITUATION ("where-nobody-reads-the-source-does", where_nobody_reads_the_source_does);
  SITUATION ("the-watch-is-twice-in-the-shortest-way-around",
             the_watch_is_twice_in_the_shortest_way_around);
  SITUATION ("a-counter-that-comes-later-is-read-from-then-on",
             a_counter_that_comes_later_is_read_from_then_on);
  SITUATION ("addresses-have-few-shapes", addresses_have_few_shapes);
  SITUATION ("domains-are-named-after-their-package",
             domains_are_named_after_their_package);

  return g_test_run ();
}
