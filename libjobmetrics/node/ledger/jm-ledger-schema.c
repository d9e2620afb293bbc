/* jm-ledger-schema.c: the tables of a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-schema-private.h"

#include "base/jm-error.h"

/* Whose a record is stands in columns, so that it is found; what it says is its
 * content: deflated JSON. */
/* clang-format off */
#define COLUMNS                                                                        \
 " key TEXT NOT NULL UNIQUE, job TEXT, uuid TEXT, sluid TEXT, array_job TEXT,"         \
 " het_job TEXT, alias TEXT, user TEXT, uid INTEGER, account TEXT, scheduler TEXT,"    \
 " cluster TEXT, state INTEGER NOT NULL, begin_us INTEGER NOT NULL,"                   \
 " end_us INTEGER NOT NULL, content BLOB NOT NULL) STRICT;"
#define INDEX(name, columns)                                                           \
 "CREATE INDEX record_" name " ON record (" columns ") WHERE " name " IS NOT NULL;"

static const char first_tables[] =
  "CREATE TABLE record (position INTEGER PRIMARY KEY AUTOINCREMENT," COLUMNS
  "CREATE TABLE running (position INTEGER PRIMARY KEY," COLUMNS
  INDEX ("job", "job")
  INDEX ("uuid", "uuid")
  INDEX ("sluid", "sluid")
  INDEX ("array_job", "array_job")
  INDEX ("het_job", "het_job")
  INDEX ("alias", "alias")
  INDEX ("user", "user, end_us")
  INDEX ("uid", "uid, end_us")
  INDEX ("account", "account, end_us")
  "CREATE INDEX record_end ON record (end_us);"
  /* nearly all have ended, and nobody asks for these alone */
  "CREATE INDEX record_lost ON record (state) WHERE state = 2;"
  "CREATE TABLE value (key TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL,"
  " PRIMARY KEY (key, name)) STRICT, WITHOUT ROWID;"
  "CREATE TABLE total (user TEXT NOT NULL, account TEXT NOT NULL, jobs INTEGER NOT NULL,"
  " cpu_ns INTEGER NOT NULL, measured_uj INTEGER NOT NULL, estimated_uj INTEGER NOT NULL,"
  " measured_ug REAL NOT NULL, estimated_ug REAL NOT NULL,"
  " PRIMARY KEY (user, account)) STRICT, WITHOUT ROWID;"
  "CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL)"
  " STRICT, WITHOUT ROWID;"
  "INSERT INTO counter VALUES ('dropped', 0);";
/* clang-format on */

/* What a version adds to the one before: a text that never changes once it was
 * released. */
static const char *const versions[] = { first_tables };

G_STATIC_ASSERT (G_N_ELEMENTS (versions) == JM_LEDGER_VERSION);

/* Positions of a new ledger begin where no older one at this place can have come to, as
 * who asks for all behind a position must not get an older one: at the time in
 * microseconds, which no node can outrun, and a double still holds. */
static const char first_position[] =
  "INSERT INTO sqlite_sequence VALUES ('record', %" G_GINT64_FORMAT ");"
  "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;"
  /* so that the file says what it is without its log */
  "PRAGMA wal_checkpoint (truncate)";

/* An index, what ANALYZE leaves, and tables of a program that copies the file are
 * others' affair; triggers and views of a file are never run. */
#define LIST_OWN_TABLES                                                                \
 "SELECT coalesce (group_concat (sql, ';'), '') FROM"                                  \
 " (SELECT sql FROM sqlite_schema WHERE type = 'table' AND name IN"                    \
 " ('record', 'running', 'value', 'total', 'counter') ORDER BY name)"

/* From a version on, 0 of an empty file. */
static gboolean
run_versions (sqlite3 *db, gint64 version, gint64 until, GError **error)
{
  while (version < until)
    if (!jm_sqlite_run (db, versions[version++], error))
      return FALSE;

  return TRUE;
}

static gboolean
create_tables (sqlite3 *db, GError **error)
{
  g_autofree char *finish =
    g_strdup_printf (first_position, g_get_real_time (), JM_LEDGER_APPLICATION_ID,
                     JM_LEDGER_VERSION);

  return jm_sqlite_run (db, "BEGIN IMMEDIATE", error) &&
         run_versions (db, 0, JM_LEDGER_VERSION, error) &&
         jm_sqlite_run (db, finish, error);
}

