/* test-jmc-job-page.c: what list and show make of a snapshot
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "../core/made-job.h"
#include "base/jm-error.h"
#include "core/jm-job-selection.h"
#include "core/jm-snapshot-private.h"
#include "jm-snapshot-builder.h"
#include "jmc-columns.h"
#include "pages/jmc-job-page.h"

#define START 1700000000
#define NOW (START + 3600)

static JmJob *
make_array_job (void)
{
  const char *const fields[JM_N_JOB_FIELDS] = {
    [JM_JOB_FIELD_ID] = "12",
    [JM_JOB_FIELD_ARRAY_JOB_ID] = "10",
    [JM_JOB_FIELD_ARRAY_TASK_ID] = "2",
    [JM_JOB_FIELD_SCHEDULER] = "slurm",
    [JM_JOB_FIELD_USER] = "alice",
    [JM_JOB_FIELD_UID] = "1000",
    [JM_JOB_FIELD_ACCOUNT] = "physics",
    [JM_JOB_FIELD_NAME] = "train\033[2J",
    [JM_JOB_FIELD_UUID] = "0b0c5dd6-0000-5000-8000-000000000000",
    [JM_JOB_FIELD_START_TIME] = G_STRINGIFY (START),
  };

  return made_job_new (fields, JM_ORIGIN_HOOK);
}

static JmJob *
make_bare_job (void)
{
  const char *const fields[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "7" };

  return made_job_new (fields, JM_ORIGIN_PATH);
}

static void
add_figures (JmSnapshotBuilder *node)
{
  jm_snapshot_builder_add (node, JM_METRIC_CPU_USER,
                           7000 * G_GUINT64_CONSTANT (1000000000));
  jm_snapshot_builder_add (node, JM_METRIC_CPU_TOTAL,
                           7200 * G_GUINT64_CONSTANT (1000000000));
  jm_snapshot_builder_add (node, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (node, JM_METRIC_MEMORY_USED, 3 << 20);
  jm_snapshot_builder_add (node, JM_METRIC_MEMORY_LIMIT, 1 << 30);
  jm_snapshot_builder_add_labelled (node, JM_METRIC_IO_READ_BYTES, "8:0", 4096);
  jm_snapshot_builder_add_labelled (node, JM_METRIC_IO_READ_BYTES, "8:16", 0);
  jm_snapshot_builder_add_labelled (node, JM_METRIC_IO_WRITES, "8:0", 3);
  jm_snapshot_builder_add (node, JM_METRIC_PROCESSES, 3);
  jm_snapshot_builder_add (node, JM_METRIC_PROCESSES_PEAK, 5);
  jm_snapshot_builder_add_labelled (node, JM_METRIC_THREADS, "running", 4);
  jm_snapshot_builder_add_labelled (node, JM_METRIC_THREADS, "sleeping", 0);
  jm_snapshot_builder_add_labelled (node, JM_METRIC_THREADS, "stopped", 1);
  jm_snapshot_builder_add (node, JM_METRIC_THREADS_PEAK, 9);
  jm_snapshot_builder_add_labelled (node, JM_METRIC_EXECUTABLE_CPU, "/usr/bin/a",
                                    1000000000);
  jm_snapshot_builder_add_labelled (node, JM_METRIC_EXECUTABLE_CPU, "/usr/bin/b",
                                    2000000000);
}

/* One job with everything, one of which nothing was read. */
static JmSnapshot *
make_snapshot (void)
{
  g_autoptr (JmSnapshotBuilder) node =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = make_array_job ();
  g_autoptr (JmJob) bare = make_bare_job ();

  jm_snapshot_builder_set_time (node, NOW * G_GINT64_CONSTANT (1000000));
  jm_snapshot_builder_add_job (node, job);
  add_figures (node);
  jm_snapshot_builder_add_step (node, "batch");
  jm_snapshot_builder_add (node, JM_METRIC_PROCESSES, 1);
  jm_snapshot_builder_add_task (node, "0");
  jm_snapshot_builder_add_step (node, "0");
  jm_snapshot_builder_add_task (node, "0");
  jm_snapshot_builder_add_task (node, "1");
  jm_snapshot_builder_add (node, JM_METRIC_MEMORY_USED, 1 << 20);
  jm_snapshot_builder_add_job (node, bare);
  for (guint i = 0; i < 2; i++)
    jm_snapshot_builder_add_denial (node, JM_COLLECTOR_PROCESS,
                                    "/proc/5/io: Permission denied");

  return jm_snapshot_builder_end (node);
}

