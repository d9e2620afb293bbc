/* jmc-table.c: cells in aligned columns
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-table.h"

#include "base/jm-safe-text-private.h"
#include "jmc-text.h"

#define GAP 2
#define ABSENT "-"
#define CUT "+" /* ends a cell of which more is not shown, as with sacct */
#define MIN_CUT 10
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

struct _JmcTable
{
  const JmcColumn *columns;
  guint n_columns;
  guint indent;
  gboolean is_bare;
  GPtrArray *cells; /* of text that is safe to print, row by row; NULL of a figure */
  GArray *figures;  /* of Figure: without text until all of their column are known */
  guint n_shown;    /* columns that the last line had room for */
  guint n_figures_written;
};

typedef struct
{
  guint cell;
  JmFigure figure;
  JmFormat format;
} Figure;

/* @columns must outlive the table. */
JmcTable *
jmc_table_new (const JmcColumn *columns, guint n_columns)
{
  JmcTable *self = g_new0 (JmcTable, 1);

  self->columns = columns;
  self->n_columns = n_columns;
  self->is_bare = columns[0].title == NULL;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->figures = g_array_new (FALSE, FALSE, sizeof (Figure));

  return self;
}

void
jmc_table_free (JmcTable *self)
{
  g_ptr_array_unref (self->cells);
  g_array_unref (self->figures);
  g_free (self);
}

void
jmc_table_set_indent (JmcTable *self, guint indent)
{
  self->indent = indent;
}

void
jmc_table_hide_titles (JmcTable *self)
{
  self->is_bare = TRUE;
}

/* Adds the next cell, from left to right and row by row. What was not read, NULL,
 * and what is empty are shown alike. */
void
jmc_table_add (JmcTable *self, const char *text)
{
  g_ptr_array_add (self->cells,
                   jm_safe_text_make (text != NULL && *text != '\0' ? text : ABSENT));
}

/* The same, and frees @text. */
void
jmc_table_take (JmcTable *self, char *text)
{
  jmc_table_add (self, text);
  g_free (text);
}

/* Whether figures of that kind stand in one unit in a column. */
gboolean
jmc_table_has_unit (JmFormat format)
{
  return format == JM_FORMAT_JOULES || format == JM_FORMAT_WATTS ||
         format == JM_FORMAT_GRAMS;
}

/* The same of a figure, in the unit of the greatest one of its column. */
void
jmc_table_add_figure (JmcTable *self, JmFigure figure, JmFormat format)
{
  const Figure added = { self->cells->len, figure, format };

  if (!jmc_table_has_unit (format) || !figure.is_known)
    {
      jmc_table_take (self, jm_figure_format (figure, format));
      return;
    }

  g_ptr_array_add (self->cells, NULL);
  g_array_append_val (self->figures, added);
}

static void
write_figures (JmcTable *self)
{
  g_autofree double *greatest = g_new0 (double, self->n_columns);

  for (guint i = 0; i < self->figures->len; i++)
    {
      const Figure *figure = &g_array_index (self->figures, Figure, i);
      const guint column = figure->cell % self->n_columns;

      greatest[column] = MAX (greatest[column], figure->figure.value);
    }
  for (guint i = self->n_figures_written; i < self->figures->len; i++)
    {
      const Figure *figure = &g_array_index (self->figures, Figure, i);

      self->cells->pdata[figure->cell] =
        jm_figure_format_beside (figure->figure, figure->format,
                                 greatest[figure->cell % self->n_columns]);
    }
  self->n_figures_written = self->figures->len;
}

guint
jmc_table_get_n_rows (JmcTable *self)
{
  return self->cells->len / self->n_columns;
}

static const char *
get_cell (JmcTable *self, guint row, guint column)
{
  return self->cells->pdata[row * self->n_columns + column];
}

/* The widths of the columns. On a terminal no cell takes more than a third of a line.
 */
static guint *
measure (JmcTable *self, guint line_width)
{
  guint most = line_width > 0 ? MAX (line_width / 3, MIN_CUT) : G_MAXUINT;
  guint *widths = g_new0 (guint, self->n_columns);

  for (guint column = 0; column < self->n_columns; column++)
    {
      if (!self->is_bare)
        widths[column] = jmc_text_get_width (self->columns[column].title);
      for (guint row = 0; row < jmc_table_get_n_rows (self); row++)
        widths[column] =
          MAX (widths[column], jmc_text_get_width (get_cell (self, row, column)));
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

  if (jmc_text_get_width (text) > width)
    {
      jmc_text_cut (cell, width - 1);
      g_string_append (cell, CUT);
    }

  return cell;
}

static void
append_cell (JmcTable *self, GString *line, guint column, const char *text, guint width)
{
  GString *cell = fit (text, width);
  guint missing = width - jmc_text_get_width (cell->str);

  append_spaces (line, column == 0 ? self->indent : GAP);
  if (self->columns[column].align == JMC_ALIGN_RIGHT)
    append_spaces (line, missing);
  g_string_append_len (line, cell->str, (gssize) cell->len);
  if (self->columns[column].align == JMC_ALIGN_LEFT)
    append_spaces (line, missing);

  g_string_free (cell, TRUE);
}

/* Words that come to the end of a line may be cut, where enough of them is left. */
static gboolean
cut_last (JmcTable *self, guint *widths, guint column, guint room)
{
  if (self->columns[column].align != JMC_ALIGN_LEFT || room < MIN_CUT)
    return FALSE;

  widths[column] = room;

  return TRUE;
}

/* How many columns a line has room for. Half a figure would be another one, so that
 * what does not fit is left out; the first column is always there, cut if need be. */
static guint
count_fitting (JmcTable *self, guint *widths, guint line_width)
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
make_line (JmcTable *self, int row, const guint *widths, guint n_columns)
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
jmc_table_render (JmcTable *self, guint width, gboolean color)
{
  GString *text = g_string_new (NULL);
  int first = self->is_bare ? 0 : -1;
  g_autofree guint *widths = NULL;
  guint n_columns;

  write_figures (self);
  widths = measure (self, width);
  n_columns = count_fitting (self, widths, width);
  self->n_shown = n_columns;
  for (int row = first; row < (int) jmc_table_get_n_rows (self); row++)
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

/* Whether a figure that was added as one, and is in the text that was rendered last, is
 * an estimate. */
gboolean
jmc_table_has_estimates (JmcTable *self)
{
  for (guint i = 0; i < self->figures->len; i++)
    {
      const Figure *figure = &g_array_index (self->figures, Figure, i);

      if (figure->figure.is_estimated && figure->cell % self->n_columns < self->n_shown)
        return TRUE;
    }

  return FALSE;
}
