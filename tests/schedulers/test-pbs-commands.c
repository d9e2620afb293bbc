/* test-pbs-commands.c: a PBS whose commands are scripts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "commands-fixture.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-types-private.h"
#include "schedulers/pbs/jm-pbs-answers-private.h"

#define MIB ((gint64) 1 << 20)
#define GIB ((gint64) 1 << 30)

static const Kind pbs = { jm_pbs_commands_get_type, "pbs-commands" };

static JmSchedulerReport *
read_recorded (Fixture *f,
               JmSchedulerTopic topic,
               const char *command,
               const char *file)
{
  JmSchedulerReport *report;

  put_recorded_file (f, &pbs, command, file, "");
  report = read_topic (f, topic);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==, NULL);

  return report;
}

static JmSchedulerReport *
read_jobs (Fixture *f)
{
  return read_recorded (f, JM_SCHEDULER_TOPIC_JOBS, "qstat", "qstat.json");
}

static JmSchedulerReport *
read_script (Fixture *f, JmSchedulerTopic topic, const char *command, const char *json)
{
  g_autofree char *script = g_strdup_printf ("cat <<'X'\n%s\nX", json);

  put_command (f, command, script);

  return read_topic (f, topic);
}

/* --- jobs --- */

static void
test_a_job_that_runs (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *job = find_job (report, "101.head1");

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 6);
  /* accounting calls it by all of its id */
  g_assert_cmpint (job->raw_id, ==, -1);
  g_assert_cmpstr (job->name, ==, "melt");
  g_assert_cmpstr (job->user, ==, "ada");
  g_assert_cmpstr (job->account, ==, "physics");
  g_assert_cmpstr (job->partitions, ==, "workq");
  g_assert_cmpint (job->state, ==, JM_SCHEDULER_JOB_STATE_RUNNING);
  g_assert_cmpstr (job->node_list, ==, "node1,node2");
  g_assert_cmpint (job->nodes, ==, 2);
  g_assert_cmpint (job->cpus_allocated, ==, 4);
  g_assert_cmpint (job->memory_allocated_bytes, ==, 8 * GIB);
  g_assert_cmpint (job->gpus_allocated, ==, 2);
  g_assert_cmpint (job->submit_time, ==, utc (2026, 11, 23, 16, 0, 0));
  g_assert_cmpint (job->start_time, ==, utc (2026, 11, 23, 16, 1, 40));
  g_assert_cmpint (job->time_limit_seconds, ==, 7200);
  g_assert_cmpint (job->end_time - job->start_time, ==, 7200);
  g_assert_cmpint (job->restarts, ==, 1);
  g_assert_null (job->reason);
}

static void
test_a_job_that_waits (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *job = find_job (report, "102.head1");

  g_assert_cmpint (job->state, ==, JM_SCHEDULER_JOB_STATE_PENDING);
  g_assert_cmpstr (job->name, ==, "wait \"a\" bit");
  g_assert_cmpstr (job->account, ==, "chemistry");
  g_assert_cmpstr (job->reason, ==, "Insufficient amount of resource: ngpus");
  g_assert_cmpint (job->cpus_requested, ==, 1);
  g_assert_cmpint (job->gpus_requested, ==, 1);
  g_assert_cmpint (job->memory_requested_bytes, ==, 512 * MIB);
  g_assert_cmpint (job->cpus_allocated, ==, -1);
  g_assert_cmpint (job->priority, ==, -20);
  g_assert_cmpint (job->submit_time, ==, 1795449000);
  g_assert_cmpint (job->eligible_time, ==, utc (2026, 11, 23, 15, 50, 0));
  g_assert_cmpint (job->start_time, ==, utc (2026, 11, 23, 18, 0, 0));
}

static void
test_no_estimate_costs_no_job (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_script (f, JM_SCHEDULER_TOPIC_JOBS, "qstat",
                 "{\"Jobs\": {\"1.a\": {\"job_state\": \"Q\", "
                 "\"estimated\": {\"start_time\": \"UNKNOWN\"}}}}");

  g_assert_cmpint (find_job (report, "1.a")->start_time, ==, 0);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 0);
}

/* Operators get both. */
static void
test_whose_a_job_is (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_script (
    f, JM_SCHEDULER_TOPIC_JOBS, "qstat",
    "{\"Jobs\": {\"1.a\": {\"job_state\": \"Q\", \"Job_Owner\": \"ada@a\", "
    "\"euser\": \"robot\"}, \"2.a\": {\"job_state\": \"Q\", \"euser\": \"robot\", "
    "\"Job_Owner\": \"ada@a\"}, \"3.a\": {\"job_state\": \"Q\", "
    "\"Job_Owner\": \"ada@a\"}}}");

  g_assert_cmpstr (find_job (report, "1.a")->user, ==, "robot");
  g_assert_cmpstr (find_job (report, "2.a")->user, ==, "robot");
  g_assert_cmpstr (find_job (report, "3.a")->user, ==, "ada");
}

