/* test-htcondor-history.c: the history of an HTCondor whose command is a script
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-run-private.h"
#include "log-fixture.h"
#include "schedulers/htcondor/jm-htcondor-ad-private.h"
#include "schedulers/jm-accounting-private.h"
#include "schedulers/jm-scheduler-types-private.h"
#include "tree.h"

#define PRINT_RECORDED "cat \"$recorded\""
/* of `overlap`, by default */
#define OVERLAP 3600
#define LOG_ARGUMENTS "for a; do echo \"$a\" >> \"$here/log\"; done\n"
#define ENDED "\"JobStatus\": 4, \"EnteredCurrentStatus\": 1795826040"
#define SLOT                                                                           \
 "/system.slice/condor.service/htcondor/condor_var_lib_condor_execute_slot1_1@c1"

static void
put_command (LogFixture *f, const char *script)
{
  g_autofree char *path = g_build_filename (f->directory, "condor_history", NULL);
  g_autofree char *recorded =
    g_test_build_filename (G_TEST_DIST, "fixtures", "condor-history-23.9", "jobs.jsonl",
                           NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\nrecorded='%s'\nhere='%s'\n%s\n",
                                           recorded, f->directory, script);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static JmHistory *
open_history (LogFixture *f, const char *schedd)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  JmHistory *history =
    g_initable_new (JM_TYPE_HTCONDOR_HISTORY, NULL, &error, "host", host, "cluster",
                    "pool", "directory", f->directory, "schedd", schedd, NULL);

  g_assert_no_error (error);

  return history;
}

/* What is read is one window, which ends now. */
static void
begin (LogFixture *f, gconstpointer data)
{
  log_begin (f, "condor-history-23.9", "jobs.jsonl");
  f->history = open_history (f, NULL);
  f->position =
    g_strdup_printf ("%" G_GINT64_FORMAT, g_get_real_time () / G_USEC_PER_SEC);
}

static void
read_recorded (LogFixture *f)
{
  put_command (f, PRINT_RECORDED);
  log_read (f);
}

/* The only run of this id that began then; -1 where it never did. */
static guint
find_run (LogFixture *f, const char *id, gint64 start)
{
  for (guint i = 0; i < f->runs->len; i++)
    if (g_str_equal (jm_run_get_raw_id (f->runs->pdata[i]), id) &&
        log_number (f, i, JM_RUN_FIELD_START_TIME) == start)
      return i;

  g_error ("there is no run of %s that began at %" G_GINT64_FORMAT, id, start);
}

static void
assert_numbers (LogFixture *f,
                guint run,
                const JmRunField *fields,
                const gint64 *numbers)
{
  for (guint i = 0; fields[i] != 0; i++)
    g_assert_cmpint (log_number (f, run, fields[i]), ==, numbers[i]);
}

static void
test_has_the_runs_of_a_recorded_pool (LogFixture *f, gconstpointer data)
{
  static const JmRunField fields[] = { JM_RUN_FIELD_SUBMIT_TIME,
                                       JM_RUN_FIELD_END_TIME,
                                       JM_RUN_FIELD_ELAPSED,
                                       JM_RUN_FIELD_EXIT_CODE,
                                       JM_RUN_FIELD_EXIT_SIGNAL,
                                       JM_RUN_FIELD_NODES,
                                       JM_RUN_FIELD_CPUS,
                                       JM_RUN_FIELD_MEMORY_REQUESTED,
                                       JM_RUN_FIELD_MEMORY_ALLOCATED,
                                       JM_RUN_FIELD_GPUS_ALLOCATED,
                                       JM_RUN_FIELD_CPU_TOTAL,
                                       JM_RUN_FIELD_CPU_USER,
                                       JM_RUN_FIELD_CPU_SYSTEM,
                                       JM_RUN_FIELD_MEMORY_PEAK,
                                       JM_RUN_FIELD_TIME_LIMIT,
                                       0 };
  static const gint64 numbers[] = { 1795825844, 1795825986, 122,       0,         -1,
                                    1,          1,          314572800, 402653184, 0,
                                    26000000,   26000000,   0,         105230336, -1 };
  guint run;

  read_recorded (f);

  g_assert_cmpuint (f->runs->len, ==, 19);
  g_assert_cmpstr (jm_history_get_position_name (f->history), ==,
                   "condor-history/pool");
  run = find_run (f, "1.0", 1795825864);
  g_assert_cmpstr (jm_run_get_scheduler (f->runs->pdata[run]), ==, "htcondor");
  g_assert_cmpstr (jm_run_get_cluster (f->runs->pdata[run]), ==, "pool");
  g_assert_cmpstr (log_text (f, run, JM_RUN_FIELD_USER), ==, "alice");
  g_assert_cmpstr (log_text (f, run, JM_RUN_FIELD_ACCOUNT), ==, "physics.hep");
  g_assert_cmpstr (log_text (f, run, JM_RUN_FIELD_NAME), ==, "burn");
  g_assert_cmpstr (log_text (f, run, JM_RUN_FIELD_STATE), ==, "COMPLETED");
  g_assert_cmpstr (log_text (f, run, JM_RUN_FIELD_NODE_LIST), ==, "c1");
  assert_numbers (f, run, fields, numbers);
  /* each proc of a cluster */
  find_run (f, "2.0", 1795825885);
  find_run (f, "2.1", 1795825885);
}

