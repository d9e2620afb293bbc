/* jm-run-foreign-private.h: records of nodes on which a run did not run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-run-group-private.h"

G_BEGIN_DECLS

/* A record is held to the accounting's list of its run's nodes only where that has the
 * name of a target: else the site and its scheduler call nodes by different names. */

/* Whether an item is a record of a node on which the run of @row did not run. */
gboolean
jm_run_foreign_has_item (const JmRunGroup *group, JmRunRow *row, const JmRunItem *item);

/* Deletes the records of such nodes that came before the accounting had the run's
 * nodes,
 * and notes in @batch that they are refused. */
gboolean jm_run_foreign_forget (JmRunGroup *group,
                                JmSql *sql,
                                JmRunBatch *batch,
                                GError **error);

/* The names of nodes that were read: as jm_run_targets_new() makes them. */
GHashTable *jm_run_foreign_load_targets (JmSql *sql, GError **error);

/* Finds a run of @cluster that ended after @since, seconds since 1970, and whose
 * records could not be held to the accounting's list.
 *
 * Returns: (nullable) (transfer full): the latest; NULL without an error where there is
 * none */
JmRun *jm_run_foreign_find_unmatched (JmSql *sql,
                                      GHashTable *targets,
                                      const char *cluster,
                                      gint64 since,
                                      GError **error);

G_END_DECLS
