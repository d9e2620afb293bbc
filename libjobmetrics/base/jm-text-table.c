/* jm-text-table.c: cells in aligned columns
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-text-table-private.h"

#include "base/jm-safe-text-private.h"
#include "base/jm-text-width-private.h"

#define GAP 2
#define ABSENT "-"
#define CUT "+" /* ends a cell of which more is not shown, as with sacct */
#define MIN_CUT 10
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

struct _JmTextTable
{
  const JmTextColumn *columns;
  guint n_columns;
  guint indent;
  gboolean is_bare;
  GPtrArray *cells; /* of text that is safe to print, row by row; NULL of a number */
  GArray *numbers;  /* of Number: without a text until all of their column are known */
  guint n_written;  /* of these */
  guint n_shown;    /* columns that the last line had room for */
};

typedef struct
{
  guint cell;
  JmTextNumber number;
  JmTextNumberFunc format;
} Number;

/* @columns must outlive the table. */
JmTextTable *
jm_text_table_new (const JmTextColumn *columns, guint n_columns)
{
  JmTextTable *self = g_new0 (JmTextTable, 1);

  self->columns = columns;
  self->n_columns = n_columns;
  self->is_bare = columns[0].title == NULL;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->numbers = g_array_new (FALSE, FALSE, sizeof (Number));

  return self;
}

void
jm_text_table_free (JmTextTable *self)
{
  g_ptr_array_unref (self->cells);
  g_array_unref (self->numbers);
  g_free (self);
}

void
jm_text_table_set_indent (JmTextTable *self, guint indent)
{
  self->indent = indent;
}

void
jm_text_table_hide_titles (JmTextTable *self)
{
  self->is_bare = TRUE;
}

/* Adds the next cell, from left to right and row by row. What was not read, NULL,
 * and what is empty are shown alike. */
void
jm_text_table_add (JmTextTable *self, const char *text)
{
  g_ptr_array_add (self->cells,
                   jm_safe_text_make (text != NULL && *text != '\0' ? text : ABSENT));
}

/* The same, and frees @text. */
void
jm_text_table_take (JmTextTable *self, char *text)
{
  jm_text_table_add (self, text);
  g_free (text);
}

void
jm_text_table_add_number (JmTextTable *self,
                          const JmTextNumber *number,
                          JmTextNumberFunc format)
{
  const Number added = { self->cells->len, *number, format };

  g_ptr_array_add (self->cells, NULL);
  g_array_append_val (self->numbers, added);
}

static void
write_numbers (JmTextTable *self)
{
  g_autofree double *greatest = g_new0 (double, self->n_columns);

  for (guint i = 0; i < self->numbers->len; i++)
    {
      const Number *number = &g_array_index (self->numbers, Number, i);
      const guint column = number->cell % self->n_columns;

      greatest[column] = MAX (greatest[column], number->number.value);
    }
  for (guint i = self->n_written; i < self->numbers->len; i++)
    {
      const Number *number = &g_array_index (self->numbers, Number, i);
      g_autofree char *text =
        number->format (&number->number, greatest[number->cell % self->n_columns]);

      self->cells->pdata[number->cell] = jm_safe_text_make (text);
    }
  self->n_written = self->numbers->len;
}

guint
jm_text_table_get_n_rows (JmTextTable *self)
{
  return self->cells->len / self->n_columns;
}

static const char *
get_cell (JmTextTable *self, guint row, guint column)
{
  return self->cells->pdata[row * self->n_columns + column];
}

/* The widths of the columns. On a terminal no cell takes more than a third of a line.
 */
static guint *
measure (JmTextTable *self, guint line_width)
{
  guint most = line_width > 0 ? MAX (line_width / 3, MIN_CUT) : G_MAXUINT;
  guint *widths = g_new0 (guint, self->n_columns);

  for (guint column = 0; column < self->n_columns; column++)
    {
      if (!self->is_bare)
        widths[column] = jm_text_width_get (self->columns[column].title);
      for (guint row = 0; row < jm_text_table_get_n_rows (self); row++)
        widths[column] =
          MAX (widths[column], jm_text_width_get (get_cell (self, row, column)));
      widths[column] = MIN (widths[column], most);
    }

  return widths;
}

