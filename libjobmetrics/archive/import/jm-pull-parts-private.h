/* jm-pull-parts-private.h: threads that ask the nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/import/jm-node-ledger-private.h"
#include "io/jm-ledger-client-private.h"

G_BEGIN_DECLS

/* What a thread hands on: a page, or how the reading of a node ended. */
typedef struct
{
  JmNodeLedger *ledger;
  JmLedgerPage page;
  gint64 asked_us;
  gboolean is_end;
  gboolean was_slow; /* of an end */
  GError *error; /* of an end; NULL where the ledger was read as far as it may be now */
} JmPullMessage;

void jm_pull_message_free (JmPullMessage *self);

typedef struct
{
  JmLedgerClient client;
  guint max_at_once; /* nodes */
  gint64 (*get_time) (void);
  gint64 slow_us;   /* a node that takes longer for a page is not waited for */
  gint64 budget_us; /* a node that has more after that is read on the next time */
} JmPullPlan;

/* One thread starts the readings of nodes, and stores what the others hand on. */
typedef struct _JmPullThreads JmPullThreads;

/* The texts of the plan must outlive it. */
JmPullThreads *jm_pull_threads_new (const JmPullPlan *plan);

/* Begins to read a ledger, which must stay until the end of that is taken. Where nodes
 * that were slow before are many, they wait for each other alone. */
void jm_pull_threads_start (JmPullThreads *self, JmNodeLedger *ledger);

/* Waits for some, and takes as much more as is there and fits one transaction: of
 * JmPullMessage. Empty where nobody reads any more but slow nodes, whose messages are
 * taken later, or where the caller gave it up. */
GPtrArray *jm_pull_threads_take (JmPullThreads *self, GCancellable *cancellable);

/* Cancels what is asked, and waits for the threads. */
void jm_pull_threads_free (JmPullThreads *self);

G_END_DECLS
