/* jm-slurm-record.c: what Slurm's accounting has of a job or a step
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-record-private.h"

#include <string.h>

#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "core/jm-uuid-private.h"
#include "schedulers/slurm/jm-slurm-tres-private.h"

#define SECONDS_OF_MINUTE 60
#define MICROJOULES_OF_JOULE 1000000
#define FRACTION_DIGITS 6
/* SIGRTMAX */
#define MAX_SIGNAL 64
#define BIT(field) (1u << (field))

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

/* The one table of what is read, of whomever it is asked. */
static const struct
{
  /* what it is called; NULL where it is not there */
  const char *sacct;
  const char *rest;
  const char *rest_step;
  const char *view;
  const char *view_step;
  JmSchedulerParse parse; /* of what sacct prints; NULL of text */
  gint64 unit;            /* of the run's in one of Slurm's; 0 of text */
  gboolean may_be_0;      /* else 0 means that it is not known */
  When when_run;
  JmRunField run;
  When when_step;
  JmQuantityId step;
} fields[JM_N_SLURM_RECORD_FIELDS] = {
  [JM_SLURM_RECORD_RAW_ID] = { "JobIDRaw" },
  [JM_SLURM_RECORD_JOB_ID] = { "JobID", NULL, NULL, NULL, NULL, NULL, 0, FALSE,
                               WHEN_KNOWN, JM_RUN_FIELD_JOBID },
  [JM_SLURM_RECORD_USER] = { "User", "user", NULL, "j.user", NULL, NULL, 0, FALSE,
                             WHEN_KNOWN, JM_RUN_FIELD_USER },
  [JM_SLURM_RECORD_UID] = { "UID", NULL, NULL, "j.id_user", NULL,
                            jm_scheduler_parse_count, 1, TRUE, WHEN_KNOWN,
                            JM_RUN_FIELD_UID },
  [JM_SLURM_RECORD_ACCOUNT] = { "Account", "account", NULL, "j.account", NULL, NULL, 0,
                                FALSE, WHEN_KNOWN, JM_RUN_FIELD_ACCOUNT },
  [JM_SLURM_RECORD_PARTITION] = { "Partition", "partition", NULL, "j.`partition`", NULL,
                                  NULL, 0, FALSE, WHEN_KNOWN, JM_RUN_FIELD_PARTITION },
  [JM_SLURM_RECORD_QOS] = { "QOS", "qos", NULL, "j.qos", NULL, NULL, 0, FALSE,
                            WHEN_KNOWN, JM_RUN_FIELD_QOS },
  [JM_SLURM_RECORD_STATE] = { "State", "state.current", "steps.state", "j.state",
                              "s.state", NULL, 0, FALSE, WHEN_KNOWN, JM_RUN_FIELD_STATE,
                              WHEN_KNOWN, JM_QUANTITY_STATE },
  [JM_SLURM_RECORD_SUBMIT] = { "Submit", "time.submission", NULL, "j.time_submit", NULL,
                               jm_scheduler_parse_time, 1, FALSE, WHEN_KNOWN,
                               JM_RUN_FIELD_SUBMIT_TIME },
  [JM_SLURM_RECORD_ELIGIBLE] = { "Eligible", "time.eligible", NULL, "j.time_eligible",
                                 NULL, jm_scheduler_parse_time, 1, FALSE, WHEN_KNOWN,
                                 JM_RUN_FIELD_ELIGIBLE_TIME },
  [JM_SLURM_RECORD_START] = { "Start", "time.start", "steps.time.start", "j.time_start",
                              "s.time_start", jm_scheduler_parse_time, 1, FALSE,
                              WHEN_BEGUN, JM_RUN_FIELD_START_TIME, WHEN_KNOWN,
                              JM_QUANTITY_START_TIME },
  [JM_SLURM_RECORD_END] = { "End", "time.end", "steps.time.end", "j.time_end",
                            "s.time_end", jm_scheduler_parse_time, 1, FALSE, WHEN_KNOWN,
                            JM_RUN_FIELD_END_TIME, WHEN_KNOWN, JM_QUANTITY_END_TIME },
  [JM_SLURM_RECORD_TIME_LIMIT] = { "TimelimitRaw", "time.limit", NULL, "j.timelimit",
                                   NULL, parse_minutes, SECONDS_OF_MINUTE, TRUE,
                                   WHEN_KNOWN, JM_RUN_FIELD_TIME_LIMIT },
  [JM_SLURM_RECORD_ELAPSED] = { "ElapsedRaw", "time.elapsed", NULL, NULL, NULL,
                                jm_scheduler_parse_count, 1, TRUE, WHEN_OVER,
                                JM_RUN_FIELD_ELAPSED },
  [JM_SLURM_RECORD_EXIT_CODE] = { "ExitCode", "exit_code.return_code",
                                  "steps.exit_code.return_code", "j.exit_code",
                                  "s.exit_code", jm_scheduler_parse_count, 1, TRUE,
                                  WHEN_ENDED, JM_RUN_FIELD_EXIT_CODE, WHEN_ENDED,
                                  JM_QUANTITY_EXIT_CODE },
  [JM_SLURM_RECORD_NODES] = { "NNodes", "allocation_nodes", "steps.nodes.count",
                              "j.nodes_alloc", "s.nodes_alloc",
                              jm_scheduler_parse_count, 1, FALSE, WHEN_BEGUN,
                              JM_RUN_FIELD_NODES, WHEN_KNOWN, JM_QUANTITY_NODES },
  [JM_SLURM_RECORD_CPUS] = { "AllocCPUS", NULL, NULL, NULL, NULL,
                             jm_scheduler_parse_count, 1, FALSE, WHEN_BEGUN,
                             JM_RUN_FIELD_CPUS, WHEN_KNOWN, JM_QUANTITY_CPUS },
  [JM_SLURM_RECORD_TASKS] = { "NTasks", NULL, "steps.tasks.count", NULL, "s.task_cnt",
                              jm_scheduler_parse_count, 1, FALSE, WHEN_NEVER, 0,
                              WHEN_KNOWN, JM_QUANTITY_STEP_TASKS },
  [JM_SLURM_RECORD_ALLOCATED] = { "AllocTRES", NULL, NULL, "j.tres_alloc",
                                  "s.tres_alloc", NULL, 0, FALSE, WHEN_KNOWN,
                                  JM_RUN_FIELD_TRES },
  [JM_SLURM_RECORD_REQUESTED] = { "ReqTRES", NULL, NULL, "j.tres_req" },
  [JM_SLURM_RECORD_NODE_LIST] = { "NodeList", "nodes", NULL, "j.nodelist", NULL, NULL,
                                  0, FALSE, WHEN_BEGUN, JM_RUN_FIELD_NODE_LIST },
  [JM_SLURM_RECORD_NAME] = { "JobName", "name", NULL, "j.job_name", NULL, NULL, 0,
                             FALSE, WHEN_KNOWN, JM_RUN_FIELD_NAME },
  [JM_SLURM_RECORD_CPU_TIME] = { "TotalCPU", NULL, NULL, NULL, NULL, parse_cpu_time, 1,
                                 TRUE, WHEN_OVER, JM_RUN_FIELD_CPU_TOTAL, WHEN_ENDED,
                                 JM_QUANTITY_CPU_TOTAL },
  [JM_SLURM_RECORD_USER_TIME] = { "UserCPU", NULL, NULL, NULL,
                                  "s.user_sec * 1000000 + s.user_usec", parse_cpu_time,
                                  1, TRUE, WHEN_OVER, JM_RUN_FIELD_CPU_USER, WHEN_ENDED,
                                  JM_QUANTITY_CPU_USER },
  [JM_SLURM_RECORD_SYSTEM_TIME] = { "SystemCPU", NULL, NULL, NULL,
                                    "s.sys_sec * 1000000 + s.sys_usec", parse_cpu_time,
                                    1, TRUE, WHEN_OVER, JM_RUN_FIELD_CPU_SYSTEM,
                                    WHEN_ENDED, JM_QUANTITY_CPU_SYSTEM },
  /* nothing that ran had none */
  [JM_SLURM_RECORD_MEMORY_PEAK] = { "MaxRSS", NULL, NULL, NULL, "s.tres_usage_in_max",
                                    parse_bytes, 1, FALSE, WHEN_NEVER, 0, WHEN_KNOWN,
                                    JM_QUANTITY_MEMORY_PEAK },
  /* 0 without any meter */
  [JM_SLURM_RECORD_ENERGY] = { "ConsumedEnergyRaw", NULL,
                               "steps.statistics.energy.consumed", NULL,
                               "s.consumed_energy", jm_scheduler_parse_count,
                               MICROJOULES_OF_JOULE, FALSE, WHEN_OVER,
                               JM_RUN_FIELD_ENERGY, WHEN_KNOWN, JM_QUANTITY_ENERGY },
  [JM_SLURM_RECORD_SLUID] = { "OriginalSLUID", "original_sluid", NULL, "j.sluid", NULL,
                              NULL, 0, FALSE, WHEN_KNOWN, JM_RUN_FIELD_UUID },
};

