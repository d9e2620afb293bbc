/* jm-field-value.c: which values a job's fields may have
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-field-value-private.h"

#include "sources/jobs/jm-path-pattern-private.h"

/**
 * jm_field_value_is_empty: (skip)
 * @value: a value as a scheduler wrote it
 *
 * Returns: whether it says nothing; Slurm writes `(null)` for what it does not know
 */
gboolean
jm_field_value_is_empty (JmSlice value)
{
  return value.length == 0 || jm_slice_equal (value, "(null)");
}

/**
 * jm_field_value_check: (skip)
 * @field: a field
 * @value: a value as a scheduler wrote it
 *
 * Returns: whether @field may have that value
 */
gboolean
jm_field_value_check (JmJobField field, JmSlice value)
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
