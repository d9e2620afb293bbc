/* jme-cluster-use.h: how much of a cluster is in use, by whom, and what waits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-queue.h"

G_BEGIN_DECLS

/* Shares of CPUs, memory and GPUs that jobs have, and a drawing with a shape for each
 * node. @number tells the clusters of a page apart. */
void
jme_cluster_use_append_nodes (GString *out, const JmeQueueNews *news, guint number);

/* Why jobs wait; where @sees_all, also which users have most CPUs now. */
void jme_cluster_use_append_queue (GString *out,
                                   const JmeQueueNews *news,
                                   guint number,
                                   gboolean sees_all);

G_END_DECLS
