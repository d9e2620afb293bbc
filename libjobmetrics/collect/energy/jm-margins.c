/* jm-margins.c: a table whose sums are known better than what is in it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-margins-private.h"

/* After so many what is still wrong is less than a tick. */
#define N_TURNS 16

static void
fit_columns (double *cells, guint n_rows, const double *columns, guint n_columns)
{
  for (guint column = 0; column < n_columns; column++)
    {
      double sum = 0;

      for (guint row = 0; row < n_rows; row++)
        sum += cells[row * n_columns + column];
      for (guint row = 0; row < n_rows && sum > 0; row++)
        cells[row * n_columns + column] *= columns[column] / sum;
    }
}

static void
fit_rows (double *cells, const double *rows, guint n_rows, guint n_columns)
{
  for (guint row = 0; row < n_rows; row++)
    {
      double *own = &cells[row * n_columns];
      double sum = 0;

      for (guint column = 0; column < n_columns; column++)
        sum += own[column];
      for (guint column = 0; column < n_columns && sum > 0; column++)
        own[column] *= rows[row] / sum;
    }
}

void
jm_margins_fit (double *cells,
                const double *rows,
                guint n_rows,
                const double *columns,
                guint n_columns)
{
  for (guint turn = 0; turn < N_TURNS; turn++)
    {
      fit_columns (cells, n_rows, columns, n_columns);
      fit_rows (cells, rows, n_rows, n_columns);
    }
}
