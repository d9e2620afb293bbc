/* jm-slurm-record-private.h: what Slurm's accounting has of a job or a step
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run.h"
#include "schedulers/jm-scheduler-value-private.h"
#include "schedulers/slurm/jm-slurm-field-private.h"
#include "schedulers/slurm/jm-slurm-tres-list-private.h"

G_BEGIN_DECLS

/* sacct is asked for them in this order: what users may write into stands neither first
 * nor last. */
typedef enum
{
  JM_SLURM_RECORD_RAW_ID,
  JM_SLURM_RECORD_JOB_ID,
  JM_SLURM_RECORD_USER,
  JM_SLURM_RECORD_UID,
  JM_SLURM_RECORD_ACCOUNT,
  JM_SLURM_RECORD_PARTITION,
  JM_SLURM_RECORD_QOS,
  JM_SLURM_RECORD_STATE,
  JM_SLURM_RECORD_SUBMIT,
  JM_SLURM_RECORD_ELIGIBLE,
  JM_SLURM_RECORD_START,
  JM_SLURM_RECORD_END,
  JM_SLURM_RECORD_TIME_LIMIT,
  JM_SLURM_RECORD_ELAPSED,
  JM_SLURM_RECORD_EXIT_CODE,
  JM_SLURM_RECORD_NODES,
  JM_SLURM_RECORD_CPUS,
  JM_SLURM_RECORD_TASKS,
  JM_SLURM_RECORD_ALLOCATED,
  JM_SLURM_RECORD_REQUESTED,
  JM_SLURM_RECORD_NODE_LIST,
  JM_SLURM_RECORD_NAME,
  JM_SLURM_RECORD_CPU_TIME,
  JM_SLURM_RECORD_USER_TIME,
  JM_SLURM_RECORD_SYSTEM_TIME,
  JM_SLURM_RECORD_MEMORY_PEAK,
  JM_SLURM_RECORD_ENERGY,
  JM_SLURM_RECORD_SLUID, /* of 26.05 and later */
} JmSlurmRecordField;

#define JM_N_SLURM_RECORD_FIELDS (JM_SLURM_RECORD_SLUID + 1)
/* Those that sacct of any release knows. */
#define JM_N_SLURM_RECORD_FIELDS_OF_ALL JM_SLURM_RECORD_SLUID

/* A set of fields: 1 << the field. */
typedef guint32 JmSlurmRecordFields;
G_STATIC_ASSERT (JM_N_SLURM_RECORD_FIELDS <= 32);

typedef enum
{
  JM_SLURM_ASKED_SACCT,     /* in --format */
  JM_SLURM_ASKED_REST,      /* a member of slurmrestd's jobs */
  JM_SLURM_ASKED_REST_STEP, /* and of their steps */
  JM_SLURM_ASKED_VIEW,      /* a column of slurmdbd's jobs, which are `j` */
  JM_SLURM_ASKED_VIEW_STEP, /* and of its steps, which are `s` */
} JmSlurmAsked;

/* What a field is called there; NULL where it is not there. */
const char *jm_slurm_record_get_name (JmSlurmRecordField field, JmSlurmAsked asked);
gboolean jm_slurm_record_is_text (JmSlurmRecordField field);

/* Of what slurmrestd says. */
JmSlurmKind jm_slurm_record_get_kind (JmSlurmRecordField field);

/* The first fields, for sacct's `--format`. */
char *jm_slurm_record_make_format (guint n_fields);

/* Fills in a run or a step, whoever is asked. */
typedef struct
{
  JmRun *run;                /* NULL of a step, and of a job without a number */
  JmRunPart *step;           /* NULL of a job, and of a step without a name */
  JmSlurmRecordFields given; /* numbers that are not 0 */
  JmSlurmRecordFields bad;   /* those that break their format, and are unknown */
  const JmSlice *cells; /* what it was read from, which somebody else has; or NULL */
} JmSlurmRecord;

void
jm_slurm_record_init_job (JmSlurmRecord *self, const char *cluster, JmSlice raw_id);
void jm_slurm_record_init_step (JmSlurmRecord *self, JmSlice name);
void jm_slurm_record_clear (JmSlurmRecord *self);

/* A number is in Slurm's own unit: minutes of the time limit, microseconds of CPU time,
 * joules, bytes, seconds. A negative one is unknown. */
void jm_slurm_record_set_number (JmSlurmRecord *self,
                                 JmSlurmRecordField field,
                                 gint64 number);
void
jm_slurm_record_set_text (JmSlurmRecord *self, JmSlurmRecordField field, JmSlice text);

/* Whatever the field is, as sacct prints it. */
void
jm_slurm_record_set_cell (JmSlurmRecord *self, JmSlurmRecordField field, JmSlice cell);

/* User time, system time, and both together, in microseconds. */
void
jm_slurm_record_set_cpu_times (JmSlurmRecord *self, gint64 user_us, gint64 system_us);

/* The code that it ended with, and the signal that ended it. */
void jm_slurm_record_set_exit (JmSlurmRecord *self, gint64 code, gint64 signal);

/* What it was allocated, or requested. */
void jm_slurm_record_set_tres (JmSlurmRecord *self,
                               JmSlurmRecordField field,
                               JmSlurmTresList *list);

/* The user by whose request the scheduler cancelled a job, by name or number; a job
 * that ended in another way has none. */
void jm_slurm_record_set_canceller (JmSlurmRecord *self, const char *user);

/* Whether the job waits, so that there is no run of it yet. */
gboolean jm_slurm_record_is_waiting (const JmSlurmRecord *self);

/* Once all fields are set: forgets those that say nothing yet. What goes on is seen at
 * @now, seconds since 1970. */
void jm_slurm_record_finish (JmSlurmRecord *self, gint64 now);

G_END_DECLS
