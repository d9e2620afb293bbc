/* jmc-top-pages.h: top without a terminal of its own: pages of text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "collect/jm-node.h"
#include "top/jmc-top-model.h"

G_BEGIN_DECLS

int jmc_top_pages_print (JmNode *node,
                         JmcTopModel *model,
                         const char *host,
                         double interval,
                         guint n_pages);

G_END_DECLS
