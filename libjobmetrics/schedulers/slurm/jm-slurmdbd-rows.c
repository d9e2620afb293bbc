/* jm-slurmdbd-rows.c: rows of slurmdbd's database, as runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurmdbd-parts-private.h"

#include <sys/wait.h>

#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "schedulers/jm-scheduler-value-private.h"
#include "schedulers/slurm/jm-slurm-job-id-private.h"
#include "schedulers/slurm/jm-slurm-record-private.h"
#include "schedulers/slurm/jm-slurm-tres-list-private.h"

/* From here on numbers of 32 bits say that there is none, or no limit. */
#define NO_VALUE 0xfffffffe
#define STATE_MASK 0xff
#define STEPS_MAX 100000
/* Of all steps of a job, which are summed up. */
#define TIME_US_MAX (G_MAXINT64 / 4)
#define TRES_MEMORY 2

/* In this order; behind them stand those of the accounting's fields, of jobs first. */
typedef enum
{
  INDEX,
  MOD_TIME,
  ID,
  ARRAY_JOB,
  ARRAY_TASK,
  ARRAY_TASKS,
  ARRAY_AT_ONCE,
  HET_JOB,
  HET_OFFSET,
  SUSPENDED,
  STEP,
  STEP_HET,
  N_OTHERS,
} Other;

struct _JmSlurmdbdRows
{
  JmSacctRows *rows;
  GHashTable *tres;
  gint64 now;
  gboolean is_open; /* a job */
  JmSlurmRecord job;
  GArray *steps; /* of JmSlurmRecord, of @job */
  gint64 user_us;
  gint64 system_us;
  guint n_jobs;
  gint64 last_time;
  guint64 last_index;
};

static const char *const others[N_OTHERS] = {
  [INDEX] = "j.job_db_inx",
  [MOD_TIME] = "j.mod_time",
  [ID] = "j.id_job",
  [ARRAY_JOB] = "j.id_array_job",
  [ARRAY_TASK] = "j.id_array_task",
  [ARRAY_TASKS] = "j.array_task_str",
  [ARRAY_AT_ONCE] = "j.array_max_tasks",
  [HET_JOB] = "j.het_job_id",
  [HET_OFFSET] = "j.het_job_offset",
  [SUSPENDED] = "j.time_suspended",
  [STEP] = "s.id_step",
  [STEP_HET] = "s.step_het_comp",
};

/* --- columns --- */

static const char *
get_view (JmSlurmRecordField field, gboolean is_of_step)
{
  return jm_slurm_record_get_name (field, is_of_step ? JM_SLURM_ASKED_VIEW_STEP
                                                     : JM_SLURM_ASKED_VIEW);
}

static guint
count_fields (gboolean is_of_step)
{
  guint n = 0;

  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    if (get_view (i, is_of_step) != NULL)
      n++;

  return n;
}

guint
jm_slurmdbd_count_columns (void)
{
  return N_OTHERS + count_fields (FALSE) + count_fields (TRUE);
}

static void
append_fields (GString *list, gboolean is_of_step, gboolean has_sluid)
{
  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    if (i == JM_SLURM_RECORD_SLUID && !is_of_step && !has_sluid)
      g_string_append (list, ", NULL");
    else if (get_view (i, is_of_step) != NULL)
      g_string_append_printf (list, ", %s", get_view (i, is_of_step));
}

char *
jm_slurmdbd_make_columns (gboolean has_sluid)
{
  g_autoptr (GString) list = g_string_new (others[0]);

  for (guint i = 1; i < N_OTHERS; i++)
    g_string_append_printf (list, ", %s", others[i]);
  append_fields (list, FALSE, has_sluid);
  append_fields (list, TRUE, has_sluid);

  return g_string_free (g_steal_pointer (&list), FALSE);
}

/* --- values --- */

/* -1 where there is none; larger ones than any figure say that there is none, too. */
static gint64
get_number (const char *text)
{
  guint64 number;

  return text != NULL &&
             g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &number, NULL)
           ? (gint64) number
           : -1;
}

