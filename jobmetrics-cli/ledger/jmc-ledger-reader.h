/* jmc-ledger-reader.h: the records that are meant, one after the other
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "ledger/jmc-ledger-peer.h"

G_BEGIN_DECLS

typedef void (*JmcRecordFunc) (JmJobRecord *record, gpointer data);

gboolean jmc_ledger_reader_read (JmcLedgerPeer *peer,
                                 const JmcLedgerQuery *query,
                                 const char *job,
                                 JmcRecordFunc func,
                                 gpointer data,
                                 GError **error);

G_END_DECLS
