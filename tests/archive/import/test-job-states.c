/* test-job-states.c: the state of each job, as its scheduler reported it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "archive/import/jm-job-states-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-run-private.h"
#include "core/jm-uuid-private.h"
#include "made-ledger.h"

#define SECOND ((gint64) G_USEC_PER_SEC)
#define ID "4711"
/* Seconds after which a job that left the queue is given up. */
#define PATIENCE 600

typedef struct
{
  char *folder;
  char *path;
  JmArchiveDatabase *store;
  JmJobStates *states;
  JmViewer *viewer;
  JmSchedulerJob job;
} Fixture;

static void
begin (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  f->store = jm_archive_database_open (f->path, &error);
  g_assert_no_error (error);
  f->states = jm_job_states_new (f->store);
}

static void
end (Fixture *f)
{
  g_clear_pointer (&f->states, jm_job_states_free);
  jm_archive_database_close (f->store);
  g_clear_object (&f->store);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("jm-states-XXXXXX", &error);
  g_assert_no_error (error);
  f->path = g_build_filename (f->folder, "accounts.db", NULL);
  f->viewer = jm_viewer_new_for_all ();
  begin (f);
  jm_scheduler_job_init (&f->job);
  f->job.id = ID;
  f->job.raw_id = 4711;
  f->job.user = "ada";
  f->job.reason = "Resources";
  f->job.state = JM_SCHEDULER_JOB_STATE_PENDING;
  f->job.submit_time = 1000;
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  static const char *const ends[] = { "", "-wal", "-shm" };

  end (f);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *path = g_strconcat (f->path, ends[i], NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
  g_free (f->path);
  jm_viewer_free (f->viewer);
}

/* As the queue is at that second; the job is not in it without @job. */
static void
take (Fixture *f, const JmSchedulerJob *job, gint64 second)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (GError) error = NULL;

  if (job != NULL)
    jm_scheduler_report_add_job (report, job);
  g_assert_true (
    jm_job_states_take (f->states, "alps", "slurm", report, second * SECOND, &error));
  g_assert_no_error (error);
}

static char **
list (Fixture *f, guint n)
{
  g_autoptr (GError) error = NULL;
  char **documents =
    jm_archive_database_list_states (f->store, "alps", ID, f->viewer, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (documents), ==, n);

  return documents;
}

static void
assert_documents (Fixture *f, guint n)
{
  g_strfreev (list (f, n));
}

static void
test_life (Fixture *f, gconstpointer data)
{
  g_auto (GStrv) documents = NULL;

  take (f, &f->job, 1010);
  f->job.state = JM_SCHEDULER_JOB_STATE_RUNNING;
  f->job.reason = NULL;
  f->job.start_time = 1065;
  f->job.node_list = "n[1-2]";
  f->job.flags = 1u << JM_SCHEDULER_JOB_FLAG_CONFIGURING;
  take (f, &f->job, 1070);
  documents = list (f, 2);
  g_assert_cmpstr (documents[0], ==,
                   "{\"state\":\"PENDING\",\"flags\":[],\"id\":\"4711\","
                   "\"raw_id\":4711,\"user\":\"ada\",\"reason\":\"Resources\","
                   "\"tasks\":1,\"submit_time\":1000,\"time\":1010}");
  g_assert_cmpstr (documents[1], ==,
                   "{\"state\":\"RUNNING\",\"flags\":[\"CONFIGURING\"],"
                   "\"id\":\"4711\",\"raw_id\":4711,\"user\":\"ada\","
                   "\"node_list\":\"n[1-2]\",\"tasks\":1,\"submit_time\":1000,"
                   "\"start_time\":1065,\"time\":1070}");
}

static void
test_same (Fixture *f, gconstpointer data)
{
  for (gint64 minute = 0; minute < 10; minute++)
    {
      f->job.priority = 1000 - minute;
      f->job.start_time = 5000 + minute;
      take (f, &f->job, 1000 + 60 * minute);
    }
  assert_documents (f, 1);
  g_assert_cmpuint (jm_job_states_get_n_documents (f->states), ==, 1);
}

