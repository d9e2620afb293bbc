/* test-scheduler-mutations.c: recorded answers in which one value is another
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mutations.h"
#include "record-lists.h"
#include "schedulers/gridengine/jm-gridengine-answers-private.h"
#include "schedulers/gridengine/jm-gridengine-row-private.h"
#include "schedulers/htcondor/jm-htcondor-ad-private.h"
#include "schedulers/pbs/jm-pbs-answers-private.h"
#include "schedulers/pbs/jm-pbs-record-private.h"
#include "schedulers/slurm/jm-slurm-answer-past-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"
#include "sources/jobs/jm-definition-groups-private.h"

#define SEPARATOR                                                                      \
 "\x1f"                                                                                \
 "12345678"
#define SACCT_DELIMITER "\03712345678"
/* Of Grid Engine's accounting file. */
#define N_ACCOUNTING_COLUMNS 45

/* --- Slurm --- */

typedef void (*LineFunc) (JmSchedulerReport *report, JmSlice line);

static void
feed (JmSlurmAnswer *answer, const char *text)
{
  jm_slurm_answer_feed (text, strlen (text), answer);
  /* what is no JSON is refused as a whole, and that is right */
  jm_slurm_answer_finish (answer, "slurmrestd", NULL);
}

static GPtrArray *
list_runs (JmSacctRows *rows)
{
  g_autoptr (GPtrArray) batches = jm_sacct_rows_finish (rows, NULL);

  return records_of_batches (batches);
}

static GPtrArray *
read_json (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSlurmAnswer) answer =
    jm_slurm_answer_new (source->data, report, "recorded");

  feed (answer, text);

  return records_of_report (report);
}

static GPtrArray *
read_json_runs (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("recorded", "\x1f", 1, 1000);
  const guint version = source->data != NULL ? GPOINTER_TO_UINT (source->data) : 38;
  g_autoptr (JmSlurmRuns) runs = jm_slurm_runs_new (rows, version);
  g_autoptr (JmSlurmAnswer) answer =
    jm_slurm_answer_new (jm_slurm_runs_get_shape (runs), report, "recorded");

  jm_slurm_answer_set_taker (answer, runs);
  feed (answer, text);

  return list_runs (rows);
}

static GPtrArray *
read_lines (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    ((LineFunc) source->function) (report, line);

  return records_of_report (report);
}

static GPtrArray *
read_sacct (const char *text, const Answer *source)
{
  g_autoptr (JmSacctRows) rows =
    jm_sacct_rows_new ("recorded", SACCT_DELIMITER, 1, 1000);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_sacct_rows_take (line.text, line.length, TRUE, rows);

  return list_runs (rows);
}

static void
read_rows (guint n_columns, JmSlurmRowFunc func, gpointer data, const char *text)
{
  g_autoptr (JmSlurmRows) rows = jm_slurm_rows_new (SEPARATOR, n_columns, func, data);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_slurm_rows_take (rows, line, TRUE);
  jm_slurm_rows_finish (rows);
}

static void
on_job (JmSlice row, gpointer report)
{
  jm_squeue_take_row (SEPARATOR, row, report);
}

static GPtrArray *
read_squeue (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);

  read_rows (jm_squeue_table.n_columns, on_job, report, text);

  return records_of_report (report);
}

static void
on_node (JmSlice row, gpointer reader)
{
  jm_sinfo_reader_take (reader, row);
}

static GPtrArray *
read_sinfo (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
  g_autoptr (JmSinfoReader) reader = jm_sinfo_reader_new (SEPARATOR, report);

  read_rows (jm_sinfo_table.n_columns, on_node, reader, text);

  return records_of_report (report);
}

static void
read_limit (JmSchedulerReport *report, JmSlice line)
{
  jm_slurm_read_limit (report, "recorded", line);
}

static GPtrArray *
read_sdiag (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_DIAGNOSTICS);
  const char *cursor = text;
  JmSlurmSdiag sdiag;
  JmSlice line;

  jm_slurm_sdiag_init (&sdiag);
  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_slurm_sdiag_read (&sdiag, report, line);
  jm_slurm_sdiag_finish (&sdiag, report);

  return records_of_report (report);
}

static void
find_in_squeue (GArray *places, const char *text)
{
  places_find_in_columns (places, text, SEPARATOR, jm_squeue_table.n_columns + 1);
}

static void
find_in_sinfo (GArray *places, const char *text)
{
  places_find_in_columns (places, text, SEPARATOR, jm_sinfo_table.n_columns + 1);
}

static void
find_in_sacct (GArray *places, const char *text)
{
  places_find_in_columns (places, text, SACCT_DELIMITER,
                          JM_N_SLURM_RECORD_FIELDS_OF_ALL);
}

/* --- PBS and Grid Engine --- */

static void
feed_pbs (const JmPbsJsonHandler *handler, gpointer data, const char *text)
{
  g_autoptr (JmPbsJson) json = jm_pbs_json_new (handler, data);

  jm_pbs_json_feed (json, text, strlen (text));
  jm_pbs_json_finish (json, "recorded", NULL);
}

