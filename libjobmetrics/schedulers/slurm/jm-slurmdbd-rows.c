/* jm-slurmdbd-rows.c: rows of slurmdbd's database, as rows of the accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurmdbd-parts-private.h"

#include <sys/wait.h>

#include "schedulers/jm-scheduler-value-private.h"
#include "schedulers/slurm/jm-slurm-tres-list-private.h"

/* From here on numbers of 32 bits say that there is none, or no limit. */
#define NO_VALUE 0xfffffffe
#define STATE_MASK 0xff
#define STEPS_MAX 100000
#define CHUNK_BYTES 4096
/* Of all steps of a job, which are summed up. */
#define TIME_US_MAX (G_MAXINT64 / 4)
#define TRES_CPU 1
#define TRES_MEMORY 2
#define TRES_ENERGY 3

struct _JmSlurmdbdRows
{
  JmSacctRows *rows;
  GHashTable *tres;
  gint64 now;
  GStringChunk *texts; /* of the open job and its steps */
  gboolean is_open;    /* a job */
  JmSacctRow job;
  gint64 raw_id;
  GArray *steps; /* of JmSacctRow, of @job */
  gint64 user_us;
  gint64 system_us;
  guint n_jobs;
  gint64 last_time;
  gint64 last_index;
};

static const char *const columns_of_views[JM_N_SLURMDBD_COLUMNS] = {
  [JM_SLURMDBD_INDEX] = "j.job_db_inx",
  [JM_SLURMDBD_MOD_TIME] = "j.mod_time",
  [JM_SLURMDBD_ID] = "j.id_job",
  [JM_SLURMDBD_ARRAY_JOB] = "j.id_array_job",
  [JM_SLURMDBD_ARRAY_TASK] = "j.id_array_task",
  [JM_SLURMDBD_ARRAY_TASKS] = "j.array_task_str",
  [JM_SLURMDBD_ARRAY_AT_ONCE] = "j.array_max_tasks",
  [JM_SLURMDBD_HET_JOB] = "j.het_job_id",
  [JM_SLURMDBD_HET_OFFSET] = "j.het_job_offset",
  [JM_SLURMDBD_USER] = "j.user",
  [JM_SLURMDBD_UID] = "j.id_user",
  [JM_SLURMDBD_ACCOUNT] = "j.account",
  [JM_SLURMDBD_PARTITION] = "j.`partition`",
  [JM_SLURMDBD_QOS] = "j.qos",
  [JM_SLURMDBD_STATE] = "j.state",
  [JM_SLURMDBD_SUBMIT] = "j.time_submit",
  [JM_SLURMDBD_ELIGIBLE] = "j.time_eligible",
  [JM_SLURMDBD_START] = "j.time_start",
  [JM_SLURMDBD_END] = "j.time_end",
  [JM_SLURMDBD_SUSPENDED] = "j.time_suspended",
  [JM_SLURMDBD_TIME_LIMIT] = "j.timelimit",
  [JM_SLURMDBD_EXIT_CODE] = "j.exit_code",
  [JM_SLURMDBD_NODES] = "j.nodes_alloc",
  [JM_SLURMDBD_NODE_LIST] = "j.nodelist",
  [JM_SLURMDBD_NAME] = "j.job_name",
  [JM_SLURMDBD_ALLOCATED] = "j.tres_alloc",
  [JM_SLURMDBD_REQUESTED] = "j.tres_req",
  [JM_SLURMDBD_STEP] = "s.id_step",
  [JM_SLURMDBD_STEP_HET] = "s.step_het_comp",
  [JM_SLURMDBD_STEP_STATE] = "s.state",
  [JM_SLURMDBD_STEP_START] = "s.time_start",
  [JM_SLURMDBD_STEP_END] = "s.time_end",
  [JM_SLURMDBD_STEP_NODES] = "s.nodes_alloc",
  [JM_SLURMDBD_STEP_TASKS] = "s.task_cnt",
  [JM_SLURMDBD_STEP_EXIT_CODE] = "s.exit_code",
  [JM_SLURMDBD_STEP_USER_SECONDS] = "s.user_sec",
  [JM_SLURMDBD_STEP_USER_US] = "s.user_usec",
  [JM_SLURMDBD_STEP_SYSTEM_SECONDS] = "s.sys_sec",
  [JM_SLURMDBD_STEP_SYSTEM_US] = "s.sys_usec",
  [JM_SLURMDBD_STEP_ENERGY] = "s.consumed_energy",
  [JM_SLURMDBD_STEP_ALLOCATED] = "s.tres_alloc",
  [JM_SLURMDBD_STEP_PEAKS] = "s.tres_usage_in_max",
};

