/* jmc-cluster-rows.h: what schedulers say, row by row
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "cluster/jmc-cluster-field.h"
#include "collect/jm-cluster.h"

G_BEGIN_DECLS

typedef struct
{
  GArray *rows;      /* of JmcClusterRow */
  GPtrArray *held;   /* reports that the rows are of */
  GPtrArray *made;   /* of JmcPartition, likewise */
  JmSnapshot *whole; /* likewise, or NULL */
  gboolean is_whole; /* nobody that was asked failed */
} JmcClusterRows;

void jmc_cluster_rows_init (JmcClusterRows *self);
void jmc_cluster_rows_clear (JmcClusterRows *self);

/* Asks each scheduler, and says which failed. */
void jmc_cluster_rows_read (JmcClusterRows *self,
                            JmCluster *cluster,
                            JmSchedulerTopic topic);
void jmc_cluster_rows_read_partitions (JmcClusterRows *self, JmCluster *cluster);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcClusterRows, jmc_cluster_rows_clear)

G_END_DECLS
