/* test-cgroup-v1-reader.c: what a cgroup of version 1 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/cgroup/jm-cgroup-types-private.h"

#include "asked.h"
#include "tree.h"

#define JOB_6 "/slurm_n1/uid_1002/job_6"
#define JOB_17 "/slurm_n3/uid_1001/job_17"
#define V1 "sys/fs/cgroup/"

static void
test_the_figures_of_a_slurm_job_are_read_in_all_hierarchies (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v1-steps");

  asked_open_and_read (asked, JOB_6, JM_SUBJECT_KIND_JOB);

  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 2416837882);
  assert_figure (asked, JM_METRIC_CPU_USER, NULL, 2360000000);
  assert_figure (asked, JM_METRIC_CPU_SYSTEM, NULL, 50000000);
  assert_figure (asked, JM_METRIC_PERCPU, "0", 1181114944);
  assert_figure (asked, JM_METRIC_PERCPU, "1", 1235722938);
  assert_figure (asked, JM_METRIC_CPUS, NULL, 2);
  assert_figure (asked, JM_METRIC_MEMORY_USED, NULL, 48754688);
  assert_figure (asked, JM_METRIC_MEMORY_PEAK, NULL, 49758208);
  assert_figure (asked, JM_METRIC_MEMORY_LIMIT, NULL, 419430400);
  assert_figure (asked, JM_METRIC_MEMORY_FAILURES, NULL, 0);
  assert_figure (asked, JM_METRIC_MEMORY_SWAP_FAILURES, NULL, 0);
  assert_figure (asked, JM_METRIC_MEMORY_OOM_KILLS, NULL, 0);
  assert_figure (asked, JM_METRIC_MEMORY_SWAP_USED, NULL, 0);
  assert_figure (asked, JM_METRIC_MEMORY_RSS, NULL, 47112192);
  assert_figure (asked, JM_METRIC_MEMORY_CACHE, NULL, 57344);
  assert_figure (asked, JM_METRIC_MEMORY_INACTIVE_FILE, NULL, 53248);

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    g_assert_null (asked_get_error (asked, i));
}

static void
test_what_slurm_does_not_use_is_absent (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v1-steps");

  asked_open_and_read (asked, JOB_6, JM_SUBJECT_KIND_JOB);

  assert_no_figure (asked, JM_METRIC_MEMORY_SWAP_LIMIT);
  assert_no_figure (asked, JM_METRIC_MEMORY_SLAB);
  assert_no_figure (asked, JM_METRIC_MEMORY_OOMS);
  assert_no_figure (asked, JM_METRIC_CPU_THROTTLED);
  assert_no_figure (asked, JM_METRIC_CPU_PRESSURE_SOME);
  assert_no_figure (asked, JM_METRIC_PIDS);
  assert_no_figure (asked, JM_METRIC_IO_READ_BYTES);
}

static void
test_a_job_that_is_in_some_hierarchies_only_is_read_there (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v1-steps");

  asked_open_and_read (asked, JOB_17, JM_SUBJECT_KIND_JOB);

  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 3177174029);
  assert_figure (asked, JM_METRIC_CPUS, NULL, 1);
  assert_no_figure (asked, JM_METRIC_MEMORY_USED);
}

static void
test_only_the_cpus_of_a_cgroup_are_reported (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v1-steps");
  guint cgroup = asked_open_and_read (asked, JOB_17, JM_SUBJECT_KIND_JOB);

  g_assert_cmpuint (asked_count (asked, JM_METRIC_PERCPU), ==, 1);
  assert_figure (asked, JM_METRIC_PERCPU, "1", 3177174029);

  jm_readings_reset (asked->readings, JM_COLLECTOR_SET (JM_COLLECTOR_PERCPU));
  g_assert_true (jm_cgroup_reader_read (asked->reader, cgroup, asked->readings, NULL));
  g_assert_cmpuint (asked_count (asked, JM_METRIC_PERCPU), ==, 1);
  assert_no_figure (asked, JM_METRIC_CPUS);
}

static void
test_children_are_those_of_all_hierarchies (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v1-steps");

  g_assert_true (asked_has_child (asked, JOB_6 "/step_0", "task_1"));
  g_assert_true (asked_has_child (asked, "/slurm_n2/uid_1001", "job_19"));
  g_assert_true (asked_has_child (asked, "/slurm_n3/uid_1001", "job_17"));
}

static void
test_processes_are_those_of_the_hierarchy_that_goes_deepest (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v1-steps");
  guint job = asked_open (asked, JOB_6, JM_SUBJECT_KIND_JOB);
  guint task = asked_open (asked, JOB_6 "/step_0/task_1", JM_SUBJECT_KIND_TASK);
  guint frozen = asked_open (asked, "/slurm_n2/uid_1001/job_19", JM_SUBJECT_KIND_JOB);
  g_autofree char *of_job = asked_list_processes (asked, job);
  g_autofree char *of_task = asked_list_processes (asked, task);
  g_autofree char *of_frozen = asked_list_processes (asked, frozen);

  g_assert_cmpstr (of_job, ==, "");
  g_assert_cmpstr (of_task, ==, "31636");
  g_assert_cmpstr (of_frozen, ==, "");
}

static void
test_on_a_hybrid_host_a_cgroup_may_be_in_v2_alone (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("local");
  guint cgroup = asked_open_and_read (asked, "/jobmetrics/job_1", JM_SUBJECT_KIND_JOB);
  g_autofree char *processes = asked_list_processes (asked, cgroup);

  g_assert_true (asked_has_child (asked, "/jobmetrics", "job_1"));
  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 9989660000);
  assert_figure (asked, JM_METRIC_CPU_PRESSURE_SOME, NULL, 9256);
  assert_no_figure (asked, JM_METRIC_MEMORY_USED);
  g_assert_cmpstr (processes, ==, "8614 8615 8616");
}

static void
test_on_a_hybrid_host_cpu_time_counts_once (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, V1 "cpuacct/job_1/cpuacct.usage", "7000\n");
  tree_write (tree, V1 "unified/cgroup.controllers", "\n");
  tree_write (tree, V1 "unified/job_1/cpu.stat", "usage_usec 7\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_CPU_TOTAL, NULL, 7000);
}

static void
test_without_cpuacct_stat_the_finer_files_serve (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, V1 "cpuacct/job_1/cpuacct.usage_user", "30\n");
  tree_write (tree, V1 "cpuacct/job_1/cpuacct.usage_sys", "12\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_CPU_USER, NULL, 30);
  assert_figure (asked, JM_METRIC_CPU_SYSTEM, NULL, 12);
}

static void
test_memory_that_leaves_children_out_is_absent (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;
  guint job;

  tree_write (tree, V1 "memory/job_1/memory.use_hierarchy", "0\n");
  tree_write (tree, V1 "memory/job_1/memory.failcnt", "0\n");
  tree_write (tree, V1 "memory/job_1/memory.usage_in_bytes", "0\n");
  tree_write (tree, V1 "memory/job_1/cgroup.procs", "");
  tree_write (tree, V1 "memory/job_1/step_0/memory.use_hierarchy", "0\n");
  tree_write (tree, V1 "memory/job_1/step_0/memory.usage_in_bytes", "4096\n");
  tree_write (tree, V1 "memory/job_1/step_0/memory.failcnt", "2\n");

  asked = asked_new (tree->root);
  job = asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_no_figure (asked, JM_METRIC_MEMORY_USED);

  asked_open_and_read (asked, "/job_1/step_0", JM_SUBJECT_KIND_STEP);
  assert_figure (asked, JM_METRIC_MEMORY_USED, NULL, 4096);

  asked_read (asked, job);
  assert_no_figure (asked, JM_METRIC_MEMORY_USED);
  assert_figure (asked, JM_METRIC_MEMORY_FAILURES, NULL, 2);
}

/* Opened cgroups of a job: of version 1, with a memory controller alone. */
static const char *const tree_of_job[] = { "/job_1", "/job_1/step_0",
                                           "/job_1/step_0/task_0", "/job_1/step_1" };

