/* test-run-directory.c: what the programs of a machine agree on of its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/jm-job-draft-private.h"
#include "core/jm-job-private.h"
#include "core/jm-snapshot-private.h"
#include "fake-sources.h"
#include "node/jm-node.h"
#include "node/jm-run-directory-private.h"
#include "tree.h"

#define BOOT "01234567-89ab-4cde-8f01-23456789abcd"
#define SCOPE "sys/fs/cgroup/system.slice/slurmstepd.scope/"
#define HOOK_7 "run/jobmetrics/jobs/7"
#define RUNS "run/jobmetrics-exporter/runs"

typedef struct
{
  Tree *tree;
} Fixture;

static void
put_job (Fixture *f)
{
  tree_put (f->tree, SCOPE "job_7/cgroup.procs", "71\n");
  tree_put (f->tree, SCOPE "job_7/cpu.stat",
            "usage_usec 1\nuser_usec 1\nsystem_usec 0\n");
}

static void
put_hook (Fixture *f, const char *start)
{
  g_autofree char *text =
    g_strdup_printf ("SLURM_JOB_ID=7\nSLURM_JOB_ACCOUNT=physics\n"
                     "SLURM_CLUSTER_NAME=lab\nSLURM_JOB_START_TIME=%s\n",
                     start);

  tree_put (f->tree, HOOK_7, text);
}

static char *
real_path (Fixture *f, const char *path)
{
  return g_build_filename (f->tree->root, path, NULL);
}

static void
take_away (Fixture *f, const char *path)
{
  g_autofree char *real = real_path (f, path);

  g_assert_cmpint (g_remove (real), ==, 0);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->tree = tree_new ();
  tree_put (f->tree, "proc/self/mountinfo",
            "25 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree_put (f->tree, "proc/stat", "cpu  1 1 1 1 1 1 1 1 1 1\nbtime 1700000000\n");
  tree_put (f->tree, "proc/uptime", "100.00 200.00\n");
  tree_put (f->tree, "proc/sys/kernel/random/boot_id", BOOT "\n");
  tree_put (f->tree, "sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
  tree_put (f->tree, RUNS "/readme", "\n");
  put_job (f);
  put_hook (f, "1700000000");
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  tree_free (f->tree);
}

static JmNode *
open_node (Fixture *f, guint linger)
{
  g_autoptr (GError) error = NULL;
  JmNode *node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", f->tree->host,
                                 "linger", linger, NULL);

  g_assert_no_error (error);

  return node;
}

static JmSnapshot *
sample (JmNode *node)
{
  g_autoptr (GError) error = NULL;
  JmSnapshot *snapshot = jm_node_sample (node, NULL, &error);

  g_assert_no_error (error);

  return snapshot;
}

/* What a node that looks but once calls the job. */
static JmJob *
look (Fixture *f)
{
  g_autoptr (JmNode) node = open_node (f, 120);
  g_autoptr (JmSnapshot) snapshot = sample (node);
  guint subject;

  g_assert_true (jm_snapshot_find_job (snapshot, "7", &subject));

  return jm_job_ref (jm_snapshot_get_job (snapshot, subject));
}

/* An exporter that was there while the hook's file was. */
static JmNode *
publish (Fixture *f)
{
  JmNode *node = open_node (f, 0);
  g_autoptr (JmSnapshot) snapshot = NULL;

  jm_node_publish (node);
  snapshot = sample (node);

  return node;
}

static char *
find_file (Fixture *f)
{
  g_autofree char *directory = real_path (f, RUNS);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, BOOT))
      return g_build_filename (directory, name, NULL);

  return NULL;
}

