/* test-machine.c: the node's own totals
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/machine/jm-machine-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "host/jm-node-cpu-private.h"
#include "tree.h"

#define TICK_NS 10000000ULL
#define KIB 1024ULL

#define STAT                                                                           \
 "cpu  100 20 30 40 5 6 7 8 9 1\n"                                                     \
 "cpu0 100 20 30 40 5 6 7 8 9 1\n"                                                     \
 "btime 1700000000\n"
#define MEMINFO "MemTotal:  1000 kB\nMemFree: 200 kB\nCached: 30 kB\n"

typedef struct
{
  Tree *tree; /* NULL for a fixture */
  JmHost *host;
  JmMachine *machine;
  JmReadings *readings;
} Node;

static void
node_read (Node *self)
{
  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  jm_machine_read (self->machine, self->readings);
}

static Node *
node_open (const char *root)
{
  g_autoptr (GError) error = NULL;
  Node *self = g_new0 (Node, 1);

  self->host = jm_host_new (root);
  self->machine =
    g_initable_new (JM_TYPE_MACHINE, NULL, &error, "host", self->host, NULL);
  g_assert_no_error (error);
  self->readings = jm_readings_new ();
  node_read (self);

  return self;
}

static Node *
node_open_tree (Tree *tree)
{
  Node *self = node_open (tree->root);

  self->tree = tree;
  return self;
}

static void
node_free (Node *self)
{
  g_assert_finalize_object (self->machine);
  g_assert_finalize_object (self->host);
  jm_readings_unref (self->readings);
  g_clear_pointer (&self->tree, tree_free);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Node, node_free)

static gboolean
node_find (Node *self, JmMetric metric, const char *label, guint64 *value)
{
  g_autoptr (JmLabels) labels = label != NULL ? jm_labels_of (label, NULL) : NULL;
  guint n_values;
  const JmReading *values = jm_readings_get_values (self->readings, &n_values);

  for (guint i = 0; i < n_values; i++)
    if (values[i].metric == metric && values[i].labels == labels)
      {
        if (value != NULL)
          *value = values[i].value;
        return TRUE;
      }

  return FALSE;
}

static guint64
node_get (Node *self, JmMetric metric, const char *label)
{
  guint64 value = 0;

  g_assert_true (node_find (self, metric, label, &value));
  return value;
}

#define assert_figure(node, metric, label, expected)                                   \
 g_assert_cmpuint (node_get (node, metric, label), ==, expected)

#define assert_no_figure(node, metric, label)                                          \
 g_assert_false (node_find (node, metric, label, NULL))

static void
assert_n_errors (Node *self, guint n_errors)
{
  g_assert_cmpuint (jm_readings_get_status (self->readings, JM_COLLECTOR_NODE)
                      ->n_errors,
                    ==, n_errors);
}

static void
assert_malformed (Node *self, const char *path, const char *text)
{
  const JmCollectorStatus *status =
    jm_readings_get_status (self->readings, JM_COLLECTOR_NODE);

  g_assert_error (status->first_error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (status->first_error->message, path));
  g_assert_nonnull (strstr (status->first_error->message, text));
}

static void
write_cpu (Tree *tree, guint cpu, const char *package, const char *core)
{
  g_autofree char *folder =
    g_strdup_printf ("sys/devices/system/cpu/cpu%u/topology", cpu);
  g_autofree char *package_path = g_strconcat (folder, "/physical_package_id", NULL);
  g_autofree char *core_path = g_strconcat (folder, "/core_id", NULL);

  tree_write (tree, package_path, package);
  tree_write (tree, core_path, core);
}

static Tree *
make_tree (void)
{
  Tree *tree = tree_new ();

  tree_write (tree, "proc/stat", STAT);
  tree_write (tree, "proc/meminfo", MEMINFO);
  tree_write (tree, "sys/devices/system/cpu/online", "0-3\n");
  write_cpu (tree, 0, "0\n", "0\n");
  write_cpu (tree, 1, "0\n", "1\n");
  write_cpu (tree, 2, "0\n", "0\n");
  write_cpu (tree, 3, "1\n", "0\n");

  return tree;
}

