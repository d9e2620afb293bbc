/* jm-job-field.c: what is known about a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-field.h"

static const char *const field_names[JM_N_JOB_FIELDS] = {
  [JM_JOB_FIELD_CLUSTER] = "cluster",
  [JM_JOB_FIELD_SCHEDULER] = "scheduler",
  [JM_JOB_FIELD_ID] = "jobid",
  [JM_JOB_FIELD_UUID] = "uuid",
  [JM_JOB_FIELD_SLUID] = "sluid",
  [JM_JOB_FIELD_USER] = "user",
  [JM_JOB_FIELD_UID] = "uid",
  [JM_JOB_FIELD_ACCOUNT] = "account",
  [JM_JOB_FIELD_PARTITION] = "partition",
  [JM_JOB_FIELD_QOS] = "qos",
  [JM_JOB_FIELD_NAME] = "name",
  [JM_JOB_FIELD_ARRAY_JOB_ID] = "array_jobid",
  [JM_JOB_FIELD_ARRAY_TASK_ID] = "array_taskid",
  [JM_JOB_FIELD_HET_JOB_ID] = "het_jobid",
  [JM_JOB_FIELD_HET_JOB_OFFSET] = "het_offset",
  [JM_JOB_FIELD_NODES] = "nodes",
  [JM_JOB_FIELD_GPUS] = "gpus",
  [JM_JOB_FIELD_VISIBLE_GPUS] = "visible_gpus",
  [JM_JOB_FIELD_GPU_PERCENTAGE] = "gpu_percentage",
  [JM_JOB_FIELD_GPU_SHARDS] = "gpu_shards",
  [JM_JOB_FIELD_SUBMIT_TIME] = "submit_time",
  [JM_JOB_FIELD_START_TIME] = "start_time",
};

/**
 * jm_job_field_get_name:
 * @field: a field
 *
 * Gets the name by which labels, JSON and scheduler definitions call a field.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_job_field_get_name (JmJobField field)
{
  g_return_val_if_fail ((guint) field < JM_N_JOB_FIELDS, NULL);

  return field_names[field];
}

/**
 * jm_job_field_from_name:
 * @name: a name, such as `account`
 * @field: (out): the field
 *
 * Finds a field by its name.
 *
 * Returns: whether there is one of that name
 * Since: 0.1
 */
gboolean
jm_job_field_from_name (const char *name, JmJobField *field)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (field != NULL, FALSE);

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if (g_str_equal (field_names[i], name))
      {
        *field = i;
        return TRUE;
      }

  return FALSE;
}
