/* jm-sacct-row.c: a row of Slurm's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-sacct-row-private.h"

#include <string.h>

#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "schedulers/slurm/jm-slurm-table-private.h"
#include "schedulers/slurm/jm-slurm-tres-private.h"

#define SECONDS_OF_MINUTE 60
#define MICROJOULES_OF_JOULE 1000000
#define FRACTION_DIGITS 6
/* SIGRTMAX */
#define MAX_SIGNAL 64

#define BITS_OF_DIGIT 4
/* As much of a list as Slurm shows where it is not told otherwise. */
#define LENGTH_MAX 63
#define DOTS "..."
/* Only of what reaches farther Slurm says `first-last:step`. */
#define STEP_MIN_REACH 10

typedef struct
{
  const char *digits; /* the last has the lowest bits */
  gsize n_bits;
} Bits;

/* When a run or a step has a value. */
typedef enum
{
  WHEN_NEVER,
  WHEN_KNOWN,
  WHEN_BEGUN,
  WHEN_ENDED,
  WHEN_OVER, /* it has begun and ended */
} When;

static gboolean parse_cpu_time (JmSlice text, guint64 *value, gboolean *has);
static gboolean parse_bytes (JmSlice text, guint64 *value, gboolean *has);
static gboolean parse_minutes (JmSlice text, guint64 *value, gboolean *has);

/* Slurm's fields, as sacct calls them. */
static const struct
{
  const char *name;
  JmSchedulerParse parse; /* NULL of text */
  gint64 unit;            /* of the run's in one of Slurm's; 0 of text and times */
  gboolean may_be_0;      /* else 0 means that it is not known */
  When when_run;
  JmRunField run;
  When when_step;
  JmRunPartField step;
} fields[JM_N_SACCT_COLUMNS] = {
  [JM_SACCT_RAW_ID] = { "JobIDRaw" },
  [JM_SACCT_JOB_ID] = { "JobID" },
  [JM_SACCT_USER] = { "User", NULL, 0, FALSE, WHEN_KNOWN, JM_RUN_FIELD_USER },
  [JM_SACCT_UID] = { "UID", jm_scheduler_parse_count, 1, TRUE, WHEN_KNOWN,
                     JM_RUN_FIELD_UID },
  [JM_SACCT_ACCOUNT] = { "Account", NULL, 0, FALSE, WHEN_KNOWN, JM_RUN_FIELD_ACCOUNT },
  [JM_SACCT_PARTITION] = { "Partition", NULL, 0, FALSE, WHEN_KNOWN,
                           JM_RUN_FIELD_PARTITION },
  [JM_SACCT_QOS] = { "QOS", NULL, 0, FALSE, WHEN_KNOWN, JM_RUN_FIELD_QOS },
  [JM_SACCT_STATE] = { "State" },
  [JM_SACCT_SUBMIT] = { "Submit", jm_scheduler_parse_time, 1, FALSE, WHEN_KNOWN,
                        JM_RUN_FIELD_SUBMIT_TIME },
  [JM_SACCT_ELIGIBLE] = { "Eligible", jm_scheduler_parse_time, 1, FALSE, WHEN_KNOWN,
                          JM_RUN_FIELD_ELIGIBLE_TIME },
  [JM_SACCT_START] = { "Start", jm_scheduler_parse_time, 1, FALSE, WHEN_BEGUN,
                       JM_RUN_FIELD_START_TIME, WHEN_KNOWN,
                       JM_RUN_PART_FIELD_START_TIME },
  [JM_SACCT_END] = { "End", jm_scheduler_parse_time, 1, FALSE, WHEN_KNOWN,
                     JM_RUN_FIELD_END_TIME, WHEN_KNOWN, JM_RUN_PART_FIELD_END_TIME },
  [JM_SACCT_TIME_LIMIT] = { "TimelimitRaw", parse_minutes, SECONDS_OF_MINUTE, TRUE,
                            WHEN_KNOWN, JM_RUN_FIELD_TIME_LIMIT },
  [JM_SACCT_ELAPSED] = { "ElapsedRaw", jm_scheduler_parse_count, 1, TRUE, WHEN_BEGUN,
                         JM_RUN_FIELD_ELAPSED },
  [JM_SACCT_EXIT_CODE] = { "ExitCode", jm_scheduler_parse_count, 1, TRUE, WHEN_ENDED,
                           JM_RUN_FIELD_EXIT_CODE, WHEN_ENDED,
                           JM_RUN_PART_FIELD_EXIT_CODE },
  [JM_SACCT_NODES] = { "NNodes", jm_scheduler_parse_count, 1, FALSE, WHEN_BEGUN,
                       JM_RUN_FIELD_NODES, WHEN_KNOWN, JM_RUN_PART_FIELD_NODES },
  [JM_SACCT_CPUS] = { "AllocCPUS", jm_scheduler_parse_count, 1, FALSE, WHEN_BEGUN,
                      JM_RUN_FIELD_CPUS, WHEN_KNOWN, JM_RUN_PART_FIELD_CPUS },
  [JM_SACCT_TASKS] = { "NTasks", jm_scheduler_parse_count, 1, FALSE, WHEN_NEVER, 0,
                       WHEN_KNOWN, JM_RUN_PART_FIELD_STEP_TASKS },
  [JM_SACCT_ALLOCATED] = { "AllocTRES", NULL, 0, FALSE, WHEN_KNOWN, JM_RUN_FIELD_TRES },
  [JM_SACCT_REQUESTED] = { "ReqTRES" },
  [JM_SACCT_NODE_LIST] = { "NodeList", NULL, 0, FALSE, WHEN_BEGUN,
                           JM_RUN_FIELD_NODE_LIST },
  [JM_SACCT_NAME] = { "JobName" },
  [JM_SACCT_CPU_TIME] = { "TotalCPU", parse_cpu_time, 1, TRUE, WHEN_OVER,
                          JM_RUN_FIELD_CPU_TOTAL, WHEN_ENDED,
                          JM_RUN_PART_FIELD_CPU_TOTAL },
  [JM_SACCT_USER_TIME] = { "UserCPU", parse_cpu_time, 1, TRUE, WHEN_OVER,
                           JM_RUN_FIELD_CPU_USER, WHEN_ENDED,
                           JM_RUN_PART_FIELD_CPU_USER },
  [JM_SACCT_SYSTEM_TIME] = { "SystemCPU", parse_cpu_time, 1, TRUE, WHEN_OVER,
                             JM_RUN_FIELD_CPU_SYSTEM, WHEN_ENDED,
                             JM_RUN_PART_FIELD_CPU_SYSTEM },
  /* nothing that ran had none */
  [JM_SACCT_MEMORY_PEAK] = { "MaxRSS", parse_bytes, 1, FALSE, WHEN_NEVER, 0, WHEN_KNOWN,
                             JM_RUN_PART_FIELD_MEMORY_PEAK },
  /* 0 without any meter */
  [JM_SACCT_ENERGY] = { "ConsumedEnergyRaw", jm_scheduler_parse_count,
                        MICROJOULES_OF_JOULE, FALSE, WHEN_OVER, JM_RUN_FIELD_ENERGY,
                        WHEN_KNOWN, JM_RUN_PART_FIELD_ENERGY },
};

