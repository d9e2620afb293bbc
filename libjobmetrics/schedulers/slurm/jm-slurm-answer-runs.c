/* jm-slurm-answer-runs.c: the runs that slurmrestd tells of the accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-answer-past-private.h"

#include <string.h>

#include "schedulers/slurm/jm-sacct-row-private.h"
#include "schedulers/slurm/jm-slurm-tres-list-private.h"

#define LAST_VERSION_WITHOUT_CODES 38
/* More steps than Slurm lets any job have. */
#define STEPS_MAX 100000
#define CHUNK_BYTES 4096

typedef struct
{
  gint64 seconds;
  gint64 microseconds;
} Time;

typedef struct
{
  const char *type;
  const char *name;
  gint64 count;
} Tres;

typedef struct
{
  JmSacctRow job;
  JmSacctId id;
  const char *associated_user;
  JmSacctRow step;
  const char *step_id;
  Time user;
  Time system;
  Tres tres; /* the element that is open */
} Draft;

struct _JmSlurmRuns
{
  JmSacctRows *rows;
  gboolean has_codes;
  GStringChunk *texts; /* of the open job and its steps */
  GArray *steps;       /* of JmSacctRow, of the open job */
  gint64 user_us;
  gint64 system_us; /* of @steps */
  JmSlurmTresList allocated;
  JmSlurmTresList requested;
  JmSlurmTresList step_allocated;
};

#define TEXT(name, kind, row, column)                                                  \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (Draft, row.values[column].text)                         \
 }
#define NUMBER(name, kind, row, column)                                                \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (Draft, row.values[column].number)                       \
 }
#define PART(name, kind, member)                                                       \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (Draft, member)                                          \
 }
#define TRES(list)                                                                     \
 PART (list ".type", JM_SLURM_TEXT, tres.type),                                        \
   PART (list ".name", JM_SLURM_TEXT, tres.name),                                      \
   PART (list ".count", JM_SLURM_COUNT, tres.count)

/* Signals and steps were told in other places before the versions 0.0.39 and 0.0.41. */
static const JmSlurmField fields[] = {
  PART ("job_id", JM_SLURM_COUNT, id.raw_id),
  PART ("array.job_id", JM_SLURM_COUNT, id.array_job),
  PART ("array.task_id", JM_SLURM_COUNT, id.array_task),
  PART ("array.task", JM_SLURM_TEXT, id.array_tasks),
  PART ("array.limits.max.running.tasks", JM_SLURM_COUNT, id.array_at_once),
  PART ("het.job_id", JM_SLURM_COUNT, id.het_job),
  PART ("het.job_offset", JM_SLURM_COUNT, id.het_offset),
  PART ("association.user", JM_SLURM_TEXT, associated_user),
  TEXT ("user", JM_SLURM_TEXT, job, JM_SACCT_USER),
  TEXT ("account", JM_SLURM_TEXT, job, JM_SACCT_ACCOUNT),
  TEXT ("partition", JM_SLURM_TEXT, job, JM_SACCT_PARTITION),
  TEXT ("qos", JM_SLURM_TEXT, job, JM_SACCT_QOS),
  TEXT ("name", JM_SLURM_ANY_TEXT, job, JM_SACCT_NAME),
  TEXT ("nodes", JM_SLURM_TEXT, job, JM_SACCT_NODE_LIST),
  TEXT ("state.current", JM_SLURM_WORDS, job, JM_SACCT_STATE),
  NUMBER ("time.submission", JM_SLURM_TIME, job, JM_SACCT_SUBMIT),
  NUMBER ("time.eligible", JM_SLURM_TIME, job, JM_SACCT_ELIGIBLE),
  NUMBER ("time.start", JM_SLURM_TIME, job, JM_SACCT_START),
  NUMBER ("time.end", JM_SLURM_TIME, job, JM_SACCT_END),
  NUMBER ("time.limit", JM_SLURM_COUNT, job, JM_SACCT_TIME_LIMIT),
  NUMBER ("time.elapsed", JM_SLURM_COUNT, job, JM_SACCT_ELAPSED),
  NUMBER ("allocation_nodes", JM_SLURM_COUNT, job, JM_SACCT_NODES),
  NUMBER ("exit_code.return_code", JM_SLURM_COUNT, job, JM_SACCT_EXIT_CODE),
  PART ("exit_code.signal.signal_id", JM_SLURM_COUNT, job.signal),
  PART ("exit_code.signal.id", JM_SLURM_COUNT, job.signal),
  TRES ("tres.allocated"),
  TRES ("tres.requested"),
  PART ("steps.step.id", JM_SLURM_TEXT, step_id),
  PART ("steps.step.id.step_id", JM_SLURM_TEXT, step_id),
  TEXT ("steps.state", JM_SLURM_WORDS, step, JM_SACCT_STATE),
  NUMBER ("steps.time.start", JM_SLURM_TIME, step, JM_SACCT_START),
  NUMBER ("steps.time.end", JM_SLURM_TIME, step, JM_SACCT_END),
  NUMBER ("steps.nodes.count", JM_SLURM_COUNT, step, JM_SACCT_NODES),
  NUMBER ("steps.tasks.count", JM_SLURM_COUNT, step, JM_SACCT_TASKS),
  NUMBER ("steps.statistics.energy.consumed", JM_SLURM_COUNT, step, JM_SACCT_ENERGY),
  PART ("steps.time.user.seconds", JM_SLURM_COUNT, user.seconds),
  PART ("steps.time.user.microseconds", JM_SLURM_COUNT, user.microseconds),
  PART ("steps.time.system.seconds", JM_SLURM_COUNT, system.seconds),
  PART ("steps.time.system.microseconds", JM_SLURM_COUNT, system.microseconds),
  NUMBER ("steps.exit_code.return_code", JM_SLURM_COUNT, step, JM_SACCT_EXIT_CODE),
  PART ("steps.exit_code.signal.signal_id", JM_SLURM_COUNT, step.signal),
  PART ("steps.exit_code.signal.id", JM_SLURM_COUNT, step.signal),
  TRES ("steps.tres.allocated"),
  TRES ("steps.tres.requested.max"),
};