const char *
jm_slurm_record_get_name (JmSlurmRecordField field, JmSlurmAsked asked)
{
  switch (asked)
    {
    case JM_SLURM_ASKED_REST:
      return fields[field].rest;
    case JM_SLURM_ASKED_REST_STEP:
      return fields[field].rest_step;
    case JM_SLURM_ASKED_VIEW:
      return fields[field].view;
    case JM_SLURM_ASKED_VIEW_STEP:
      return fields[field].view_step;
    case JM_SLURM_ASKED_SACCT:
    default:
      return fields[field].sacct;
    }
}

JmSlurmKind
jm_slurm_record_get_kind (JmSlurmRecordField field)
{
  if (field == JM_SLURM_RECORD_STATE)
    return JM_SLURM_WORDS;
  if (fields[field].parse == NULL)
    return field == JM_SLURM_RECORD_NAME ? JM_SLURM_ANY_TEXT : JM_SLURM_TEXT;

  return fields[field].parse == jm_scheduler_parse_time ? JM_SLURM_TIME
                                                        : JM_SLURM_COUNT;
}

gboolean
jm_slurm_record_is_text (JmSlurmRecordField field)
{
  return fields[field].parse == NULL;
}

char *
jm_slurm_record_make_format (guint n_fields)
{
  g_autoptr (GString) format = g_string_new ("--format=");

  for (guint i = 0; i < n_fields; i++)
    g_string_append_printf (format, "%s%s", i > 0 ? "," : "", fields[i].sacct);

  return g_string_free (g_steal_pointer (&format), FALSE);
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

static gboolean
is_digits (JmSlice text)
{
  for (gsize i = 0; i < text.length; i++)
    if (!g_ascii_isdigit (text.text[i]))
      return FALSE;

  return text.length > 0;
}

/* --- a record --- */

static char *
make_text (JmSlice text)
{
  /* the database keeps no NUL */
  return text.length > 0 ? g_strndup (text.text, text.length) : NULL;
}

void
jm_slurm_record_init_job (JmSlurmRecord *self, const char *cluster, JmSlice raw_id)
{
  g_autofree char *id = is_digits (raw_id) ? make_text (raw_id) : NULL;

  *self = (JmSlurmRecord){ .bad = id == NULL ? BIT (JM_SLURM_RECORD_RAW_ID) : 0 };
  if (id == NULL)
    return;

  self->run = jm_run_new (cluster, id);
  jm_run_set_scheduler (self->run, "slurm");
}

void
jm_slurm_record_init_step (JmSlurmRecord *self, JmSlice name)
{
  g_autofree char *copy = make_text (name);

  *self = (JmSlurmRecord){ .bad = copy == NULL ? BIT (JM_SLURM_RECORD_RAW_ID) : 0 };
  if (copy == NULL)
    return;

  self->step = jm_run_part_new (JM_RUN_PART_KIND_STEP);
  jm_run_part_set_text (self->step, JM_QUANTITY_NAME, copy);
}

void
jm_slurm_record_clear (JmSlurmRecord *self)
{
  g_clear_pointer (&self->run, jm_run_unref);
  g_clear_pointer (&self->step, jm_run_part_unref);
}

void
jm_slurm_record_set_number (JmSlurmRecord *self,
                            JmSlurmRecordField field,
                            gint64 number)
{
  gboolean is_known =
    number >= !fields[field].may_be_0 && number <= G_MAXINT64 / fields[field].unit;
  gint64 value = is_known ? number * fields[field].unit : -1;

  if (number > 0)
    self->given |= BIT (field);
  if (self->run != NULL && fields[field].when_run != WHEN_NEVER)
    jm_run_keep_number (self->run, fields[field].run, value);
  if (self->step != NULL && fields[field].when_step != WHEN_NEVER)
    jm_run_part_set_number (self->step, fields[field].step, value);
}

/* --- text --- */

static void
set_text (JmRun *run, JmRunField field, JmSlice text)
{
  g_autofree char *copy = jm_scheduler_is_no_name (text) ? NULL : make_text (text);

  jm_run_keep_text (run, field, copy);
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

/* `CANCELLED by 1000` is a state and who did it; flags stand behind a comma. Of a run
 * that was requeued slurmrestd has `PENDING,REQUEUED`, and sacct the flag alone. */
static JmSlice
get_state (JmSlice text)
{
  static const char pending[] = "PENDING,";
  gsize length = 0;

  text = jm_slice_trim (text);
  if (text.length > strlen (pending) &&
      strncmp (text.text, pending, strlen (pending)) == 0)
    text = (JmSlice){ text.text + strlen (pending), text.length - strlen (pending) };
  while (length < text.length && text.text[length] != ' ' && text.text[length] != ',')
    length++;

  return (JmSlice){ text.text, length };
}

void
jm_slurm_record_set_canceller (JmSlurmRecord *self, const char *user)
{
  if (self->run != NULL &&
      g_strcmp0 (jm_run_peek_text (self->run, JM_RUN_FIELD_STATE), "CANCELLED") == 0)
    jm_run_keep_text (self->run, JM_RUN_FIELD_CANCELLED_BY, user);
}

/* What is behind `CANCELLED by `: a number, or a name. */
static void
take_canceller (JmRun *run, JmSlice state)
{
  static const char between[] = " by ";
  const JmSlice text = jm_slice_trim (state);
  const char *at = g_strstr_len (text.text, (gssize) text.length, between);

  if (at != NULL)
    set_text (run, JM_RUN_FIELD_CANCELLED_BY,
              jm_slice_trim ((JmSlice){ at + strlen (between),
                                        text.length - (gsize) (at - text.text) -
                                          strlen (between) }));
}

/* A job may be called anything. */
static void
set_name (JmRun *run, JmSlice text)
{
  g_autofree char *copy = make_text (text);

  jm_run_keep_text (run, JM_RUN_FIELD_NAME, copy);
}

static void
set_step_state (JmRunPart *step, JmSlice text)
{
  g_autofree char *copy = make_text (text);

  jm_run_part_set_text (step, JM_QUANTITY_STATE, copy);
}

/* The run's uuid is made of it, as on the nodes: what accounting calls the SLUID alone
 * is another one once the job was resized. Runs of a release before have none: a 0 in
 * all places. */
static void
set_sluid (JmSlurmRecord *self, JmSlice text)
{
  g_autofree char *sluid = NULL;
  g_autofree char *uuid = NULL;

  text = jm_slice_trim (text);
  if (jm_scheduler_is_no_name (text) || jm_slice_equal (text, "s0000000000000"))
    return;
  if (!jm_is_sluid (text.text, text.length))
    {
      self->bad |= BIT (JM_SLURM_RECORD_SLUID);
      return;
    }

  sluid = make_text (text);
  uuid = jm_uuid_for_unique_id (self->run->scheduler, sluid);
  jm_run_keep_text (self->run, JM_RUN_FIELD_UUID, uuid);
}

void
jm_slurm_record_set_text (JmSlurmRecord *self, JmSlurmRecordField field, JmSlice text)
{
  if (field == JM_SLURM_RECORD_STATE && self->run != NULL)
    take_canceller (self->run, text);
  if (field == JM_SLURM_RECORD_STATE)
    text = get_state (text);
  if (self->step != NULL && field == JM_SLURM_RECORD_STATE)
    set_step_state (self->step, text);
  if (self->run == NULL)
    return;

  if (field == JM_SLURM_RECORD_JOB_ID)
    set_ids (self->run, text);
  else if (field == JM_SLURM_RECORD_NAME)
    set_name (self->run, text);
  else if (field == JM_SLURM_RECORD_SLUID)
    set_sluid (self, text);
  else if (fields[field].when_run != WHEN_NEVER)
    set_text (self->run, fields[field].run, text);
}

/* --- several at once --- */

void
jm_slurm_record_set_cpu_times (JmSlurmRecord *self, gint64 user_us, gint64 system_us)
{
  gboolean is_known = user_us >= 0 && system_us >= 0;

  jm_slurm_record_set_number (self, JM_SLURM_RECORD_USER_TIME, user_us);
  jm_slurm_record_set_number (self, JM_SLURM_RECORD_SYSTEM_TIME, system_us);
  jm_slurm_record_set_number (self, JM_SLURM_RECORD_CPU_TIME,
                              is_known ? user_us + system_us : -1);
}

/* `0:125` is Slurm's mark of the OOM killer: no signal of a kernel has that number. */
void
jm_slurm_record_set_exit (JmSlurmRecord *self, gint64 code, gint64 signal)
{
  gboolean is_signal = code >= 0 && signal > 0 && signal <= MAX_SIGNAL;

  jm_slurm_record_set_number (self, JM_SLURM_RECORD_EXIT_CODE, code);
  if (self->run != NULL)
    jm_run_keep_number (self->run, JM_RUN_FIELD_EXIT_SIGNAL, is_signal ? signal : -1);
  if (self->step != NULL)
    jm_run_part_set_number (self->step, JM_QUANTITY_EXIT_SIGNAL,
                            is_signal ? signal : -1);
}

static void
set_counted (JmSlurmRecord *self,
             JmSlurmRecordField field,
             gint64 memory_bytes,
             gint64 gpus)
{
  gboolean is_given = field == JM_SLURM_RECORD_ALLOCATED;

  if (self->run != NULL)
    {
      jm_run_keep_number (self->run,
                          is_given ? JM_RUN_FIELD_MEMORY_ALLOCATED
                                   : JM_RUN_FIELD_MEMORY_REQUESTED,
                          jm_slurm_get_job_memory (memory_bytes));
      jm_run_keep_number (self->run,
                          is_given ? JM_RUN_FIELD_GPUS_ALLOCATED
                                   : JM_RUN_FIELD_GPUS_REQUESTED,
                          gpus);
    }
  if (self->step != NULL && is_given)
    jm_run_part_set_number (self->step, JM_QUANTITY_GPUS_ALLOCATED, gpus);
}

void
jm_slurm_record_set_tres (JmSlurmRecord *self,
                          JmSlurmRecordField field,
                          JmSlurmTresList *list)
{
  g_autofree char *text = jm_slurm_tres_list_make_text (list);

  if (text != NULL)
    jm_slurm_record_set_text (self, field, (JmSlice){ text, strlen (text) });
  set_counted (self, field, list->memory_bytes, jm_slurm_tres_list_count_gpus (list));
  if (list->is_bad)
    self->bad |= BIT (field);
  if (field != JM_SLURM_RECORD_ALLOCATED)
    return;
  jm_slurm_record_set_number (self, JM_SLURM_RECORD_CPUS, list->cpus);
  if (self->run != NULL)
    jm_slurm_record_set_number (self, JM_SLURM_RECORD_ENERGY, list->energy_joules);
}

/* --- what sacct prints --- */

/* `3:0` or `0:15`: the code that it ended with, and the signal that ended it. */
static gboolean
read_exit_code (JmSlurmRecord *self, JmSlice rest)
{
  gint64 code = -1;
  gint64 signal = -1;
  JmSlice word;

  if (jm_slice_take_word (&rest, ':', &word) &&
      (!jm_scheduler_take_value (word, jm_scheduler_parse_count, &code) ||
       (rest.text != NULL &&
        !jm_scheduler_take_value (rest, jm_scheduler_parse_count, &signal))))
    return FALSE;
  jm_slurm_record_set_exit (self, code, signal);

  return TRUE;
}

static gboolean
read_tres (JmSlurmRecord *self, JmSlurmRecordField field, JmSlice text)
{
  JmSlurmTres tres;
  gboolean is_good = jm_slurm_parse_tres (text, &tres);

  jm_slurm_record_set_text (self, field, text);
  set_counted (self, field, tres.memory_bytes, tres.gpus);

  return is_good || (self->run == NULL && field == JM_SLURM_RECORD_REQUESTED);
}

static gboolean
read_number (JmSlurmRecord *self, JmSlurmRecordField field, JmSlice text)
{
  gint64 number = -1;

  if (!jm_scheduler_take_value (text, fields[field].parse, &number))
    return FALSE;
  jm_slurm_record_set_number (self, field, number);

  return TRUE;
}

static gboolean
read_cell (JmSlurmRecord *self, JmSlurmRecordField field, JmSlice cell)
{
  switch (field)
    {
    case JM_SLURM_RECORD_ALLOCATED:
    case JM_SLURM_RECORD_REQUESTED:
      return read_tres (self, field, cell);
    case JM_SLURM_RECORD_EXIT_CODE:
      return read_exit_code (self, jm_slice_trim (cell));
    default:
      if (fields[field].parse != NULL)
        return read_number (self, field, jm_slice_trim (cell));
      jm_slurm_record_set_text (self, field, cell);
      return TRUE;
    }
}

void
jm_slurm_record_set_cell (JmSlurmRecord *self, JmSlurmRecordField field, JmSlice cell)
{
  if (!read_cell (self, field, cell))
    self->bad |= BIT (field);
}

/* --- once all is there --- */

/* A time that cannot be read was one, too. */
static gboolean
has_time (const JmSlurmRecord *self, JmSlurmRecordField field)
{
  return ((self->given | self->bad) & BIT (field)) != 0;
}

gboolean
jm_slurm_record_is_waiting (const JmSlurmRecord *self)
{
  const char *state =
    self->run != NULL ? jm_run_peek_text (self->run, JM_RUN_FIELD_STATE) : NULL;

  return g_strcmp0 (state, "PENDING") == 0 ||
         (!has_time (self, JM_SLURM_RECORD_START) &&
          !has_time (self, JM_SLURM_RECORD_END));
}

/* slurmrestd has for the end of what goes on the time at which it was asked. */
static gboolean
has_ended (const JmSlurmRecord *self)
{
  static const char *const going[] = { "PENDING", "RUNNING", "SUSPENDED", NULL };
  const char *state = self->run != NULL
                        ? jm_run_peek_text (self->run, JM_RUN_FIELD_STATE)
                        : jm_run_part_peek_text (self->step, JM_QUANTITY_STATE);

  return has_time (self, JM_SLURM_RECORD_END) &&
         (state == NULL || !g_strv_contains (going, state));
}

/* Of what ended without a node older and newer releases say that it began when it
 * ended. */
static gboolean
has_nodes (JmRun *run)
{
  const char *list = jm_run_peek_text (run, JM_RUN_FIELD_NODE_LIST);

  return list != NULL && !g_str_equal (list, "None assigned");
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

static void
finish_run (JmSlurmRecord *self, gint64 now)
{
  gboolean is_over = has_ended (self);
  gboolean has_begun =
    has_time (self, JM_SLURM_RECORD_START) && (!is_over || has_nodes (self->run));
  JmSlurmRecordFields due = BIT (JM_SLURM_RECORD_REQUESTED);

  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    if (is_due (fields[i].when_run, has_begun, is_over))
      due |= BIT (i);
    else if (fields[i].when_run != WHEN_NEVER)
      jm_run_clear (self->run, fields[i].run);
  if (!has_begun)
    {
      jm_run_clear (self->run, JM_RUN_FIELD_MEMORY_ALLOCATED);
      jm_run_clear (self->run, JM_RUN_FIELD_GPUS_ALLOCATED);
      due &= ~BIT (JM_SLURM_RECORD_ALLOCATED);
    }
  if (!is_over)
    {
      jm_run_clear (self->run, JM_RUN_FIELD_END_TIME);
      jm_run_clear (self->run, JM_RUN_FIELD_EXIT_SIGNAL);
      jm_run_keep_number (self->run, JM_RUN_FIELD_SEEN_TIME,
                          MAX (now, jm_run_peek (self->run, JM_RUN_FIELD_START_TIME)));
    }
  self->bad &= due;
}

static void
finish_step (JmSlurmRecord *self)
{
  gboolean is_over = has_ended (self);
  JmSlurmRecordFields due = BIT (JM_SLURM_RECORD_ALLOCATED);

  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    if (is_due (fields[i].when_step, TRUE, is_over))
      due |= BIT (i);
    else if (fields[i].when_step != WHEN_NEVER)
      jm_run_part_set_number (self->step, fields[i].step, -1);
  if (!is_over)
    {
      jm_run_part_set_number (self->step, JM_QUANTITY_END_TIME, -1);
      jm_run_part_set_number (self->step, JM_QUANTITY_EXIT_SIGNAL, -1);
    }
  self->bad &= due;
}

void
jm_slurm_record_finish (JmSlurmRecord *self, gint64 now)
{
  if (self->run != NULL)
    finish_run (self, now);
  else if (self->step != NULL)
    finish_step (self);
  else
    self->bad = BIT (JM_SLURM_RECORD_RAW_ID);
}
