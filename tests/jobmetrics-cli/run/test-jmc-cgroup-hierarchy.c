/* test-jmc-cgroup-hierarchy.c: where cgroups are mounted, and where in them we are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-cgroup-hierarchy.h"

static const char v1_mounts[] =
  "23 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
  "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
  "36 31 0:33 /docker/c1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
  "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n";

static const char v2_mounts[] =
  "30 23 0:26 / /sys/fs/cgr\\040oup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

static void
test_v1_hierarchies_are_found_by_controller (void)
{
  g_autoptr (GPtrArray) all = jmc_cgroup_hierarchy_parse_mounts (v1_mounts);
  const JmcCgroupHierarchy *cpuacct = jmc_cgroup_hierarchy_find (all, "cpuacct");

  g_assert_cmpuint (all->len, ==, 3);
  g_assert_cmpstr (cpuacct->mount_point, ==, "/sys/fs/cgroup/cpu,cpuacct");
  g_assert_true (cpuacct == jmc_cgroup_hierarchy_find (all, "cpu"));
  g_assert_null (jmc_cgroup_hierarchy_find (all, "pids"));
  g_assert_null (jmc_cgroup_hierarchy_find (all, NULL));
}

static void
test_the_v2_hierarchy_is_found_where_its_path_has_a_blank (void)
{
  g_autoptr (GPtrArray) all = jmc_cgroup_hierarchy_parse_mounts (v2_mounts);
  const JmcCgroupHierarchy *v2 = jmc_cgroup_hierarchy_find (all, NULL);

  g_assert_true (jmc_cgroup_hierarchy_is_v2 (v2));
  g_assert_cmpstr (v2->mount_point, ==, "/sys/fs/cgr oup");
}

static void
test_our_own_cgroup_is_reported_below_its_mount (void)
{
  g_autoptr (GPtrArray) all = jmc_cgroup_hierarchy_parse_mounts (v1_mounts);

  jmc_cgroup_hierarchy_locate (all, "9:name=systemd:/user.slice\n"
                                    "4:memory:/docker/c1/a\n"
                                    "2:cpu,cpuacct:/\n");

  g_assert_cmpstr (jmc_cgroup_hierarchy_find (all, "cpu")->own, ==,
                   "/sys/fs/cgroup/cpu,cpuacct");
  g_assert_cmpstr (jmc_cgroup_hierarchy_find (all, "memory")->own, ==,
                   "/sys/fs/cgroup/memory/a");
}

static void
test_a_cgroup_out_of_sight_is_not_reported (void)
{
  g_autoptr (GPtrArray) v1 = jmc_cgroup_hierarchy_parse_mounts (v1_mounts);
  g_autoptr (GPtrArray) v2 = jmc_cgroup_hierarchy_parse_mounts (v2_mounts);

  jmc_cgroup_hierarchy_locate (v1, "4:memory:/docker/c10\n");
  jmc_cgroup_hierarchy_locate (v2, "0::/../elsewhere\n");

  g_assert_null (jmc_cgroup_hierarchy_find (v1, "memory")->own);
  g_assert_null (jmc_cgroup_hierarchy_find (v2, NULL)->own);
}

static void
test_broken_lines_are_passed_over (void)
{
  g_autoptr (GPtrArray) all =
    jmc_cgroup_hierarchy_parse_mounts ("\n - \n - cgroup\n1 2 3 - cgroup2 x y\n"
                                       "30 23 0:26 / /sys - cgroup\n\\\n");

  g_assert_cmpuint (all->len, ==, 0);
  jmc_cgroup_hierarchy_locate (all, "::\n0:\nx\n0::relative\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/hierarchy/v1-hierarchies-are-found-by-controller",
                   test_v1_hierarchies_are_found_by_controller);
  g_test_add_func ("/cli/hierarchy/"
                   "the-v2-hierarchy-is-found-where-its-path-has-a-blank",
                   test_the_v2_hierarchy_is_found_where_its_path_has_a_blank);
  g_test_add_func ("/cli/hierarchy/our-own-cgroup-is-found-below-its-mount",
                   test_our_own_cgroup_is_reported_below_its_mount);
  g_test_add_func ("/cli/hierarchy/a-cgroup-out-of-sight-is-not-found",
                   test_a_cgroup_out_of_sight_is_not_reported);
  g_test_add_func ("/cli/hierarchy/broken-lines-are-passed-over",
                   test_broken_lines_are_passed_over);

  return g_test_run ();
}
