/* test-slurm-odd.c: answers of Slurm with values that nobody expects
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "commands-fixture.h"
#include "io/jm-command-runner-private.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-types-private.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"
#include "schedulers/slurm/jm-slurm-resources-private.h"

#define GIB ((gint64) 1 << 30)
#define FLAG(name) (1u << JM_SCHEDULER_NODE_FLAG_##name)
/* That of the recorded answers, and one as squeue is asked for. */
#define RECORDED_SEPARATOR "\x1f"
#define SEPARATOR                                                                      \
 "\x1f"                                                                                \
 "12345678"

static const Kind odd = { jm_slurm_commands_get_type, "slurm-commands-odd" };
static const Kind recorded = { jm_slurm_commands_get_type, "slurm-commands-22.05" };

static JmSchedulerReport *
read_odd (Fixture *f, JmSchedulerTopic topic, const char *command, const char *file)
{
  put_recorded_file (f, &odd, command, file, "");

  return read_topic (f, topic);
}

static void
assert_no_complaint (JmSchedulerReport *report)
{
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==, NULL);
}

static const JmSchedulerGpus *
get_gpus (JmSchedulerReport *report, guint node)
{
  return jm_scheduler_report_get_gpus (report,
                                       jm_scheduler_report_get_node (report, node)
                                         ->first_gpus);
}

/* --- commands --- */

static void
test_local_disks_of_jobs_cost_nothing (Fixture *f, gconstpointer data)
{
  static const gint64 cpus[] = { 8, 16, 4, 2 };
  g_autoptr (JmSchedulerReport) report =
    read_odd (f, JM_SCHEDULER_TOPIC_JOBS, "squeue", "squeue");

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, G_N_ELEMENTS (cpus));
  for (guint i = 0; i < G_N_ELEMENTS (cpus); i++)
    {
      const JmSchedulerJob *job = jm_scheduler_report_get_job (report, i);

      g_assert_cmpint (job->cpus_allocated, ==, cpus[i]);
      g_assert_cmpint (job->gpus_allocated, ==, i == 1);
      g_assert_cmpint (job->memory_allocated_bytes, ==, (i < 2 ? 64 : 8) * GIB);
    }
}

static void
test_local_disks_of_nodes_cost_nothing (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_odd (f, JM_SCHEDULER_TOPIC_NODES, "sinfo", "sinfo-large");

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      const JmSchedulerNode *node = jm_scheduler_report_get_node (report, i);

      g_assert_cmpint (node->gpus, ==, i == 0 ? 4 : 0);
      g_assert_cmpint (node->gpus_allocated, ==, i == 0);
      g_assert_cmpint (node->cpus, ==, 64);
    }
  g_assert_cmpstr (get_gpus (report, 0)->type, ==, "a100");
  g_assert_cmpint (get_gpus (report, 0)->total, ==, 4);
  g_assert_cmpint (get_gpus (report, 0)->allocated, ==, 1);
}

static void
test_gpus_without_a_type_are_counted (Fixture *f, gconstpointer data)
{
  static const gint64 used[] = { 3, 0, 8, 2 };
  g_autoptr (JmSchedulerReport) report =
    read_odd (f, JM_SCHEDULER_TOPIC_NODES, "sinfo", "sinfo-untyped");

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 4);
  for (guint i = 0; i < G_N_ELEMENTS (used); i++)
    {
      const JmSchedulerNode *node = jm_scheduler_report_get_node (report, i);

      g_assert_cmpint (node->gpus, ==, i < 3 ? 8 : 4);
      g_assert_cmpint (node->gpus_allocated, ==, used[i]);
      g_assert_cmpuint (node->n_gpus, ==, 1);
      g_assert_cmpint (get_gpus (report, i)->allocated, ==, used[i]);
      g_assert_cmpstr (get_gpus (report, i)->type, ==, i < 3 ? NULL : "a100");
    }
}

