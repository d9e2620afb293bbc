/* test-topology.c: cores and sockets, and cores of more than one kind
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-topology-private.h"
#include "tree.h"

#define N_CPUS 4

/* Two packages of two cores. */
static Tree *
make_tree (void)
{
  Tree *tree = tree_new ();

  tree_write (tree, "sys/devices/system/cpu/online", "0-3\n");
  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    {
      g_autofree char *folder =
        g_strdup_printf ("sys/devices/system/cpu/cpu%u/topology", cpu);
      g_autofree char *package_path =
        g_strconcat (folder, "/physical_package_id", NULL);
      g_autofree char *core_path = g_strconcat (folder, "/core_id", NULL);

      tree_write (tree, package_path, cpu < 2 ? "0\n" : "1\n");
      tree_write (tree, core_path, cpu % 2 == 0 ? "0\n" : "1\n");
    }

  return tree;
}

static void
write_capacities (Tree *tree, const char *const capacities[N_CPUS])
{
  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    {
      g_autofree char *path =
        g_strdup_printf ("sys/devices/system/cpu/cpu%u/cpu_capacity", cpu);

      if (capacities[cpu] != NULL)
        tree_write (tree, path, capacities[cpu]);
    }
}

/* Whatever is said of kinds, each CPU has its seat. Takes the tree. */
static void
assert_capacities (Tree *tree, const double wanted[N_CPUS])
{
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  JmTopology topology = { 0 };

  g_assert_true (jm_topology_read_online (&topology, host, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (topology.n_cores, ==, 4);
  g_assert_cmpuint (topology.n_sockets, ==, 2);
  g_assert_cmpuint (topology.seats->len, ==, N_CPUS);
  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    g_assert_cmpfloat (g_array_index (topology.seats, JmCpuSeat, cpu).capacity, ==,
                       wanted[cpu]);

  jm_topology_clear (&topology);
  tree_free (tree);
}

static void
test_cores_are_alike_where_nothing_else_is_said (void)
{
  assert_capacities (make_tree (), (const double[]){ 1, 1, 1, 1 });
}

static void
test_arm_has_a_figure_for_each (void)
{
  Tree *tree = make_tree ();

  write_capacities (tree,
                    (const char *const[]){ "256\n", "512\n", "1024\n", "1024\n" });
  assert_capacities (tree, (const double[]){ 0.25, 0.5, 1, 1 });
}

static void
test_a_figure_that_is_missing_leaves_all_alike (void)
{
  static const char *const odd[] = { NULL,     "0\n", "-1\n",
                                     "many\n", "\n",  "99999999999999999999999\n" };

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      Tree *tree = make_tree ();

      write_capacities (tree,
                        (const char *const[]){ "512\n", "1024\n", odd[i], "512\n" });
      assert_capacities (tree, (const double[]){ 1, 1, 1, 1 });
    }
}

static void
test_intel_lists_its_smaller_cores (void)
{
  Tree *tree = make_tree ();

  tree_write (tree, "sys/devices/cpu_core/cpus", "0\n");
  tree_write (tree, "sys/devices/cpu_atom/cpus", "1-2\n");
  tree_write (tree, "sys/devices/cpu_lowpower/cpus", "3,7\n");
  assert_capacities (tree, (const double[]){ 1, 0.5, 0.5, 0.5 });
}

static void
test_a_list_that_is_broken_counts_up_to_there (void)
{
  Tree *tree = make_tree ();

  tree_write (tree, "sys/devices/cpu_atom/cpus", "1,2,x\n");
  assert_capacities (tree, (const double[]){ 1, 0.5, 1, 1 });
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/topology/alike", test_cores_are_alike_where_nothing_else_is_said);
  g_test_add_func ("/topology/arm", test_arm_has_a_figure_for_each);
  g_test_add_func ("/topology/missing", test_a_figure_that_is_missing_leaves_all_alike);
  g_test_add_func ("/topology/intel", test_intel_lists_its_smaller_cores);
  g_test_add_func ("/topology/broken", test_a_list_that_is_broken_counts_up_to_there);

  return g_test_run ();
}
