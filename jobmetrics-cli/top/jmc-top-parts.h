/* jmc-top-parts.h: parts of a frame: the head, and the table of jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/jm-node-summary.h"
#include "top/jmc-top-column.h"
#include "top/jmc-top-frame.h"
#include "top/jmc-top-model.h"

G_BEGIN_DECLS

#define JMC_TOP_HEAD_HEIGHT 3

/* From here on memory is nearly full, in per cent. */
#define JMC_TOP_NEARLY_FULL 90

void jmc_top_head_draw (JmcTopFrame *frame,
                        const JmNodeSummary *summary,
                        const char *host,
                        const char *state,
                        JmcTopStyle state_style);

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

void jmc_top_grid_draw_titles (JmcTopFrame *frame,
                               const JmcTopLayout *layout,
                               guint y,
                               JmcTopColumn sort,
                               gboolean is_reversed);
void jmc_top_grid_draw_line (JmcTopFrame *frame,
                             const JmcTopLayout *layout,
                             guint y,
                             const JmcTopLine *line,
                             gboolean is_selected);

G_END_DECLS
