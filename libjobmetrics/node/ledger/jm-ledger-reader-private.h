/* jm-ledger-reader-private.h: reading a ledger, beside who writes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger-filter-private.h"
#include "node/ledger/jm-ledger-private.h"

G_BEGIN_DECLS

/* Reads what is stored, from any thread; it is opened when it is first asked. */
typedef struct _JmLedgerReader JmLedgerReader;

JmLedgerReader *jm_ledger_reader_new (const char *path);
void jm_ledger_reader_free (JmLedgerReader *self);

/* Whether it can be read. */
gboolean jm_ledger_reader_try (JmLedgerReader *self, GError **error);

/* As the functions of the ledger of the same names. */
GPtrArray *jm_ledger_reader_list (JmLedgerReader *self,
                                  const JmLedgerFilter *filter,
                                  GCancellable *cancellable,
                                  GError **error);
gboolean jm_ledger_reader_get_last_position (JmLedgerReader *self,
                                             guint64 *position,
                                             GError **error);
GHashTable *
jm_ledger_reader_load (JmLedgerReader *self, const char *name, GError **error);

G_END_DECLS
