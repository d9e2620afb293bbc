/* jm-report-paper-table.c: a table on paper
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-paper-table-private.h"

#define SIZE 8.5
#define GAP 10
#define ROW_GAP 4
/* What a column of words is narrowed to at most. */
#define LEAST_WORDS 60

typedef struct
{
  const JmReportTable *table;
  double *widths; /* 0 for a column that is left out */
} Layout;

static const JmReportColumn *
get_column (const JmReportTable *table, guint column)
{
  return &g_array_index (table->columns, JmReportColumn, column);
}

/* The title above a column for -1. */
static const char *
get_text (const JmReportTable *table, int row, guint column)
{
  const char *cell;

  if (row < 0)
    return get_column (table, column)->title;
  cell = jm_report_table_get_cell (table, (guint) row, column);

  return cell != NULL ? cell : JM_REPORT_ABSENT;
}

static gboolean
is_bold (const JmReportTable *table, int row)
{
  return row < 0 ||
         (table->has_sum && (guint) row + 1 == jm_report_table_get_n_rows (table));
}

/* --- how wide the columns are --- */

static void
measure (JmReportPaper *self, Layout *layout)
{
  const int n_rows = (int) jm_report_table_get_n_rows (layout->table);

  for (guint i = 0; i < layout->table->columns->len; i++)
    for (int row = -1; row < n_rows; row++)
      {
        g_autoptr (PangoLayout) text =
          jm_report_paper_make_text (self, get_text (layout->table, row, i), SIZE,
                                     is_bold (layout->table, row), 0, FALSE);

        layout->widths[i] =
          MAX (layout->widths[i], jm_report_paper_get_width (text) + 1);
      }
}

static double
get_total (const Layout *self)
{
  double total = -GAP;

  for (guint i = 0; i < self->table->columns->len; i++)
    total += self->widths[i] > 0 ? self->widths[i] + GAP : 0;

  return total;
}

/* The column that goes first; the number of columns where none may. */
static guint
find_last (const Layout *self)
{
  const guint n = self->table->columns->len;
  guint last = n;

  for (guint i = 0; i < n; i++)
    if (self->widths[i] > 0 && get_column (self->table, i)->rank > 0 &&
        (last == n ||
         get_column (self->table, i)->rank > get_column (self->table, last)->rank))
      last = i;

  return last;
}

static void
narrow_words (Layout *self)
{
  for (guint i = 0; i < self->table->columns->len; i++)
    {
      const double excess = get_total (self) - JM_REPORT_PAPER_ROOM;

      if (excess > 0 && !get_column (self->table, i)->is_number &&
          self->widths[i] > LEAST_WORDS)
        self->widths[i] = MAX (LEAST_WORDS, self->widths[i] - excess);
    }
}

static void
make_room (Layout *self)
{
  narrow_words (self);
  while (get_total (self) > JM_REPORT_PAPER_ROOM)
    {
      const guint last = find_last (self);

      if (last == self->table->columns->len)
        return;
      self->widths[last] = 0;
    }
}

/* --- rows --- */

static double
draw_cell (JmReportPaper *self, const Layout *layout, int row, guint i, double x)
{
  const double width = layout->widths[i];
  g_autoptr (PangoLayout) text =
    jm_report_paper_make_text (self, get_text (layout->table, row, i), SIZE,
                               is_bold (layout->table, row), width, FALSE);

  if (get_column (layout->table, i)->is_number)
    PANGO (layout_set_alignment) (text, PANGO_ALIGN_RIGHT);
  jm_report_paper_show (self, text, x, self->y,
                        row < 0 ? JM_REPORT_INK_MUTED : JM_REPORT_INK_TEXT);

  return jm_report_paper_get_height (text);
}

static void
draw_row (JmReportPaper *self, const Layout *layout, int row)
{
  double x = JM_REPORT_PAPER_MARGIN;
  double height = 0;

  for (guint i = 0; i < layout->table->columns->len; i++)
    if (layout->widths[i] > 0)
      {
        height = MAX (height, draw_cell (self, layout, row, i, x));
        x += layout->widths[i] + GAP;
      }
  self->y += height + ROW_GAP / 2;
  jm_report_paper_fill (self, JM_REPORT_PAPER_MARGIN, self->y,
                        MIN (get_total (layout), JM_REPORT_PAPER_ROOM), 0.4,
                        JM_REPORT_INK_RULE);
  self->y += ROW_GAP / 2;
}

static void
draw_left_out (JmReportPaper *self, guint n_left_out)
{
  g_autofree char *words = g_strdup_printf ("and %u more", n_left_out);
  g_autoptr (PangoLayout) text =
    jm_report_paper_make_text (self, words, SIZE, FALSE, 0, FALSE);

  jm_report_paper_show (self, text, JM_REPORT_PAPER_MARGIN, self->y,
                        JM_REPORT_INK_MUTED);
  self->y += jm_report_paper_get_height (text) + ROW_GAP;
}

void
jm_report_paper_draw_table (JmReportPaper *self, const JmReportTable *table)
{
  g_autofree double *widths = g_new0 (double, table->columns->len);
  const int n_rows = (int) jm_report_table_get_n_rows (table);
  Layout layout = { table, widths };

  measure (self, &layout);
  make_room (&layout);
  jm_report_paper_head (self, table->title, 4 * (SIZE + ROW_GAP));
  draw_row (self, &layout, -1);
  for (int row = 0; row < n_rows; row++)
    {
      /* each page says what its columns are */
      if (jm_report_paper_need (self, 2 * (SIZE + ROW_GAP)))
        draw_row (self, &layout, -1);
      if (row + 1 == n_rows && table->n_left_out > 0 && table->has_sum)
        draw_left_out (self, table->n_left_out);
      draw_row (self, &layout, row);
    }
}
