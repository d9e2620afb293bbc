/* jm-table-rows.c: jobs, partitions, records and runs as rows of a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-field-table-private.h"
#include "core/jm-figure-private.h"
#include "core/jm-record-field-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-document-private.h"
#include "core/jm-run-private.h"
#include "judge/jm-run-report-private.h"
#include "report/jm-table-private.h"

static void
add_column (GArray *columns, const JmQuantity *quantity, gconstpointer field)
{
  const JmRowColumn column = { quantity, field };

  g_array_append_val (columns, column);
}

/* --- jobs of a node --- */

typedef struct
{
  JmSnapshot *snapshot;
  guint subject;
} SubjectRow;

static GArray *
list_job_columns (void)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (JmRowColumn));
  guint n_fields;
  const JmField *fields = jm_field_table_get (&n_fields);

  for (guint i = 0; i < n_fields; i++)
    add_column (columns, fields[i].quantity, &fields[i]);

  return columns;
}

static JmFigure
get_job_figure (const JmRowColumn *column, gconstpointer row)
{
  const SubjectRow *job = row;

  return jm_field_get_figure (column->field, job->snapshot, job->subject);
}

static char *
get_job_text (const JmRowColumn *column, gconstpointer row)
{
  const SubjectRow *job = row;

  return jm_field_get_text (column->field, job->snapshot, job->subject);
}

static char *
format_job_text (const JmRowColumn *column, gconstpointer row)
{
  const SubjectRow *job = row;

  return jm_field_format (column->field, job->snapshot, job->subject);
}

static const JmRowType job_type = { list_job_columns, get_job_figure, get_job_text,
                                    format_job_text };

/**
 * jm_table_new_of_jobs:
 * @columns: names of quantities, with commas between them
 * @error: return location for an error
 *
 * Makes a table of jobs, steps or tasks of a snapshot, without rows: see
 * jm_table_add_subject() and jm_table_add_columns().
 *
 * Returns: (transfer full): the table; %NULL where jobs have no such quantity, with
 *   %JM_ERROR_INVALID
 * Since: 0.1
 */
JmTable *
jm_table_new_of_jobs (const char *columns, GError **error)
{
  g_return_val_if_fail (columns != NULL, NULL);

  return jm_table_new (&job_type, columns, error);
}

/* --- partitions of a cluster --- */

/* A metric of a partition, or the part of it that one word labels. */
typedef struct
{
  JmQuantityId id;
  JmMetric metric;
  const char *word;
} PartitionField;

/* Labels of a partition. */
enum
{
  CLUSTER,
  PARTITION,
};

static const PartitionField partition_fields[] = {
  { JM_QUANTITY_CLUSTER, JM_N_METRICS, NULL },
  { JM_QUANTITY_PARTITION, JM_N_METRICS, NULL },
  { JM_QUANTITY_RUNNING_JOBS, JM_METRIC_QUEUE_JOBS, "running" },
  { JM_QUANTITY_QUEUE_PENDING_JOBS, JM_METRIC_QUEUE_JOBS, "pending" },
  { JM_QUANTITY_QUEUE_OLDEST_PENDING, JM_METRIC_QUEUE_OLDEST_PENDING, NULL },
  { JM_QUANTITY_CLUSTER_NODES, JM_METRIC_CLUSTER_NODES, NULL },
  { JM_QUANTITY_NODES_IDLE, JM_METRIC_CLUSTER_NODES, "idle" },
  { JM_QUANTITY_CPUS_ALLOCATED, JM_METRIC_CLUSTER_CPUS, "allocated" },
  { JM_QUANTITY_CPUS_IDLE, JM_METRIC_CLUSTER_CPUS, "idle" },
  { JM_QUANTITY_CPUS_OTHER, JM_METRIC_CLUSTER_CPUS, "other" },
  { JM_QUANTITY_CLUSTER_MEMORY, JM_METRIC_CLUSTER_MEMORY, NULL },
  { JM_QUANTITY_CLUSTER_ALLOCATED_MEMORY, JM_METRIC_CLUSTER_ALLOCATED_MEMORY, NULL },
};

static GArray *
list_partition_columns (void)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (JmRowColumn));

  for (guint i = 0; i < G_N_ELEMENTS (partition_fields); i++)
    add_column (columns, jm_quantity_get (partition_fields[i].id),
                &partition_fields[i]);

  return columns;
}