static void
test_jobs_end_in_many_ways (LogFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *id;
    gint64 start;
    const char *state;
    gint64 end;
    gint64 exit_code;
    gint64 signal;
  } ends[] = {
    /* it was held after 5 s, and removed later */
    { "1.0", 1795902269, "CANCELLED", 1795902274, -1, 15 },
    /* it was removed before it began */
    { "2.0", -1, "CANCELLED", 1795902274, -1, -1 },
    { "3.0", 1795902269, "FAILED", 1795902270, -1, 9 },
    { "4.0", 1795902289, "FAILED", 1795902290, 3, -1 },
    /* its first execution was vacated */
    { "5.0", 1795902275, "COMPLETED", 1795902302, 0, -1 },
    { "7.0", 1795902269, "TIMEOUT", 1795902331, -1, 15 },
    /* of the local universe */
    { "8.0", 1795902254, "CANCELLED", 1795902274, -1, -1 },
  };

  read_recorded (f);

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      guint run = find_run (f, ends[i].id, ends[i].start);

      g_assert_cmpstr (log_text (f, run, JM_RUN_FIELD_STATE), ==, ends[i].state);
      g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_END_TIME), ==, ends[i].end);
      g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_EXIT_CODE), ==,
                       ends[i].exit_code);
      g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_EXIT_SIGNAL), ==,
                       ends[i].signal);
    }
}

static void
test_what_is_not_known_is_absent (LogFixture *f, gconstpointer data)
{
  guint run;

  read_recorded (f);

  /* it never began */
  run = find_run (f, "2.0", -1);
  g_assert_null (log_text (f, run, JM_RUN_FIELD_NODE_LIST));
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_CPUS), ==, -1);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_ELAPSED), ==, -1);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_CPU_TOTAL), ==, -1);
  /* the starter had not measured it yet */
  run = find_run (f, "1.0", 1795902269);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_CPU_TOTAL), ==, -1);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_MEMORY_PEAK), ==, -1);
  /* the peak is that of both of its executions */
  run = find_run (f, "5.0", 1795902275);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_MEMORY_PEAK), ==, -1);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_CPU_TOTAL), ==, 0);
  /* its RequestMemory is an expression, and it has no slot */
  run = find_run (f, "10.0", 1795825977);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_MEMORY_REQUESTED), ==, -1);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_GPUS_ALLOCATED), ==, -1);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_CPUS), ==, 1);
  g_assert_cmpstr (log_text (f, run, JM_RUN_FIELD_NODE_LIST), ==, "c1");
  run = find_run (f, "6.0", 1795902309);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_GPUS_REQUESTED), ==, 1);
  g_assert_cmpint (log_number (f, run, JM_RUN_FIELD_GPUS_ALLOCATED), ==, 1);
}

