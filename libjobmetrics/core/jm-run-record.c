/* jm-run-record.c: a node's record as a site has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-record-private.h"

#include <math.h>

#include "core/jm-job-record-private.h"
#include "core/jm-record-field-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "core/jm-snapshot-private.h"

#define NS_OF_US 1000
#define MILLION 1e6

static const struct
{
  JmJobField field;
  JmRunField kept;
} kept_fields[] = {
  { JM_JOB_FIELD_ARRAY_JOB_ID, JM_RUN_FIELD_ARRAY_JOBID },
  { JM_JOB_FIELD_ARRAY_TASK_ID, JM_RUN_FIELD_ARRAY_TASKID },
  { JM_JOB_FIELD_HET_JOB_ID, JM_RUN_FIELD_HET_JOBID },
  { JM_JOB_FIELD_HET_JOB_OFFSET, JM_RUN_FIELD_HET_OFFSET },
  { JM_JOB_FIELD_USER, JM_RUN_FIELD_USER },
  { JM_JOB_FIELD_ACCOUNT, JM_RUN_FIELD_ACCOUNT },
  { JM_JOB_FIELD_PARTITION, JM_RUN_FIELD_PARTITION },
  { JM_JOB_FIELD_QOS, JM_RUN_FIELD_QOS },
  { JM_JOB_FIELD_NAME, JM_RUN_FIELD_NAME },
  { JM_JOB_FIELD_UID, JM_RUN_FIELD_UID },
  { JM_JOB_FIELD_SUBMIT_TIME, JM_RUN_FIELD_SUBMIT_TIME },
  { JM_JOB_FIELD_START_TIME, JM_RUN_FIELD_START_TIME },
  { JM_JOB_FIELD_NODES, JM_RUN_FIELD_NODES },
};

const char *
jm_run_record_get_node (JmJobRecord *record)
{
  const char *node = jm_job_record_get_node (record);

  return node != NULL ? node : "";
}

static void
keep_field (JmRun *run, JmRunField field, const char *text)
{
  gint64 number;

  if (text == NULL)
    return;
  if (jm_run_field_holds_text (field))
    jm_run_keep_text (run, field, text);
  else if (g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &number, NULL))
    jm_run_keep_number (run, field, number);
}

/* `12_3` and `12+1`, as users see them. */
static void
keep_job_id (JmRun *run)
{
  static const struct
  {
    JmRunField job, part;
    char sign;
  } forms[] = { { JM_RUN_FIELD_ARRAY_JOBID, JM_RUN_FIELD_ARRAY_TASKID, '_' },
                { JM_RUN_FIELD_HET_JOBID, JM_RUN_FIELD_HET_OFFSET, '+' } };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      const char *job = jm_run_peek_text (run, forms[i].job);
      const char *part = jm_run_peek_text (run, forms[i].part);

      if (job != NULL && part != NULL)
        {
          g_autofree char *id = g_strdup_printf ("%s%c%s", job, forms[i].sign, part);

          jm_run_keep_text (run, JM_RUN_FIELD_JOBID, id);
        }
    }
}

/* A node's clock may be wrong by years, and costs the time that it gave alone. */
static void
keep_seen_time (JmRun *run, JmJobRecord *record)
{
  gint64 seen = jm_job_record_get_seen_time (record) / G_USEC_PER_SEC;
  gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);

  if (start == 0 || seen - start <= JM_RUN_LENGTH_MAX)
    jm_run_keep_number (run, JM_RUN_FIELD_SEEN_TIME, seen);
}

/* What was used until now is divided by the time until now, whoever else knows how long
 * the run has lasted since. */
static void
keep_elapsed (JmRun *run, JmJobRecord *record)
{
  JmRecordField field = { jm_quantity_get (JM_QUANTITY_ELAPSED), NULL };
  const JmFigure elapsed = jm_record_field_get_figure (&field, record);

  if (elapsed.is_known && jm_job_record_get_state (record) == JM_RUN_STATE_RUNNING)
    jm_run_keep_number (run, JM_RUN_FIELD_ELAPSED, (gint64) elapsed.value);
}

