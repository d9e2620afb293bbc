/* jm-cluster-private.h: what the daemon does with clusters, and others do not
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/cluster/jm-cluster-asker-private.h"
#include "collect/jm-cluster.h"

G_BEGIN_DECLS

#define JM_CLUSTER_DEFAULT_INTERVAL_MS 60000
#define JM_CLUSTER_DEFAULT_MAX_NAMES 1000

/* Hands on each new list of jobs; before it is started. @user_data must outlive it. */
void
jm_cluster_hand_on_jobs (JmCluster *self, JmClusterJobsFunc func, gpointer user_data);

G_END_DECLS
