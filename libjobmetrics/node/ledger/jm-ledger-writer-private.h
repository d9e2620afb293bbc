/* jm-ledger-writer-private.h: the thread that writes a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger-private.h"

G_BEGIN_DECLS

/* The one thread that writes: whoever hands over a batch waits for no disk. */
typedef struct _JmLedgerWriter JmLedgerWriter;

JmLedgerWriter *jm_ledger_writer_start (const JmLedgerPlan *plan, GError **error);

/* As the functions of the ledger of the same names. */
guint64 jm_ledger_writer_submit (JmLedgerWriter *self, JmLedgerBatch *batch);
gboolean
jm_ledger_writer_await (JmLedgerWriter *self, guint64 ticket, gint64 timeout_us);
void jm_ledger_writer_get_status (JmLedgerWriter *self, JmLedgerStatus *status);
GArray *jm_ledger_writer_list_totals (JmLedgerWriter *self);

/* Ends the thread, which writes what waits before; one that does not come to an end in
 * that time is left to itself. What is submitted later is not written. */
void jm_ledger_writer_stop (JmLedgerWriter *self, gint64 timeout_us);
void jm_ledger_writer_unref (JmLedgerWriter *self);

G_END_DECLS
