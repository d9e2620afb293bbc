/* test-gridengine-commands.c: a Grid Engine whose commands are scripts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "commands-fixture.h"
#include "schedulers/gridengine/jm-gridengine-answers-private.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-types-private.h"

#define FLAG(name) (1U << JM_SCHEDULER_JOB_FLAG_##name)

static const Kind grid_engine = { jm_grid_engine_commands_get_type,
                                  "gridengine-commands" };

static JmSchedulerReport *
read_recorded (Fixture *f,
               JmSchedulerTopic topic,
               const char *command,
               const char *file)
{
  JmSchedulerReport *report;

  put_recorded_file (f, &grid_engine, command, file, "");
  report = read_topic (f, topic);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 0);

  return report;
}

static JmSchedulerReport *
read_jobs (Fixture *f)
{
  return read_recorded (f, JM_SCHEDULER_TOPIC_JOBS, "qstat", "qstat.xml");
}

static JmSchedulerReport *
read_script (Fixture *f, JmSchedulerTopic topic, const char *command, const char *xml)
{
  g_autofree char *script = g_strdup_printf ("cat <<'X'\n%s\nX", xml);

  put_command (f, command, script);

  return read_topic (f, topic);
}

/* One job of which qstat reports this. */
static JmSchedulerReport *
read_job (Fixture *f, const char *fields)
{
  g_autofree char *xml =
    g_strdup_printf ("<job_info><queue_info/><job_info><job_list state='pending'>%s"
                     "</job_list></job_info></job_info>",
                     fields);

  return read_script (f, JM_SCHEDULER_TOPIC_JOBS, "qstat", xml);
}

/* --- jobs --- */

static void
test_a_job_that_runs (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *job = find_job (report, "9");

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 7);
  g_assert_cmpint (job->raw_id, ==, 9);
  g_assert_cmpstr (job->name, ==, "burn");
  g_assert_cmpstr (job->user, ==, "gea");
  g_assert_cmpint (job->state, ==, JM_SCHEDULER_JOB_STATE_RUNNING);
  g_assert_cmpuint (job->flags, ==, 0);
  g_assert_null (job->account);
  g_assert_null (job->reason);
  g_assert_cmpstr (job->partitions, ==, "all.q");
  g_assert_cmpstr (job->node_list, ==, "vm");
  g_assert_cmpint (job->nodes, ==, 1);
  g_assert_cmpint (job->tasks, ==, 1);
  g_assert_cmpint (job->array_job_id, ==, -1);
  g_assert_cmpint (job->cpus_allocated, ==, 1);
  g_assert_cmpint (job->cpus_requested, ==, -1);
  g_assert_cmpint (job->memory_requested_bytes, ==, G_GINT64_CONSTANT (2) << 30);
  g_assert_cmpint (job->gpus_requested, ==, 1);
  g_assert_cmpint (job->gpus_allocated, ==, -1);
  g_assert_cmpint (job->time_limit_seconds, ==, 600);
  g_assert_cmpint (job->start_time, ==, utc (2026, 11, 23, 12, 47, 51));
  g_assert_cmpint (job->end_time, ==, utc (2026, 11, 23, 12, 57, 51));
  g_assert_cmpint (job->submit_time, ==, 0);
  g_assert_cmpint (job->priority, ==, 25042);
}

/* Whether 100M are for each slot, and on which hosts the second is, qstat does not say.
 */
static void
test_a_parallel_job_that_is_suspended (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *job = find_job (report, "10");

  g_assert_cmpint (job->state, ==, JM_SCHEDULER_JOB_STATE_SUSPENDED);
  g_assert_cmpint (job->cpus_allocated, ==, 2);
  g_assert_cmpint (job->memory_requested_bytes, ==, -1);
  g_assert_cmpint (job->nodes, ==, -1);
  g_assert_null (job->node_list);
}

