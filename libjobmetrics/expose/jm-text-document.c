/* jm-text-document.c: one document of figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-text-document-private.h"

#include "core/jm-snapshot-private.h"
#include "expose/jm-family-private.h"
#include "expose/jm-job-fields-private.h"

#define NO_SUBJECT G_MAXUINT

/* One call of jm_text_document_write(). */
typedef struct
{
  JmTextWorkspace *workspace;
  JmSnapshot *snapshot;
  const JmCollectorSet *collectors;
  JmTextWriter *writer;
} Document;

static gboolean
is_wanted (Document *self, const JmReading *reading, guint *bucket)
{
  const JmSubjectLabels *labels =
    jm_subject_labels_table_get (&self->workspace->table, reading->subject);
  const JmMetricInfo *info = jm_metric_get_info (reading->metric);

  *bucket = JM_BUCKET (labels->subject.kind, reading->metric);

  if (labels->subject.end_time != 0 && jm_metric_ends_with_job (reading->metric))
    return FALSE;

  return !labels->is_hidden && self->workspace->selection->names[*bucket] != NULL &&
         jm_collector_set_has (self->collectors, info->collector);
}

/* A counting sort: readings come by subject, families are written by metric. */
static void
sort_readings (Document *self)
{
  JmReadingBuckets *buckets = &self->workspace->buckets;
  guint *first = buckets->first;
  guint n, bucket;
  const JmReading *readings = jm_snapshot_get_readings (self->snapshot, &n);

  for (guint i = 0; i <= JM_N_BUCKETS; i++)
    first[i] = 0;
  for (guint i = 0; i < n; i++)
    if (is_wanted (self, &readings[i], &bucket))
      first[bucket + 1]++;
  for (guint i = 0; i < JM_N_BUCKETS; i++)
    first[i + 1] += first[i];

  g_array_set_size (buckets->order, first[JM_N_BUCKETS]);
  for (guint i = 0; i < n; i++)
    if (is_wanted (self, &readings[i], &bucket))
      g_array_index (buckets->order, guint, first[bucket]++) = i;

  /* Each first has moved to where the next one was. */
  for (guint i = JM_N_BUCKETS; i > 0; i--)
    first[i] = first[i - 1];
  first[0] = 0;
}

/* Decimals are written digit by digit: only what has none is divided. */
static void
write_value (JmTextWriter *writer, const JmMetricInfo *info, guint64 value)
{
  const JmUnitInfo *unit = jm_unit_get_info (info->unit);

  if (unit->n_decimals >= 0)
    jm_text_writer_end_with_decimal (writer, value, (guint) unit->n_decimals);
  else
    jm_text_writer_end_with_double (writer, jm_unit_to_base (info->unit, value));
}

static void
add_labels (JmTextWriter *writer, const JmMetricInfo *info, JmLabels *labels)
{
  for (guint i = 0; i < info->n_labels; i++)
    jm_text_writer_add_label (writer, info->labels[i], jm_labels_get_value (labels, i));
}

static void
write_reading (Document *self, const JmMetricInfo *info, const JmReading *reading)
{
  JmTextWriter *writer = self->writer;
  const JmSubjectLabels *subject =
    jm_subject_labels_table_get (&self->workspace->table, reading->subject);

  jm_text_writer_begin_sample (writer);
  jm_text_writer_add_rendered_labels (writer, subject->labels);
  add_labels (writer, info, reading->labels);
  write_value (writer, info, reading->value);
}

/* Of several figures that would be one series the first is written, which is the one
 * that jm_snapshot_get_value() finds. */
static void
write_bucket (Document *self, const JmMetricInfo *info, guint bucket)
{
  JmReadingBuckets *buckets = &self->workspace->buckets;
  guint n;
  const JmReading *readings = jm_snapshot_get_readings (self->snapshot, &n);
  guint subject = NO_SUBJECT;

  for (guint i = buckets->first[bucket]; i < buckets->first[bucket + 1]; i++)
    {
      const JmReading *reading = &readings[g_array_index (buckets->order, guint, i)];

      gboolean is_first = reading->subject != subject;

      if (is_first)
        jm_series_set_empty (&self->workspace->series);
      subject = reading->subject;

      if (info->n_labels > 0)
        is_first = jm_series_set_add (&self->workspace->series, reading->labels);
      if (is_first)
        write_reading (self, info, reading);
    }
}

