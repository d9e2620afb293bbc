/* test-cgroup-v2-reader.c: what a cgroup of version 2 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-host-private.h"
#include "sources/cgroup/jm-cgroup-types-private.h"

#include "asked.h"
#include "tree.h"

#define SCOPE "/system.slice/n3_slurmstepd.scope"
#define JOB_15 SCOPE "/job_15"

static void
test_the_figures_of_a_slurm_job_are_read (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v2-steps");

  asked_open_and_read (asked, JOB_15, JM_SUBJECT_KIND_JOB);

  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 17982665000);
  assert_figure (asked, JM_METRIC_CPU_USER, NULL, 14939379000);
  assert_figure (asked, JM_METRIC_CPU_SYSTEM, NULL, 3043285000);
  assert_figure (asked, JM_METRIC_CPU_PERIODS, NULL, 0);
  assert_figure (asked, JM_METRIC_CPU_THROTTLED, NULL, 0);
  assert_figure (asked, JM_METRIC_CPUS, NULL, 1);
  assert_figure (asked, JM_METRIC_MEMORY_USED, NULL, 13189120);
  assert_figure (asked, JM_METRIC_MEMORY_PEAK, NULL, 13680640);
  assert_figure (asked, JM_METRIC_MEMORY_LIMIT, NULL, 41943040);
  assert_no_figure (asked, JM_METRIC_MEMORY_UNLIMITED);
  assert_figure (asked, JM_METRIC_MEMORY_SWAP_USED, NULL, 0);
  assert_figure (asked, JM_METRIC_MEMORY_SWAP_UNLIMITED, NULL, 1);
  assert_figure (asked, JM_METRIC_MEMORY_OOM_KILLS, NULL, 0);
  assert_figure (asked, JM_METRIC_MEMORY_RSS, NULL, 12713984);
  assert_figure (asked, JM_METRIC_MEMORY_RSS_HUGE, NULL, 2097152);
  assert_figure (asked, JM_METRIC_MEMORY_CACHE, NULL, 12288);
  assert_figure (asked, JM_METRIC_MEMORY_SLAB, NULL, 127656);
  assert_figure (asked, JM_METRIC_CPU_PRESSURE_SOME, NULL, 20957799);
  assert_figure (asked, JM_METRIC_CPU_PRESSURE_FULL, NULL, 20061734);
  assert_figure (asked, JM_METRIC_IO_PRESSURE_SOME, NULL, 0);

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    g_assert_null (asked_get_error (asked, i));
}

static void
test_what_slurm_does_not_enable_is_absent (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v2-steps");

  asked_open_and_read (asked, JOB_15, JM_SUBJECT_KIND_JOB);

  assert_no_figure (asked, JM_METRIC_MEMORY_SWAP_LIMIT);
  assert_no_figure (asked, JM_METRIC_IO_READ_BYTES);
  assert_no_figure (asked, JM_METRIC_PIDS);
  assert_no_figure (asked, JM_METRIC_RDMA_HANDLES);
  assert_no_figure (asked, JM_METRIC_HUGETLB_USED);
  assert_no_figure (asked, JM_METRIC_PERCPU);
}

static void
test_a_step_is_not_asked_for_its_memory_stat (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v2-steps");

  asked_open_and_read (asked, JOB_15 "/step_0", JM_SUBJECT_KIND_STEP);

  g_assert_cmpuint (asked_count (asked, JM_METRIC_MEMORY_USED), ==, 1);
  assert_no_figure (asked, JM_METRIC_MEMORY_RSS);
}

static void
test_only_collectors_that_are_wanted_are_read (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v2-steps");
  guint cgroup = asked_open (asked, JOB_15, JM_SUBJECT_KIND_JOB);
  guint n_values;

  jm_readings_reset (asked->readings, JM_COLLECTOR_SET (JM_COLLECTOR_PRESSURE));
  g_assert_true (jm_cgroup_reader_read (asked->reader, cgroup, asked->readings, NULL));

  jm_readings_get_values (asked->readings, &n_values);
  g_assert_cmpuint (n_values, ==, 6);
  assert_no_figure (asked, JM_METRIC_CPU_TOTAL);
}

static void
test_block_io_is_reported_by_device (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "io\n");
  tree_write (tree, "sys/fs/cgroup/job_1/io.stat",
              "259:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6\n"
              "253:7 rbytes=10 wbytes=20 rios=30 wios=40 dbytes=0 dios=0\n");
  tree_write (tree, "sys/dev/block/259:0/uevent", "MAJOR=259\nDEVNAME=nvme0n1\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);

  assert_figure (asked, JM_METRIC_IO_READ_BYTES, "nvme0n1", 1);
  assert_figure (asked, JM_METRIC_IO_WRITE_BYTES, "nvme0n1", 2);
  assert_figure (asked, JM_METRIC_IO_READS, "nvme0n1", 3);
  assert_figure (asked, JM_METRIC_IO_WRITES, "nvme0n1", 4);
  assert_figure (asked, JM_METRIC_IO_WRITES, "253:7", 40);
}

static void
test_a_line_of_io_that_was_cut_short_is_not_taken (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "io\n");
  tree_write (tree, "sys/fs/cgroup/job_1/io.stat",
              "8:0 rbytes=1 wbytes=2 rios=3 wios=4\n8:1 rbytes=12");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);

  g_assert_cmpuint (asked_count (asked, JM_METRIC_IO_READ_BYTES), ==, 1);
  g_assert_null (asked_get_error (asked, JM_COLLECTOR_IO));
}

/* The kernel knows it no more, and several may be called so. */
static void
test_io_of_a_device_without_a_name_is_no_fault (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "io\n");
  tree_write (tree, "sys/fs/cgroup/job_1/io.stat",
              "(unknown) rbytes=0 wbytes=0 rios=6 wios=0 dbytes=0 dios=0\n"
              "259:2 \n"
              "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n"
              "(unknown) rbytes=5 wbytes=0 rios=6 wios=0 dbytes=0 dios=0\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);

  g_assert_cmpuint (asked_count (asked, JM_METRIC_IO_READ_BYTES), ==, 1);
  assert_figure (asked, JM_METRIC_IO_READ_BYTES, "8:0", 1);
  g_assert_null (asked_get_error (asked, JM_COLLECTOR_IO));
}