static void
test_restart (Fixture *f, gconstpointer data)
{
  take (f, &f->job, 1000);
  end (f);
  begin (f);
  take (f, &f->job, 1060);
  assert_documents (f, 1);
  f->job.reason = "Priority";
  take (f, &f->job, 1120);
  assert_documents (f, 2);
}

static void
test_return (Fixture *f, gconstpointer data)
{
  take (f, &f->job, 1000);
  take (f, NULL, 1060);
  take (f, &f->job, 1120);
  assert_documents (f, 1);
}

static void
test_sums (Fixture *f, gconstpointer data)
{
  f->job.sum_of = JM_SCHEDULER_SUM_USER;
  take (f, &f->job, 1000);
  assert_documents (f, 0);
}

static void
test_names (Fixture *f, gconstpointer data)
{
  g_auto (GStrv) documents = NULL;
  g_autoptr (JsonNode) node = NULL;

  f->job.name = "a\"b\\c\n\xff'; DROP TABLE job_state; --";
  take (f, &f->job, 1000);
  documents = list (f, 1);
  node = jm_json_parse (documents[0], strlen (documents[0]));
  g_assert_true (g_str_has_suffix (jm_json_get_string (node, "name"),
                                   "'; DROP TABLE job_state; --"));
  take (f, &f->job, 1060);
  assert_documents (f, 1);
}

/* --- its run --- */

/* The only one that there is. */
static JmRun *
get_run (Fixture *f)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (f->store, filter, f->viewer, &next, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);

  return jm_run_ref (runs->pdata[0]);
}

static void
assert_run (Fixture *f, const char *state, const char *reason, gint64 start)
{
  g_autoptr (JmRun) run = get_run (f);
  gint64 number = 0;
  gint64 began = 0;

  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_STATE), ==, state);
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_REASON), ==, reason);
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_USER), ==, "ada");
  g_assert_cmpstr (jm_run_get_scheduler (run), ==, "slurm");
  g_assert_true (jm_run_get_number (run, JM_RUN_FIELD_SUBMIT_TIME, &number));
  g_assert_cmpint (number, ==, 1000);
  jm_run_get_number (run, JM_RUN_FIELD_START_TIME, &began);
  g_assert_cmpint (began, ==, start);
}

/* As sacct reports it. */
static void
account (Fixture *f, const char *state, gint64 start, gint64 end)
{
  g_autoptr (JmRun) run = jm_run_new ("alps", ID);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GError) error = NULL;

  jm_run_set_scheduler (run, "slurm");
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, state);
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, 1000);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, start);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, end);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  g_assert_true (jm_archive_database_merge (f->store, batch, &error));
  g_assert_no_error (error);
}

static void
test_a_job_of_a_unique_id_goes_by_it (Fixture *f, gconstpointer data)
{
  g_autofree char *uuid = jm_uuid_for_unique_id ("slurm", "sEKNKTV3WPV500");
  g_autoptr (JmRun) run = NULL;

  f->job.sluid = "sEKNKTV3WPV500";
  take (f, &f->job, 1010);
  f->job.state = JM_SCHEDULER_JOB_STATE_RUNNING;
  f->job.start_time = 1065;
  take (f, &f->job, 1070);
  account (f, "COMPLETED", 1065, 1100);
  run = get_run (f);
  g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_UUID), ==, uuid);
}

