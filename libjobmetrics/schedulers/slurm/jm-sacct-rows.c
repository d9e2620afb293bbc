/* jm-sacct-rows.c: what sacct prints, as runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-sacct-rows-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "schedulers/slurm/jm-slurm-table-private.h"

#define QUOTE_MAX 80

struct _JmSacctRows
{
  const char *name;
  char *cluster;
  char *delimiter;
  gint64 now;
  guint max_runs;
  guint n_columns;

  GString *text;      /* a row that is not whole yet */
  guint n_delimiters; /* in @text */
  JmRun *run;
  GPtrArray *steps; /* of @run */
  char *raw_id;     /* of @run, or of a job that is passed over */

  GPtrArray *batches;
  JmRunBatch *batch;   /* the last of @batches */
  guint n_runs;        /* in @batch */
  GHashTable *persons; /* those who are in a batch */

  guint n_good;
  guint n_bad;
  char *complaint;
};

static void
begin_batch (JmSacctRows *self)
{
  self->batch = jm_run_batch_new ();
  self->n_runs = 0;
  g_ptr_array_add (self->batches, self->batch);
}

JmSacctRows *
jm_sacct_rows_new (const char *cluster,
                   const char *delimiter,
                   gint64 now,
                   guint max_runs)
{
  JmSacctRows *self = g_new0 (JmSacctRows, 1);

  self->name = "sacct";
  self->cluster = g_strdup (cluster);
  self->delimiter = g_strdup (delimiter);
  self->now = now;
  self->max_runs = max_runs;
  self->n_columns = JM_N_SLURM_RECORD_FIELDS_OF_ALL;
  self->text = g_string_new (NULL);
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  self->batches = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_batch_unref);
  self->persons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  begin_batch (self);

  return self;
}

void
jm_sacct_rows_free (JmSacctRows *self)
{
  g_free (self->cluster);
  g_free (self->delimiter);
  g_string_free (self->text, TRUE);
  g_clear_pointer (&self->run, jm_run_unref);
  g_ptr_array_unref (self->steps);
  g_free (self->raw_id);
  g_ptr_array_unref (self->batches);
  g_hash_table_unref (self->persons);
  g_free (self->complaint);
  g_free (self);
}

void
jm_sacct_rows_set_n_columns (JmSacctRows *self, guint n_columns)
{
  g_return_if_fail (n_columns <= JM_N_SLURM_RECORD_FIELDS);

  self->n_columns = n_columns;
}

void
jm_sacct_rows_set_name (JmSacctRows *self, const char *name)
{
  self->name = name;
}

const char *
jm_sacct_rows_get_cluster (JmSacctRows *self)
{
  return self->cluster;
}

/* The first is reported: the others are likely to be of the same sort. It ends where a
 * delimiter is, which is another at each reading. */
static void
complain (JmSacctRows *self, const char *what, JmSlice text)
{
  self->n_bad++;
  if (self->complaint == NULL)
    {
      g_autofree char *quoted = g_strndup (text.text, MIN (text.length, QUOTE_MAX));
      char *delimiter = strstr (quoted, self->delimiter);
      g_autofree char *escaped = NULL;

      if (delimiter != NULL)
        *delimiter = '\0';
      escaped = g_strescape (quoted, NULL);
      self->complaint = g_strdup_printf ("%s: %s", what, escaped);
    }
}

static void
add_person (JmSacctRows *self)
{
  const char *user = jm_run_peek_text (self->run, JM_RUN_FIELD_USER);
  g_autofree char *key = NULL;
  gint64 uid;

  if (user == NULL || !jm_run_get_number (self->run, JM_RUN_FIELD_UID, &uid))
    return;

  key = g_strdup_printf ("%s:%" G_GINT64_FORMAT, user, uid);
  if (g_hash_table_contains (self->persons, key))
    return;
  jm_run_batch_set_person (self->batch, self->cluster, user, (guint) uid);
  g_hash_table_add (self->persons, g_steal_pointer (&key));
}

/* How many tasks srun started in a step; 2 stands for more. The batch script and
 * slurmd's own steps stand beside them; a step whose tasks are unknown may have had
 * several. */
static guint
count_tasks (JmRunPart *step)
{
  static const char *const without[] = { "batch", "extern", "interactive", NULL };
  const gint64 n_tasks = jm_run_part_peek (step, JM_QUANTITY_STEP_TASKS);

  if (g_strv_contains (without, jm_run_part_peek_text (step, JM_QUANTITY_NAME)))
    return 0;

  return n_tasks == JM_RUN_PART_UNKNOWN ? 2 : (guint) MIN (n_tasks, 2);
}