static void
test_pids_rdma_and_huge_pages_are_read_where_they_are_enabled (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "pids rdma hugetlb\n");
  tree_make_dir (tree, "sys/kernel/mm/hugepages/hugepages-2048kB");
  tree_make_dir (tree, "sys/kernel/mm/hugepages/hugepages-1048576kB");
  tree_write (tree, "sys/fs/cgroup/job_1/pids.current", "7\n");
  tree_write (tree, "sys/fs/cgroup/job_1/pids.max", "max\n");
  tree_write (tree, "sys/fs/cgroup/job_1/rdma.current",
              "mlx5_0 hca_handle=2 hca_object=2000\nocrdma1 hca_handle=1\n");
  tree_write (tree, "sys/fs/cgroup/job_1/hugetlb.2MB.current", "4194304\n");
  tree_write (tree, "sys/fs/cgroup/job_1/hugetlb.2MB.max", "8388608\n");
  tree_write (tree, "sys/fs/cgroup/job_1/hugetlb.2MB.events", "max 3\n");
  tree_write (tree, "sys/fs/cgroup/job_1/hugetlb.1GB.max", "max\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);

  assert_figure (asked, JM_METRIC_PIDS, NULL, 7);
  assert_no_figure (asked, JM_METRIC_PIDS_LIMIT);
  assert_figure (asked, JM_METRIC_RDMA_HANDLES, "mlx5_0", 2);
  assert_figure (asked, JM_METRIC_RDMA_OBJECTS, "mlx5_0", 2000);
  assert_figure (asked, JM_METRIC_RDMA_HANDLES, "ocrdma1", 1);
  g_assert_cmpuint (asked_count (asked, JM_METRIC_RDMA_OBJECTS), ==, 1);
  assert_figure (asked, JM_METRIC_HUGETLB_USED, "2MB", 4194304);
  assert_figure (asked, JM_METRIC_HUGETLB_LIMIT, "2MB", 8388608);
  assert_figure (asked, JM_METRIC_HUGETLB_FAILURES, "2MB", 3);
  g_assert_cmpuint (asked_count (asked, JM_METRIC_HUGETLB_LIMIT), ==, 1);
  assert_no_figure (asked, JM_METRIC_HUGETLB_PEAK);
}