static void
test_a_reason_may_have_line_ends (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_odd (f, JM_SCHEDULER_TOPIC_NODES, "sinfo", "sinfo-reason");
  const JmSchedulerNode *node = jm_scheduler_report_get_node (report, 0);

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 2);
  g_assert_cmpstr (node->name, ==, "n1");
  g_assert_cmpuint (node->flags, ==, FLAG (DRAIN));
  g_assert_cmpstr (node->reason, ==, "NHC: check_fs\nfailed on /scratch");
  g_assert_cmpstr (jm_scheduler_report_get_node (report, 1)->name, ==, "n2");
  g_assert_null (jm_scheduler_report_get_node (report, 1)->reason);
}

static void
test_partitions_without_anything (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_odd (f, JM_SCHEDULER_TOPIC_PARTITIONS, "scontrol", "partition");
  const JmSchedulerPartition *gpu = jm_scheduler_report_get_partition (report, 0);
  const JmSchedulerPartition *batch = jm_scheduler_report_get_partition (report, 1);

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_partitions (report), ==, 2);
  g_assert_cmpint (gpu->memory_bytes, ==, 4096 * GIB);
  g_assert_cmpint (gpu->gpus, ==, 32);
  g_assert_cmpint (gpu->priority_tier, ==, 65533);
  g_assert_cmpint (gpu->max_time_seconds, ==, -1);
  g_assert_cmpint (batch->memory_bytes, ==, -1);
  g_assert_cmpint (batch->gpus, ==, -1);
  g_assert_cmpint (batch->nodes, ==, 0);
  g_assert_cmpint (batch->max_time_seconds, ==, 14 * 86400);
}

static void
test_a_reservation_may_be_endless (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_odd (f, JM_SCHEDULER_TOPIC_RESERVATIONS, "scontrol", "reservation");
  const JmSchedulerReservation *maint = jm_scheduler_report_get_reservation (report, 0);

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_reservations (report), ==, 2);
  g_assert_cmpstr (maint->name, ==, "maint");
  g_assert_cmpstr (maint->state, ==, "ACTIVE");
  g_assert_cmpint (maint->start_time, ==, 1795420816);
  g_assert_cmpint (maint->end_time, ==, 0);
  g_assert_cmpint (maint->cpus, ==, 19456);
  g_assert_cmpint (maint->nodes, ==, 76);
}

static void
test_a_licence_may_have_no_total (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_odd (f, JM_SCHEDULER_TOPIC_LICENSES, "scontrol", "licenses");
  const JmSchedulerLicense *license = jm_scheduler_report_get_license (report, 1);

  assert_no_complaint (report);
  g_assert_cmpint (jm_scheduler_report_get_license (report, 0)->total, ==, 10);
  g_assert_cmpint (jm_scheduler_report_get_license (report, 0)->last_consumed, ==, 0);
  g_assert_cmpstr (license->name, ==, "a.b:c-d");
  g_assert_cmpint (license->total, ==, -1);
  g_assert_cmpint (license->free, ==, -1);
  g_assert_cmpint (license->used, ==, 0);
  g_assert_cmpint (license->last_consumed, ==, -1);
}

static void
test_an_odd_figure_of_sdiag_costs_itself (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report =
    read_odd (f, JM_SCHEDULER_TOPIC_DIAGNOSTICS, "sdiag", "sdiag");
  const JmSchedulerDiagnostics *told = jm_scheduler_report_get_diagnostics (report);

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 1);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==,
                   "Last cycle: not understood: -5");
  g_assert_true (isnan (told->last_cycle_seconds));
  g_assert_true (isnan (told->max_cycle_seconds));
  g_assert_cmpfloat (told->mean_cycle_seconds, ==, 91e-6);
  g_assert_cmpint (told->dbd_queue, ==, -1);
  g_assert_cmpint (told->server_threads, ==, 256);
  g_assert_cmpint (told->queue_length, ==, 4);
  g_assert_cmpint (told->cycles_per_minute, ==, 1);
  g_assert_cmpuint (jm_scheduler_report_get_n_rpcs (report), ==, 5);
  g_assert_cmpstr (jm_scheduler_report_get_rpc (report, 1)->type, ==, "(null)");
  g_assert_cmpstr (jm_scheduler_report_get_rpc (report, 3)->user, ==, "DOM\\a b");
  g_assert_cmpint (jm_scheduler_report_get_rpc (report, 3)->count, ==, 5);
}