static void
append_spaces (GString *line, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_c (line, ' ');
}

static GString *
fit (const char *text, guint width)
{
  GString *cell = g_string_new (text);

  if (jm_text_width_get (text) > width)
    {
      jm_text_width_cut (cell, width - 1);
      g_string_append (cell, CUT);
    }

  return cell;
}

static void
append_cell (JmTextTable *self,
             GString *line,
             guint column,
             const char *text,
             guint width)
{
  GString *cell = fit (text, width);
  guint missing = width - jm_text_width_get (cell->str);

  append_spaces (line, column == 0 ? self->indent : GAP);
  if (self->columns[column].align == JM_TEXT_ALIGN_RIGHT)
    append_spaces (line, missing);
  g_string_append_len (line, cell->str, (gssize) cell->len);
  if (self->columns[column].align == JM_TEXT_ALIGN_LEFT)
    append_spaces (line, missing);

  g_string_free (cell, TRUE);
}

/* Words that come to the end of a line may be cut, where enough of them is left. */
static gboolean
cut_last (JmTextTable *self, guint *widths, guint column, guint room)
{
  if (self->columns[column].align != JM_TEXT_ALIGN_LEFT || room < MIN_CUT)
    return FALSE;

  widths[column] = room;

  return TRUE;
}

/* How many columns a line has room for. Half a figure would be another one, so that
 * what does not fit is left out; the first column is always there, cut if need be. */
static guint
count_fitting (JmTextTable *self, guint *widths, guint line_width)
{
  guint used;

  if (line_width == 0)
    return self->n_columns;

  widths[0] = MIN (widths[0], MAX (line_width, self->indent + 1) - self->indent);
  used = self->indent + widths[0];
  for (guint column = 1; column < self->n_columns; column++)
    {
      const guint room = used + GAP < line_width ? line_width - used - GAP : 0;

      used += GAP + widths[column];
      if (used > line_width)
        return cut_last (self, widths, column, room) ? column + 1 : column;
    }

  return self->n_columns;
}

/* The row's text in its first @n_columns, or that of the titles where @row is -1. */
static GString *
make_line (JmTextTable *self, int row, const guint *widths, guint n_columns)
{
  GString *line = g_string_new (NULL);

  for (guint column = 0; column < n_columns; column++)
    append_cell (self, line, column,
                 row < 0 ? self->columns[column].title
                         : get_cell (self, (guint) row, column),
                 widths[column]);

  return line;
}

static void
trim (GString *line)
{
  while (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
}

/* The table's lines. @width is that of the terminal, 0 for one without an end; columns
 * that do not fit are left out from the right. */
char *
jm_text_table_render (JmTextTable *self, guint width, gboolean color)
{
  GString *text = g_string_new (NULL);
  int first = self->is_bare ? 0 : -1;
  g_autofree guint *widths = NULL;
  guint n_columns;

  write_numbers (self);
  widths = measure (self, width);
  n_columns = count_fitting (self, widths, width);
  self->n_shown = n_columns;
  for (int row = first; row < (int) jm_text_table_get_n_rows (self); row++)
    {
      GString *line = make_line (self, row, widths, n_columns);

      trim (line);
      if (color && row < 0)
        g_string_append_printf (text, BOLD "%s" PLAIN "\n", line->str);
      else
        g_string_append_printf (text, "%s\n", line->str);
      g_string_free (line, TRUE);
    }

  return g_string_free (text, FALSE);
}

/* Whether a number that is marked is in the text that was rendered last. */
gboolean
jm_text_table_has_marks (JmTextTable *self)
{
  for (guint i = 0; i < self->numbers->len; i++)
    {
      const Number *number = &g_array_index (self->numbers, Number, i);

      if (number->number.is_marked && number->cell % self->n_columns < self->n_shown)
        return TRUE;
    }

  return FALSE;
}