static void
test_a_node_that_reads_other_facts_first_calls_the_job_the_same (Fixture *f,
                                                                 gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = publish (f);
  g_autoptr (JmJob) early = look (f);
  g_autoptr (JmJob) late = NULL;

  take_away (f, HOOK_7);
  late = look (f);

  g_assert_false (jm_job_is_uuid_weak (early));
  g_assert_false (jm_job_is_uuid_weak (late));
  g_assert_cmpstr (jm_job_get_uuid (late), ==, jm_job_get_uuid (early));
  g_assert_cmpstr (jm_job_get_run_key (late), ==, jm_job_get_run_key (early));
  g_assert_true (g_str_has_prefix (jm_job_get_run_key (late), BOOT "/"));
  assert_field (late, "account", "physics");
  assert_origin (late, "account", JM_ORIGIN_HOOK);
  g_assert_true (jm_job_is_decided (late));
}

/* Slurm makes a job's directories of cgroup v1 one after another. */
static void
test_a_job_seen_in_few_hierarchies_is_known_in_all (Fixture *f, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = NULL;
  g_autoptr (JmJob) early = NULL;
  g_autoptr (JmJob) late = NULL;

  tree_put (f->tree, "proc/self/mountinfo",
            "30 1 0:30 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
            "31 1 0:31 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n");
  tree_put (f->tree, "sys/fs/cgroup/cpuacct/cgroup.procs", "");
  tree_put (f->tree, "sys/fs/cgroup/freezer/slurm/uid_1000/job_7/cgroup.procs", "71\n");
  exporter = publish (f);
  early = look (f);
  tree_put (f->tree, "sys/fs/cgroup/cpuacct/slurm/uid_1000/job_7/cpuacct.usage", "1\n");
  tree_put (f->tree, "sys/fs/cgroup/cpuacct/slurm/uid_1000/job_7/cgroup.procs", "71\n");
  take_away (f, HOOK_7);
  late = look (f);

  g_assert_false (jm_job_is_uuid_weak (late));
  g_assert_cmpstr (jm_job_get_uuid (late), ==, jm_job_get_uuid (early));
  g_assert_cmpstr (jm_job_get_run_key (late), ==, jm_job_get_run_key (early));
}

static void
test_without_an_exporter_each_goes_by_what_it_reads (Fixture *f, gconstpointer data)
{
  g_autoptr (JmJob) early = look (f);
  g_autoptr (JmJob) late = NULL;

  take_away (f, HOOK_7);
  late = look (f);

  g_assert_false (jm_job_is_uuid_weak (early));
  g_assert_true (jm_job_is_uuid_weak (late));
  g_assert_null (find_file (f));
}

static void
test_an_exporter_goes_on_with_what_the_one_before_it_reported (Fixture *f,
                                                               gconstpointer data)
{
  g_autoptr (JmJob) early = look (f);
  g_autoptr (JmJob) late = NULL;
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = publish (f);

  g_clear_object (&exporter);
  take_away (f, HOOK_7);
  exporter = publish (f);
  late = look (f);

  g_assert_cmpstr (jm_job_get_uuid (late), ==, jm_job_get_uuid (early));
}

static void
test_all_may_read_what_the_exporter_alone_writes (Fixture *f, gconstpointer data)
{
  mode_t mask = umask (0077);
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = publish (f);
  g_autofree char *file = find_file (f);
  GStatBuf st;

  umask (mask);
  g_assert_cmpint (g_stat (file, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0644);
}

static void
test_a_file_that_others_may_write_is_not_believed (Fixture *f, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = publish (f);
  g_autofree char *file = find_file (f);
  g_autoptr (JmJob) job = NULL;

  take_away (f, HOOK_7);
  g_assert_cmpint (g_chmod (file, 0666), ==, 0);
  job = look (f);

  g_assert_true (jm_job_is_uuid_weak (job));
}

static void
give (Fixture *f, const char *path, guint uid)
{
  g_autofree char *real = real_path (f, path);

  g_assert_cmpint (chown (real, uid, uid), ==, 0);
}

static void
test_the_exporters_user_is_believed_and_no_other (Fixture *f, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = NULL;
  g_autofree char *file = NULL;
  g_autoptr (JmJob) by_exporter = NULL;
  g_autoptr (JmJob) by_user = NULL;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can give a file to another user");
      return;
    }

  exporter = publish (f);
  file = find_file (f);
  take_away (f, HOOK_7);
  give (f, "run/jobmetrics-exporter", 4711);
  give (f, RUNS, 4711);
  g_assert_cmpint (chown (file, 4711, 4711), ==, 0);
  by_exporter = look (f);
  g_assert_cmpint (chown (file, 1000, 1000), ==, 0);
  by_user = look (f);

  g_assert_false (jm_job_is_uuid_weak (by_exporter));
  g_assert_true (jm_job_is_uuid_weak (by_user));
}

