/* jmc-top-head.h: how the node is doing, above the table of its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/jm-node-summary.h"
#include "top/jmc-top-frame.h"

G_BEGIN_DECLS

#define JMC_TOP_HEAD_HEIGHT 3

/* From here on memory is nearly full, in per cent. */
#define JMC_TOP_NEARLY_FULL 90

void jmc_top_head_draw (JmcTopFrame *frame,
                        const JmNodeSummary *summary,
                        const char *host,
                        const char *state,
                        JmcTopStyle state_style);

G_END_DECLS