static char *
render_list (JmSnapshot *snapshot)
{
  g_autoptr (JmJobSelection) everything = jm_job_selection_new ();
  g_autoptr (JmTable) table = jm_table_new_of_jobs (JMC_LIST_COLUMNS, NULL);
  g_autoptr (JmcOrder) order = jmc_order_parse ("jobid", NULL);
  g_autoptr (GArray) jobs = jm_job_selection_list (everything, snapshot);

  jmc_order_sort (order, snapshot, jobs);
  for (guint i = 0; i < jobs->len; i++)
    jm_table_add_subject (table, snapshot, g_array_index (jobs, guint, i));

  return jm_table_to_text (table, 0, TRUE, FALSE);
}

static void
test_list_shows_each_job_in_a_row (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autofree char *text = render_list (snapshot);

  g_assert_cmpstr (text, ==,
                   "JOBID  USER   ACCOUNT  NAME       STATE    CPUS  CPU-TIME  EFF%  "
                   "   MEM  PEAK  MEM-LIMIT  PROCS  "
                   "THREADS       AGE\n"
                   "7      -      -        -          running     -         -     -  "
                   "     -     -          -      -  "
                   "      -         -\n"
                   "10_2   alice  physics  train?[2J  running     4  2h00m00s  50.0  "
                   "3.0MiB     -     1.0GiB      3  "
                   "      5  1h00m00s\n");
}

static void
test_show_shows_everything_that_was_read (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autofree char *text = jmc_job_page_render (snapshot, 1, JM_SUBJECT_KIND_JOB, FALSE);

  g_assert_cmpstr (text, ==,
                   "Job 10_2\n"
                   "  Job id      12\n"
                   "  Name        train?[2J\n"
                   "  User        alice (1000)\n"
                   "  Account     physics\n"
                   "  Partition   -\n"
                   "  Scheduler   slurm\n"
                   "  Started     2023-11-14 22:13:20 UTC\n"
                   "  Age         1h00m00s\n"
                   "  UUID        0b0c5dd6-0000-5000-8000-000000000000\n"
                   "  Known from  hook: scheduler, jobid, user, uid, account, name, "
                   "array_jobid, array_taskid, start_time\n"
                   "\n"
                   "CPU\n"
                   "  CPUs        4\n"
                   "  User        1h56m40s\n"
                   "  System      -\n"
                   "  Total       2h00m00s\n"
                   "  Efficiency  50.0%\n"
                   "\n"
                   "Memory\n"
                   "  Used       3.0MiB\n"
                   "  Peak       -\n"
                   "  Limit      1.0GiB\n"
                   "  RSS        -\n"
                   "  Cache      -\n"
                   "  Swap       -\n"
                   "  OOM kills  -\n"
                   "\n"
                   "IO (block devices, from the cgroup)\n"
                   "  DEVICE    READ  WRITTEN  READS  WRITES\n"
                   "  8:0     4.0KiB        -      -       3\n"
                   "  8:16        0B        -      -       -\n"
                   "\n"
                   "IO (from the processes)\n"
                   "  Read from storage   -\n"
                   "  Written to storage  -\n"
                   "  Read in all         -\n"
                   "  Written in all      -\n"
                   "  Read calls          -\n"
                   "  Write calls         -\n"
                   "\n"
                   "Processes\n"
                   "  Processes   3; at most 5\n"
                   "  Open files  -\n"
                   "  Threads     5, 4 running, 1 stopped; at most 9\n"
                   "\n"
                   "Pressure\n"
                   "  WAITED FOR  SOME TASKS  ALL TASKS\n"
                   "  CPU                  -          -\n"
                   "  Memory               -          -\n"
                   "  IO                   -          -\n"
                   "\n"
                   "Executables\n"
                   "  CPU-TIME  EXECUTABLE\n"
                   "     2.00s  /usr/bin/b\n"
                   "     1.00s  /usr/bin/a\n"
                   "\n"
                   "Steps\n"
                   "  STEP          CPU-TIME     MEM  PEAK  PROCS\n"
                   "  |- batch             -       -     -      1\n"
                   "  |  `- task 0         -       -     -      -\n"
                   "  `- 0                 -       -     -      -\n"
                   "     |- task 0         -       -     -      -\n"
                   "     `- task 1         -  1.0MiB     -      -\n"
                   "\n"
                   "What could not be read on this node\n"
                   "  process: /proc/5/io: Permission denied (and 1 more)\n");
}

