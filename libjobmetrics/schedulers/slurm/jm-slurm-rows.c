/* jm-slurm-rows.c: rows that may go over several lines
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-output-private.h"

#include <string.h>

#include "io/jm-command-runner-private.h"
#include "schedulers/slurm/jm-slurm-table-private.h"

struct _JmSlurmRows
{
  const char *separator;
  guint n_columns;
  JmSlurmRowFunc func;
  gpointer data;
  GString *text;      /* a row that is not whole yet */
  guint n_separators; /* in @text */
};

JmSlurmRows *
jm_slurm_rows_new (const char *separator,
                   guint n_columns,
                   JmSlurmRowFunc func,
                   gpointer data)
{
  JmSlurmRows *self = g_new0 (JmSlurmRows, 1);

  self->separator = separator;
  self->n_columns = n_columns;
  self->func = func;
  self->data = data;
  self->text = g_string_new (NULL);

  return self;
}

void
jm_slurm_rows_free (JmSlurmRows *self)
{
  g_string_free (self->text, TRUE);
  g_free (self);
}

void
jm_slurm_rows_finish (JmSlurmRows *self)
{
  if (self->text->len > 0)
    self->func ((JmSlice){ self->text->str, self->text->len }, self->data);
  g_string_truncate (self->text, 0);
  self->n_separators = 0;
}

/* A line that has more columns than are missing begins another row. */
static gboolean
goes_on (const JmSlurmRows *self, JmSlice line, guint n_separators)
{
  return self->text->len > 0 && self->n_separators + n_separators <= self->n_columns &&
         self->text->len + line.length < JM_COMMAND_LINE_MAX;
}

void
jm_slurm_rows_take (JmSlurmRows *self, JmSlice line, gboolean is_whole)
{
  guint n_separators = jm_slurm_count_separators (line, self->separator);

  if (goes_on (self, line, n_separators))
    g_string_append_c (self->text, '\n');
  else
    {
      jm_slurm_rows_finish (self);
      if (n_separators == 0 || n_separators >= self->n_columns || !is_whole)
        {
          self->func (line, self->data);
          return;
        }
    }

  g_string_append_len (self->text, line.text, (gssize) line.length);
  self->n_separators += n_separators;
  if (self->n_separators == self->n_columns || !is_whole)
    jm_slurm_rows_finish (self);
}

/* --- rows of a fixed separator --- */

struct _JmSlurmPieces
{
  const char *command;
  gboolean is_of_cluster;
  guint n_columns;
  JmSchedulerReport *report;
  JmSlurmRowFunc func;
  gpointer data;
  guint n_missing; /* separators of the row that was begun; 0: none was */
  GPtrArray *held; /* of GBytes: whole rows since then */
};

JmSlurmPieces *
jm_slurm_pieces_new (const char *command,
                     gboolean is_of_cluster,
                     guint n_columns,
                     JmSchedulerReport *report,
                     JmSlurmRowFunc func,
                     gpointer data)
{
  JmSlurmPieces *self = g_new0 (JmSlurmPieces, 1);

  self->command = command;
  self->is_of_cluster = is_of_cluster;
  self->n_columns = n_columns;
  self->report = report;
  self->func = func;
  self->data = data;
  self->held = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  return self;
}

void
jm_slurm_pieces_free (JmSlurmPieces *self)
{
  g_ptr_array_unref (self->held);
  g_free (self);
}

static void
pass_over (JmSlurmPieces *self)
{
  jm_scheduler_report_complain (self->report, "a row with a line end in it");
}

static void
take_piece (JmSlurmPieces *self, guint n_separators)
{
  pass_over (self);
  self->n_missing -= n_separators;
  if (self->n_missing > 0)
    return;

  for (guint i = 0; i < self->held->len; i++)
    pass_over (self);
  g_ptr_array_set_size (self->held, 0);
}

/* `sacctmgr: error: ...` is a row of its own, and so is a line without anything. Where
 * a cluster stands first, which has no line end in its name, any line of one column is
 * no piece of a row. */
static gboolean
begins_row (const JmSlurmPieces *self, JmSlice line, guint n_separators)
{
  const gsize length = strlen (self->command);
  const gboolean is_message = line.length > length && line.text[length] == ':' &&
                              memcmp (line.text, self->command, length) == 0;

  return n_separators > 0 || (!self->is_of_cluster && line.length > 0 && !is_message);
}

void
jm_slurm_pieces_take (JmSlurmPieces *self, JmSlice line)
{
  const guint n_whole = self->n_columns - 1;
  const guint n_separators = jm_slurm_count_separators (line, "|");

  if (self->n_missing > 0 && n_separators <= self->n_missing)
    take_piece (self, n_separators);
  else if (self->n_missing > 0)
    g_ptr_array_add (self->held, g_bytes_new (line.text, line.length));
  else if (n_separators < n_whole && begins_row (self, line, n_separators))
    {
      self->n_missing = n_whole;
      take_piece (self, n_separators);
    }
  else
    self->func (line, self->data);
}

/* A row that never ended was cut by something else, and costs itself. */
void
jm_slurm_pieces_finish (JmSlurmPieces *self)
{
  for (guint i = 0; i < self->held->len; i++)
    {
      gsize length;
      const char *text = g_bytes_get_data (self->held->pdata[i], &length);

      self->func ((JmSlice){ text, length }, self->data);
    }
  g_ptr_array_set_size (self->held, 0);
  self->n_missing = 0;
}
