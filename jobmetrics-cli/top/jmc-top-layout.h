/* jmc-top-layout.h: which columns fit into a line, and where they stand
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "top/jmc-top-column.h"

G_BEGIN_DECLS

/* Fewer cells hold nothing that is worth showing. */
#define JMC_TOP_MIN_WIDTH 40

/* JmcTopLayout:
 * @n_columns: how many columns fit
 * @columns: which those are, from left to right
 * @starts: the first cell of each
 * @widths: the cells of each
 * @n_leading: how many words lead a line; a part's name may run over all of them
 * @width: the cells of the whole line */
typedef struct
{
  guint n_columns;
  JmcTopColumn columns[JMC_TOP_N_COLUMNS];
  guint starts[JMC_TOP_N_COLUMNS];
  guint widths[JMC_TOP_N_COLUMNS];
  guint n_leading;
  guint width;
} JmcTopLayout;

JmcTopLayout jmc_top_layout_make (GPtrArray *jobs, guint width);

G_END_DECLS
