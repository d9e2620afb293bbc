/* jm-sql-sqlite.c: a database that is a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-safe-text-private.h"
#include "sql/jm-sql-backend-private.h"
#include "sql/jm-sqlite-private.h"

/* Pages between two looks at who else wants the file. */
#define BACKUP_PAGES 1024

typedef struct
{
  JmSql parent;
  sqlite3 *db;
} Database;

typedef struct
{
  JmSqlStatement parent;
  sqlite3_stmt *handle;
} Statement;

static sqlite3 *
get_db (JmSql *self)
{
  return ((Database *) self)->db;
}

static sqlite3_stmt *
get_handle (JmSqlStatement *statement)
{
  return ((Statement *) statement)->handle;
}

static void
sqlite_close (JmSql *self)
{
  jm_sqlite_close (get_db (self));
  g_free (self);
}

static void
sqlite_interrupt (JmSql *self)
{
  sqlite3_interrupt (get_db (self));
}

static gboolean
sqlite_run (JmSql *self, const char *sql, GError **error)
{
  return jm_sqlite_run (get_db (self), sql, error);
}

static JmSqlStatement *
sqlite_prepare (JmSql *self, const char *sql, gboolean is_kept, GError **error)
{
  sqlite3_stmt *handle = jm_sqlite_prepare (get_db (self), sql, error);
  Statement *statement;

  if (handle == NULL)
    return NULL;

  statement = g_new0 (Statement, 1);
  statement->parent.sql = self;
  statement->handle = handle;

  return &statement->parent;
}

static JmSqlStatement *
sqlite_prepare_upsert (JmSql *self, const JmSqlUpsert *upsert, GError **error)
{
  g_autofree char *sql = jm_sql_upsert_make_row_text (upsert);

  return sqlite_prepare (self, sql, TRUE, error);
}

static void
sqlite_statement_free (JmSqlStatement *statement)
{
  sqlite3_finalize (get_handle (statement));
  g_free (statement);
}

static void
sqlite_bind_number (JmSqlStatement *statement, int number, gint64 value)
{
  sqlite3_bind_int64 (get_handle (statement), number, value);
}

static void
sqlite_bind_text (JmSqlStatement *statement, int number, const char *text)
{
  jm_sqlite_bind_text (get_handle (statement), number, text);
}

static void
sqlite_reset (JmSqlStatement *statement)
{
  sqlite3_reset (get_handle (statement));
  sqlite3_clear_bindings (get_handle (statement));
}

static gboolean
sqlite_next (JmSqlStatement *statement, GError **error)
{
  if (jm_sqlite_next (get_handle (statement), error))
    return TRUE;

  sqlite_reset (statement);

  return FALSE;
}

static gboolean
sqlite_execute (JmSqlStatement *statement, gint64 *n_rows, GError **error)
{
  if (!jm_sqlite_finish (get_handle (statement), error))
    return FALSE;
  if (n_rows != NULL)
    *n_rows = sqlite3_changes64 (get_db (statement->sql));

  return TRUE;
}

static gboolean
sqlite_get_number (JmSqlStatement *statement, int column, gint64 *value)
{
  if (sqlite3_column_type (get_handle (statement), column) == SQLITE_NULL)
    return FALSE;

  *value = sqlite3_column_int64 (get_handle (statement), column);

  return TRUE;
}

static const char *
sqlite_get_text (JmSqlStatement *statement, int column)
{
  return (const char *) sqlite3_column_text (get_handle (statement), column);
}

static gboolean
sqlite_begin (JmSql *self, GError **error)
{
  return jm_sqlite_run (get_db (self), "BEGIN IMMEDIATE", error);
}

static gboolean
sqlite_begin_reading (JmSql *self, GError **error)
{
  return jm_sqlite_run (get_db (self), "BEGIN", error);
}

static gboolean
sqlite_commit (JmSql *self, GError **error)
{
  return jm_sqlite_run (get_db (self), "COMMIT", error);
}

static void
sqlite_roll_back (JmSql *self)
{
  /* a full disk has rolled it back already */
  if (!sqlite3_get_autocommit (get_db (self)))
    jm_sqlite_run (get_db (self), "ROLLBACK", NULL);
}

/* Makes the file, which only its owner may read, or says why it cannot be. */
static gboolean
create_file (const char *path, GError **error)
{
  int fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (fd < 0)
    {
      int error_number = errno;

      g_set_error (error, JM_ERROR, jm_error_from_errno (error_number), "%s: %s", path,
                   g_strerror (error_number));
      return FALSE;
    }
  close (fd);

  return TRUE;
}

