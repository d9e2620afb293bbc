/* jm-margins-private.h: a table whose sums are known better than what is in it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Scales the columns and the rows of @cells, row by row, in turns until the rows add up
 * to @rows, and the columns to @columns as far as that can be (iterative proportional
 * fitting; W. Deming and F. Stephan, 1940). What is nothing stays so. Numbers are not
 * negative. */
void jm_margins_fit (double *cells,
                     const double *rows,
                     guint n_rows,
                     const double *columns,
                     guint n_columns);

G_END_DECLS
