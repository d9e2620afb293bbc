/* jmc-figure-cell.h: figures in the cells of a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-text-table-private.h"
#include "core/jm-figure.h"

G_BEGIN_DECLS

/* The next cell: a figure in the unit of the greatest one of its column. */
void jmc_figure_cell_add (JmTextTable *table, JmFigure figure, JmFormat format);

G_END_DECLS