static JmFigure
get_partition_figure (const JmRowColumn *column, gconstpointer data)
{
  const PartitionField *field = column->field;
  const SubjectRow *row = data;
  g_autoptr (JmLabels) labels =
    field->word != NULL ? jm_labels_of (field->word, NULL) : NULL;

  return labels != NULL
           ? jm_figure_of_metric_label (row->snapshot, row->subject, field->metric,
                                        labels)
           : jm_figure_of_metric (row->snapshot, row->subject, field->metric);
}

static char *
get_partition_text (const JmRowColumn *column, gconstpointer data)
{
  const PartitionField *field = column->field;
  const SubjectRow *row = data;
  JmLabels *labels = jm_snapshot_get_subject_labels (row->snapshot, row->subject);

  return g_strdup (jm_labels_get_value (labels, field->id == JM_QUANTITY_CLUSTER
                                                  ? CLUSTER
                                                  : PARTITION));
}

static const JmRowType partition_type = { list_partition_columns, get_partition_figure,
                                          get_partition_text, NULL };

/**
 * jm_table_new_of_partitions:
 * @columns: names of quantities, with commas between them
 * @error: return location for an error
 *
 * Makes a table of partitions in a cluster's snapshot, without rows: see
 * jm_table_add_subject() and jm_table_add_columns().
 *
 * Returns: (transfer full): the table; %NULL where partitions have no such quantity,
 *   with %JM_ERROR_INVALID
 * Since: 0.1
 */
JmTable *
jm_table_new_of_partitions (const char *columns, GError **error)
{
  g_return_val_if_fail (columns != NULL, NULL);

  return jm_table_new (&partition_type, columns, error);
}

/**
 * jm_table_add_subject:
 * @self: a table of jobs or partitions
 * @snapshot: a snapshot
 * @subject: a job, step or task of it, or a partition
 *
 * Adds a row.
 *
 * Since: 0.1
 */
void
jm_table_add_subject (JmTable *self, JmSnapshot *snapshot, guint subject)
{
  const SubjectRow row = { snapshot, subject };

  g_return_if_fail (JM_IS_TABLE (self));
  g_return_if_fail (jm_table_get_row_type (self) == &job_type ||
                    jm_table_get_row_type (self) == &partition_type);
  g_return_if_fail (snapshot != NULL);
  g_return_if_fail (subject < jm_snapshot_get_n_subjects (snapshot));

  jm_table_add (self, &row);
}

/* --- records of a ledger --- */

static GArray *
list_record_columns (void)
{
  g_autoptr (GArray) fields = jm_record_field_list ();
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (JmRowColumn));

  for (guint i = 0; i < fields->len; i++)
    add_column (columns, g_array_index (fields, JmRecordField, i).quantity,
                g_array_index (fields, JmRecordField, i).field);

  return columns;
}

static JmFigure
get_record_figure (const JmRowColumn *column, gconstpointer row)
{
  const JmRecordField field = { column->quantity, column->field };

  return jm_record_field_get_figure (&field, (JmJobRecord *) row);
}

static char *
get_record_text (const JmRowColumn *column, gconstpointer row)
{
  const JmRecordField field = { column->quantity, column->field };

  return jm_record_field_to_string (&field, (JmJobRecord *) row);
}

static char *
format_record_text (const JmRowColumn *column, gconstpointer row)
{
  const JmRecordField field = { column->quantity, column->field };

  return jm_record_field_format (&field, (JmJobRecord *) row);
}

static const JmRowType record_type = { list_record_columns, get_record_figure,
                                       get_record_text, format_record_text };

/**
 * jm_table_new_of_records:
 * @columns: names of quantities, with commas between them
 * @error: return location for an error
 *
 * Makes a table of a ledger's records, without rows: see jm_table_add_record() and
 * jm_table_add_columns().
 *
 * Returns: (transfer full): the table; %NULL where records have no such quantity, with
 *   %JM_ERROR_INVALID
 * Since: 0.1
 */
JmTable *
jm_table_new_of_records (const char *columns, GError **error)
{
  g_return_val_if_fail (columns != NULL, NULL);

  return jm_table_new (&record_type, columns, error);
}