/* The same of a number of 32 bits. */
static gint64
get_count (const char *text)
{
  gint64 number = get_number (text);

  return number < NO_VALUE ? number : -1;
}

/* What may have all 64 bits, and is no figure; 0 where there is none. */
static guint64
get_key (const char *text)
{
  guint64 index = 0;

  if (text != NULL)
    g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &index, NULL);

  return index;
}

static const char *
get_state_name (gint64 state)
{
  static const struct
  {
    gint64 flag;
    const char *name;
  } flags[] = { { 0x8000, "COMPLETING" },     { 0x2000, "RESIZING" },
                { 0x400, "REQUEUED" },        { 0x800, "REQUEUE_HOLD" },
                { 0x1000, "SPECIAL_EXIT" },   { 0x10000, "STOPPED" },
                { 0x80000, "REVOKED" },       { 0x100000, "REQUEUE_FED" },
                { 0x200000, "RESV_DEL_HOLD" } };
  static const char *const states[] = { "PENDING",   "RUNNING",   "SUSPENDED",
                                        "COMPLETED", "CANCELLED", "FAILED",
                                        "TIMEOUT",   "NODE_FAIL", "PREEMPTED",
                                        "BOOT_FAIL", "DEADLINE",  "OUT_OF_MEMORY" };

  if (state < 0)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if ((state & flags[i].flag) != 0)
      return flags[i].name;

  return (state & STATE_MASK) < (gint64) G_N_ELEMENTS (states)
           ? states[state & STATE_MASK]
           : NULL;
}

/* It is kept as wait() has it. */
static void
set_exit_code (JmSlurmRecord *record, gint64 number)
{
  int status = (int) (number & 0xffff);

  if (number >= 0)
    jm_slurm_record_set_exit (record, WEXITSTATUS (status),
                              WIFSIGNALED (status) ? WTERMSIG (status) : -1);
}

static void
set_text (JmSlurmRecord *record, JmSlurmRecordField field, const char *text)
{
  if (text != NULL)
    jm_slurm_record_set_text (record, field, (JmSlice){ text, strlen (text) });
}

/* -1 where it is not known. */
static gint64
get_time_us (const char *text)
{
  gint64 number = get_number (text);

  return number <= TIME_US_MAX ? number : -1;
}

static gboolean
take_tres (JmSlice *rest, gint64 *id, gint64 *count)
{
  JmSlice word, key;
  g_autofree char *id_text = NULL;
  g_autofree char *count_text = NULL;

  if (!jm_slice_take_word (rest, ',', &word))
    return FALSE;

  *id = -1;
  *count = -1;
  if (jm_slice_take_word (&word, '=', &key) && word.text != NULL)
    {
      id_text = g_strndup (key.text, key.length);
      count_text = g_strndup (word.text, word.length);
      *id = get_number (id_text);
      *count = get_number (count_text);
    }

  return TRUE;
}

static gint64
find_tres (const char *text, gint64 wanted)
{
  JmSlice rest = { text, text != NULL ? strlen (text) : 0 };
  gint64 id, count;

  while (text != NULL && take_tres (&rest, &id, &count))
    if (id == wanted)
      return count;

  return -1;
}

/* `1=4,2=100,1001=2`, by names. */
static void
set_tres (JmSlurmdbdRows *self,
          JmSlurmRecord *record,
          JmSlurmRecordField field,
          const char *text)
{
  JmSlice rest = { text, text != NULL ? strlen (text) : 0 };
  JmSlurmTresList list;
  gint64 id, count;

  jm_slurm_tres_list_init (&list);
  while (text != NULL && take_tres (&rest, &id, &count))
    {
      const char *name =
        id >= 0 && count >= 0 ? g_hash_table_lookup (self->tres, &id) : NULL;

      if (name != NULL)
        jm_slurm_tres_list_add (&list, name, NULL, count);
    }
  jm_slurm_record_set_tres (record, field, &list);
  jm_slurm_tres_list_clear (&list);
}

