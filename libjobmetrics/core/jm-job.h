/* jm-job.h: who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

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
 * @JM_JOB_FIELD_SUBMIT_TIME: seconds since 1970
 * @JM_JOB_FIELD_START_TIME: seconds since 1970
 * @JM_JOB_FIELD_IDENTITY: where the fields come from: `hook` (a file that only
 *   root writes), `environment` (the user's processes: may be forged), or `path`
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
  JM_JOB_FIELD_SUBMIT_TIME,
  JM_JOB_FIELD_START_TIME,
  JM_JOB_FIELD_IDENTITY,
} JmJobField;

/**
 * JM_N_JOB_FIELDS:
 *
 * How many #JmJobField there are.
 *
 * Since: 0.1
 */
#define JM_N_JOB_FIELDS (JM_JOB_FIELD_IDENTITY + 1)

/**
 * JM_IDENTITY_HOOK:
 *
 * Value of %JM_JOB_FIELD_IDENTITY: a file that only root writes tells who the job is.
 *
 * Since: 0.1
 */
#define JM_IDENTITY_HOOK "hook"

/**
 * JM_IDENTITY_ENVIRONMENT:
 *
 * Value of %JM_JOB_FIELD_IDENTITY: the environment of one of the job's processes tells
 * who the job is. The job's user can change it.
 *
 * Since: 0.1
 */
#define JM_IDENTITY_ENVIRONMENT "environment"

/**
 * JM_IDENTITY_PATH:
 *
 * Value of %JM_JOB_FIELD_IDENTITY: only the cgroup's path tells who the job is.
 *
 * Since: 0.1
 */
#define JM_IDENTITY_PATH "path"

/**
 * JmJob:
 *
 * Who a job is: an immutable record, shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmJob JmJob;

#define JM_TYPE_JOB (jm_job_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_job_get_type (void);

JM_AVAILABLE_IN_ALL
const char *jm_job_field_get_name (JmJobField field);

JM_AVAILABLE_IN_ALL
gboolean jm_job_field_from_name (const char *name, JmJobField *field);

JM_AVAILABLE_IN_ALL
JmJob *jm_job_new (GHashTable *fields);

JM_AVAILABLE_IN_ALL
JmJob *jm_job_new_from_array (const char *const fields[JM_N_JOB_FIELDS]);

JM_AVAILABLE_IN_ALL
JmJob *jm_job_ref (JmJob *self);

JM_AVAILABLE_IN_ALL
void jm_job_unref (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_field (JmJob *self, JmJobField field);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_id (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_uuid (JmJob *self);

JM_AVAILABLE_IN_ALL
gboolean jm_job_is_uuid_weak (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_user (JmJob *self);

JM_AVAILABLE_IN_ALL
gint64 jm_job_get_start_time (JmJob *self);

JM_AVAILABLE_IN_ALL
gboolean jm_job_is_called (JmJob *self, const char *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJob, jm_job_unref)

G_END_DECLS
