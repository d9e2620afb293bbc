/* jm-slurm-job-sums-private.h: sums of jobs, as Slurm's own metrics endpoint tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* Answers of several paths, for one report about jobs. */
typedef struct
{
  JmSchedulerReport *report;
  GPtrArray *sums; /* in the order in which they came */
  GHashTable
    *by_name[JM_N_SCHEDULER_SUMS]; /* the same, by the names of their subjects */
  /* that jobs have on all nodes; -1 where that was not told */
  gint64 node_cpus;
  gint64 node_memory_bytes;
} JmSlurmJobSums;

void jm_slurm_job_sums_init (JmSlurmJobSums *self, JmSchedulerReport *report);

/* Reads an answer to @path, and returns how many samples there were. */
guint jm_slurm_job_sums_read (JmSlurmJobSums *self,
                              const char *path,
                              const char *text,
                              gsize length);

/* Puts what was read into the report. */
void jm_slurm_job_sums_finish (JmSlurmJobSums *self);

void jm_slurm_job_sums_clear (JmSlurmJobSums *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmSlurmJobSums, jm_slurm_job_sums_clear)

G_END_DECLS
