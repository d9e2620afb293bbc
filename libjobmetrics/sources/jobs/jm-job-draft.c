/* jm-job-draft.c: what is known of a job so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-job-draft-private.h"

#include "sources/jobs/jm-path-pattern-private.h"

/**
 * jm_job_draft_clear: (skip)
 * @self: a draft
 *
 * Forgets everything.
 */
void
jm_job_draft_clear (JmJobDraft *self)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    g_clear_pointer (&self->fields[i], g_free);
}

/**
 * jm_job_draft_set: (skip)
 * @self: a draft
 * @field: a field
 * @value: its new value
 */
void
jm_job_draft_set (JmJobDraft *self, JmJobField field, JmSlice value)
{
  g_free (self->fields[field]);
  self->fields[field] = g_strndup (value.text, value.length);
}

/**
 * jm_job_draft_set_string: (skip)
 * @self: a draft
 * @field: a field
 * @value: its new value
 */
void
jm_job_draft_set_string (JmJobDraft *self, JmJobField field, const char *value)
{
  jm_job_draft_set (self, field, (JmSlice){ value, strlen (value) });
}

/**
 * jm_job_field_is_empty: (skip)
 * @value: a value as a scheduler wrote it
 *
 * Returns: whether it says nothing; Slurm writes `(null)` for what it does not know
 */
gboolean
jm_job_field_is_empty (JmSlice value)
{
  return value.length == 0 || jm_slice_equal (value, "(null)");
}

/**
 * jm_job_field_check: (skip)
 * @field: a field
 * @value: a value as a scheduler wrote it
 *
 * Returns: whether @field may have that value
 */
gboolean
jm_job_field_check (JmJobField field, JmSlice value)
{
  switch (field)
    {
    case JM_JOB_FIELD_ID:
    case JM_JOB_FIELD_ARRAY_JOB_ID:
    case JM_JOB_FIELD_HET_JOB_ID:
    case JM_JOB_FIELD_SUBMIT_TIME:
    case JM_JOB_FIELD_START_TIME:
      return jm_path_field_check (JM_PATH_FIELD_JOB, value);
    case JM_JOB_FIELD_ARRAY_TASK_ID:
    case JM_JOB_FIELD_HET_JOB_OFFSET:
    case JM_JOB_FIELD_NODES:
      return jm_path_field_check (JM_PATH_FIELD_TASK, value);
    case JM_JOB_FIELD_UID:
      return jm_path_field_check (JM_PATH_FIELD_UID, value);
    case JM_JOB_FIELD_SLUID:
      return jm_path_field_check (JM_PATH_FIELD_SLUID, value);
    default:
      return TRUE;
    }
}