static void
test_figures_of_what_is_over_are_those_that_are_known (void)
{
  g_autoptr (JmSnapshotBuilder) node =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = make_array_job ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (GString) text = g_string_new ("Job 10_2\n");

  jm_snapshot_builder_add_job (node, job);
  jm_snapshot_builder_add (node, JM_METRIC_CPU_TOTAL, 1500000000);
  jm_snapshot_builder_add (node, JM_METRIC_THREADS_PEAK, 9);
  snapshot = jm_snapshot_builder_end (node);
  jmc_job_page_append_figures (text, snapshot, 1, JM_SUBJECT_KIND_JOB, FALSE);

  g_assert_cmpstr (text->str, ==,
                   "Job 10_2\n"
                   "\n"
                   "CPU\n"
                   "  Total  1.50s\n"
                   "\n"
                   "Processes\n"
                   "  Threads  at most 9\n");
}

static void
test_show_invents_nothing_for_a_bare_job (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autofree char *text = jmc_job_page_render (snapshot, 7, JM_SUBJECT_KIND_JOB, FALSE);

  g_assert_nonnull (strstr (text, "  Started     -\n"));
  g_assert_nonnull (strstr (text, "  Efficiency  -\n"));
  g_assert_nonnull (strstr (text, "(weak: made without a time)\n"));
  g_assert_nonnull (strstr (text, "  Known from  path: "));
  g_assert_null (strstr (text, "Steps"));
  g_assert_null (strstr (text, " 0\n"));
  g_assert_null (strstr (text, "0B"));
}

static gboolean
shows (JmSubjectKind depth, const char *title)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autofree char *text = jmc_job_page_render (snapshot, 1, depth, FALSE);

  return strstr (text, title) != NULL;
}

static void
test_show_goes_as_deep_as_it_is_asked_to (void)
{
  g_assert_false (shows (JM_SUBJECT_KIND_JOB, "\nStep 0: CPU\n"));
  g_assert_true (shows (JM_SUBJECT_KIND_STEP, "\nStep 0: CPU\n"));
  g_assert_false (shows (JM_SUBJECT_KIND_STEP, "\nStep 0, task 1: CPU\n"));
  g_assert_true (shows (JM_SUBJECT_KIND_TASK, "\nStep 0: CPU\n"));
  g_assert_true (shows (JM_SUBJECT_KIND_TASK, "\nStep 0, task 1: CPU\n"));
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  /* not UTF-8: the tree is drawn in ASCII */
  g_setenv ("LC_ALL", "C", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/list/shows-each-job-in-a-row",
                   test_list_shows_each_job_in_a_row);
  g_test_add_func ("/cli/show/shows-everything-that-was-read",
                   test_show_shows_everything_that_was_read);
  g_test_add_func ("/cli/show/figures-of-what-is-over-are-those-that-are-known",
                   test_figures_of_what_is_over_are_those_that_are_known);
  g_test_add_func ("/cli/show/invents-nothing-for-a-bare-job",
                   test_show_invents_nothing_for_a_bare_job);

  g_test_add_func ("/cli/show/goes-as-deep-as-it-is-asked-to",
                   test_show_goes_as_deep_as_it_is_asked_to);

  return g_test_run ();
}
