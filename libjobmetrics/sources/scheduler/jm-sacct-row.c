/* jm-sacct-row.c: a row of Slurm's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-sacct-row-private.h"

#include "sources/scheduler/jm-slurm-tres-private.h"

#define SECONDS_OF_MINUTE 60
#define MICROJOULES_OF_JOULE 1000000
#define FRACTION_DIGITS 6
/* SIGRTMAX */
#define MAX_SIGNAL 64

static const char *const names[JM_N_SACCT_COLUMNS] = {
  [JM_SACCT_RAW_ID] = "JobIDRaw",
  [JM_SACCT_JOB_ID] = "JobID",
  [JM_SACCT_USER] = "User",
  [JM_SACCT_UID] = "UID",
  [JM_SACCT_ACCOUNT] = "Account",
  [JM_SACCT_PARTITION] = "Partition",
  [JM_SACCT_QOS] = "QOS",
  [JM_SACCT_STATE] = "State",
  [JM_SACCT_SUBMIT] = "Submit",
  [JM_SACCT_ELIGIBLE] = "Eligible",
  [JM_SACCT_START] = "Start",
  [JM_SACCT_END] = "End",
  [JM_SACCT_TIME_LIMIT] = "TimelimitRaw",
  [JM_SACCT_ELAPSED] = "ElapsedRaw",
  [JM_SACCT_EXIT_CODE] = "ExitCode",
  [JM_SACCT_NODES] = "NNodes",
  [JM_SACCT_CPUS] = "AllocCPUS",
  [JM_SACCT_TASKS] = "NTasks",
  [JM_SACCT_ALLOCATED] = "AllocTRES",
  [JM_SACCT_REQUESTED] = "ReqTRES",
  [JM_SACCT_NODE_LIST] = "NodeList",
  [JM_SACCT_NAME] = "JobName",
  [JM_SACCT_CPU_TIME] = "TotalCPU",
  [JM_SACCT_USER_TIME] = "UserCPU",
  [JM_SACCT_SYSTEM_TIME] = "SystemCPU",
  [JM_SACCT_MEMORY_PEAK] = "MaxRSS",
  [JM_SACCT_ENERGY] = "ConsumedEnergyRaw"
};

const char *
jm_sacct_column_get_name (JmSacctColumn column)
{
  return names[column];
}

char *
jm_sacct_make_format (void)
{
  g_autoptr (GString) format = g_string_new ("--format=");

  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    g_string_append_printf (format, "%s%s", i > 0 ? "," : "", names[i]);

  return g_string_free (g_steal_pointer (&format), FALSE);
}

/* --- columns --- */

static const char *
find (const char *text, gsize length, const char *delimiter)
{
  return length > 0 ? memmem (text, length, delimiter, strlen (delimiter)) : NULL;
}

guint
jm_sacct_count_delimiters (const char *text, gsize length, const char *delimiter)
{
  const char *end = text + length;
  const char *found;
  guint n = 0;

  while ((found = find (text, (gsize) (end - text), delimiter)) != NULL)
    {
      text = found + strlen (delimiter);
      n++;
    }

  return n;
}

gboolean
jm_sacct_row_split (JmSacctRow *self,
                    const char *text,
                    gsize length,
                    const char *delimiter)
{
  const char *end = text + length;

  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    {
      const char *found = find (text, (gsize) (end - text), delimiter);

      if ((found == NULL) != (i == JM_N_SACCT_COLUMNS - 1))
        return FALSE;
      self->columns[i] =
        (JmSlice){ text, (gsize) ((found != NULL ? found : end) - text) };
      if (found != NULL)
        text = found + strlen (delimiter);
    }

  return TRUE;
}

gboolean
jm_sacct_row_is_step (const JmSacctRow *self)
{
  JmSlice id = self->columns[JM_SACCT_RAW_ID];

  return id.length > 0 && memchr (id.text, '.', id.length) != NULL;
}

JmSlice
jm_sacct_row_get_raw_id (const JmSacctRow *self)
{
  JmSlice rest = self->columns[JM_SACCT_RAW_ID];
  JmSlice id = rest;

  jm_slice_take_word (&rest, '.', &id);

  return id;
}

/* `CANCELLED by 1000` is a state and who did it. */
static JmSlice
get_state (const JmSacctRow *self)
{
  JmSlice rest = jm_slice_trim (self->columns[JM_SACCT_STATE]);
  JmSlice state = rest;

  jm_slice_take_word (&rest, ' ', &state);

  return state;
}

