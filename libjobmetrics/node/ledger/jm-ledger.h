/* jm-ledger.h: the records of a node's jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-job-record.h"

G_BEGIN_DECLS

/**
 * JmLedgerFilter:
 *
 * Which records of a ledger to list: by default all.
 *
 * Since: 0.1
 */
typedef struct _JmLedgerFilter JmLedgerFilter;

#define JM_TYPE_LEDGER_FILTER (jm_ledger_filter_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_ledger_filter_get_type (void);

JM_AVAILABLE_IN_ALL
JmLedgerFilter *jm_ledger_filter_new (void);

JM_AVAILABLE_IN_ALL
JmLedgerFilter *jm_ledger_filter_copy (JmLedgerFilter *self);

JM_AVAILABLE_IN_ALL
void jm_ledger_filter_free (JmLedgerFilter *self);

JM_AVAILABLE_IN_ALL
void jm_ledger_filter_set_job (JmLedgerFilter *self, const char *job);

JM_AVAILABLE_IN_ALL
void jm_ledger_filter_set_user (JmLedgerFilter *self, const char *user);

/* of the job's owner: what a user may see */
JM_AVAILABLE_IN_ALL
void jm_ledger_filter_set_uid (JmLedgerFilter *self, guint uid);

JM_AVAILABLE_IN_ALL
void jm_ledger_filter_set_account (JmLedgerFilter *self, const char *account);

JM_AVAILABLE_IN_ALL
void jm_ledger_filter_set_state (JmLedgerFilter *self, JmRunState state);

/* that ran at any moment between the two, microseconds since 1970; 0 for open */
JM_AVAILABLE_IN_ALL
void
jm_ledger_filter_set_period (JmLedgerFilter *self, gint64 since_us, gint64 until_us);

/* that were recorded behind that position: none that runs is */
JM_AVAILABLE_IN_ALL
void jm_ledger_filter_set_after (JmLedgerFilter *self, guint64 position);

/* that were recorded ahead of that position: none that runs is */
JM_AVAILABLE_IN_ALL
void jm_ledger_filter_set_before (JmLedgerFilter *self, guint64 position);

/* 0 for all; with a position the first, else the last */
JM_AVAILABLE_IN_ALL
void jm_ledger_filter_set_limit (JmLedgerFilter *self, guint limit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLedgerFilter, jm_ledger_filter_free)

#define JM_TYPE_LEDGER (jm_ledger_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmLedger, jm_ledger, JM, LEDGER, GObject)

JM_AVAILABLE_IN_ALL
JmLedger *jm_ledger_open (const char *path, GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_ledger_list (JmLedger *self,
                           JmLedgerFilter *filter,
                           GCancellable *cancellable,
                           GError **error);

JM_AVAILABLE_IN_ALL
JmJobRecord *jm_ledger_cut_record (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmJobRecord *jm_ledger_find (JmLedger *self, const char *job, GError **error);

JM_AVAILABLE_IN_ALL
guint64 jm_ledger_get_last_position (JmLedger *self, GError **error);

JM_AVAILABLE_IN_ALL
void jm_ledger_close (JmLedger *self);

G_END_DECLS
