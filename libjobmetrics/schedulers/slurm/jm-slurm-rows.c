/* jm-slurm-rows.c: rows that may go over several lines
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-output-private.h"

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
