/* test-queue-and-accounting.c: what a queue and an accounting file say of the same jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/import/jm-job-states-private.h"
#include "commands-fixture.h"
#include "core/jm-run-field-private.h"
#include "schedulers/gridengine/jm-gridengine-row-private.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-types-private.h"
#include "schedulers/pbs/jm-pbs-record-private.h"

#define CLUSTER "made"

static const Kind pbs = { jm_pbs_commands_get_type, "pbs-commands" };
static const Kind gridengine = { jm_grid_engine_commands_get_type,
                                 "gridengine-commands" };

/* The same. */
static const Kind gridengine_after_a_restart = { jm_grid_engine_commands_get_type,
                                                 "gridengine-commands" };

typedef struct
{
  Fixture commands;
  char *path;
  JmArchiveDatabase *store;
  JmJobStates *states;
  const char *scheduler;
} Site;

static void
begin (Site *site, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;

  set_up (&site->commands, kind);
  site->scheduler = kind == &pbs ? "pbs" : "gridengine";
  site->path = g_build_filename (site->commands.folder, "accounts.db", NULL);
  site->store = jm_archive_database_open (site->path, &error);
  g_assert_no_error (error);
  site->states = jm_job_states_new (site->store);
}

static void
end (Site *site, gconstpointer kind)
{
  jm_job_states_free (site->states);
  jm_archive_database_close (site->store);
  g_object_unref (site->store);
  g_free (site->path);
  tear_down (&site->commands, kind);
}

/* The queue as qstat prints it, at that second. */
static void
look (Site *site, const char *qstat, gint64 second)
{
  g_autofree char *script = g_strdup_printf ("cat <<'X'\n%s\nX", qstat);
  g_autoptr (JmSchedulerReport) report = NULL;
  g_autoptr (GError) error = NULL;

  put_command (&site->commands, "qstat", script);
  report = read_topic (&site->commands, JM_SCHEDULER_TOPIC_JOBS);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==, NULL);
  g_assert_true (jm_job_states_take (site->states, CLUSTER, site->scheduler, report,
                                     second * G_USEC_PER_SEC, &error));
  g_assert_no_error (error);
}

static void
account (Site *site, const char *line)
{
  const JmSlice slice = { line, strlen (line) };
  g_autoptr (JmRun) run = NULL;
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GError) error = NULL;
  const char *bad = NULL;

  if (g_str_equal (site->scheduler, "pbs"))
    jm_pbs_parse_record (slice, CLUSTER, &run, &bad);
  else
    jm_gridengine_parse_row (slice, CLUSTER, &run, &bad);
  g_assert_nonnull (run);
  g_assert_cmpstr (bad, ==, NULL);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  g_assert_true (jm_archive_database_merge (site->store, batch, &error));
  g_assert_no_error (error);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Raw ids and states, by raw id. */
static void
assert_runs (Site *site, const char *expected)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autofree char *next = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs =
    jm_archive_database_list_runs (site->store, filter, viewer, &next, &error);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *all = NULL;

  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (words,
                     g_strconcat (jm_run_get_raw_id (runs->pdata[i]), "=",
                                  jm_run_peek_text (runs->pdata[i], JM_RUN_FIELD_STATE),
                                  NULL));
  g_ptr_array_sort (words, compare);
  g_ptr_array_add (words, NULL);
  all = g_strjoinv (" ", (char **) words->pdata);
  g_assert_cmpstr (all, ==, expected);
}

/* The server is started anew. */
static void
start_again (Site *site)
{
  jm_job_states_free (site->states);
  site->states = jm_job_states_new (site->store);
}

/* --- PBS --- */

#define PBS(jobs)                                                                      \
 "{\"timestamp\":1664918410,\"pbs_version\":\"23\",\"pbs_server\":\"head1\","          \
 "\"Jobs\":{" jobs "}}"
#define PBS_JOB(id, state, more)                                                       \
 "\"" id                                                                               \
 "\":{\"Job_Name\":\"melt\",\"Job_Owner\":\"ada@login1\",\"job_state\":\"" state       \
 "\",\"queue\":\"workq\",\"ctime\":\"Tue Oct  4 21:20:01 2022\"" more "}"

static void
test_pbs_job_is_one_run (Site *site, gconstpointer data)
{
  look (site, PBS (PBS_JOB ("101.head1", "Q", "")), 1664918402);
  assert_runs (site, "101.head1=PENDING");
  look (site,
        PBS (PBS_JOB ("101.head1", "R", ",\"stime\":\"Tue Oct  4 21:20:05 2022\"")),
        1664918410);
  assert_runs (site, "101.head1=RUNNING");
  account (site, "10/04/2022 22:00:05;E;101.head1;user=ada group=ada jobname=melt "
                 "queue=workq ctime=1664918401 start=1664918405 end=1664920805 "
                 "Exit_status=0");
  assert_runs (site, "101.head1=COMPLETED");
}