static void
test_a_real_node_reports_what_its_files_say (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "slurm-v2-steps", NULL);
  g_autoptr (Node) node = node_open (root);

  assert_figure (node, JM_METRIC_NODE_CPU, "user", 57796 * TICK_NS);
  assert_figure (node, JM_METRIC_NODE_CPU, "nice", 0);
  assert_figure (node, JM_METRIC_NODE_CPU, "system", 22479 * TICK_NS);
  assert_figure (node, JM_METRIC_NODE_CPU, "idle", 6690 * TICK_NS);
  assert_figure (node, JM_METRIC_NODE_CPU, "softirq", 1016 * TICK_NS);
  assert_figure (node, JM_METRIC_NODE_CPU, "guest_nice", 0);
  assert_figure (node, JM_METRIC_NODE_BOOT_TIME, NULL, 1795247792ULL * 1000000000);
  assert_figure (node, JM_METRIC_NODE_MEMORY_SIZE, NULL, 4020988 * KIB);
  assert_figure (node, JM_METRIC_NODE_MEMORY_FREE, NULL, 3509544 * KIB);
  assert_figure (node, JM_METRIC_NODE_MEMORY_AVAILABLE, NULL, 3480268 * KIB);
  assert_figure (node, JM_METRIC_NODE_MEMORY_CACHE, NULL, 148976 * KIB);
  assert_figure (node, JM_METRIC_NODE_SWAP_SIZE, NULL, 0);
  assert_figure (node, JM_METRIC_NODE_CPUS, NULL, 2);
  assert_n_errors (node, 0);
}

static void
test_guests_are_not_counted_twice (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());

  assert_figure (node, JM_METRIC_NODE_CPU, "user", 91 * TICK_NS);
  assert_figure (node, JM_METRIC_NODE_CPU, "nice", 19 * TICK_NS);
  assert_figure (node, JM_METRIC_NODE_CPU, "guest", 9 * TICK_NS);
  assert_figure (node, JM_METRIC_NODE_CPU, "guest_nice", 1 * TICK_NS);
}

static void
test_cores_and_sockets_are_those_of_the_cpus_online (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());

  assert_figure (node, JM_METRIC_NODE_CPUS, NULL, 4);
  assert_figure (node, JM_METRIC_NODE_CORES, NULL, 3);
  assert_figure (node, JM_METRIC_NODE_SOCKETS, NULL, 2);
}

static void
test_the_topology_follows_the_cpus_online (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());

  tree_rewrite (node->tree, "sys/devices/system/cpu/online", "0,2\n");
  node_read (node);

  assert_figure (node, JM_METRIC_NODE_CPUS, NULL, 2);
  assert_figure (node, JM_METRIC_NODE_CORES, NULL, 1);
  assert_figure (node, JM_METRIC_NODE_SOCKETS, NULL, 1);
}

static void
test_an_unknown_topology_is_absent (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Node) node = NULL;

  write_cpu (tree, 2, "-1\n", "0\n");
  node = node_open_tree (tree);

  assert_figure (node, JM_METRIC_NODE_CPUS, NULL, 4);
  assert_no_figure (node, JM_METRIC_NODE_CORES, NULL);
  assert_no_figure (node, JM_METRIC_NODE_SOCKETS, NULL);
  assert_n_errors (node, 0);
}

static void
test_a_broken_topology_is_reported_and_costs_nothing_else (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Node) node = NULL;

  write_cpu (tree, 2, "0\n", "first\n");
  node = node_open_tree (tree);

  assert_no_figure (node, JM_METRIC_NODE_CORES, NULL);
  assert_figure (node, JM_METRIC_NODE_CPUS, NULL, 4);
  assert_figure (node, JM_METRIC_NODE_MEMORY_SIZE, NULL, 1000 * KIB);
  assert_malformed (node, "/cpu2/topology/core_id", "first");
}