/* A machine whose jobs come and go. */
static JmNode *
open_lively_node (Fixture *f, guint linger, FakeReader **cgroups)
{
  JmNode *node;
  g_autoptr (FakeJobs) jobs = fake_jobs_new (f->tree->host);
  g_autoptr (FakeReader) reader = fake_reader_new (f->tree->host);

  /* to this node all jobs are the fake scheduler's */
  tree_put (f->tree, "etc/jobmetrics/schedulers/slurm.conf", "");
  node = open_node (f, linger);
  take_away (f, "etc/jobmetrics/schedulers/slurm.conf");
  jm_node_add_source (node, JM_SOURCE (jobs));
  jm_node_add_source (node, JM_SOURCE (reader));
  *cgroups = reader;

  return node;
}

static void
test_the_file_goes_when_the_job_is_forgotten (Fixture *f, gconstpointer data)
{
  FakeReader *cgroups;
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = open_lively_node (f, 0, &cgroups);
  g_autofree char *file = NULL;

  take_away (f, SCOPE "job_7/cgroup.procs");
  take_away (f, SCOPE "job_7/cpu.stat");
  take_away (f, SCOPE "job_7");
  jm_node_publish (exporter);
  fake_reader_set_cpu (cgroups, "/job_8", 1);
  jm_snapshot_unref (sample (exporter));
  file = find_file (f);
  g_assert_nonnull (file);

  fake_reader_remove (cgroups, "/job_8");
  for (guint i = 0; i < 3; i++)
    jm_snapshot_unref (sample (exporter));

  g_assert_false (g_file_test (file, G_FILE_TEST_EXISTS));
}

/* --- a job that has ended --- */

static JmNode *
publish_the_end_of_job_8 (Fixture *f, guint linger)
{
  FakeReader *cgroups;
  JmNode *exporter = open_lively_node (f, linger, &cgroups);

  jm_node_publish (exporter);
  fake_reader_set_cpu (cgroups, "/job_8", 30);
  jm_snapshot_unref (sample (exporter));
  fake_reader_remove (cgroups, "/job_8");
  jm_snapshot_unref (sample (exporter));

  return exporter;
}

static char *
find_end_file (Fixture *f)
{
  g_autofree char *directory = real_path (f, RUNS);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ended"))
      return g_build_filename (directory, name, NULL);

  return NULL;
}

static void
test_what_the_exporter_still_shows_others_show_too (Fixture *f, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = publish_the_end_of_job_8 (f, 120);
  g_autoptr (JmSnapshot) shown = sample (exporter);
  g_autoptr (JmNode) node = open_node (f, 120);
  g_autoptr (JmSnapshot) snapshot = sample (node);
  guint told, read;
  double seconds;

  g_assert_true (jm_snapshot_find_job (shown, "8", &told));
  g_assert_true (jm_snapshot_find_job (snapshot, "8", &read));
  g_assert_true (
    jm_snapshot_get_metric (snapshot, read, JM_METRIC_CPU_TOTAL, &seconds));
  g_assert_cmpfloat (seconds, ==, 30);
  g_assert_cmpint (jm_snapshot_get_end_time (snapshot, read), ==,
                   jm_snapshot_get_end_time (shown, told));
  g_assert_cmpstr (jm_job_get_uuid (jm_snapshot_get_job (snapshot, read)), ==,
                   jm_job_get_uuid (jm_snapshot_get_job (shown, told)));
  /* the one that runs is there as ever */
  g_assert_true (jm_snapshot_find_job (snapshot, "7", &read));
  g_assert_cmpint (jm_snapshot_get_end_time (snapshot, read), ==, 0);
}

