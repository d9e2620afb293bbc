/* jm-ledger-totals-private.h: what all records had together, by user and account
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger-private.h"
#include "sql/jm-sqlite-private.h"

G_BEGIN_DECLS

/* Totals, bounded in number, and how much was lost. */
typedef struct _JmLedgerTotals JmLedgerTotals;

JmLedgerTotals *jm_ledger_totals_new (void);
JmLedgerTotals *jm_ledger_totals_copy (const JmLedgerTotals *self);
void jm_ledger_totals_free (JmLedgerTotals *self);

void jm_ledger_totals_add (JmLedgerTotals *self, const JmLedgerTotal *total);
/* Raises each to what @totals, of JmLedgerTotal, have at least, and what was dropped. */
void
jm_ledger_totals_raise (JmLedgerTotals *self, const GArray *totals, guint64 n_dropped);
void jm_ledger_totals_add_dropped (JmLedgerTotals *self, guint64 n_dropped);
guint64 jm_ledger_totals_get_dropped (const JmLedgerTotals *self);

/* Of JmLedgerTotal. */
GArray *jm_ledger_totals_list (const JmLedgerTotals *self);

JmLedgerTotals *jm_ledger_totals_load (sqlite3 *db, GError **error);

/* Writes what was added since they were copied or stored last, in place of what a file
 * has of it; or all, into a new one. */
gboolean jm_ledger_totals_store (JmLedgerTotals *self,
                                 sqlite3 *db,
                                 gboolean all,
                                 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLedgerTotals, jm_ledger_totals_free)

G_END_DECLS
