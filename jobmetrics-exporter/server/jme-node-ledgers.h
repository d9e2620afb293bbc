/* jme-node-ledgers.h: the nodes' ledgers, read into the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "archive/jm-archive-database-private.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-settings-private.h"
#include "base/jm-text-writer-private.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/* Which nodes there are, and the result of asking them. Pulls in one thread; its
 * figures may be read by any. */
typedef struct _JmeNodeLedgers JmeNodeLedgers;

void jme_node_ledgers_add_settings (JmSettings *settings);

/* - Errors: `INVALID` for invalid settings. */
JmeNodeLedgers *jme_node_ledgers_new (const JmSettings *settings, GError **error);
void jme_node_ledgers_free (JmeNodeLedgers *self);

/* The setting that names the nodes; NULL where none does. */
const char *jme_node_ledgers_get_name (JmeNodeLedgers *self);

/* Reads who they are, and asks each: jm_pull_probe(). NULL with an error where the list
 * cannot be read. @unmatched is set as jm_pull_targets_find_unmatched() has it where there
 * is a @store. */
GPtrArray *jme_node_ledgers_check (JmeNodeLedgers *self,
                                   JmArchiveDatabase *store,
                                   guint *n_nodes,
                                   guint *n_unasked,
                                   GHashTable **unmatched,
                                   GError **error);

/* Why there is no record of a node about a run that ended then, for its owner: part of
 * a sentence. */
const char *jme_node_ledgers_explain (JmeNodeLedgers *self,
                                      const char *cluster,
                                      const char *node,
                                      gint64 end_time);

/* One for each node. */
void jme_node_ledgers_append_peers (JmeNodeLedgers *self, JmTextWriter *writer);

/* Which nodes could not be read the last time, in a sentence; NULL for none. */
char *jme_node_ledgers_describe_lack (JmeNodeLedgers *self);

/* Reads which nodes there are now, and lets @store know, which is the same each time. */
gboolean jme_node_ledgers_take_targets (JmeNodeLedgers *self,
                                        JmArchiveDatabase *store,
                                        GCancellable *cancellable,
                                        GError **error);

/* Reads what each of these nodes has beyond @store; nothing where there are none. One that
 * does not answer is no error, but counted. */
gboolean jme_node_ledgers_pull (JmeNodeLedgers *self,
                                JmArchiveDatabase *store,
                                GCancellable *cancellable,
                                GError **error);

/* The result of asking them, as JSON; `null` before that was done once. */
void jme_node_ledgers_append_state (JmeNodeLedgers *self, JmJsonWriter *json);

void jme_node_ledgers_append_figures (JmeNodeLedgers *self,
                                      JmMetricSelection *selection,
                                      JmTextWriter *writer);
gboolean jme_node_ledgers_match_figures (const char *pattern);

G_END_DECLS