/* --- slurmrestd --- */

static JmSchedulerReport *
read_answer (const JmSlurmShape *shape, const char *text, gsize chunk)
{
  JmSchedulerReport *report = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSlurmAnswer) answer = jm_slurm_answer_new (shape, report, "c");
  g_autoptr (GError) error = NULL;
  gsize length = strlen (text);

  for (gsize i = 0; i < length; i += chunk)
    jm_slurm_answer_feed (text + i, MIN (chunk, length - i), answer);
  jm_slurm_answer_finish (answer, "slurmrestd", &error);
  g_assert_no_error (error);

  return report;
}

static JmSchedulerReport *
read_odd_answer (const JmSlurmShape *shape, const char *name, gsize chunk)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "slurm-rest-odd", name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return read_answer (shape, text, chunk);
}

static void
test_jobs_and_nodes_of_slurmrestd (void)
{
  g_autoptr (JmSchedulerReport) jobs =
    read_odd_answer (&jm_slurm_jobs_shape, "jobs.json", 4096);
  g_autoptr (JmSchedulerReport) nodes =
    read_odd_answer (&jm_slurm_nodes_shape, "nodes.json", 4096);
  const JmSchedulerJob *job = jm_scheduler_report_get_job (jobs, 0);

  assert_no_complaint (jobs);
  assert_no_complaint (nodes);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (jobs), ==, 2);
  g_assert_cmpint (job->gpus_allocated, ==, 3);
  g_assert_cmpint (job->priority, ==, -1);
  g_assert_cmpint (job->time_limit_seconds, ==, -1);
  g_assert_cmpint (jm_scheduler_report_get_job (jobs, 1)->tasks, ==, 187);

  g_assert_cmpuint (jm_scheduler_report_get_n_nodes (nodes), ==, 2);
  g_assert_cmpint (get_gpus (nodes, 0)->allocated, ==, 3);
  g_assert_cmpfloat (jm_scheduler_report_get_node (nodes, 0)->load, ==, 3.19);
  g_assert_cmpstr (jm_scheduler_report_get_node (nodes, 0)->reason, ==, "a\nb");
  g_assert_true (isnan (jm_scheduler_report_get_node (nodes, 1)->load));
  g_assert_cmpint (jm_scheduler_report_get_node (nodes, 1)->gpus, ==, 8);
}

/* Wherever the text is cut on its way. */
static void
test_numbers_that_are_no_json (void)
{
  for (gsize chunk = 1; chunk < 32; chunk++)
    {
      g_autoptr (JmSchedulerReport) report =
        read_odd_answer (&jm_slurm_shares_shape, "shares.json", chunk);
      const JmSchedulerShare *root = jm_scheduler_report_get_share (report, 0);
      const JmSchedulerShare *ada = jm_scheduler_report_get_share (report, 1);

      assert_no_complaint (report);
      g_assert_cmpuint (jm_scheduler_report_get_n_shares (report), ==, 2);
      g_assert_true (isnan (root->norm_usage));
      g_assert_true (isnan (root->norm_shares));
      g_assert_true (isinf (root->level_fair_share));
      g_assert_cmpfloat (root->effective_usage, ==, 0.87842153974600234);
      g_assert_cmpfloat (ada->fair_share, ==, 0.75);
      g_assert_true (isinf (ada->level_fair_share));
    }
}

