/* jm-ledger-tables.c: writing into the tables of a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-ledger-tables-private.h"

typedef enum
{
  SET_VALUE,
  REMOVE_VALUE,
} Statement;

#define N_STATEMENTS (REMOVE_VALUE + 1)

static const char *const texts[N_STATEMENTS] = {
  [SET_VALUE] = "INSERT INTO value (key, name, content) VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET content = excluded.content",
  [REMOVE_VALUE] = "DELETE FROM value WHERE key = ? AND name = ?",
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
write_kept (JmLedgerTables *self,
            const char *key,
            const JmLedgerKept *kept,
            GError **error)
{
  for (guint i = 0; i < kept->values->len; i++)
    if (!write_value (self, key, &g_array_index (kept->values, JmLedgerValue, i),
                      error))
      return FALSE;

  return TRUE;
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

gboolean
jm_ledger_tables_write (JmLedgerTables *self,
                        const JmLedgerBatch *batch,
                        GError **error)
{
  if (jm_sqlite_run (self->db, "BEGIN IMMEDIATE", error) &&
      write_all_kept (self, batch, error) && jm_sqlite_run (self->db, "COMMIT", error))
    return TRUE;

  /* Some failures have rolled back already. */
  if (!sqlite3_get_autocommit (self->db))
    jm_sqlite_run (self->db, "ROLLBACK", NULL);

  return FALSE;
}