const char *
jm_sacct_column_get_name (JmSacctColumn column)
{
  return fields[column].name;
}

gboolean
jm_sacct_column_is_text (JmSacctColumn column)
{
  return fields[column].parse == NULL;
}

char *
jm_sacct_make_format (void)
{
  g_autoptr (GString) format = g_string_new ("--format=");

  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    g_string_append_printf (format, "%s%s", i > 0 ? "," : "", fields[i].name);

  return g_string_free (g_steal_pointer (&format), FALSE);
}

/* --- columns --- */

gboolean
jm_sacct_row_split (JmSlice cells[JM_N_SACCT_COLUMNS],
                    JmSlice text,
                    const char *delimiter)
{
  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    if (!jm_slurm_take_cell (&text, delimiter, &cells[i]))
      return FALSE;

  return text.text == NULL;
}

void
jm_sacct_row_init (JmSacctRow *self)
{
  *self = (JmSacctRow){ .signal = -1 };
  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    if (fields[i].parse != NULL)
      self->values[i].number = -1;
}

/* Empty for none. */
static JmSlice
get_text (const JmSacctRow *self, JmSacctColumn column)
{
  const char *text = self->values[column].text;

  return text != NULL ? (JmSlice){ text, strlen (text) } : (JmSlice){ "", 0 };
}

gboolean
jm_sacct_row_is_step (const JmSacctRow *self)
{
  const char *id = self->values[JM_SACCT_RAW_ID].text;

  return id != NULL && strchr (id, '.') != NULL;
}

JmSlice
jm_sacct_row_get_raw_id (const JmSacctRow *self)
{
  JmSlice rest = get_text (self, JM_SACCT_RAW_ID);
  JmSlice id = rest;

  jm_slice_take_word (&rest, '.', &id);

  return id;
}