static void
test_an_array (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *running = find_job (report, "103[].head1");
  const JmSchedulerJob *waiting = find_job (report, "103[6-100].head1");

  g_assert_cmpint (running->state, ==, JM_SCHEDULER_JOB_STATE_RUNNING);
  g_assert_cmpint (running->array_job_id, ==, 103);
  g_assert_cmpint (running->tasks, ==, 3);
  g_assert_cmpint (running->cpus_allocated, ==, 6);
  g_assert_cmpint (running->memory_allocated_bytes, ==, 3 * GIB);

  g_assert_cmpint (waiting->state, ==, JM_SCHEDULER_JOB_STATE_PENDING);
  g_assert_cmpint (waiting->tasks, ==, 95);
  g_assert_cmpint (waiting->cpus_requested, ==, 2);
  g_assert_cmpint (waiting->cpus_allocated, ==, -1);
}

static void
test_jobs_that_are_held_or_suspended (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *held = find_job (report, "104.head1");
  const JmSchedulerJob *paused = find_job (report, "105.head1");

  g_assert_cmpint (held->state, ==, JM_SCHEDULER_JOB_STATE_PENDING);
  g_assert_cmpstr (held->reason, ==, "hold");
  g_assert_cmpint (held->eligible_time, ==, 0);
  g_assert_cmpint (held->memory_requested_bytes, ==, -1);
  g_assert_cmpint (paused->state, ==, JM_SCHEDULER_JOB_STATE_SUSPENDED);
  g_assert_cmpint (paused->cpus_allocated, ==, 8);
  g_assert_cmpint (paused->memory_allocated_bytes, ==, 100 * 1024);
}

static void
test_a_value_that_cannot_be_read_is_unknown (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_script (
    f, JM_SCHEDULER_TOPIC_JOBS, "qstat",
    "{\"Jobs\": {\"1.a\": {\"job_state\": \"R\", \"ctime\": \"tomorrow\"}, "
    "\"x.a\": {\"job_state\": \"R\"}, \"3.a\": {\"job_state\": \"?\"}, "
    "\"4.a\": {\"job_state\": \"Q\", \"Resource_List\": {\"mem\": \"much\"}}, "
    "\"5.a\": {\"job_state\": \"Q\", \"Resource_List\": {\"ncpus\": [1, {}]}}, "
    "\"6.a\": {\"job_state\": \"Q\"}}}");

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 5);
  g_assert_cmpint (find_job (report, "1.a")->state, ==, JM_SCHEDULER_JOB_STATE_RUNNING);
  g_assert_cmpint (find_job (report, "1.a")->submit_time, ==, 0);
  g_assert_cmpint (find_job (report, "3.a")->state, ==, JM_SCHEDULER_JOB_STATE_UNKNOWN);
  g_assert_cmpint (find_job (report, "4.a")->memory_requested_bytes, ==, -1);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 4);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==,
                   "qstat: 1.a: ctime: tomorrow");
}

/* As PBS 19 prints what `qsub -V` exported. */
#define JOB_WITH_TEXT                                                                  \
 "{\n    \"timestamp\":1,\n    \"Jobs\":{\n        \"4.a\":{\n"                        \
 "            \"job_state\":\"R\",\n            \"Variable_List\":{\n"                 \
 "                \"X\":\"%s\",\n                \"HOME\":\"/home/ada\"\n"             \
 "            },\n            \"queue\":\"q\"\n        },\n"                           \
 "        \"5.a\":{\n            \"job_state\":\"Q\"\n        }\n    }\n}\n"

static JmSchedulerReport *
read_job_with_text (Fixture *f, const char *text)
{
  g_autofree char *answer = g_strdup_printf (JOB_WITH_TEXT, text);

  g_test_message ("%s", text);

  return read_script (f, JM_SCHEDULER_TOPIC_JOBS, "qstat", answer);
}

static void
test_quotes_of_a_text_cost_nothing (Fixture *f, gconstpointer data)
{
  static const char *const texts[] = {
    "() { [ -n \"${X}\" ]; }",
    "() { echo \"a\" }",
    "() {  echo \"a\" \"b\", \"c\" ; }",
    "{\"a\":\"b\"}",
    "\"",
    "say \"}\" or \"]\"",
    "() {  echo \"a\";\n}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JmSchedulerReport) report = read_job_with_text (f, texts[i]);

      g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 0);
      g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 2);
      g_assert_cmpstr (find_job (report, "4.a")->partitions, ==, "q");
      g_assert_cmpint (find_job (report, "5.a")->state, ==,
                       JM_SCHEDULER_JOB_STATE_PENDING);
    }
}

