/* test-cgroup-allocations.c: a sweep of cgroups takes no memory anew
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "allocations.h"
#include "asked.h"
#include "tree.h"

#define N_SWEEPS 5

static void
sweep (Asked *asked, const guint *cgroups, guint n_cgroups)
{
  jm_readings_reset (asked->readings, jm_collector_set_get_all ());

  for (guint i = 0; i < n_cgroups; i++)
    {
      jm_readings_set_subject (asked->readings, i);
      jm_cgroup_reader_read (asked->reader, cgroups[i], asked->readings, NULL);
      jm_cgroup_reader_list_processes (asked->reader, cgroups[i], asked->readings,
                                       NULL);
    }
}

static guint
count_allocations (Asked *asked, const guint *cgroups, guint n_cgroups)
{
  guint64 before;

  sweep (asked, cgroups, n_cgroups);
  sweep (asked, cgroups, n_cgroups);

  before = allocations_count_of_thread ();
  for (guint i = 0; i < N_SWEEPS; i++)
    sweep (asked, cgroups, n_cgroups);

  return (guint) (allocations_count_of_thread () - before);
}

static void
assert_sweeps_allocate_nothing (const char *situation, const char *const paths[])
{
  g_autoptr (Asked) asked = asked_new_for_fixture (situation);
  guint cgroups[8];
  guint n_cgroups = 0;
  guint n_values;

  for (; paths[n_cgroups] != NULL; n_cgroups++)
    cgroups[n_cgroups] = asked_open (asked, paths[n_cgroups], JM_SUBJECT_KIND_JOB);

  g_assert_cmpuint (count_allocations (asked, cgroups, n_cgroups), ==, 0);
  jm_readings_get_values (asked->readings, &n_values);
  g_assert_cmpuint (n_values, >, 20);
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
test_sweeps_of_v2_allocate_nothing (void)
{
  static const char *const paths[] = {
    "/system.slice/n3_slurmstepd.scope",
    "/system.slice/n3_slurmstepd.scope/job_15",
    "/system.slice/n1_slurmstepd.scope/job_5",
    "/system.slice/n1_slurmstepd.scope/job_5/step_0",
    "/system.slice/n1_slurmstepd.scope/job_5/step_0/user/task_0",
    NULL,
  };

  assert_sweeps_allocate_nothing ("slurm-v2-steps", paths);
}

static void
test_sweeps_of_v1_allocate_nothing (void)
{
  static const char *const paths[] = {
    "/slurm_n1/uid_1002/job_6",
    "/slurm_n1/uid_1002/job_6/step_0",
    "/slurm_n1/uid_1002/job_6/step_0/task_1",
    NULL,
  };

  assert_sweeps_allocate_nothing ("slurm-v1-steps", paths);
}

static void
test_sweeps_of_many_devices_allocate_nothing (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GString) io = g_string_new (NULL);
  g_autoptr (Asked) asked = NULL;
  guint cgroup;

  for (guint i = 0; i < 500; i++)
    g_string_append_printf (io, "8:%u rbytes=%u wbytes=2 rios=3 wios=4\n", i, i);
  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "io\n");
  tree_write (tree, "sys/fs/cgroup/job_1/io.stat", io->str);
  tree_write (tree, "sys/fs/cgroup/job_1/cgroup.procs", "1\n2\n");

  asked = asked_new (tree->root);
  cgroup = asked_open (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  g_assert_cmpuint (count_allocations (asked, &cgroup, 1), ==, 0);
  assert_figure (asked, JM_METRIC_IO_READ_BYTES, "8:499", 499);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cgroup/allocations/the-counter-counts", test_the_counter_counts);
  g_test_add_func ("/cgroup/allocations/sweeps-of-v2-allocate-nothing",
                   test_sweeps_of_v2_allocate_nothing);
  g_test_add_func ("/cgroup/allocations/sweeps-of-v1-allocate-nothing",
                   test_sweeps_of_v1_allocate_nothing);
  g_test_add_func ("/cgroup/allocations/sweeps-of-many-devices-allocate-nothing",
                   test_sweeps_of_many_devices_allocate_nothing);

  return g_test_run ();
}
