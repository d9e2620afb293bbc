/* jm-node-private.h: what a node has, for who examines it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-node.h"
#include "collect/jm-source-set-private.h"

G_BEGIN_DECLS

/* The node's own. */
JmSourceSet *jm_node_get_source_set (JmNode *self);

G_END_DECLS
