/* jm-text-document.c: what is said of a node besides its figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-text-document-private.h"

#include "core/jm-snapshot-private.h"
#include "expose/jm-family-private.h"
#include "expose/jm-job-fields-private.h"

/* One call of jm_text_document_write(). */
typedef struct
{
  JmTextWorkspace *workspace;
  JmSnapshot *snapshot;
  const JmCollectorSet *collectors;
  JmTextWriter *writer;
  JmJob *only_job; /* NULL for all */
} Document;

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

  if (labels->subject.kind != JM_SUBJECT_KIND_JOB || labels->is_hidden ||
      (self->only_job != NULL && self->only_job != labels->subject.job))
    return NULL;

  return labels;
}

static void
write_job_count (Document *self)
{
  JmTextWriter *writer = self->writer;
  guint n_running = 0, n_ended = 0;
  guint node;

  /* A cluster has jobs of its own to count. */
  if (!jm_snapshot_look_up_kind (self->snapshot, JM_SUBJECT_KIND_NODE, &node) ||
      !begin_family (self, JM_FAMILY_JOBS))
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

static void
write_about_jobs (Document *self)
{
  write_jobs (self, JM_FAMILY_JOB_INFO);
  write_origins (self);
  write_jobs (self, JM_FAMILY_JOB_START_TIME);
  write_jobs (self, JM_FAMILY_JOB_END_TIME);
}

void
jm_text_workspace_init (JmTextWorkspace *self)
{
  self->selection = jm_metric_selection_new (NULL, NULL);
  jm_subject_labels_table_init (&self->table, JM_JOB_FIELDS_OF_INFO);
  jm_reading_buckets_init (&self->buckets);
}

void
jm_text_workspace_clear (JmTextWorkspace *self)
{
  g_clear_pointer (&self->selection, jm_metric_selection_unref);
  jm_subject_labels_table_clear (&self->table);
  jm_reading_buckets_clear (&self->buckets);
}

void
jm_text_document_write (JmTextWorkspace *workspace,
                        JmSnapshot *snapshot,
                        const JmCollectorSet *collectors,
                        JmTextWriter *writer)
{
  Document self = { workspace, snapshot, collectors, writer };

  write_sweep (&self);
  write_collectors (&self);
  write_job_count (&self);
  write_about_jobs (&self);
}

void
jm_text_document_write_job (JmTextWorkspace *workspace,
                            JmSnapshot *snapshot,
                            JmJob *job,
                            JmTextWriter *writer)
{
  Document self = { workspace, snapshot, jm_collector_set_get_all (), writer, job };

  write_about_jobs (&self);
}
