/* jme-node-page.h: a plain page about this node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* The node's jobs as a table, and how its collectors fare, as HTML. @before is the snapshot
 * before, NULL where there is none: then no rates are told. @metrics_path leads to the
 * metrics. */
GBytes *jme_node_page_render (JmSnapshot *before,
                              JmSnapshot *snapshot,
                              const char *metrics_path);

G_END_DECLS