JmRun *
jm_run_record_to_run (JmJobRecord *record, const char *cluster)
{
  static const char *const states[JM_N_RUN_STATES] = { "RUNNING", "ENDED", "LOST" };
  JmJob *job = jm_job_record_get_job (record);
  const char *own = jm_job_get_field (job, JM_JOB_FIELD_CLUSTER);
  const char *id = jm_job_get_field (job, JM_JOB_FIELD_ID);
  JmRun *run = jm_run_new (own != NULL       ? own
                           : cluster != NULL ? cluster
                                             : "",
                           id != NULL ? id : "");

  jm_run_set_scheduler (run, jm_job_get_field (job, JM_JOB_FIELD_SCHEDULER));
  for (guint i = 0; i < G_N_ELEMENTS (kept_fields); i++)
    keep_field (run, kept_fields[i].kept, jm_job_get_field (job, kept_fields[i].field));
  keep_job_id (run);
  if (!jm_job_is_uuid_weak (job))
    jm_run_keep_text (run, JM_RUN_FIELD_UUID, jm_job_get_uuid (job));
  keep_seen_time (run, record);
  keep_elapsed (run, record);
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, states[jm_job_record_get_state (record)]);

  return run;
}

/* --- parts --- */

static JmRunPart *
add_part (GPtrArray *parts, JmRunPartKind kind, JmJobRecord *record)
{
  JmRunPart *part = jm_run_part_new (kind);

  jm_run_part_set_text (part, JM_QUANTITY_NODE, jm_run_record_get_node (record));
  jm_run_part_set_text (part, JM_QUANTITY_KEY, jm_job_record_get_key (record));
  g_ptr_array_add (parts, part);

  return part;
}

static gint64
to_number (guint64 value)
{
  return value <= G_MAXINT64 ? (gint64) value : -1;
}

/* Those of several labels are added up. */
static void
add_amount (JmRunPart *part, JmQuantityId quantity, guint64 value)
{
  gint64 before = MAX (jm_run_part_peek (part, quantity), 0);

  jm_run_part_set_number (part, quantity, to_number (value + (guint64) before));
}

/* Where a part keeps it under another name than the record. */
static JmQuantityId
get_kept (JmMetric metric)
{
  switch (metric)
    {
    case JM_METRIC_ALLOCATED_GPUS:
      return JM_QUANTITY_GPUS_ALLOCATED;
    case JM_METRIC_GPU_ENERGY:
      return JM_QUANTITY_ENERGY;
    default:
      return (JmQuantityId) metric;
    }
}

/* Columns count time in microseconds, all else in the unit of the reading. */
static void
take_reading (JmRunPart *part, const JmReading *reading)
{
  const JmMetricInfo *info = jm_metric_get_info (reading->metric);
  guint64 value =
    info->unit == JM_UNIT_NANOSECONDS ? reading->value / NS_OF_US : reading->value;
  const JmQuantityId quantity = get_kept (reading->metric);

  if (!jm_run_part_kind_has (part->kind, quantity))
    return;
  if (info->n_labels > 0)
    add_amount (part, quantity, value);
  else
    jm_run_part_set_number (part, quantity, to_number (value));
}

static void
take_readings (JmRunPart *part, JmSnapshot *snapshot, guint subject)
{
  guint n_readings;
  const JmReading *readings =
    jm_snapshot_get_readings_of (snapshot, subject, &n_readings);

  for (guint i = 0; i < n_readings; i++)
    take_reading (part, &readings[i]);
}

static void
set_label (JmRunPart *part, JmQuantityId quantity, JmLabels *labels, guint i)
{
  if (i < jm_labels_get_size (labels))
    jm_run_part_set_text (part, quantity, jm_labels_get_value (labels, i));
}

/* In the order of the labels of JM_METRIC_EMISSIONS_BY_FACTOR. */
static const JmQuantityId factor_labels[] = {
  JM_QUANTITY_EMISSION_PROVIDER, JM_QUANTITY_EMISSION_ZONE,
  JM_QUANTITY_EMISSION_METHOD,   JM_QUANTITY_EMISSION_SCOPE,
  JM_QUANTITY_EMISSION_QUALITY,  JM_QUANTITY_ENERGY_QUALITY,
};

static void
add_energy (GPtrArray *parts, JmJobRecord *record, const JmReading *reading)
{
  JmRunPart *part;

  if (reading->labels == NULL || (reading->metric != JM_METRIC_ENERGY &&
                                  reading->metric != JM_METRIC_EMISSIONS_BY_FACTOR))
    return;

  part = add_part (parts, JM_RUN_PART_KIND_ENERGY, record);
  if (reading->metric == JM_METRIC_ENERGY)
    {
      set_label (part, JM_QUANTITY_NAME, reading->labels, 0);
      set_label (part, JM_QUANTITY_ENERGY_QUALITY, reading->labels, 1);
      add_amount (part, JM_QUANTITY_ENERGY, reading->value);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (factor_labels); i++)
    set_label (part, factor_labels[i], reading->labels, i);
  add_amount (part, JM_QUANTITY_EMISSIONS, reading->value);
}