static void
test_a_job_is_one_run_from_its_submission_to_its_end (Fixture *f, gconstpointer data)
{
  f->job.start_time = 9000; /* a guess */
  take (f, &f->job, 1010);
  assert_run (f, "PENDING", "Resources", 0);
  f->job.reason = "Priority";
  take (f, &f->job, 1020);
  assert_run (f, "PENDING", "Priority", 0);

  f->job.state = JM_SCHEDULER_JOB_STATE_RUNNING;
  f->job.reason = NULL;
  f->job.start_time = 1065;
  take (f, &f->job, 1070);
  assert_run (f, "RUNNING", "Priority", 1065);
  account (f, "COMPLETED", 1065, 1090);
  assert_run (f, "COMPLETED", "Priority", 1065);

  /* what was asked before is not what is known by now */
  take (f, &f->job, 1090);
  take (f, NULL, 1100);
  assert_run (f, "COMPLETED", "Priority", 1065);
}

static void
assert_expected (Fixture *f, gint64 expected)
{
  g_autoptr (JmRun) run = get_run (f);
  gint64 number = 0;

  jm_run_get_number (run, JM_RUN_FIELD_SCHEDULER_START_TIME, &number);
  g_assert_cmpint (number, ==, expected);
}

static void
test_a_job_keeps_when_its_scheduler_first_expected_it_to_begin (Fixture *f,
                                                                gconstpointer data)
{
  take (f, &f->job, 1010);
  assert_expected (f, 0);
  f->job.start_time = 9000;
  take (f, &f->job, 1020);
  assert_expected (f, 9000);
  assert_documents (f, 1);

  f->job.start_time = 7000;
  f->job.reason = "Priority";
  take (f, &f->job, 1030);
  assert_expected (f, 9000);

  end (f);
  begin (f);
  f->job.start_time = 6000;
  take (f, &f->job, 1040);
  assert_expected (f, 9000);

  f->job.state = JM_SCHEDULER_JOB_STATE_RUNNING;
  f->job.start_time = 1065;
  take (f, &f->job, 1070);
  account (f, "COMPLETED", 1065, 1090);
  assert_expected (f, 9000);
}

static void
test_a_job_that_began_and_ended_between_two_looks_is_one_run (Fixture *f,
                                                              gconstpointer data)
{
  take (f, &f->job, 1010);
  account (f, "COMPLETED", 1020, 1030);
  take (f, NULL, 1070);
  assert_run (f, "COMPLETED", "Resources", 1020);
}

static void
test_a_job_that_left_before_it_began_is_lost_until_the_accounting_knows (
  Fixture *f,
  gconstpointer data)
{
  take (f, &f->job, 1010);
  take (f, NULL, 1070);
  take (f, NULL, 1070 + PATIENCE - 1);
  assert_run (f, "PENDING", "Resources", 0);
  take (f, NULL, 1070 + PATIENCE);
  assert_run (f, "LOST", "Resources", 0);
  take (f, &f->job, 5000);
  assert_run (f, "PENDING", "Resources", 0);
  take (f, NULL, 5060);
  account (f, "COMPLETED", 5010, 5050);
  take (f, NULL, 5060 + PATIENCE);
  assert_run (f, "COMPLETED", "Resources", 5010);
}

static void
begin_to_run (Fixture *f, gint64 start)
{
  f->job.state = JM_SCHEDULER_JOB_STATE_RUNNING;
  f->job.start_time = start;
}

static void
test_a_job_that_ran_and_left_has_ended (Fixture *f, gconstpointer data)
{
  begin_to_run (f, 1005);
  take (f, &f->job, 1010);
  take (f, NULL, 1070);
  take (f, NULL, 1070 + PATIENCE);
  assert_run (f, "ENDED", "Resources", 1005);
  account (f, "FAILED", 1005, 1050);
  assert_run (f, "FAILED", "Resources", 1005);
}