static void
write_metrics (Document *self)
{
  const guint *first = self->workspace->buckets.first;

  for (guint bucket = 0; bucket < JM_N_BUCKETS; bucket++)
    {
      const JmMetricInfo *info = jm_metric_get_info (bucket % JM_N_METRICS);

      if (first[bucket] == first[bucket + 1])
        continue;

      jm_text_writer_begin_family (self->writer,
                                   info->kind == JM_METRIC_KIND_COUNTER
                                     ? JM_FAMILY_KIND_COUNTER
                                     : JM_FAMILY_KIND_GAUGE,
                                   self->workspace->selection->names[bucket],
                                   info->help);
      write_bucket (self, info, bucket);
    }
}

/* Begins a family that is not in the metric table, if it is exported. */
static gboolean
begin_family (Document *self, JmFamily family)
{
  const JmFamilyInfo *info = jm_family_get_info (family);

  if (!jm_metric_selection_has_name (self->workspace->selection, info->name))
    return FALSE;

  jm_text_writer_begin_family (self->writer, info->kind, info->name, info->help);

  return TRUE;
}

static void
write_plain (Document *self, JmFamily family, gint64 value, guint n_decimals)
{
  if (value < 0 || !begin_family (self, family))
    return;

  jm_text_writer_begin_sample (self->writer);
  jm_text_writer_end_with_decimal (self->writer, value, n_decimals);
}

static void
write_sweep (Document *self)
{
  write_plain (self, JM_FAMILY_SWEEP_TIME, jm_snapshot_get_time (self->snapshot), 6);
  write_plain (self, JM_FAMILY_SWEEP_DURATION,
               jm_snapshot_get_duration (self->snapshot), 9);
}

/* What there is to say of a collector in a family: a number of 10^-@n_decimals. */
static gint64
get_collector_value (JmFamily family,
                     JmSnapshot *snapshot,
                     JmCollector collector,
                     guint *n_decimals)
{
  *n_decimals = 0;
  switch (family)
    {
    case JM_FAMILY_COLLECTOR_SUCCESS:
      return !jm_snapshot_has_failed (snapshot, collector);
    case JM_FAMILY_COLLECTOR_DENIED:
      return jm_snapshot_get_n_denied (snapshot, collector) > 0;
    case JM_FAMILY_COLLECTOR_DURATION:
    default:
      *n_decimals = 9;
      return jm_snapshot_get_collector_duration (snapshot, collector);
    }
}

static void
write_collector (Document *self, JmFamily family, JmCollector collector)
{
  JmTextWriter *writer = self->writer;
  guint n_decimals;
  gint64 value = get_collector_value (family, self->snapshot, collector, &n_decimals);

  jm_text_writer_begin_sample (writer);
  jm_text_writer_add_label (writer, "collector", jm_collector_get_name (collector));
  jm_text_writer_end_with_decimal (writer, value, n_decimals);
}

static void
write_collectors (Document *self)
{
  JmCollectorSet shown = { { 0 } };

  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    if (jm_snapshot_is_collected (self->snapshot, i) &&
        jm_collector_set_has (self->collectors, i))
      jm_collector_set_add (&shown, i);
  if (jm_collector_set_is_empty (&shown))
    return;

  for (JmFamily family = JM_FAMILY_COLLECTOR_SUCCESS;
       family <= JM_FAMILY_COLLECTOR_DURATION; family++)
    {
      if (!begin_family (self, family))
        continue;
      for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
        if (jm_collector_set_has (&shown, i))
          write_collector (self, family, i);
    }
}

static const JmSubjectLabels *
get_shown_job (Document *self, guint subject)
{
  const JmSubjectLabels *labels =
    jm_subject_labels_table_get (&self->workspace->table, subject);

  if (labels->subject.kind != JM_SUBJECT_KIND_JOB || labels->is_hidden)
    return NULL;

  return labels;
}

