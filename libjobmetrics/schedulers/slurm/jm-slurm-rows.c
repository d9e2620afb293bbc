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

typedef struct
{
  gsize offset; /* in the text */
  gsize length;
  guint n_separators;
  gboolean is_broken; /* a piece of a row whose name has a line end */
} Line;

struct _JmSlurmPieces
{
  const JmSlurmPiecesShape *shape;
  JmSchedulerReport *report;
  JmSlurmRowFunc func;
  gpointer data;
  GString *text;
  GArray *lines; /* of Line */
};

JmSlurmPieces *
jm_slurm_pieces_new (const JmSlurmPiecesShape *shape,
                     JmSchedulerReport *report,
                     JmSlurmRowFunc func,
                     gpointer data)
{
  JmSlurmPieces *self = g_new0 (JmSlurmPieces, 1);

  self->shape = shape;
  self->report = report;
  self->func = func;
  self->data = data;
  self->text = g_string_new (NULL);
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));

  return self;
}

void
jm_slurm_pieces_free (JmSlurmPieces *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->lines);
  g_free (self);
}

void
jm_slurm_pieces_take (JmSlurmPieces *self, JmSlice text)
{
  const Line line = { self->text->len, text.length,
                      jm_slurm_count_separators (text, "|"), FALSE };

  g_string_append_len (self->text, text.text, (gssize) text.length);
  g_array_append_val (self->lines, line);
}

static JmSlice
get_text (const JmSlurmPieces *self, const Line *line)
{
  return (JmSlice){ self->text->str + line->offset, line->length };
}

static gboolean
has_beginning (const JmSlurmPieces *self, const Line *line)
{
  const char *beginning = self->shape->beginning;
  const gsize length = beginning != NULL ? strlen (beginning) : 0;

  return length > 0 && line->length >= length &&
         g_ascii_strncasecmp (self->text->str + line->offset, beginning, length) == 0;
}

static gboolean
is_whole (const JmSlurmPieces *self, const Line *line)
{
  return line->n_separators == self->shape->n_columns - 1;
}

/* Whether what has no beginning ends the row before: of a row whose name has a line end
 * all columns behind the names are in its last line. */
static gboolean
ends_row (const JmSlurmPieces *self, const Line *line, gboolean is_first)
{
  return line->n_separators + self->shape->n_names >= self->shape->n_columns &&
         (!is_whole (self, line) || (self->shape->is_of_all && !is_first));
}

/* A row begins with its first line, and goes on to the last that has no beginning. */
static void
find_broken (JmSlurmPieces *self)
{
  guint first = 0; /* of the row */
  gboolean is_first = TRUE;

  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = &g_array_index (self->lines, Line, i);

      if (has_beginning (self, line))
        first = i;
      else if (ends_row (self, line, is_first))
        for (guint k = first; k <= i; k++)
          g_array_index (self->lines, Line, k).is_broken = TRUE;
      else if (is_whole (self, line))
        first = i;
      is_first = is_first && !is_whole (self, line);
    }
}

/* An answer without any beginning is not of that kind. */
static gboolean
knows_beginnings (const JmSlurmPieces *self)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);

      if (is_whole (self, line) && has_beginning (self, line))
        return TRUE;
    }

  return FALSE;
}

static char *
get_names (const JmSlurmPieces *self, const Line *line)
{
  JmSlice rest = jm_slice_trim (get_text (self, line));
  const char *start = rest.text;
  JmSlice cell = rest;

  for (guint i = 0; i < self->shape->n_names; i++)
    jm_slice_take_word (&rest, '|', &cell);

  return g_strndup (start, (gsize) (cell.text + cell.length - start));
}

/* Slurm has one row of a name: of several that differ somebody made all but one up, and
 * none can be believed. */
static void
find_doubles (JmSlurmPieces *self)
{
  g_autoptr (GHashTable) by_names =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = &g_array_index (self->lines, Line, i);
      g_autofree char *names =
        is_whole (self, line) && !line->is_broken ? get_names (self, line) : NULL;
      Line *other;

      if (names == NULL)
        continue;
      other = g_hash_table_lookup (by_names, names);
      line->is_broken = other != NULL;
      if (other == NULL)
        g_hash_table_insert (by_names, g_steal_pointer (&names), line);
      else if (other->length != line->length ||
               memcmp (self->text->str + other->offset, self->text->str + line->offset,
                       line->length) != 0)
        other->is_broken = TRUE;
    }
}

void
jm_slurm_pieces_finish (JmSlurmPieces *self)
{
  if (knows_beginnings (self))
    find_broken (self);
  find_doubles (self);

  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);

      if (line->is_broken)
        jm_scheduler_report_pass_over (self->report,
                                       "a row with a line end in it, or of a name that "
                                       "has another row");
      else
        self->func (get_text (self, line), self->data);
    }
}
