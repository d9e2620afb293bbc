/* jm-field-value.c: which values a job's fields may have
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-field-value-private.h"

#include <string.h>

#include "sources/jobs/jm-placeholder-private.h"

/**
 * jm_field_value_is_empty: (skip)
 * @value: a value as a scheduler wrote it
 *
 * Returns: whether it says nothing; Slurm writes `(null)` for what it does not know,
 *   and Grid Engine `undefined`
 */
gboolean
jm_field_value_is_empty (JmSlice value)
{
  return value.length == 0 || jm_slice_equal (value, "(null)") ||
         jm_slice_equal (value, "undefined");
}

/**
 * jm_field_value_is_none: (skip)
 * @field: a field
 * @value: a value as a scheduler wrote it
 *
 * Returns: whether @value says that there is nothing: as jm_field_value_is_empty(), or
 *   of devices what schedulers write where a job has none, as HTCondor does `10000`
 */
gboolean
jm_field_value_is_none (JmJobField field, JmSlice value)
{
  static const char *const no_device[] = { "10000", "-1", "NoDevFiles", "none",
                                           "void" };

  if (field == JM_JOB_FIELD_GPUS || field == JM_JOB_FIELD_VISIBLE_GPUS)
    for (guint i = 0; i < G_N_ELEMENTS (no_device); i++)
      if (jm_slice_equal (value, no_device[i]))
        return TRUE;

  return jm_field_value_is_empty (value);
}

/**
 * jm_field_value_cut: (skip)
 * @field: a field
 * @value: a value as a scheduler wrote it
 *
 * Slurm writes how many CPUs a job has by node, as in `4(x2)` or `4(x2),3`. Which of
 * several counts is this node's is not known.
 *
 * Returns: the part of @value that is this node's; of length 0 where that is not known
 */
JmSlice
jm_field_value_cut (JmJobField field, JmSlice value)
{
  const char *bracket;

  if (field != JM_JOB_FIELD_CPUS_GRANTED || value.length == 0)
    return value;

  bracket = memchr (value.text, '(', value.length);
  if (memchr (value.text, ',', value.length) != NULL)
    value.length = 0;
  else if (bracket != NULL && value.text[value.length - 1] == ')')
    value.length = (gsize) (bracket - value.text);

  return value;
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
      return jm_placeholder_check ('J', value);
    case JM_JOB_FIELD_ARRAY_JOB_ID:
    case JM_JOB_FIELD_HET_JOB_ID:
    case JM_JOB_FIELD_SUBMIT_TIME:
    case JM_JOB_FIELD_START_TIME:
      return jm_placeholder_check ('j', value);
    case JM_JOB_FIELD_CPUS_GRANTED:
      return jm_placeholder_check ('b', value);
    case JM_JOB_FIELD_ARRAY_TASK_ID:
    case JM_JOB_FIELD_HET_JOB_OFFSET:
    case JM_JOB_FIELD_NODES:
      return jm_placeholder_check ('t', value);
    case JM_JOB_FIELD_UID:
      return jm_placeholder_check ('u', value);
    case JM_JOB_FIELD_SLUID:
      return jm_placeholder_check ('S', value);
    default:
      return TRUE;
    }
}