static void
test_without_sysfs_there_are_no_cpus_to_report (void)
{
  Tree *tree = tree_new ();
  g_autoptr (Node) node = NULL;

  tree_write (tree, "proc/stat", STAT);
  tree_write (tree, "proc/meminfo", MEMINFO);
  node = node_open_tree (tree);

  assert_figure (node, JM_METRIC_NODE_CPU, "idle", 40 * TICK_NS);
  assert_no_figure (node, JM_METRIC_NODE_CPUS, NULL);
  assert_n_errors (node, 0);
}

static void
test_what_memory_does_not_report_is_absent (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());

  assert_figure (node, JM_METRIC_NODE_MEMORY_FREE, NULL, 200 * KIB);
  assert_no_figure (node, JM_METRIC_NODE_MEMORY_AVAILABLE, NULL);
  assert_no_figure (node, JM_METRIC_NODE_SWAP_SIZE, NULL);
  assert_n_errors (node, 0);
}

static void
test_a_broken_line_of_memory_costs_its_own_figure (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());

  tree_rewrite (node->tree, "proc/meminfo",
                "MemTotal: 1000 kB\nMemFree: lots\n"
                "SwapTotal: 99999999999999999999 kB\nCached: 30 kB\n");
  node_read (node);

  assert_figure (node, JM_METRIC_NODE_MEMORY_SIZE, NULL, 1000 * KIB);
  assert_figure (node, JM_METRIC_NODE_MEMORY_CACHE, NULL, 30 * KIB);
  assert_no_figure (node, JM_METRIC_NODE_MEMORY_FREE, NULL);
  assert_no_figure (node, JM_METRIC_NODE_SWAP_SIZE, NULL);
  assert_malformed (node, "/proc/meminfo: ", "lots");
  assert_n_errors (node, 2);
  assert_figure (node, JM_METRIC_NODE_CPU, "idle", 40 * TICK_NS);
}

static void
test_a_number_too_large_for_bytes_is_not_reported (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());

  tree_rewrite (node->tree, "proc/meminfo",
                "MemTotal: 18446744073709551615 kB\nMemFree: 1 kB\n");
  node_read (node);

  assert_no_figure (node, JM_METRIC_NODE_MEMORY_SIZE, NULL);
  assert_figure (node, JM_METRIC_NODE_MEMORY_FREE, NULL, KIB);
  assert_malformed (node, "/proc/meminfo: ", "18446744073709551615");
}

static void
test_a_broken_stat_is_reported_and_costs_nothing_else (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());

  tree_rewrite (node->tree, "proc/stat", "cpu  100 20 x 40 5 6 7\nbtime 1700000000\n");
  node_read (node);

  assert_no_figure (node, JM_METRIC_NODE_CPU, "user");
  assert_figure (node, JM_METRIC_NODE_BOOT_TIME, NULL, 1700000000ULL * 1000000000);
  assert_malformed (node, "/proc/stat: ", "100 20 x 40");
}

static void
test_a_counter_of_the_node_never_falls (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());

  tree_rewrite (node->tree, "proc/stat",
                "cpu  100 20 30 39 4 6 7 8 9 1\nbtime 1700000000\n");
  node_read (node);

  assert_figure (node, JM_METRIC_NODE_CPU, "idle", 40 * TICK_NS);
  assert_figure (node, JM_METRIC_NODE_CPU, "iowait", 5 * TICK_NS);
}

static void
test_there_is_no_machine_without_procfs (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmMachine) machine =
    g_initable_new (JM_TYPE_MACHINE, NULL, &error, "host", host, NULL);

  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_null (machine);
}