static void
begin_step (Draft *self)
{
  jm_sacct_row_init (&self->step);
  self->step_id = NULL;
  self->user = (Time){ -1, -1 };
  self->system = (Time){ -1, -1 };
}

static void
begin_tres (Draft *self)
{
  self->tres = (Tres){ .count = -1 };
}

static void
begin (gpointer data)
{
  Draft *self = data;

  jm_sacct_row_init (&self->job);
  self->id.raw_id = -1;
  self->id.array_task = -1;
  self->id.het_offset = -1;
  begin_step (self);
  begin_tres (self);
}

/* -1 where it is not told. */
static gint64
time_in_us (Time time)
{
  gboolean is_good = time.seconds >= 0 && time.microseconds >= 0 &&
                     time.seconds < G_MAXINT64 / (2 * G_USEC_PER_SEC) &&
                     time.microseconds < G_USEC_PER_SEC;

  return is_good ? time.seconds * G_USEC_PER_SEC + time.microseconds : -1;
}

static void
add_up (gint64 *sum, gint64 value)
{
  if (value >= 0 && *sum <= G_MAXINT64 / 4 - value)
    *sum += value;
}

static void
set_exit_code (JmSlurmRuns *self, JmSacctRow *row)
{
  gint64 *code = &row->values[JM_SACCT_EXIT_CODE].number;
  const char *state = row->values[JM_SACCT_STATE].text;
  gboolean is_known =
    self->has_codes || row->signal > 0 || g_strcmp0 (state, "COMPLETED") == 0;

  if (!is_known)
    *code = -1;
  /* who was killed has no code of its own */
  else if (*code < 0 && row->signal > 0)
    *code = 0;
}

static void
keep_text (JmSlurmRuns *self, JmSacctRow *row, JmSacctColumn column, gsize length)
{
  row->values[column].text =
    g_string_chunk_insert_len (self->texts, row->values[column].text, (gssize) length);
}

/* Its texts are gone with the answer's next part. Of a state the word that stands first
 * is kept: flags follow. */
static void
keep_texts (JmSlurmRuns *self, JmSacctRow *row)
{
  for (guint i = 0; i < JM_N_SACCT_COLUMNS; i++)
    {
      const char *text;

      if (!jm_sacct_column_is_text (i))
        continue;
      text = row->values[i].text;
      if (text != NULL)
        keep_text (self, row, i,
                   i == JM_SACCT_STATE ? strcspn (text, ", ") : strlen (text));
    }
}

static void
set_tres (JmSlurmRuns *self,
          JmSacctRow *row,
          JmSacctColumn column,
          JmSlurmTresList *list)
{
  g_autofree char *text = jm_slurm_tres_list_make_text (list);

  row->values[column].text =
    text != NULL ? g_string_chunk_insert (self->texts, text) : NULL;
  jm_slurm_tres_list_reset (list);
}

