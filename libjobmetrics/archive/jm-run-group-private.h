/* jm-run-group-private.h: runs of one cluster that are looked up and merged together
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-batch-private.h"
#include "core/jm-run-private.h"
#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* Stands before an alias that a record alone says, such as one of Slurm's SLUID: it
 * leads to the run where no other has that uuid, and says nothing of who may see it. */
#define JM_RUN_CLAIM "record:"

/* A run as it is in the table, and as it is to be. */
typedef struct
{
  JmRun *run;
  JmRun *before;        /* as the table has it; NULL where it does not */
  GPtrArray *aliases;   /* further uuids, as text; NULL for none */
  gboolean has_changed; /* or is new */
  gboolean is_disowned; /* what the table has of its parts is another user's */
  gboolean has_records; /* of its nodes, among the items */
  gboolean has_foreign; /* the table had parts of nodes that are none of the run's */
  GPtrArray *nodes;     /* of JmRunPart: what its nodes have sent, by now; NULL where
                         * that does not matter */
  gboolean has_listed;  /* whether @listed is of the run as it is now */
  GHashTable *listed;   /* the accounting's nodes, where records can be held to them */
} JmRunRow;

typedef struct
{
  gint64 cluster_id;
  const char *cluster;
  GHashTable *targets; /* as jm_run_targets_new() makes them */
  gint64 horizon;      /* runs that ended before it were deleted */
  GHashTable *by_id;   /* of GPtrArray of JmRunRow, by raw id */
  GPtrArray *rows;     /* all of them */
} JmRunGroup;

JmRunGroup *jm_run_group_new (gint64 cluster_id,
                              const char *cluster,
                              GHashTable *targets,
                              gint64 horizon);
void jm_run_group_free (JmRunGroup *self);

/* Reads the runs that the table has of the items' ids. */
gboolean jm_run_group_load (JmRunGroup *self,
                            JmSql *sql,
                            const JmRunItem *items,
                            guint n_items,
                            GError **error);

/* The run that an item is about, with what the item says of who it is merged in; a new
 * one where there is none. NULL where no run is identified, with the reason. */
JmRunRow *
jm_run_group_take (JmRunGroup *self, const JmRunItem *item, const char **reason);

/* Reads what nodes have sent of the runs before, of those for which it matters. */
gboolean jm_run_group_load_nodes (JmRunGroup *self, JmSql *sql, GError **error);

/* Sets the figures that are sums over nodes. */
void jm_run_row_settle (JmRunRow *row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunGroup, jm_run_group_free)

G_END_DECLS