static const char *
find_array (char **record)
{
  while (*record != NULL && !g_str_has_prefix (*record, "array_job_id="))
    record++;

  return *record;
}

/* Of an array there is a record of the tasks that run, and behind it one of those that
 * wait: an entry of qstat's is one record here. */
static void
join_arrays (GPtrArray *records)
{
  for (guint i = records->len; i-- > 1;)
    {
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      const char *array = find_array (records->pdata[i]);

      if (g_str_has_suffix (array, "=-1") ||
          g_strcmp0 (array, find_array (records->pdata[i - 1])) != 0)
        continue;
      g_strv_builder_addv (builder, records->pdata[i - 1]);
      g_strv_builder_addv (builder, records->pdata[i]);
      g_strfreev (records->pdata[i - 1]);
      records->pdata[i - 1] = g_strv_builder_end (builder);
      g_ptr_array_remove_index (records, i);
    }
}

static GPtrArray *
read_pbs_jobs (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_auto (JmPbsJobs) jobs = { 0 };
  GPtrArray *records;

  jm_pbs_jobs_init (&jobs, report);
  feed_pbs (&jm_pbs_jobs_handler, &jobs, text);
  records = records_of_report (report);
  join_arrays (records);

  return records;
}

/* Words of the first job are no JSON: it stays as it is. */
static void
find_in_pbs_jobs (GArray *places, const char *text)
{
  places_find_in_json_members (places, text, strstr (text, "\"102.head1\""), ".Jobs");
}

static GPtrArray *
read_pbs_nodes (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
  g_auto (JmPbsNodes) nodes = { 0 };

  jm_pbs_nodes_init (&nodes, report);
  feed_pbs (&jm_pbs_nodes_handler, &nodes, text);

  return records_of_report (report);
}

static void
feed_gridengine (const char *root,
                 const JmGridengineXmlHandler *handler,
                 gpointer data,
                 const char *text)
{
  g_autoptr (JmGridengineXml) xml = jm_gridengine_xml_new (root, handler, data);

  jm_gridengine_xml_feed (xml, text, strlen (text));
  jm_gridengine_xml_finish (xml, NULL);
}

static GPtrArray *
read_gridengine_jobs (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_auto (JmGridengineJobs) jobs = { 0 };

  jm_gridengine_jobs_init (&jobs, report);
  feed_gridengine (JM_GRIDENGINE_JOBS_ROOT, &jm_gridengine_jobs_handler, &jobs, text);

  return records_of_report (report);
}

static GPtrArray *
read_gridengine_nodes (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
  g_auto (JmGridengineNodes) nodes = { 0 };

  jm_gridengine_nodes_init (&nodes, report);
  feed_gridengine (JM_GRIDENGINE_NODES_ROOT, &jm_gridengine_nodes_handler, &nodes,
                   text);

  return records_of_report (report);
}

/* --- logs, and HTCondor --- */

static GPtrArray *
read_log (const char *text, const Answer *source)
{
  GPtrArray *records = records_new ();
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    {
      g_autoptr (JmRun) run = NULL;
      const char *bad = NULL;

      ((JmLogParse) source->function) (jm_slice_trim (line), "recorded", &run, &bad);
      if (run != NULL)
        records_add_run (records, run, NULL);
    }

  return records;
}

static void
find_in_accounting (GArray *places, const char *text)
{
  places_find_in_columns (places, text, ":", N_ACCOUNTING_COLUMNS);
}

/* The ad of a job or of a slot is one record. */
static GPtrArray *
read_ad (const char *text, const Answer *source)
{
  GPtrArray *records = records_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (const char *const *name = source->data; *name != NULL; name++)
    {
      g_autofree char *value =
        jm_lookup_text_find (JM_LOOKUP_CLASSAD, text, strlen (text), *name);
      g_autofree char *fact = g_strdup_printf ("%s=%s", *name, value);

      g_strv_builder_add (builder, fact);
    }
  g_ptr_array_add (records, g_strv_builder_end (builder));

  return records;
}

/* --- answers --- */

#define JSON(file, shape)                                                              \
 {                                                                                     \
  file, read_json, places_find_in_json, FORMAT_JSON, .data = shape                     \
 }
#define TEXTS "slurm-commands-22.05/"
#define BARS(file, line)                                                               \
 {                                                                                     \
  TEXTS file, read_lines, places_find_in_bars, FORMAT_TEXT, "|\n",                     \
    .function = G_CALLBACK (line)                                                      \
 }
#define PAIRS(file, line)                                                              \
 {                                                                                     \
  TEXTS file, read_lines, places_find_in_pairs, FORMAT_TEXT, " =\n",                   \
    .function = G_CALLBACK (line)                                                      \
 }
#define SCRATCH "htcondor-23/var/lib/condor/execute/dir_3019/"

