/* jm-ledger-batch-private.h: what is to be written, in the order that does not matter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger-row-private.h"

G_BEGIN_DECLS

/* What waits for a disk is bounded: so many whole records, of so many bytes. */
#define JM_LEDGER_MAX_WAITING 1000
#define JM_LEDGER_MAX_WAITING_BYTES (16 * 1024 * 1024)

/* A value of the program's own. */
typedef struct
{
  const char *name; /* interned: there are but a few */
  GBytes *content;  /* NULL to remove it */
} JmLedgerValue;

/* All that is kept under a key. */
typedef struct
{
  GArray *values;       /* of JmLedgerValue, each name once */
  JmLedgerRow *running; /* NULL for none */
} JmLedgerKept;

/* What a key had before a run of it ended is gone with it, so that what has ended can
 * be written first and what is kept then, however often batches were put together. */
struct _JmLedgerBatch
{
  GPtrArray *forgotten; /* keys of which all that is kept goes, before all else */
  GPtrArray *ended;     /* of JmLedgerRow, as they ended */
  GHashTable *kept;     /* key to JmLedgerKept */
  GArray *raised;       /* of JmLedgerTotal: the least that is counted before */
  guint64 n_raised;     /* the least that was dropped before */
  guint n_whole; /* of those that ended: the others are dropped but for their total */
  guint64 n_dropped;
  /* Of those, what no setting let go, and when the last was: a batch that is written
   * and cleared keeps them. */
  guint64 n_given_up;
  gint64 given_up_us;
};

void jm_ledger_batch_clear (JmLedgerBatch *self);
/* Whether it changes the totals. */
gboolean jm_ledger_batch_counts (const JmLedgerBatch *self);
gboolean jm_ledger_batch_is_empty (const JmLedgerBatch *self);

/* Does all of @later behind what is there; @later is empty then. */
void jm_ledger_batch_merge (JmLedgerBatch *self, JmLedgerBatch *later);

/* Turns records into what is written. */
void jm_ledger_batch_pack (JmLedgerBatch *self);

/* How many whole records are there beyond the bound. */
guint jm_ledger_batch_count_excess (const JmLedgerBatch *self);

/* Gives up so many whole records, the oldest or the newest of them. */
void jm_ledger_batch_give_up (JmLedgerBatch *self, guint n, gboolean keeps_oldest);

/* Drops all whole records, as a setting has it. */
void jm_ledger_batch_decline (JmLedgerBatch *self);

G_END_DECLS
