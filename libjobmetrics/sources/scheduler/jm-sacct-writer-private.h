/* jm-sacct-writer-private.h: a row of Slurm's accounting, made of values
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-sacct-row-private.h"

G_BEGIN_DECLS

/* Writes what others than sacct tell as sacct would, so that one job is one run whoever
 * tells it. What is negative, or NULL, is absent. The row is of use until the writer is
 * cleared. */
typedef struct
{
  GStringChunk *texts;
} JmSacctWriter;

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

void jm_sacct_writer_init (JmSacctWriter *self);
void jm_sacct_writer_clear (JmSacctWriter *self);
/* Forgets all rows. */
void jm_sacct_writer_reset (JmSacctWriter *self);

void jm_sacct_writer_set_text (JmSacctWriter *self,
                               JmSacctRow *row,
                               JmSacctColumn column,
                               const char *text);
void jm_sacct_writer_set_number (JmSacctWriter *self,
                                 JmSacctRow *row,
                                 JmSacctColumn column,
                                 gint64 number);
void jm_sacct_writer_set_cpu_time (JmSacctWriter *self,
                                   JmSacctRow *row,
                                   JmSacctColumn column,
                                   gint64 microseconds);
/* User time, system time, and both together. */
void jm_sacct_writer_set_cpu_times (JmSacctWriter *self,
                                    JmSacctRow *row,
                                    gint64 user_us,
                                    gint64 system_us);
void jm_sacct_writer_set_exit_code (JmSacctWriter *self,
                                    JmSacctRow *row,
                                    gint64 code,
                                    gint64 signal);
void jm_sacct_writer_set_id (JmSacctWriter *self, JmSacctRow *row, const JmSacctId *id);
void jm_sacct_writer_set_step_id (JmSacctWriter *self,
                                  JmSacctRow *row,
                                  gint64 job,
                                  const char *step);

G_END_DECLS