gboolean
jm_sacct_row_is_waiting (const JmSacctRow *self)
{
  guint64 time;
  gboolean has_start, has_end;

  if (jm_slice_equal (get_state (self), "PENDING"))
    return TRUE;

  return jm_slurm_parse_time (self->columns[JM_SACCT_START], &time, &has_start) &&
         jm_slurm_parse_time (self->columns[JM_SACCT_END], &time, &has_end) &&
         !has_start && !has_end;
}

/* --- values --- */

/* What is behind the point of `00:12.953`. */
static gboolean
parse_fraction (JmSlice text, guint64 *microseconds)
{
  guint64 sum = 0;

  if (text.length == 0 || text.length > FRACTION_DIGITS)
    return FALSE;

  for (gsize i = 0; i < FRACTION_DIGITS; i++)
    {
      if (i < text.length && !g_ascii_isdigit (text.text[i]))
        return FALSE;
      sum = sum * 10 + (i < text.length ? (guint64) (text.text[i] - '0') : 0);
    }
  *microseconds = sum;

  return TRUE;
}

/* [DAYS-][HOURS:]MINUTES:SECONDS[.FRACTION], in microseconds. */
static gboolean
parse_cpu_time (JmSlice text, guint64 *value, gboolean *has)
{
  JmSlice rest = text;
  JmSlice whole;
  guint64 seconds;
  guint64 fraction = 0;

  if (!jm_slice_take_word (&rest, '.', &whole) ||
      !jm_slurm_parse_duration (whole, &seconds, has) ||
      (rest.text != NULL && !parse_fraction (rest, &fraction)))
    return FALSE;
  if (*has)
    *value = seconds * G_USEC_PER_SEC + fraction;

  return TRUE;
}

/* With `--noconvert` in bytes, unless a release leaves the letter there. Nothing that
 * ran had none. */
static gboolean
parse_bytes (JmSlice text, guint64 *value, gboolean *has)
{
  gboolean is_number = text.length > 0 &&
                       g_ascii_isdigit (text.text[text.length - 1]) &&
                       memchr (text.text, '.', text.length) == NULL;
  gboolean is_good = is_number ? jm_slurm_parse_count (text, value, has)
                               : jm_slurm_parse_memory (text, value, has);

  *has = is_good && *has && *value > 0;

  return is_good;
}

static gboolean
parse_minutes (JmSlice text, guint64 *value, gboolean *has)
{
  /* the partition's limit is not told */
  if (jm_slice_equal (text, "Partition_Limit"))
    {
      *has = FALSE;
      return TRUE;
    }
  if (!jm_slurm_parse_count (text, value, has))
    return FALSE;
  if (*has && *value > G_MAXINT64 / SECONDS_OF_MINUTE)
    return FALSE;
  if (*has)
    *value *= SECONDS_OF_MINUTE;

  return TRUE;
}

/* Without any meter Slurm says 0. */
static gboolean
parse_joules (JmSlice text, guint64 *value, gboolean *has)
{
  if (!jm_slurm_parse_count (text, value, has))
    return FALSE;

  *has = *has && *value > 0 && *value <= G_MAXINT64 / MICROJOULES_OF_JOULE;
  if (*has)
    *value *= MICROJOULES_OF_JOULE;

  return TRUE;
}

/* 0 of what a run was given means that it is not known. */
static gboolean
parse_size (JmSlice text, guint64 *value, gboolean *has)
{
  gboolean is_good = jm_slurm_parse_count (text, value, has);

  *has = is_good && *has && *value > 0;

  return is_good;
}

/* -1 where there is none, or it breaks its format. */
static gint64
take (const JmSacctRow *self,
      JmSacctColumn column,
      JmSlurmParse parse,
      JmSacctColumns *bad)
{
  gint64 value = -1;

  if (!jm_slurm_take_value (jm_slice_trim (self->columns[column]), parse, &value))
    *bad |= 1u << column;

  return value;
}

/* `3:0` or `0:15`: what it ended with, and by which signal. `0:125` is Slurm's mark of
 * the OOM killer: no signal of a kernel has that number. */