static void
test_a_text_that_looks_like_the_answer_costs_its_job (Fixture *f, gconstpointer data)
{
  static const char *const texts[] = {
    "{\"a\":{\"b\":\"c\"},\"d\":[\"e\"]}",
    "a\", b",
    "a\",\n\"b",
    "a\"}}, b",
    "a\"}, \"x\":[}",
    "a\", \"b\":\"c\"}\n",
    "a\"\n            },\n",
    "\n                \"\"},",
    "a\", \"b\":{\"c\":\"d",
    "a\", \"b\":[\"c\",\n                \"d",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JmSchedulerReport) report = read_job_with_text (f, texts[i]);

      g_assert_cmpint (find_job (report, "5.a")->state, ==,
                       JM_SCHEDULER_JOB_STATE_PENDING);
      g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), <=, 1);
    }
}

/* A job whose first key is in its first line ends wherever its bracket is. That of one
 * that is laid out for people is in a line of its own: a text costs its job, and makes
 * no other. */
static void
test_a_job_of_few_lines (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_script (f, JM_SCHEDULER_TOPIC_JOBS, "qstat",
                 "{\n"
                 "    \"pbs_server\":\"a\",\n"
                 "    \"Jobs\":{\n"
                 "        \"1.a\":{ \"job_state\":\"R\", \"queue\":\"one\",\n"
                 "            \"comment\":\"a \"bad\" disk\",\n"
                 "            \"Resource_List\":{ \"ncpus\":2 } },\n"
                 "        \"2.a\":{ \"job_state\":\"R\", \"queue\":\"two\" },\n"
                 "        \"3.a\":{\n"
                 "            \"job_state\":\"R\",\n"
                 "            \"queue\":\"three\",\n"
                 "            \"comment\":\"x\" }, \"9.a\":{ \"job_state\":\"R\" }, "
                 "\"y\":\"\"\n"
                 "        },\n"
                 "        \"4.a\":{ \"job_state\":\"Q\", \"queue\":\"four\" }\n"
                 "    }\n"
                 "}\n");

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpstr (jm_scheduler_report_get_job (report, i)->partitions, ==,
                     ((const char *[]){ "one", "two", "four" })[i]);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 1);
  g_assert_cmpint (jm_scheduler_report_get_job (report, 0)->cpus_allocated, ==, 2);
}

static void
test_no_job_is_no_error (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_script (f, JM_SCHEDULER_TOPIC_JOBS, "qstat",
                 "{\"timestamp\": 1, \"pbs_server\": \"a\"}");

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 0);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 0);
}

static void
test_half_an_answer_is_an_error (Fixture *f, gconstpointer data)
{
  put_command (f, "qstat", "echo '{\"Jobs\": {\"1.a\": {\"job_state\": \"R\"'");
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_MALFORMED, "ends too early");
  put_command (f, "qstat", "echo qstat: no server");
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_MALFORMED, "not an object");
  put_command (f, "qstat", "head -c 100000 /dev/zero | tr '\\0' '{'");
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_MALFORMED, "qstat");
}

static gboolean
feed_parts (const char *text, gsize length, gsize part, guint *n_jobs)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_auto (JmPbsJobs) jobs = { 0 };
  g_autoptr (JmPbsJson) json = jm_pbs_json_new (&jm_pbs_jobs_handler, &jobs);

  jm_pbs_jobs_init (&jobs, report);
  for (gsize i = 0; i < length; i += part)
    jm_pbs_json_feed (json, text + i, MIN (part, length - i));
  *n_jobs = jm_scheduler_report_get_n_jobs (report);

  return jm_pbs_json_finish (json, "qstat", NULL);
}

static void
test_an_answer_that_is_cut_anywhere (Fixture *f, gconstpointer data)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", pbs.recorded, "qstat.json", NULL);
  g_autofree char *text = NULL;
  gsize length;
  guint n_jobs;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_strchomp (text);
  length = strlen (text);

  for (gsize cut = 0; cut < length; cut++)
    g_assert_false (feed_parts (text, cut, 4096, &n_jobs));
  for (gsize part = 1; part < 64; part++)
    {
      g_assert_true (feed_parts (text, length, part, &n_jobs));
      g_assert_cmpuint (n_jobs, ==, 6);
    }
}

static void
test_a_server_that_is_down (Fixture *f, gconstpointer data)
{
  put_command (f, "qstat", "echo cannot connect to server head1 >&2; exit 111");
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_UNAVAILABLE, "cannot connect");
}

/* --- nodes --- */

static const JmSchedulerNode *
find_node (JmSchedulerReport *report, const char *name)
{
  for (guint i = 0; i < jm_scheduler_report_get_n_nodes (report); i++)
    if (strcmp (jm_scheduler_report_get_node (report, i)->name, name) == 0)
      return jm_scheduler_report_get_node (report, i);

  g_error ("there is no node %s", name);
}

