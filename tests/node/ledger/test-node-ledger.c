/* test-node-ledger.c: what a node keeps of its jobs, whatever happens to the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <unistd.h>

#include "core/jm-job-private.h"
#include "core/jm-snapshot-private.h"
#include "fake-sources.h"
#include "left-ledger.h"
#include "node/jm-node-private.h"
#include "node/ledger/jm-ledger-private.h"
#include "sources/cgroup/jm-cgroup-types-private.h"
#include "tree.h"

#define BOOT "01234567-89ab-4cde-8f01-23456789abcd"
#define OTHER_BOOT "11234567-89ab-4cde-8f01-23456789abcd"
#define BOOT_FILE "proc/sys/kernel/random/boot_id"
#define PATIENCE_MS 60000

typedef struct
{
  Tree *tree;
  FakeReader *cgroups;
  FakeJobs *jobs;
  char *path; /* of the ledger */
  JmLedger *ledger;
  JmNode *node;
} Fixture;

/* --- a made-up machine --- */

static void
put_job (Fixture *f, guint id, guint cpu_seconds)
{
  g_autofree char *path = g_strdup_printf ("/job_%u", id);

  fake_reader_set_cpu (f->cgroups, path, cpu_seconds);
}

static void
put_process (Fixture *f, guint job, guint rchar)
{
  g_autofree char *stat_path = g_strdup_printf ("proc/%u/stat", job * 10);
  g_autofree char *io_path = g_strdup_printf ("proc/%u/io", job * 10);
  g_autofree char *status_path = g_strdup_printf ("proc/%u/status", job * 10);
  g_autofree char *stat = g_strdup_printf ("%u (load) S 1 1 1 0 -1 0 10 0 0 0 5 0 5 0 "
                                           "20 0 1 0 %u 4096 1 0\n",
                                           job * 10, 100 + rchar);
  g_autofree char *io =
    g_strdup_printf ("rchar: %u\nwchar: 1\nsyscr: 1\nsyscw: 1\nread_bytes: 0\n"
                     "write_bytes: 0\ncancelled_write_bytes: 0\n",
                     rchar);

  tree_put (f->tree, stat_path, stat);
  tree_put (f->tree, io_path, io);
  tree_put (f->tree, status_path, "Name:\tload\nUid:\t1001\t1001\t1001\t1001\n");
}

static void
end_job (Fixture *f, guint id)
{
  g_autofree char *path = g_strdup_printf ("/job_%u", id);

  fake_reader_remove (f->cgroups, path);
}

/* --- the program --- */

static void
start (Fixture *f)
{
  const JmLedgerPlan plan = { .path = f->path };
  g_autoptr (GError) error = NULL;

  f->ledger = jm_ledger_open_for_writing (&plan, &error);
  g_assert_no_error (error);
  f->node = jm_node_new_full (f->tree->host, &error);
  g_assert_no_error (error);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->cgroups));
  jm_node_set_ledger (f->node, f->ledger);
}

static void
stop (Fixture *f)
{
  g_clear_object (&f->node);
  jm_ledger_close_within (f->ledger, PATIENCE_MS * 1000);
  g_clear_object (&f->ledger);
}

/* What is on the disk at this moment is all that a killed program leaves. */
static void
kill_and_start (Fixture *f)
{
  g_autofree char *left = g_strconcat (f->path, ".left", NULL);

  left_ledger_copy (f->path, left);
  stop (f);
  g_free (f->path);
  f->path = g_steal_pointer (&left);
  start (f);
}

static JmSnapshot *
sample (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot = jm_node_sample (f->node, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (jm_node_await_stored (f->node, PATIENCE_MS));

  return snapshot;
}

static void
sample_often (Fixture *f)
{
  for (guint i = 0; i < 4; i++)
    jm_snapshot_unref (sample (f));
}

static GPtrArray *
list (Fixture *f, JmRunState state)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (GError) error = NULL;
  GPtrArray *records;

  jm_ledger_filter_set_state (filter, state);
  records = jm_ledger_list (f->ledger, filter, NULL, &error);
  g_assert_no_error (error);

  return records;
}

static double
get_value (JmSnapshot *snapshot, const char *id, JmMetric metric)
{
  double value = -1;
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, id, &subject));
  g_assert_true (jm_snapshot_get_metric (snapshot, subject, metric, &value));

  return value;
}

