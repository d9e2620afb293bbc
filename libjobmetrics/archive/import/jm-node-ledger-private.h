/* jm-node-ledger-private.h: how far a node's ledger is read into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "io/jm-ledger-client-private.h"

G_BEGIN_DECLS

/**
 * JmNodeLedger:
 * @cluster: whose node it is
 * @node: its name there
 * @url: where it is read
 * @host: of @url
 * @is_wanted: whether the last list of targets has it
 * @is_busy: whether it is being read
 * @is_slow: whether it took long for a page the last time
 * @source: names the position in the store
 * @held_source: names in the store since when a record waits
 * @later_source: names in the store from where on records of a later format came, and
 *   which format was read then
 * @is_known: whether what the store has of it was read
 * @position: as it is stored
 * @read_to: what was asked for to here
 * @held: position of the first record that waits for its run; 0 for none
 * @held_since: seconds since 1970; 0 for none
 * @later: position behind which the first record of a later format stands; -1 for none
 * @is_later_stored: whether the store has that
 * @complete_us: all that was reported before is stored; 0 where nothing is known
 * @retry_us: when what waits is tried again
 * @due_us: when it is asked next; a node that fails is left alone for longer each time
 * @n_failures: one after the other
 * @problem: why it could not be read the last time; NULL where it could
 * @failed_us: since when
 * @fault: what was logged last about a record that was passed over
 *
 * One node's ledger. Not made for several threads.
 */
typedef struct
{
  char *cluster;
  char *node;
  char *url;
  char *host;
  gboolean is_wanted;
  gboolean is_busy;
  gboolean is_slow;
  char *source;
  char *held_source;
  char *later_source;
  gboolean is_known;
  guint64 position;
  guint64 read_to;
  guint64 held;
  gint64 held_since;
  gint64 later;
  gboolean is_later_stored;
  gint64 complete_us;
  gint64 retry_us;
  gint64 due_us;
  guint n_failures;
  char *problem;
  gint64 failed_us;
  char *fault;
} JmNodeLedger;

JmNodeLedger *jm_node_ledger_new (const char *cluster, const char *node);
void jm_node_ledger_free (JmNodeLedger *self);

/* What @source of such a ledger is. */
char *jm_node_ledger_make_source (const char *cluster, const char *node);

/* Records that were of a later format are read again once that is another.
 *
 * - Errors: those of the store; `MALFORMED` for what is there and is no position. */
gboolean
jm_node_ledger_load (JmNodeLedger *self, JmArchiveDatabase *store, GError **error);

/* Says where the ledger is read now. */
void jm_node_ledger_set_url (JmNodeLedger *self, const char *url);

/* Passes over records outside the node's mandate: a node speaks about runs on itself,
 * in its own cluster. Its name is the target's, or the host of its URL, each with a
 * domain or without. A target that is an IP address has no name: its records may have
 * any that is not in @others, which has the sources of all targets. Passes over what no
 * job can have had by @now_us, too. */
void jm_node_ledger_hold_to_mandate (const JmNodeLedger *self,
                                     GHashTable *others,
                                     gint64 now_us,
                                     JmLedgerPage *page);

/* What waits is read anew from before it, every @pause_us. */
void jm_node_ledger_retry (JmNodeLedger *self, gint64 now_us, gint64 pause_us);

/* Whether a run that is not known yet may make a record welcome. */
gboolean jm_node_ledger_may_wait (JmJobRecord *record);

/* @page was given to the store, which refused the runs @refused: the first that may
 * wait keeps the position before it, for @hold_us at most. What is behind it is read
 * once more with it, and does no harm.
 *
 * Returns: how many records are given up */
guint jm_node_ledger_take_page (JmNodeLedger *self,
                                const JmLedgerPage *page,
                                const char *const *refused,
                                gint64 now_us,
                                gint64 hold_us);

void jm_node_ledger_set_positions (const JmNodeLedger *self, JmRunBatch *batch);

/* The page and its positions are stored; it was asked for at @asked_us. */
void jm_node_ledger_note_stored (JmNodeLedger *self,
                                 const JmLedgerPage *page,
                                 gint64 asked_us);

/* Logs that a record was passed over, once where the same is said again and again. */
void jm_node_ledger_note_fault (JmNodeLedger *self, const char *fault);

/* It was read as far as could be; @problem is NULL where that is to its end. Logs when
 * it begins to fail, and when it is read again. */
void jm_node_ledger_note_end (JmNodeLedger *self, const GError *problem, gint64 now_us);

G_END_DECLS
