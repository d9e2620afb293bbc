/* jm-cluster-sums-private.h: a snapshot of what schedulers told
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"
#include "sources/scheduler/jm-scheduler-report.h"

G_BEGIN_DECLS

/* How it went to ask a scheduler for a topic. */
typedef struct
{
  JmSchedulerReport *report; /* the last good one, or NULL */
  gboolean is_asked;         /* once at least; else the rest says nothing */
  gboolean has_succeeded;    /* the last time */
  guint64 age_us;            /* of the report: since it was asked for */
  guint64 duration_us;       /* of the last question */
  guint64 n_failures;
} JmClusterAnswer;

/* Puts what schedulers told into one snapshot, cluster by cluster. Belongs to one
 * thread. */
typedef struct _JmClusterSums JmClusterSums;

/* Of more than @max_names accounts or users of a cluster, those behind by the order of
 * their names are one: JM_CLUSTER_OTHER. */
JmClusterSums *jm_cluster_sums_new (guint max_names, gint64 now_us);
void jm_cluster_sums_free (JmClusterSums *self);

/* Of JmClusterTarget, told with each cluster that is added after; they must outlive
 * @self. */
void jm_cluster_sums_set_targets (JmClusterSums *self, const GPtrArray *targets);

void jm_cluster_sums_add (JmClusterSums *self,
                          const char *cluster,
                          const JmClusterAnswer answers[JM_N_SCHEDULER_TOPICS]);

/* Once; of no cluster at all there is none: NULL. */
JmSnapshot *jm_cluster_sums_make_snapshot (JmClusterSums *self, gint64 duration_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmClusterSums, jm_cluster_sums_free)

G_END_DECLS
