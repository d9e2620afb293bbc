/* jm-run-nodes-private.h: on which nodes a run ran, by its scheduler's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "store/jm-stored-run.h"

G_BEGIN_DECLS

/* The names of a run's nodes without their domains; NULL where the accounting does not
 * have all of them. */
GHashTable *jm_run_nodes_list (const JmStoredRun *run);

/* Whether a node may be one of these: TRUE of an address, too. */
gboolean jm_run_nodes_has (GHashTable *nodes, const char *name);

G_END_DECLS