static void
test_nodes_in_several_states (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_recorded (f, JM_SCHEDULER_TOPIC_NODES, "pbsnodes", "pbsnodes.json");
  const JmSchedulerNode *mixed = find_node (report, "node1");
  const JmSchedulerNode *full = find_node (report, "node2");
  const JmSchedulerNode *down = find_node (report, "node3");
  const JmSchedulerNode *odd = find_node (report, "node4");
  const JmSchedulerNode *busy = find_node (report, "node6");

  g_assert_cmpint (mixed->state, ==, JM_SCHEDULER_NODE_STATE_MIXED);
  g_assert_cmpint (mixed->cpus, ==, 16);
  g_assert_cmpint (mixed->cpus_allocated, ==, 4);
  g_assert_cmpint (mixed->cpus_idle, ==, 12);
  g_assert_cmpint (mixed->memory_bytes, ==, 64 * GIB);
  g_assert_cmpint (mixed->memory_allocated_bytes, ==, 8 * GIB);
  g_assert_cmpint (mixed->gpus, ==, 4);
  g_assert_cmpint (mixed->gpus_allocated, ==, 2);

  g_assert_cmpint (full->state, ==, JM_SCHEDULER_NODE_STATE_ALLOCATED);
  g_assert_cmpint (full->cpus_idle, ==, 0);

  g_assert_cmpint (down->state, ==, JM_SCHEDULER_NODE_STATE_DOWN);
  g_assert_cmpuint (down->flags & 1U << JM_SCHEDULER_NODE_FLAG_DRAIN, !=, 0);
  g_assert_cmpstr (down->reason, ==, "no \"answer\"");
  g_assert_cmpint (down->reason_time, ==, utc (2026, 11, 23, 15, 0, 0));
  g_assert_cmpstr (down->partitions, ==, "gpuq");
  g_assert_cmpint (down->cpus_other, ==, 8);

  g_assert_cmpint (odd->state, ==, JM_SCHEDULER_NODE_STATE_IDLE);
  g_assert_cmpstr (odd->other_flags, ==, "state-of-tomorrow");
  g_assert_cmpint (odd->cpus_idle, ==, 8);

  g_assert_cmpint (busy->state, ==, JM_SCHEDULER_NODE_STATE_MIXED);
  g_assert_cmpstr (busy->other_flags, ==, "busy");
  g_assert_cmpstr (busy->reason, ==, "load is high");
  g_assert_cmpint (busy->cpus_idle, ==, 0);
  g_assert_cmpint (busy->cpus_other, ==, 6);
}

static void
test_a_host_of_several_vnodes (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_recorded (f, JM_SCHEDULER_TOPIC_NODES, "pbsnodes", "pbsnodes.json");
  const JmSchedulerNode *node = find_node (report, "node5");

  g_assert_cmpint (node->state, ==, JM_SCHEDULER_NODE_STATE_MIXED);
  g_assert_cmpstr (node->other_flags, ==, "<various>");
  g_assert_null (node->partitions);
  g_assert_cmpint (node->cpus, ==, 32);
  g_assert_cmpint (node->cpus_allocated, ==, 16);
}

static void
test_the_cluster_is_the_server (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmScheduler) scheduler = NULL;

  put_recorded_file (f, &pbs, "qstat", "server.json",
                     "test \"$*\" = '-B -f -F json' || exit 1");
  scheduler = open_scheduler (f, &pbs, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (jm_scheduler_get_cluster (scheduler), ==, "head1");
  g_assert_false (jm_scheduler_has_topic (scheduler, JM_SCHEDULER_TOPIC_SHARES));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                \
 g_test_add ("/pbs-commands/" name, Fixture, &pbs, set_up, func, tear_down)

  ADD ("running", test_a_job_that_runs);
  ADD ("waiting", test_a_job_that_waits);
  ADD ("no-estimate", test_no_estimate_costs_no_job);
  ADD ("user", test_whose_a_job_is);
  ADD ("array", test_an_array);
  ADD ("held", test_jobs_that_are_held_or_suspended);
  ADD ("bad-value", test_a_value_that_cannot_be_read_is_unknown);
  ADD ("quotes", test_quotes_of_a_text_cost_nothing);
  ADD ("like-the-answer", test_a_text_that_looks_like_the_answer_costs_its_job);
  ADD ("few-lines", test_a_job_of_few_lines);
  ADD ("no-job", test_no_job_is_no_error);
  ADD ("half", test_half_an_answer_is_an_error);
  ADD ("cut", test_an_answer_that_is_cut_anywhere);
  ADD ("down", test_a_server_that_is_down);
  ADD ("nodes", test_nodes_in_several_states);
  ADD ("vnodes", test_a_host_of_several_vnodes);
  ADD ("cluster", test_the_cluster_is_the_server);

  return g_test_run ();
}
