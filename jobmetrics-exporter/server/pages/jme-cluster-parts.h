/* jme-cluster-parts.h: a cluster on a page: what is and was in use and waits, and its
 * nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"
#include "server/jme-archive-query.h"
#include "server/jme-queue.h"

G_BEGIN_DECLS

/* What the nodes of a cluster have, in the order of JmRunHourMean; %NULL reports have
 * none of it. */
void jme_cluster_use_get_whole (const JmeQueueNews *news, JmFigure *whole);

/* Means of each hour since @query: the last day, where it has none.
 *
 * - Errors: `INVALID` for more than a week; those of the store. */
gboolean jme_cluster_hours_append (JmeAnswer *answer,
                                   const JmeArchiveQuery *query,
                                   const JmeQueueNews *news,
                                   guint number,
                                   GError **error);

/* Shares of CPUs, memory and GPUs that jobs have, and a drawing with a shape for each
 * node. @number distinguishes the clusters of a page. */
void
jme_cluster_use_append_nodes (GString *out, const JmeQueueNews *news, guint number);

/* Why jobs wait; where @sees_all, also which users have most CPUs now. */
void jme_cluster_use_append_queue (GString *out,
                                   const JmeQueueNews *news,
                                   guint number,
                                   gboolean sees_all);

/* How many nodes are in each state, in the scheduler's own words; those that are in the
 * state @word one by one, or, where it is NULL, those that somebody gave a reason for. */
void jme_cluster_nodes_append (GString *out,
                               const JmeQueueNews *news,
                               guint number,
                               const char *word,
                               gboolean sees_all);

G_END_DECLS