static void
take_exit_code (const JmSacctRow *self,
                gint64 *code,
                gint64 *signal,
                JmSacctColumns *bad)
{
  JmSlice rest = jm_slice_trim (self->columns[JM_SACCT_EXIT_CODE]);
  JmSlice word;

  *code = -1;
  *signal = -1;
  if (!jm_slice_take_word (&rest, ':', &word))
    return;
  if (!jm_slurm_take_value (word, jm_slurm_parse_count, code) ||
      (rest.text != NULL && !jm_slurm_take_value (rest, jm_slurm_parse_count, signal)))
    *bad |= 1u << JM_SACCT_EXIT_CODE;
  if (*signal == 0 || *signal > MAX_SIGNAL)
    *signal = -1;
}

static char *
make_text (JmSlice text)
{
  /* the database keeps no NUL */
  return text.length > 0 ? g_strndup (text.text, text.length) : NULL;
}

static char *
make_name (JmSlice text)
{
  return jm_slurm_is_no_name (text) ? NULL : make_text (text);
}

static gboolean
is_digits (JmSlice text)
{
  for (gsize i = 0; i < text.length; i++)
    if (!g_ascii_isdigit (text.text[i]))
      return FALSE;

  return text.length > 0;
}

/* --- a run --- */

static void
set_text (JmStoredRun *run, JmRunField field, JmSlice text)
{
  g_autofree char *copy = make_name (text);

  jm_stored_run_set_text (run, field, copy);
}

/* `12_3`, `12_[4-9]`, `12+1`. */
static void
set_ids (JmStoredRun *run, JmSlice id)
{
  JmSlice rest = id;
  JmSlice word;

  set_text (run, JM_RUN_FIELD_JOBID, id);
  jm_slice_take_word (&rest, '_', &word);
  if (rest.text != NULL && is_digits (word))
    {
      set_text (run, JM_RUN_FIELD_ARRAY_JOBID, word);
      if (is_digits (rest))
        set_text (run, JM_RUN_FIELD_ARRAY_TASKID, rest);
      return;
    }

  rest = id;
  jm_slice_take_word (&rest, '+', &word);
  if (rest.text == NULL || !is_digits (word) || !is_digits (rest))
    return;
  set_text (run, JM_RUN_FIELD_HET_JOBID, word);
  set_text (run, JM_RUN_FIELD_HET_OFFSET, rest);
}

static void
set_texts (const JmSacctRow *self, JmStoredRun *run)
{
  static const struct
  {
    JmSacctColumn column;
    JmRunField field;
  } texts[] = { { JM_SACCT_USER, JM_RUN_FIELD_USER },
                { JM_SACCT_ACCOUNT, JM_RUN_FIELD_ACCOUNT },
                { JM_SACCT_PARTITION, JM_RUN_FIELD_PARTITION },
                { JM_SACCT_QOS, JM_RUN_FIELD_QOS },
                { JM_SACCT_ALLOCATED, JM_RUN_FIELD_TRES } };
  g_autofree char *name = make_text (self->columns[JM_SACCT_NAME]);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    set_text (run, texts[i].field, self->columns[texts[i].column]);
  set_text (run, JM_RUN_FIELD_STATE, get_state (self));
  jm_stored_run_set_text (run, JM_RUN_FIELD_NAME, name);
}

/* A time that cannot be read was one, too. */
typedef struct
{
  gboolean has_begun;
  gboolean has_ended;
} Life;

/* Of what ended without a node older and newer releases say that it began when it
 * ended. */
static gboolean
has_nodes (const JmSacctRow *self)
{
  JmSlice list = self->columns[JM_SACCT_NODE_LIST];

  return !jm_slurm_is_no_name (list) && !jm_slice_equal (list, "None assigned");
}

static void
set_times (const JmSacctRow *self,
           JmStoredRun *run,
           gint64 now,
           Life *life,
           JmSacctColumns *bad)
{
  gint64 submit = take (self, JM_SACCT_SUBMIT, jm_slurm_parse_time, bad);
  gint64 eligible = take (self, JM_SACCT_ELIGIBLE, jm_slurm_parse_time, bad);
  gint64 limit = take (self, JM_SACCT_TIME_LIMIT, parse_minutes, bad);
  gint64 start = take (self, JM_SACCT_START, jm_slurm_parse_time, bad);
  gint64 end = take (self, JM_SACCT_END, jm_slurm_parse_time, bad);

  life->has_begun = start >= 0 || (*bad & 1u << JM_SACCT_START) != 0;
  life->has_ended = end >= 0 || (*bad & 1u << JM_SACCT_END) != 0;
  if (life->has_ended && !has_nodes (self))
    {
      life->has_begun = FALSE;
      start = -1;
    }
  jm_stored_run_set_number (run, JM_RUN_FIELD_SUBMIT_TIME, submit);
  jm_stored_run_set_number (run, JM_RUN_FIELD_ELIGIBLE_TIME, eligible);
  jm_stored_run_set_number (run, JM_RUN_FIELD_START_TIME, start);
  jm_stored_run_set_number (run, JM_RUN_FIELD_END_TIME, end);
  jm_stored_run_set_number (run, JM_RUN_FIELD_TIME_LIMIT, limit);
  if (!life->has_ended)
    jm_stored_run_set_number (run, JM_RUN_FIELD_SEEN_TIME, MAX (now, start));
}

