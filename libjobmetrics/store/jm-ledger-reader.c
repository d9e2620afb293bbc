/* jm-ledger-reader.c: reading a ledger, beside who writes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-ledger-reader-private.h"

#include "store/jm-ledger-file-private.h"

struct _JmLedgerReader
{
  char *path;
  GMutex lock;
  sqlite3 *db; /* under the lock; NULL while it is closed */
};

JmLedgerReader *
jm_ledger_reader_new (const char *path)
{
  JmLedgerReader *self = g_new0 (JmLedgerReader, 1);

  self->path = g_strdup (path);
  g_mutex_init (&self->lock);

  return self;
}

void
jm_ledger_reader_free (JmLedgerReader *self)
{
  g_clear_pointer (&self->db, jm_sqlite_close);
  g_mutex_clear (&self->lock);
  g_free (self->path);
  g_free (self);
}

/* The connection to what stands at the path now; NULL with an error. */
static sqlite3 *
get_database (JmLedgerReader *self, GError **error)
{
  if (self->db != NULL && !jm_ledger_file_is_there (self->db))
    g_clear_pointer (&self->db, jm_sqlite_close);
  if (self->db == NULL)
    self->db = jm_ledger_file_open_for_reading (self->path, error);

  return self->db;
}

gboolean
jm_ledger_reader_try (JmLedgerReader *self, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return get_database (self, error) != NULL;
}

static GBytes *
get_bytes (sqlite3_stmt *statement, int column)
{
  return g_bytes_new (sqlite3_column_blob (statement, column),
                      (gsize) sqlite3_column_bytes (statement, column));
}

GHashTable *
jm_ledger_reader_load (JmLedgerReader *self, const char *name, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autoptr (GHashTable) values =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                           (GDestroyNotify) g_bytes_unref);
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) problem = NULL;
  sqlite3 *db = get_database (self, error);

  if (db == NULL)
    return NULL;

  statement =
    jm_sqlite_prepare (db, "SELECT key, content FROM value WHERE name = ?", error);
  if (statement == NULL)
    return NULL;
  jm_sqlite_bind_text (statement, 1, name);
  while (jm_sqlite_next (statement, &problem))
    g_hash_table_insert (values, jm_sqlite_dup_text (statement, 0),
                         get_bytes (statement, 1));

  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }

  return g_steal_pointer (&values);
}
