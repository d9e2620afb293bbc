/* jm-ledger-output-private.h: a ledger that is written, whatever happens to its file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "store/jm-ledger-batch-private.h"

G_BEGIN_DECLS

/* A ledger's file, that is opened again where it was removed, and begun anew where it
 * is broken. It belongs to one thread at a time. */
typedef struct _JmLedgerOutput JmLedgerOutput;

JmLedgerOutput *jm_ledger_output_open (const JmLedgerPlan *plan, GError **error);
void jm_ledger_output_close (JmLedgerOutput *self);
const char *jm_ledger_output_get_path (JmLedgerOutput *self);

/* Writes all of a batch, or nothing. */
gboolean
jm_ledger_output_write (JmLedgerOutput *self, JmLedgerBatch *batch, GError **error);

G_END_DECLS