static void
test_without_the_cpu_controller_there_is_no_throttling (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "memory\n");
  tree_write (tree, "sys/fs/cgroup/job_1/cpu.stat",
              "usage_usec 5\nuser_usec 3\nsystem_usec 2\n");
  tree_write (tree, "sys/fs/cgroup/job_1/cpuset.cpus", "\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);

  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 5000);
  assert_no_figure (asked, JM_METRIC_CPU_PERIODS);
  assert_no_figure (asked, JM_METRIC_CPU_THROTTLED);
  assert_no_figure (asked, JM_METRIC_CPUS);
}

static void
test_swap_that_hit_its_limit_is_counted (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "memory\n");
  tree_write (tree, "sys/fs/cgroup/job_1/memory.current", "4096\n");
  tree_write (tree, "sys/fs/cgroup/job_1/memory.swap.events",
              "high 1\nmax 7\nfail 9\n");
  tree_write (tree, "sys/fs/cgroup/job_2/memory.current", "4096\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_MEMORY_SWAP_FAILURES, NULL, 7);

  asked_open_and_read (asked, "/job_2", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_MEMORY_USED, NULL, 4096);
  assert_no_figure (asked, JM_METRIC_MEMORY_SWAP_FAILURES);
}

static void
test_broken_files_cost_their_own_figures_only (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("hostile");

  asked_open_and_read (asked, "/system.slice/slurmstepd.scope/job_2",
                       JM_SUBJECT_KIND_JOB);

  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 16326932000);
  assert_no_figure (asked, JM_METRIC_CPU_SYSTEM);
  assert_no_figure (asked, JM_METRIC_CPUS);
  assert_no_figure (asked, JM_METRIC_MEMORY_USED);
  assert_no_figure (asked, JM_METRIC_MEMORY_LIMIT);
  assert_no_figure (asked, JM_METRIC_MEMORY_UNLIMITED);
  assert_no_figure (asked, JM_METRIC_MEMORY_PEAK);
  assert_no_figure (asked, JM_METRIC_MEMORY_SWAP_USED);
  assert_no_figure (asked, JM_METRIC_MEMORY_FAILURES);
  assert_no_figure (asked, JM_METRIC_MEMORY_OOMS);
  assert_figure (asked, JM_METRIC_MEMORY_OOM_KILLS, NULL, 3);
  assert_no_figure (asked, JM_METRIC_MEMORY_RSS);
  assert_no_figure (asked, JM_METRIC_CPU_PRESSURE_SOME);
  assert_figure (asked, JM_METRIC_MEMORY_PRESSURE_SOME, NULL, 12);
  assert_figure (asked, JM_METRIC_IO_PRESSURE_FULL, NULL, 0);
}

