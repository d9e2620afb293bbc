/* jm-checkpoint-private.h: what a program that is killed goes on with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/ledger/jm-checkpoint-memory-private.h"
#include "store/jm-ledger-private.h"

G_BEGIN_DECLS

/* A ledger, and what is on its way to it. That is in memory which outlives the program,
 * if there is such memory, before it is in the ledger, so that nobody waits for the
 * disk. */
typedef struct _JmCheckpoint JmCheckpoint;

/* Goes on with what an earlier program left in @memory, which is the checkpoint's from
 * then on; NULL for none. What is broken there is passed over, with a warning. */
JmCheckpoint *jm_checkpoint_new (JmLedger *ledger, JmCheckpointMemory *memory);
void jm_checkpoint_free (JmCheckpoint *self);

JmLedger *jm_checkpoint_get_ledger (const JmCheckpoint *self);

/* What was set under @name, by key: of char * and GBytes; and the runs that go on, of
 * JmJobRecord. Where the ledger cannot be read, that is warned of. */
GHashTable *jm_checkpoint_load (const JmCheckpoint *self, const char *name);
GPtrArray *jm_checkpoint_load_running (const JmCheckpoint *self);

/* Hands a batch over, without waiting for the disk. */
void jm_checkpoint_submit (JmCheckpoint *self, JmLedgerBatch *batch);

/* A number of what was handed over last, and whether all up to such a number is in the
 * ledger by now. */
guint64 jm_checkpoint_get_ticket (const JmCheckpoint *self);
gboolean jm_checkpoint_is_stored (const JmCheckpoint *self, guint64 ticket);

/* Whether all that was handed over outlives the program. Waits no longer than that for
 * the disk, and not at all where the memory has it. */
gboolean jm_checkpoint_await (JmCheckpoint *self, gint64 timeout_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCheckpoint, jm_checkpoint_free)

G_END_DECLS
