/* jm-scheduler-report-private.h: what a scheduler told of its jobs and nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-states-private.h"

G_BEGIN_DECLS

/* GPUs of one kind; NULL where nobody says of which. */
typedef struct
{
  const char *type;
  guint64 total;
  guint64 allocated;
} JmSchedulerGpus;

/* Bits of what is known of a JmSchedulerJob; what is not known is 0. */
typedef enum
{
  JM_SCHEDULER_JOB_HAS_CPUS = 1 << 0,
  JM_SCHEDULER_JOB_HAS_MEMORY = 1 << 1,
  JM_SCHEDULER_JOB_HAS_NODES = 1 << 2,
  JM_SCHEDULER_JOB_HAS_GPUS = 1 << 3,
  JM_SCHEDULER_JOB_HAS_TIME_LIMIT = 1 << 4,
  JM_SCHEDULER_JOB_HAS_PRIORITY = 1 << 5,
  JM_SCHEDULER_JOB_HAS_UID = 1 << 6,
  JM_SCHEDULER_JOB_HAS_RESTARTS = 1 << 7,
} JmSchedulerJobKnown;

/* A job in the queue. Words are the report's, NULL where nobody told them. What it has,
 * or wants as long as it waits, is that of one task. */
typedef struct
{
  const char *id;    /* `1234_[5-9]`, as users see it */
  guint64 raw_id;    /* the scheduler's number */
  guint64 array_job; /* 0 for none */
  guint64 het_job;   /* 0 for none */
  guint64 n_tasks;   /* that stand in one line: of an array that waits */
  const char *user;
  const char *account;
  const char *qos;
  const char *partitions; /* with commas: a job may wait in several */
  const char *reservation;
  const char *reason; /* why it waits */
  const char *nodes;  /* a list in the scheduler's brackets */
  const char *features;
  const char *licenses;
  const char *flag; /* beside the state */
  JmJobState state;
  guint known; /* of JmSchedulerJobKnown */
  guint uid;
  guint restarts;
  guint64 cpus;
  guint64 memory_bytes;
  guint64 n_nodes;
  guint64 gpus;
  guint first_gpu_type; /* in the report's list */
  guint n_gpu_types;
  guint64 time_limit_seconds;
  guint64 priority;
  guint64 submit_time; /* seconds since 1970; 0 where not known */
  guint64 eligible_time;
  guint64 start_time; /* of one that waits, when it is expected to begin */
  guint64 end_time;   /* of one that runs, when it has to */
} JmSchedulerJob;

typedef enum
{
  JM_SCHEDULER_NODE_HAS_CPUS = 1 << 0,
  JM_SCHEDULER_NODE_HAS_LOAD = 1 << 1,
  JM_SCHEDULER_NODE_HAS_MEMORY = 1 << 2,
  JM_SCHEDULER_NODE_HAS_ALLOCATED_MEMORY = 1 << 3,
  JM_SCHEDULER_NODE_HAS_FREE_MEMORY = 1 << 4,
  JM_SCHEDULER_NODE_HAS_GPUS = 1 << 5,
} JmSchedulerNodeKnown;

typedef struct
{
  const char *name;
  const char *partitions; /* with commas */
  JmNodeState state;
  const char *flags; /* with commas, NULL for none */
  guint known;       /* of JmSchedulerNodeKnown */
  guint64 cpus;
  guint64 cpus_allocated;
  guint64 cpus_idle;
  guint64 cpus_other; /* neither: of a node that is drained or down */
  guint64 load_hundredths;
  guint64 memory_bytes;
  guint64 memory_allocated_bytes;
  guint64 memory_free_bytes; /* as the node's kernel has it */
  guint64 gpus;
  guint64 gpus_allocated;
  guint first_gpu_type; /* in the report's list */
  guint n_gpu_types;
  const char *features;
  const char *version;
  const char *reason; /* why it is drained or down */
  const char *reason_user;
  guint64 reason_time; /* seconds since 1970; 0 where not known */
} JmSchedulerNode;

/* What one question to a scheduler brought. */
typedef struct _JmSchedulerReport JmSchedulerReport;

#define JM_SCHEDULER_JOBS_MAX 2000000
#define JM_SCHEDULER_NODES_MAX 200000

JmSchedulerReport *jm_scheduler_report_new (void);
void jm_scheduler_report_free (JmSchedulerReport *self);

/* A word that is kept as long as the report: once, however often it comes; NULL of an
 * empty one. The second is for what hardly ever comes twice. */
const char *jm_scheduler_report_intern (JmSchedulerReport *self, JmSlice word);
const char *jm_scheduler_report_keep (JmSchedulerReport *self, JmSlice word);

/* All at 0. What is added becomes invalid when the next is; NULL where there are too
 * many. */
JmSchedulerJob *jm_scheduler_report_add_job (JmSchedulerReport *self);
JmSchedulerNode *jm_scheduler_report_add_node (JmSchedulerReport *self);
void jm_scheduler_report_drop_last_job (JmSchedulerReport *self);

/* Returns its place in the list of GPUs. */
guint jm_scheduler_report_add_gpus (JmSchedulerReport *self,
                                    const char *type,
                                    guint64 total,
                                    guint64 allocated);

/* The node of that name that was added before, or NULL. One is known once it has been
 * named by jm_scheduler_report_name_node(). */
JmSchedulerNode *jm_scheduler_report_find_node (JmSchedulerReport *self, JmSlice name);
void jm_scheduler_report_name_node (JmSchedulerReport *self,
                                    JmSchedulerNode *node,
                                    JmSlice name);

/* Counts what could not be read; the first is told, with what stood there. */
void jm_scheduler_report_complain (JmSchedulerReport *self,
                                   const char *problem,
                                   JmSlice text);

const JmSchedulerJob *jm_scheduler_report_get_jobs (const JmSchedulerReport *self,
                                                    guint *n_jobs);
const JmSchedulerNode *jm_scheduler_report_get_nodes (const JmSchedulerReport *self,
                                                      guint *n_nodes);
const JmSchedulerGpus *jm_scheduler_report_get_gpus (const JmSchedulerReport *self,
                                                     guint place);
guint jm_scheduler_report_get_n_complaints (const JmSchedulerReport *self);
const char *jm_scheduler_report_get_complaint (const JmSchedulerReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSchedulerReport, jm_scheduler_report_free)

G_END_DECLS
