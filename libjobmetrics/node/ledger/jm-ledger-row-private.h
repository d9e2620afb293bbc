/* jm-ledger-row-private.h: a record as the tables of a ledger have it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger-private.h"
#include "sql/jm-sqlite-private.h"

G_BEGIN_DECLS

/* What a record is found by, in the order of the columns. */
typedef enum
{
  JM_LEDGER_COLUMN_KEY,
  JM_LEDGER_COLUMN_JOB,
  JM_LEDGER_COLUMN_UUID,
  JM_LEDGER_COLUMN_SLUID,
  JM_LEDGER_COLUMN_ARRAY_JOB,
  JM_LEDGER_COLUMN_HET_JOB,
  JM_LEDGER_COLUMN_ALIAS,
  JM_LEDGER_COLUMN_USER,
  JM_LEDGER_COLUMN_ACCOUNT,
  JM_LEDGER_COLUMN_SCHEDULER,
  JM_LEDGER_COLUMN_CLUSTER,
} JmLedgerColumn;

#define JM_LEDGER_N_COLUMNS (JM_LEDGER_COLUMN_CLUSTER + 1)

/* All columns of a row, as they are bound, and a parameter for each. */
#define JM_LEDGER_COLUMNS                                                              \
 "key, job, uuid, sluid, array_job, het_job, alias, user, account, scheduler, "        \
 "cluster, uid, state, begin_us, end_us, content"
#define JM_LEDGER_PARAMETERS "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

/* A record on its way into a ledger. */
typedef struct
{
  char *texts[JM_LEDGER_N_COLUMNS];
  guint uid;
  gboolean has_uid;
  JmRunState state;
  gint64 begin_us;
  gint64 end_us;
  JmLedgerTotal total;
  JmJobRecord *record; /* NULL once it is packed, or dropped */
  GBytes *content;     /* NULL before it is packed, or where it was dropped */
} JmLedgerRow;

JmLedgerRow *jm_ledger_row_new (JmJobRecord *record);
void jm_ledger_row_free (JmLedgerRow *self);

/* Takes less memory then: what can be done in the thread that writes. One that is too
 * large is dropped, with a warning. */
void jm_ledger_row_pack (JmLedgerRow *self);

/* What is left is that it has ended, and counts. */
void jm_ledger_row_drop (JmLedgerRow *self);
gboolean jm_ledger_row_is_whole (const JmLedgerRow *self);

void jm_ledger_row_bind (const JmLedgerRow *self, sqlite3_stmt *statement);

G_END_DECLS