static void
end_step (JmSlurmRuns *self, Draft *draft)
{
  gint64 user_us = time_in_us (draft->user);
  gint64 system_us = time_in_us (draft->system);
  const char *dot = draft->step_id != NULL ? strrchr (draft->step_id, '.') : NULL;
  JmSacctRow *row = &draft->step;

  set_exit_code (self, row);
  /* the job's id may stand behind its steps: it is put before it at the end */
  row->values[JM_SACCT_RAW_ID].text = dot != NULL ? dot + 1 : draft->step_id;
  keep_texts (self, row);
  set_tres (self, row, JM_SACCT_ALLOCATED, &self->step_allocated);
  jm_sacct_row_set_cpu_times (row, user_us, system_us);
  add_up (&self->user_us, user_us);
  add_up (&self->system_us, system_us);
  if (self->steps->len < STEPS_MAX)
    g_array_append_vals (self->steps, row, 1);
  begin_step (draft);
}

/* What a step or a job has of one kind. */
static void
end_tres (JmSlurmRuns *self, Draft *draft, const char *list)
{
  const Tres *tres = &draft->tres;
  gboolean is_step = g_str_has_prefix (list, "steps.");
  JmSacctValue *values = is_step ? draft->step.values : draft->job.values;
  gboolean is_peak = g_str_has_suffix (list, ".max");
  gboolean is_requested = g_str_has_suffix (list, ".requested");

  if (tres->type != NULL && tres->count >= 0 && is_peak)
    {
      if (g_str_equal (tres->type, "mem"))
        values[JM_SACCT_MEMORY_PEAK].number = tres->count;
    }
  else if (tres->type != NULL && tres->count >= 0)
    {
      jm_slurm_tres_list_add (is_step        ? &self->step_allocated
                              : is_requested ? &self->requested
                                             : &self->allocated,
                              tres->type, tres->name, tres->count);
      if (!is_requested && g_str_equal (tres->type, "cpu"))
        values[JM_SACCT_CPUS].number = tres->count;
      if (!is_requested && !is_step && g_str_equal (tres->type, "energy"))
        values[JM_SACCT_ENERGY].number = tres->count;
    }
  begin_tres (draft);
}

static void
end_element (JmSlurmAnswer *answer, gpointer draft, const char *name)
{
  JmSlurmRuns *self = jm_slurm_answer_get_taker (answer);

  if (g_str_equal (name, "steps"))
    end_step (self, draft);
  else
    end_tres (self, draft, name);
}

static void
take_steps (JmSlurmRuns *self, gint64 job)
{
  for (guint i = 0; i < self->steps->len; i++)
    {
      JmSacctRow *row = &g_array_index (self->steps, JmSacctRow, i);

      jm_sacct_row_set_step_id (row, job, row->values[JM_SACCT_RAW_ID].text,
                                self->texts);
      jm_sacct_rows_take_row (self->rows, row);
    }
}

static void
end (JmSlurmAnswer *answer, gpointer data)
{
  JmSlurmRuns *self = jm_slurm_answer_get_taker (answer);
  Draft *draft = data;
  JmSacctRow *row = &draft->job;

  if (draft->associated_user != NULL)
    row->values[JM_SACCT_USER].text = draft->associated_user;
  set_exit_code (self, row);
  keep_texts (self, row);
  set_tres (self, row, JM_SACCT_ALLOCATED, &self->allocated);
  set_tres (self, row, JM_SACCT_REQUESTED, &self->requested);
  jm_sacct_row_set_id (row, &draft->id, self->texts);
  if (self->steps->len > 0)
    jm_sacct_row_set_cpu_times (row, self->user_us, self->system_us);
  jm_sacct_rows_take_row (self->rows, row);
  take_steps (self, draft->id.raw_id);

  g_array_set_size (self->steps, 0);
  self->user_us = 0;
  self->system_us = 0;
  g_string_chunk_clear (self->texts);
}

const JmSlurmShape jm_slurm_runs_shape = {
  .records = "jobs",
  .draft_size = sizeof (Draft),
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .begin = begin,
  .end = end,
  .end_element = end_element,
};

JmSlurmRuns *
jm_slurm_runs_new (JmSacctRows *rows, guint version)
{
  JmSlurmRuns *self = g_new0 (JmSlurmRuns, 1);

  self->rows = rows;
  self->has_codes = version > LAST_VERSION_WITHOUT_CODES;
  self->steps = g_array_new (FALSE, FALSE, sizeof (JmSacctRow));
  self->texts = g_string_chunk_new (CHUNK_BYTES);
  jm_slurm_tres_list_init (&self->allocated);
  jm_slurm_tres_list_init (&self->requested);
  jm_slurm_tres_list_init (&self->step_allocated);

  return self;
}

void
jm_slurm_runs_free (JmSlurmRuns *self)
{
  g_array_unref (self->steps);
  g_string_chunk_free (self->texts);
  jm_slurm_tres_list_clear (&self->allocated);
  jm_slurm_tres_list_clear (&self->requested);
  jm_slurm_tres_list_clear (&self->step_allocated);
  g_free (self);
}
