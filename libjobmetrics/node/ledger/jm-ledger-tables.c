/* jm-ledger-tables.c: writing into the tables of a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-tables-private.h"

typedef enum
{
  SET_VALUE,
  REMOVE_VALUE,
  REMOVE_VALUES,
  SET_RUNNING,
  REMOVE_RUNNING,
  HAS_RECORD,
  ADD_RECORD,
  REMOVE_OLDEST,
} Statement;

#define N_STATEMENTS (REMOVE_OLDEST + 1)

static const char *const texts[N_STATEMENTS] = {
  [SET_VALUE] = "INSERT INTO value (key, name, content) VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET content = excluded.content",
  [REMOVE_VALUE] = "DELETE FROM value WHERE key = ? AND name = ?",
  [REMOVE_VALUES] = "DELETE FROM value WHERE key = ?",
  [SET_RUNNING] = "INSERT OR REPLACE INTO running (" JM_LEDGER_COLUMNS
                  ") VALUES (" JM_LEDGER_PARAMETERS ")",
  [REMOVE_RUNNING] = "DELETE FROM running WHERE key = ?",
  [HAS_RECORD] = "SELECT 1 FROM record WHERE key = ?",
  [ADD_RECORD] =
    "INSERT INTO record (" JM_LEDGER_COLUMNS ") VALUES (" JM_LEDGER_PARAMETERS ")",
  [REMOVE_OLDEST] = "DELETE FROM record WHERE position IN"
                    " (SELECT position FROM record ORDER BY position LIMIT ?)",
};

struct _JmLedgerTables
{
  sqlite3 *db;
  sqlite3_stmt *statements[N_STATEMENTS];
};

JmLedgerTables *
jm_ledger_tables_new (sqlite3 *db, GError **error)
{
  JmLedgerTables *self = g_new0 (JmLedgerTables, 1);

  self->db = db;
  for (guint i = 0; i < N_STATEMENTS; i++)
    {
      self->statements[i] = jm_sqlite_prepare (db, texts[i], error);
      if (self->statements[i] != NULL)
        continue;
      jm_ledger_tables_free (self);
      return NULL;
    }

  return self;
}

void
jm_ledger_tables_free (JmLedgerTables *self)
{
  for (guint i = 0; i < N_STATEMENTS; i++)
    sqlite3_finalize (self->statements[i]);
  g_free (self);
}

static gboolean
write_value (JmLedgerTables *self,
             const char *key,
             const JmLedgerValue *value,
             GError **error)
{
  sqlite3_stmt *statement =
    self->statements[value->content != NULL ? SET_VALUE : REMOVE_VALUE];

  jm_sqlite_bind_text (statement, 1, key);
  jm_sqlite_bind_text (statement, 2, value->name);
  if (value->content != NULL)
    jm_sqlite_bind_bytes (statement, 3, value->content);

  return jm_sqlite_finish (statement, error);
}

static gboolean
write_running (JmLedgerTables *self, const JmLedgerRow *row, GError **error)
{
  sqlite3_stmt *statement = self->statements[SET_RUNNING];

  if (row->content == NULL)
    return TRUE;

  jm_ledger_row_bind (row, statement);

  return jm_sqlite_finish (statement, error);
}

static gboolean
write_kept (JmLedgerTables *self,
            const char *key,
            const JmLedgerKept *kept,
            GError **error)
{
  for (guint i = 0; i < kept->values->len; i++)
    if (!write_value (self, key, &g_array_index (kept->values, JmLedgerValue, i),
                      error))
      return FALSE;

  return kept->running == NULL || write_running (self, kept->running, error);
}

static gboolean
write_all_kept (JmLedgerTables *self, const JmLedgerBatch *batch, GError **error)
{
  GHashTableIter iter;
  gpointer key, kept;

  g_hash_table_iter_init (&iter, batch->kept);
  while (g_hash_table_iter_next (&iter, &key, &kept))
    if (!write_kept (self, key, kept, error))
      return FALSE;

  return TRUE;
}

static gboolean
run_for_key (JmLedgerTables *self, Statement which, const char *key, GError **error)
{
  jm_sqlite_bind_text (self->statements[which], 1, key);

  return jm_sqlite_finish (self->statements[which], error);
}

static gboolean
has_record (JmLedgerTables *self, const char *key, gboolean *has, GError **error)
{
  sqlite3_stmt *statement = self->statements[HAS_RECORD];
  g_autoptr (GError) problem = NULL;

  jm_sqlite_bind_text (statement, 1, key);
  *has = jm_sqlite_next (statement, &problem);
  sqlite3_reset (statement);
  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));

  return problem == NULL;
}

/* One that was recorded already counts no second time. */
static gboolean
add_record (JmLedgerTables *self,
            const JmLedgerRow *row,
            JmLedgerChange *change,
            GError **error)
{
  gboolean has;

  if (!has_record (self, row->texts[JM_LEDGER_COLUMN_KEY], &has, error))
    return FALSE;
  if (has)
    return TRUE;

  jm_ledger_totals_add (change->totals, &row->total);
  if (row->content == NULL)
    return TRUE;

  change->n_added++;
  jm_ledger_row_bind (row, self->statements[ADD_RECORD]);

  return jm_sqlite_finish (self->statements[ADD_RECORD], error);
}

