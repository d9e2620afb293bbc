/* jm-gridengine-row.c: a line of Grid Engine's accounting file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/gridengine/jm-gridengine-row-private.h"

#include "core/jm-run-private.h"
#include "schedulers/gridengine/jm-gridengine-value-private.h"
#include "schedulers/jm-scheduler-value-private.h"

/* As accounting(5) has them. */
enum
{
  QUEUE = 0,
  HOST = 1,
  OWNER = 3,
  NAME = 4,
  NUMBER = 5,
  ACCOUNT = 6,
  SUBMISSION = 8,
  START = 9,
  END = 10,
  FAILED = 11,
  EXIT_STATUS = 12,
  USER_TIME = 14,
  SYSTEM_TIME = 15,
  PROJECT = 31,
  DEPARTMENT = 32,
  PE = 33,
  SLOTS = 34,
  TASK = 35,
  CPU = 36,
  PE_TASK = 41,
  N_COLUMNS,
  N_COLUMNS_MIN = CPU + 1,
};

/* The year 5138 in seconds, 1973 in milliseconds. */
#define SECONDS_MAX G_GINT64_CONSTANT (100000000000)
#define SIGNALLED 128
#define SIGNAL_MAX 64

static void
set_text (JmRun *run, JmRunField field, JmSlice text)
{
  g_autofree char *copy = g_strndup (text.text, text.length);

  jm_run_keep_text (run, field, copy);
}

static gboolean
is_none (JmSlice text)
{
  return text.length == 0 || jm_slice_equal (text, "NONE");
}

/* Seconds; of Univa milliseconds, of Open Cluster Scheduler microseconds. */
static gboolean
parse_moment (JmSlice text, gint64 *seconds)
{
  guint64 value;

  if (!jm_parse_uint64 (text.text, text.length, &value) || value > G_MAXINT64)
    return FALSE;
  while ((gint64) value >= SECONDS_MAX)
    value /= 1000;
  *seconds = (gint64) value;

  return TRUE;
}

/* Real seconds: microseconds. */
static gboolean
parse_duration (JmSlice text, gint64 *us)
{
  double seconds;

  if (!jm_gridengine_parse_real (text, &seconds) || seconds >= 1e12)
    return FALSE;
  *us = (gint64) (seconds * G_USEC_PER_SEC + 0.5);

  return TRUE;
}

/* Named as accounting(5) does. */
static const struct
{
  const char *name;
  guint column;
  gboolean (*parse) (JmSlice text, gint64 *value);
} numbers[] = {
  { "job_number", NUMBER, jm_gridengine_parse_count },
  { "submission_time", SUBMISSION, parse_moment },
  { "start_time", START, parse_moment },
  { "end_time", END, parse_moment },
  { "failed", FAILED, jm_gridengine_parse_count },
  { "exit_status", EXIT_STATUS, jm_gridengine_parse_count },
  { "ru_utime", USER_TIME, parse_duration },
  { "ru_stime", SYSTEM_TIME, parse_duration },
  { "slots", SLOTS, jm_gridengine_parse_count },
  { "task_number", TASK, jm_gridengine_parse_count },
  { "cpu", CPU, parse_duration },
};

/* Codes of accounting(5): 24 and 25 began anew, 37 took too long. */
static const char *
get_state (gint64 failed, gint64 status)
{
  switch (failed)
    {
    case 0:
      return status == 0 ? "COMPLETED" : "FAILED";
    case 24:
    case 25:
      return "REQUEUED";
    case 37:
      return "TIMEOUT";
    default:
      return "FAILED";
    }
}

static void
set_end (JmRun *run, gint64 failed, gint64 status)
{
  if (failed >= 0 && status >= 0)
    jm_run_keep_text (run, JM_RUN_FIELD_STATE, get_state (failed, status));
  jm_run_keep_number (run, JM_RUN_FIELD_EXIT_CODE, status);
  if (status > SIGNALLED && status <= SIGNALLED + SIGNAL_MAX)
    jm_run_keep_number (run, JM_RUN_FIELD_EXIT_SIGNAL, status - SIGNALLED);
}

static gboolean
set_times (JmRun *run, gint64 submission, gint64 start, gint64 end)
{
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, submission);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, start);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, end);
  if (start > 0 && end >= start)
    jm_run_keep_number (run, JM_RUN_FIELD_ELAPSED, end - start);

  return submission > 0 || start > 0 || end > 0;
}

