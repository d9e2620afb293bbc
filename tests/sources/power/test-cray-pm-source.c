/* test-cray-pm-source.c: energy as Cray's nodes count it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-host-private.h"
#include "sources/power/jm-power-types-private.h"

#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "answers.h"
#include "base/jm-error.h"
#include "sources/power/jm-energy-trace-private.h"
#include "sources/power/jm-power-files-private.h"
#include "tree.h"

#define COUNTERS "sys/cray/pm_counters/"
#define UJ 1000000ULL

typedef struct
{
  Tree *tree;
  JmHost *host;
  JmCrayPmSource *source;
  JmReadings *readings;
} Node;

static void
node_write (Node *self, const char *name, const char *text)
{
  g_autofree char *path = g_strconcat (COUNTERS, name, NULL);

  tree_rewrite (self->tree, path, text);
}

static Node *
node_new (void)
{
  g_autoptr (GError) error = NULL;
  Node *self = g_new0 (Node, 1);

  self->tree = tree_new ();
  tree_make_dir (self->tree, COUNTERS);
  node_write (self, "energy", "1000 J 1760000000000000 us\n");
  node_write (self, "cpu_energy", "500 J 1760000000000000 us\n");
  node_write (self, "freshness", "1\n");
  node_write (self, "startup", "1\n");
  node_write (self, "generation", "1\n");
  self->host = jm_host_new (self->tree->root);
  self->source =
    g_initable_new (JM_TYPE_CRAY_PM_SOURCE, NULL, &error, "host", self->host, NULL);
  g_assert_no_error (error);
  self->readings = answers_new ();
  g_assert_true (answers_read (self->readings, self->source, &error));

  return self;
}

static void
node_free (Node *self)
{
  g_assert_finalize_object (self->source);
  g_assert_cmpuint (jm_host_get_open_files (self->host), ==, 0);
  g_assert_finalize_object (self->host);
  jm_readings_unref (self->readings);
  tree_free (self->tree);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Node, node_free)

static void
node_read (Node *self)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (answers_read (self->readings, self->source, &error));
  g_assert_no_error (error);
}

static void
assert_domains (const char *fixture, const char *expected)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", fixture, NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCrayPmSource) source =
    g_initable_new (JM_TYPE_CRAY_PM_SOURCE, NULL, &error, "host", host, NULL);
  g_autoptr (JmReadings) readings = answers_new ();
  g_autoptr (GString) domains = g_string_new (NULL);
  const JmReading *values;
  guint n_values;

  g_assert_no_error (error);
  g_assert_true (answers_read (readings, source, &error));
  values = jm_readings_get_values (readings, &n_values);
  for (guint i = 0; i < n_values; i++)
    if (jm_labels_get_size (values[i].labels) == 2)
      g_string_append_printf (domains, "%s%s", domains->len > 0 ? " " : "",
                              jm_labels_get_value (values[i].labels, 1));

  g_assert_cmpstr (domains->str, ==, expected);
  g_assert_null (answers_get_problem (readings));
}

static void
test_processors_counted_together_have_no_number (void)
{
  assert_domains ("power-cray", "node package dram");
}

static void
test_processors_and_accelerators_are_reported_one_by_one (void)
{
  assert_domains ("power-cray-gpus", "node package-0 package-1 package-2 package-3 "
                                     "gpu-0 gpu-1 gpu-2 gpu-3");
}

static void
test_a_lone_processor_has_a_number (void)
{
  g_autoptr (Node) node = node_new ();

  assert_energy (node->readings, "package-0", 0);
}

static void
test_other_machines_have_none (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "empty", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCrayPmSource) source =
    g_initable_new (JM_TYPE_CRAY_PM_SOURCE, NULL, &error, "host", host, NULL);

  assert_says (error, JM_ERROR_ABSENT, JM_CRAY_PM_DIR);
  g_assert_null (source);
}

static void
test_a_directory_without_counters_is_none (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCrayPmSource) source = NULL;

  tree_write (tree, COUNTERS "power", "300 W 1 us\n");
  source = g_initable_new (JM_TYPE_CRAY_PM_SOURCE, NULL, &error, "host", host, NULL);

  assert_says (error, JM_ERROR_ABSENT, "no counter of energy");
  g_assert_null (source);
}

static void
test_what_was_counted_is_reported_in_microjoules (void)
{
  g_autoptr (Node) node = node_new ();

  assert_energy (node->readings, "node", 0);
  node_write (node, "energy", "1350 J 1760000001000000 us\n");
  node_write (node, "freshness", "11\n");
  node_read (node);

  assert_energy (node->readings, "node", 350 * UJ);
  assert_energy (node->readings, "package-0", 0);
}

static void
test_a_text_without_a_time_will_do (void)
{
  g_autoptr (Node) node = node_new ();

  node_write (node, "energy", "1002 J\n");
  node_read (node);

  assert_energy (node->readings, "node", 2 * UJ);
}

static void
test_a_restart_goes_on_from_where_it_was (void)
{
  g_autoptr (Node) node = node_new ();

  node_write (node, "energy", "1100 J 1 us\n");
  node_read (node);
  node_write (node, "startup", "2\n");
  node_write (node, "energy", "7 J 1 us\n");
  node_write (node, "cpu_energy", "600 J 1 us\n");
  node_read (node);
  assert_energy (node->readings, "node", 100 * UJ);
  assert_energy (node->readings, "package-0", 0);
  g_assert_null (answers_get_problem (node->readings));

  node_write (node, "energy", "9 J 1 us\n");
  node_read (node);
  assert_energy (node->readings, "node", 102 * UJ);
}

static void
test_counters_are_followed_up_to_their_restart (void)
{
  g_autoptr (Node) node = node_new ();
  JmEnergyTrace before, after;
  guint64 energy_uj;

  g_assert_true (
    jm_power_source_trace (JM_POWER_SOURCE (node->source), "node", &before));
  g_assert_cmpuint (before.last_uj, ==, 1000 * UJ);
  after = before;
  after.first_uj = 1100 * UJ;
  after.first_us = before.last_us + G_USEC_PER_SEC;
  g_assert_true (jm_energy_trace_span (&before, &after, &energy_uj));
  g_assert_cmpuint (energy_uj, ==, 100 * UJ);

  node_write (node, "startup", "2\n");
  node_write (node, "energy", "1200 J 1 us\n");
  node_read (node);
  g_assert_true (
    jm_power_source_trace (JM_POWER_SOURCE (node->source), "node", &after));
  g_assert_false (jm_energy_trace_span (&before, &after, &energy_uj));
  g_assert_false (
    jm_power_source_trace (JM_POWER_SOURCE (node->source), "dram-0", &after));
}

static void
test_a_new_power_limit_loses_nothing (void)
{
  g_autoptr (Node) node = node_new ();

  node_write (node, "generation", "2\n");
  node_write (node, "energy", "1100 J 1 us\n");
  node_write (node, "cpu_energy", "3 J 1 us\n");
  node_read (node);

  assert_energy (node->readings, "node", 100 * UJ);
  assert_energy (node->readings, "package-0", 0);
  g_assert_null (answers_get_problem (node->readings));
}

static void
test_a_counter_that_goes_back_is_left_out_once (void)
{
  g_autoptr (Node) node = node_new ();

  node_write (node, "energy", "900 J 1 us\n");
  node_read (node);
  g_assert_false (answers_have (node->readings, JM_METRIC_NODE_ENERGY, "node"));
  assert_energy (node->readings, "package-0", 0);
  assert_says (answers_get_problem (node->readings), JM_ERROR_MALFORMED,
               "from 1000 J to 900 J");

  node_write (node, "energy", "905 J 1 us\n");
  node_read (node);
  assert_energy (node->readings, "node", 5 * UJ);
}

static void
test_a_slip_is_not_counted (void)
{
  g_autoptr (Node) node = node_new ();

  node_write (node, "energy", "10 J 1 us\n");
  node_read (node);
  node_write (node, "energy", "1010 J 1 us\n");
  node_read (node);

  assert_energy (node->readings, "node", 10 * UJ);
}

static void
test_more_than_a_node_can_draw_is_not_counted (void)
{
  g_autoptr (Node) node = node_new ();

  node_write (node, "energy", "900000000000 J 1 us\n");
  node_read (node);
  g_assert_false (answers_have (node->readings, JM_METRIC_NODE_ENERGY, "node"));
  assert_says (answers_get_problem (node->readings), JM_ERROR_MALFORMED, "cannot be");
}

static void
test_what_is_not_joules_costs_its_own_domain (void)
{
  static const char *const texts[] = { "",        "J\n",
                                       "12\n",    "12 W\n",
                                       "12J\n",   "-5 J 1 us\n",
                                       "1.5 J\n", "99999999999999999999 J\n" };
  g_autoptr (Node) node = node_new ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      node_write (node, "energy", texts[i]);
      node_read (node);
      g_assert_false (answers_have (node->readings, JM_METRIC_NODE_ENERGY, "node"));
      assert_energy (node->readings, "package-0", 0);
      assert_says (answers_get_problem (node->readings), JM_ERROR_MALFORMED,
                   "energy: not joules");
    }
}

static void
test_counters_that_went_away_are_absent (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host =
    g_object_new (JM_TYPE_HOST, "root", tree->root, "max-open-files", 1, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCrayPmSource) source = NULL;
  g_autoptr (JmReadings) readings = answers_new ();

  tree_write (tree, COUNTERS "energy", "1000 J 1 us\n");
  source = g_initable_new (JM_TYPE_CRAY_PM_SOURCE, NULL, &error, "host", host, NULL);
  g_assert_no_error (error);
  tree_remove (tree, COUNTERS "energy");

  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_ABSENT, "went away");
}

/* The kernel's file of random numbers says something else at each look; no link leads
 * out of the tree, so it is mounted there. */
