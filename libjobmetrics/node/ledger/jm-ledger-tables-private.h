/* jm-ledger-tables-private.h: writing into the tables of a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger-batch-private.h"
#include "node/ledger/jm-ledger-totals-private.h"
#include "sql/jm-sqlite-private.h"

G_BEGIN_DECLS

/* Statements that are ready, of one connection. */
typedef struct _JmLedgerTables JmLedgerTables;

JmLedgerTables *jm_ledger_tables_new (sqlite3 *db, GError **error);
void jm_ledger_tables_free (JmLedgerTables *self);

/* What a batch does beside what it says. */
typedef struct
{
  JmLedgerTotals *totals; /* are added to */
  gboolean all_totals;    /* the file is a new one */
  guint n_oldest;         /* are removed to make room */
  guint64 n_added;        /* out: records */
  guint64 n_removed;
} JmLedgerChange;

/* Writes all of a batch, or nothing. */
gboolean jm_ledger_tables_write (JmLedgerTables *self,
                                 const JmLedgerBatch *batch,
                                 JmLedgerChange *change,
                                 GError **error);

G_END_DECLS