static double
get_total (JmJobRecord *record, JmMetric metric)
{
  return get_value (jm_job_record_get_snapshot (record),
                    jm_job_get_id (jm_job_record_get_job (record)), metric);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->tree = tree_new ();
  f->path = g_build_filename (f->tree->root, "ledger.db", NULL);
  f->cgroups = fake_reader_new (f->tree->host);
  f->jobs = fake_jobs_new (f->tree->host);
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_HOOK, "ada");
  fake_jobs_tell (f->jobs, JM_JOB_FIELD_ACCOUNT, "physics");
  tree_put (f->tree, "proc/stat", "cpu  1 1 1 1 1 1 1 1 1 1\nbtime 1700000000\n");
  tree_put (f->tree, "proc/uptime", "100.00 200.00\n");
  tree_put (f->tree, "proc/meminfo", "MemTotal: 64 kB\nSwapTotal: 32 kB\n");
  tree_put (f->tree, BOOT_FILE, BOOT "\n");
  put_job (f, 7, 3);
  fake_reader_add_process (f->cgroups, "/job_7", 70);
  put_process (f, 7, 1000);
  start (f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  stop (f);
  g_assert_cmpuint (fake_reader_count_open (f->cgroups), ==, 0);
  g_assert_finalize_object (f->cgroups);
  g_assert_finalize_object (f->jobs);
  g_free (f->path);
  tree_free (f->tree);
}

static void
assert_size (JmJobRecord *record, JmMetric metric, double wanted)
{
  double bytes = -1;

  g_assert_true (jm_snapshot_get_metric (jm_job_record_get_snapshot (record),
                                         JM_NODE_SUBJECT, metric, &bytes));
  g_assert_cmpfloat (bytes, ==, wanted);
}

/* --- what a user would ask --- */

static void
test_a_job_that_ended_has_one_record (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) records = NULL;
  JmJobRecord *record;

  jm_snapshot_unref (sample (f));
  put_job (f, 7, 5);
  jm_snapshot_unref (sample (f));
  end_job (f, 7);
  sample_often (f);

  records = list (f, JM_RUN_STATE_ENDED);
  g_assert_cmpuint (records->len, ==, 1);
  record = records->pdata[0];
  g_assert_cmpstr (jm_job_get_user (jm_job_record_get_job (record)), ==, "ada");
  g_assert_cmpfloat (get_total (record, JM_METRIC_CPU_TOTAL), ==, 5);
  g_assert_cmpint (jm_job_record_get_end_time (record), >=,
                   jm_job_record_get_begin_time (record));
  g_assert_cmpfloat (jm_job_record_get_coverage (record, "life"), >, 0);
  assert_size (record, JM_METRIC_NODE_MEMORY_SIZE, 65536);
  assert_size (record, JM_METRIC_NODE_SWAP_SIZE, 32768);
}

static void
test_no_peak_is_known_of_processes_that_were_not_seen (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) records = NULL;
  JmSnapshot *cut;
  guint job;
  double peak;

  end_job (f, 7);
  put_job (f, 9, 1);
  sample_often (f);
  records = list (f, JM_RUN_STATE_RUNNING);
  g_assert_cmpuint (records->len, ==, 1);
  cut = jm_job_record_get_snapshot (records->pdata[0]);
  g_assert_true (jm_snapshot_find_job (cut, "9", &job));
  g_assert_false (jm_snapshot_get_metric (cut, job, JM_METRIC_PROCESSES_PEAK, &peak));
  g_assert_false (jm_snapshot_get_metric (cut, job, JM_METRIC_THREADS_PEAK, &peak));
}

static void
test_a_job_that_runs_is_kept_at_once (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) records = NULL;

  jm_snapshot_unref (sample (f));
  records = list (f, JM_RUN_STATE_RUNNING);

  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpfloat (get_total (records->pdata[0], JM_METRIC_CPU_TOTAL), ==, 3);
}

static void
test_no_counter_falls_when_the_program_is_killed (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSnapshot) before = sample (f);
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (JmSnapshot) later = NULL;

  /* another process took the first one's place meanwhile */
  put_process (f, 7, 200);
  kill_and_start (f);
  after = sample (f);
  put_process (f, 7, 200);
  later = sample (f);

  g_assert_cmpfloat (get_value (before, "7", JM_METRIC_PROCESS_READ_CHARS), ==, 1000);
  g_assert_cmpfloat (get_value (after, "7", JM_METRIC_PROCESS_READ_CHARS), ==, 1000);
  g_assert_cmpfloat (get_value (later, "7", JM_METRIC_PROCESS_READ_CHARS), >=, 1000);
}