static void
test_what_the_exporter_has_forgotten_nobody_shows (Fixture *f, gconstpointer data)
{
  g_autoptr (JmNode) exporter = publish_the_end_of_job_8 (f, 0);
  g_autoptr (JmNode) node = open_node (f, 120);
  g_autoptr (JmSnapshot) snapshot = NULL;
  guint subject;

  for (guint i = 0; i < 2; i++)
    jm_snapshot_unref (sample (exporter));
  snapshot = sample (node);

  g_assert_false (jm_snapshot_find_job (snapshot, "8", &subject));
  g_assert_null (find_end_file (f));
}

/* Nobody takes away what an exporter left that was killed. */
static void
test_an_end_outlives_its_exporter_no_longer_than_it_would_be_shown (Fixture *f,
                                                                    gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = publish_the_end_of_job_8 (f, 0);
  g_autoptr (JmNode) node = open_node (f, 120);
  g_autofree char *file = find_end_file (f);
  g_autoptr (JmSnapshot) snapshot = NULL;
  gint64 then = g_get_real_time ();
  guint subject;

  while (g_get_real_time () <= then)
    g_thread_yield ();
  snapshot = sample (node);

  g_assert_nonnull (file);
  g_assert_false (jm_snapshot_find_job (snapshot, "8", &subject));
  g_assert_true (jm_snapshot_find_job (snapshot, "7", &subject));
}

static void
test_an_end_that_others_may_have_written_is_passed_over (Fixture *f, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = publish_the_end_of_job_8 (f, 120);
  g_autofree char *file = find_end_file (f);
  g_autoptr (JmNode) node = open_node (f, 120);
  g_autoptr (JmSnapshot) snapshot = NULL;
  guint subject;

  g_assert_cmpint (g_chmod (file, 0666), ==, 0);
  snapshot = sample (node);

  g_assert_false (jm_snapshot_find_job (snapshot, "8", &subject));
}

static void
test_files_of_runs_that_are_no_more_go_at_the_start (Fixture *f, gconstpointer data)
{
  g_autofree char *stale = tree_write (f->tree, RUNS "/" BOOT ".1", "run=" BOOT "/1\n");
  g_autofree char *other = tree_write (f->tree, RUNS "/notes", "mine\n");
  G_GNUC_UNUSED g_autoptr (JmNode) exporter = publish (f);

  g_assert_false (g_file_test (stale, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
}

static void
test_an_id_that_comes_back_ends_the_former_run (Fixture *f, gconstpointer data)
{
  FakeReader *cgroups;
  g_autoptr (JmNode) node = open_lively_node (f, 120, &cgroups);
  g_autoptr (JmSnapshot) before = NULL;
  g_autoptr (JmSnapshot) after = NULL;
  g_autoptr (GPtrArray) jobs = NULL;
  guint former, latter;

  fake_reader_set_cpu (cgroups, "/job_8", 30);
  before = sample (node);
  /* nobody looked while there was none */
  fake_reader_remove_unseen (cgroups, "/job_8");
  fake_reader_set_cpu (cgroups, "/job_8", 1);
  after = sample (node);

  g_assert_true (jm_snapshot_find_job (before, "8", &former));
  g_assert_true (jm_snapshot_find_job (after, "8", &latter));
  g_assert_cmpstr (jm_job_get_run_key (jm_snapshot_get_job (after, latter)), !=,
                   jm_job_get_run_key (jm_snapshot_get_job (before, former)));
  g_assert_cmpint (jm_snapshot_get_end_time (after, latter), ==, 0);
  g_assert_cmpint (jm_snapshot_get_end_time (after, former), !=, 0);
  /* those two, and the one that the machine itself has */
  jobs = jm_snapshot_get_jobs (after);
  g_assert_cmpuint (jobs->len, ==, 3);
}

/* --- the text --- */

static JmJob *
make_job (void)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "7", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_NAME, JM_ORIGIN_ENVIRONMENT,
                    "a\\n\nuid=hook 0\n=\"\xc3\xbc", -1);
  jm_job_draft_set_further (draft, "walltime", JM_ORIGIN_HOOK, "1 h\nuid=hook 0", -1);
  jm_job_draft_set_run_key (draft, BOOT "/5");

  return jm_job_draft_to_job (draft);
}

