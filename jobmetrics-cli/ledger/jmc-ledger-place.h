/* jmc-ledger-place.h: where records are, in pages
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "ledger/jmc-ledger-query.h"

G_BEGIN_DECLS

/* Where the exporter's unit has the socket for those on the node. */
#define JMC_USUAL_SOCKET "/run/jobmetrics-exporter/socket"

/* Some records, by position.
 *
 * JmcLedgerPage:
 * @records: of JmJobRecord
 * @next: the position to go on behind
 * @has_more: whether there is a page behind this
 * @is_newest: whether these are the newest, and none of those asked for is left out */
typedef struct
{
  GPtrArray *records;
  guint64 next;
  gboolean has_more;
  gboolean is_newest;
} JmcLedgerPage;

/* A ledger's file, or the exporter that keeps one. */
typedef struct _JmcLedgerPlace JmcLedgerPlace;

JmcLedgerPlace *jmc_ledger_place_of_file (const char *path, GError **error);
JmcLedgerPlace *jmc_ledger_place_of_socket (const char *path);
JmcLedgerPlace *jmc_ledger_place_open (const JmcOptions *options,
                                       const char *file,
                                       const char *socket,
                                       GError **error);
void jmc_ledger_place_free (JmcLedgerPlace *self);

gboolean jmc_ledger_place_read_running (JmcLedgerPlace *self,
                                        const JmcLedgerQuery *query,
                                        const char *job,
                                        JmcLedgerPage *page,
                                        GError **error);
gboolean jmc_ledger_place_can_read_last (JmcLedgerPlace *self);
gboolean jmc_ledger_place_read_last (JmcLedgerPlace *self,
                                     const JmcLedgerQuery *query,
                                     const char *job,
                                     JmcLedgerPage *page,
                                     GError **error);
gboolean jmc_ledger_place_read_newest (JmcLedgerPlace *self,
                                       const JmcLedgerQuery *query,
                                       const char *job,
                                       JmcLedgerPage *page,
                                       GError **error);
gboolean jmc_ledger_place_read_recorded (JmcLedgerPlace *self,
                                         const JmcLedgerQuery *query,
                                         const char *job,
                                         guint64 after,
                                         JmcLedgerPage *page,
                                         GError **error);

void jmc_ledger_page_clear (JmcLedgerPage *page);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcLedgerPlace, jmc_ledger_place_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcLedgerPage, jmc_ledger_page_clear)

G_END_DECLS