/* --- cgroups of version 1 --- */

#define V1_JOB "sys/fs/cgroup/memory/job_8"

static void
put_kills (Fixture *f, const char *cgroup, guint n_kills)
{
  g_autofree char *procs = g_strconcat (cgroup, "/cgroup.procs", NULL);
  g_autofree char *oom = g_strconcat (cgroup, "/memory.oom_control", NULL);
  g_autofree char *text = g_strdup_printf ("under_oom 0\noom_kill %u\n", n_kills);

  tree_put (f->tree, procs, "");
  tree_put (f->tree, oom, text);
}

static void
remove_cgroup (Fixture *f, const char *cgroup)
{
  static const char *const names[] = { "cgroup.procs", "memory.oom_control", "" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (f->tree->root, cgroup, names[i], NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

static void
read_version_1 (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCgroupV1Reader) reader =
    g_initable_new (JM_TYPE_CGROUP_V1_READER, NULL, &error, "host", f->tree->host,
                    NULL);

  g_assert_no_error (error);
  jm_node_add_source (f->node, JM_SOURCE (reader));
}

static void
assert_kills (Fixture *f, double n_kills)
{
  g_autoptr (JmSnapshot) snapshot = sample (f);

  g_assert_cmpfloat (get_value (snapshot, "8", JM_METRIC_MEMORY_OOM_KILLS), ==,
                     n_kills);
}

static void
test_kills_in_a_step_that_went_are_in_the_record (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) records = NULL;

  put_kills (f, V1_JOB, 0);
  put_kills (f, V1_JOB "/step_0", 0);
  put_kills (f, V1_JOB "/step_0/task_0", 3);
  put_kills (f, V1_JOB "/step_1", 1);
  read_version_1 (f);
  assert_kills (f, 4);

  /* nothing changes in a copied tree before it is listed anew */
  remove_cgroup (f, V1_JOB "/step_0/task_0");
  remove_cgroup (f, V1_JOB "/step_0");
  kill_and_start (f);
  read_version_1 (f);
  assert_kills (f, 4);

  remove_cgroup (f, V1_JOB "/step_1");
  remove_cgroup (f, V1_JOB);
  kill_and_start (f);
  read_version_1 (f);
  sample_often (f);
  records = list (f, JM_RUN_STATE_LOST);
  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpfloat (get_total (records->pdata[0], JM_METRIC_MEMORY_OOM_KILLS), ==, 4);
}

static void
put_memory (Fixture *f, guint anonymous, guint shared, guint files)
{
  g_autofree char *stat =
    g_strdup_printf ("total_cache %u\ntotal_rss %u\ntotal_shmem %u\n", shared + files,
                     anonymous, shared);

  tree_put (f->tree, V1_JOB "/cgroup.procs", "");
  tree_put (f->tree, V1_JOB "/memory.stat", stat);
}

/* As jobstats reckons what a job used. */
static void
test_the_peak_without_files_outlives_the_program (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) records = NULL;

  put_memory (f, 5000, 20, 900000);
  read_version_1 (f);
  jm_snapshot_unref (sample (f));
  kill_and_start (f);
  put_memory (f, 2000, 3000, 0);
  sample_often (f);

  records = list (f, JM_RUN_STATE_RUNNING);
  for (guint i = 0; i < records->len; i++)
    if (g_str_equal (jm_job_get_id (jm_job_record_get_job (records->pdata[i])), "8"))
      {
        g_assert_cmpfloat (get_total (records->pdata[i],
                                      JM_METRIC_MEMORY_RESIDENT_PEAK),
                           ==, 5020);
        return;
      }
  g_assert_not_reached ();
}

/* --- jobs that went --- */

static void
test_a_job_that_ended_while_nobody_watched_is_lost (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) ended = NULL;
  g_autoptr (GPtrArray) lost = NULL;

  put_job (f, 8, 1);
  jm_snapshot_unref (sample (f));
  end_job (f, 8);
  kill_and_start (f);
  sample_often (f);

  ended = list (f, JM_RUN_STATE_ENDED);
  lost = list (f, JM_RUN_STATE_LOST);
  g_assert_cmpuint (ended->len, ==, 0);
  g_assert_cmpuint (lost->len, ==, 1);
  g_assert_cmpstr (jm_job_get_id (jm_job_record_get_job (lost->pdata[0])), ==, "8");
  g_assert_cmpfloat (get_total (lost->pdata[0], JM_METRIC_CPU_TOTAL), ==, 1);
  g_assert_cmpint (jm_job_record_get_method (lost->pdata[0], "cpu"), ==,
                   JM_TOTAL_METHOD_CHECKPOINT);
}