static void
test_no_word_in_a_string_is_a_number (void)
{
  static const char text[] =
    "{\"nodes\": [{\"name\": \"NaN\", \"state\": [\"IDLE\"], \"cpus\": -Infinity, "
    "\"cpu_load\": NaN, \"weight\": 4294967294.0, \"boot_time\": inf, "
    "\"real_memory\": Infinity, \"alloc_cpus\": 12345678901, "
    "\"reason\": \"\\\\\\\": inf, \\\\\"}, {\"name\": \"inf\", \"state\": [\"IDLE\"], "
    "\"reason\": \"-Infinity\"}]}";

  for (gsize chunk = 1; chunk < 16; chunk++)
    {
      g_autoptr (JmSchedulerReport) report =
        read_answer (&jm_slurm_nodes_shape, text, chunk);
      const JmSchedulerNode *node = jm_scheduler_report_get_node (report, 0);

      assert_no_complaint (report);
      g_assert_cmpuint (jm_scheduler_report_get_n_nodes (report), ==, 2);
      g_assert_cmpstr (node->name, ==, "NaN");
      g_assert_cmpstr (node->reason, ==, "\\\": inf, \\");
      g_assert_cmpint (node->cpus, ==, -1);
      g_assert_cmpint (node->cpus_allocated, ==, 12345678901);
      g_assert_cmpint (node->memory_bytes, ==, -1);
      g_assert_cmpint (node->weight, ==, -1);
      g_assert_true (isnan (node->load));
      g_assert_cmpstr (jm_scheduler_report_get_node (report, 1)->reason, ==,
                       "-Infinity");
    }
}

static void
test_other_words_are_no_json (void)
{
  static const char *const texts[] = { "{\"nodes\": [infinit]}", "{\"nodes\": nano}",
                                       "{\"nodes\": -in}", "{\"nodes\": 1inf}",
                                       "{nan: []}" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JmSchedulerReport) report =
        jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
      g_autoptr (JmSlurmAnswer) answer =
        jm_slurm_answer_new (&jm_slurm_nodes_shape, report, "c");
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", texts[i]);
      jm_slurm_answer_feed (texts[i], strlen (texts[i]), answer);
      g_assert_false (jm_slurm_answer_finish (answer, "slurmrestd", &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
    }
}

static void
test_a_value_of_slurmrestd_costs_itself (void)
{
  g_autoptr (JmSchedulerReport) jobs = read_answer (
    &jm_slurm_jobs_shape,
    "{\"jobs\": [{\"job_id\": 1, \"job_state\": [\"PENDING\"], \"tres_req_str\": "
    "\"cpu=x,mem=1G\", \"array_job_id\": 1, \"array_task_string\": \"1-x\"}]}",
    4096);
  g_autoptr (JmSchedulerReport) nodes = read_answer (
    &jm_slurm_nodes_shape,
    "{\"nodes\": [{\"name\": \"n\", \"cpus\": 4, \"gres\": \"gpu:a:-1\"}]}", 4096);
  g_autoptr (JmSchedulerReport) reservations =
    read_answer (&jm_slurm_reservations_shape,
                 "{\"reservations\": [{\"name\": \"r\", \"start_time\": 1, "
                 "\"end_time\": {\"infinite\": true, \"number\": 0}}]}",
                 4096);

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (jobs), ==, 2);
  g_assert_cmpint (jm_scheduler_report_get_job (jobs, 0)->memory_requested_bytes, ==,
                   GIB);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (nodes), ==, 2);
  g_assert_cmpint (jm_scheduler_report_get_node (nodes, 0)->cpus, ==, 4);
  g_assert_cmpint (jm_scheduler_report_get_node (nodes, 0)->gpus, ==, -1);
  g_assert_cmpstr (jm_scheduler_report_get_reservation (reservations, 0)->state, ==,
                   "ACTIVE");
}

static void
test_a_list_of_tasks_that_is_cut_has_no_number_of_them (void)
{
  g_autoptr (JmSchedulerReport) jobs =
    read_answer (&jm_slurm_jobs_shape,
                 "{\"jobs\": [{\"job_id\": 7, \"array_job_id\": 7, \"job_state\": "
                 "\"PENDING\", \"array_task_string\": \"1,3,5,...\"}]}",
                 4096);
  const JmSchedulerJob *job = jm_scheduler_report_get_job (jobs, 0);

  g_assert_cmpstr (job->id, ==, "7_[1,3,5,...]");
  g_assert_cmpint (job->tasks, ==, -1);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (jobs), ==, 1);
}

