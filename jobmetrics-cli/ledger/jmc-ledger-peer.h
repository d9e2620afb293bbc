/* jmc-ledger-peer.h: a ledger, its file or the exporter that keeps it, read in pages
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "jmc-selection.h"
#include "node/ledger/jm-ledger.h"

G_BEGIN_DECLS

/* JmcLedgerQuery:
 * @selection: what --user, --account and --filter mean
 * @is_of_state: whether --state is given, which is then @state
 * @since_us, @until_us: microseconds since 1970; 0 for open
 * @limit: the last so many; 0 for all */
typedef struct
{
  JmcSelection selection;
  char *state_text;
  char *since_text;
  char *until_text;
  char *limit_text;
  gboolean is_of_state;
  JmRunState state;
  gint64 since_us;
  gint64 until_us;
  guint limit;
} JmcLedgerQuery;

void jmc_ledger_query_clear (JmcLedgerQuery *self);
void jmc_ledger_query_add_entries (JmcLedgerQuery *self, GOptionGroup *group);
gboolean jmc_ledger_query_parse (JmcLedgerQuery *self);

JmLedgerFilter *jmc_ledger_query_make_filter (const JmcLedgerQuery *self,
                                              const char *job);
gboolean jmc_ledger_query_is_exact (const JmcLedgerQuery *self);
char *jmc_ledger_query_make_parameters (const JmcLedgerQuery *self, const char *job);
gboolean jmc_ledger_query_matches (const JmcLedgerQuery *self,
                                   const char *job,
                                   JmJobRecord *record);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcLedgerQuery, jmc_ledger_query_clear)

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
typedef struct _JmcLedgerPeer JmcLedgerPeer;

JmcLedgerPeer *jmc_ledger_peer_of_file (const char *path, GError **error);
JmcLedgerPeer *jmc_ledger_peer_of_socket (const char *path);
JmcLedgerPeer *jmc_ledger_peer_open (const JmcOptions *options,
                                     const char *file,
                                     const char *socket,
                                     GError **error);
void jmc_ledger_peer_free (JmcLedgerPeer *self);

gboolean jmc_ledger_peer_read_running (JmcLedgerPeer *self,
                                       const JmcLedgerQuery *query,
                                       const char *job,
                                       JmcLedgerPage *page,
                                       GError **error);
gboolean jmc_ledger_peer_can_read_last (JmcLedgerPeer *self);
gboolean jmc_ledger_peer_read_last (JmcLedgerPeer *self,
                                    const JmcLedgerQuery *query,
                                    const char *job,
                                    JmcLedgerPage *page,
                                    GError **error);
gboolean jmc_ledger_peer_read_newest (JmcLedgerPeer *self,
                                      const JmcLedgerQuery *query,
                                      const char *job,
                                      JmcLedgerPage *page,
                                      GError **error);
gboolean jmc_ledger_peer_read_recorded (JmcLedgerPeer *self,
                                        const JmcLedgerQuery *query,
                                        const char *job,
                                        guint64 after,
                                        JmcLedgerPage *page,
                                        GError **error);

void jmc_ledger_page_clear (JmcLedgerPage *page);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcLedgerPeer, jmc_ledger_peer_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcLedgerPage, jmc_ledger_page_clear)

G_END_DECLS