static gboolean
copy_into (JmSql *self, sqlite3 *copy, GError **error)
{
  sqlite3_backup *backup = sqlite3_backup_init (copy, "main", get_db (self), "main");
  int result;

  if (backup == NULL)
    {
      jm_sqlite_set_error (error, copy);
      return FALSE;
    }
  do
    result = sqlite3_backup_step (backup, BACKUP_PAGES);
  while (result == SQLITE_OK);
  sqlite3_backup_finish (backup);
  if (result == SQLITE_DONE)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: no backup: %s", self->name,
               sqlite3_errstr (result));

  return FALSE;
}

static gboolean
sqlite_back_up (JmSql *self, const char *path, GError **error)
{
  g_autofree char *real = jm_sqlite_resolve (path, error);
  g_autoptr (sqlite3) copy = NULL;

  if (real == NULL || !create_file (real, error))
    return FALSE;
  copy = jm_sqlite_open (real, TRUE, error);
  if (copy != NULL && copy_into (self, copy, error))
    return TRUE;

  /* half a copy is none */
  g_clear_pointer (&copy, jm_sqlite_close);
  g_unlink (real);

  return FALSE;
}

static gboolean
sqlite_vacuum (JmSql *self, GError **error)
{
  sqlite3 *db = get_db (self);
  gboolean done;

  /* It works on a file beside, which may be larger than the memory. */
  sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 1);
  done = jm_sqlite_run (db, "PRAGMA temp_store = file; VACUUM", error);
  jm_sqlite_run (db, "PRAGMA temp_store = memory", NULL);
  sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);

  return done;
}

static gboolean
sqlite_check (JmSql *self, GError **error)
{
  g_autofree char *answer =
    jm_sqlite_get_text (get_db (self), "PRAGMA integrity_check (1)", error);
  g_autofree char *safe = NULL;

  if (answer == NULL)
    return FALSE;
  if (g_str_equal (answer, "ok"))
    return TRUE;

  safe = jm_safe_text_make (answer);
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: broken: %s", self->name, safe);

  return FALSE;
}

static const JmSqlBackend backend = {
  .close = sqlite_close,
  .interrupt = sqlite_interrupt,
  .run = sqlite_run,
  .prepare = sqlite_prepare,
  .prepare_upsert = sqlite_prepare_upsert,
  .statement_free = sqlite_statement_free,
  .bind_number = sqlite_bind_number,
  .bind_text = sqlite_bind_text,
  .next = sqlite_next,
  .reset = sqlite_reset,
  .execute = sqlite_execute,
  .get_number = sqlite_get_number,
  .get_text = sqlite_get_text,
  .begin = sqlite_begin,
  .begin_reading = sqlite_begin_reading,
  .commit = sqlite_commit,
  .roll_back = sqlite_roll_back,
  .back_up = sqlite_back_up,
  .vacuum = sqlite_vacuum,
  .check = sqlite_check,
};

/* Of a whole site: more pages in memory, and more in the log before they are moved. Who
 * loses power may lose the last transactions, and with them the position that says so.
 */
static const char settings[] =
  "PRAGMA cache_size = -65536; PRAGMA journal_mode = wal; PRAGMA synchronous = normal;"
  "PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = 67108864";

JmSql *
jm_sql_sqlite_open (const char *path, JmSqlAccess access, GError **error)
{
  g_autofree char *real = jm_sqlite_resolve (path, error);
  g_autoptr (sqlite3) db = NULL;
  Database *self;

  if (real == NULL)
    return NULL;
  if (access == JM_SQL_WRITE && !g_file_test (real, G_FILE_TEST_EXISTS) &&
      !create_file (real, error))
    return NULL;
  db = jm_sqlite_open (real, access == JM_SQL_WRITE, error);
  if (db == NULL)
    return NULL;
  sqlite3_busy_timeout (db, JM_SQL_BUSY_MS);
  /* as PostgreSQL has it */
  if (!jm_sqlite_run (db, "PRAGMA case_sensitive_like = on", error))
    return NULL;
  if (access == JM_SQL_WRITE && !jm_sqlite_run (db, settings, error))
    return NULL;

  self = g_new0 (Database, 1);
  self->parent.backend = &backend;
  self->parent.name = g_strdup (path);
  self->db = g_steal_pointer (&db);

  return &self->parent;
}