/* `CANCELLED by 1000` is a state and who did it. */
static JmSlice
get_state (const JmSacctRow *self)
{
  JmSlice rest = jm_slice_trim (get_text (self, JM_SACCT_STATE));
  JmSlice state = rest;

  jm_slice_take_word (&rest, ' ', &state);

  return state;
}

static gboolean
is_bad (const JmSacctRow *self, JmSacctColumn column)
{
  return (self->bad & 1u << column) != 0;
}

/* A time that cannot be read was one, too. */
static gboolean
has_time (const JmSacctRow *self, JmSacctColumn column)
{
  return is_bad (self, column) || self->values[column].number > 0;
}

gboolean
jm_sacct_row_is_waiting (const JmSacctRow *self)
{
  return jm_slice_equal (get_state (self), "PENDING") ||
         (!has_time (self, JM_SACCT_START) && !has_time (self, JM_SACCT_END));
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
      !jm_scheduler_parse_duration (whole, &seconds, has) ||
      (rest.text != NULL && !parse_fraction (rest, &fraction)))
    return FALSE;
  if (*has)
    *value = seconds * G_USEC_PER_SEC + fraction;

  return TRUE;
}

/* With `--noconvert` in bytes, unless a release leaves the letter there. */
static gboolean
parse_bytes (JmSlice text, guint64 *value, gboolean *has)
{
  gboolean is_number = text.length > 0 &&
                       g_ascii_isdigit (text.text[text.length - 1]) &&
                       memchr (text.text, '.', text.length) == NULL;

  return is_number ? jm_scheduler_parse_count (text, value, has)
                   : jm_scheduler_parse_memory (text, value, has);
}

static gboolean
parse_minutes (JmSlice text, guint64 *value, gboolean *has)
{
  /* the partition's limit is not known */
  *has = FALSE;

  return jm_slice_equal (text, "Partition_Limit") ||
         (jm_scheduler_parse_count (text, value, has) &&
          (!*has || *value <= G_MAXINT64 / SECONDS_OF_MINUTE));
}

/* `3:0` or `0:15`: the code that it ended with, and the signal that ended it. */
static gboolean
read_exit_code (JmSacctRow *self, JmSlice rest)
{
  gint64 *code = &self->values[JM_SACCT_EXIT_CODE].number;
  JmSlice word;

  return !jm_slice_take_word (&rest, ':', &word) ||
         (jm_scheduler_take_value (word, jm_scheduler_parse_count, code) &&
          (rest.text == NULL ||
           jm_scheduler_take_value (rest, jm_scheduler_parse_count, &self->signal)));
}

void
jm_sacct_row_read (JmSacctRow *self,
                   const JmSlice cells[JM_N_SACCT_COLUMNS],
                   GStringChunk *texts)
{
  jm_sacct_row_init (self);
  self->cells = cells;
  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    {
      JmSlice cell = jm_slice_trim (cells[i]);
      gboolean is_good = TRUE;

      if (fields[i].parse == NULL)
        self->values[i].text =
          g_string_chunk_insert_len (texts, cells[i].text, (gssize) cells[i].length);
      else if (i == JM_SACCT_EXIT_CODE)
        is_good = read_exit_code (self, cell);
      else
        is_good =
          jm_scheduler_take_value (cell, fields[i].parse, &self->values[i].number);
      if (!is_good)
        self->bad |= 1u << i;
    }
}

void
jm_sacct_row_set_cpu_times (JmSacctRow *self, gint64 user_us, gint64 system_us)
{
  self->values[JM_SACCT_USER_TIME].number = user_us;
  self->values[JM_SACCT_SYSTEM_TIME].number = system_us;
  self->values[JM_SACCT_CPU_TIME].number =
    user_us >= 0 && system_us >= 0 ? user_us + system_us : -1;
}

static gboolean
has_bit (const Bits *self, gsize bit)
{
  gsize n_digits = self->n_bits / BITS_OF_DIGIT;
  int digit = g_ascii_xdigit_value (self->digits[n_digits - 1 - bit / BITS_OF_DIGIT]);

  return (digit >> (bit % BITS_OF_DIGIT) & 1) != 0;
}

/* The first from @bit on; @n_bits where there is none. */
static gsize
find_bit (const Bits *self, gsize bit, gboolean is_set)
{
  while (bit < self->n_bits && has_bit (self, bit) != is_set)
    bit++;

  return bit;
}

/* `1-9:2`, or NULL. */
static char *
make_steps (const Bits *self)
{
  gsize first = find_bit (self, 0, TRUE);
  gsize second = find_bit (self, first + 1, TRUE);
  gsize last = second;

  if (second == self->n_bits || second - first == 1)
    return NULL;

  for (gsize next = find_bit (self, last + 1, TRUE); next < self->n_bits;
       next = find_bit (self, last + 1, TRUE))
    {
      if (next - last != second - first)
        return NULL;
      last = next;
    }
  if (last - first <= STEP_MIN_REACH)
    return NULL;

  return g_strdup_printf ("%" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT,
                          first, last, second - first);
}