/* Slurm shows a job for some minutes after its end. */
static void
test_a_job_has_the_end_that_the_queue_shows (Fixture *f, gconstpointer data)
{
  g_autoptr (JmRun) run = NULL;
  gint64 end;

  begin_to_run (f, 1005);
  take (f, &f->job, 1010);
  f->job.state = JM_SCHEDULER_JOB_STATE_FAILED;
  f->job.end_time = 1050;
  take (f, &f->job, 1070);
  assert_run (f, "FAILED", "Resources", 1005);
  run = get_run (f);
  g_assert_true (jm_run_get_number (run, JM_RUN_FIELD_END_TIME, &end));
  g_assert_cmpint (end, ==, 1050);
  take (f, NULL, 2000);
  take (f, NULL, 2000 + PATIENCE);
  assert_run (f, "FAILED", "Resources", 1005);
}

/* Slurm says that it began when it was cancelled. */
static void
test_a_job_that_was_cancelled_while_it_waited_never_began (Fixture *f,
                                                           gconstpointer data)
{
  take (f, &f->job, 1010);
  f->job.state = JM_SCHEDULER_JOB_STATE_CANCELLED;
  f->job.start_time = f->job.end_time = 1050;
  take (f, &f->job, 1070);
  assert_run (f, "CANCELLED", "Resources", 0);
}

static void
test_a_job_is_not_lost_while_the_queue_cannot_be_read (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);

  jm_scheduler_report_complain (report, "qstat: a job without a number");
  take (f, &f->job, 1010);
  for (gint64 second = 1070; second < 1070 + 3 * PATIENCE; second += 60)
    g_assert_true (
      jm_job_states_take (f->states, "alps", "slurm", report, second * SECOND, NULL));
  assert_run (f, "PENDING", "Resources", 0);
}

static void
test_a_job_of_another_scheduler_is_not_lost (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) none =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmJobStates) other = jm_job_states_new (f->store);

  take (f, &f->job, 1010);
  for (gint64 second = 1070; second < 1070 + 3 * PATIENCE; second += PATIENCE)
    g_assert_true (
      jm_job_states_take (other, "alps", "pbs", none, second * SECOND, NULL));
  assert_run (f, "PENDING", "Resources", 0);
}

/* Its first run is over, and the accounting may know of it later. */
static void
test_a_job_that_is_put_back_into_the_queue_has_two_runs (Fixture *f, gconstpointer data)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  begin_to_run (f, 1005);
  take (f, &f->job, 1010);
  f->job.state = JM_SCHEDULER_JOB_STATE_PENDING;
  f->job.reason = "BeginTime";
  take (f, &f->job, 1500);
  assert_run (f, "ENDED", "Resources", 1005);
  begin_to_run (f, 2000);
  take (f, &f->job, 2010);

  jm_run_filter_set_sort (filter, "start", NULL);
  runs = jm_archive_database_list_runs (f->store, filter, f->viewer, &next, NULL);
  g_assert_cmpuint (runs->len, ==, 2);
  g_assert_cmpstr (jm_run_peek_text (runs->pdata[0], JM_RUN_FIELD_STATE), ==, "ENDED");
  g_assert_cmpstr (jm_run_peek_text (runs->pdata[1], JM_RUN_FIELD_STATE), ==,
                   "RUNNING");
}

/* As a node's ledger has it. */
static void
record (Fixture *f, JmRunState state, gint64 end)
{
  const MadeRun made = { .key = "boot/4711",
                         .id = ID,
                         .user = "ada",
                         .scheduler = "slurm",
                         .cluster = "alps",
                         .state = state,
                         .begin_us = 1005 * SECOND,
                         .end_us = end * SECOND };
  g_autoptr (JmJobRecord) record = made_record_new (&made);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GError) error = NULL;

  jm_run_batch_add_record (batch, record, "alps");
  g_assert_true (jm_archive_database_merge (f->store, batch, &error));
  g_assert_no_error (error);
}

