/* jm-node-private.h: what a node has, for who examines it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/jm-node.h"
#include "node/ledger/jm-checkpoint-memory-private.h"
#include "node/ledger/jm-ledger-private.h"
#include "registry/jm-source-set-private.h"

G_BEGIN_DECLS

/* The node's own. */
JmSourceSet *jm_node_get_source_set (JmNode *self);

/* Says that samples will be taken at a steady interval: far more is a gap, of which
 * nothing is known. */
void jm_node_set_interval (JmNode *self, guint interval_ms);

/* Has a node that was not sampled yet keep a record of each job that ends in a ledger
 * that is open for writing, and of those that run what it takes to go on with them. It
 * goes on with what the ledger has. For the one program that watches jobs all the time.
 */
void jm_node_set_ledger (JmNode *self, JmLedger *ledger);

/* The same, with memory that outlives the program, from where it goes on; the memory is
 * the node's then. */
void jm_node_set_ledger_and_memory (JmNode *self,
                                    JmLedger *ledger,
                                    JmCheckpointMemory *memory);

/* Samples, and returns what of it may be shown: counters that neither the memory nor
 * the ledger has in that time are shown as they were stored last, for half a minute. */
JmSnapshot *jm_node_sample_to_show (JmNode *self, guint timeout_ms);

/* Waits until what the last sample shows is in the memory or the ledger, so that no
 * program that comes after this one shows less. While the ledger cannot be written
 * nobody waits. TRUE as well without a ledger. */
gboolean jm_node_await_stored (JmNode *self, guint timeout_ms);

G_END_DECLS
