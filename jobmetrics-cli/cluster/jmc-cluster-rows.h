/* jmc-cluster-rows.h: what schedulers say, row by row, and its fields
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "cluster/jm-cluster.h"
#include "core/jm-quantity-private.h"
#include "schedulers/jm-scheduler-records.h"

G_BEGIN_DECLS

/* A record as the scheduler has it, and whose it is. */
typedef struct
{
  const char *cluster;
  gconstpointer record;
} JmcClusterRow;

/* One of the text and the number can be had, as the format says. */
typedef struct
{
  JmQuantityId id;
  gboolean is_choice; /* rows are chosen by an option of its name */
  gboolean is_hidden; /* unless it is asked for */
  char *(*make_text) (const JmcClusterRow *row);   /* NULL for none */
  double (*get_number) (const JmcClusterRow *row); /* NAN for none */
} JmcClusterField;

/* Sums of a partition, made from its jobs and nodes; NAN for what nobody told. */
typedef struct
{
  const char *name;
  double running;
  double pending;
  double oldest_pending_seconds;
  double nodes;
  double nodes_idle;
  double cpus_allocated;
  double cpus_idle;
  double cpus_other;
  double memory_bytes;
  double memory_allocated_bytes;
} JmcPartition;

const JmcClusterField *jmc_cluster_field_list_jobs (guint *n);
const JmcClusterField *jmc_cluster_field_list_nodes (guint *n);
const JmcClusterField *jmc_cluster_field_list_partitions (guint *n);
const JmcClusterField *jmc_cluster_field_list_shares (guint *n);

/* As people read it; NULL for what is not known. */
char *jmc_cluster_field_format (const JmcClusterField *self, const JmcClusterRow *row);

/* In base units; NULL for what is not known. */
char *jmc_cluster_field_to_string (const JmcClusterField *self,
                                   const JmcClusterRow *row);

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