static void
test_a_job_that_waits (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *job = find_job (report, "12");

  g_assert_cmpint (job->state, ==, JM_SCHEDULER_JOB_STATE_PENDING);
  g_assert_cmpint (job->cpus_requested, ==, 2);
  g_assert_cmpint (job->cpus_allocated, ==, -1);
  g_assert_cmpint (job->gpus_requested, ==, -1);
  g_assert_cmpint (job->memory_requested_bytes, ==, -1);
  g_assert_cmpint (job->time_limit_seconds, ==, 24 * 3600);
  g_assert_cmpint (job->submit_time, ==, utc (2026, 11, 23, 12, 47, 55));
  g_assert_cmpint (job->start_time, ==, 0);
  g_assert_cmpint (job->end_time, ==, 0);
  g_assert_cmpstr (job->partitions, ==, "all.q");
  g_assert_null (job->node_list);
}

/* It runs with one of its tasks, 4, 7 and 10 wait. */
static void
test_an_array (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *running = find_job (report, "11.1");
  const JmSchedulerJob *waiting = find_job (report, "11.4-10:3");

  g_assert_cmpint (running->array_job_id, ==, 11);
  g_assert_cmpint (running->array_task_id, ==, 1);
  g_assert_cmpint (running->raw_id, ==, -1);
  g_assert_cmpint (running->tasks, ==, 1);
  g_assert_cmpint (waiting->array_job_id, ==, 11);
  g_assert_cmpint (waiting->array_task_id, ==, -1);
  g_assert_cmpint (waiting->tasks, ==, 3);
  g_assert_cmpstr (waiting->account, ==, "prj1");
  g_assert_cmpint (waiting->memory_requested_bytes, ==, 1536 << 20);
  /* qstat has an error in how it writes a `<` */
  g_assert_cmpstr (waiting->name, ==, "a&<b>");
}

static void
test_jobs_that_cannot_start (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = read_jobs (f);
  const JmSchedulerJob *held = find_job (report, "13");
  const JmSchedulerJob *failed = find_job (report, "8");

  g_assert_cmpint (held->state, ==, JM_SCHEDULER_JOB_STATE_PENDING);
  g_assert_cmpstr (held->reason, ==, "hold");
  g_assert_cmpuint (held->flags, ==, 0);
  g_assert_cmpint (failed->state, ==, JM_SCHEDULER_JOB_STATE_PENDING);
  g_assert_cmpstr (failed->reason, ==, "error");
  g_assert_cmpuint (failed->flags, ==, FLAG (LAUNCH_FAILED));
}

static void
test_other_letters_of_a_state (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *text;
    JmSchedulerJobState state;
    guint flags;
    const char *other;
  } cases[] = {
    { "t", JM_SCHEDULER_JOB_STATE_RUNNING, FLAG (CONFIGURING), NULL },
    { "dr", JM_SCHEDULER_JOB_STATE_RUNNING, FLAG (COMPLETING), NULL },
    { "Rr", JM_SCHEDULER_JOB_STATE_RUNNING, 0, "restarted" },
    { "Rq", JM_SCHEDULER_JOB_STATE_PENDING, 0, "restarted" },
    { "hRwq", JM_SCHEDULER_JOB_STATE_PENDING, 0, "restarted" },
    { "dS", JM_SCHEDULER_JOB_STATE_SUSPENDED, FLAG (COMPLETING), "queue_suspended" },
    { "T", JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, "threshold" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fields =
        g_strdup_printf ("<JB_job_number>7</JB_job_number><state>%s</state>",
                         cases[i].text);
      g_autoptr (JmSchedulerReport) report = read_job (f, fields);
      const JmSchedulerJob *job = find_job (report, "7");

      g_assert_cmpint (job->state, ==, cases[i].state);
      g_assert_cmpuint (job->flags, ==, cases[i].flags);
      g_assert_cmpstr (job->other_flags, ==, cases[i].other);
    }
}