static gboolean
mount_random_numbers (const char *path)
{
  return unshare (CLONE_NEWNS) == 0 &&
         mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         mount ("/proc/sys/kernel/random/uuid", path, NULL, MS_BIND, NULL) == 0;
}

static void
test_counters_that_never_rest_give_no_answer (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCrayPmSource) source = NULL;
  g_autoptr (JmReadings) readings = answers_new ();
  g_autofree char *freshness = tree_path (tree, COUNTERS "freshness");

  tree_write (tree, COUNTERS "energy", "1000 J 1 us\n");
  tree_write (tree, COUNTERS "freshness", "");
  if (!mount_random_numbers (freshness))
    {
      g_test_skip ("no mounts can be made here");
      return;
    }

  source = g_initable_new (JM_TYPE_CRAY_PM_SOURCE, NULL, &error, "host", host, NULL);
  g_assert_no_error (error);
  g_assert_false (answers_read (readings, source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, "freshness: changes faster");
  g_clear_object (&source);
  g_assert_cmpint (umount2 (freshness, MNT_DETACH), ==, 0);
}

static void
test_power_and_its_limit_are_reported_besides (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCrayPmSource) source = NULL;
  g_autoptr (JmReadings) readings = answers_new ();

  tree_write (tree, COUNTERS "energy", "1000 J 1 us\n");
  tree_write (tree, COUNTERS "power", "312 W 1 us\n");
  tree_write (tree, COUNTERS "memory_power", "0 W 1 us\n");
  tree_write (tree, COUNTERS "power_cap", "450 W\n");
  tree_write (tree, COUNTERS "accel0_power_cap", "many W\n");
  source = g_initable_new (JM_TYPE_CRAY_PM_SOURCE, NULL, &error, "host", host, NULL);
  g_assert_no_error (error);
  g_assert_true (answers_read (readings, source, &error));

  g_assert_cmpuint (answers_get_detail (readings, JM_METRIC_NODE_POWER_STATISTIC,
                                        "node", "instantaneous"),
                    ==, 312000000);
  g_assert_cmpuint (answers_get_detail (readings, JM_METRIC_NODE_POWER_STATISTIC,
                                        "dram-0", "instantaneous"),
                    ==, 0);
  g_assert_cmpuint (answers_get_detail (readings, JM_METRIC_NODE_POWER_LIMIT, "node",
                                        "cap"),
                    ==, 450000000);
  assert_says (answers_get_problem (readings), JM_ERROR_MALFORMED, "not watts");
}

