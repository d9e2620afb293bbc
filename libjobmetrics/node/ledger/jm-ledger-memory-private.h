/* jm-ledger-memory-private.h: what a ledger keeps of each run that goes on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "node/ledger/jm-ledger-private.h"

G_BEGIN_DECLS

/* What an earlier program kept of its jobs under one name, and is not claimed yet; and
 * writes it again. */
typedef struct _JmLedgerMemory JmLedgerMemory;

/* NULL for what is broken. */
typedef gpointer (*JmLedgerUnpack) (GBytes *bytes);

/* @name: what the ledger calls it. @boot_id is the one of now; NULL where it is not
 * known: a run is of one boot. */
JmLedgerMemory *jm_ledger_memory_new (const char *name,
                                      const char *boot_id,
                                      JmLedgerUnpack unpack,
                                      GDestroyNotify free_value);
void jm_ledger_memory_free (JmLedgerMemory *self);

/* Takes what jm_ledger_load() reads.
 *
 * Returns: how many are broken */
guint jm_ledger_memory_take_all (JmLedgerMemory *self, GHashTable *kept);

/* Takes what is known of a job, by the key of its run. TRUE if the job was known; NULL
 * is known of one that is broken. */
gboolean jm_ledger_memory_take (JmLedgerMemory *self, JmJob *job, gpointer *value);

/* At the end of a round: all that has changed, of which @bytes are taken; then the end,
 * which removes jobs that did not come back, once that is certain: then it is TRUE. */
void jm_ledger_memory_save (JmLedgerMemory *self,
                            JmLedgerBatch *batch,
                            const char *run_key,
                            GBytes *bytes);
gboolean jm_ledger_memory_end_save (JmLedgerMemory *self, JmLedgerBatch *batch);

/* Whether a save has ended. */
gboolean jm_ledger_memory_has_saved (JmLedgerMemory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLedgerMemory, jm_ledger_memory_free)

G_END_DECLS