static void
parse_tres (const JmSacctRow *self,
            JmSacctColumn column,
            JmSlurmTres *tres,
            JmSacctColumns *bad)
{
  if (!jm_slurm_parse_tres (self->columns[column], tres))
    *bad |= 1u << column;
}

static void
set_tres (const JmSacctRow *self,
          JmStoredRun *run,
          JmSacctColumn column,
          JmRunField memory,
          JmRunField gpus,
          JmSacctColumns *bad)
{
  JmSlurmTres tres;

  parse_tres (self, column, &tres, bad);
  jm_stored_run_set_number (run, memory, tres.memory_bytes);
  jm_stored_run_set_number (run, gpus, tres.gpus);
}

static void
set_allocated (const JmSacctRow *self, JmStoredRun *run, JmSacctColumns *bad)
{
  jm_stored_run_set_number (run, JM_RUN_FIELD_NODES,
                            take (self, JM_SACCT_NODES, parse_size, bad));
  jm_stored_run_set_number (run, JM_RUN_FIELD_CPUS,
                            take (self, JM_SACCT_CPUS, parse_size, bad));
  jm_stored_run_set_number (run, JM_RUN_FIELD_ELAPSED,
                            take (self, JM_SACCT_ELAPSED, jm_slurm_parse_count, bad));
  set_text (run, JM_RUN_FIELD_NODE_LIST, self->columns[JM_SACCT_NODE_LIST]);
  set_tres (self, run, JM_SACCT_ALLOCATED, JM_RUN_FIELD_MEMORY_ALLOCATED,
            JM_RUN_FIELD_GPUS_ALLOCATED, bad);
}

/* What Slurm has of one that goes on is of the steps that have ended: too little. */
static void
set_figures (const JmSacctRow *self, JmStoredRun *run, JmSacctColumns *bad)
{
  jm_stored_run_set_number (run, JM_RUN_FIELD_CPU_TOTAL,
                            take (self, JM_SACCT_CPU_TIME, parse_cpu_time, bad));
  jm_stored_run_set_number (run, JM_RUN_FIELD_CPU_USER,
                            take (self, JM_SACCT_USER_TIME, parse_cpu_time, bad));
  jm_stored_run_set_number (run, JM_RUN_FIELD_CPU_SYSTEM,
                            take (self, JM_SACCT_SYSTEM_TIME, parse_cpu_time, bad));
  jm_stored_run_set_number (run, JM_RUN_FIELD_ENERGY,
                            take (self, JM_SACCT_ENERGY, parse_joules, bad));
}

static void
set_end (const JmSacctRow *self, JmStoredRun *run, JmSacctColumns *bad)
{
  gint64 code, signal;

  take_exit_code (self, &code, &signal, bad);
  jm_stored_run_set_number (run, JM_RUN_FIELD_EXIT_CODE, code);
  jm_stored_run_set_number (run, JM_RUN_FIELD_EXIT_SIGNAL, signal);
}

JmStoredRun *
jm_sacct_row_make_run (const JmSacctRow *self,
                       const char *cluster,
                       gint64 now,
                       JmSacctColumns *bad)
{
  g_autofree char *raw_id = make_text (self->columns[JM_SACCT_RAW_ID]);
  JmStoredRun *run;
  Life life;

  *bad = 0;
  if (!is_digits (self->columns[JM_SACCT_RAW_ID]))
    {
      *bad = 1u << JM_SACCT_RAW_ID;
      return NULL;
    }

  run = jm_stored_run_new (cluster, raw_id);
  jm_stored_run_set_scheduler (run, "slurm");
  set_ids (run, self->columns[JM_SACCT_JOB_ID]);
  set_texts (self, run);
  jm_stored_run_set_number (run, JM_RUN_FIELD_UID,
                            take (self, JM_SACCT_UID, jm_slurm_parse_count, bad));
  set_times (self, run, now, &life, bad);
  set_tres (self, run, JM_SACCT_REQUESTED, JM_RUN_FIELD_MEMORY_REQUESTED,
            JM_RUN_FIELD_GPUS_REQUESTED, bad);

  if (life.has_begun)
    set_allocated (self, run, bad);
  if (life.has_ended)
    set_end (self, run, bad);
  if (life.has_begun && life.has_ended)
    set_figures (self, run, bad);

  return run;
}

