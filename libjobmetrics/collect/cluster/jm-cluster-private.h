/* jm-cluster-private.h: the whole truth about some clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/cluster/jm-cluster-asker-private.h"

G_BEGIN_DECLS

/* The schedulers that are asked, each by a thread of its own. Belongs to one thread. */
typedef struct _JmCluster JmCluster;

/* @max_names as of jm_cluster_sums_new(). */
JmCluster *jm_cluster_new (guint max_names);
void jm_cluster_free (JmCluster *self);

/* As jm_cluster_asker_new() has them. From here on it is asked. */
void jm_cluster_add_scheduler (JmCluster *self,
                               JmScheduler *scheduler,
                               const JmClusterPace *pace,
                               JmClusterJobsFunc jobs_func,
                               gpointer user_data);

/* What was told last, whoever fails or hangs; asks nobody. NULL without a scheduler. */
JmSnapshot *jm_cluster_sample (JmCluster *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCluster, jm_cluster_free)

G_END_DECLS
