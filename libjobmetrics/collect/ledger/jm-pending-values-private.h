/* jm-pending-values-private.h: what is handed to a ledger, and may not be stored yet
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "store/jm-ledger-batch-private.h"

G_BEGIN_DECLS

/* What a ledger has or will have, without what it had already when a program began: of
 * each key the values that it has by now, and its record. */
typedef struct _JmPendingValues JmPendingValues;

JmPendingValues *jm_pending_values_new (void);
void jm_pending_values_free (JmPendingValues *self);

/* Takes what is in @batch, which has that number and is later than what is there; its
 * records are packed then. */
void jm_pending_values_take (JmPendingValues *self,
                             JmLedgerBatch *batch,
                             guint64 generation);

/* Takes what a ledger had already: of values under @name (GBytes by key) and records
 * those of which nothing is there. */
void jm_pending_values_complete (JmPendingValues *self,
                                 const char *name,
                                 GHashTable *values);
void jm_pending_values_complete_running (JmPendingValues *self, GPtrArray *running);

/* Whether anything is there of a key. */
gboolean jm_pending_values_has (const JmPendingValues *self, const char *key);

/* Drops the runs that ended in the batches up to that number. */
void jm_pending_values_drop_ended (JmPendingValues *self, guint64 generation);

/* All of it is stored: runs that ended and values that were removed are dropped. */
void jm_pending_values_settle (JmPendingValues *self);

/* What a later program goes on with; broken parts of it are left out there. */
#define JM_PENDING_VALUES_TYPE "a{s(ta{smay})}"
GVariant *jm_pending_values_save (const JmPendingValues *self);
JmPendingValues *jm_pending_values_restore (GVariant *saved);

/* A batch that does the same again. */
JmLedgerBatch *jm_pending_values_make_batch (const JmPendingValues *self);

/* Changes what jm_ledger_load() had under @name (GBytes by key, both owned), and the
 * records of jm_ledger_load_running(), to what they will be. */
void jm_pending_values_change (const JmPendingValues *self,
                               const char *name,
                               GHashTable *values);
void jm_pending_values_change_running (const JmPendingValues *self, GPtrArray *running);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPendingValues, jm_pending_values_free)

G_END_DECLS