static void
add_energies (GPtrArray *parts, JmJobRecord *record, JmSnapshot *snapshot)
{
  guint n_readings;
  const JmReading *readings =
    jm_snapshot_get_readings_of (snapshot, JM_RECORD_SUBJECT, &n_readings);

  for (guint i = 0; i < n_readings; i++)
    add_energy (parts, record, &readings[i]);
}

/* Nothing where a record has no course of it. */
static void
take_mean (JmRunPart *part,
           JmQuantityId quantity,
           JmJobRecord *record,
           JmProfileSeries series)
{
  JmJobProfile *profile = jm_job_record_get_profile (record);
  const double mean =
    profile != NULL ? jm_job_profile_get_total (profile, series) : NAN;

  if (mean >= 0 && mean < 0x1p62)
    jm_run_part_set_number (part, quantity, (gint64) (mean + 0.5));
}

static void
add_node (GPtrArray *parts, JmJobRecord *record, JmSnapshot *snapshot)
{
  JmRunPart *part = add_part (parts, JM_RUN_PART_KIND_NODE, record);
  double coverage = jm_job_record_get_coverage (record, "life");

  jm_run_part_set_number (part, JM_QUANTITY_START_TIME,
                          jm_job_record_get_begin_time (record) / G_USEC_PER_SEC);
  if (jm_job_record_get_end_time (record) > 0)
    jm_run_part_set_number (part, JM_QUANTITY_END_TIME,
                            jm_job_record_get_end_time (record) / G_USEC_PER_SEC);
  if (coverage >= 0 && coverage <= 1)
    jm_run_part_set_number (part, JM_QUANTITY_LIFE_OBSERVED,
                            (gint64) (coverage * MILLION + 0.5));
  take_mean (part, JM_QUANTITY_MEMORY_MEAN, record, JM_PROFILE_SERIES_MEMORY);
  take_mean (part, JM_QUANTITY_GPU_MEMORY_MEAN, record, JM_PROFILE_SERIES_GPU_MEMORY);
  take_readings (part, snapshot, JM_RECORD_SUBJECT);
}

static void
add_step (GPtrArray *parts, JmJobRecord *record, JmSnapshot *snapshot, guint subject)
{
  JmRunPart *part = add_part (parts, JM_RUN_PART_KIND_STEP, record);

  jm_run_part_set_text (part, JM_QUANTITY_NAME,
                        jm_snapshot_get_step (snapshot, subject));
  take_readings (part, snapshot, subject);
}

static void
add_device (GPtrArray *parts, JmJobRecord *record, JmSnapshot *snapshot, guint subject)
{
  JmRunPart *part = add_part (parts, JM_RUN_PART_KIND_DEVICE, record);

  jm_run_part_set_text (part, JM_QUANTITY_NAME,
                        jm_snapshot_get_gpu (snapshot, subject));
  jm_run_part_set_text (part, JM_QUANTITY_UUID,
                        jm_snapshot_get_gpu_field (snapshot, subject,
                                                   JM_GPU_FIELD_UUID));
  jm_run_part_set_text (part, JM_QUANTITY_GPU_MODEL,
                        jm_snapshot_get_gpu_field (snapshot, subject,
                                                   JM_GPU_FIELD_MODEL));
  take_readings (part, snapshot, subject);
}

/* One that is too large is left out: its figures stand in the other parts. */
static void
add_record (GPtrArray *parts, JmJobRecord *record)
{
  JmRunPart *part = add_part (parts, JM_RUN_PART_KIND_RECORD, record);

  if (!jm_run_part_set_record (part, record))
    g_ptr_array_remove_index (parts, parts->len - 1);
}

GPtrArray *
jm_run_record_to_parts (JmJobRecord *record)
{
  GPtrArray *parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  JmSnapshot *snapshot = jm_job_record_get_snapshot (record);
  guint n_subjects;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n_subjects);

  add_node (parts, record, snapshot);
  add_energies (parts, record, snapshot);
  for (guint i = JM_RECORD_SUBJECT + 1; i < n_subjects; i++)
    if (subjects[i].kind == JM_SUBJECT_KIND_STEP)
      add_step (parts, record, snapshot, i);
    else if (subjects[i].kind == JM_SUBJECT_KIND_JOB_GPU)
      add_device (parts, record, snapshot, i);
  add_record (parts, record);

  return parts;
}

GPtrArray *
jm_run_record_unpack_all (JmRun *run)
{
  GPtrArray *parts = jm_run_get_parts (run, JM_RUN_PART_KIND_RECORD);
  GPtrArray *records =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);

  for (guint i = 0; i < parts->len; i++)
    {
      JmJobRecord *record = jm_run_part_get_record (parts->pdata[i], NULL);

      if (record != NULL)
        g_ptr_array_add (records, record);
    }

  return records;
}