static void
test_a_job_that_cannot_be_listed_yet_is_not_lost (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) lost = NULL;
  g_autoptr (GPtrArray) running = NULL;

  put_job (f, 8, 1);
  jm_snapshot_unref (sample (f));
  kill_and_start (f);
  fake_reader_fail_listing (f->cgroups, "/", TRUE);
  sample_often (f);
  fake_reader_fail_listing (f->cgroups, "/", FALSE);
  sample_often (f);

  lost = list (f, JM_RUN_STATE_LOST);
  running = list (f, JM_RUN_STATE_RUNNING);
  g_assert_cmpuint (lost->len, ==, 0);
  g_assert_cmpuint (running->len, ==, 2);
}

/* It is by the number of its cgroup that the next program knows a run again. */
static void
test_a_run_whose_cgroup_had_no_number_at_first_goes_on (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) lost = NULL;
  g_autoptr (GPtrArray) running = NULL;

  jm_snapshot_unref (sample (f));
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_NONE, NULL);
  fake_reader_hide_inodes (f->cgroups, TRUE);
  put_job (f, 8, 5);
  jm_snapshot_unref (sample (f));
  fake_reader_hide_inodes (f->cgroups, FALSE);
  for (guint i = 0; i < 3; i++)
    sample_often (f);
  kill_and_start (f);
  sample_often (f);

  lost = list (f, JM_RUN_STATE_LOST);
  running = list (f, JM_RUN_STATE_RUNNING);
  g_assert_cmpuint (lost->len, ==, 0);
  g_assert_cmpuint (running->len, ==, 2);
}

/* Slurm makes a job's cgroup anew while it tidies up behind it. */
static void
test_what_is_left_of_a_job_is_no_other_run (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) ended = NULL;
  g_autoptr (GPtrArray) lost = NULL;
  guint subject;

  put_job (f, 8, 4);
  fake_reader_add_process (f->cgroups, "/job_8", 80);
  jm_snapshot_unref (sample (f));
  end_job (f, 8);
  put_job (f, 8, 0);
  kill_and_start (f);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (JmSnapshot) snapshot = sample (f);

      g_assert_false (jm_snapshot_find_job (snapshot, "8", &subject));
    }
  end_job (f, 8);
  sample_often (f);

  ended = list (f, JM_RUN_STATE_ENDED);
  lost = list (f, JM_RUN_STATE_LOST);
  g_assert_cmpuint (ended->len, ==, 0);
  g_assert_cmpuint (lost->len, ==, 1);
  g_assert_cmpfloat (get_total (lost->pdata[0], JM_METRIC_CPU_TOTAL), ==, 4);
}

/* A requeued one has processes. */
static void
test_a_run_that_began_while_nobody_watched_is_another (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) running = NULL;
  g_autoptr (GPtrArray) lost = NULL;

  put_job (f, 8, 4);
  fake_reader_add_process (f->cgroups, "/job_8", 80);
  jm_snapshot_unref (sample (f));
  end_job (f, 8);
  put_job (f, 8, 1);
  fake_reader_add_process (f->cgroups, "/job_8", 90);
  kill_and_start (f);
  sample_often (f);

  running = list (f, JM_RUN_STATE_RUNNING);
  lost = list (f, JM_RUN_STATE_LOST);
  g_assert_cmpuint (running->len, ==, 2);
  g_assert_cmpuint (lost->len, ==, 1);
}

static void
test_jobs_of_another_boot_are_lost (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) lost = NULL;
  g_autoptr (GPtrArray) running = NULL;

  jm_snapshot_unref (sample (f));
  tree_put (f->tree, BOOT_FILE, OTHER_BOOT "\n");
  kill_and_start (f);
  sample_often (f);

  lost = list (f, JM_RUN_STATE_LOST);
  running = list (f, JM_RUN_STATE_RUNNING);
  g_assert_cmpuint (lost->len, ==, 1);
  g_assert_cmpuint (running->len, ==, 1);
}

