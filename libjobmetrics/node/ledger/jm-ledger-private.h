/* jm-ledger-private.h: how a ledger is written
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/ledger/jm-ledger.h"

G_BEGIN_DECLS

/* How a ledger is kept. */
typedef struct
{
  const char *path;
  gint64 max_age_us;     /* records that ended before are dropped; 0 for none */
  guint64 max_bytes;     /* of the file; 0 for no bound */
  gboolean keeps_oldest; /* where there is no room: new records are dropped, not old */
  gboolean is_makeshift; /* a place that does not last: it never counts as writable */
} JmLedgerPlan;

/* Opens a ledger for the one program that writes it, and makes it where there is none.
 * One that is broken is put aside, and another begun: that is warned of. All writing is
 * done in a thread of the ledger's own.
 *
 * - Errors: as the system says: what cannot be opened now is not tried again. */
JmLedger *jm_ledger_open_for_writing (const JmLedgerPlan *plan, GError **error);

/* What is written together, or not at all. */
typedef struct _JmLedgerBatch JmLedgerBatch;

JmLedgerBatch *jm_ledger_batch_new (void);
void jm_ledger_batch_free (JmLedgerBatch *self);

/* A value of the program's own, by the name of what keeps it and a key, in place of the
 * one that was there; NULL removes it. */
void jm_ledger_batch_set (JmLedgerBatch *self,
                          const char *name,
                          const char *key,
                          GBytes *value);

/* A run that goes on, in place of what was kept of it. */
void jm_ledger_batch_set_running (JmLedgerBatch *self, JmJobRecord *record);

/* A run that has ended: it gets the next position, is no running one any more, and is
 * counted in the totals; all that was set by its key is removed with it. One that was
 * recorded already is passed over. */
void jm_ledger_batch_append (JmLedgerBatch *self, JmJobRecord *record);

/* All records of one user and one account together. */
typedef struct
{
  const char *user; /* interned; "" where unknown */
  const char *account;
  guint64 n_jobs;
  guint64 cpu_ns;
  guint64 energy_uj[2]; /* measured, estimated */
  double emissions_ug[2];
} JmLedgerTotal;

/* Drops what is kept under a key, a run that goes on among it, before anything else of
 * the batch is done. No record is made of it. */
void jm_ledger_batch_forget (JmLedgerBatch *self, const char *key);

/* Totals (of JmLedgerTotal), and a number of dropped records, that were shown once: the
 * ledger has as much before the rest of the batch is written, also where it is another
 * one by now. */
void
jm_ledger_batch_raise (JmLedgerBatch *self, const GArray *totals, guint64 n_dropped);

/* Hands a batch over to the thread, without waiting. Batches are written in order; what
 * cannot be written, as on a full disk, is kept in memory and tried again, within a
 * bound. Returns a ticket. */
guint64 jm_ledger_submit (JmLedger *self, JmLedgerBatch *batch);

/* Whether all up to that ticket is stored; waits for it no longer than that. Returns at
 * once while the ledger cannot write, or is behind since an earlier wait. */
gboolean jm_ledger_await (JmLedger *self, guint64 ticket, gint64 timeout_us);

/* What was set under @name, by key: of char * and GBytes. */
GHashTable *jm_ledger_load (JmLedger *self, const char *name, GError **error);

/* Those that go on, of JmJobRecord, and those whose end was seen but not yet recorded.
 */
GPtrArray *jm_ledger_load_running (JmLedger *self, GError **error);

/* How the ledger fares. */
typedef struct
{
  gboolean is_writable; /* the last batch was stored */
  guint64 n_records;    /* that it has now */
  guint64 size_bytes;   /* of its files */
  guint64 n_dropped;    /* records that could not be kept, ever */
  guint64 n_given_up;   /* of them, since it was opened, what no setting let go */
  gint64 given_up_us;   /* when the last was; 0 for never */
  guint64 n_waiting;    /* that wait to be written */
  GError *error;        /* owned; NULL where the last batch was stored */
  gint64 failing_us;    /* since when there is an error; 0 where there is none */
} JmLedgerStatus;

/* What was stored last; the array, of JmLedgerTotal, is the caller's. Beyond the first
 * JM_LEDGER_MAX_TOTALS pairs the rest is together, as of user and account "other". */
#define JM_LEDGER_MAX_TOTALS 1000
GArray *jm_ledger_list_totals (JmLedger *self);
void jm_ledger_get_status (JmLedger *self, JmLedgerStatus *status);
void jm_ledger_status_clear (JmLedgerStatus *status);

/* Writes what waits, for no longer than that, and ends the thread. */
void jm_ledger_close_within (JmLedger *self, gint64 timeout_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLedgerBatch, jm_ledger_batch_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmLedgerStatus, jm_ledger_status_clear)

G_END_DECLS