typedef struct
{
  Asked *asked;
  Tree *tree;
  guint cgroups[G_N_ELEMENTS (tree_of_job)];
} JobTree;

static void
write_events (Tree *tree, const char *path, guint n_kills, guint n_failures)
{
  g_autofree char *dir = g_strconcat (V1 "memory", path, NULL);
  g_autofree char *procs = g_strconcat (dir, "/cgroup.procs", NULL);
  g_autofree char *oom = g_strconcat (dir, "/memory.oom_control", NULL);
  g_autofree char *oom_text =
    g_strdup_printf ("oom_kill_disable 0\nunder_oom 0\noom_kill %u\n", n_kills);
  g_autofree char *failures = g_strconcat (dir, "/memory.failcnt", NULL);
  g_autofree char *failures_text = g_strdup_printf ("%u\n", n_failures);

  tree_write (tree, procs, "");
  tree_rewrite (tree, oom, oom_text);
  tree_rewrite (tree, failures, failures_text);
}

/* The task had 3 kills and 1 failure, each of the others 1 and 10. */
static void
job_tree_init (JobTree *self)
{
  self->tree = tree_new ();
  for (guint i = 0; i < G_N_ELEMENTS (tree_of_job); i++)
    write_events (self->tree, tree_of_job[i], i == 2 ? 3 : 1, i == 2 ? 1 : 10);
  self->asked = asked_new (self->tree->root);
  for (guint i = 0; i < G_N_ELEMENTS (tree_of_job); i++)
    self->cgroups[i] = asked_open (self->asked, tree_of_job[i],
                                   i == 0 ? JM_SUBJECT_KIND_JOB : JM_SUBJECT_KIND_STEP);
}