static void
test_what_is_not_reported_is_absent (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_job (f, "<JB_job_number>7</JB_job_number><state>qw</state>"
                 "<slots>1</slots><queue_name></queue_name><JB_project></JB_project>"
                 "<JB_department>defaultdepartment</JB_department>"
                 "<hard_request name='h_vmem'>infinity</hard_request>"
                 "<hard_request name='gpu'>TRUE</hard_request>");
  const JmSchedulerJob *job = find_job (report, "7");

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 0);
  g_assert_cmpint (job->memory_requested_bytes, ==, -1);
  g_assert_cmpint (job->gpus_requested, ==, -1);
  g_assert_cmpint (job->time_limit_seconds, ==, -1);
  g_assert_cmpint (job->priority, ==, -1);
  g_assert_null (job->account);
  g_assert_null (job->partitions);
  g_assert_null (job->user);
}

/* --- what is wrong --- */

static void
test_a_job_without_a_number_costs_that_job (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_script (f, JM_SCHEDULER_TOPIC_JOBS, "qstat",
                 "<job_info><queue_info>"
                 "<job_list><state>r</state></job_list>"
                 "<job_list><JB_job_number>-4</JB_job_number></job_list>"
                 "<job_list><JB_job_number>6</JB_job_number></job_list>"
                 "</queue_info></job_info>");

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 1);
  g_assert_cmpint (find_job (report, "6")->state, ==, JM_SCHEDULER_JOB_STATE_UNKNOWN);
  /* one of the number, and one of each job */
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 3);
}

static void
test_a_value_that_cannot_be_read_costs_itself (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_job (f, "<JB_job_number>5</JB_job_number><state>r?</state><slots>0</slots>"
                 "<tasks>many</tasks><JB_submission_time>noon</JB_submission_time>"
                 "<JB_owner>ada</JB_owner>");
  const JmSchedulerJob *job = find_job (report, "5");

  g_assert_cmpint (job->state, ==, JM_SCHEDULER_JOB_STATE_UNKNOWN);
  g_assert_cmpint (job->cpus_allocated, ==, -1);
  g_assert_cmpint (job->tasks, ==, 1);
  g_assert_cmpint (job->submit_time, ==, 0);
  g_assert_cmpstr (job->user, ==, "ada");
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 4);
}

static void
test_a_name_in_another_encoding (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_command (f, "qstat",
               "printf '<job_info><job_list><JB_job_number>1</JB_job_number>"
               "<JB_name>caf\\351 caf\\303'; sleep 0.1; "
               "printf '\\251</JB_name></job_list></job_info>'");
  report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpstr (find_job (report, "1")->name, ==, "caf? café");
}

/* However the answer is cut into pieces: what is a reference stays one, and nothing
 * else of a name is. */
static void
test_a_name_that_is_not_escaped (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *written;
    const char *read;
  } names[] = {
    { "a&amp;b &lt;c&gt; &quot;&apos; &#233;&#xe9;", "a&b <c> \"' éé" },
    { "a&b", "a&b" },
    { "R&D; <5 & >3 <", "R&D; <5 & >3 <" },
    { "a<b < c", "a<b < c" },
    { "&", "&" },
    { "&&&amp", "&&&amp" },
    { "&nosuchentityanywhere;", "&nosuchentityanywhere;" },
    { "&#0;&#xfffe;&#x110000;&#-1;&#;&#99999999999;", "??????" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (gsize part = 1; part < 24; part++)
      {
        g_autofree char *text =
          g_strdup_printf ("<job_info><job_list "
                           "state='running'><JB_job_number>1</JB_job_number>"
                           "<JB_name>%s</JB_name></job_list><job_list state='running'>"
                           "<JB_job_number>2</JB_job_number></job_list></job_info>",
                           names[i].written);
        const gsize length = strlen (text);
        g_autoptr (JmSchedulerReport) report =
          jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
        g_auto (JmGridengineJobs) jobs = { 0 };
        g_autoptr (JmGridengineXml) xml = NULL;
        g_autoptr (GError) error = NULL;

        jm_gridengine_jobs_init (&jobs, report);
        xml = jm_gridengine_xml_new (JM_GRIDENGINE_JOBS_ROOT,
                                     &jm_gridengine_jobs_handler, &jobs);
        for (gsize at = 0; at < length; at += part)
          jm_gridengine_xml_feed (xml, text + at, MIN (part, length - at));
        g_assert_true (jm_gridengine_xml_finish (xml, &error));
        g_assert_no_error (error);

        g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 2);
        g_assert_cmpstr (find_job (report, "1")->name, ==, names[i].read);
      }
}