/* As squeue's `Reason`, which is the description where there is one. */
static void
test_a_reason_of_slurmrestd_is_that_of_squeue (void)
{
  g_autoptr (JmSchedulerReport) report = read_answer (
    &jm_slurm_jobs_shape,
    "{\"jobs\": [{\"job_id\": 1, \"job_state\": [\"PENDING\"], \"state_reason\": "
    "\"ReqNodeNotAvail\", \"state_description\": \"ReqNodeNotAvail, May be reserved "
    "for other job\"}, {\"job_id\": 2, \"job_state\": [\"PENDING\"], "
    "\"state_description\": \"\", \"state_reason\": \"Resources\", \"tres_req_str\": "
    "\"cpu=1,mem=0,node=1\"}]}",
    4096);

  g_assert_cmpstr (jm_scheduler_report_get_job (report, 0)->reason, ==,
                   "ReqNodeNotAvail, May be reserved for other job");
  g_assert_cmpstr (jm_scheduler_report_get_job (report, 1)->reason, ==, "Resources");
  /* all that the nodes have is no amount */
  g_assert_cmpint (jm_scheduler_report_get_job (report, 1)->memory_requested_bytes, ==,
                   -1);
}

static void
test_a_job_may_be_called_anything (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_answer (&jm_slurm_jobs_shape,
                 "{\"jobs\": [{\"job_id\": 1, \"job_state\": [\"PENDING\"], \"name\": "
                 "\"N/A\"}, {\"job_id\": 2, \"job_state\": [\"PENDING\"], \"name\": "
                 "\"\"}]}",
                 4096);

  g_assert_cmpstr (jm_scheduler_report_get_job (report, 0)->name, ==, "N/A");
  g_assert_null (jm_scheduler_report_get_job (report, 1)->name);
}

/* --- whatever stands in a column --- */

typedef char *(*DumpFunc) (JmSchedulerReport *report, guint record, guint column);

typedef struct
{
  const JmSlurmTable *table;
  guint (*get_n_records) (JmSchedulerReport *report);
  void (*read) (JmSchedulerReport *report, const char *text);
  DumpFunc dump; /* the values that come from a column */
} Table;

static void
on_job (JmSlice row, gpointer report)
{
  jm_squeue_take_row (SEPARATOR, row, report);
}

static void
on_node (JmSlice row, gpointer reader)
{
  jm_sinfo_reader_take (reader, row);
}

static void
read_rows (JmSlurmRows *rows, const char *text)
{
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_slurm_rows_take (rows, line, TRUE);
  jm_slurm_rows_finish (rows);
}

static void
read_jobs (JmSchedulerReport *report, const char *text)
{
  g_autoptr (JmSlurmRows) rows =
    jm_slurm_rows_new (SEPARATOR, jm_squeue_table.n_columns, on_job, report);

  read_rows (rows, text);
}

static void
read_nodes (JmSchedulerReport *report, const char *text)
{
  g_autoptr (JmSinfoReader) reader = jm_sinfo_reader_new (SEPARATOR, report);
  g_autoptr (JmSlurmRows) rows =
    jm_slurm_rows_new (SEPARATOR, jm_sinfo_table.n_columns, on_node, reader);

  read_rows (rows, text);
}

static void
add_gpus (GString *text, JmSchedulerReport *report, guint first, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerGpus *gpus = jm_scheduler_report_get_gpus (report, first + i);

      g_string_append_printf (text, " %s %s %" G_GINT64_FORMAT, gpus->gres,
                              gpus->type != NULL ? gpus->type : "", gpus->total);
    }
}

#define NUMBER(value) g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) (value))

static char *
dump_job (JmSchedulerReport *report, guint record, guint column)
{
  const JmSchedulerJob *job = jm_scheduler_report_get_job (report, record);
  const char *const texts[] = {
    [0] = job->id,           [5] = job->user,       [7] = job->account,
    [8] = job->qos,          [9] = job->partitions, [11] = job->reason,
    [12] = job->reservation, [20] = job->node_list, [21] = job->features,
    [22] = job->licenses,    [24] = job->name
  };
  const gint64 numbers[] = { [1] = job->raw_id,
                             [2] = job->array_job_id,
                             [4] = job->het_job_id,
                             [6] = job->uid,
                             [10] = job->state,
                             [14] = job->submit_time,
                             [15] = job->eligible_time,
                             [16] = job->start_time,
                             [17] = job->end_time,
                             [18] = job->time_limit_seconds,
                             [19] = job->priority,
                             [23] = job->restarts,
                             [24] = 0 };
  g_autoptr (GString) tres = g_string_new (NULL);

  if (column == 3)
    return NUMBER (job->array_task_id * 1000 + job->tasks);
  if (column != 13)
    return texts[column] != NULL ? g_strdup (texts[column]) : NUMBER (numbers[column]);

  g_string_printf (tres, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                   job->cpus_requested + job->cpus_allocated,
                   job->memory_requested_bytes + job->memory_allocated_bytes,
                   job->nodes);
  add_gpus (tres, report, job->first_gpus, job->n_gpus);

  return g_string_free (g_steal_pointer (&tres), FALSE);
}

