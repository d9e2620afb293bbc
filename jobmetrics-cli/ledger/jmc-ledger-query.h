/* jmc-ledger-query.h: which records are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-selection.h"
#include "store/jm-ledger-filter.h"

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

G_END_DECLS
