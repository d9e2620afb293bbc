/* jm-ledger-retention-private.h: what a ledger forgets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger-private.h"
#include "sql/jm-sqlite-private.h"

G_BEGIN_DECLS

/* Removes a few of the records that are older than they may be, or the oldest few of a
 * ledger that is larger than it may be, and gives back what a file has too much. Says
 * how many it removed, and whether there is more to do. */
gboolean jm_ledger_retention_step (sqlite3 *db,
                                   const JmLedgerPlan *plan,
                                   guint64 *n_removed,
                                   gboolean *is_done,
                                   GError **error);

/* Whether no more is to be written that needs room: the file has come to its bound. */
gboolean jm_ledger_retention_is_full (sqlite3 *db,
                                      const JmLedgerPlan *plan,
                                      gboolean *is_full,
                                      GError **error);

G_END_DECLS