/* What waits of it has another id whenever a task begins. */
static void
test_pbs_array_is_no_run (Site *site, gconstpointer data)
{
  look (site,
        PBS (PBS_JOB ("104[].head1", "B",
                      ",\"array\":\"True\",\"array_indices_remaining\":\"6-9\","
                      "\"array_state_count\":\"Queued:4 Running:2 Exiting:0 "
                      "Expired:0 \"")),
        1664918410);
  look (site,
        PBS (PBS_JOB ("104[].head1", "B",
                      ",\"array\":\"True\",\"array_indices_remaining\":\"8-9\","
                      "\"array_state_count\":\"Queued:2 Running:4 Exiting:0 "
                      "Expired:0 \"")),
        1664919410);
  look (site, PBS (""), 1664929410);
  assert_runs (site, "");
  account (site, "10/04/2022 22:30:00;E;104[7].head1;user=ada ctime=1664918401 "
                 "start=1664918500 end=1664918600 Exit_status=0");
  assert_runs (site, "104[7].head1=COMPLETED");
}

/* --- Grid Engine --- */

#define GRIDENGINE(jobs)                                                               \
 "<?xml version='1.0'?><job_info><queue_info>" jobs "</queue_info></job_info>"
#define GRIDENGINE_JOB(id, state, letters, more)                                       \
 "<job_list state=\"" state "\"><JB_job_number>" id "</JB_job_number>"                 \
 "<JB_name>burn</JB_name><JB_owner>ada</JB_owner><state>" letters "</state>" more      \
 "<slots>1</slots></job_list>"
#define WAITS "<JB_submission_time>2026-11-21T08:30:23</JB_submission_time>"
#define RUNS "<JAT_start_time>2026-11-21T08:30:34</JAT_start_time>"

/* Accounting has columns without names. */
static char *
make_row (const char *number, const char *task)
{
  return g_strconcat ("all.q:vm:ada:ada:burn:", number,
                      ":sge:0:1795249823:1795249834:1795249874:0:0:40:26.0:0.05:52792."
                      "0:0:0:0:0:13353:0:0:288.0:48:0:0:0:11:6698:NONE:"
                      "defaultdepartment:NONE:1:",
                      task, ":26.1:1.2:0.0:NONE:0.0:NONE:53907456.0:0:0", NULL);
}

static void
test_gridengine_job_is_one_run (Site *site, gconstpointer data)
{
  g_autofree char *row = make_row ("5", "0");

  look (site, GRIDENGINE (GRIDENGINE_JOB ("5", "pending", "qw", WAITS)), 1795249824);
  assert_runs (site, "5=PENDING");
  if (data == &gridengine_after_a_restart)
    start_again (site);
  look (site, GRIDENGINE (GRIDENGINE_JOB ("5", "running", "r", RUNS)), 1795249840);
  assert_runs (site, "5=RUNNING");
  look (site, GRIDENGINE (""), 1795249880);
  account (site, row);
  look (site, GRIDENGINE (""), 1795259880);
  assert_runs (site, "5=COMPLETED");
}

static void
test_gridengine_tasks_are_runs (Site *site, gconstpointer data)
{
  g_autofree char *row = make_row ("6", "1");

  look (site,
        GRIDENGINE (
          GRIDENGINE_JOB ("6", "pending", "qw", WAITS "<tasks>1-9:1</tasks>")),
        1795249824);
  look (site,
        GRIDENGINE (
          GRIDENGINE_JOB ("6", "running", "r", RUNS "<tasks>1</tasks>")
            GRIDENGINE_JOB ("6", "pending", "qw", WAITS "<tasks>2-9:1</tasks>")),
        1795249840);
  assert_runs (site, "6.1=RUNNING");
  account (site, row);
  look (site, GRIDENGINE (""), 1795259880);
  assert_runs (site, "6.1=COMPLETED");
}

#define ADD(name, kind, test)                                                          \
 g_test_add ("/queue-and-accounting/" name, Site, kind, begin, test, end)

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("pbs", &pbs, test_pbs_job_is_one_run);
  ADD ("pbs-array", &pbs, test_pbs_array_is_no_run);
  ADD ("gridengine", &gridengine, test_gridengine_job_is_one_run);
  ADD ("gridengine-restart", &gridengine_after_a_restart,
       test_gridengine_job_is_one_run);
  ADD ("gridengine-array", &gridengine, test_gridengine_tasks_are_runs);

  return g_test_run ();
}