/* MaxRSS is the most that any one task of a step used. The job used as much where it
 * had one task at most; else nobody knows. Returns FALSE where no step has a MaxRSS. */
static gboolean
set_peak (JmSacctRows *self)
{
  guint n_tasks = 0;
  gint64 peak = -1;

  for (guint i = 0; i < self->steps->len; i++)
    {
      JmRunPart *step = self->steps->pdata[i];

      n_tasks += count_tasks (step);
      peak = MAX (peak, jm_run_part_peek (step, JM_QUANTITY_MEMORY_PEAK));
    }
  jm_run_keep_number (self->run, JM_RUN_FIELD_MEMORY_PEAK, n_tasks <= 1 ? peak : -1);

  return peak >= 0;
}

/* Where Slurm gathers nothing it says that no time was used. */
static void
drop_cpu_time (JmRun *run)
{
  gint64 cpu;

  if (jm_run_get_number (run, JM_RUN_FIELD_CPU_TOTAL, &cpu) && cpu > 0)
    return;

  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, -1);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_USER, -1);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_SYSTEM, -1);
}

/* A run is whole once its steps were read, which are behind it. */
static void
end_run (JmSacctRows *self)
{
  gint64 seen;

  if (self->run != NULL)
    {
      if (self->n_runs == self->max_runs)
        begin_batch (self);
      /* only what goes on was seen at a time */
      if (!jm_run_get_number (self->run, JM_RUN_FIELD_SEEN_TIME, &seen) &&
          !set_peak (self))
        drop_cpu_time (self->run);
      add_person (self);
      jm_run_batch_add_run (self->batch, self->run, JM_RUN_SOURCE_ACCOUNTING);
      for (guint i = 0; i < self->steps->len; i++)
        jm_run_batch_add_part (self->batch, self->steps->pdata[i]);
      self->n_runs++;
    }

  g_clear_pointer (&self->run, jm_run_unref);
  g_ptr_array_set_size (self->steps, 0);
}

/* As it was written. */
static JmSlice
get_cell (const JmSlurmRecord *record, JmSlurmRecordField field)
{
  return record->cells != NULL ? record->cells[field] : (JmSlice){ "", 0 };
}

static void
complain_of_fields (JmSacctRows *self, const JmSlurmRecord *record)
{
  JmSlice id = record->cells != NULL ? record->cells[JM_SLURM_RECORD_RAW_ID]
                                     : (JmSlice){ self->raw_id, strlen (self->raw_id) };

  for (guint i = 0; i < JM_N_SLURM_RECORD_FIELDS; i++)
    {
      g_autofree char *what = NULL;

      if ((record->bad >> i & 1) == 0)
        continue;
      what = g_strdup_printf ("job %.*s: %s is not understood",
                              (int) MIN (id.length, QUOTE_MAX), id.text,
                              jm_slurm_record_get_name (i, JM_SLURM_ASKED_SACCT));
      complain (self, what, get_cell (record, i));
    }
}

/* @id is its number, or what stands there. */
static void
take_job (JmSacctRows *self, JmSlurmRecord *job, JmSlice id)
{
  end_run (self);
  g_free (self->raw_id);
  self->raw_id = g_strndup (id.text, id.length);
  if (jm_slurm_record_is_waiting (job))
    {
      self->n_good++;
      return;
    }

  jm_slurm_record_finish (job, self->now);
  self->run = g_steal_pointer (&job->run);
  if (self->run != NULL)
    self->n_good++;
  complain_of_fields (self, job);
}

/* Of a job that is passed over there is no word of its steps. */
static void
take_step (JmSacctRows *self, JmSlurmRecord *step)
{
  if (self->run == NULL)
    return;

  jm_slurm_record_finish (step, self->now);
  if (step->step != NULL)
    g_ptr_array_add (self->steps, g_steal_pointer (&step->step));
  complain_of_fields (self, step);
}

void
jm_sacct_rows_take_job (JmSacctRows *self, JmSlurmRecord *job, GArray *steps)
{
  const char *id = job->run != NULL ? jm_run_get_raw_id (job->run) : "";

  take_job (self, job, (JmSlice){ id, strlen (id) });
  jm_slurm_record_clear (job);
  for (guint i = 0; i < steps->len; i++)
    take_step (self, &g_array_index (steps, JmSlurmRecord, i));
  g_array_set_size (steps, 0);
}

static void
drop_text (JmSacctRows *self)
{
  g_string_truncate (self->text, 0);
  self->n_delimiters = 0;
}

