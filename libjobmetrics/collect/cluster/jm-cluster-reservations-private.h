/* jm-cluster-reservations-private.h: what nodes have, by the reservation they are in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/cluster/jm-cluster-teller-private.h"
#include "sources/scheduler/jm-scheduler-report.h"

G_BEGIN_DECLS

/* About the present subject, which is the cluster. A node is in the reservation that
 * its own record names, else in the first that has begun and has the node in its list,
 * else
 * in JM_CLUSTER_NONE. Without @reservations, and without a node that names one, nothing
 * is told. */
void jm_cluster_tell_reserved (const JmClusterTeller *teller,
                               JmSchedulerReport *nodes,
                               JmSchedulerReport *reservations,
                               gint64 now_us);

G_END_DECLS
