/* jm-run-nodes-private.h: on which nodes a run ran, by its scheduler's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run.h"

G_BEGIN_DECLS

/* The names of a run's nodes without their domains; NULL where the accounting does not
 * have all of them. */
GHashTable *jm_run_nodes_list (const JmRun *run);

/* Whether a node may be one of these: TRUE of an address, too. */
gboolean jm_run_nodes_has (GHashTable *nodes, const char *name);

/* Whether a node was one of these, which it is no more. */
gboolean jm_run_nodes_remove (GHashTable *nodes, const char *name);

/* The names of the nodes that a site reads, by cluster and without domains. A target
 * that is an address has none. */
GHashTable *jm_run_targets_new (void);
char *jm_run_targets_make_key (const char *cluster, const char *name);
void jm_run_targets_add (GHashTable *targets, const char *cluster, const char *name);
gboolean
jm_run_targets_has (GHashTable *targets, const char *cluster, const char *name);

/* Whether a name is the same to the accounting, which has @nodes, and to the site. */
gboolean
jm_run_targets_has_any (GHashTable *targets, const char *cluster, GHashTable *nodes);

G_END_DECLS