static void
test_a_broken_file_is_named_and_quoted (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("hostile");
  const JmCollectorStatus *status;

  asked_open_and_read (asked, "/system.slice/slurmstepd.scope/job_2",
                       JM_SUBJECT_KIND_JOB);

  /* whose last number was cut short */
  g_assert_false (asked_get_error (asked, JM_COLLECTOR_CPU) != NULL &&
                  strstr (asked_get_error (asked, JM_COLLECTOR_CPU), "cpu.stat"));
  assert_error_is (asked, JM_COLLECTOR_MEMORY,
                   "job_2/memory.current: not a number: 12garbage34");
  assert_error_is (asked, JM_COLLECTOR_PRESSURE, "job_2/cpu.pressure: not a pressure");
  assert_error_is (asked, JM_COLLECTOR_MEMORY_STAT, "job_2/memory.stat: ");

  status = jm_readings_get_status (asked->readings, JM_COLLECTOR_MEMORY);
  g_assert_error (status->first_error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_cmpuint (status->n_errors, ==, 4);
}

/* Or a job would be taken for one whose CPU time is not accounted for. */
static void
test_an_empty_file_of_keys_is_named (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "cpu\n");
  tree_write (tree, "sys/fs/cgroup/job_1/cpu.stat", "");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);

  assert_no_figure (asked, JM_METRIC_CPU_TOTAL);
  assert_error_is (asked, JM_COLLECTOR_CPU, "job_1/cpu.stat: not lines of a key");
}

static void
test_lines_that_are_no_process_ids_cost_the_others_nothing (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("hostile");
  guint cgroup =
    asked_open (asked, "/system.slice/slurmstepd.scope/job_2/step_batch/user/task_0",
                JM_SUBJECT_KIND_TASK);
  g_autofree char *processes = NULL;

  jm_readings_begin (asked->readings, JM_COLLECTOR_PROCESS);
  processes = asked_list_processes (asked, cgroup);

  g_assert_cmpstr (processes, ==, "826 829 845 999999");
  assert_error_is (asked, JM_COLLECTOR_PROCESS,
                   "task_0/cgroup.procs: not a process id");
}

static void
test_memory_stat_keeps_to_its_interval (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;
  guint cgroup;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "memory\n");
  tree_write (tree, "sys/fs/cgroup/job_1/memory.stat", "anon 1\nfile 2\n");
  tree_write (tree, "sys/fs/cgroup/job_1/memory.current", "1\n");

  asked = asked_new (tree->root);
  g_object_set (asked->reader, "memory-stat-interval", 3600 * 1000, NULL);
  cgroup = asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_MEMORY_RSS, NULL, 1);

  tree_write (tree, "sys/fs/cgroup/job_1/memory.stat", "anon 10\nfile 20\n");
  asked_read (asked, cgroup);
  assert_figure (asked, JM_METRIC_MEMORY_RSS, NULL, 1);
  assert_figure (asked, JM_METRIC_MEMORY_CACHE, NULL, 2);

  g_object_set (asked->reader, "memory-stat-interval", 0, NULL);
  asked_read (asked, cgroup);
  assert_figure (asked, JM_METRIC_MEMORY_RSS, NULL, 10);
}

