/* jmc-top-grid.h: the table of jobs in a frame
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "top/jmc-top-frame.h"
#include "top/jmc-top-layout.h"
#include "top/jmc-top-model.h"

G_BEGIN_DECLS

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
