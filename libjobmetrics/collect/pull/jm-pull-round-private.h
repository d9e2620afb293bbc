/* jm-pull-round-private.h: many nodes' ledgers, read at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/pull/jm-node-ledger-private.h"

G_BEGIN_DECLS

/* What a thread that asks hands on: a page, or how a node's reading ended. */
typedef struct
{
  JmNodeLedger *ledger;
  JmLedgerPage page;
  gint64 asked_us;
  gboolean is_end;
  GError *error; /* of an end; NULL where the ledger was read as far as it may be now */
} JmPullMessage;

void jm_pull_message_free (JmPullMessage *self);

typedef struct
{
  JmLedgerClient client;
  guint max_at_once; /* nodes */
  gint64 (*get_time) (void);
} JmPullRoundPlan;

/* Threads that ask; the one that has it stores what they hand on. */
typedef struct _JmPullRound JmPullRound;

/* Asks @ledgers, of JmNodeLedger, which must outlive it, as the plan's texts must; the
 * threads only read them. */
JmPullRound *jm_pull_round_new (const JmPullRoundPlan *plan,
                                GPtrArray *ledgers,
                                GCancellable *cancellable);

/* Waits for some, and takes as much more as is there and fits one transaction: of
 * JmPullMessage. Empty where the caller gave it up. */
GPtrArray *jm_pull_round_take (JmPullRound *self);

/* Whether every node is read to its end, and all of that was taken. */
gboolean jm_pull_round_is_over (JmPullRound *self);

/* Waits for the threads, which are told to give up. */
void jm_pull_round_free (JmPullRound *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPullRound, jm_pull_round_free)

G_END_DECLS