/* It is a number there; people and cgroups have it as an `s` and 13 digits of
 * Crockford's base 32. */
static void
set_sluid (JmSlurmRecord *record, const char *text)
{
  static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  guint64 number = get_key (text);
  char sluid[] = "s0000000000000";

  for (gsize i = sizeof sluid - 2; number > 0; number >>= 5)
    sluid[i--] = digits[number & 31];
  set_text (record, JM_SLURM_RECORD_SLUID, sluid);
}

static void
set_field (JmSlurmdbdRows *self,
           JmSlurmRecord *record,
           JmSlurmRecordField field,
           const char *text)
{
  switch (field)
    {
    case JM_SLURM_RECORD_STATE:
      set_text (record, field, get_state_name (get_count (text)));
      break;
    case JM_SLURM_RECORD_EXIT_CODE:
      set_exit_code (record, get_count (text));
      break;
    case JM_SLURM_RECORD_ALLOCATED:
    case JM_SLURM_RECORD_REQUESTED:
      set_tres (self, record, field, text);
      break;
    case JM_SLURM_RECORD_MEMORY_PEAK:
      jm_slurm_record_set_number (record, field, find_tres (text, TRES_MEMORY));
      break;
    case JM_SLURM_RECORD_ENERGY:
      jm_slurm_record_set_number (record, field, get_number (text));
      break;
    case JM_SLURM_RECORD_SLUID:
      set_sluid (record, text);
      break;
    case JM_SLURM_RECORD_USER_TIME:
    case JM_SLURM_RECORD_SYSTEM_TIME:
      jm_slurm_record_set_number (record, field, get_time_us (text));
      break;
    default:
      if (jm_slurm_record_is_text (field))
        set_text (record, field, text);
      else
        jm_slurm_record_set_number (record, field, get_count (text));
    }
}

/* @columns are those of a job, or of a step. */
static void
set_fields (JmSlurmdbdRows *self,
            JmSlurmRecord *record,
            gboolean is_of_step,
            const char *const *columns)
{
  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    if (get_view (i, is_of_step) != NULL)
      set_field (self, record, i, *columns++);
}

/* --- steps --- */

static char *
make_step_id (const char *const *columns)
{
  const char *id = columns[STEP];
  gint64 component = get_count (columns[STEP_HET]);
  const char *name = g_str_equal (id, "-5")   ? "batch"
                     : g_str_equal (id, "-4") ? "extern"
                     : g_str_equal (id, "-6") ? "interactive"
                                              : id;

  return component >= 0 ? g_strdup_printf ("%s+%" G_GINT64_FORMAT, name, component)
                        : g_strdup (name);
}

static gint64
get_known (const JmSlurmRecord *step, JmQuantityId quantity)
{
  return step->step != NULL ? jm_run_part_peek (step->step, quantity)
                            : JM_RUN_PART_UNKNOWN;
}

static void
add_step (JmSlurmdbdRows *self, const char *const *columns)
{
  g_autofree char *id = make_step_id (columns);
  gint64 user_us, system_us;
  JmSlurmRecord step;

  jm_slurm_record_init_step (&step, (JmSlice){ id, strlen (id) });
  set_fields (self, &step, TRUE, columns + N_OTHERS + count_fields (FALSE));
  user_us = get_known (&step, JM_QUANTITY_CPU_USER);
  system_us = get_known (&step, JM_QUANTITY_CPU_SYSTEM);
  jm_slurm_record_set_cpu_times (&step, user_us, system_us);
  g_array_append_val (self->steps, step);
  self->user_us = MIN (self->user_us + MAX (user_us, 0), TIME_US_MAX);
  self->system_us = MIN (self->system_us + MAX (system_us, 0), TIME_US_MAX);
}

/* --- jobs --- */

