/* jm-sacct-writer.c: a row of Slurm's accounting, made of values
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-sacct-writer-private.h"

#include "sources/scheduler/jm-slurm-task-list-private.h"

#define CHUNK_BYTES 4096
#define SECONDS_OF_MINUTE 60
#define SECONDS_OF_HOUR 3600
#define SECONDS_OF_DAY 86400

void
jm_sacct_writer_init (JmSacctWriter *self)
{
  self->texts = g_string_chunk_new (CHUNK_BYTES);
}

void
jm_sacct_writer_clear (JmSacctWriter *self)
{
  g_string_chunk_free (self->texts);
}

void
jm_sacct_writer_reset (JmSacctWriter *self)
{
  g_string_chunk_clear (self->texts);
}

void
jm_sacct_writer_set_text (JmSacctWriter *self,
                          JmSacctRow *row,
                          JmSacctColumn column,
                          const char *text)
{
  const char *kept =
    text != NULL ? g_string_chunk_insert_const (self->texts, text) : "";

  row->columns[column] = (JmSlice){ kept, strlen (kept) };
}

void
jm_sacct_writer_set_number (JmSacctWriter *self,
                            JmSacctRow *row,
                            JmSacctColumn column,
                            gint64 number)
{
  g_autofree char *text =
    number >= 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, number) : NULL;

  jm_sacct_writer_set_text (self, row, column, text);
}

void
jm_sacct_writer_set_cpu_time (JmSacctWriter *self,
                              JmSacctRow *row,
                              JmSacctColumn column,
                              gint64 microseconds)
{
  gint64 seconds = microseconds / G_USEC_PER_SEC;
  g_autofree char *text = NULL;

  if (microseconds >= 0)
    text = g_strdup_printf ("%" G_GINT64_FORMAT "-%02d:%02d:%02d.%06d",
                            seconds / SECONDS_OF_DAY,
                            (int) (seconds % SECONDS_OF_DAY / SECONDS_OF_HOUR),
                            (int) (seconds % SECONDS_OF_HOUR / SECONDS_OF_MINUTE),
                            (int) (seconds % SECONDS_OF_MINUTE),
                            (int) (microseconds % G_USEC_PER_SEC));
  jm_sacct_writer_set_text (self, row, column, text);
}

void
jm_sacct_writer_set_cpu_times (JmSacctWriter *self,
                               JmSacctRow *row,
                               gint64 user_us,
                               gint64 system_us)
{
  gboolean has_both = user_us >= 0 && system_us >= 0;

  jm_sacct_writer_set_cpu_time (self, row, JM_SACCT_USER_TIME, user_us);
  jm_sacct_writer_set_cpu_time (self, row, JM_SACCT_SYSTEM_TIME, system_us);
  jm_sacct_writer_set_cpu_time (self, row, JM_SACCT_CPU_TIME,
                                has_both ? user_us + system_us : -1);
}

void
jm_sacct_writer_set_exit_code (JmSacctWriter *self,
                               JmSacctRow *row,
                               gint64 code,
                               gint64 signal)
{
  g_autofree char *text = NULL;

  if (code >= 0)
    text =
      g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, code, MAX (signal, 0));
  jm_sacct_writer_set_text (self, row, JM_SACCT_EXIT_CODE, text);
}

static char *
make_id (const JmSacctId *id)
{
  g_autofree char *tasks = jm_slurm_make_task_list (id->array_tasks, id->array_at_once);

  if (id->array_job > 0 && tasks != NULL)
    return g_strdup_printf ("%" G_GINT64_FORMAT "_[%s]", id->array_job, tasks);
  if (id->array_job > 0 && id->array_task >= 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT "_%" G_GINT64_FORMAT, id->array_job,
                            id->array_task);
  if (id->het_job > 0 && id->het_offset >= 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT "+%" G_GINT64_FORMAT, id->het_job,
                            id->het_offset);

  return g_strdup_printf ("%" G_GINT64_FORMAT, id->raw_id);
}

void
jm_sacct_writer_set_id (JmSacctWriter *self, JmSacctRow *row, const JmSacctId *id)
{
  g_autofree char *text = make_id (id);

  jm_sacct_writer_set_number (self, row, JM_SACCT_RAW_ID, id->raw_id);
  jm_sacct_writer_set_text (self, row, JM_SACCT_JOB_ID, text);
}

void
jm_sacct_writer_set_step_id (JmSacctWriter *self,
                             JmSacctRow *row,
                             gint64 job,
                             const char *step)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT ".%s", job, step);

  jm_sacct_writer_set_text (self, row, JM_SACCT_RAW_ID, text);
}
