/* jm-ledger-output-private.h: a ledger that is written, whatever happens to its file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger-batch-private.h"
#include "node/ledger/jm-ledger-totals-private.h"

G_BEGIN_DECLS

/* A ledger's file, that is opened again where it was removed, and begun anew where it
 * is broken. It belongs to one thread at a time. */
typedef struct _JmLedgerOutput JmLedgerOutput;

JmLedgerOutput *jm_ledger_output_open (const JmLedgerPlan *plan, GError **error);
void jm_ledger_output_close (JmLedgerOutput *self);
const char *jm_ledger_output_get_path (JmLedgerOutput *self);

/* Writes all of a batch, or nothing. Of one that failed before, with more in it than
 * may wait, old records make room for new ones, or the new ones are dropped. */
gboolean
jm_ledger_output_write (JmLedgerOutput *self, JmLedgerBatch *batch, GError **error);

/* Forgets a little of what need not be kept; FALSE where there is more of it. */
gboolean jm_ledger_output_tidy (JmLedgerOutput *self);

/* What the file has. */
const JmLedgerTotals *jm_ledger_output_get_totals (JmLedgerOutput *self);
guint64 jm_ledger_output_get_n_records (JmLedgerOutput *self);
guint64 jm_ledger_output_get_size (JmLedgerOutput *self);

G_END_DECLS