/* Returns the start of the element @element, and in @end where it ends, in which @at
 * stands; NULL where it is in none. */
static const char *
find_item (const char *text, const char *at, const char *element, const char **end)
{
  g_autofree char *start_tag = g_strdup_printf ("<%s ", element);
  g_autofree char *end_tag = g_strdup_printf ("</%s>", element);
  const char *start =
    g_strrstr_len (text, at - text + (gssize) strlen (start_tag), start_tag);

  if (start == NULL)
    return NULL;
  *end = strstr (start, end_tag) + strlen (end_tag);

  return at < *end ? start : NULL;
}

/* Reads @text with one tag more or less, in pieces of @part bytes. */
static void
read_changed (const JmGridengineXmlHandler *handler,
              const char *root,
              gpointer handler_data,
              const char *text,
              gsize part)
{
  const gsize length = strlen (text);
  g_autoptr (JmGridengineXml) xml = jm_gridengine_xml_new (root, handler, handler_data);
  g_autoptr (GError) error = NULL;

  for (gsize at = 0; at < length; at += part)
    jm_gridengine_xml_feed (xml, text + at, MIN (part, length - at));
  jm_gridengine_xml_finish (xml, &error);
  g_assert_no_error (error);
}

static char *
read_recorded_text (const char *file)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", grid_engine.recorded, file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GMappedFile) mapped = g_mapped_file_new (path, FALSE, &error);

  g_assert_no_error (error);

  return g_strndup (g_mapped_file_get_contents (mapped),
                    g_mapped_file_get_length (mapped));
}

static void
assert_other_jobs (const char *text, const char *at, const char *changed)
{
  g_autoptr (JmSchedulerReport) whole =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_auto (JmGridengineJobs) whole_jobs = { 0 };
  g_auto (JmGridengineJobs) jobs = { 0 };
  const char *end;
  const char *item = find_item (text, at, "job_list", &end);
  const char *number = item != NULL ? strstr (item, "<JB_job_number>") + 15 : "";
  guint lost;

  jm_gridengine_jobs_init (&whole_jobs, whole);
  read_changed (&jm_gridengine_jobs_handler, JM_GRIDENGINE_JOBS_ROOT, &whole_jobs, text,
                strlen (text));
  jm_gridengine_jobs_init (&jobs, report);
  read_changed (&jm_gridengine_jobs_handler, JM_GRIDENGINE_JOBS_ROOT, &jobs, changed,
                97);

  lost =
    jm_scheduler_report_get_n_jobs (whole) - jm_scheduler_report_get_n_jobs (report);
  g_assert_cmpuint (lost, <=, item != NULL ? 1 : 0);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), >=, lost);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), <=, 1);
  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (whole); i++)
    {
      const JmSchedulerJob *expected = jm_scheduler_report_get_job (whole, i);
      const JmSchedulerJob *job;

      if (atoi (expected->id) == atoi (number))
        continue;
      job = find_job (report, expected->id);
      g_assert_cmpstr (job->name, ==, expected->name);
      g_assert_cmpstr (job->user, ==, expected->user);
      g_assert_cmpint (job->state, ==, expected->state);
      g_assert_cmpint (job->memory_requested_bytes, ==,
                       expected->memory_requested_bytes);
    }
}