/* Its end was seen, and the program was killed before the next round. */
static void
test_an_end_is_kept_at_once (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) ended = NULL;

  jm_snapshot_unref (sample (f));
  put_job (f, 7, 9);
  g_assert_true (jm_node_attend (f->node, "7"));
  end_job (f, 7);
  jm_node_attend (f->node, "7");
  g_assert_true (jm_node_await_stored (f->node, PATIENCE_MS));
  kill_and_start (f);
  sample_often (f);

  ended = list (f, JM_RUN_STATE_ENDED);
  g_assert_cmpuint (ended->len, ==, 1);
  g_assert_cmpfloat (get_total (ended->pdata[0], JM_METRIC_CPU_TOTAL), ==, 9);
}

static void
test_a_restart_makes_no_second_record (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) ended = NULL;

  jm_snapshot_unref (sample (f));
  stop (f);
  start (f);
  jm_snapshot_unref (sample (f));
  end_job (f, 7);
  sample_often (f);
  stop (f);
  start (f);
  sample_often (f);

  ended = list (f, JM_RUN_STATE_ENDED);
  g_assert_cmpuint (ended->len, ==, 1);
}

/* It vanishes while the new program looks at it for the first time. */
static void
assert_that_a_job_is_one (Fixture *f,
                          void (*lose) (FakeReader *reader, const char *path))
{
  g_autoptr (JmSnapshot) first = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;
  guint subject;

  jm_snapshot_unref (sample (f));
  fake_reader_remove (f->cgroups, "/job_7");
  put_job (f, 7, 9);
  lose (f->cgroups, "/job_7");
  kill_and_start (f);
  first = sample (f);
  end_job (f, 7);
  sample_often (f);

  all = jm_ledger_list (f->ledger, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (jm_snapshot_find_job (first, "7", &subject));
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpint (jm_job_record_get_state (all->pdata[0]), ==, JM_RUN_STATE_LOST);
  g_assert_cmpfloat (get_total (all->pdata[0], JM_METRIC_CPU_TOTAL), ==, 3);
}

static void
test_a_job_that_goes_before_it_is_opened_is_one (Fixture *f, gconstpointer data)
{
  assert_that_a_job_is_one (f, fake_reader_lose_on_open);
}

static void
test_a_job_that_goes_before_its_processes_are_listed_is_one (Fixture *f,
                                                             gconstpointer data)
{
  assert_that_a_job_is_one (f, fake_reader_lose_on_listing_processes);
}

/* Of the one job that ended: who it was by its path alone, and not a figure. Its cgroup
 * had no number that anybody read; it has a run key all the same. */
static void
assert_heard_of_8 (Fixture *f)
{
  g_autoptr (GPtrArray) ended = list (f, JM_RUN_STATE_ENDED);
  JmJobRecord *record;
  guint subject;
  double value;

  g_assert_cmpuint (ended->len, ==, 1);
  record = ended->pdata[0];
  g_assert_cmpstr (jm_job_get_id (jm_job_record_get_job (record)), ==, "8");
  g_assert_cmpstr (jm_job_get_run_key (jm_job_record_get_job (record)), ==,
                   jm_job_record_get_key (record));
  g_assert_cmpfloat (jm_job_record_get_coverage (record, "life"), ==, 0);
  g_assert_true (
    jm_snapshot_find_job (jm_job_record_get_snapshot (record), "8", &subject));
  g_assert_false (jm_snapshot_get_metric (jm_job_record_get_snapshot (record), subject,
                                          JM_METRIC_CPU_TOTAL, &value));
}

static void
announce_birth_of_8 (Fixture *f)
{
  fake_reader_announce (f->cgroups, "/");
  fake_reader_announce (f->cgroups, "/job_8");
}

static void
test_a_job_that_was_heard_of_while_listing_failed_is_kept (Fixture *f,
                                                           gconstpointer data)
{
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_PATH, NULL);
  jm_snapshot_unref (sample (f));
  fake_reader_fail_listing (f->cgroups, "/", TRUE);
  announce_birth_of_8 (f);
  sample_often (f);
  fake_reader_fail_listing (f->cgroups, "/", FALSE);
  sample_often (f);

  assert_heard_of_8 (f);
}

/* The directory of a user goes with its last job. */
static void
test_a_job_that_was_heard_of_is_kept_though_what_is_above_went (Fixture *f,
                                                                gconstpointer data)
{
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_PATH, NULL);
  fake_reader_set_cpu (f->cgroups, "/uid_1000", 0);
  jm_snapshot_unref (sample (f));
  fake_reader_fail_listing (f->cgroups, "/uid_1000", TRUE);
  fake_reader_announce (f->cgroups, "/uid_1000");
  fake_reader_announce (f->cgroups, "/uid_1000/job_8");
  jm_snapshot_unref (sample (f));
  fake_reader_remove (f->cgroups, "/uid_1000");
  sample_often (f);

  assert_heard_of_8 (f);
}