static char *
make_ranges (const Bits *self)
{
  g_autoptr (GString) list = g_string_new (NULL);
  gsize bit = find_bit (self, 0, TRUE);

  while (bit < self->n_bits && list->len <= LENGTH_MAX)
    {
      gsize end = find_bit (self, bit, FALSE);

      g_string_append_printf (list, "%s%" G_GSIZE_FORMAT, list->len > 0 ? "," : "",
                              bit);
      if (end - bit > 1)
        g_string_append_printf (list, "-%" G_GSIZE_FORMAT, end - 1);
      bit = find_bit (self, end, TRUE);
    }
  if (bit < self->n_bits || list->len > LENGTH_MAX)
    g_string_append (g_string_truncate (list, LENGTH_MAX - strlen (DOTS)), DOTS);

  return g_string_free (g_steal_pointer (&list), FALSE);
}

/* `0x1E` as `1-4`, as sacct shows it; cut with dots where it is long. Any other text is
 * one already. NULL where there is none. @at_once is how many may run, or 0. */
static char *
make_task_list (const char *text, gint64 at_once)
{
  g_autofree char *list = NULL;
  Bits bits;

  if (text == NULL || text[0] == '\0')
    return NULL;
  if (!g_str_has_prefix (text, "0x"))
    return g_strdup (text);

  bits.digits = text + strlen ("0x");
  bits.n_bits = strspn (bits.digits, "0123456789abcdefABCDEF") * BITS_OF_DIGIT;
  if (bits.n_bits == 0 || bits.digits[bits.n_bits / BITS_OF_DIGIT] != '\0' ||
      find_bit (&bits, 0, TRUE) == bits.n_bits)
    return NULL;

  list = make_steps (&bits);
  if (list == NULL)
    list = make_ranges (&bits);

  return at_once > 0 ? g_strdup_printf ("%s%%%" G_GINT64_FORMAT, list, at_once)
                     : g_steal_pointer (&list);
}

static char *
make_id (const JmSacctId *id)
{
  g_autofree char *tasks = make_task_list (id->array_tasks, id->array_at_once);

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
jm_sacct_row_set_id (JmSacctRow *self, const JmSacctId *id, GStringChunk *texts)
{
  g_autofree char *text = make_id (id);
  g_autofree char *raw_id =
    id->raw_id >= 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, id->raw_id) : g_strdup ("");

  self->values[JM_SACCT_RAW_ID].text = g_string_chunk_insert (texts, raw_id);
  self->values[JM_SACCT_JOB_ID].text = g_string_chunk_insert (texts, text);
}

void
jm_sacct_row_set_step_id (JmSacctRow *self,
                          gint64 job,
                          const char *step,
                          GStringChunk *texts)
{
  g_autofree char *text =
    g_strdup_printf ("%" G_GINT64_FORMAT ".%s", job, step != NULL ? step : "");

  self->values[JM_SACCT_RAW_ID].text = g_string_chunk_insert (texts, text);
}

/* In the unit of runs; -1 where it is not known. */
static gint64
get_number (const JmSacctRow *self, JmSacctColumn column)
{
  gint64 number = self->values[column].number;
  gint64 least = fields[column].may_be_0 ? 0 : 1;

  if (is_bad (self, column) || number < least ||
      number > G_MAXINT64 / fields[column].unit)
    return -1;

  return number * fields[column].unit;
}