static void
test_this_machine_reports_something_true (void)
{
  g_autoptr (Node) node = node_open (NULL);

  g_assert_cmpuint (node_get (node, JM_METRIC_NODE_MEMORY_SIZE, NULL), >=,
                    node_get (node, JM_METRIC_NODE_MEMORY_FREE, NULL));
  g_assert_cmpuint (node_get (node, JM_METRIC_NODE_BOOT_TIME, NULL) / 1000, <=,
                    (guint64) g_get_real_time ());
  g_assert_cmpuint (node_get (node, JM_METRIC_NODE_CPU, "user"), >, 0);
}

static void
test_the_first_line_of_stat_has_many_shapes (void)
{
  static const struct
  {
    const char *text;
    guint n_modes;
  } cases[] = {
    { "cpu  1 2 3 4 5 6 7\n", 7 },
    { "cpu 1 2 3 4 5 6 7 8 9 10 11 12\n", 10 },
    { "intr 1\ncpu 1 2 3 4 5 6 7 8\n", 8 },
    { "cpu  1 2 3 4 5 6\n", 0 },
    { "cpu  1 2 3 4 5 6 7 x\n", 0 },
    { "cpu  1 2 3 4 5 6 7", 0 },
    { "cpu  1 2 3 4 5 6 99999999999999999999\n", 0 },
    { "cpu0 1 2 3 4 5 6 7\n", 0 },
    { "cpu\n", 0 },
    { "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      JmNodeCpu cpu;
      gboolean taken = jm_parse_node_cpu (cases[i].text, strlen (cases[i].text), &cpu);

      g_assert_cmpint (taken, ==, cases[i].n_modes > 0);
      if (taken)
        g_assert_cmpuint (cpu.n_modes, ==, cases[i].n_modes);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/machine/a-real-node-reports-what-its-files-say",
                   test_a_real_node_reports_what_its_files_say);
  g_test_add_func ("/machine/guests-are-not-counted-twice",
                   test_guests_are_not_counted_twice);
  g_test_add_func ("/machine/cores-and-sockets-are-those-of-the-cpus-online",
                   test_cores_and_sockets_are_those_of_the_cpus_online);
  g_test_add_func ("/machine/the-topology-follows-the-cpus-online",
                   test_the_topology_follows_the_cpus_online);
  g_test_add_func ("/machine/an-unknown-topology-is-absent",
                   test_an_unknown_topology_is_absent);
  g_test_add_func ("/machine/a-broken-topology-is-reported-and-costs-nothing-else",
                   test_a_broken_topology_is_reported_and_costs_nothing_else);
  g_test_add_func ("/machine/without-sysfs-there-are-no-cpus-to-report",
                   test_without_sysfs_there_are_no_cpus_to_report);
  g_test_add_func ("/machine/what-memory-does-not-report-is-absent",
                   test_what_memory_does_not_report_is_absent);
  g_test_add_func ("/machine/a-broken-line-of-memory-costs-its-own-figure",
                   test_a_broken_line_of_memory_costs_its_own_figure);
  g_test_add_func ("/machine/a-number-too-large-for-bytes-is-not-reported",
                   test_a_number_too_large_for_bytes_is_not_reported);
  g_test_add_func ("/machine/a-broken-stat-is-reported-and-costs-nothing-else",
                   test_a_broken_stat_is_reported_and_costs_nothing_else);
  g_test_add_func ("/machine/a-counter-of-the-node-never-falls",
                   test_a_counter_of_the_node_never_falls);
  g_test_add_func ("/machine/there-is-no-machine-without-procfs",
                   test_there_is_no_machine_without_procfs);
  g_test_add_func ("/machine/this-machine-reports-something-true",
                   test_this_machine_reports_something_true);
  g_test_add_func ("/machine/the-first-line-of-stat-has-many-shapes",
                   test_the_first_line_of_stat_has_many_shapes);

  return g_test_run ();
}