/* Every tag but that of the document is left out, and written twice. */
static void
test_a_tag_out_of_place_costs_its_job (Fixture *f, gconstpointer data)
{
  g_autofree char *text = read_recorded_text ("qstat.xml");
  const char *last = g_strrstr (text, "</" JM_GRIDENGINE_JOBS_ROOT);
  guint n_tags = 0;

  for (const char *at = strstr (text, "<queue_info"); at < last;
       at = strchr (at + 1, '<'))
    {
      const gsize length = strcspn (at, ">") + 1;
      g_autofree char *less =
        g_strdup_printf ("%.*s%s", (int) (at - text), text, at + length);
      g_autofree char *more =
        g_strdup_printf ("%.*s%s", (int) (at + length - text), text, at);

      assert_other_jobs (text, at, less);
      assert_other_jobs (text, at, more);
      n_tags++;
    }
  g_assert_cmpuint (n_tags, >, 200);
}

static void
test_a_tag_out_of_place_costs_its_host (Fixture *f, gconstpointer data)
{
  static const char *const hosts[] = {
    "<host name='b'><hostvalue name='num_proc'>4</host>",
    "<host name='b'><queue name='q'><queuevalue name='slots'>4</queuevalue></host>",
    "<host name='b'></queue></host>",
    "<host name='b'><hostvalue name='num_proc>4</hostvalue></host>",
    "<host name='b'><hostvalue name=num_proc>4</hostvalue></host>",
    "<host name='b'></qhost></host>",
    "<host name='b'>",
    "<hostvalue name='num_proc'>4</hostvalue></host>",
  };

  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      g_autofree char *xml =
        g_strdup_printf ("<qhost><host name='a'/>%s<host name='c'><hostvalue "
                         "name='num_proc'>8</hostvalue></host></qhost>",
                         hosts[i]);
      g_autoptr (JmSchedulerReport) report =
        read_script (f, JM_SCHEDULER_TOPIC_NODES, "qhost", xml);

      g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 2);
      g_assert_cmpstr (jm_scheduler_report_get_node (report, 0)->name, ==, "a");
      g_assert_cmpstr (jm_scheduler_report_get_node (report, 1)->name, ==, "c");
      g_assert_cmpint (jm_scheduler_report_get_node (report, 1)->cpus, ==, 8);
      g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 1);
    }
}

static void
test_half_an_answer_is_an_error (Fixture *f, gconstpointer data)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", grid_engine.recorded, "qstat.xml",
                           NULL);
  g_autofree char *script = g_strdup_printf ("head -c 3000 '%s'", path);

  put_command (f, "qstat", script);
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_MALFORMED, "job_info");
  put_command (f, "qstat", "exit 0");
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_MALFORMED, "job_info");
}

static void
test_another_document_is_an_error (Fixture *f, gconstpointer data)
{
  put_command (f, "qstat", "echo '<qhost></qhost>'");
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_MALFORMED, "not a job_info");
  put_command (f, "qhost", "yes '<qhost>' | head -100");
  assert_fails (f, JM_SCHEDULER_TOPIC_NODES, JM_ERROR_MALFORMED, "cut short");
  put_command (f, "qhost", "printf '<qhost>'; head -c 3000000 /dev/zero | tr '\\0' x");
  assert_fails (f, JM_SCHEDULER_TOPIC_NODES, JM_ERROR_MALFORMED, "cut short");
}

static void
test_a_master_that_is_down (Fixture *f, gconstpointer data)
{
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_ABSENT, "qstat");
  put_command (f, "qstat", "echo 'error: commlib error: got select error' >&2; exit 1");
  assert_fails (f, JM_SCHEDULER_TOPIC_JOBS, JM_ERROR_UNAVAILABLE, "commlib error");
  assert_fails (f, JM_SCHEDULER_TOPIC_SHARES, JM_ERROR_ABSENT, "gridengine: shares");
}

/* --- nodes --- */