static char *
dump_node (JmSchedulerReport *report, guint record, guint column)
{
  const JmSchedulerNode *node = jm_scheduler_report_get_node (report, record);
  const char *const texts[] = {
    [0] = node->name,     [1] = node->partitions,   [10] = node->features,
    [12] = node->version, [14] = node->reason_user, [15] = node->reason
  };
  const gint64 numbers[] = { [2] = node->state + 100 * (gint64) node->flags,
                             [3] = node->cpus + 1000 * node->cpus_idle,
                             [5] = node->memory_bytes,
                             [6] = node->memory_allocated_bytes,
                             [7] = node->memory_free_bytes,
                             [9] = node->gpus_allocated,
                             [11] = node->weight,
                             [13] = node->reason_time,
                             [15] = 0 };
  g_autoptr (GString) gres = g_string_new (NULL);

  if (column == 4)
    return g_strdup_printf ("%g", node->load);
  if (column != 8)
    return texts[column] != NULL ? g_strdup (texts[column]) : NUMBER (numbers[column]);

  g_string_printf (gres, "%" G_GINT64_FORMAT, node->gpus);
  add_gpus (gres, report, node->first_gpus, node->n_gpus);

  return g_string_free (g_steal_pointer (&gres), FALSE);
}

static const Table tables[] = {
  { &jm_squeue_table, jm_scheduler_report_get_n_jobs, read_jobs, dump_job },
  { &jm_sinfo_table, jm_scheduler_report_get_n_nodes, read_nodes, dump_node },
};

/* One row of each record. */
static GPtrArray *
load_rows (const Table *table)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", recorded.recorded,
                           table->table->command, NULL);
  g_autoptr (GHashTable) names =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0' &&
        g_hash_table_add (names,
                          g_strndup (*line, strcspn (*line, RECORDED_SEPARATOR))))
      g_ptr_array_add (rows, g_strsplit (*line, RECORDED_SEPARATOR, -1));

  return rows;
}

static JmSchedulerReport *
read_with (const Table *table,
           GPtrArray *rows,
           guint row,
           guint column,
           const char *value)
{
  JmSchedulerReport *report = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      char **columns = rows->pdata[i];

      for (guint j = 0; j < table->table->n_columns; j++)
        g_string_append_printf (text, "%s" SEPARATOR,
                                i == row && j == column ? value : columns[j]);
      g_string_append_c (text, '\n');
    }
  table->read (report, text->str);

  return report;
}

/* Of a job the state decides what it is that it has; without a task it is of no array.
 */
static gboolean
may_differ (const Table *table, guint column, guint changed)
{
  if (table->dump == dump_job)
    return column == changed || (changed == 3 && column == 2) ||
           (changed == 10 && column == 13);

  return column == changed || (changed == 9 && column == 8) ||
         (changed == 8 && column == 9);
}

static void
assert_rest_is_same (const Table *table,
                     JmSchedulerReport *before,
                     JmSchedulerReport *after,
                     guint row,
                     guint changed)
{
  guint n_before = table->get_n_records (before);
  guint n_lost = n_before - table->get_n_records (after);

  g_assert_cmpuint (n_lost, <=, changed < 2);
  for (guint i = 0; i < n_before; i++)
    {
      guint place = i > row ? i - n_lost : i;

      for (guint j = 0; j < table->table->n_columns; j++)
        {
          g_autofree char *old = NULL;
          g_autofree char *new = NULL;

          if (i == row && (n_lost > 0 || may_differ (table, j, changed)))
            continue;
          old = table->dump (before, i, j);
          new = table->dump (after, place, j);
          if (strcmp (old, new) != 0)
            g_error ("%s: column %u of row %u changes column %u of row %u: %s: %s",
                     table->table->command, changed, row, j, i, old, new);
        }
    }
}

