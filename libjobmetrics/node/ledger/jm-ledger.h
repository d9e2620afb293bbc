/* jm-ledger.h: the records of a node's jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-job-record.h"
#include "node/ledger/jm-ledger-filter.h"

G_BEGIN_DECLS

#define JM_TYPE_LEDGER (jm_ledger_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmLedger, jm_ledger, JM, LEDGER, GObject)

JM_AVAILABLE_IN_ALL
JmLedger *jm_ledger_open (const char *path, GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_ledger_list (JmLedger *self,
                           JmLedgerFilter *filter,
                           GCancellable *cancellable,
                           GError **error);

JM_AVAILABLE_IN_ALL
JmJobRecord *jm_ledger_find (JmLedger *self, const char *job, GError **error);

JM_AVAILABLE_IN_ALL
guint64 jm_ledger_get_last_position (JmLedger *self, GError **error);

JM_AVAILABLE_IN_ALL
void jm_ledger_close (JmLedger *self);

G_END_DECLS