static void
test_a_job_that_ended_on_its_nodes_does_not_run (Fixture *f, gconstpointer data)
{
  begin_to_run (f, 1005);
  f->job.nodes = 1;
  take (f, &f->job, 1010);
  record (f, JM_RUN_STATE_RUNNING, 0);
  assert_run (f, "RUNNING", "Resources", 1005);
  record (f, JM_RUN_STATE_ENDED, 1050);
  assert_run (f, "ENDED", "Resources", 1005);
  take (f, NULL, 1070);
  take (f, NULL, 1070 + PATIENCE);
  assert_run (f, "ENDED", "Resources", 1005);
  account (f, "COMPLETED", 1005, 1052);
  assert_run (f, "COMPLETED", "Resources", 1005);
}

/* On a node whose scheduler left its cgroup behind it stands for another minute. */
static void
test_a_job_that_the_accounting_ended_does_not_run (Fixture *f, gconstpointer data)
{
  begin_to_run (f, 1005);
  f->job.nodes = 1;
  take (f, &f->job, 1010);
  record (f, JM_RUN_STATE_RUNNING, 0);
  account (f, "COMPLETED", 1005, 1050);
  assert_run (f, "COMPLETED", "Resources", 1005);
  record (f, JM_RUN_STATE_RUNNING, 0);
  assert_run (f, "COMPLETED", "Resources", 1005);
  take (f, NULL, 1070);
  record (f, JM_RUN_STATE_ENDED, 1110);
  assert_run (f, "COMPLETED", "Resources", 1005);
}

/* squeue shows a job so while its nodes clean up, and not how it ended. */
static void
test_a_job_that_completes_runs_until_its_nodes_know_its_end (Fixture *f,
                                                             gconstpointer data)
{
  begin_to_run (f, 1005);
  f->job.nodes = 1;
  take (f, &f->job, 1010);
  record (f, JM_RUN_STATE_RUNNING, 0);
  f->job.state = JM_SCHEDULER_JOB_STATE_UNKNOWN;
  f->job.flags = 1u << JM_SCHEDULER_JOB_FLAG_COMPLETING;
  take (f, &f->job, 1049);
  assert_run (f, "COMPLETING", "Resources", 1005);
  record (f, JM_RUN_STATE_ENDED, 1050);
  assert_run (f, "ENDED", "Resources", 1005);
  account (f, "COMPLETED", 1005, 1052);
  take (f, &f->job, 1053);
  assert_run (f, "COMPLETED", "Resources", 1005);
}

static void
test_a_job_that_completed_while_nobody_asked_has_ended (Fixture *f, gconstpointer data)
{
  begin_to_run (f, 1005);
  f->job.state = JM_SCHEDULER_JOB_STATE_UNKNOWN;
  f->job.flags = 1u << JM_SCHEDULER_JOB_FLAG_COMPLETING;
  take (f, &f->job, 1049);
  end (f);
  begin (f);
  take (f, NULL, 1070);
  take (f, NULL, 1070 + PATIENCE);
  assert_run (f, "ENDED", "Resources", 1005);
}

static void
assert_n_since (Fixture *f, gint64 since, guint n)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  jm_run_filter_set_period (filter, since, 0);
  runs = jm_archive_database_list_runs (f->store, filter, f->viewer, &next, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, n);
}

static void
test_a_job_that_left_while_nobody_asked_is_lost (Fixture *f, gconstpointer data)
{
  take (f, &f->job, 1010);
  end (f);
  begin (f);
  take (f, NULL, 1070);
  take (f, NULL, 1070 + PATIENCE);
  assert_run (f, "LOST", "Resources", 0);
  assert_n_since (f, 999, 1);
  assert_n_since (f, 2000, 0);
}

static void
test_a_job_that_was_lost_is_deleted_by_its_submission (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  take (f, &f->job, 1010);
  g_assert_cmpint (jm_archive_database_forget (f->store, 2000, &error), ==, 0);
  assert_n_since (f, 1000000, 1);
  take (f, NULL, 1070);
  take (f, NULL, 1070 + PATIENCE);
  g_assert_cmpint (jm_archive_database_forget (f->store, 1000, &error), ==, 0);
  g_assert_cmpint (jm_archive_database_forget (f->store, 1001, &error), ==, 1);
  g_assert_no_error (error);
  assert_n_since (f, 0, 0);
  /* and it is not made anew */
  take (f, NULL, 5000);
  assert_n_since (f, 0, 0);
}