static void
test_a_value_costs_no_other (gconstpointer data)
{
  static const char *const values[] = { "",
                                        "99999999999999999999999999",
                                        "18446744073709551614",
                                        "9223372036854775808",
                                        "-1",
                                        "nan",
                                        "\"'|,=:()%s\\",
                                        "(((",
                                        "\377\376",
                                        "\nx\n\n",
                                        "x" RECORDED_SEPARATOR "y",
                                        "7" RECORDED_SEPARATOR "7\n8" RECORDED_SEPARATOR
                                        "8" };
  const Table *table = data;
  g_autoptr (GPtrArray) rows = load_rows (table);
  g_autoptr (JmSchedulerReport) before = read_with (table, rows, G_MAXUINT, 0, NULL);

  assert_no_complaint (before);
  g_assert_cmpuint (table->get_n_records (before), ==, rows->len);
  for (guint row = 0; row < rows->len; row++)
    for (guint column = 0; column < table->table->n_columns; column++)
      for (guint i = 0; i < 2 * G_N_ELEMENTS (values); i++)
        {
          const char *old = ((char **) rows->pdata[row])[column];
          const char *value = values[i / 2];
          /* in place of the value, and within it */
          g_autofree char *new =
            i % 2 == 0 ? g_strdup (value) : g_strconcat (old, value, old, NULL);
          g_autoptr (JmSchedulerReport) after =
            read_with (table, rows, row, column, new);

          assert_rest_is_same (table, before, after, row, column);
        }
}

/* --- types that stand on one side alone --- */

static void
test_gpus_in_use_may_lack_the_type_of_the_node (void)
{
  static const struct
  {
    const char *total, *used;
    gint64 allocated, of_first_type;
  } cases[] = {
    { "gpu:a100:4", "gpu:(null):3(IDX:0-2)", 3, 3 },
    { "gpu:a100:4", "gpu:a100:1(IDX:0),gpu:(null):2(IDX:1-2)", 3, 3 },
    { "gpu:a100:4", "gpu:(null):0(IDX:N/A)", 0, 0 },
    { "gpu:a100:4", "gpu:(null):-1", -1, -1 },
    { "gpu:4", "gpu:a100:3(IDX:0-2)", 3, 3 },
    { "gpu:a100:4,gpu:t4:2", "gpu:(null):3", 3, -1 },
    { "gpu:a100:4,gpu:t4:2", "gpu:(null):0", 0, 0 },
    { "gpu:a100:4,gpu:t4:2", "gpu:a100:1,gpu:t4:2", 3, 1 },
    { "gpu:a100:4,gpu:2", "gpu:a100:1,gpu:(null):2", 3, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JmSchedulerReport) report =
        jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
      JmSlurmTres total, used;
      JmSchedulerNode node;

      g_test_message ("%s, in use %s", cases[i].total, cases[i].used);
      jm_scheduler_node_init (&node);
      jm_slurm_parse_gres ((JmSlice){ cases[i].total, strlen (cases[i].total) },
                           &total);
      jm_slurm_parse_gres ((JmSlice){ cases[i].used, strlen (cases[i].used) }, &used);
      jm_slurm_set_node_gpus (report, &node, &total, &used);

      g_assert_cmpint (node.gpus_allocated, ==, cases[i].allocated);
      g_assert_cmpint (jm_scheduler_report_get_gpus (report, node.first_gpus)
                         ->allocated,
                       ==, cases[i].of_first_type);
    }
}

/* --- rows over several lines --- */

typedef struct
{
  const char *lines[8];
  const char *rows[8];
} RowsCase;

static void
on_text (JmSlice row, gpointer rows)
{
  g_ptr_array_add (rows, g_strndup (row.text, row.length));
}