static const char *const none[] = { NULL };
/* An array of which no task waits or runs is no job. */
static const char *const pbs_job[] = { ".Jobs[].array_state_count", NULL };
static const char *const pbs_run[] = { "id", "start", "end", NULL };
static const char *const gridengine_job[] = { "JB_job_number@", NULL };
static const char *const queue_states[] = { "auE", "d", NULL };
static const char *const gridengine_node[] = { "host", NULL };
/* Its number and its task; a row without a time of submission or with the id of a
 * parallel environment's task is that of a slave. */
static const char *const gridengine_run[] = { "5", "8", "35", "41", NULL };
static const char *const htcondor_run[] = { "[].ClusterId", "[].ProcId", NULL };
static const char *const job_ad[] = { "ClusterId",           "ProcId", "Owner",
                                      "AcctGroup",           "QDate",  "JobBatchName",
                                      "JobCurrentStartDate", NULL };
static const char *const slot_ad[] = { "RemoteOwner", "AssignedGPUs", "Name", "Cpus",
                                       NULL };

static const Answer answers[] = {
  { TEXTS "squeue", read_squeue, find_in_squeue, FORMAT_TEXT, "\n", SEPARATOR },
  { "slurm-names-22.05/squeue", read_squeue, find_in_squeue, FORMAT_TEXT, "\n" },
  { TEXTS "sinfo", read_sinfo, find_in_sinfo, FORMAT_TEXT, "\n", SEPARATOR, "0" },
  PAIRS ("partitions", jm_slurm_read_partition),
  PAIRS ("reservations", jm_slurm_read_reservation),
  PAIRS ("licenses", jm_slurm_read_license),
  BARS ("limits", read_limit),
  BARS ("qos", jm_slurm_read_qos),
  BARS ("sshare", jm_slurm_read_share),
  { TEXTS "sdiag", read_sdiag, places_find_in_sdiag, FORMAT_TEXT, " :()\n" },
  { "sacct-22.05/sacct", read_sacct, find_in_sacct, FORMAT_TEXT, "\n", .key = "0" },
  { "slurm-history-22.05/jobs-38.json", read_json_runs, places_find_in_json,
    FORMAT_JSON },
  { "slurm-history-26.05/jobs-45.json", read_json_runs, places_find_in_json,
    FORMAT_JSON, .data = GUINT_TO_POINTER (45) },
  JSON ("slurm-rest-22.05/jobs-38.json", &jm_slurm_jobs_shape),
  JSON ("slurm-rest-made/jobs-40.json", &jm_slurm_jobs_shape),
  JSON ("slurm-rest-made/jobs-45.json", &jm_slurm_jobs_shape),
  JSON ("slurm-rest-22.05/nodes-38.json", &jm_slurm_nodes_shape),
  JSON ("slurm-rest-made/nodes-45.json", &jm_slurm_nodes_shape),
  JSON ("slurm-rest-22.05/partitions-38.json", &jm_slurm_partitions_shape),
  JSON ("slurm-rest-made/partitions-45.json", &jm_slurm_partitions_shape),
  JSON ("slurm-rest-22.05/reservations-38.json", &jm_slurm_reservations_shape),
  JSON ("slurm-rest-made/licenses-45.json", &jm_slurm_licenses_shape),
  JSON ("slurm-rest-made/shares-45.json", &jm_slurm_shares_shape),
  JSON ("slurm-rest-22.05/associations-38.json", &jm_slurm_limits_shape),
  { "pbs-commands/qstat.json", read_pbs_jobs, find_in_pbs_jobs, FORMAT_JSON,
    .identity = pbs_job },
  { "pbs-commands/pbsnodes.json", read_pbs_nodes, places_find_in_json, FORMAT_JSON,
    .identity = none },
  { "pbs-log/20221004", read_log, places_find_in_pbs_log, FORMAT_TEXT, " =;\"'\n",
    .identity = pbs_run, .function = G_CALLBACK (jm_pbs_parse_record) },
  { "gridengine-commands/qstat.xml", read_gridengine_jobs, places_find_in_xml,
    FORMAT_XML, .identity = gridengine_job },
  { "gridengine-commands/qhost.xml", read_gridengine_nodes, places_find_in_xml,
    FORMAT_XML, .identity = gridengine_node, .further = queue_states },
  { "gridengine-log/accounting", read_log, find_in_accounting, FORMAT_TEXT, ":\n",
    .identity = gridengine_run, .function = G_CALLBACK (jm_gridengine_parse_row) },
  { "condor-history-23.9/jobs.jsonl", read_log, places_find_in_json_lines,
    FORMAT_JSON_LINES, .identity = htcondor_run,
    .function = G_CALLBACK (jm_htcondor_parse_ad) },
  { SCRATCH ".job.ad", read_ad, places_find_in_ad, FORMAT_TEXT, "\n", .identity = none,
    .data = job_ad },
  { SCRATCH ".machine.ad", read_ad, places_find_in_ad, FORMAT_TEXT, "\n",
    .identity = none, .data = slot_ad },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  mutations_add_tests (answers, G_N_ELEMENTS (answers));

  return g_test_run ();
}
