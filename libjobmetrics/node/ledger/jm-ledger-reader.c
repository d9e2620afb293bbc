/* jm-ledger-reader.c: reading a ledger, beside who writes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-reader-private.h"

#include "core/jm-ledger-content-private.h"
#include "node/ledger/jm-ledger-file-private.h"

/* Steps of SQLite between two looks whether an answer is still wanted. */
#define STEPS 10000

struct _JmLedgerReader
{
  char *path;
  GMutex lock;

  /* under the lock */
  sqlite3 *db;             /* NULL while it is closed */
  gboolean has_complained; /* of a record that is broken */
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

/* One query's way through a ledger. */
typedef struct
{
  JmLedgerReader *reader;
  const JmLedgerFilter *filter;
  GCancellable *cancellable;
  GPtrArray *records;
} Listing;

static JmJobRecord *
read_record (Listing *self, sqlite3_stmt *statement)
{
  guint64 position = (guint64) sqlite3_column_int64 (statement, 0);
  g_autoptr (GBytes) content = get_bytes (statement, 1);
  g_autoptr (GError) error = NULL;
  JmJobRecord *record =
    jm_ledger_content_unpack (content, position, self->reader->path, &error);

  if (record == NULL && !self->reader->has_complained)
    {
      g_warning ("%s; record %" G_GUINT64_FORMAT " is left out, and others like it",
                 error->message, position);
      self->reader->has_complained = TRUE;
    }

  return record;
}

static gboolean
is_complete (Listing *self)
{
  return self->filter->limit > 0 && self->records->len >= self->filter->limit;
}

/* A record that is broken costs itself alone: who asks page by page gets the next. */
static gboolean
take_rows (Listing *self, sqlite3_stmt *statement, GError **error)
{
  g_autoptr (GError) problem = NULL;

  while (!is_complete (self) && jm_sqlite_next (statement, &problem))
    {
      g_autoptr (JmJobRecord) record = NULL;

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      record = read_record (self, statement);
      if (record != NULL && jm_ledger_filter_matches (self->filter, record))
        g_ptr_array_add (self->records, g_steal_pointer (&record));
    }
  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));

  return problem == NULL;
}

static gboolean
take_query (Listing *self, const char *sql, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = jm_sqlite_prepare (self->reader->db, sql, error);

  if (statement == NULL)
    return FALSE;

  jm_ledger_filter_bind (self->filter, statement);

  return take_rows (self, statement, error);
}

static gboolean
is_backward (const JmLedgerFilter *filter)
{
  return filter->limit > 0 && !filter->has_after;
}

/* Positions alone are sorted, never what a record says. */
static gboolean
take_ended (Listing *self, GError **error)
{
  g_autofree char *where = jm_ledger_filter_format (self->filter, FALSE);
  const char *order = is_backward (self->filter) ? "DESC" : "ASC";
  g_autofree char *sql =
    jm_ledger_filter_is_selective (self->filter)
      ? g_strdup_printf ("SELECT position, content FROM record WHERE position IN"
                         " (SELECT position FROM record WHERE %s) ORDER BY position %s",
                         where, order)
      : g_strdup_printf ("SELECT position, content FROM record WHERE %s ORDER BY "
                         "position %s",
                         where, order);

  if (self->filter->is_of_running ||
      (self->filter->has_state && self->filter->state == JM_RUN_STATE_RUNNING))
    return TRUE;

  return take_query (self, sql, error);
}

static gboolean
take_running (Listing *self, GError **error)
{
  g_autofree char *where = jm_ledger_filter_format (self->filter, TRUE);
  g_autofree char *sql =
    g_strdup_printf ("SELECT 0, content FROM running WHERE %s ORDER BY begin_us %s, "
                     "key",
                     where, is_backward (self->filter) ? "DESC" : "ASC");

  return self->filter->has_after || self->filter->before != 0 ||
         take_query (self, sql, error);
}

static void
reverse (GPtrArray *array)
{
  for (guint i = 0, j = array->len; i + 1 < j; i++, j--)
    {
      gpointer swapped = array->pdata[i];

      array->pdata[i] = array->pdata[j - 1];
      array->pdata[j - 1] = swapped;
    }
}

/* Those that run are behind those that have ended. */
static gboolean
take_all (Listing *self, GError **error)
{
  if (!is_backward (self->filter))
    return take_ended (self, error) && take_running (self, error);
  if (!take_running (self, error) || !take_ended (self, error))
    return FALSE;

  reverse (self->records);

  return TRUE;
}

static int
is_cancelled (gpointer data)
{
  return g_cancellable_is_cancelled (data);
}

/* In one transaction: a job that ends meanwhile is listed once. */
static gboolean
run_listing (Listing *self, GError **error)
{
  sqlite3 *db = self->reader->db;
  gboolean done;

  if (!jm_sqlite_run (db, "BEGIN", error))
    return FALSE;

  sqlite3_progress_handler (db, STEPS, is_cancelled, self->cancellable);
  done = take_all (self, error);
  sqlite3_progress_handler (db, 0, NULL, NULL);
  jm_sqlite_run (db, "ROLLBACK", NULL);

  return done;
}

GPtrArray *
jm_ledger_reader_list (JmLedgerReader *self,
                       const JmLedgerFilter *filter,
                       GCancellable *cancellable,
                       GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autoptr (GPtrArray) records =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
  g_autoptr (GError) problem = NULL;
  Listing listing = { self, filter, cancellable, records };

  if (get_database (self, error) == NULL)
    return NULL;
  if (run_listing (&listing, &problem))
    return g_steal_pointer (&records);

  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_propagate_error (error, g_steal_pointer (&problem));

  return NULL;
}

gboolean
jm_ledger_reader_get_last_position (JmLedgerReader *self,
                                    guint64 *position,
                                    GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 last;

  if (get_database (self, error) == NULL ||
      !jm_sqlite_get_number (self->db,
                             "SELECT seq FROM sqlite_sequence WHERE name = 'record'",
                             &last, error))
    return FALSE;

  *position = (guint64) last;

  return TRUE;
}
