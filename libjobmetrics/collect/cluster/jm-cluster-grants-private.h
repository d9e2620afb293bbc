/* jm-cluster-grants-private.h: what a scheduler grants, and to whom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/cluster/jm-cluster-teller-private.h"
#include "sources/scheduler/jm-scheduler-report.h"

G_BEGIN_DECLS

/* About the present subject, which is the cluster. */
void jm_cluster_tell_licenses (const JmClusterTeller *teller,
                               JmSchedulerReport *report);
void jm_cluster_tell_reservations (const JmClusterTeller *teller,
                                   JmSchedulerReport *report);

/* What each quality of service allows. */
void jm_cluster_tell_qos (const JmClusterTeller *teller, JmSchedulerReport *limits);

/* About the present subject, which is that partition. */
void jm_cluster_tell_partition (const JmClusterTeller *teller,
                                const JmSchedulerPartition *partition);

/* Either report may be NULL. */
void jm_cluster_tell_associations (const JmClusterTeller *teller,
                                   JmSchedulerReport *shares,
                                   JmSchedulerReport *limits);

G_END_DECLS