static void
test_a_job_that_lives_though_listing_failed_is_one (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) ended = NULL;

  jm_snapshot_unref (sample (f));
  fake_reader_fail_listing (f->cgroups, "/", TRUE);
  put_job (f, 8, 2);
  announce_birth_of_8 (f);
  sample_often (f);
  fake_reader_fail_listing (f->cgroups, "/", FALSE);
  sample_often (f);
  end_job (f, 8);
  sample_often (f);

  ended = list (f, JM_RUN_STATE_ENDED);
  g_assert_cmpuint (ended->len, ==, 1);
  g_assert_cmpfloat (get_total (ended->pdata[0], JM_METRIC_CPU_TOTAL), ==, 2);
}

static void
test_a_job_that_could_never_be_opened_is_kept (Fixture *f, gconstpointer data)
{
  fake_jobs_set_identity (f->jobs, JM_ORIGIN_PATH, NULL);
  jm_snapshot_unref (sample (f));
  fake_reader_fail_opening (f->cgroups, "/job_8", TRUE);
  put_job (f, 8, 2);
  jm_snapshot_unref (sample (f));
  end_job (f, 8);
  sample_often (f);

  assert_heard_of_8 (f);
}

static void
test_totals_are_by_user_and_account (Fixture *f, gconstpointer data)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("ada", "physics", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  guint subject;
  double value;

  jm_snapshot_unref (sample (f));
  end_job (f, 7);
  jm_snapshot_unref (sample (f));
  snapshot = sample (f);

  g_assert_true (jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_LEDGER, &subject));
  g_assert_true (jm_snapshot_get_labelled_metric (snapshot, subject,
                                                  JM_METRIC_LEDGER_CPU, labels,
                                                  &value));
  g_assert_cmpfloat (value, ==, 3);
  g_assert_true (
    jm_snapshot_get_metric (snapshot, subject, JM_METRIC_LEDGER_UP, &value));
  g_assert_cmpfloat (value, ==, 1);
}

static void
test_without_a_ledger_nothing_is_said_of_one (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = jm_node_new_full (f->tree->host, &error);
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, &error);
  guint subject;

  g_assert_no_error (error);
  g_assert_false (
    jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_LEDGER, &subject));
  g_assert_false (jm_snapshot_is_collected (snapshot, JM_COLLECTOR_LEDGER));
  g_assert_true (jm_node_await_stored (node, 0));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                            \
 g_test_add ("/node-ledger/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("ended", test_a_job_that_ended_has_one_record);
  ADD ("peaks", test_no_peak_is_known_of_processes_that_were_not_seen);
  ADD ("running", test_a_job_that_runs_is_kept_at_once);
  ADD ("killed", test_no_counter_falls_when_the_program_is_killed);
  ADD ("kills", test_kills_in_a_step_that_went_are_in_the_record);
  ADD ("resident-peak", test_the_peak_without_files_outlives_the_program);
  ADD ("lost", test_a_job_that_ended_while_nobody_watched_is_lost);
  ADD ("not-listed-yet", test_a_job_that_cannot_be_listed_yet_is_not_lost);
  ADD ("late-number", test_a_run_whose_cgroup_had_no_number_at_first_goes_on);
  ADD ("left-over", test_what_is_left_of_a_job_is_no_other_run);
  ADD ("another", test_a_run_that_began_while_nobody_watched_is_another);
  ADD ("boot", test_jobs_of_another_boot_are_lost);
  ADD ("end", test_an_end_is_kept_at_once);
  ADD ("restart", test_a_restart_makes_no_second_record);
  ADD ("vanished", test_a_job_that_goes_before_it_is_opened_is_one);
  ADD ("vanished-opened", test_a_job_that_goes_before_its_processes_are_listed_is_one);
  ADD ("heard-unlisted", test_a_job_that_was_heard_of_while_listing_failed_is_kept);
  ADD ("heard-above", test_a_job_that_was_heard_of_is_kept_though_what_is_above_went);
  ADD ("listed-late", test_a_job_that_lives_though_listing_failed_is_one);
  ADD ("unopened", test_a_job_that_could_never_be_opened_is_kept);
  ADD ("totals", test_totals_are_by_user_and_account);
  ADD ("none", test_without_a_ledger_nothing_is_said_of_one);
#undef ADD

  return g_test_run ();
}
