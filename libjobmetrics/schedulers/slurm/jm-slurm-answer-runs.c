/* jm-slurm-answer-runs.c: the runs that slurmrestd has of the accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-answer-past-private.h"

#include <string.h>

#include "core/jm-run-field-private.h"
#include "schedulers/slurm/jm-slurm-job-id-private.h"
#include "schedulers/slurm/jm-slurm-record-private.h"
#include "schedulers/slurm/jm-slurm-tres-list-private.h"

#define LAST_VERSION_WITHOUT_CODES 38
/* More steps than Slurm lets any job have. */
#define STEPS_MAX 100000

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

/* A value of the accounting's; -1 is unknown, and so is NULL. */
typedef union
{
  const char *text;
  gint64 number;
} Value;

typedef struct
{
  Value values[JM_N_SLURM_RECORD_FIELDS];
  gint64 signal;
} Row;

typedef struct
{
  Row job;
  JmSlurmJobId id;
  const char *associated_user;
  const char *killer;
  const char *failed_node;
  Row step;
  const char *step_id;
  Time user;
  Time system;
  Tres tres; /* the element that is open */
} Draft;

struct _JmSlurmRuns
{
  JmSacctRows *rows;
  GArray *fields; /* of JmSlurmField, of a #Draft */
  JmSlurmShape shape;
  gboolean has_codes;
  GArray *steps; /* of JmSlurmRecord, of the open job */
  gint64 user_us;
  gint64 system_us; /* of @steps */
  JmSlurmTresList allocated;
  JmSlurmTresList requested;
  JmSlurmTresList step_allocated;
};

#define PART(name, kind, member)                                                       \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (Draft, member)                                          \
 }
#define TRES(list)                                                                     \
 PART (list ".type", JM_SLURM_TEXT, tres.type),                                        \
   PART (list ".name", JM_SLURM_TEXT, tres.name),                                      \
   PART (list ".count", JM_SLURM_COUNT, tres.count)

/* Beside the fields of the accounting. Signals and steps were in other places
 * before the versions 0.0.39 and 0.0.41. */
static const JmSlurmField others[] = {
  PART ("job_id", JM_SLURM_COUNT, id.raw_id),
  PART ("array.job_id", JM_SLURM_COUNT, id.array_job),
  PART ("array.task_id", JM_SLURM_COUNT, id.array_task),
  PART ("array.task", JM_SLURM_TEXT, id.array_tasks),
  PART ("array.limits.max.running.tasks", JM_SLURM_COUNT, id.array_at_once),
  PART ("het.job_id", JM_SLURM_COUNT, id.het_job),
  PART ("het.job_offset", JM_SLURM_COUNT, id.het_offset),
  PART ("association.user", JM_SLURM_TEXT, associated_user),
  PART ("kill_request_user", JM_SLURM_TEXT, killer),
  PART ("failed_node", JM_SLURM_TEXT, failed_node),
  PART ("exit_code.signal.signal_id", JM_SLURM_COUNT, job.signal),
  PART ("exit_code.signal.id", JM_SLURM_COUNT, job.signal),
  TRES ("tres.allocated"),
  TRES ("tres.requested"),
  PART ("steps.step.id", JM_SLURM_TEXT, step_id),
  PART ("steps.step.id.step_id", JM_SLURM_TEXT, step_id),
  PART ("steps.time.user.seconds", JM_SLURM_COUNT, user.seconds),
  PART ("steps.time.user.microseconds", JM_SLURM_COUNT, user.microseconds),
  PART ("steps.time.system.seconds", JM_SLURM_COUNT, system.seconds),
  PART ("steps.time.system.microseconds", JM_SLURM_COUNT, system.microseconds),
  PART ("steps.exit_code.signal.signal_id", JM_SLURM_COUNT, step.signal),
  PART ("steps.exit_code.signal.id", JM_SLURM_COUNT, step.signal),
  TRES ("steps.tres.allocated"),
  TRES ("steps.tres.requested.max"),
};

static void
begin_row (Row *self)
{
  self->signal = -1;
  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    if (jm_slurm_record_is_text (i))
      self->values[i].text = NULL;
    else
      self->values[i].number = -1;
}

static void
begin_step (Draft *self)
{
  begin_row (&self->step);
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

  begin_row (&self->job);
  self->id.raw_id = -1;
  self->id.array_task = -1;
  self->id.het_offset = -1;
}

/* -1 where it is not known. */
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
set_exit_code (JmSlurmRuns *self, const Row *row, JmSlurmRecord *record)
{
  gint64 code = row->values[JM_SLURM_RECORD_EXIT_CODE].number;
  const char *state = row->values[JM_SLURM_RECORD_STATE].text;
  gboolean is_known =
    self->has_codes || row->signal > 0 || g_strcmp0 (state, "COMPLETED") == 0;

  /* who was killed has no code of its own */
  if (code < 0 && row->signal > 0)
    code = 0;
  jm_slurm_record_set_exit (record, is_known ? code : -1, row->signal);
}

static void
set_fields (JmSlurmRuns *self, const Row *row, JmSlurmRecord *record)
{
  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    if (!jm_slurm_record_is_text (i))
      jm_slurm_record_set_number (record, i, row->values[i].number);
    else if (row->values[i].text != NULL)
      jm_slurm_record_set_text (record, i,
                                (JmSlice){ row->values[i].text,
                                           strlen (row->values[i].text) });
  set_exit_code (self, row, record);
}

static void
set_tres (JmSlurmRecord *record, JmSlurmRecordField field, JmSlurmTresList *list)
{
  jm_slurm_record_set_tres (record, field, list);
  jm_slurm_tres_list_reset (list);
}

