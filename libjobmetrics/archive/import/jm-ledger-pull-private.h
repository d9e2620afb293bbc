/* jm-ledger-pull-private.h: what tests change of how ledgers are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "archive/import/jm-node-ledger-private.h"
#include "archive/jm-archive-database-private.h"

G_BEGIN_DECLS

#define JM_TYPE_LEDGER_PULL (jm_ledger_pull_get_type ())

G_DECLARE_FINAL_TYPE (JmLedgerPull, jm_ledger_pull, JM, LEDGER_PULL, GObject)

JmLedgerPull *jm_ledger_pull_new (JmArchiveDatabase *store);

void jm_ledger_pull_set_max_at_once (JmLedgerPull *self, guint max_at_once);

void jm_ledger_pull_set_login (JmLedgerPull *self,
                               const char *username,
                               const char *password);

void jm_ledger_pull_set_ca_file (JmLedgerPull *self, const char *path);

gboolean jm_ledger_pull_set_target (JmLedgerPull *self,
                                    const char *cluster,
                                    const char *node,
                                    const char *url,
                                    GError **error);

void jm_ledger_pull_clear_targets (JmLedgerPull *self);

gboolean jm_ledger_pull_run_round (JmLedgerPull *self,
                                   GCancellable *cancellable,
                                   GError **error);

guint64 jm_ledger_pull_get_n_records (JmLedgerPull *self);

guint jm_ledger_pull_get_n_failed (JmLedgerPull *self);

guint64 jm_ledger_pull_get_n_unresolved (JmLedgerPull *self);

gboolean jm_ledger_pull_get_lag (JmLedgerPull *self,
                                 const char *cluster,
                                 const char *node,
                                 double *seconds);

typedef gboolean (*JmLedgerMergeFunc) (JmArchiveDatabase *store,
                                       JmRunBatch *batch,
                                       gpointer data,
                                       GError **error);

typedef struct
{
  gint64 (*get_time) (void); /* microseconds since 1970 */
  JmLedgerMergeFunc merge;
  gpointer merge_data;
  gint64 hold_us;   /* how long a record waits for the run that it is of */
  gint64 retry_us;  /* how often that is tried */
  gint64 slow_us;   /* a node that takes longer for a page is not waited for */
  gint64 budget_us; /* for how long one is read before the next has its turn */
  guint timeout_ms;
  guint limit;
} JmLedgerPullPlan;

JmLedgerPullPlan *jm_ledger_pull_get_plan (JmLedgerPull *self);

/* Records that were passed over so far, for a reason. */
guint64 jm_ledger_pull_get_n_unread (JmLedgerPull *self, JmLedgerFault fault);

/* Microseconds from the ends of runs until their records were stored, of all records
 * together. */
guint64 jm_ledger_pull_get_sum_of_lags (JmLedgerPull *self);

/* Calls @func for each node that is asked; it must not call @self. */
typedef void (*JmNodeLedgerFunc) (const JmNodeLedger *ledger, gpointer data);
void jm_ledger_pull_visit (JmLedgerPull *self, JmNodeLedgerFunc func, gpointer data);

/* Has @self ask @targets, of JmPullTarget, and no others. Those that stay go on where
 * they are; of a list that breaks off nobody is forgotten. */
gboolean jm_ledger_pull_set_targets (JmLedgerPull *self,
                                     const GPtrArray *targets,
                                     GError **error);

G_END_DECLS