static void
test_any_value_comes_back_as_it_was (void)
{
  g_autoptr (JmJob) job = make_job ();
  g_autofree char *text = jm_run_record_format (job);
  g_autoptr (JmJob) same = jm_run_record_parse (text, strlen (text), BOOT "/5");

  assert_field (same, "name", jm_job_get_field (job, JM_JOB_FIELD_NAME));
  assert_field (same, "uid", NULL);
  g_assert_cmpstr (jm_job_get_further_field (same, "walltime"), ==, "1 h\nuid=hook 0");
  g_assert_cmpint (jm_job_get_further_origin (same, "walltime"), ==, JM_ORIGIN_HOOK);
  g_assert_cmpstr (jm_job_get_uuid (same), ==, jm_job_get_uuid (job));
  g_assert_true (jm_job_is_uuid_weak (same));
  g_assert_false (jm_job_is_decided (same));
}

static void
test_half_a_text_is_no_job (void)
{
  g_autoptr (JmJob) job = make_job ();
  g_autofree char *text = jm_run_record_format (job);

  g_assert_null (jm_run_record_parse (text, strlen (text), BOOT "/6"));
  for (gsize length = 0; length < strlen (text); length++)
    g_assert_null (jm_run_record_parse (text, length, BOOT "/5"));
}

