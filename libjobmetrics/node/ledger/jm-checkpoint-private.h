/* jm-checkpoint-private.h: what a program that is killed goes on with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"
#include "node/ledger/jm-checkpoint-memory-private.h"
#include "node/ledger/jm-ledger-batch-private.h"
#include "node/ledger/jm-ledger-private.h"

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

/* While a round is neither in memory that outlives the program nor in the ledger, the
 * counters that only this program keeps are shown as they were stored last, or not at
 * all if they never were: a program that follows a kill shows no less. The others, and
 * gauges, are shown as they are. */
typedef struct _JmHeldCounters JmHeldCounters;

/* What is stored is shown for @longest_us at most. After that all is shown as it is, and
 * the ledger as one that is not up, until it has caught up with what was shown. */
JmHeldCounters *jm_held_counters_new (JmCheckpoint *checkpoint, gint64 longest_us);
void jm_held_counters_free (JmHeldCounters *self);

/* Waits no longer than that until @snapshot is stored, which was handed over last and
 * was made of @readings. @sums has the numbers, of guint, upwards, of the subjects whose
 * CPU time is a sum over processes: the kernel keeps none that goes on without them.
 *
 * Returns: (transfer full): what of it may be shown */
JmSnapshot *jm_held_counters_show (JmHeldCounters *self,
                                   JmSnapshot *snapshot,
                                   JmReadings *readings,
                                   GArray *sums,
                                   gint64 timeout_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmHeldCounters, jm_held_counters_free)

G_END_DECLS