/* The project, or what qsub -A said, or the department. */
static void
set_account (JmRun *run, const JmSlice *columns)
{
  if (!is_none (columns[PROJECT]))
    set_text (run, JM_RUN_FIELD_ACCOUNT, columns[PROJECT]);
  else if (!is_none (columns[ACCOUNT]) && !jm_slice_equal (columns[ACCOUNT], "sge"))
    set_text (run, JM_RUN_FIELD_ACCOUNT, columns[ACCOUNT]);
  else if (!is_none (columns[DEPARTMENT]) &&
           !jm_slice_equal (columns[DEPARTMENT], "defaultdepartment"))
    set_text (run, JM_RUN_FIELD_ACCOUNT, columns[DEPARTMENT]);
}

/* Of a parallel job only the first host is named. ru_maxrss is that of its largest
 * process and maxvmem is no memory: neither is its peak. */
static void
set_amounts (JmRun *run, const JmSlice *columns, const gint64 *values)
{
  gint64 slots = values[SLOTS];

  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, slots > 0 ? slots : -1);
  if (slots == 1 || is_none (columns[PE]))
    {
      set_text (run, JM_RUN_FIELD_NODE_LIST, columns[HOST]);
      jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
    }
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, values[CPU]);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_USER, values[USER_TIME]);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_SYSTEM, values[SYSTEM_TIME]);
}

/* Of a column that cannot be read the value is negative. */
static void
read_numbers (const JmSlice *columns, gint64 *values, const char **bad)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      guint column = numbers[i].column;

      values[column] = -1;
      if (!numbers[i].parse (columns[column], &values[column]))
        *bad = numbers[i].name;
    }
}

static JmRun *
make_run (const JmSlice *columns, const gint64 *values, const char *cluster)
{
  gint64 number = values[NUMBER], task = values[TASK];
  g_autofree char *raw_id = NULL;
  JmRun *run;

  if (number <= 0 || task < 0)
    return NULL;
  raw_id = task > 0
             ? g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, number, task)
             : g_strdup_printf ("%" G_GINT64_FORMAT, number);
  run = jm_run_new (cluster, raw_id);
  jm_run_set_scheduler (run, "gridengine");
  if (task > 0)
    {
      g_autofree char *id =
        g_strdup_printf ("%" G_GINT64_FORMAT "_%" G_GINT64_FORMAT, number, task);

      set_text (run, JM_RUN_FIELD_ARRAY_JOBID, columns[NUMBER]);
      set_text (run, JM_RUN_FIELD_ARRAY_TASKID, columns[TASK]);
      jm_run_keep_text (run, JM_RUN_FIELD_JOBID, id);
    }

  return run;
}

/* What a parallel job's slaves used is a row of each, before the job's own; of the
 * oldest versions such a row has no submission alone. */
static gboolean
is_slave (const JmSlice *columns, guint n)
{
  return (n > PE_TASK && !is_none (columns[PE_TASK])) ||
         (jm_slice_equal (columns[SUBMISSION], "0") && !is_none (columns[PE]));
}

JmLogRow
jm_gridengine_parse_row (JmSlice line,
                         const char *cluster,
                         JmRun **run,
                         const char **bad)
{
  JmSlice columns[N_COLUMNS] = { 0 };
  gint64 values[N_COLUMNS];
  g_autoptr (JmRun) made = NULL;
  guint n = 0;

  if (line.length == 0 || line.text[0] == '#')
    return JM_LOG_ROW_COMMENT;
  while (n < N_COLUMNS && jm_slice_take_word (&line, ':', &columns[n]))
    n++;
  if (n < N_COLUMNS_MIN)
    return JM_LOG_ROW_BAD;

  read_numbers (columns, values, bad);
  made = make_run (columns, values, cluster);
  if (made == NULL)
    return JM_LOG_ROW_BAD;
  if (is_slave (columns, n))
    return JM_LOG_ROW_READ;
  if (!set_times (made, values[SUBMISSION], values[START], values[END]))
    return JM_LOG_ROW_BAD;

  set_end (made, values[FAILED], values[EXIT_STATUS]);
  set_amounts (made, columns, values);
  if (!is_none (columns[OWNER]))
    set_text (made, JM_RUN_FIELD_USER, columns[OWNER]);
  set_text (made, JM_RUN_FIELD_PARTITION, columns[QUEUE]);
  set_text (made, JM_RUN_FIELD_NAME, columns[NAME]);
  set_account (made, columns);
  *run = g_steal_pointer (&made);

  return JM_LOG_ROW_READ;
}