static char *
describe_tables (gint64 version, GError **error)
{
  g_autoptr (sqlite3) db = jm_sqlite_open_in_memory (error);

  return db != NULL && run_versions (db, 0, version, error)
           ? jm_sqlite_get_text (db, LIST_OWN_TABLES, error)
           : NULL;
}

static gboolean
check_tables (sqlite3 *db, gint64 version, GError **error)
{
  g_autofree char *expected = describe_tables (version, error);
  g_autofree char *found = NULL;

  if (expected == NULL)
    return FALSE;
  found = jm_sqlite_get_text (db, LIST_OWN_TABLES, error);
  if (found == NULL)
    return FALSE;
  if (g_str_equal (found, expected))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
               "%s: broken: its tables are not those of a ledger",
               sqlite3_db_filename (db, "main"));

  return FALSE;
}

/* That of a file whose tables are those of its version. */
static gboolean
get_version (sqlite3 *db, gint64 *version, GError **error)
{
  const char *path = sqlite3_db_filename (db, "main");
  gint64 id;

  if (!jm_sqlite_get_number (db, "PRAGMA application_id", &id, error) ||
      !jm_sqlite_get_number (db, "PRAGMA user_version", version, error))
    return FALSE;

  if (id != JM_LEDGER_APPLICATION_ID)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not a ledger", path);
      return FALSE;
    }
  if (*version > JM_LEDGER_VERSION)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s: a ledger of version %" G_GINT64_FORMAT
                   ", made by a later jobmetrics: this one knows version %d and leaves "
                   "it alone",
                   path, *version, JM_LEDGER_VERSION);
      return FALSE;
    }
  *version = MAX (*version, 1);

  return check_tables (db, *version, error);
}

gboolean
jm_ledger_schema_check (sqlite3 *db, GError **error)
{
  gint64 version;

  if (!get_version (db, &version, error))
    return FALSE;
  if (version == JM_LEDGER_VERSION)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s: a ledger of version %" G_GINT64_FORMAT
               ": the exporter has to bring it up to date first",
               sqlite3_db_filename (db, "main"), version);

  return FALSE;
}

static gboolean
bring_up_to_date (sqlite3 *db, GError **error)
{
  g_autofree char *finish =
    g_strdup_printf ("PRAGMA user_version = %d; COMMIT", JM_LEDGER_VERSION);
  gint64 version;

  if (!get_version (db, &version, error))
    return FALSE;
  if (version == JM_LEDGER_VERSION)
    return TRUE;
  if (jm_sqlite_run (db, "BEGIN IMMEDIATE", error) &&
      run_versions (db, version, JM_LEDGER_VERSION, error) &&
      jm_sqlite_run (db, finish, error))
    return TRUE;
  jm_sqlite_run (db, "ROLLBACK", NULL);

  return FALSE;
}

static gboolean
is_empty (sqlite3 *db, gboolean *empty, GError **error)
{
  gint64 n_tables, id;

  if (!jm_sqlite_get_number (db, "SELECT count (*) FROM sqlite_schema", &n_tables,
                             error) ||
      !jm_sqlite_get_number (db, "PRAGMA application_id", &id, error))
    return FALSE;

  *empty = n_tables == 0 && id == 0;

  return TRUE;
}

gboolean
jm_ledger_schema_prepare (sqlite3 *db, GError **error)
{
  gboolean empty;

  if (!is_empty (db, &empty, error) || (!empty && !bring_up_to_date (db, error)))
    return FALSE;

  /* What is deleted is to be used again, and given back where the bound is lowered. */
  if (empty && !jm_sqlite_run (db, "PRAGMA auto_vacuum = incremental", error))
    return FALSE;

  return jm_sqlite_run (db,
                        "PRAGMA journal_mode = wal; PRAGMA synchronous = normal;"
                        "PRAGMA wal_autocheckpoint = 1000;"
                        "PRAGMA journal_size_limit = 8388608;"
                        "PRAGMA secure_delete = fast",
                        error) &&
         (!empty || create_tables (db, error));
}
