/* jmc-top-live.h: top at a terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-output.h"
#include "node/jm-node.h"
#include "top/jmc-top-draw.h"
#include "top/jmc-top-replay.h"

G_BEGIN_DECLS

/* Shows @control's model until the end: a node as it goes, or where that is NULL, past
 * times. Returns the exit status. */
int jmc_top_live_run (JmNode *node,
                      JmcTopReplay *replay,
                      JmcTopControl *control,
                      JmcTopScene *scene,
                      char **problems,
                      JmcColor color);

G_END_DECLS
