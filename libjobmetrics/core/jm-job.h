/* jm-job.h: who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-quantity.h"

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
 * @JM_JOB_FIELD_CPUS_GRANTED: how many CPUs of this node the scheduler granted the job
 * @JM_JOB_FIELD_GPUS: devices that the scheduler gave to the job on this node
 * @JM_JOB_FIELD_VISIBLE_GPUS: devices that the job's processes see, as in their
 *   environment; numbers in it mean nothing outside of the job
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
  JM_JOB_FIELD_CPUS_GRANTED,
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
const char *jm_job_field_get_name (JmJobField field);

/**
 * JmOrigin:
 * @JM_ORIGIN_NONE: the field is not known
 * @JM_ORIGIN_PATH: the path of the job's cgroup, which the scheduler made
 * @JM_ORIGIN_ENVIRONMENT: the environment of one of the job's processes, which its user
 *   can change
 * @JM_ORIGIN_KERNEL: the owner of the job's processes, and what the scheduler's own
 *   process in the job is called
 * @JM_ORIGIN_HOOK: a file that only root writes: the scheduler's hook left it, or it is
 *   the scheduler's own configuration
 * @JM_ORIGIN_CONFIGURATION: the configuration of jobmetrics
 *
 * The source of a field of a job, the least reliable first. A less reliable source
 * never replaces a more reliable one.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_ORIGIN_NONE,
  JM_ORIGIN_PATH,
  JM_ORIGIN_ENVIRONMENT,
  JM_ORIGIN_KERNEL,
  JM_ORIGIN_HOOK,
  JM_ORIGIN_CONFIGURATION,
} JmOrigin;

/**
 * JM_N_ORIGINS:
 *
 * How many #JmOrigin there are.
 *
 * Since: 0.1
 */
#define JM_N_ORIGINS (JM_ORIGIN_CONFIGURATION + 1)

#define JM_TYPE_ORIGIN (jm_origin_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_origin_get_type (void);

JM_AVAILABLE_IN_ALL
const char *jm_origin_get_name (JmOrigin origin);

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
JmJob *jm_job_new (GHashTable *fields, JmOrigin origin);

JM_AVAILABLE_IN_ALL
JmJob *jm_job_ref (JmJob *self);

JM_AVAILABLE_IN_ALL
void jm_job_unref (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_field (JmJob *self, JmJobField field);

JM_AVAILABLE_IN_ALL
JmOrigin jm_job_get_origin (JmJob *self, JmJobField field);

JM_AVAILABLE_IN_ALL
char **jm_job_list_further_fields (JmJob *self);

JM_AVAILABLE_IN_ALL
const char *jm_job_get_further_field (JmJob *self, const char *name);

JM_AVAILABLE_IN_ALL
JmOrigin jm_job_get_further_origin (JmJob *self, const char *name);

JM_AVAILABLE_IN_ALL
guint jm_job_count_fields (JmJob *self, JmOrigin origin);

JM_AVAILABLE_IN_ALL
gboolean jm_job_is_decided (JmJob *self);

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
const char *jm_job_get_run_key (JmJob *self);

JM_AVAILABLE_IN_ALL
gboolean jm_job_is_called (JmJob *self, const char *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJob, jm_job_unref)

JM_AVAILABLE_IN_ALL
char *jm_job_format_id (JmJob *job);

G_END_DECLS
