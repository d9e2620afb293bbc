/* jm-ledger-batch-private.h: what is to be written, in the order that does not matter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "store/jm-ledger-private.h"

G_BEGIN_DECLS

/* A value of the program's own. */
typedef struct
{
  const char *name; /* interned: there are but a few */
  GBytes *content;  /* NULL to remove it */
} JmLedgerValue;

/* All that is kept under a key. */
typedef struct
{
  GArray *values; /* of JmLedgerValue, each name once */
} JmLedgerKept;

/* What a key had before a run of it ended is gone with it, so that what has ended can
 * be written first and what is kept then, however often batches were put together. */
struct _JmLedgerBatch
{
  GHashTable *kept; /* key to JmLedgerKept */
};

void jm_ledger_batch_clear (JmLedgerBatch *self);
gboolean jm_ledger_batch_is_empty (const JmLedgerBatch *self);

/* Does all of @later behind what is there; @later is empty then. */
void jm_ledger_batch_merge (JmLedgerBatch *self, JmLedgerBatch *later);

G_END_DECLS
