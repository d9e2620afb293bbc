/* jmc-ledger-moment.h: the jobs of this node at a past time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-record-moment-private.h"
#include "ledger/jmc-ledger-peer.h"

G_BEGIN_DECLS

/* JmcLedgerMoment:
 * @text, @socket: as given; NULL where they were not
 * @time_us: what @text means, microseconds since 1970
 * @node: the name of the node of what was read last; NULL where its records have none
 * @peer: where the records are; NULL before jmc_ledger_moment_read() */
typedef struct
{
  char *text;
  char *socket;
  gint64 time_us;
  char *node;
  JmcLedgerPeer *peer;
} JmcLedgerMoment;

void jmc_ledger_moment_clear (JmcLedgerMoment *self);
void jmc_ledger_moment_add_entries (JmcLedgerMoment *self,
                                    JmcOptions *options,
                                    GOptionGroup *group);
gboolean jmc_ledger_moment_parse (JmcLedgerMoment *self, const JmcOptions *options);
JmSnapshot *jmc_ledger_moment_read (JmcLedgerMoment *self,
                                    const JmcOptions *options,
                                    JmRecordMoment *moment,
                                    GError **error);
char *jmc_ledger_moment_describe_points (const JmRecordMoment *moment);
const char *jmc_ledger_moment_describe_emptiness (const JmcOptions *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcLedgerMoment, jmc_ledger_moment_clear)

G_END_DECLS