char *
jm_slurmdbd_make_columns (void)
{
  g_autoptr (GString) list = g_string_new (columns_of_views[0]);

  for (guint i = 1; i < JM_N_SLURMDBD_COLUMNS; i++)
    g_string_append_printf (list, ", %s", columns_of_views[i]);

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
set_exit_code (JmSacctRow *row, const char *text)
{
  gint64 number = get_count (text);
  int status = (int) (number & 0xffff);

  if (number < 0)
    return;
  row->values[JM_SACCT_EXIT_CODE].number = WEXITSTATUS (status);
  row->signal = WIFSIGNALED (status) ? WTERMSIG (status) : -1;
}

static void
set_text (JmSlurmdbdRows *self, JmSacctRow *row, JmSacctColumn column, const char *text)
{
  row->values[column].text =
    text != NULL ? g_string_chunk_insert_const (self->texts, text) : NULL;
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
set_tres (JmSlurmdbdRows *self, JmSacctRow *row, JmSacctColumn column, const char *text)
{
  JmSlice rest = { text, text != NULL ? strlen (text) : 0 };
  JmSlurmTresList list;
  g_autofree char *names = NULL;
  gint64 id, count;

  jm_slurm_tres_list_init (&list);
  while (text != NULL && take_tres (&rest, &id, &count))
    {
      const char *name =
        id >= 0 && count >= 0 ? g_hash_table_lookup (self->tres, &id) : NULL;

      if (name != NULL)
        jm_slurm_tres_list_add (&list, name, NULL, count);
    }
  names = jm_slurm_tres_list_make_text (&list);
  set_text (self, row, column, names);
  jm_slurm_tres_list_clear (&list);
}

static void
set_counts (JmSacctRow *row,
            const char *const *columns,
            const guint (*pairs)[2],
            guint n_pairs)
{
  for (guint i = 0; i < n_pairs; i++)
    row->values[pairs[i][0]].number = get_count (columns[pairs[i][1]]);
}

/* --- steps --- */

static char *
make_step_id (const char *const *columns)
{
  const char *id = columns[JM_SLURMDBD_STEP];
  gint64 component = get_count (columns[JM_SLURMDBD_STEP_HET]);
  const char *name = g_str_equal (id, "-5")   ? "batch"
                     : g_str_equal (id, "-4") ? "extern"
                     : g_str_equal (id, "-6") ? "interactive"
                                              : id;

  return component >= 0 ? g_strdup_printf ("%s+%" G_GINT64_FORMAT, name, component)
                        : g_strdup (name);
}

/* -1 where it is not told. */
static gint64
get_time (const char *seconds_text, const char *us_text)
{
  gint64 seconds = get_number (seconds_text);
  gint64 us = get_number (us_text);
  gboolean is_good =
    seconds >= 0 && us >= 0 && us < G_USEC_PER_SEC && seconds < G_MAXINT32;

  return is_good ? seconds * G_USEC_PER_SEC + us : -1;
}

static void
add_step (JmSlurmdbdRows *self, const char *const *columns)
{
  static const guint counts[][2] = { { JM_SACCT_START, JM_SLURMDBD_STEP_START },
                                     { JM_SACCT_END, JM_SLURMDBD_STEP_END },
                                     { JM_SACCT_NODES, JM_SLURMDBD_STEP_NODES },
                                     { JM_SACCT_TASKS, JM_SLURMDBD_STEP_TASKS } };
  const char *allocated = columns[JM_SLURMDBD_STEP_ALLOCATED];
  g_autofree char *id = make_step_id (columns);
  gint64 user_us = get_time (columns[JM_SLURMDBD_STEP_USER_SECONDS],
                             columns[JM_SLURMDBD_STEP_USER_US]);
  gint64 system_us = get_time (columns[JM_SLURMDBD_STEP_SYSTEM_SECONDS],
                               columns[JM_SLURMDBD_STEP_SYSTEM_US]);
  JmSacctRow row;

  jm_sacct_row_init (&row);
  set_counts (&row, columns, counts, G_N_ELEMENTS (counts));
  jm_sacct_row_set_step_id (&row, self->raw_id, id, self->texts);
  row.values[JM_SACCT_STATE].text =
    get_state_name (get_count (columns[JM_SLURMDBD_STEP_STATE]));
  set_exit_code (&row, columns[JM_SLURMDBD_STEP_EXIT_CODE]);
  row.values[JM_SACCT_CPUS].number = find_tres (allocated, TRES_CPU);
  set_tres (self, &row, JM_SACCT_ALLOCATED, allocated);
  jm_sacct_row_set_cpu_times (&row, user_us, system_us);
  row.values[JM_SACCT_MEMORY_PEAK].number =
    find_tres (columns[JM_SLURMDBD_STEP_PEAKS], TRES_MEMORY);
  row.values[JM_SACCT_ENERGY].number = get_number (columns[JM_SLURMDBD_STEP_ENERGY]);
  g_array_append_val (self->steps, row);
  self->user_us = MIN (self->user_us + MAX (user_us, 0), TIME_US_MAX);
  self->system_us = MIN (self->system_us + MAX (system_us, 0), TIME_US_MAX);
}

/* --- jobs --- */

static gint64
get_elapsed (JmSlurmdbdRows *self, const char *const *columns)
{
  gint64 start = get_number (columns[JM_SLURMDBD_START]);
  gint64 end = get_number (columns[JM_SLURMDBD_END]);
  gint64 suspended = MAX (get_number (columns[JM_SLURMDBD_SUSPENDED]), 0);

  if (start <= 0)
    return 0;

  return MAX ((end > 0 ? end : self->now) - start - suspended, 0);
}

static void
set_id (JmSlurmdbdRows *self, const char *const *columns)
{
  const JmSacctId id = {
    .raw_id = get_count (columns[JM_SLURMDBD_ID]),
    .array_job = get_count (columns[JM_SLURMDBD_ARRAY_JOB]),
    .array_task = get_count (columns[JM_SLURMDBD_ARRAY_TASK]),
    .array_tasks = columns[JM_SLURMDBD_ARRAY_TASKS],
    .array_at_once = get_count (columns[JM_SLURMDBD_ARRAY_AT_ONCE]),
    .het_job = get_count (columns[JM_SLURMDBD_HET_JOB]),
    .het_offset = get_count (columns[JM_SLURMDBD_HET_OFFSET]),
  };

  self->raw_id = id.raw_id;
  jm_sacct_row_set_id (&self->job, &id, self->texts);
}

static void
set_texts (JmSlurmdbdRows *self, const char *const *columns)
{
  static const guint texts[][2] = { { JM_SACCT_USER, JM_SLURMDBD_USER },
                                    { JM_SACCT_ACCOUNT, JM_SLURMDBD_ACCOUNT },
                                    { JM_SACCT_PARTITION, JM_SLURMDBD_PARTITION },
                                    { JM_SACCT_QOS, JM_SLURMDBD_QOS },
                                    { JM_SACCT_NODE_LIST, JM_SLURMDBD_NODE_LIST },
                                    { JM_SACCT_NAME, JM_SLURMDBD_NAME } };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    set_text (self, &self->job, texts[i][0], columns[texts[i][1]]);
}

static void
begin_job (JmSlurmdbdRows *self, const char *const *columns)
{
  static const guint counts[][2] = { { JM_SACCT_UID, JM_SLURMDBD_UID },
                                     { JM_SACCT_SUBMIT, JM_SLURMDBD_SUBMIT },
                                     { JM_SACCT_ELIGIBLE, JM_SLURMDBD_ELIGIBLE },
                                     { JM_SACCT_START, JM_SLURMDBD_START },
                                     { JM_SACCT_END, JM_SLURMDBD_END },
                                     { JM_SACCT_TIME_LIMIT, JM_SLURMDBD_TIME_LIMIT },
                                     { JM_SACCT_NODES, JM_SLURMDBD_NODES } };
  const char *allocated = columns[JM_SLURMDBD_ALLOCATED];
  JmSacctRow *job = &self->job;

  jm_sacct_row_init (job);
  set_id (self, columns);
  set_texts (self, columns);
  set_counts (job, columns, counts, G_N_ELEMENTS (counts));
  job->values[JM_SACCT_STATE].text =
    get_state_name (get_count (columns[JM_SLURMDBD_STATE]));
  job->values[JM_SACCT_ELAPSED].number = get_elapsed (self, columns);
  set_exit_code (job, columns[JM_SLURMDBD_EXIT_CODE]);
  set_tres (self, job, JM_SACCT_ALLOCATED, allocated);
  set_tres (self, job, JM_SACCT_REQUESTED, columns[JM_SLURMDBD_REQUESTED]);
  job->values[JM_SACCT_CPUS].number = find_tres (allocated, TRES_CPU);
  job->values[JM_SACCT_ENERGY].number = find_tres (allocated, TRES_ENERGY);
  self->is_open = TRUE;
  self->n_jobs++;
}

static void
end_job (JmSlurmdbdRows *self)
{
  if (!self->is_open)
    return;

  if (self->steps->len > 0)
    jm_sacct_row_set_cpu_times (&self->job, self->user_us, self->system_us);
  jm_sacct_rows_take_row (self->rows, &self->job);
  for (guint i = 0; i < self->steps->len; i++)
    jm_sacct_rows_take_row (self->rows, &g_array_index (self->steps, JmSacctRow, i));

  g_array_set_size (self->steps, 0);
  g_string_chunk_clear (self->texts);
  self->user_us = 0;
  self->system_us = 0;
  self->is_open = FALSE;
}

void
jm_slurmdbd_rows_take (const char *const *columns, gpointer data)
{
  JmSlurmdbdRows *self = data;
  gint64 index = get_number (columns[JM_SLURMDBD_INDEX]);

  if (!self->is_open || index != self->last_index)
    {
      end_job (self);
      begin_job (self, columns);
      self->last_index = index;
      self->last_time = get_number (columns[JM_SLURMDBD_MOD_TIME]);
    }
  if (columns[JM_SLURMDBD_STEP] != NULL && self->steps->len < STEPS_MAX)
    add_step (self, columns);
}

void
jm_slurmdbd_rows_finish (JmSlurmdbdRows *self)
{
  end_job (self);
}

JmSlurmdbdRows *
jm_slurmdbd_rows_new (JmSacctRows *rows, GHashTable *tres, gint64 now)
{
  JmSlurmdbdRows *self = g_new0 (JmSlurmdbdRows, 1);

  self->rows = rows;
  self->tres = tres;
  self->now = now;
  self->steps = g_array_new (FALSE, FALSE, sizeof (JmSacctRow));
  self->texts = g_string_chunk_new (CHUNK_BYTES);

  return self;
}

void
jm_slurmdbd_rows_free (JmSlurmdbdRows *self)
{
  g_array_unref (self->steps);
  g_string_chunk_free (self->texts);
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

gint64
jm_slurmdbd_rows_get_last_index (JmSlurmdbdRows *self)
{
  return self->last_index;
}
