/* jm-pbs-answers-private.h: what qstat and pbsnodes answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-pbs-json-private.h"
#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* What qstat is asked with. Without -t an array is one entry, whatever its length, that
 * tells how many of its tasks wait and run. */
#define JM_PBS_JOBS_COMMAND "qstat", "-f", "-F", "json"

extern const JmPbsJsonHandler jm_pbs_jobs_handler;

/* The handler's data. */
typedef struct
{
  JmSchedulerReport *report;
  JmSchedulerJob job;
  GString *id;      /* as PBS tells it */
  GString *section; /* of the job, such as Resource_List */
  GString *indices; /* tasks of an array that wait */
  gint64 cpus;      /* that it asked for, as the next two */
  gint64 memory_bytes;
  gint64 gpus;
  gint64 n_hosts; /* that it has, or -1 */
  gint64 estimated_time;
  gint64 queued; /* tasks of an array, or -1 */
  gint64 running;
  gboolean is_jobs;
  gboolean is_lost; /* it cannot be told from a text */
} JmPbsJobs;

/* @report must live longer. */
void jm_pbs_jobs_init (JmPbsJobs *self, JmSchedulerReport *report);
void jm_pbs_jobs_clear (JmPbsJobs *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmPbsJobs, jm_pbs_jobs_clear)

#define JM_PBS_NODES_COMMAND "pbsnodes", "-a", "-F", "json"

extern const JmPbsJsonHandler jm_pbs_nodes_handler;

/* The handler's data. */
typedef struct
{
  JmSchedulerReport *report;
  JmSchedulerNode node;
  GString *section;   /* of the node, such as resources_assigned */
  GString *words;     /* of its state, that have no flag */
  const char *reason; /* its comment, as long as the state is not known */
  gint64 changed_time;
  gboolean is_nodes;
  gboolean is_assigned; /* whether it is told what jobs have */
  gboolean is_full;     /* it says so */
  gboolean is_lost;     /* it cannot be told from a text */
  gboolean is_closed;   /* jobs cannot have any of it */
} JmPbsNodes;

/* @report must live longer. */
void jm_pbs_nodes_init (JmPbsNodes *self, JmSchedulerReport *report);
void jm_pbs_nodes_clear (JmPbsNodes *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmPbsNodes, jm_pbs_nodes_clear)

G_END_DECLS