static void
test_a_cgroup_that_is_not_there_is_absent (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v2-steps");
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) list_error = NULL;
  g_autoptr (GError) read_error = NULL;

  g_assert_cmpuint (jm_cgroup_reader_open_cgroup (asked->reader, "/no/such",
                                                  JM_SUBJECT_KIND_JOB, &error),
                    ==, 0);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);

  g_assert_null (
    jm_cgroup_reader_list_children (asked->reader, "/no/such", &list_error));
  g_assert_error (list_error, JM_ERROR, JM_ERROR_ABSENT);

  g_assert_false (
    jm_cgroup_reader_read (asked->reader, 4711, asked->readings, &read_error));
  g_assert_error (read_error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_a_cgroup_that_went_after_it_was_opened_is_absent (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;
  g_autoptr (GError) error = NULL;
  guint cgroup;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "memory\n");
  tree_write (tree, "sys/fs/cgroup/job_1/cgroup.procs", "");

  asked = asked_new (tree->root);
  cgroup = asked_open (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  tree_remove (tree, "sys/fs/cgroup/job_1");

  g_assert_false (
    jm_cgroup_reader_read (asked->reader, cgroup, asked->readings, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_a_cgroup_without_any_figures_is_there_all_the_same (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;
  guint n_values;

  tree_write (tree, "sys/fs/cgroup/cgroup.controllers", "memory\n");
  tree_write (tree, "sys/fs/cgroup/job_1/cgroup.procs", "");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  jm_readings_get_values (asked->readings, &n_values);
  g_assert_cmpuint (n_values, ==, 0);
}

static void
test_a_number_is_given_again_once_it_is_free (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v2-steps");
  guint first = asked_open (asked, JOB_15, JM_SUBJECT_KIND_JOB);
  guint second = asked_open (asked, SCOPE "/job_16", JM_SUBJECT_KIND_JOB);

  g_assert_cmpuint (first, !=, second);
  jm_cgroup_reader_close_cgroup (asked->reader, first);
  jm_cgroup_reader_close_cgroup (asked->reader, first);
  g_assert_cmpuint (asked_open (asked, JOB_15, JM_SUBJECT_KIND_JOB), ==, first);
}

static void
test_a_copied_tree_is_listed_once_and_never_changes (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v2-steps");
  g_auto (GStrv) first = jm_cgroup_reader_take_changes (asked->reader);
  g_auto (GStrv) second = NULL;

  g_assert_null (first);
  g_assert_true (asked_has_child (asked, SCOPE, "job_15"));
  g_assert_true (asked_has_child (asked, "/", "system.slice"));
  g_assert_false (asked_has_child (asked, SCOPE, "cpu.stat"));

  second = jm_cgroup_reader_take_changes (asked->reader);
  g_assert_nonnull (second);
  g_assert_cmpuint (g_strv_length (second), ==, 0);
  g_assert_cmpint (jm_cgroup_reader_get_event_fd (asked->reader), ==, -1);
}

static void
test_all_is_read_with_no_descriptor_to_spare (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "slurm-v2-steps", NULL);
  JmHost *host = g_object_new (JM_TYPE_HOST, "root", root, "max-open-files", 1, NULL);
  JmCgroupReader *reader =
    (JmCgroupReader *) g_initable_new (JM_TYPE_CGROUP_V2_READER, NULL, NULL, "host",
                                       host, NULL);
  g_autoptr (Asked) asked = asked_new_for_reader (host, reader);
  guint cgroup = asked_open_and_read (asked, JOB_15, JM_SUBJECT_KIND_JOB);

  asked_read (asked, cgroup);
  assert_figure (asked, JM_METRIC_MEMORY_USED, NULL, 13189120);
  assert_figure (asked, JM_METRIC_IO_PRESSURE_SOME, NULL, 0);
  g_assert_cmpuint (jm_host_get_open_files (host), <=, 1);
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/cgroup/v2-reader/" #name, test_##name                                              \
 }

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    GTestFunc func;
  } tests[] = {
    TEST (the_figures_of_a_slurm_job_are_read),
    TEST (what_slurm_does_not_enable_is_absent),
    TEST (a_step_is_not_asked_for_its_memory_stat),
    TEST (only_collectors_that_are_wanted_are_read),
    TEST (block_io_is_reported_by_device),
    TEST (a_line_of_io_that_was_cut_short_is_not_taken),
    TEST (io_of_a_device_without_a_name_is_no_fault),
    TEST (pids_rdma_and_huge_pages_are_read_where_they_are_enabled),
    TEST (without_the_cpu_controller_there_is_no_throttling),
    TEST (swap_that_hit_its_limit_is_counted),
    TEST (broken_files_cost_their_own_figures_only),
    TEST (a_broken_file_is_named_and_quoted),
    TEST (an_empty_file_of_keys_is_named),
    TEST (lines_that_are_no_process_ids_cost_the_others_nothing),
    TEST (memory_stat_keeps_to_its_interval),
    TEST (a_cgroup_that_is_not_there_is_absent),
    TEST (a_cgroup_that_went_after_it_was_opened_is_absent),
    TEST (a_cgroup_without_any_figures_is_there_all_the_same),
    TEST (a_number_is_given_again_once_it_is_free),
    TEST (a_copied_tree_is_listed_once_and_never_changes),
    TEST (all_is_read_with_no_descriptor_to_spare),
  };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].func);

  return g_test_run ();
}
