/* jm-job-field.h: what is known about a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-quantity.h"
#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmJobField:
 * @JM_JOB_FIELD_CLUSTER: name of the cluster
 * @JM_JOB_FIELD_SCHEDULER: name of the scheduler definition, such as `slurm`
 * @JM_JOB_FIELD_ID: the scheduler's job id
 * @JM_JOB_FIELD_UUID: jobmetrics' own id, unique for ever, RFC 4122 version 5
 * @JM_JOB_FIELD_SLUID: Slurm's own unique id (26.05 and later)
 * @JM_JOB_FIELD_USER: user name
 * @JM_JOB_FIELD_UID: numeric user id
 * @JM_JOB_FIELD_ACCOUNT: account that is charged
 * @JM_JOB_FIELD_PARTITION: partition or queue
 * @JM_JOB_FIELD_QOS: quality of service
 * @JM_JOB_FIELD_NAME: the job's name
 * @JM_JOB_FIELD_ARRAY_JOB_ID: id of the job array
 * @JM_JOB_FIELD_ARRAY_TASK_ID: index in the job array
 * @JM_JOB_FIELD_HET_JOB_ID: id of the heterogeneous job
 * @JM_JOB_FIELD_HET_JOB_OFFSET: component of the heterogeneous job
 * @JM_JOB_FIELD_NODES: how many nodes the job has
 * @JM_JOB_FIELD_GPUS: devices that the scheduler gave to the job on this node
 * @JM_JOB_FIELD_VISIBLE_GPUS: devices that the job's processes are to see, as they are
 *   told; numbers in it mean nothing outside of the job
 * @JM_JOB_FIELD_GPU_PERCENTAGE: how much of each of its devices the job was given,
 *   where it is not the whole, such as by MPS
 * @JM_JOB_FIELD_GPU_SHARDS: how many shards of devices the job was given on this node
 * @JM_JOB_FIELD_SUBMIT_TIME: seconds since 1970
 * @JM_JOB_FIELD_START_TIME: seconds since 1970
 *
 * What is known about a job. One table names the fields everywhere: in
 * `jobmetrics_job_info`, in JSON, in scheduler definitions.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_JOB_FIELD_CLUSTER,
  JM_JOB_FIELD_SCHEDULER,
  JM_JOB_FIELD_ID,
  JM_JOB_FIELD_UUID,
  JM_JOB_FIELD_SLUID,
  JM_JOB_FIELD_USER,
  JM_JOB_FIELD_UID,
  JM_JOB_FIELD_ACCOUNT,
  JM_JOB_FIELD_PARTITION,
  JM_JOB_FIELD_QOS,
  JM_JOB_FIELD_NAME,
  JM_JOB_FIELD_ARRAY_JOB_ID,
  JM_JOB_FIELD_ARRAY_TASK_ID,
  JM_JOB_FIELD_HET_JOB_ID,
  JM_JOB_FIELD_HET_JOB_OFFSET,
  JM_JOB_FIELD_NODES,
  JM_JOB_FIELD_GPUS,
  JM_JOB_FIELD_VISIBLE_GPUS,
  JM_JOB_FIELD_GPU_PERCENTAGE,
  JM_JOB_FIELD_GPU_SHARDS,
  JM_JOB_FIELD_SUBMIT_TIME,
  JM_JOB_FIELD_START_TIME,
} JmJobField;

/**
 * JM_N_JOB_FIELDS:
 *
 * How many #JmJobField there are.
 *
 * Since: 0.1
 */
#define JM_N_JOB_FIELDS (JM_JOB_FIELD_START_TIME + 1)

JM_AVAILABLE_IN_ALL
const JmQuantity *jm_job_field_get_quantity (JmJobField field);

JM_AVAILABLE_IN_ALL
const char *jm_job_field_get_name (JmJobField field);

JM_AVAILABLE_IN_ALL
gboolean jm_job_field_from_name (const char *name, JmJobField *field);

G_END_DECLS