static void
test_a_node_that_is_full (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_recorded (f, JM_SCHEDULER_TOPIC_NODES, "qhost", "qhost.xml");
  const JmSchedulerNode *node = jm_scheduler_report_get_node (report, 0);

  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 1);
  g_assert_cmpstr (node->name, ==, "vm");
  g_assert_cmpstr (node->partitions, ==, "all.q");
  g_assert_cmpint (node->state, ==, JM_SCHEDULER_NODE_STATE_ALLOCATED);
  g_assert_cmpuint (node->flags, ==, 0);
  /* its four slots are more than its processors */
  g_assert_cmpint (node->cpus, ==, 2);
  g_assert_cmpint (node->cpus_allocated, ==, 4);
  g_assert_cmpint (node->cpus_idle, ==, 0);
  g_assert_cmpint (node->cpus_other, ==, 0);
  g_assert_cmpfloat_with_epsilon (node->memory_bytes, 23.541 * (1 << 30), 1);
  g_assert_cmpint (node->memory_free_bytes, <, node->memory_bytes);
  g_assert_cmpint (node->memory_free_bytes, >, 0);
  g_assert_cmpint (node->memory_allocated_bytes, ==, -1);
  g_assert_cmpint (node->gpus, ==, -1);
  g_assert_cmpfloat (node->load, >=, 0);
}

static void
test_a_queue_that_is_disabled (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_recorded (f, JM_SCHEDULER_TOPIC_NODES, "qhost", "qhost-disabled.xml");
  const JmSchedulerNode *node = jm_scheduler_report_get_node (report, 0);

  g_assert_cmpuint (node->flags, ==, 1U << JM_SCHEDULER_NODE_FLAG_DRAIN);
}

#define VALUE(name, text) "<hostvalue name='" name "'>" text "</hostvalue>"
#define QUEUE(name, used, slots, state)                                                \
 "<queue name='" name "'><queuevalue name='slots_used'>" used "</queuevalue>"          \
 "<queuevalue name='slots'>" slots "</queuevalue>"                                     \
 "<queuevalue name='state_string'>" state "</queuevalue></queue>"

/* A node in two queues, of which one takes no jobs; one that never answered; one that
 * does not any more; and one in error. */
static const char *const nodes =
  "<qhost>"
  "<host name='global'>" VALUE (
    "num_proc",
    "-") "</host>"
         "<host name='n1'>" VALUE ("num_proc", "16") VALUE ("load_avg", "3.5")
           VALUE ("mem_total", "64.0G") QUEUE ("long", "4", "16", "")
             QUEUE ("short",
                    "2",
                    "16",
                    "dA") "</host>"
                          "<host name='n2'>" VALUE ("num_proc", "-") VALUE (
                            "load_avg",
                            "-") "</host>"
                                 "<host name='n3'>" VALUE ("num_proc", "8")
                                   VALUE ("load_avg", "-") QUEUE (
                                     "long",
                                     "0",
                                     "8",
                                     "au") "</host>"
                                           "<host name='n4'>" VALUE ("num_proc", "8")
                                             VALUE ("load_avg", "0.0")
                                               QUEUE ("long",
                                                      "0",
                                                      "8",
                                                      "E") "</host>"
                                                           "<host name='n5'>" VALUE (
                                                             "num_proc",
                                                             "eight")
                                                             VALUE ("load_avg",
                                                                    "0.0") "</host>"
                                                                           "</qhost>";

