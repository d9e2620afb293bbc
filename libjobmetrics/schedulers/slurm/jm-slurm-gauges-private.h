/* jm-slurm-gauges-private.h: what Slurm's own metrics endpoint has, put into records
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-exposition-reader-private.h"
#include "schedulers/jm-scheduler-report-private.h"

G_BEGIN_DECLS

/* More nodes, partitions, accounts or users than this are left out, and counted. */
#define JM_SLURM_GAUGES_NAMES_MAX 100000
#define JM_SLURM_GAUGES_PREFIX "slurm_"

typedef enum
{
  JM_SLURM_GAUGE_COUNT,
  JM_SLURM_GAUGE_MEBIBYTES, /* kept as bytes */
  JM_SLURM_GAUGE_REAL,
  JM_SLURM_GAUGE_MICROSECONDS, /* kept as seconds */
} JmSlurmGaugeKind;

typedef struct
{
  const char *name;
  JmSlurmGaugeKind kind;
  gsize offset; /* in the record */
} JmSlurmGauge;

/* Puts the value of a sample where the gauge of @name is kept; of another name nothing
 * happens, for each release has more. A value that is not of that kind leaves the
 * record as it is, and is a complaint to the report. */
void jm_slurm_gauges_take (const JmSlurmGauge *gauges,
                           guint n_gauges,
                           const char *name,
                           const JmExpositionSample *sample,
                           JmSchedulerReport *report,
                           gpointer record);

/* Is handed each sample of Slurm's. */
typedef void (*JmSlurmGaugesFunc) (const JmExpositionSample *sample, gpointer data);

/* Reads all of an answer to @path. A line that cannot be read is a complaint to the
 * report. Returns how many samples there were of Slurm's. */
guint jm_slurm_gauges_read (JmSchedulerReport *report,
                            const char *path,
                            const char *text,
                            gsize length,
                            JmSlurmGaugesFunc func,
                            gpointer data);

/* The same, of the answer as a whole, into records. */
guint jm_slurm_gauges_read_nodes (JmSchedulerReport *report,
                                  const char *path,
                                  const char *text,
                                  gsize length);
guint jm_slurm_gauges_read_partitions (JmSchedulerReport *report,
                                       const char *path,
                                       const char *text,
                                       gsize length);
guint jm_slurm_gauges_read_scheduler (JmSchedulerReport *report,
                                      const char *path,
                                      const char *text,
                                      gsize length);

/* Answers of several paths, for one report about jobs. */
typedef struct
{
  JmSchedulerReport *report;
  GPtrArray *sums; /* in the order in which they came */
  GHashTable
    *by_name[JM_N_SCHEDULER_SUMS]; /* the same, by the names of their subjects */
  /* that jobs have on all nodes; -1 where that is not known */
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