static void
job_tree_clear (JobTree *self)
{
  asked_free (self->asked);
  tree_free (self->tree);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JobTree, job_tree_clear)

static void
assert_events (JobTree *self, guint i, guint n_kills, guint n_failures)
{
  asked_read (self->asked, self->cgroups[i]);
  assert_figure (self->asked, JM_METRIC_MEMORY_OOM_KILLS, NULL, n_kills);
  assert_figure (self->asked, JM_METRIC_MEMORY_FAILURES, NULL, n_failures);
}

static void
test_a_job_has_the_sum_of_the_events_of_its_cgroups (void)
{
  g_auto (JobTree) job = { NULL };

  job_tree_init (&job);
  assert_events (&job, 0, 6, 31);
  assert_events (&job, 1, 4, 11);
  assert_events (&job, 2, 3, 1);
  assert_events (&job, 3, 1, 10);

  write_events (job.tree, tree_of_job[2], 5, 2);
  assert_events (&job, 1, 6, 12);
  assert_events (&job, 0, 8, 32);
}

static void
test_events_of_a_cgroup_that_went_stay_with_those_above_it (void)
{
  g_auto (JobTree) job = { NULL };

  job_tree_init (&job);
  assert_events (&job, 0, 6, 31);

  jm_cgroup_reader_close_cgroup (job.asked->reader, job.cgroups[2]);
  assert_events (&job, 0, 6, 31);
  assert_events (&job, 1, 4, 11);

  /* one of the same name counts anew */
  write_events (job.tree, tree_of_job[2], 1, 0);
  job.cgroups[2] = asked_open (job.asked, tree_of_job[2], JM_SUBJECT_KIND_TASK);
  assert_events (&job, 0, 7, 31);
  assert_events (&job, 2, 1, 0);

  jm_cgroup_reader_close_cgroup (job.asked->reader, job.cgroups[1]);
  assert_events (&job, 0, 7, 31);
}

static void
test_a_count_that_was_reset_goes_on (void)
{
  g_auto (JobTree) job = { NULL };

  job_tree_init (&job);
  assert_events (&job, 0, 6, 31);

  write_events (job.tree, tree_of_job[1], 1, 0);
  assert_events (&job, 0, 6, 31);
  write_events (job.tree, tree_of_job[1], 1, 2);
  assert_events (&job, 0, 6, 33);
}

static void
test_a_broken_count_costs_its_own_cgroup (void)
{
  g_auto (JobTree) job = { NULL };

  job_tree_init (&job);
  tree_rewrite (job.tree, V1 "memory/job_1/step_1/memory.failcnt", "many\n");
  assert_events (&job, 0, 6, 21);
  assert_error_is (job.asked, JM_COLLECTOR_MEMORY, "step_1/memory.failcnt");
}