/**
 * jm_table_add_record:
 * @self: a table of records
 * @record: a record
 *
 * Adds a row.
 *
 * Since: 0.1
 */
void
jm_table_add_record (JmTable *self, JmJobRecord *record)
{
  g_return_if_fail (JM_IS_TABLE (self));
  g_return_if_fail (jm_table_get_row_type (self) == &record_type);
  g_return_if_fail (record != NULL);

  jm_table_add (self, record);
}

/* --- runs of an archive --- */

typedef struct
{
  JmRun *run;
  JmRunReport *report;
  JmRunVerdict *verdict;
} RunRow;

/* What the archive keeps or has an expression for, then what only the records of nodes
 * have. */
static GArray *
list_run_columns (void)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (JmRowColumn));
  g_autoptr (GPtrArray) of_runs = jm_quantity_list_of_runs ();
  guint n_kept;
  const JmRunColumn *kept = jm_run_column_get_all (&n_kept);

  for (guint i = 0; i < n_kept; i++)
    add_column (columns, jm_quantity_get (kept[i].quantity), &kept[i]);
  for (guint i = 0; i < of_runs->len; i++)
    if (jm_run_column_from_name (((JmQuantity *) of_runs->pdata[i])->name) == NULL)
      add_column (columns, of_runs->pdata[i], NULL);

  return columns;
}

static JmFigure
get_run_figure (const JmRowColumn *column, gconstpointer row)
{
  const RunRow *run = row;
  const JmQuantityId id = jm_quantity_get_id (column->quantity);
  const JmFigure figure = jm_run_report_find_figure (run->report, run->run, id);

  if (id == JM_QUANTITY_ELAPSED && !figure.is_known)
    return jm_run_get_elapsed (run->run, g_get_real_time () / G_USEC_PER_SEC);

  return figure;
}

/* The archive's own, once it has judged the run: filters go by that. */
static const char *
get_verdict (const RunRow *row)
{
  gint64 rules;

  return row->verdict == NULL ||
             jm_run_get_number (row->run, JM_RUN_FIELD_VERDICT_RULES, &rules)
           ? jm_run_peek_text (row->run, JM_RUN_FIELD_VERDICT)
           : jm_run_verdict_get_title (row->verdict);
}

static char *
get_run_text (const JmRowColumn *column, gconstpointer row)
{
  const RunRow *run = row;
  const JmRunColumn *kept = column->field;

  if (kept == NULL)
    return NULL;
  if (kept->field == JM_RUN_FIELD_VERDICT)
    return g_strdup (get_verdict (run));
  if (kept->field == JM_RUN_FIELD_REASON)
    return g_strdup (jm_run_derived_get_reason (run->run));

  return kept->field < JM_N_RUN_FIELDS && !jm_run_field_holds_text (kept->field)
           ? jm_run_document_format (run->run, kept->field)
           : g_strdup (jm_run_derived_get_text (run->run, kept));
}

static const JmRowType run_type = { list_run_columns, get_run_figure, get_run_text,
                                    NULL };

/**
 * jm_table_new_of_runs:
 * @columns: names of quantities, with commas between them
 * @error: return location for an error
 *
 * Makes a table of runs, without rows: see jm_table_add_run() and
 * jm_table_add_columns().
 *
 * Returns: (transfer full): the table; %NULL where runs have no such quantity, with
 *   %JM_ERROR_INVALID
 * Since: 0.1
 */
JmTable *
jm_table_new_of_runs (const char *columns, GError **error)
{
  g_return_val_if_fail (columns != NULL, NULL);

  return jm_table_new (&run_type, columns, error);
}

/**
 * jm_table_add_run:
 * @self: a table of runs
 * @run: a run
 * @report: (nullable): its report, for figures that the archive does not keep
 * @verdict: (nullable): its verdict, where the archive has not judged it
 *
 * Adds a row.
 *
 * Since: 0.1
 */
void
jm_table_add_run (JmTable *self, JmRun *run, JmRunReport *report, JmRunVerdict *verdict)
{
  const RunRow row = { run, report, verdict };

  g_return_if_fail (JM_IS_TABLE (self));
  g_return_if_fail (jm_table_get_row_type (self) == &run_type);
  g_return_if_fail (run != NULL);

  jm_table_add (self, &row);
}