static void
test_nodes_in_several_states (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_script (f, JM_SCHEDULER_TOPIC_NODES, "qhost", nodes);
  const JmSchedulerNode *node = jm_scheduler_report_get_node (report, 0);

  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 5);
  g_assert_cmpint (node[0].state, ==, JM_SCHEDULER_NODE_STATE_MIXED);
  g_assert_cmpstr (node[0].partitions, ==, "long,short");
  g_assert_cmpstr (node[0].other_flags, ==, "alarm");
  g_assert_cmpint (node[0].cpus_allocated, ==, 6);
  g_assert_cmpint (node[0].cpus_idle, ==, 10);
  g_assert_cmpint (node[0].memory_bytes, ==, G_GINT64_CONSTANT (64) << 30);
  g_assert_cmpint (node[0].memory_free_bytes, ==, -1);

  g_assert_cmpint (node[1].state, ==, JM_SCHEDULER_NODE_STATE_DOWN);
  g_assert_cmpint (node[1].cpus, ==, -1);
  g_assert_cmpint (node[1].cpus_idle, ==, -1);
  g_assert_null (node[1].partitions);

  g_assert_cmpint (node[2].state, ==, JM_SCHEDULER_NODE_STATE_DOWN);
  g_assert_cmpuint (node[2].flags, ==, 1U << JM_SCHEDULER_NODE_FLAG_NOT_RESPONDING);
  g_assert_cmpint (node[2].cpus_other, ==, 8);
  g_assert_true (isnan (node[2].load));

  g_assert_cmpint (node[3].state, ==, JM_SCHEDULER_NODE_STATE_ERROR);
  g_assert_cmpint (node[3].cpus_idle, ==, 0);

  /* "eight" is reported, and the rest of the node is kept */
  g_assert_cmpint (node[4].cpus, ==, -1);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 1);
}

/* --- how they are asked --- */

static void
test_a_command_is_asked_for_all_users (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;

  put_recorded_file (f, &grid_engine, "qstat", "qstat.xml",
                     "test \"$*\" = '-u * -ext -urg -r -xml' || exit 3\n"
                     "test \"$SGE_CELL\" = birch || exit 4\n"
                     "test \"$TZ$LC_ALL\" = UTCC || exit 5\n"
                     "test -z \"$SGE_QSTAT\" || exit 6");
  report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS);

  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 7);
}

static void
test_the_cluster_is_the_cell (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmScheduler) scheduler = open_scheduler (f, &grid_engine, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (jm_scheduler_get_cluster (scheduler), ==, "birch");
  g_assert_cmpstr (jm_scheduler_get_cluster (f->scheduler), ==, "made");
  g_assert_true (jm_scheduler_has_topic (scheduler, JM_SCHEDULER_TOPIC_NODES));
  g_assert_false (jm_scheduler_has_topic (scheduler, JM_SCHEDULER_TOPIC_LIMITS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("SGE_CELL", "birch", TRUE);
  g_setenv ("SGE_QSTAT", "-f", TRUE);

#define ADD(name, func)                                                                \
 g_test_add ("/gridengine-commands/" name, Fixture, &grid_engine, set_up, func,        \
             tear_down)

  ADD ("running", test_a_job_that_runs);
  ADD ("parallel", test_a_parallel_job_that_is_suspended);
  ADD ("waiting", test_a_job_that_waits);
  ADD ("array", test_an_array);
  ADD ("cannot-start", test_jobs_that_cannot_start);
  ADD ("letters", test_other_letters_of_a_state);
  ADD ("absent", test_what_is_not_reported_is_absent);
  ADD ("bad-value", test_a_value_that_cannot_be_read_costs_itself);
  ADD ("bad-job", test_a_job_without_a_number_costs_that_job);
  ADD ("encoding", test_a_name_in_another_encoding);
  ADD ("escape", test_a_name_that_is_not_escaped);
  ADD ("tags-of-jobs", test_a_tag_out_of_place_costs_its_job);
  ADD ("tags-of-hosts", test_a_tag_out_of_place_costs_its_host);
  ADD ("half", test_half_an_answer_is_an_error);
  ADD ("another", test_another_document_is_an_error);
  ADD ("down", test_a_master_that_is_down);
  ADD ("node", test_a_node_that_is_full);
  ADD ("disabled", test_a_queue_that_is_disabled);
  ADD ("nodes", test_nodes_in_several_states);
  ADD ("arguments", test_a_command_is_asked_for_all_users);
  ADD ("cluster", test_the_cluster_is_the_cell);

  return g_test_run ();
}
