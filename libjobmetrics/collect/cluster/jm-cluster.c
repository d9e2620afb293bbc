/* jm-cluster.c: the whole truth about some clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/cluster/jm-cluster-private.h"

struct _JmCluster
{
  guint max_names;
  GPtrArray *askers; /* of JmClusterAsker */
};

JmCluster *
jm_cluster_new (guint max_names)
{
  JmCluster *self = g_new0 (JmCluster, 1);

  self->max_names = max_names;
  self->askers =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_cluster_asker_free);

  return self;
}

void
jm_cluster_free (JmCluster *self)
{
  g_ptr_array_unref (self->askers);
  g_free (self);
}

void
jm_cluster_add_scheduler (JmCluster *self,
                          JmScheduler *scheduler,
                          const JmClusterPace *pace,
                          JmClusterJobsFunc jobs_func,
                          gpointer user_data)
{
  g_ptr_array_add (self->askers,
                   jm_cluster_asker_new (scheduler, pace, jobs_func, user_data));
}

JmSnapshot *
jm_cluster_sample (JmCluster *self)
{
  gint64 began_us = g_get_monotonic_time ();
  g_autoptr (JmClusterSums) sums =
    jm_cluster_sums_new (self->max_names, g_get_real_time ());

  for (guint i = 0; i < self->askers->len; i++)
    jm_cluster_asker_tell (self->askers->pdata[i], sums);

  return jm_cluster_sums_make_snapshot (sums,
                                        (g_get_monotonic_time () - began_us) * 1000);
}