/* What stands above the row was not a part of it: an id is on one line. */
static JmSlice
skip_others (JmSacctRows *self)
{
  JmSlice text = { self->text->str, self->text->len };
  const char *id_end = strstr (text.text, self->delimiter);
  const char *newline =
    id_end != NULL ? g_strrstr_len (text.text, id_end - text.text, "\n") : NULL;

  if (newline != NULL)
    {
      complain (self, "a line that is no row", text);
      text.length -= (gsize) (newline + 1 - text.text);
      text.text = newline + 1;
    }

  return text;
}

/* FALSE where there are more columns or less. */
static gboolean
split (const JmSacctRows *self, JmSlice text, JmSlice cells[JM_N_SLURM_RECORD_FIELDS])
{
  for (guint i = 0; i < self->n_columns; i++)
    if (!jm_slurm_take_cell (&text, self->delimiter, &cells[i]))
      return FALSE;

  return text.text == NULL;
}

/* `12` is a job's, `12.batch` a step's. */
static void
take_cells (JmSacctRows *self, const JmSlice cells[JM_N_SLURM_RECORD_FIELDS])
{
  JmSlice step = cells[JM_SLURM_RECORD_RAW_ID];
  JmSlice id = step;
  JmSlurmRecord record;

  jm_slice_take_word (&step, '.', &id);
  if (step.text != NULL && (self->raw_id == NULL || !jm_slice_equal (id, self->raw_id)))
    {
      complain (self, "a step without its job", cells[JM_SLURM_RECORD_RAW_ID]);
      return;
    }

  if (step.text != NULL)
    jm_slurm_record_init_step (&record, step);
  else
    jm_slurm_record_init_job (&record, self->cluster, id);
  record.cells = cells;
  for (guint i = 0; i < self->n_columns; i++)
    jm_slurm_record_set_cell (&record, i, cells[i]);
  if (step.text != NULL)
    take_step (self, &record);
  else
    take_job (self, &record, id);
  jm_slurm_record_clear (&record);
}

static void
take_row (JmSacctRows *self)
{
  JmSlice text = skip_others (self);
  JmSlice cells[JM_N_SLURM_RECORD_FIELDS] = { { NULL, 0 } };

  if (split (self, text, cells))
    take_cells (self, cells);
  else
    complain (self, "another number of columns", text);
  drop_text (self);
}

/* A line that has more columns than are missing begins another row. */
static void
end_cut_row (JmSacctRows *self, guint n_delimiters)
{
  if (self->n_delimiters == 0 ||
      self->n_delimiters + n_delimiters <= self->n_columns - 1)
    return;

  complain (self, "a row that is cut", (JmSlice){ self->text->str, self->text->len });
  drop_text (self);
}

void
jm_sacct_rows_take (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  JmSacctRows *self = data;
  guint n_delimiters =
    jm_slurm_count_separators ((JmSlice){ line, length }, self->delimiter);
  gboolean is_too_long;

  end_cut_row (self, n_delimiters);
  if (self->text->len > 0)
    g_string_append_c (self->text, '\n');
  g_string_append_len (self->text, line, (gssize) length);
  self->n_delimiters += n_delimiters;

  is_too_long = length >= JM_COMMAND_LINE_MAX || self->text->len > JM_COMMAND_LINE_MAX;
  if (is_too_long)
    {
      complain (self, "a row that is too long",
                (JmSlice){ self->text->str, self->text->len });
      drop_text (self);
    }
  /* of one that was cut more columns may have been to come */
  else if (is_whole && self->n_delimiters >= self->n_columns - 1)
    take_row (self);
}

static gboolean
check_end (JmSacctRows *self, GError **error)
{
  JmSlice left = { self->text->str, self->text->len };

  if (strstr (self->text->str, self->delimiter) != NULL)
    {
      complain (self, "the last row is not whole", left);
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "%s: the last row is not whole: %.*s", self->name,
                   (int) strcspn (left.text, self->delimiter), left.text);
      return FALSE;
    }
  if (left.length > 0)
    complain (self, "a line that is no row", left);
  if (self->n_bad > 0 && self->n_good == 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: no row could be read: %s",
                   self->name, self->complaint);
      return FALSE;
    }

  return TRUE;
}

GPtrArray *
jm_sacct_rows_finish (JmSacctRows *self, GError **error)
{
  if (!check_end (self, error))
    return NULL;
  end_run (self);

  return g_ptr_array_ref (self->batches);
}

guint
jm_sacct_rows_get_n_bad (JmSacctRows *self)
{
  return self->n_bad;
}

const char *
jm_sacct_rows_get_complaint (JmSacctRows *self)
{
  return self->complaint;
}
