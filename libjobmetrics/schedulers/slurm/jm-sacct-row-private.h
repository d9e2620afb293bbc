/* jm-sacct-row-private.h: a row of Slurm's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/* In this order: what users may write into stands neither first nor last. */
typedef enum
{
  JM_SACCT_RAW_ID,
  JM_SACCT_JOB_ID,
  JM_SACCT_USER,
  JM_SACCT_UID,
  JM_SACCT_ACCOUNT,
  JM_SACCT_PARTITION,
  JM_SACCT_QOS,
  JM_SACCT_STATE,
  JM_SACCT_SUBMIT,
  JM_SACCT_ELIGIBLE,
  JM_SACCT_START,
  JM_SACCT_END,
  JM_SACCT_TIME_LIMIT,
  JM_SACCT_ELAPSED,
  JM_SACCT_EXIT_CODE,
  JM_SACCT_NODES,
  JM_SACCT_CPUS,
  JM_SACCT_TASKS,
  JM_SACCT_ALLOCATED,
  JM_SACCT_REQUESTED,
  JM_SACCT_NODE_LIST,
  JM_SACCT_NAME,
  JM_SACCT_CPU_TIME,
  JM_SACCT_USER_TIME,
  JM_SACCT_SYSTEM_TIME,
  JM_SACCT_MEMORY_PEAK,
  JM_SACCT_ENERGY,
} JmSacctColumn;

#define JM_N_SACCT_COLUMNS (JM_SACCT_ENERGY + 1)

/* What it is called in `--format`. */
const char *jm_sacct_column_get_name (JmSacctColumn column);

/* All columns, for `--format`. */
char *jm_sacct_make_format (void);

/* A set of columns: 1 << the column. */
typedef guint32 JmSacctColumns;
G_STATIC_ASSERT (JM_N_SACCT_COLUMNS <= 32);

/* A number is in Slurm's own unit: minutes of the time limit, microseconds of CPU time,
 * joules, bytes, seconds. -1 is unknown, and so is NULL. */
typedef union
{
  const char *text;
  gint64 number;
} JmSacctValue;

/* What sacct, slurmrestd and slurmdbd's database have of a job or a step, whoever was
 * asked. The texts belong to somebody else. */
typedef struct
{
  JmSacctValue values[JM_N_SACCT_COLUMNS]; /* of the exit code the code alone */
  gint64 signal;
  JmSacctColumns bad;   /* those that break their format, and are unknown */
  const JmSlice *cells; /* the text that it was read from; or NULL */
} JmSacctRow;

void jm_sacct_row_init (JmSacctRow *self);

gboolean jm_sacct_column_is_text (JmSacctColumn column);

/* Splits a row into its columns; FALSE where there are more columns or less. */
gboolean jm_sacct_row_split (JmSlice cells[JM_N_SACCT_COLUMNS],
                             JmSlice text,
                             const char *delimiter);

/* Reads what was split; @texts is to hold the row's texts. */
void jm_sacct_row_read (JmSacctRow *self,
                        const JmSlice cells[JM_N_SACCT_COLUMNS],
                        GStringChunk *texts);

/* How users see a job. */
typedef struct
{
  gint64 raw_id;
  gint64 array_job; /* 0 of none */
  gint64 array_task;
  const char *array_tasks; /* `4-9` or bits, of those that did not begin one by one */
  gint64 array_at_once;    /* how many may run, or 0 */
  gint64 het_job;          /* 0 of none */
  gint64 het_offset;
} JmSacctId;

void jm_sacct_row_set_id (JmSacctRow *self, const JmSacctId *id, GStringChunk *texts);
void jm_sacct_row_set_step_id (JmSacctRow *self,
                               gint64 job,
                               const char *step,
                               GStringChunk *texts);

/* User time, system time, and both together, in microseconds. */
void jm_sacct_row_set_cpu_times (JmSacctRow *self, gint64 user_us, gint64 system_us);

/* Whether it is a step's; else it is a job's. */
gboolean jm_sacct_row_is_step (const JmSacctRow *self);

/* The number of the job, or of the step's job; empty where there is none. */
JmSlice jm_sacct_row_get_raw_id (const JmSacctRow *self);

/* Whether the job waits, so that there is no run of it yet. */
gboolean jm_sacct_row_is_waiting (const JmSacctRow *self);

/* NULL without a number of a job, which is in *@bad then. Other columns that break
 * their format are in *@bad, and unknown in the run. One that goes on is seen at @now,
 * seconds since 1970. */
JmRun *jm_sacct_row_make_run (const JmSacctRow *self,
                              const char *cluster,
                              gint64 now,
                              JmSacctColumns *bad);
JmRunPart *jm_sacct_row_make_step (const JmSacctRow *self, JmSacctColumns *bad);

G_END_DECLS
