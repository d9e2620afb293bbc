/* jm-ledger-pull.h: nodes' ledgers, into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "archive/jm-archive-database.h"

G_BEGIN_DECLS

#define JM_TYPE_LEDGER_PULL (jm_ledger_pull_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmLedgerPull, jm_ledger_pull, JM, LEDGER_PULL, GObject)

JM_AVAILABLE_IN_ALL
JmLedgerPull *jm_ledger_pull_new (JmArchiveDatabase *store);

JM_AVAILABLE_IN_ALL
void jm_ledger_pull_set_max_at_once (JmLedgerPull *self, guint max_at_once);

JM_AVAILABLE_IN_ALL
void jm_ledger_pull_set_login (JmLedgerPull *self,
                               const char *username,
                               const char *password);

JM_AVAILABLE_IN_ALL
void jm_ledger_pull_set_ca_file (JmLedgerPull *self, const char *path);

JM_AVAILABLE_IN_ALL
gboolean jm_ledger_pull_set_target (JmLedgerPull *self,
                                    const char *cluster,
                                    const char *node,
                                    const char *url,
                                    GError **error);

JM_AVAILABLE_IN_ALL
void jm_ledger_pull_clear_targets (JmLedgerPull *self);

JM_AVAILABLE_IN_ALL
gboolean jm_ledger_pull_run_round (JmLedgerPull *self,
                                   GCancellable *cancellable,
                                   GError **error);

JM_AVAILABLE_IN_ALL
guint64 jm_ledger_pull_get_n_records (JmLedgerPull *self);

JM_AVAILABLE_IN_ALL
guint jm_ledger_pull_get_n_failed (JmLedgerPull *self);

JM_AVAILABLE_IN_ALL
guint64 jm_ledger_pull_get_n_unresolved (JmLedgerPull *self);

JM_AVAILABLE_IN_ALL
gboolean jm_ledger_pull_get_lag (JmLedgerPull *self,
                                 const char *cluster,
                                 const char *node,
                                 double *seconds);

G_END_DECLS