static void
test_an_array_waits_as_one_run_until_its_last_task_begins (Fixture *f,
                                                           gconstpointer data)
{
  f->job.array_job_id = 4711;
  f->job.id = "4711_[1-10]";
  take (f, &f->job, 1010);
  f->job.id = "4711_[9-10]";
  take (f, &f->job, 1070);
  assert_run (f, "PENDING", "Resources", 0);
  f->job.id = "4711_10";
  f->job.array_task_id = 10;
  f->job.state = JM_SCHEDULER_JOB_STATE_RUNNING;
  f->job.start_time = 1100;
  take (f, &f->job, 1130);
  assert_run (f, "RUNNING", "Resources", 1100);
}

/* A store that fails forgets nothing: what it did not take comes the next time. */
static void
test_failure (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (GError) error = NULL;

  take (f, &f->job, 1000);
  jm_archive_database_close (f->store);
  f->job.reason = "Priority";
  jm_scheduler_report_add_job (report, &f->job);
  g_assert_false (
    jm_job_states_take (f->states, "alps", "slurm", report, 1060 * SECOND, &error));
  g_assert_nonnull (error);
  end (f);
  begin (f);
  take (f, &f->job, 1120);
  assert_documents (f, 2);
}

#define ADD(name, test)                                                                \
 g_test_add ("/job-states/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("are-kept-as-they-change", test_life);
  ADD ("that-stay-are-kept-once", test_same);
  ADD ("are-not-reported-again-after-a-restart", test_restart);
  ADD ("are-not-reported-again-of-a-job-that-was-not-seen-for-once", test_return);
  ADD ("of-sums-are-none", test_sums);
  ADD ("keep-any-name", test_names);
  ADD ("that-were-not-stored-come-later", test_failure);
  ADD ("run-unique-id", test_a_job_of_a_unique_id_goes_by_it);
  ADD ("run", test_a_job_is_one_run_from_its_submission_to_its_end);
  ADD ("run-expected", test_a_job_keeps_when_its_scheduler_first_expected_it_to_begin);
  ADD ("run-between", test_a_job_that_began_and_ended_between_two_looks_is_one_run);
  ADD ("run-lost",
       test_a_job_that_left_before_it_began_is_lost_until_the_accounting_knows);
  ADD ("run-left", test_a_job_that_left_while_nobody_asked_is_lost);
  ADD ("run-deleted", test_a_job_that_was_lost_is_deleted_by_its_submission);
  ADD ("run-ended", test_a_job_that_ran_and_left_has_ended);
  ADD ("run-shown-after-its-end", test_a_job_has_the_end_that_the_queue_shows);
  ADD ("run-cancelled", test_a_job_that_was_cancelled_while_it_waited_never_began);
  ADD ("run-unread", test_a_job_is_not_lost_while_the_queue_cannot_be_read);
  ADD ("run-of-another-scheduler", test_a_job_of_another_scheduler_is_not_lost);
  ADD ("run-requeued", test_a_job_that_is_put_back_into_the_queue_has_two_runs);
  ADD ("run-ended-on-nodes", test_a_job_that_ended_on_its_nodes_does_not_run);
  ADD ("run-ended-by-accounting", test_a_job_that_the_accounting_ended_does_not_run);
  ADD ("run-completing", test_a_job_that_completes_runs_until_its_nodes_know_its_end);
  ADD ("run-completing-unseen", test_a_job_that_completed_while_nobody_asked_has_ended);
  ADD ("run-array", test_an_array_waits_as_one_run_until_its_last_task_begins);

  return g_test_run ();
}