static void
write_job_count (Document *self)
{
  JmTextWriter *writer = self->writer;
  guint n_running = 0, n_ended = 0;

  if (!begin_family (self, JM_FAMILY_JOBS))
    return;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (self->snapshot); i++)
    {
      const JmSubjectLabels *job = get_shown_job (self, i);

      if (job == NULL)
        continue;
      if (job->subject.end_time == 0)
        n_running++;
      else
        n_ended++;
    }

  jm_text_writer_begin_sample (writer);
  jm_text_writer_add_label (writer, "state", "running");
  jm_text_writer_end_with_uint64 (writer, n_running);
  jm_text_writer_begin_sample (writer);
  jm_text_writer_add_label (writer, "state", "ended");
  jm_text_writer_end_with_uint64 (writer, n_ended);
}

/* What there is to say of a job in a family: a number of 10^-@n_decimals, 0 for nothing
 * is known. */
static gint64
get_job_value (const Document *self,
               JmFamily family,
               const JmSubjectLabels *job,
               guint *n_decimals)
{
  *n_decimals = 0;
  switch (family)
    {
    case JM_FAMILY_JOB_INFO:
      return !self->workspace->is_decided_only || jm_job_is_decided (job->subject.job);
    case JM_FAMILY_JOB_START_TIME:
      return jm_job_get_start_time (job->subject.job);
    case JM_FAMILY_JOB_END_TIME:
      *n_decimals = 6;
      return job->subject.end_time;
    default:
      return 0;
    }
}

static void
write_jobs (Document *self, JmFamily family)
{
  JmTextWriter *writer = self->writer;
  gboolean has_begun = FALSE;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (self->snapshot); i++)
    {
      const JmSubjectLabels *job = get_shown_job (self, i);
      guint n_decimals;
      gint64 value;

      if (job == NULL)
        continue;
      value = get_job_value (self, family, job, &n_decimals);
      if (value <= 0)
        continue;
      if (!has_begun && !begin_family (self, family))
        return;

      has_begun = TRUE;
      jm_text_writer_begin_sample (writer);
      jm_text_writer_add_rendered_labels (writer, family == JM_FAMILY_JOB_INFO
                                                    ? job->info
                                                    : job->labels);
      jm_text_writer_end_with_decimal (writer, value, n_decimals);
    }
}

static void
write_origins_of (Document *self, const JmSubjectLabels *job)
{
  for (JmOrigin i = JM_ORIGIN_PATH; i < JM_N_ORIGINS; i++)
    {
      guint n_fields = jm_job_count_fields (job->subject.job, i);

      if (n_fields == 0)
        continue;

      jm_text_writer_begin_sample (self->writer);
      jm_text_writer_add_rendered_labels (self->writer, job->labels);
      jm_text_writer_add_label (self->writer, "origin", jm_origin_get_name (i));
      jm_text_writer_end_with_uint64 (self->writer, n_fields);
    }
}

static void
write_origins (Document *self)
{
  gboolean has_begun = FALSE;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (self->snapshot); i++)
    {
      const JmSubjectLabels *job = get_shown_job (self, i);

      if (job == NULL)
        continue;
      if (!has_begun && !begin_family (self, JM_FAMILY_JOB_FIELDS))
        return;

      has_begun = TRUE;
      write_origins_of (self, job);
    }
}

void
jm_text_workspace_init (JmTextWorkspace *self)
{
  self->selection = jm_metric_selection_new (NULL, NULL);
  jm_subject_labels_table_init (&self->table, JM_JOB_FIELDS_OF_INFO);
  jm_series_set_init (&self->series);
  self->buckets.order = g_array_new (FALSE, FALSE, sizeof (guint));
}

void
jm_text_workspace_clear (JmTextWorkspace *self)
{
  g_clear_pointer (&self->selection, jm_metric_selection_unref);
  jm_subject_labels_table_clear (&self->table);
  jm_series_set_clear (&self->series);
  g_clear_pointer (&self->buckets.order, g_array_unref);
}

void
jm_text_document_write (JmTextWorkspace *workspace,
                        JmSnapshot *snapshot,
                        const JmCollectorSet *collectors,
                        JmTextWriter *writer)
{
  Document self = { workspace, snapshot, collectors, writer };

  sort_readings (&self);

  write_sweep (&self);
  write_collectors (&self);
  write_job_count (&self);
  write_jobs (&self, JM_FAMILY_JOB_INFO);
  write_origins (&self);
  write_jobs (&self, JM_FAMILY_JOB_START_TIME);
  write_jobs (&self, JM_FAMILY_JOB_END_TIME);
  write_metrics (&self);
}