static gboolean
write_ended (JmLedgerTables *self,
             const JmLedgerBatch *batch,
             JmLedgerChange *change,
             GError **error)
{
  for (guint i = 0; i < batch->ended->len; i++)
    {
      const JmLedgerRow *row = batch->ended->pdata[i];
      const char *key = row->texts[JM_LEDGER_COLUMN_KEY];

      if (!run_for_key (self, REMOVE_VALUES, key, error) ||
          !run_for_key (self, REMOVE_RUNNING, key, error) ||
          !add_record (self, row, change, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
forget (JmLedgerTables *self, const JmLedgerBatch *batch, GError **error)
{
  for (guint i = 0; i < batch->forgotten->len; i++)
    if (!run_for_key (self, REMOVE_VALUES, batch->forgotten->pdata[i], error) ||
        !run_for_key (self, REMOVE_RUNNING, batch->forgotten->pdata[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
remove_oldest (JmLedgerTables *self, JmLedgerChange *change, GError **error)
{
  sqlite3_stmt *statement = self->statements[REMOVE_OLDEST];

  if (change->n_oldest == 0)
    return TRUE;

  sqlite3_bind_int64 (statement, 1, change->n_oldest);
  if (!jm_sqlite_finish (statement, error))
    return FALSE;

  change->n_removed = (guint64) sqlite3_changes64 (self->db);
  jm_ledger_totals_add_dropped (change->totals, change->n_removed);

  return TRUE;
}

static gboolean
write_totals (JmLedgerTables *self,
              const JmLedgerBatch *batch,
              JmLedgerChange *change,
              GError **error)
{
  jm_ledger_totals_add_dropped (change->totals, batch->n_dropped);
  if (!change->all_totals && !jm_ledger_batch_counts (batch))
    return TRUE;

  return jm_ledger_totals_store (change->totals, self->db, change->all_totals, error);
}

gboolean
jm_ledger_tables_write (JmLedgerTables *self,
                        const JmLedgerBatch *batch,
                        JmLedgerChange *change,
                        GError **error)
{
  jm_ledger_totals_raise (change->totals, batch->raised, batch->n_raised);
  if (jm_sqlite_run (self->db, "BEGIN IMMEDIATE", error) &&
      remove_oldest (self, change, error) && forget (self, batch, error) &&
      write_ended (self, batch, change, error) && write_all_kept (self, batch, error) &&
      write_totals (self, batch, change, error) &&
      jm_sqlite_run (self->db, "COMMIT", error))
    return TRUE;

  /* Some failures have rolled back already. */
  if (!sqlite3_get_autocommit (self->db))
    jm_sqlite_run (self->db, "ROLLBACK", NULL);

  return FALSE;
}
