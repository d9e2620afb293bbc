/* jmc-figure-cell.c: figures in the cells of a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-figure-cell.h"

static char *
format_number (const JmTextNumber *number, double greatest)
{
  const JmFigure figure = { number->value, TRUE, number->is_marked };

  return jm_figure_format_beside (figure, (JmFormat) number->kind, greatest);
}

void
jmc_figure_cell_add (JmTextTable *table, JmFigure figure, JmFormat format)
{
  const JmTextNumber number = { figure.value, (guint) format, figure.is_estimated };

  if (figure.is_known)
    jm_text_table_add_number (table, &number, format_number);
  else
    jm_text_table_add (table, NULL);
}
