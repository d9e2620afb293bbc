/* jm-job-field.c: what is known about a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"

#include "core/jm-quantity-private.h"

static const JmQuantityId quantities[JM_N_JOB_FIELDS] = {
  [JM_JOB_FIELD_CLUSTER] = JM_QUANTITY_CLUSTER,
  [JM_JOB_FIELD_SCHEDULER] = JM_QUANTITY_SCHEDULER,
  [JM_JOB_FIELD_ID] = JM_QUANTITY_JOBID,
  [JM_JOB_FIELD_UUID] = JM_QUANTITY_UUID,
  [JM_JOB_FIELD_SLUID] = JM_QUANTITY_SLUID,
  [JM_JOB_FIELD_USER] = JM_QUANTITY_USER,
  [JM_JOB_FIELD_UID] = JM_QUANTITY_UID,
  [JM_JOB_FIELD_ACCOUNT] = JM_QUANTITY_ACCOUNT,
  [JM_JOB_FIELD_PARTITION] = JM_QUANTITY_PARTITION,
  [JM_JOB_FIELD_QOS] = JM_QUANTITY_QOS,
  [JM_JOB_FIELD_NAME] = JM_QUANTITY_NAME,
  [JM_JOB_FIELD_ARRAY_JOB_ID] = JM_QUANTITY_ARRAY_JOBID,
  [JM_JOB_FIELD_ARRAY_TASK_ID] = JM_QUANTITY_ARRAY_TASKID,
  [JM_JOB_FIELD_HET_JOB_ID] = JM_QUANTITY_HET_JOBID,
  [JM_JOB_FIELD_HET_JOB_OFFSET] = JM_QUANTITY_HET_OFFSET,
  [JM_JOB_FIELD_NODES] = JM_QUANTITY_NODES,
  [JM_JOB_FIELD_CPUS_GRANTED] = JM_QUANTITY_CPUS_GRANTED,
  [JM_JOB_FIELD_GPUS] = JM_QUANTITY_GPUS,
  [JM_JOB_FIELD_VISIBLE_GPUS] = JM_QUANTITY_VISIBLE_GPUS,
  [JM_JOB_FIELD_GPU_PERCENTAGE] = JM_QUANTITY_GPU_PERCENTAGE,
  [JM_JOB_FIELD_GPU_SHARDS] = JM_QUANTITY_GPU_SHARDS,
  [JM_JOB_FIELD_SUBMIT_TIME] = JM_QUANTITY_SUBMIT_TIME,
  [JM_JOB_FIELD_START_TIME] = JM_QUANTITY_START_TIME,
};

/* Gets what a field is.
 *
 * Returns the quantity. */
const JmQuantity *
jm_job_field_get_quantity (JmJobField field)
{
  g_return_val_if_fail ((guint) field < JM_N_JOB_FIELDS, NULL);

  return jm_quantity_get (quantities[field]);
}

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

  return jm_quantity_get (quantities[field])->name;
}

/* Finds a field by its name.
 *
 * Returns whether there is one of that name. */
gboolean
jm_job_field_from_name (const char *name, JmJobField *field)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (field != NULL, FALSE);

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if (g_str_equal (jm_quantity_get (quantities[i])->name, name))
      {
        *field = i;
        return TRUE;
      }

  return FALSE;
}