static void
end_step (JmSlurmRuns *self, Draft *draft)
{
  gint64 user_us = time_in_us (draft->user);
  gint64 system_us = time_in_us (draft->system);
  const char *id = draft->step_id != NULL ? draft->step_id : "";
  const char *dot = strrchr (id, '.');
  const char *name = dot != NULL ? dot + 1 : id;
  JmSlurmRecord step;

  jm_slurm_record_init_step (&step, (JmSlice){ name, strlen (name) });
  set_fields (self, &draft->step, &step);
  set_tres (&step, JM_SLURM_RECORD_ALLOCATED, &self->step_allocated);
  jm_slurm_record_set_cpu_times (&step, user_us, system_us);
  add_up (&self->user_us, user_us);
  add_up (&self->system_us, system_us);
  if (self->steps->len < STEPS_MAX)
    g_array_append_val (self->steps, step);
  else
    jm_slurm_record_clear (&step);
}

/* What a step or a job has of one kind. */
static void
end_tres (JmSlurmRuns *self, Draft *draft, const char *list)
{
  const Tres *tres = &draft->tres;
  gboolean is_step = g_str_has_prefix (list, "steps.");
  gboolean is_peak = g_str_has_suffix (list, ".max");
  gboolean is_requested = g_str_has_suffix (list, ".requested");

  if (tres->type != NULL && is_peak)
    {
      if (g_str_equal (tres->type, "mem"))
        draft->step.values[JM_SLURM_RECORD_MEMORY_PEAK].number = tres->count;
    }
  else if (tres->type != NULL)
    jm_slurm_tres_list_add (is_step        ? &self->step_allocated
                            : is_requested ? &self->requested
                                           : &self->allocated,
                            tres->type, tres->name, tres->count);
}

/* Where a list should be there may have been an object. */
static void
begin_element (gpointer draft, const char *name)
{
  if (g_str_equal (name, "steps"))
    begin_step (draft);
  else
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
end (JmSlurmAnswer *answer, gpointer data)
{
  JmSlurmRuns *self = jm_slurm_answer_get_taker (answer);
  Draft *draft = data;
  gint64 number = draft->id.raw_id;
  g_autofree char *raw_id =
    number >= 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, number) : g_strdup ("");
  g_autofree char *id = jm_slurm_job_id_make_text (&draft->id);
  JmSlurmRecord job;

  if (draft->associated_user != NULL)
    draft->job.values[JM_SLURM_RECORD_USER].text = draft->associated_user;
  draft->job.values[JM_SLURM_RECORD_JOB_ID].text = id;
  jm_slurm_record_init_job (&job, jm_sacct_rows_get_cluster (self->rows),
                            (JmSlice){ raw_id, strlen (raw_id) });
  set_fields (self, &draft->job, &job);
  jm_slurm_record_set_canceller (&job, draft->killer);
  if (job.run != NULL)
    jm_run_keep_text (job.run, JM_RUN_FIELD_FAILED_NODE, draft->failed_node);
  set_tres (&job, JM_SLURM_RECORD_ALLOCATED, &self->allocated);
  set_tres (&job, JM_SLURM_RECORD_REQUESTED, &self->requested);
  if (self->steps->len > 0)
    jm_slurm_record_set_cpu_times (&job, self->user_us, self->system_us);
  jm_sacct_rows_take_job (self->rows, &job, self->steps);

  self->user_us = 0;
  self->system_us = 0;
}

/* @offset is that of the values that they go to. */
static void
add_fields (GArray *fields, JmSlurmAsked asked, gsize offset)
{
  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    {
      const JmSlurmField field = { jm_slurm_record_get_name (i, asked),
                                   jm_slurm_record_get_kind (i),
                                   offset + i * sizeof (Value) };

      if (field.name != NULL)
        g_array_append_val (fields, field);
    }
}

/* The accounting's, then all others. */
static GArray *
make_fields (void)
{
  GArray *fields = g_array_new (FALSE, FALSE, sizeof (JmSlurmField));

  add_fields (fields, JM_SLURM_ASKED_REST, G_STRUCT_OFFSET (Draft, job.values));
  add_fields (fields, JM_SLURM_ASKED_REST_STEP, G_STRUCT_OFFSET (Draft, step.values));

  return g_array_append_vals (fields, others, G_N_ELEMENTS (others));
}

const JmSlurmShape *
jm_slurm_runs_get_shape (JmSlurmRuns *self)
{
  return &self->shape;
}

static void
clear_step (gpointer step)
{
  jm_slurm_record_clear (step);
}

JmSlurmRuns *
jm_slurm_runs_new (JmSacctRows *rows, guint version)
{
  JmSlurmRuns *self = g_new0 (JmSlurmRuns, 1);

  self->rows = rows;
  self->has_codes = version > LAST_VERSION_WITHOUT_CODES;
  self->fields = make_fields ();
  self->shape = (JmSlurmShape){ .records = "jobs",
                                .draft_size = sizeof (Draft),
                                .fields = (gconstpointer) self->fields->data,
                                .n_fields = self->fields->len,
                                .begin = begin,
                                .end = end,
                                .begin_element = begin_element,
                                .end_element = end_element };
  self->steps = g_array_new (FALSE, FALSE, sizeof (JmSlurmRecord));
  g_array_set_clear_func (self->steps, clear_step);
  jm_slurm_tres_list_init (&self->allocated);
  jm_slurm_tres_list_init (&self->requested);
  jm_slurm_tres_list_init (&self->step_allocated);

  return self;
}

void
jm_slurm_runs_free (JmSlurmRuns *self)
{
  g_array_unref (self->fields);
  g_array_unref (self->steps);
  jm_slurm_tres_list_clear (&self->allocated);
  jm_slurm_tres_list_clear (&self->requested);
  jm_slurm_tres_list_clear (&self->step_allocated);
  g_free (self);
}
