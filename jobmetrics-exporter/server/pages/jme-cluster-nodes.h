/* jme-cluster-nodes.h: nodes of a cluster by their states, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-queue.h"

G_BEGIN_DECLS

/* How many nodes are in each state, in the scheduler's own words; those that are in the
 * state @word one by one, or, where it is NULL, those that somebody gave a reason for. */
void jme_cluster_nodes_append (GString *out,
                               const JmeQueueNews *news,
                               guint number,
                               const char *word,
                               gboolean sees_all);

G_END_DECLS