static void
test_names_have_many_shapes (void)
{
  static const struct
  {
    const char *name;
    gboolean is_counter;
    JmCrayPmName parsed;
  } cases[] = {
    { "energy", TRUE, { JM_CRAY_PM_ENERGY, JM_POWER_DOMAIN_NODE, FALSE, 0 } },
    { "cpu_energy", TRUE, { JM_CRAY_PM_ENERGY, JM_POWER_DOMAIN_PACKAGE, FALSE, 0 } },
    { "cpu3_energy", TRUE, { JM_CRAY_PM_ENERGY, JM_POWER_DOMAIN_PACKAGE, TRUE, 3 } },
    { "memory_energy", TRUE, { JM_CRAY_PM_ENERGY, JM_POWER_DOMAIN_DRAM, FALSE, 0 } },
    { "accel_energy", TRUE, { JM_CRAY_PM_ENERGY, JM_POWER_DOMAIN_GPU, FALSE, 0 } },
    { "accel7_energy", TRUE, { JM_CRAY_PM_ENERGY, JM_POWER_DOMAIN_GPU, TRUE, 7 } },
    { "accel7_energy_cap", FALSE, { 0 } },
    { "accelx_energy", FALSE, { 0 } },
    { "cpu99999999_energy", FALSE, { 0 } },
    { "_energy", FALSE, { 0 } },
    { "power", TRUE, { JM_CRAY_PM_POWER, JM_POWER_DOMAIN_NODE, FALSE, 0 } },
    { "cpu_power", TRUE, { JM_CRAY_PM_POWER, JM_POWER_DOMAIN_PACKAGE, FALSE, 0 } },
    { "power_cap", TRUE, { JM_CRAY_PM_CAP, JM_POWER_DOMAIN_NODE, FALSE, 0 } },
    { "accel2_power_cap", TRUE, { JM_CRAY_PM_CAP, JM_POWER_DOMAIN_GPU, TRUE, 2 } },
    { "cpu_overpower", FALSE, { 0 } },
    { "_power", FALSE, { 0 } },
    { "", FALSE, { 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      JmCrayPmName parsed;

      g_assert_cmpint (jm_cray_pm_parse_name (cases[i].name, &parsed), ==,
                       cases[i].is_counter);
      if (!cases[i].is_counter)
        continue;
      g_assert_cmpint (parsed.kind, ==, cases[i].parsed.kind);
      g_assert_cmpint (parsed.domain, ==, cases[i].parsed.domain);
      g_assert_cmpint (parsed.has_number, ==, cases[i].parsed.has_number);
      g_assert_cmpuint (parsed.number, ==, cases[i].parsed.number);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, name) g_test_add_func ("/cray/" path, name)
  ADD ("processors-counted-together-have-no-number",
       test_processors_counted_together_have_no_number);
  ADD ("processors-and-accelerators-are-reported-one-by-one",
       test_processors_and_accelerators_are_reported_one_by_one);
  ADD ("a-lone-processor-has-a-number", test_a_lone_processor_has_a_number);
  ADD ("power-and-its-limit-are-reported-besides",
       test_power_and_its_limit_are_reported_besides);
  ADD ("other-machines-have-none", test_other_machines_have_none);
  ADD ("a-directory-without-counters-is-none",
       test_a_directory_without_counters_is_none);
  ADD ("what-was-counted-is-reported-in-microjoules",
       test_what_was_counted_is_reported_in_microjoules);
  ADD ("a-text-without-a-time-will-do", test_a_text_without_a_time_will_do);
  ADD ("a-restart-goes-on-from-where-it-was", test_a_restart_goes_on_from_where_it_was);
  ADD ("counters-are-followed-up-to-their-restart",
       test_counters_are_followed_up_to_their_restart);
  ADD ("a-new-power-limit-loses-nothing", test_a_new_power_limit_loses_nothing);
  ADD ("a-counter-that-goes-back-is-left-out-once",
       test_a_counter_that_goes_back_is_left_out_once);
  ADD ("a-slip-is-not-counted", test_a_slip_is_not_counted);
  ADD ("more-than-a-node-can-draw-is-not-counted",
       test_more_than_a_node_can_draw_is_not_counted);
  ADD ("what-is-not-joules-costs-its-own-domain",
       test_what_is_not_joules_costs_its_own_domain);
  ADD ("counters-that-went-away-are-absent", test_counters_that_went_away_are_absent);
  ADD ("counters-that-never-rest-give-no-answer",
       test_counters_that_never_rest_give_no_answer);
  ADD ("names-have-many-shapes", test_names_have_many_shapes);

  return g_test_run ();
}
