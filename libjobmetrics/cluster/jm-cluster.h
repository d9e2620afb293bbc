/* jm-cluster.h: the whole truth about some clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-snapshot.h"
#include "host/jm-host.h"
#include "schedulers/jm-scheduler.h"

G_BEGIN_DECLS

#define JM_TYPE_CLUSTER (jm_cluster_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmCluster, jm_cluster, JM, CLUSTER, GObject)

JM_AVAILABLE_IN_ALL
void jm_cluster_add_scheduler (JmCluster *self, JmScheduler *scheduler);

JM_AVAILABLE_IN_ALL
guint jm_cluster_get_n_schedulers (JmCluster *self);

JM_AVAILABLE_IN_ALL
JmScheduler *jm_cluster_get_scheduler (JmCluster *self, guint i);

JM_AVAILABLE_IN_ALL
JmSchedulerReport *jm_cluster_read (JmCluster *self,
                                    guint i,
                                    JmSchedulerTopic topic,
                                    GCancellable *cancellable,
                                    GError **error);

JM_AVAILABLE_IN_ALL
void jm_cluster_start (JmCluster *self);

JM_AVAILABLE_IN_ALL
gboolean jm_cluster_wait_for_answers (JmCluster *self, guint timeout_ms);

JM_AVAILABLE_IN_ALL
JmSnapshot *jm_cluster_sample (JmCluster *self, GError **error);

JM_AVAILABLE_IN_ALL
GError *jm_cluster_get_error (JmCluster *self, guint i, JmSchedulerTopic topic);

G_END_DECLS
