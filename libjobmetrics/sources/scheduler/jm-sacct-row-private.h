/* jm-sacct-row-private.h: a row of Slurm's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-parse-private.h"
#include "store/jm-run-part.h"
#include "store/jm-stored-run.h"

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

/* In the text that was split. */
typedef struct
{
  JmSlice columns[JM_N_SACCT_COLUMNS];
} JmSacctRow;

/* FALSE where there are more columns or less. */
gboolean jm_sacct_row_split (JmSacctRow *self,
                             const char *text,
                             gsize length,
                             const char *delimiter);

/* How often it stands there. */
guint jm_sacct_count_delimiters (const char *text, gsize length, const char *delimiter);

/* Whether it is a step's; else it is a job's. */
gboolean jm_sacct_row_is_step (const JmSacctRow *self);

/* The number of the job, or of the step's job. */
JmSlice jm_sacct_row_get_raw_id (const JmSacctRow *self);

/* Whether the job waits, so that there is no run of it yet. */
gboolean jm_sacct_row_is_waiting (const JmSacctRow *self);

/* A set of columns: 1 << the column. */
typedef guint32 JmSacctColumns;
G_STATIC_ASSERT (JM_N_SACCT_COLUMNS <= 32);

/* NULL without a number of a job, which is in *@bad then. Other columns that break
 * their format are in *@bad, and unknown in the run. One that goes on is seen at @now,
 * seconds since 1970. */
JmStoredRun *jm_sacct_row_make_run (const JmSacctRow *self,
                                    const char *cluster,
                                    gint64 now,
                                    JmSacctColumns *bad);
JmRunPart *jm_sacct_row_make_step (const JmSacctRow *self, JmSacctColumns *bad);

G_END_DECLS