/* --- a step --- */

/* An end that cannot be read is one. */
static gboolean
has_step_ended (JmRunPart *step, JmSacctColumns bad)
{
  gint64 end;

  return (bad & 1u << JM_SACCT_END) != 0 ||
         jm_run_part_get_number (step, JM_RUN_PART_FIELD_END_TIME, &end);
}

static void
set_step_numbers (const JmSacctRow *self, JmRunPart *step, JmSacctColumns *bad)
{
  static const struct
  {
    JmSacctColumn column;
    JmSlurmParse parse;
    JmRunPartField field;
    gboolean is_figure; /* which is there at the end alone */
  } numbers[] = {
    { JM_SACCT_START, jm_slurm_parse_time, JM_RUN_PART_FIELD_START_TIME, FALSE },
    { JM_SACCT_END, jm_slurm_parse_time, JM_RUN_PART_FIELD_END_TIME, FALSE },
    { JM_SACCT_NODES, parse_size, JM_RUN_PART_FIELD_NODES, FALSE },
    { JM_SACCT_TASKS, parse_size, JM_RUN_PART_FIELD_STEP_TASKS, FALSE },
    { JM_SACCT_CPUS, parse_size, JM_RUN_PART_FIELD_CPUS, FALSE },
    { JM_SACCT_CPU_TIME, parse_cpu_time, JM_RUN_PART_FIELD_CPU_TOTAL, TRUE },
    { JM_SACCT_USER_TIME, parse_cpu_time, JM_RUN_PART_FIELD_CPU_USER, TRUE },
    { JM_SACCT_SYSTEM_TIME, parse_cpu_time, JM_RUN_PART_FIELD_CPU_SYSTEM, TRUE },
    { JM_SACCT_MEMORY_PEAK, parse_bytes, JM_RUN_PART_FIELD_MEMORY_PEAK, FALSE },
    { JM_SACCT_ENERGY, parse_joules, JM_RUN_PART_FIELD_ENERGY, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      gint64 value = take (self, numbers[i].column, numbers[i].parse, bad);

      if (!numbers[i].is_figure || has_step_ended (step, *bad))
        jm_run_part_set_number (step, numbers[i].field, value);
    }
}

static void
set_step_text (JmRunPart *step, JmRunPartField field, JmSlice text)
{
  g_autofree char *copy = make_text (text);

  jm_run_part_set_text (step, field, copy);
}

static void
set_step_end (const JmSacctRow *self, JmRunPart *step, JmSacctColumns *bad)
{
  gint64 code, signal;

  take_exit_code (self, &code, &signal, bad);
  if (!has_step_ended (step, *bad))
    return;

  jm_run_part_set_number (step, JM_RUN_PART_FIELD_EXIT_CODE, code);
  jm_run_part_set_number (step, JM_RUN_PART_FIELD_EXIT_SIGNAL, signal);
}

JmRunPart *
jm_sacct_row_make_step (const JmSacctRow *self, JmSacctColumns *bad)
{
  JmSlice name = self->columns[JM_SACCT_RAW_ID];
  JmRunPart *step;
  JmSlice job;
  JmSlurmTres tres;

  *bad = 0;
  if (!jm_slice_take_word (&name, '.', &job) || !is_digits (job) || name.length == 0)
    {
      *bad = 1u << JM_SACCT_RAW_ID;
      return NULL;
    }

  step = jm_run_part_new (JM_RUN_PART_KIND_STEP);
  set_step_text (step, JM_RUN_PART_FIELD_NAME, name);
  set_step_text (step, JM_RUN_PART_FIELD_STATE, get_state (self));
  set_step_numbers (self, step, bad);
  set_step_end (self, step, bad);
  parse_tres (self, JM_SACCT_ALLOCATED, &tres, bad);
  jm_run_part_set_number (step, JM_RUN_PART_FIELD_GPUS_ALLOCATED, tres.gpus);

  return step;
}