/* A command that prints these lines, whatever it is asked. */
static void
put_lines (LogFixture *f, const char *lines)
{
  g_autofree char *path = g_build_filename (f->directory, "lines", NULL);

  g_assert_true (g_file_set_contents (path, lines, -1, NULL));
  put_command (f, "cat \"$here/lines\"");
}

/* The ad of a job on its node, and the same ad when the job has ended: the archive has
 * one run of both. */
static void
test_a_run_is_the_job_of_its_node (LogFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *of_job;
    JmRunField of_run;
  } fields[] = {
    { "user", JM_RUN_FIELD_USER },
    { "account", JM_RUN_FIELD_ACCOUNT },
    { "name", JM_RUN_FIELD_NAME },
    { "submit_time", JM_RUN_FIELD_SUBMIT_TIME },
    { "start_time", JM_RUN_FIELD_START_TIME },
  };
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "htcondor-23", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (JmJobSource) source = source_for (host, "htcondor.conf");
  g_autoptr (JmJob) job = identify (source, SLOT, 3037);

  put_lines (f, "{\"ClusterId\": 6, \"ProcId\": 0, \"Owner\": \"alice\", " ENDED
                ", \"AcctGroup\": \"physics.hep\", \"JobBatchName\": \"burn\", "
                "\"QDate\": 1795825971, \"JobCurrentStartDate\": 1795825986}\n");
  log_read (f);

  log_assert_list (f, "6.0");
  assert_field (job, "jobid", "6.0");
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const JmRunField field = fields[i].of_run;
      g_autofree char *text =
        jm_run_field_holds_text (field)
          ? g_strdup (log_text (f, 0, field))
          : g_strdup_printf ("%" G_GINT64_FORMAT, log_number (f, 0, field));

      assert_field (job, fields[i].of_job, text);
    }
}

static void
test_a_job_may_be_called_anything (LogFixture *f, gconstpointer data)
{
  put_lines (f, "{\"ClusterId\": 1, \"ProcId\": 0, " ENDED
                ", \"JobBatchName\": \"a\\tb\\n{\\\"ClusterId\\\": 9, \\\\\"}\n"
                "{\"clusterid\": 2, \"PROCID\": 1, " ENDED
                ", \"JobBatchName\": \"\xe9\"}\n"
                "{\"ClusterId\": 3, \"ProcId\": 0, " ENDED
                ", \"JobBatchName\": \"\\/Expr(1 / 0)\\/\"}\n");
  log_read (f);

  log_assert_list (f, "1.0 2.1 3.0");
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_NAME), ==,
                   "a\tb\n{\"ClusterId\": 9, \\");
  g_assert_cmpstr (log_text (f, 1, JM_RUN_FIELD_NAME), ==, "\uFFFD");
  g_assert_null (log_text (f, 2, JM_RUN_FIELD_NAME));
}

static void
test_a_value_that_cannot_be_read_costs_itself (LogFixture *f, gconstpointer data)
{
  put_lines (f, "{\"ClusterId\": 1, \"ProcId\": 0, " ENDED
                ", \"RequestMemory\": -5, \"CpusProvisioned\": 2, \"Owner\": \"ada\"}\n"
                "{\"ClusterId\": 2, \"ProcId\": 0, " ENDED
                ", \"Owner\": [7], \"RequestGPUs\": 1e300}\n");
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "*passed over: 2, the first: cannot read RequestMemory: "
                         "{*ClusterId*1*");
  log_read (f);
  g_test_assert_expected_messages ();

  log_assert_list (f, "1.0 2.0");
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_MEMORY_REQUESTED), ==, -1);
  g_assert_cmpint (log_number (f, 0, JM_RUN_FIELD_CPUS), ==, 2);
  g_assert_cmpstr (log_text (f, 0, JM_RUN_FIELD_USER), ==, "ada");
  g_assert_null (log_text (f, 1, JM_RUN_FIELD_USER));
  g_assert_cmpint (log_number (f, 1, JM_RUN_FIELD_GPUS_REQUESTED), ==, -1);
}

