/* jm-sqlite.c: SQLite, with errors of ours
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sql/jm-sqlite-private.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-safe-text-private.h"

/* No value of ours comes near it; a broken file may claim any length. */
#define MAX_VALUE_BYTES (16 * 1024 * 1024)
#define MAX_SQL_BYTES 16384
/* Of pages that are kept in memory, in KiB. */
#define CACHE "512"
/* A reader that begins while another recovers the file waits for it. */
#define BUSY_MS 500

static JmError
get_code (sqlite3 *db)
{
  switch (sqlite3_errcode (db) & 0xff)
    {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
      return JM_ERROR_MALFORMED;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return JM_ERROR_DENIED;
    case SQLITE_CANTOPEN:
      return jm_error_from_errno (sqlite3_system_errno (db));
    default:
      return JM_ERROR_UNAVAILABLE;
    }
}

/* What the system said of it; 0 where it was not asked. */
static int
get_errno (sqlite3 *db)
{
  switch (sqlite3_errcode (db) & 0xff)
    {
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return sqlite3_system_errno (db);
    default:
      return 0;
    }
}

void
jm_sqlite_set_error (GError **error, sqlite3 *db)
{
  const char *path = sqlite3_db_filename (db, "main");
  /* It may quote what a broken file says. */
  g_autofree char *message = jm_safe_text_make (sqlite3_errmsg (db));
  int error_number = get_errno (db);

  g_set_error (error, JM_ERROR, get_code (db), "%s: %s%s%s",
               path != NULL && *path != '\0' ? path : "a ledger", message,
               error_number != 0 ? ": " : "",
               error_number != 0 ? g_strerror (error_number) : "");
}

static void
harden (sqlite3 *db)
{
  sqlite3_extended_result_codes (db, TRUE);
  sqlite3_busy_timeout (db, BUSY_MS);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, TRUE, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, FALSE, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, FALSE, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_TRIGGER, FALSE, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_VIEW, FALSE, NULL);
  sqlite3_limit (db, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
  sqlite3_limit (db, SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_BYTES);
  sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);
}

static gboolean
refuse_errno (GError **error, const char *path, int error_number)
{
  g_set_error (error, JM_ERROR, jm_error_from_errno (error_number), "%s: %s", path,
               g_strerror (error_number));

  return FALSE;
}

static gboolean
check_directory (const char *directory, const char *path, GError **error)
{
  struct stat status;

  if (lstat (directory, &status) != 0)
    return refuse_errno (error, path, errno);
  if (!S_ISLNK (status.st_mode) || status.st_uid == 0 || status.st_uid == geteuid ())
    return TRUE;
  g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "%s: a link of somebody else",
               directory);

  return FALSE;
}

char *
jm_sqlite_resolve (const char *path, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  char *real;
  char *result;

  if (!check_directory (directory, path, error))
    return NULL;
  real = realpath (directory, NULL);
  if (real == NULL)
    {
      refuse_errno (error, path, errno);
      return NULL;
    }

  result = g_build_filename (real, name, NULL);
  free (real);

  return result;
}

static sqlite3 *
open_with (const char *path, int flags, GError **error)
{
  sqlite3 *db = NULL;

  if (sqlite3_open_v2 (path, &db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
    {
      harden (db);
      if (jm_sqlite_run (db,
                         "PRAGMA cell_size_check = on; PRAGMA mmap_size = 0;"
                         "PRAGMA cache_size = -" CACHE "; PRAGMA temp_store = memory",
                         error))
        return db;
    }
  else if (db != NULL)
    {
      jm_sqlite_set_error (error, db);
      g_prefix_error (error, "%s: ", path);
    }
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: no memory", path);

  jm_sqlite_close (db);

  return NULL;
}

sqlite3 *
jm_sqlite_open (const char *path, gboolean is_for_writing, GError **error)
{
  return open_with (path,
                    SQLITE_OPEN_NOFOLLOW |
                      (is_for_writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY),
                    error);
}

sqlite3 *
jm_sqlite_open_in_memory (GError **error)
{
  return open_with (":memory:",
                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY,
                    error);
}

void
jm_sqlite_close (sqlite3 *db)
{
  /* Closes with the last statement, should one be left. */
  sqlite3_close_v2 (db);
}

gboolean
jm_sqlite_run (sqlite3 *db, const char *sql, GError **error)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;

  jm_sqlite_set_error (error, db);

  return FALSE;
}

sqlite3_stmt *
jm_sqlite_prepare (sqlite3 *db, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK)
    jm_sqlite_set_error (error, db);

  return statement;
}

gboolean
jm_sqlite_finish (sqlite3_stmt *statement, GError **error)
{
  int result;

  do
    result = sqlite3_step (statement);
  while (result == SQLITE_ROW);
  if (result != SQLITE_DONE)
    jm_sqlite_set_error (error, sqlite3_db_handle (statement));
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);

  return result == SQLITE_DONE;
}

gboolean
jm_sqlite_next (sqlite3_stmt *statement, GError **error)
{
  int result = sqlite3_step (statement);

  if (result != SQLITE_ROW && result != SQLITE_DONE)
    jm_sqlite_set_error (error, sqlite3_db_handle (statement));

  return result == SQLITE_ROW;
}

/* A statement that stands on its one row; NULL with an error where there is none. */
static sqlite3_stmt *
query_row (sqlite3 *db, const char *sql, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = jm_sqlite_prepare (db, sql, error);
  g_autoptr (GError) local = NULL;

  if (statement == NULL)
    return NULL;
  if (jm_sqlite_next (statement, &local))
    return g_steal_pointer (&statement);

  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: no answer to: %s",
                 sqlite3_db_filename (db, "main"), sql);

  return NULL;
}

gboolean
jm_sqlite_get_number (sqlite3 *db, const char *sql, gint64 *number, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = query_row (db, sql, error);

  if (statement == NULL)
    return FALSE;

  *number = sqlite3_column_int64 (statement, 0);

  return TRUE;
}

char *
jm_sqlite_get_text (sqlite3 *db, const char *sql, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = query_row (db, sql, error);

  return statement != NULL
           ? g_strdup ((const char *) sqlite3_column_text (statement, 0))
           : NULL;
}

void
jm_sqlite_bind_text (sqlite3_stmt *statement, int number, const char *text)
{
  sqlite3_bind_text (statement, number, text, -1, SQLITE_STATIC);
}

void
jm_sqlite_bind_bytes (sqlite3_stmt *statement, int number, GBytes *bytes)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  /* A null pointer would be null, not an empty value. */
  sqlite3_bind_blob64 (statement, number, data != NULL ? data : "", size,
                       SQLITE_STATIC);
}

char *
jm_sqlite_dup_text (sqlite3_stmt *statement, int column)
{
  if (sqlite3_column_type (statement, column) != SQLITE_TEXT)
    return NULL;

  return g_strdup ((const char *) sqlite3_column_text (statement, column));
}
