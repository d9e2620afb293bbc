/* jm-ledger-filter-private.h: a filter as a question to a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger.h"
#include "sql/jm-sqlite-private.h"

G_BEGIN_DECLS

/* The names that a job may have if a person calls it so: with its scheduler and cluster
 * before it, or without. Which of them it was is for jm_job_is_called() to say. */
#define JM_LEDGER_N_NAMES 4

struct _JmLedgerFilter
{
  char *job; /* NULL for all, as are the next */
  char *user;
  char *account;
  guint uid;
  JmRunState state;
  gint64 since_us;
  gint64 until_us;
  guint64 after;
  guint64 before; /* recorded ahead of that position, the last of them; 0 for any */
  guint limit;
  gboolean has_uid;
  gboolean has_state;
  gboolean has_after;
  gboolean
    is_of_running; /* all that the program counts as running, in whatever state */
};

/* What stands behind WHERE: of records, or of those that run. */
char *jm_ledger_filter_format (const JmLedgerFilter *self, gboolean is_running);

/* Gives the parameters of such a text their values; the filter has to outlive it. */
void jm_ledger_filter_bind (const JmLedgerFilter *self, sqlite3_stmt *statement);

/* Whether it needs more than the position of a record. */
gboolean jm_ledger_filter_is_selective (const JmLedgerFilter *self);

/* What the indices do not have. */
gboolean jm_ledger_filter_matches (const JmLedgerFilter *self, JmJobRecord *record);

G_END_DECLS