static gint64
get_elapsed (JmSlurmdbdRows *self, gint64 suspended)
{
  gint64 start, end;

  if (!jm_run_get_number (self->job.run, JM_RUN_FIELD_START_TIME, &start))
    return 0;
  if (!jm_run_get_number (self->job.run, JM_RUN_FIELD_END_TIME, &end))
    end = self->now;

  return MAX (end - start - MAX (suspended, 0), 0);
}

static void
set_id (JmSlurmdbdRows *self, const char *const *columns)
{
  const JmSlurmJobId id = {
    .raw_id = get_count (columns[ID]),
    .array_job = get_count (columns[ARRAY_JOB]),
    .array_task = get_count (columns[ARRAY_TASK]),
    .array_tasks = columns[ARRAY_TASKS],
    .array_at_once = get_count (columns[ARRAY_AT_ONCE]),
    .het_job = get_count (columns[HET_JOB]),
    .het_offset = get_count (columns[HET_OFFSET]),
  };
  g_autofree char *text = jm_slurm_job_id_make_text (&id);

  set_text (&self->job, JM_SLURM_RECORD_JOB_ID, text);
}

static void
begin_job (JmSlurmdbdRows *self, const char *const *columns)
{
  gint64 number = get_count (columns[ID]);
  g_autofree char *id =
    number >= 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, number) : g_strdup ("");

  jm_slurm_record_init_job (&self->job, jm_sacct_rows_get_cluster (self->rows),
                            (JmSlice){ id, strlen (id) });
  set_id (self, columns);
  set_fields (self, &self->job, FALSE, columns + N_OTHERS);
  if (self->job.run != NULL)
    jm_slurm_record_set_number (&self->job, JM_SLURM_RECORD_ELAPSED,
                                get_elapsed (self, get_number (columns[SUSPENDED])));
  self->is_open = TRUE;
  self->n_jobs++;
}

static void
end_job (JmSlurmdbdRows *self)
{
  if (!self->is_open)
    return;

  if (self->steps->len > 0)
    jm_slurm_record_set_cpu_times (&self->job, self->user_us, self->system_us);
  jm_sacct_rows_take_job (self->rows, &self->job, self->steps);

  self->user_us = 0;
  self->system_us = 0;
  self->is_open = FALSE;
}

void
jm_slurmdbd_rows_take (const char *const *columns, gpointer data)
{
  JmSlurmdbdRows *self = data;
  guint64 index = get_key (columns[INDEX]);

  if (!self->is_open || index != self->last_index)
    {
      end_job (self);
      begin_job (self, columns);
      self->last_index = index;
      self->last_time = get_number (columns[MOD_TIME]);
    }
  if (columns[STEP] != NULL && self->steps->len < STEPS_MAX)
    add_step (self, columns);
}

void
jm_slurmdbd_rows_finish (JmSlurmdbdRows *self)
{
  end_job (self);
}

static void
clear_step (gpointer step)
{
  jm_slurm_record_clear (step);
}

JmSlurmdbdRows *
jm_slurmdbd_rows_new (JmSacctRows *rows, GHashTable *tres, gint64 now)
{
  JmSlurmdbdRows *self = g_new0 (JmSlurmdbdRows, 1);

  self->rows = rows;
  self->tres = tres;
  self->now = now;
  self->steps = g_array_new (FALSE, FALSE, sizeof (JmSlurmRecord));
  g_array_set_clear_func (self->steps, clear_step);

  return self;
}

void
jm_slurmdbd_rows_free (JmSlurmdbdRows *self)
{
  jm_slurm_record_clear (&self->job);
  g_array_unref (self->steps);
  g_free (self);
}

guint
jm_slurmdbd_rows_get_n_jobs (JmSlurmdbdRows *self)
{
  return self->n_jobs;
}

gint64
jm_slurmdbd_rows_get_last_time (JmSlurmdbdRows *self)
{
  return self->last_time;
}

guint64
jm_slurmdbd_rows_get_last_index (JmSlurmdbdRows *self)
{
  return self->last_index;
}
