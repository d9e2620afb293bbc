/* jm-cluster-settings-private.h: what can be said of clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "cluster/jm-cluster-asker-private.h"
#include "cluster/jm-cluster.h"

G_BEGIN_DECLS

/* Whom to ask. */
#define JM_CLUSTER_SCHEDULER "cluster.scheduler"

void jm_cluster_settings_add (JmSettings *settings);

/* What was not added has its default. Errors: `INVALID` for a scheduler that is
 * invalid, and a file of targets that cannot be read, with the setting's name. */
JmCluster *jm_cluster_settings_make (const JmSettings *settings, GError **error);

#define JM_CLUSTER_DEFAULT_INTERVAL_MS 60000
#define JM_CLUSTER_DEFAULT_MAX_NAMES 1000

/* Hands on each new list of jobs; before it is started. @user_data must outlive it. */
void
jm_cluster_hand_on_jobs (JmCluster *self, JmClusterJobsFunc func, gpointer user_data);

G_END_DECLS
