/* jme-ledger-query.h: which records of the ledger a client asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "store/jm-ledger-filter.h"
#include "store/jm-record-json-private.h"

G_BEGIN_DECLS

/* JmeLedgerQuery:
 * @filter: which records
 * @after: the position behind which they are
 * @limit: how many at most
 * @newest: how many of those that were recorded last are wanted instead; 0 for none
 * @is_running: whether what runs is wanted, which has no position yet
 *
 * One page of a ledger. */
typedef struct
{
  JmLedgerFilter *filter;
  guint64 after;
  guint limit;
  guint newest;
  gint64 since_us;
  gint64 until_us;
  gboolean is_running;
} JmeLedgerQuery;

void jme_ledger_query_init (JmeLedgerQuery *self);

/* The keys that there are, up to NULL. */
const char *const *jme_ledger_query_list_names (void);

/* The most that are told at once. */
#define JME_LEDGER_QUERY_MAX JM_LEDGER_PAGE_RECORDS

/* Takes the value of a key.
 *
 * - Errors: `INVALID`, with the key and the value. */
gboolean jme_ledger_query_take (JmeLedgerQuery *self,
                                const char *name,
                                const char *value,
                                GError **error);

void jme_ledger_query_clear (JmeLedgerQuery *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeLedgerQuery, jme_ledger_query_clear)

G_END_DECLS