static void
test_rows_are_distinguished (void)
{
  static const RowsCase cases[] = {
    { { "a!=b!=c!=", "d!=e!=f!=" }, { "a!=b!=c!=", "d!=e!=f!=" } },
    { { "a!=b!=c", "", "d!=", "e!=f!=g!=" }, { "a!=b!=c\n\nd!=", "e!=f!=g!=" } },
    { { "a!=b!=c", "d!=e!=f!=" }, { "a!=b!=c", "d!=e!=f!=" } },
    { { "a!=b!=c", "d!=e!=f", "g!=" }, { "a!=b!=c", "d!=e!=f\ng!=" } },
    { { "error: none", "a!=b!=c!=" }, { "error: none", "a!=b!=c!=" } },
    { { "a!=b!=c!=d!=", "e" }, { "a!=b!=c!=d!=", "e" } },
    { { "a!=b!=c" }, { "a!=b!=c" } },
    { { "a!=!b!=c!", "=!=" }, { "a!=!b!=c!\n=!=" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (JmSlurmRows) reader = jm_slurm_rows_new ("!=", 3, on_text, rows);
      g_autofree char *text = g_strjoinv ("\n", (char **) cases[i].lines);

      read_rows (reader, text);
      g_ptr_array_add (rows, NULL);
      g_assert_cmpstrv (rows->pdata, cases[i].rows);
    }
}

static void
test_a_row_has_an_end (void)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (JmSlurmRows) reader = jm_slurm_rows_new ("!=", 3, on_text, rows);
  g_autoptr (GString) text = g_string_new ("a!=b!=");

  for (guint i = 0; i < 3 * JM_COMMAND_LINE_MAX / 10; i++)
    g_string_append (text, "\n123456789");
  g_string_append (text, "\nc!=d!=e!=");
  read_rows (reader, text->str);

  g_assert_cmpuint (strlen (rows->pdata[0]), <=, JM_COMMAND_LINE_MAX);
  g_assert_cmpstr (rows->pdata[rows->len - 1], ==, "c!=d!=e!=");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                \
 g_test_add ("/slurm-odd/" name, Fixture, &odd, set_up, func, tear_down)

  ADD ("jobs-disks", test_local_disks_of_jobs_cost_nothing);
  ADD ("nodes-disks", test_local_disks_of_nodes_cost_nothing);
  ADD ("untyped", test_gpus_without_a_type_are_counted);
  ADD ("reason", test_a_reason_may_have_line_ends);
  ADD ("partitions", test_partitions_without_anything);
  ADD ("reservations", test_a_reservation_may_be_endless);
  ADD ("licences", test_a_licence_may_have_no_total);
  ADD ("sdiag", test_an_odd_figure_of_sdiag_costs_itself);

  g_test_add_func ("/slurm-odd/rest", test_jobs_and_nodes_of_slurmrestd);
  g_test_add_func ("/slurm-odd/tasks-that-are-cut",
                   test_a_list_of_tasks_that_is_cut_has_no_number_of_them);
  g_test_add_func ("/slurm-odd/no-json", test_numbers_that_are_no_json);
  g_test_add_func ("/slurm-odd/strings", test_no_word_in_a_string_is_a_number);
  g_test_add_func ("/slurm-odd/words", test_other_words_are_no_json);
  g_test_add_func ("/slurm-odd/a-reason-of-slurmrestd-is-that-of-squeue",
                   test_a_reason_of_slurmrestd_is_that_of_squeue);
  g_test_add_func ("/slurm-odd/rest-name", test_a_job_may_be_called_anything);
  g_test_add_func ("/slurm-odd/rest-value", test_a_value_of_slurmrestd_costs_itself);
  g_test_add_data_func ("/slurm-odd/squeue", &tables[0], test_a_value_costs_no_other);
  g_test_add_data_func ("/slurm-odd/sinfo", &tables[1], test_a_value_costs_no_other);
  g_test_add_func ("/slurm-odd/one-side",
                   test_gpus_in_use_may_lack_the_type_of_the_node);
  g_test_add_func ("/slurm-odd/rows", test_rows_are_distinguished);
  g_test_add_func ("/slurm-odd/end", test_a_row_has_an_end);

  return g_test_run ();
}