static void
test_a_record_that_cannot_be_read_costs_itself (LogFixture *f, gconstpointer data)
{
  g_autofree char *name = g_strnfill (JM_COMMAND_LINE_MAX, 'x');
  g_autofree char *lines =
    g_strdup_printf ("{\"ClusterId\": 1, \"JobBatchName\": \"%s\"}\n"
                     "{\"ClusterId\": \"2\", \"ProcId\": 0}\n[3]\n"
                     "{\"ClusterId\": 4, \"ProcId\": 0, " ENDED "}\n{\"Clus",
                     name);

  put_lines (f, lines);
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "*passed over: 4, the first: cannot read the record: *");
  log_read (f);
  g_test_assert_expected_messages ();

  log_assert_list (f, "4.0");
}

static char *
get_log (LogFixture *f)
{
  g_autofree char *path = g_build_filename (f->directory, "log", NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));

  return text;
}

static void
assert_has (const char *text, const char *words)
{
  if (strstr (text, words) == NULL)
    g_error ("no \"%s\" in: %s", words, text);
}

static void
test_asks_for_a_day_at_a_time (LogFixture *f, gconstpointer data)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const gint64 begin = now - 2 * JM_ACCOUNTING_SECONDS_OF_DAY;
  g_autofree char *words =
    g_strdup_printf ("EnteredCurrentStatus >= %" G_GINT64_FORMAT
                     " || (EnteredCurrentStatus >= %" G_GINT64_FORMAT
                     " && unparse(LeaveJobInQueue)",
                     begin - OVERLAP,
                     begin - OVERLAP - 10 * JM_ACCOUNTING_SECONDS_OF_DAY);
  g_autofree char *log = NULL;
  gint64 position;

  g_set_object (&f->history, NULL);
  f->history = open_history (f, "submit1@ap");
  g_free (f->position);
  f->position = g_strdup_printf ("%" G_GINT64_FORMAT, begin);
  put_command (f, LOG_ARGUMENTS);
  log_read (f);

  g_assert_cmpuint (f->runs->len, ==, 0);
  position = g_ascii_strtoll (f->position, NULL, 10);
  g_assert_cmpint (position, >=, now);
  g_assert_cmpstr (jm_history_get_position_name (f->history), ==,
                   "condor-history/pool/submit1@ap");
  log = get_log (f);
  assert_has (log, words);
  assert_has (log, "-name\nsubmit1@ap\n");
  assert_has (log, ",RequestMemory,");
}

static void
test_a_command_that_fails_gives_its_reason (LogFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  put_command (f,
               "cat \"$recorded\"\necho 'Unable to locate remote schedd' >&2\nexit 1");
  g_assert_false (jm_history_read (f->history, f->position, log_take, f, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  assert_has (error->message, "Unable to locate remote schedd");
  g_assert_cmpuint (f->runs->len, ==, 0);
}

static void
test_many_runs_are_several_batches (LogFixture *f, gconstpointer data)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 1; i <= JM_HISTORY_BATCH_RUNS + 1; i++)
    g_string_append_printf (lines, "{\"ClusterId\": %u, \"ProcId\": 0, " ENDED "}\n",
                            i);
  put_lines (f, lines->str);
  log_read (f);

  g_assert_cmpuint (f->runs->len, ==, JM_HISTORY_BATCH_RUNS + 1);
}

static void
test_needs_a_cluster (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (
    g_initable_new (JM_TYPE_HTCONDOR_HISTORY, NULL, &error, "host", host, NULL));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(test)                                                                      \
 g_test_add ("/htcondor-history/" #test, LogFixture, NULL, begin, test_##test, log_end)
  ADD (has_the_runs_of_a_recorded_pool);
  ADD (jobs_end_in_many_ways);
  ADD (what_is_not_known_is_absent);
  ADD (a_run_is_the_job_of_its_node);
  ADD (a_job_may_be_called_anything);
  ADD (a_value_that_cannot_be_read_costs_itself);
  ADD (a_record_that_cannot_be_read_costs_itself);
  ADD (asks_for_a_day_at_a_time);
  ADD (a_command_that_fails_gives_its_reason);
  ADD (many_runs_are_several_batches);
#undef ADD
  g_test_add_func ("/htcondor-history/needs_a_cluster", test_needs_a_cluster);

  return g_test_run ();
}
