/* test-left-cgroups.c: jobs that ended, whose cgroups the scheduler left behind
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>

#include "../sources/jobs/tree.h"
#include "core/jm-readings-private.h"
#include "node/jm-job-tracker-private.h"
#include "node/jm-node.h"
#include "sources/cgroup/jm-cgroup-types-private.h"
#include "sources/process/jm-bpf-process-source-private.h"

#define JOB "/system.slice/slurmstepd.scope/job_7"
#define TASK JOB "/step_0/user/task_0"
#define HELPER JOB "/step_0/slurm"
#define SECOND G_USEC_PER_SEC

/* In its place: who has the file open reads it too. */
static void
put (Tree *tree, const char *path, const char *text)
{
  g_autofree char *real = g_build_filename (tree->root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (real);
  FILE *file;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  file = g_fopen (real, "w");
  g_assert_nonnull (file);
  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
put_cgroup (Tree *tree, const char *path, const char *pids, gboolean is_populated)
{
  g_autofree char *procs = g_strconcat ("sys/fs/cgroup", path, "/cgroup.procs", NULL);
  g_autofree char *events = g_strconcat ("sys/fs/cgroup", path, "/cgroup.events", NULL);
  g_autofree char *cpu = g_strconcat ("sys/fs/cgroup", path, "/cpu.stat", NULL);

  put (tree, procs, pids);
  put (tree, events,
       is_populated ? "populated 1\nfrozen 0\n" : "populated 0\nfrozen 0\n");
  put (tree, cpu, "usage_usec 1000000\nuser_usec 1000000\nsystem_usec 0\n");
}

/* The job 7 with one task, which has @task, and slurmstepd, which is @helper. */
static void
put_job (Tree *tree, const char *task, const char *helper)
{
  gboolean is_populated = task[0] != '\0' || helper[0] != '\0';

  put_cgroup (tree, JOB, "", is_populated);
  put_cgroup (tree, JOB "/step_0", "", is_populated);
  put_cgroup (tree, JOB "/step_0/user", "", task[0] != '\0');
  put_cgroup (tree, TASK, task, task[0] != '\0');
  put_cgroup (tree, HELPER, helper, helper[0] != '\0');
}

static Tree *
tree_of_a_node (void)
{
  static const char *const environment[] = { "SLURM_JOB_ID=7", NULL };
  Tree *tree = tree_new ();

  put (tree, "proc/self/mountinfo",
       "25 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  put (tree, "sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
  tree_add_process (tree, 100, 1000, TASK, environment);

  return tree;
}

/* --- a node --- */

static JmNode *
open_node (Tree *tree)
{
  g_autoptr (GError) error = NULL;
  JmNode *node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", tree->host, NULL);

  g_assert_no_error (error);

  return node;
}

/* Those that run: one that ended stays on display for a while. */
static guint
count_running (JmNode *node)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    n += jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB &&
         jm_snapshot_get_end_time (snapshot, i) == 0;

  return n;
}

static void
test_cgroups_without_a_process_are_no_running_job (void)
{
  g_autoptr (Tree) tree = tree_of_a_node ();
  g_autoptr (JmNode) node = NULL;

  put_job (tree, "", "");
  node = open_node (tree);

  for (guint i = 0; i < 5; i++)
    g_assert_cmpuint (count_running (node), ==, 0);
}

/* A job whose processes come after its cgroups, or which has some on other nodes alone.
 */
static void
test_a_process_makes_them_a_job (void)
{
  g_autoptr (Tree) tree = tree_of_a_node ();
  g_autoptr (JmNode) node = NULL;

  put_job (tree, "", "");
  node = open_node (tree);
  g_assert_cmpuint (count_running (node), ==, 0);

  put_job (tree, "", "99\n");
  g_assert_cmpuint (count_running (node), ==, 1);
  put_job (tree, "100\n", "99\n");
  g_assert_cmpuint (count_running (node), ==, 1);
}

static void
test_the_epilog_ends_a_job_at_once (void)
{
  g_autoptr (Tree) tree = tree_of_a_node ();
  g_autoptr (JmNode) node = NULL;

  put_job (tree, "100\n", "99\n");
  node = open_node (tree);
  g_assert_cmpuint (count_running (node), ==, 1);

  /* slurmstepd is still there */
  put_job (tree, "", "99\n");
  g_assert_true (jm_node_attend (node, "7"));
  g_assert_cmpuint (count_running (node), ==, 1);

  put_job (tree, "", "");
  g_assert_true (jm_node_attend (node, "7"));
  for (guint i = 0; i < 5; i++)
    g_assert_cmpuint (count_running (node), ==, 0);
}

/* What is left of slurmstepd goes when the hook has gone already: no minute passes. */
static void
test_the_epilog_is_remembered_until_the_last_process_has_gone (void)
{
  g_autoptr (Tree) tree = tree_of_a_node ();
  g_autoptr (JmNode) node = NULL;

  put_job (tree, "100\n", "99\n");
  node = open_node (tree);
  g_assert_cmpuint (count_running (node), ==, 1);
  put_job (tree, "", "99\n");
  g_assert_true (jm_node_attend (node, "7"));
  g_assert_cmpuint (count_running (node), ==, 1);

  put_job (tree, "", "");
  count_running (node);
  g_assert_cmpuint (count_running (node), ==, 0);
}

/* --- after a while --- */

typedef struct
{
  Tree *tree;
  JmCgroupReader *reader;
  JmRunDirectory *runs;
  JmReadings *readings;
  JmJobTracker *tracker;
} Fixture;

static void
begin (Fixture *f, Tree *tree, GType reader)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (JmProcessSource) processes = NULL;
  g_autoptr (GError) error = NULL;

  f->tree = tree;
  f->reader = g_initable_new (reader, NULL, &error, "host", f->tree->host, NULL);
  g_assert_no_error (error);
  processes =
    g_initable_new (JM_TYPE_PROCFS_SOURCE, NULL, &error, "host", f->tree->host, NULL);
  g_assert_no_error (error);
  g_ptr_array_add (sources, source_for (f->tree->host, "slurm.conf"));
  f->runs = jm_run_directory_new (f->tree->host, JM_RUN_DIRECTORY);
  f->readings = jm_readings_new ();
  f->tracker =
    jm_job_tracker_new (f->reader, f->runs, sources, processes, JM_SUBJECT_KIND_JOB);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  Tree *tree = tree_of_a_node ();

  put_job (tree, "100\n", "99\n");
  begin (f, tree, JM_TYPE_CGROUP_V2_READER);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  jm_job_tracker_free (f->tracker);
  jm_readings_unref (f->readings);
  jm_run_directory_free (f->runs);
  g_assert_finalize_object (f->reader);
  tree_free (f->tree);
}

/* A round at @seconds. Returns: the newest of the jobs */
static JmTrackedJob *
look (Fixture *f, gint64 seconds)
{
  GPtrArray *jobs = jm_job_tracker_get_jobs (f->tracker);
  JmTrackedJob *job;

  for (guint i = 0; i < jobs->len; i++)
    jm_job_tracker_leave_empty (f->tracker, jobs->pdata[i], seconds * SECOND,
                                f->readings);
  jm_job_tracker_refresh (f->tracker, seconds * SECOND, f->readings);
  job = jobs->pdata[jobs->len - 1];
  jm_job_tracker_meet (f->tracker, job, f->readings);
  jm_tracked_job_learn (job, f->reader, f->runs, f->readings);

  return job;
}

static gint64
get_end (const JmTrackedJob *job)
{
  return jm_tracked_subject_get_end_time (jm_tracked_job_get_subject (job)) / SECOND;
}

static void
test_a_job_without_a_process_ends_after_a_minute (Fixture *f, gconstpointer data)
{
  JmTrackedJob *job = look (f, 10);
  JmTrackedJob *other;

  put_job (f->tree, "", "");
  for (gint64 seconds = 20; seconds < 90; seconds += 10)
    g_assert_true (look (f, seconds) == job);
  g_assert_cmpint (get_end (job), ==, 0);

  other = look (f, 90);
  g_assert_true (other != job);
  g_assert_cmpint (get_end (job), ==, 30);
  g_assert_null (jm_tracked_job_get_job (other));

  /* what comes into its cgroups later runs */
  put_job (f->tree, "100\n", "99\n");
  g_assert_true (look (f, 100) == other);
  g_assert_nonnull (jm_tracked_job_get_job (other));
}

/* Between two looks the scheduler removes its cgroups, one after the other. */
static void
test_what_is_removed_after_the_end_is_no_second_run (Fixture *f, gconstpointer data)
{
  static const char *const cgroups[] = { HELPER, TASK, JOB "/step_0/user",
                                         JOB "/step_0", JOB };
  JmTrackedJob *job = look (f, 10);
  JmTrackedJob *other;

  put_job (f->tree, "", "");
  for (gint64 seconds = 20; seconds < 90; seconds += 10)
    look (f, seconds);
  other = look (f, 90);
  g_assert_true (other != job);

  for (guint i = 0; i < G_N_ELEMENTS (cgroups); i++)
    {
      g_autofree char *events = g_build_filename (f->tree->root, "sys/fs/cgroup",
                                                  cgroups[i], "cgroup.events", NULL);

      g_assert_no_errno (g_remove (events));
      jm_tracked_job_learn (other, f->reader, f->runs, f->readings);
      g_assert_null (jm_tracked_job_get_job (other));
    }
}

/* Of a step that has tasks on other nodes slurmstepd waits here. */
static void
test_a_job_that_waits_for_other_nodes_goes_on (Fixture *f, gconstpointer data)
{
  JmTrackedJob *job = look (f, 10);

  put_job (f->tree, "", "99\n");
  for (gint64 seconds = 20; seconds < 200; seconds += 10)
    g_assert_true (look (f, seconds) == job);
  g_assert_cmpint (get_end (job), ==, 0);
}

static void
test_a_short_gap_ends_nothing (Fixture *f, gconstpointer data)
{
  JmTrackedJob *job = look (f, 10);

  for (gint64 seconds = 20; seconds < 300; seconds += 10)
    {
      if (seconds % 50 == 0)
        put_job (f->tree, "100\n", "99\n");
      else
        put_job (f->tree, "", "");
      g_assert_true (look (f, seconds) == job);
    }
  g_assert_cmpint (get_end (job), ==, 0);
}

/* --- version 1 --- */

#define JOB_V1 "/slurm/uid_1000/job_7"
#define TASK_V1 JOB_V1 "/step_0/task_0"

static void
put_list (Tree *tree, const char *hierarchy, const char *path, const char *pids)
{
  g_autofree char *list =
    g_strconcat ("sys/fs/cgroup/", hierarchy, path, "/cgroup.procs", NULL);

  put (tree, list, pids);
}

/* Tasks are in cpuacct, and slurmstepd is in the job's cgroup of freezer. */
static void
put_job_v1 (Tree *tree, const char *task, const char *helper)
{
  put_list (tree, "cpuacct", JOB_V1, "");
  put_list (tree, "cpuacct", JOB_V1 "/step_0", "");
  put_list (tree, "cpuacct", TASK_V1, task);
  put_list (tree, "freezer", JOB_V1, helper);
  put_list (tree, "freezer", JOB_V1 "/step_0", task);
  put (tree, "sys/fs/cgroup/cpuacct" TASK_V1 "/cpuacct.usage", "1000\n");
}

static void
set_up_v1 (Fixture *f, gconstpointer data)
{
  static const char *const environment[] = { "SLURM_JOB_ID=7", NULL };
  Tree *tree = tree_new ();

  put (tree, "proc/self/mountinfo",
       "25 1 0:22 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
       "26 1 0:23 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n");
  tree_add_process (tree, 100, 1000, TASK_V1, environment);
  put_job_v1 (tree, "100\n", "99\n");
  begin (f, tree, JM_TYPE_CGROUP_V1_READER);
}

static void
test_a_job_of_version_1_ends_after_a_minute (Fixture *f, gconstpointer data)
{
  JmTrackedJob *job = look (f, 10);

  g_assert_nonnull (jm_tracked_job_get_job (job));
  put_job_v1 (f->tree, "", "");
  for (gint64 seconds = 20; seconds < 90; seconds += 10)
    g_assert_true (look (f, seconds) == job);
  g_assert_cmpint (get_end (job), ==, 0);

  g_assert_true (look (f, 90) != job);
  g_assert_cmpint (get_end (job), ==, 30);
}

static void
test_a_job_of_version_1_with_its_helper_goes_on (Fixture *f, gconstpointer data)
{
  JmTrackedJob *job = look (f, 10);

  put_job_v1 (f->tree, "", "99\n");
  for (gint64 seconds = 20; seconds < 200; seconds += 10)
    g_assert_true (look (f, seconds) == job);
  g_assert_cmpint (get_end (job), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/left-cgroups/none",
                   test_cgroups_without_a_process_are_no_running_job);
  g_test_add_func ("/left-cgroups/process", test_a_process_makes_them_a_job);
  g_test_add_func ("/left-cgroups/epilog", test_the_epilog_ends_a_job_at_once);
  g_test_add_func ("/left-cgroups/epilog-before",
                   test_the_epilog_is_remembered_until_the_last_process_has_gone);
#define ADD(name, func)                                                                \
 g_test_add ("/left-cgroups/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("minute", test_a_job_without_a_process_ends_after_a_minute);
  ADD ("removed", test_what_is_removed_after_the_end_is_no_second_run);
  ADD ("other-nodes", test_a_job_that_waits_for_other_nodes_goes_on);
  ADD ("gap", test_a_short_gap_ends_nothing);
#undef ADD
#define ADD(name, func)                                                                \
 g_test_add ("/left-cgroups/v1/" name, Fixture, NULL, set_up_v1, func, tear_down)
  ADD ("minute", test_a_job_of_version_1_ends_after_a_minute);
  ADD ("helper", test_a_job_of_version_1_with_its_helper_goes_on);
#undef ADD

  return g_test_run ();
}
