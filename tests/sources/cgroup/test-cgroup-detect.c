/* test-cgroup-detect.c: the reader that fits a host
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/cgroup/jm-cgroup-reader.h"

#include "asked.h"
#include "sources/cgroup/jm-cgroup-types-private.h"
#include "tree.h"

#define V1_LINE(controllers)                                                           \
 "33 31 0:30 / /sys/fs/cgroup/" controllers " rw - cgroup cgroup rw," controllers "\n"
#define SYSTEMD_LINE                                                                   \
 "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"
#define UNIFIED_LINE "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"

static JmCgroupReader *
detect (const char *root, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (root);

  return jm_cgroup_reader_new_for_host (host, error);
}

static GType
detect_type (const char *root)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCgroupReader) reader = detect (root, &error);

  g_assert_no_error (error);
  return G_OBJECT_TYPE (reader);
}

static void
test_each_situation_has_the_reader_of_its_jobs (void)
{
  static const struct
  {
    const char *situation;
    GType (*type) (void);
  } cases[] = {
    { "slurm-v2-steps", jm_cgroup_v2_reader_get_type },
    { "slurm-v2-plain", jm_cgroup_v2_reader_get_type },
    { "hostile", jm_cgroup_v2_reader_get_type },
    { "slurm-v1-steps", jm_cgroup_v1_reader_get_type },
    { "local", jm_cgroup_v1_reader_get_type },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *root =
        g_test_build_filename (G_TEST_BUILT, "fixtures", cases[i].situation, NULL);

      g_test_message ("%s", cases[i].situation);
      g_assert_true (detect_type (root) == cases[i].type ());
    }
}

static void
test_is_absent_on_a_machine_without_cgroups (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "empty", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCgroupReader) reader = detect (root, &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_null (reader);
}

static void
test_a_hybrid_host_is_measured_where_its_controllers_are (void)
{
  g_autoptr (Tree) tree = tree_new ();

  tree_write (tree, "sys/fs/cgroup/unified/cgroup.controllers", "cpu memory\n");
  tree_make_dir (tree, "sys/fs/cgroup/systemd");
  tree_write (tree, "proc/self/mountinfo", SYSTEMD_LINE UNIFIED_LINE);
  g_assert_true (detect_type (tree->root) == JM_TYPE_CGROUP_V2_READER);

  tree_write (tree, "sys/fs/cgroup/unified/cgroup.controllers", "rdma\n");
  g_assert_true (detect_type (tree->root) == JM_TYPE_CGROUP_V1_READER);

  tree_write (tree, "sys/fs/cgroup/unified/cgroup.controllers", "cpu\n");
  tree_make_dir (tree, "sys/fs/cgroup/memory");
  tree_write (tree, "proc/self/mountinfo",
              SYSTEMD_LINE V1_LINE ("memory") UNIFIED_LINE);
  g_assert_true (detect_type (tree->root) == JM_TYPE_CGROUP_V1_READER);
}

static void
test_a_copied_tree_needs_no_mountinfo (void)
{
  g_autoptr (Tree) v1 = tree_new ();
  g_autoptr (Tree) v2 = tree_new ();

  tree_make_dir (v1, "sys/fs/cgroup/cpuacct");
  g_assert_true (detect_type (v1->root) == JM_TYPE_CGROUP_V1_READER);

  tree_write (v2, "sys/fs/cgroup/cgroup.controllers", "cpu\n");
  g_assert_true (detect_type (v2->root) == JM_TYPE_CGROUP_V2_READER);
}

static void
test_controllers_that_share_a_hierarchy_are_found_in_it (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "proc/self/mountinfo", V1_LINE ("cpu,cpuacct"));
  tree_write (tree, "sys/fs/cgroup/cpu,cpuacct/job_1/cpuacct.usage", "70\n");
  tree_write (tree, "sys/fs/cgroup/cpu,cpuacct/job_1/cpu.stat",
              "nr_periods 5\nnr_throttled 2\nthrottled_time 900\n");

  asked = asked_new (tree->root);
  g_assert_true (asked_has_child (asked, "/", "job_1"));
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 70);
  assert_figure (asked, JM_METRIC_CPU_THROTTLED, NULL, 900);
}

static void
test_the_whole_hierarchy_is_taken_and_not_a_part_mounted_elsewhere (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "proc/self/mountinfo",
              "50 1 0:38 /docker/a /srv/part rw - cgroup2 cgroup2 rw\n"
              "51 1 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
              "52 1 0:38 / /srv/other rw - cgroup2 cgroup2 rw\n");
  tree_make_dir (tree, "srv/part/of_a_container");
  tree_make_dir (tree, "srv/other/elsewhere");
  tree_make_dir (tree, "sys/fs/cgroup/job_1");

  asked = asked_new (tree->root);
  g_assert_true (asked_has_child (asked, "/", "job_1"));
  g_assert_false (asked_has_child (asked, "/", "of_a_container"));
}

static void
test_paths_begin_at_the_mount_whatever_is_mounted_there (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "proc/self/mountinfo",
              "51 1 0:38 /../../kubepods /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree_write (tree, "sys/fs/cgroup/job_1/memory.current", "4096\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_MEMORY_USED, NULL, 4096);
}

static void
test_cgroupfs_may_be_mounted_elsewhere (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *cgroupfs = tree_path (tree, "cgroups");
  g_autofree char *procfs = tree_path (tree, "proc");
  g_autoptr (JmHost) host = NULL;
  g_autoptr (JmCgroupReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  tree_write (tree, "proc/self/mountinfo", V1_LINE ("memory"));
  tree_make_dir (tree, "cgroups/memory/slurm");

  host = jm_host_new_with_paths (NULL, procfs, NULL, cgroupfs);
  reader = jm_cgroup_reader_new_for_host (host, &error);
  g_assert_no_error (error);

  names = jm_cgroup_reader_list_children (reader, "/", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_assert_cmpstr (names[0], ==, "slurm");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cgroup/detect/each-situation-has-the-reader-of-its-jobs",
                   test_each_situation_has_the_reader_of_its_jobs);
  g_test_add_func ("/cgroup/detect/is-absent-on-a-machine-without-cgroups",
                   test_is_absent_on_a_machine_without_cgroups);
  g_test_add_func ("/cgroup/detect/a-hybrid-host-is-measured-where-its-controllers-are",
                   test_a_hybrid_host_is_measured_where_its_controllers_are);
  g_test_add_func ("/cgroup/detect/a-copied-tree-needs-no-mountinfo",
                   test_a_copied_tree_needs_no_mountinfo);
  g_test_add_func ("/cgroup/detect/controllers-that-share-a-hierarchy-are-found-in-it",
                   test_controllers_that_share_a_hierarchy_are_found_in_it);
  g_test_add_func ("/cgroup/detect/"
                   "the-whole-hierarchy-is-taken-and-not-a-part-mounted-elsewhere",
                   test_the_whole_hierarchy_is_taken_and_not_a_part_mounted_elsewhere);
  g_test_add_func ("/cgroup/detect/paths-begin-at-the-mount-whatever-is-mounted-there",
                   test_paths_begin_at_the_mount_whatever_is_mounted_there);
  g_test_add_func ("/cgroup/detect/cgroupfs-may-be-mounted-elsewhere",
                   test_cgroupfs_may_be_mounted_elsewhere);

  return g_test_run ();
}