/* In one round a step is read after its job, which has read the step's files. */
static void
test_a_round_reads_the_events_of_a_cgroup_once (void)
{
  g_auto (JobTree) job = { NULL };
  guint64 kills[2] = { 0 };

  job_tree_init (&job);
  jm_readings_reset (job.asked->readings, jm_collector_set_get_all ());
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (jm_cgroup_reader_read (job.asked->reader, job.cgroups[i],
                                            job.asked->readings, NULL));
      kills[i] =
        jm_readings_find (job.asked->readings, 0, JM_METRIC_MEMORY_OOM_KILLS)->value;
      jm_readings_truncate (job.asked->readings, 0);
      write_events (job.tree, tree_of_job[2], 50, 50);
    }
  g_assert_cmpuint (kills[0], ==, 6);
  g_assert_cmpuint (kills[1], ==, 4);

  assert_events (&job, 1, 51, 60);
}

static void
test_failures_of_huge_pages_are_those_of_all_cgroups (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;
  guint job;

  tree_make_dir (tree, "sys/kernel/mm/hugepages/hugepages-2048kB");
  tree_write (tree, V1 "hugetlb/job_1/hugetlb.2MB.failcnt", "1\n");
  tree_write (tree, V1 "hugetlb/job_1/step_0/hugetlb.2MB.failcnt", "4\n");

  asked = asked_new (tree->root);
  job = asked_open (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  asked_open (asked, "/job_1/step_0", JM_SUBJECT_KIND_STEP);
  asked_read (asked, job);
  assert_figure (asked, JM_METRIC_HUGETLB_FAILURES, "2MB", 5);
}

static void
test_throttling_is_that_of_all_limits (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;
  guint job, step;

  tree_write (tree, V1 "cpu/job_1/cpu.stat",
              "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
  tree_write (tree, V1 "cpu/job_1/step_0/cpu.stat",
              "nr_periods 9\nnr_throttled 4\nthrottled_time 123456789\n");

  asked = asked_new (tree->root);
  job = asked_open (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  step = asked_open (asked, "/job_1/step_0", JM_SUBJECT_KIND_STEP);
  asked_read (asked, job);
  assert_figure (asked, JM_METRIC_CPU_PERIODS, NULL, 9);
  assert_figure (asked, JM_METRIC_CPU_THROTTLED_PERIODS, NULL, 4);
  assert_figure (asked, JM_METRIC_CPU_THROTTLED, NULL, 123456789);

  jm_cgroup_reader_close_cgroup (asked->reader, step);
  asked_read (asked, job);
  assert_figure (asked, JM_METRIC_CPU_THROTTLED, NULL, 123456789);
}

/* A child that was removed took with it what such files had counted of it. */
static void
test_a_cgroup_that_had_children_counts_itself_no_more (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;
  guint job;

  tree_write (tree, V1 "memory/job_1/memory.use_hierarchy", "0\n");
  tree_write (tree, V1 "memory/job_1/memory.max_usage_in_bytes", "4096\n");
  tree_write (tree, V1 "blkio/job_1/blkio.throttle.io_serviced",
              "8:0 Read 1\nTotal 1\n");
  tree_write (tree, V1 "memory/job_1/cgroup.procs", "");
  tree_make_dir (tree, V1 "memory/job_1/step_0");
  tree_make_dir (tree, V1 "blkio/job_1/step_0");

  asked = asked_new (tree->root);
  job = asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_no_figure (asked, JM_METRIC_MEMORY_PEAK);
  assert_no_figure (asked, JM_METRIC_IO_READS);

  tree_remove (tree, V1 "memory/job_1/step_0");
  tree_remove (tree, V1 "blkio/job_1/step_0");
  asked_read (asked, job);
  assert_no_figure (asked, JM_METRIC_MEMORY_PEAK);
  assert_no_figure (asked, JM_METRIC_IO_READS);
}

/* The plain keys of memory.stat, and pids.events, count one cgroup alone. */
static void
test_files_that_count_one_cgroup_are_not_read (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, V1 "memory/job_1/memory.stat",
              "cache 1\nrss 2\nswap 3\ntotal_rss 20\n");
  tree_write (tree, V1 "pids/job_1/pids.events", "max 7\n");
  tree_write (tree, V1 "pids/job_1/pids.current", "2\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_MEMORY_RSS, NULL, 20);
  assert_no_figure (asked, JM_METRIC_MEMORY_CACHE);
  assert_no_figure (asked, JM_METRIC_MEMORY_SWAP_USED);
  assert_figure (asked, JM_METRIC_PIDS, NULL, 2);
}

static void
test_a_limit_of_memory_and_swap_gives_that_of_swap (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, V1 "memory/job_1/memory.limit_in_bytes", "1000\n");
  tree_write (tree, V1 "memory/job_1/memory.memsw.limit_in_bytes", "1500\n");
  tree_write (tree, V1 "memory/job_1/memory.memsw.failcnt", "3\n");
  tree_write (tree, V1 "memory/job_1/memory.stat", "swap 1\ntotal_swap 77\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_MEMORY_LIMIT, NULL, 1000);
  assert_figure (asked, JM_METRIC_MEMORY_SWAP_LIMIT, NULL, 500);
  assert_figure (asked, JM_METRIC_MEMORY_SWAP_USED, NULL, 77);
  assert_figure (asked, JM_METRIC_MEMORY_SWAP_FAILURES, NULL, 3);
  assert_no_figure (asked, JM_METRIC_MEMORY_FAILURES);
}

/* Half the range of 64 bits, in whole pages, is no limit. */
static void
test_no_limit_is_another_thing_than_an_unread_one (void)
{
  static const struct
  {
    const char *limit;
    gboolean is_unlimited;
  } cases[] = { { "9223372036854771712\n", TRUE },
                { "-1\n", FALSE },
                { "1000\n", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Tree) tree = tree_new ();
      g_autoptr (Asked) asked = NULL;

      tree_write (tree, V1 "memory/job_1/memory.limit_in_bytes", cases[i].limit);
      tree_write (tree, V1 "memory/job_1/memory.memsw.limit_in_bytes", cases[i].limit);
      asked = asked_new (tree->root);
      asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
      if (cases[i].is_unlimited)
        {
          assert_figure (asked, JM_METRIC_MEMORY_UNLIMITED, NULL, 1);
          assert_figure (asked, JM_METRIC_MEMORY_SWAP_UNLIMITED, NULL, 1);
        }
      else
        {
          assert_no_figure (asked, JM_METRIC_MEMORY_UNLIMITED);
          assert_no_figure (asked, JM_METRIC_MEMORY_SWAP_UNLIMITED);
        }
    }
}

static void
test_block_io_is_that_of_the_whole_subtree (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_write (tree, V1 "blkio/job_1/blkio.throttle.io_service_bytes",
              "8:0 Read 1\n8:0 Write 1\n8:0 Total 2\nTotal 2\n");
  tree_write (tree, V1 "blkio/job_1/blkio.throttle.io_service_bytes_recursive",
              "8:0 Read 10\n8:0 Write 20\n8:0 Sync 30\n8:0 Total 30\nTotal 30\n");
  tree_write (tree, V1 "blkio/job_1/blkio.throttle.io_serviced",
              "8:0 Read 1\n8:0 Write 2\nTotal 3\n");
  tree_write (tree, V1 "blkio/job_2/blkio.throttle.io_serviced",
              "8:0 Read 1\n8:0 Write 2\nTotal 3\n");
  tree_write (tree, V1 "blkio/job_2/cgroup.procs", "");
  tree_write (tree, V1 "blkio/job_2/step_0/cgroup.procs", "");
  tree_write (tree, "sys/dev/block/8:0/uevent", "DEVNAME=sda\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_IO_READ_BYTES, "sda", 10);
  assert_figure (asked, JM_METRIC_IO_WRITE_BYTES, "sda", 20);
  assert_figure (asked, JM_METRIC_IO_READS, "sda", 1);
  assert_figure (asked, JM_METRIC_IO_WRITES, "sda", 2);

  asked_open_and_read (asked, "/job_2", JM_SUBJECT_KIND_JOB);
  assert_no_figure (asked, JM_METRIC_IO_READS);
}

static void
test_huge_pages_pids_and_throttling_are_read_where_there_are_some (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (Asked) asked = NULL;

  tree_make_dir (tree, "sys/kernel/mm/hugepages/hugepages-2048kB");
  tree_write (tree, V1 "hugetlb/job_1/hugetlb.2MB.usage_in_bytes", "0\n");
  tree_write (tree, V1 "hugetlb/job_1/hugetlb.2MB.max_usage_in_bytes", "2097152\n");
  tree_write (tree, V1 "hugetlb/job_1/hugetlb.2MB.limit_in_bytes",
              "9223372036854771712\n");
  tree_write (tree, V1 "hugetlb/job_1/hugetlb.2MB.failcnt", "1\n");
  tree_write (tree, V1 "pids/job_1/pids.current", "3\n");
  tree_write (tree, V1 "pids/job_1/pids.max", "100\n");
  tree_write (tree, V1 "cpu/job_1/cpu.stat",
              "nr_periods 9\nnr_throttled 4\nthrottled_time 123456789\n");

  asked = asked_new (tree->root);
  asked_open_and_read (asked, "/job_1", JM_SUBJECT_KIND_JOB);
  assert_figure (asked, JM_METRIC_HUGETLB_USED, "2MB", 0);
  assert_figure (asked, JM_METRIC_HUGETLB_PEAK, "2MB", 2097152);
  assert_no_figure (asked, JM_METRIC_HUGETLB_LIMIT);
  assert_figure (asked, JM_METRIC_HUGETLB_FAILURES, "2MB", 1);
  assert_figure (asked, JM_METRIC_PIDS, NULL, 3);
  assert_figure (asked, JM_METRIC_PIDS_LIMIT, NULL, 100);
  assert_figure (asked, JM_METRIC_CPU_PERIODS, NULL, 9);
  assert_figure (asked, JM_METRIC_CPU_THROTTLED_PERIODS, NULL, 4);
  assert_figure (asked, JM_METRIC_CPU_THROTTLED, NULL, 123456789);
}

static void
test_a_cgroup_that_is_in_no_hierarchy_is_absent (void)
{
  g_autoptr (Asked) asked = asked_new_for_fixture ("slurm-v1-steps");
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) list_error = NULL;

  g_assert_cmpuint (jm_cgroup_reader_open_cgroup (asked->reader, "/no/such",
                                                  JM_SUBJECT_KIND_JOB, &error),
                    ==, 0);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);

  g_assert_null (
    jm_cgroup_reader_list_children (asked->reader, "/no/such", &list_error));
  g_assert_error (list_error, JM_ERROR, JM_ERROR_ABSENT);
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/cgroup/v1-reader/" #name, test_##name                                              \
 }

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    GTestFunc func;
  } tests[] = {
    TEST (the_figures_of_a_slurm_job_are_read_in_all_hierarchies),
    TEST (what_slurm_does_not_use_is_absent),
    TEST (a_job_that_is_in_some_hierarchies_only_is_read_there),
    TEST (only_the_cpus_of_a_cgroup_are_reported),
    TEST (children_are_those_of_all_hierarchies),
    TEST (processes_are_those_of_the_hierarchy_that_goes_deepest),
    TEST (on_a_hybrid_host_a_cgroup_may_be_in_v2_alone),
    TEST (on_a_hybrid_host_cpu_time_counts_once),
    TEST (without_cpuacct_stat_the_finer_files_serve),
    TEST (memory_that_leaves_children_out_is_absent),
    TEST (a_job_has_the_sum_of_the_events_of_its_cgroups),
    TEST (events_of_a_cgroup_that_went_stay_with_those_above_it),
    TEST (a_count_that_was_reset_goes_on),
    TEST (a_broken_count_costs_its_own_cgroup),
    TEST (a_round_reads_the_events_of_a_cgroup_once),
    TEST (failures_of_huge_pages_are_those_of_all_cgroups),
    TEST (throttling_is_that_of_all_limits),
    TEST (a_cgroup_that_had_children_counts_itself_no_more),
    TEST (files_that_count_one_cgroup_are_not_read),
    TEST (a_limit_of_memory_and_swap_gives_that_of_swap),
    TEST (no_limit_is_another_thing_than_an_unread_one),
    TEST (block_io_is_that_of_the_whole_subtree),
    TEST (huge_pages_pids_and_throttling_are_read_where_there_are_some),
    TEST (a_cgroup_that_is_in_no_hierarchy_is_absent),
  };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].func);

  return g_test_run ();
}