/* `0:125` is Slurm's mark of the OOM killer: no signal of a kernel has that number. */
static gint64
get_signal (const JmSacctRow *self)
{
  gboolean is_signal = self->signal > 0 && self->signal <= MAX_SIGNAL &&
                       self->values[JM_SACCT_EXIT_CODE].number >= 0;

  return is_signal && !is_bad (self, JM_SACCT_EXIT_CODE) ? self->signal : -1;
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
  return jm_scheduler_is_no_name (text) ? NULL : make_text (text);
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
set_text (JmRun *run, JmRunField field, JmSlice text)
{
  g_autofree char *copy = make_name (text);

  jm_run_set_text (run, field, copy);
}

/* `12_3`, `12_[4-9]`, `12+1`. */
static void
set_ids (JmRun *run, JmSlice id)
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

/* Of what ended without a node older and newer releases say that it began when it
 * ended. */
static gboolean
has_nodes (const JmSacctRow *self)
{
  JmSlice list = get_text (self, JM_SACCT_NODE_LIST);

  return !jm_scheduler_is_no_name (list) && !jm_slice_equal (list, "None assigned");
}

/* Of a run that has not ended Slurm has the figures of the steps that have: too
 * little. */
static gboolean
is_due (When when, gboolean has_begun, gboolean has_ended)
{
  switch (when)
    {
    case WHEN_KNOWN:
      return TRUE;
    case WHEN_BEGUN:
      return has_begun;
    case WHEN_ENDED:
      return has_ended;
    case WHEN_OVER:
      return has_begun && has_ended;
    case WHEN_NEVER:
    default:
      return FALSE;
    }
}

static gboolean
set_tres (const JmSacctRow *self,
          JmRun *run,
          JmSacctColumn column,
          JmRunField memory,
          JmRunField gpus)
{
  JmSlurmTres tres;
  gboolean is_good = jm_slurm_parse_tres (get_text (self, column), &tres);

  jm_run_set_number (run, memory, tres.memory_bytes);
  jm_run_set_number (run, gpus, tres.gpus);

  return is_good;
}

static void
set_field (const JmSacctRow *self, JmRun *run, JmSacctColumn column)
{
  if (fields[column].parse == NULL)
    set_text (run, fields[column].run, get_text (self, column));
  else
    jm_run_set_number (run, fields[column].run, get_number (self, column));
}

JmRun *
jm_sacct_row_make_run (const JmSacctRow *self,
                       const char *cluster,
                       gint64 now,
                       JmSacctColumns *bad)
{
  const char *raw_id = self->values[JM_SACCT_RAW_ID].text;
  gboolean has_ended = has_time (self, JM_SACCT_END);
  gboolean has_begun =
    has_time (self, JM_SACCT_START) && (!has_ended || has_nodes (self));
  JmRun *run;

  *bad = 0;
  if (!is_digits (get_text (self, JM_SACCT_RAW_ID)))
    {
      *bad = 1u << JM_SACCT_RAW_ID;
      return NULL;
    }

  run = jm_run_new (cluster, raw_id);
  jm_run_set_scheduler (run, "slurm");
  set_ids (run, get_text (self, JM_SACCT_JOB_ID));
  set_text (run, JM_RUN_FIELD_STATE, get_state (self));
  jm_run_set_text (run, JM_RUN_FIELD_NAME, self->values[JM_SACCT_NAME].text);
  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    if (is_due (fields[i].when_run, has_begun, has_ended))
      {
        set_field (self, run, i);
        *bad |= self->bad & 1u << i;
      }
  if (has_ended)
    jm_run_set_number (run, JM_RUN_FIELD_EXIT_SIGNAL, get_signal (self));
  else
    jm_run_set_number (run, JM_RUN_FIELD_SEEN_TIME,
                       MAX (now, get_number (self, JM_SACCT_START)));
  if (!set_tres (self, run, JM_SACCT_REQUESTED, JM_RUN_FIELD_MEMORY_REQUESTED,
                 JM_RUN_FIELD_GPUS_REQUESTED))
    *bad |= 1u << JM_SACCT_REQUESTED;
  if (has_begun &&
      !set_tres (self, run, JM_SACCT_ALLOCATED, JM_RUN_FIELD_MEMORY_ALLOCATED,
                 JM_RUN_FIELD_GPUS_ALLOCATED))
    *bad |= 1u << JM_SACCT_ALLOCATED;

  return run;
}

/* --- a step --- */

static void
set_step_text (JmRunPart *step, JmRunPartField field, JmSlice text)
{
  g_autofree char *copy = make_text (text);

  jm_run_part_set_text (step, field, copy);
}

JmRunPart *
jm_sacct_row_make_step (const JmSacctRow *self, JmSacctColumns *bad)
{
  gboolean has_ended = has_time (self, JM_SACCT_END);
  JmSlice name = get_text (self, JM_SACCT_RAW_ID);
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
  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    if (is_due (fields[i].when_step, TRUE, has_ended))
      {
        jm_run_part_set_number (step, fields[i].step, get_number (self, i));
        *bad |= self->bad & 1u << i;
      }
  if (has_ended)
    jm_run_part_set_number (step, JM_RUN_PART_FIELD_EXIT_SIGNAL, get_signal (self));
  if (!jm_slurm_parse_tres (get_text (self, JM_SACCT_ALLOCATED), &tres))
    *bad |= 1u << JM_SACCT_ALLOCATED;
  jm_run_part_set_number (step, JM_RUN_PART_FIELD_GPUS_ALLOCATED, tres.gpus);

  return step;
}
