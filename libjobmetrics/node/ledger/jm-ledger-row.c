/* jm-ledger-row.c: a record as the tables of a ledger have it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-row-private.h"

#include "core/jm-job-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-ledger-content-private.h"
#include "core/jm-snapshot-private.h"

/* The rest is one column for each field of the job. */
static const struct
{
  JmLedgerColumn column;
  JmJobField field;
} plain_columns[] = {
  { JM_LEDGER_COLUMN_JOB, JM_JOB_FIELD_ID },
  { JM_LEDGER_COLUMN_UUID, JM_JOB_FIELD_UUID },
  { JM_LEDGER_COLUMN_SLUID, JM_JOB_FIELD_SLUID },
  { JM_LEDGER_COLUMN_USER, JM_JOB_FIELD_USER },
  { JM_LEDGER_COLUMN_ACCOUNT, JM_JOB_FIELD_ACCOUNT },
  { JM_LEDGER_COLUMN_SCHEDULER, JM_JOB_FIELD_SCHEDULER },
  { JM_LEDGER_COLUMN_CLUSTER, JM_JOB_FIELD_CLUSTER },
};

static char *
join_fields (JmJob *job, JmJobField major, const char *separator, JmJobField minor)
{
  const char *first = jm_job_get_field (job, major);
  const char *second = jm_job_get_field (job, minor);

  return first != NULL && second != NULL ? g_strconcat (first, separator, second, NULL)
                                         : NULL;
}

static void
take_names (JmLedgerRow *self, JmJob *job)
{
  for (guint i = 0; i < G_N_ELEMENTS (plain_columns); i++)
    self->texts[plain_columns[i].column] =
      g_strdup (jm_job_get_field (job, plain_columns[i].field));
  self->texts[JM_LEDGER_COLUMN_ARRAY_JOB] =
    join_fields (job, JM_JOB_FIELD_ARRAY_JOB_ID, "_", JM_JOB_FIELD_ARRAY_TASK_ID);
  self->texts[JM_LEDGER_COLUMN_HET_JOB] =
    join_fields (job, JM_JOB_FIELD_HET_JOB_ID, "+", JM_JOB_FIELD_HET_JOB_OFFSET);
  self->texts[JM_LEDGER_COLUMN_ALIAS] = g_strdup (job->alias);
}

static void
take_uid (JmLedgerRow *self, JmJob *job)
{
  const char *text = jm_job_get_field (job, JM_JOB_FIELD_UID);
  guint64 uid;

  self->has_uid =
    text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &uid, NULL);
  if (self->has_uid)
    self->uid = (guint) uid;
}

/* Of its labels, the last says how a figure was got. */
static guint
get_quality (const JmReading *reading)
{
  guint last = jm_metric_get_info (reading->metric)->n_labels - 1;

  return g_str_equal (jm_labels_get_value (reading->labels, last), JM_QUALITY_MEASURED)
           ? 0
           : 1;
}

static void
add_to_total (JmLedgerTotal *total, const JmReading *reading)
{
  if (reading->labels == NULL && reading->metric != JM_METRIC_CPU_TOTAL)
    return;

  switch (reading->metric)
    {
    case JM_METRIC_CPU_TOTAL:
      total->cpu_ns += reading->value;
      break;
    case JM_METRIC_ENERGY:
      total->energy_uj[get_quality (reading)] += reading->value;
      break;
    case JM_METRIC_EMISSIONS:
      total->emissions_ug[get_quality (reading)] += (double) reading->value;
      break;
    default:
      break;
    }
}

static void
take_total (JmLedgerRow *self, JmJobRecord *record)
{
  const char *user = self->texts[JM_LEDGER_COLUMN_USER];
  const char *account = self->texts[JM_LEDGER_COLUMN_ACCOUNT];
  guint n_readings;
  const JmReading *readings =
    jm_snapshot_get_readings_of (jm_job_record_get_snapshot (record), JM_RECORD_SUBJECT,
                                 &n_readings);

  self->total.user = user != NULL ? user : "";
  self->total.account = account != NULL ? account : "";
  self->total.n_jobs = 1;
  for (guint i = 0; i < n_readings; i++)
    add_to_total (&self->total, &readings[i]);
}

JmLedgerRow *
jm_ledger_row_new (JmJobRecord *record)
{
  JmLedgerRow *self = g_new0 (JmLedgerRow, 1);
  JmJob *job = jm_job_record_get_job (record);

  self->texts[JM_LEDGER_COLUMN_KEY] = g_strdup (jm_job_record_get_key (record));
  take_names (self, job);
  take_uid (self, job);
  take_total (self, record);
  self->state = jm_job_record_get_state (record);
  self->begin_us = jm_job_record_get_begin_time (record);
  self->end_us = jm_job_record_get_end_time (record);
  /* Where nobody saw its end, it is as old as what is known of it. */
  if (self->end_us == 0 && self->state != JM_RUN_STATE_RUNNING)
    self->end_us = jm_job_record_get_seen_time (record);
  self->record = jm_job_record_ref (record);

  return self;
}

void
jm_ledger_row_drop (JmLedgerRow *self)
{
  g_clear_pointer (&self->record, jm_job_record_unref);
  g_clear_pointer (&self->content, g_bytes_unref);
}

void
jm_ledger_row_free (JmLedgerRow *self)
{
  jm_ledger_row_drop (self);
  for (guint i = 0; i < JM_LEDGER_N_COLUMNS; i++)
    g_free (self->texts[i]);
  g_free (self);
}

void
jm_ledger_row_pack (JmLedgerRow *self)
{
  g_autoptr (GError) error = NULL;

  if (self->record == NULL)
    return;

  self->content = jm_ledger_content_pack (self->record, &error);
  if (self->content == NULL)
    g_warning ("job %s: %s; its record is dropped", self->texts[JM_LEDGER_COLUMN_JOB],
               error->message);
  g_clear_pointer (&self->record, jm_job_record_unref);
}

gboolean
jm_ledger_row_is_whole (const JmLedgerRow *self)
{
  return self->record != NULL || self->content != NULL;
}

void
jm_ledger_row_bind (const JmLedgerRow *self, sqlite3_stmt *statement)
{
  int number = 0;

  for (guint i = 0; i < JM_LEDGER_N_COLUMNS; i++)
    jm_sqlite_bind_text (statement, ++number, self->texts[i]);
  number++;
  if (self->has_uid)
    sqlite3_bind_int64 (statement, number, self->uid);
  sqlite3_bind_int (statement, ++number, (int) self->state);
  sqlite3_bind_int64 (statement, ++number, self->begin_us);
  sqlite3_bind_int64 (statement, ++number, self->end_us);
  jm_sqlite_bind_bytes (statement, ++number, self->content);
}