static void
test_what_no_one_may_report_is_no_job (void)
{
  const char *const bad[] = {
    "run=" BOOT "/5\nuuid=" BOOT "\nweak=0\ndecided=1\njobid=path 7\n",
    "{\"jobid\": \"7\", \"origin\": {\"jobid\": \"path\"}, \"uuid\": \"x\","
    " \"uuid_weak\": false, \"decided\": true, \"run_key\": \"" BOOT "/5\"}",
    "{\"jobid\": \"7\", \"origin\": {\"jobid\": \"rumour\"},"
    " \"uuid\": \"" BOOT "\", \"uuid_weak\": false, \"decided\": true,"
    " \"run_key\": \"" BOOT "/5\"}",
    "{\"jobid\": \"7\", \"uid\": 0,"
    " \"origin\": {\"jobid\": \"path\", \"uid\": \"environment\"},"
    " \"uuid\": \"" BOOT "\", \"uuid_weak\": false, \"decided\": true,"
    " \"run_key\": \"" BOOT "/5\"}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_null (jm_run_record_parse (bad[i], strlen (bad[i]), BOOT "/5"));
}

static void
test_figures_come_back_as_they_were (void)
{
  g_autoptr (JmJob) job = make_job ();
  g_autoptr (JmLabels) labels = jm_labels_of ("/opt/a\tb\n\\c", NULL);
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmReading written[] = {
    { 0, JM_METRIC_CPU_TOTAL, 12345678901, NULL },
    { 0, JM_METRIC_EXECUTABLE_CPU, 7, labels },
  };
  g_autofree char *text = jm_ended_run_format (job, 1700000000123456, 1700000000200000,
                                               written, G_N_ELEMENTS (written));
  g_auto (JmEndedRun) run = { 0 };
  const JmReading *read;
  guint n;

  jm_readings_reset (readings, jm_collector_set_get_all ());
  g_assert_true (jm_ended_run_parse (&run, text, strlen (text), BOOT "/5", readings));
  g_assert_cmpint (run.end_us, ==, 1700000000123456);
  g_assert_cmpint (run.until_us, ==, 1700000000200000);
  read = jm_readings_get_values (readings, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (read[0].value, ==, 12345678901);
  g_assert_true (read[1].labels == labels);
}

static void
test_half_an_end_is_none (void)
{
  g_autoptr (JmJob) job = make_job ();
  const JmReading figure = { 0, JM_METRIC_CPU_TOTAL, 12345678901, NULL };
  g_autofree char *text = jm_ended_run_format (job, 5, 6, &figure, 1);
  g_autofree char *never = jm_ended_run_format (job, 5, 0, &figure, 1);
  g_autofree char *running = jm_run_record_format (job);
  g_autoptr (JmReadings) readings = jm_readings_new ();
  JmEndedRun run;
  guint n;

  for (gsize length = 0; length < strlen (text); length++)
    g_assert_false (jm_ended_run_parse (&run, text, length, BOOT "/5", readings));
  g_assert_false (jm_ended_run_parse (&run, text, strlen (text), BOOT "/6", readings));
  g_assert_false (
    jm_ended_run_parse (&run, never, strlen (never), BOOT "/5", readings));
  g_assert_false (
    jm_ended_run_parse (&run, running, strlen (running), BOOT "/5", readings));
  jm_readings_get_values (readings, &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_figures_that_are_not_wanted_are_passed_over (void)
{
  g_autoptr (JmJob) job = make_job ();
  const JmReading figures[] = { { 0, JM_METRIC_CPU_TOTAL, 5, NULL },
                                { 0, JM_METRIC_PROCESSES, 3, NULL } };
  g_autofree char *text =
    jm_ended_run_format (job, 5, 6, figures, G_N_ELEMENTS (figures));
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_auto (JmEndedRun) run = { 0 };
  const JmReading *read;
  guint n;

  jm_readings_reset (readings, JM_COLLECTOR_SET (JM_COLLECTOR_PROCESS));
  g_assert_true (jm_ended_run_parse (&run, text, strlen (text), BOOT "/5", readings));
  read = jm_readings_get_values (readings, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (read[0].metric, ==, JM_METRIC_PROCESSES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define TEST(path, test)                                                               \
 g_test_add ("/runs/" path, Fixture, NULL, set_up, test, tear_down)
  TEST ("agree", test_a_node_that_reads_other_facts_first_calls_the_job_the_same);
  TEST ("hierarchies", test_a_job_seen_in_few_hierarchies_is_known_in_all);
  TEST ("alone", test_without_an_exporter_each_goes_by_what_it_reads);
  TEST ("restart", test_an_exporter_goes_on_with_what_the_one_before_it_reported);
  TEST ("mode", test_all_may_read_what_the_exporter_alone_writes);
  TEST ("writable", test_a_file_that_others_may_write_is_not_believed);
  TEST ("owner", test_the_exporters_user_is_believed_and_no_other);
  TEST ("forgotten", test_the_file_goes_when_the_job_is_forgotten);
  TEST ("ended", test_what_the_exporter_still_shows_others_show_too);
  TEST ("ended-forgotten", test_what_the_exporter_has_forgotten_nobody_shows);
  TEST ("ended-outlived",
        test_an_end_outlives_its_exporter_no_longer_than_it_would_be_shown);
  TEST ("ended-writable", test_an_end_that_others_may_have_written_is_passed_over);
  TEST ("stale", test_files_of_runs_that_are_no_more_go_at_the_start);
  TEST ("comes-back", test_an_id_that_comes_back_ends_the_former_run);
  g_test_add_func ("/runs/text", test_any_value_comes_back_as_it_was);
  g_test_add_func ("/runs/broken", test_half_a_text_is_no_job);
  g_test_add_func ("/runs/untold", test_what_no_one_may_report_is_no_job);
  g_test_add_func ("/runs/figures", test_figures_come_back_as_they_were);
  g_test_add_func ("/runs/broken-end", test_half_an_end_is_none);
  g_test_add_func ("/runs/unwanted", test_figures_that_are_not_wanted_are_passed_over);

  return g_test_run ();
}
