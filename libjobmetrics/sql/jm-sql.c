/* jm-sql.c: one way to ask SQLite and PostgreSQL
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sql/jm-sql-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "base/jm-error.h"
#include "sql/jm-sql-backend-private.h"

#define SQLITE_SCHEME "sqlite:"

static gboolean
is_for_server (const char *uri)
{
  return g_str_has_prefix (uri, "postgresql://") ||
         g_str_has_prefix (uri, "postgres://");
}

/* Both `sqlite:/a` and `sqlite:///a` are the path `/a`. */
static const char *
get_path (const char *uri)
{
  if (g_str_has_prefix (uri, SQLITE_SCHEME "///"))
    return uri + strlen (SQLITE_SCHEME "//");

  return g_str_has_prefix (uri, SQLITE_SCHEME) ? uri + strlen (SQLITE_SCHEME) : uri;
}

/* It may hold a password: of what is refused only the scheme is reported. */
static gboolean
is_path (const char *path, GError **error)
{
  g_autofree char *scheme = NULL;

  if (*path != '\0' && strstr (path, "://") == NULL)
    return TRUE;

  scheme = g_uri_parse_scheme (path);

  return jm_error_refuse (error, "neither sqlite:PATH nor postgresql://",
                          scheme != NULL ? scheme : "");
}

static void
on_stop (GCancellable *stop, gpointer user_data)
{
  JmSql *self = user_data;

  g_atomic_int_set (&self->is_interrupted, TRUE);
  self->backend->interrupt (self);
}

gboolean
jm_sql_set_stop (JmSql *self, GCancellable *stop)
{
  g_cancellable_disconnect (self->stop, self->stopper);
  self->stopper = 0;
  g_set_object (&self->stop, stop);
  if (stop != NULL)
    self->stopper =
      g_cancellable_connect (self->stop, G_CALLBACK (on_stop), self, NULL);

  return !g_atomic_int_get (&self->is_interrupted);
}

JmSql *
jm_sql_open (const char *uri, JmSqlAccess access, GCancellable *stop, GError **error)
{
  const char *path = get_path (uri);
  JmSql *self = NULL;

  if (is_for_server (uri))
    self = jm_sql_postgresql_open (uri, access, stop, error);
  else if (is_path (path, error))
    self = jm_sql_sqlite_open (path, access, error);

  if (self == NULL)
    return NULL;
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  jm_sql_set_stop (self, stop);

  return self;
}

static void
free_statements (JmSql *self)
{
  GHashTableIter iter;
  gpointer statement;

  if (self->statements == NULL)
    return;
  g_hash_table_iter_init (&iter, self->statements);
  while (g_hash_table_iter_next (&iter, NULL, &statement))
    self->backend->statement_free (statement);
  g_hash_table_unref (self->statements);
}

void
jm_sql_close (JmSql *self)
{
  jm_sql_set_stop (self, NULL);
  free_statements (self);
  g_free (self->name);
  self->backend->close (self);
}

const char *
jm_sql_get_name (JmSql *self)
{
  return self->name;
}

static gboolean
may_go_on (JmSql *self, GError **error)
{
  if (!g_atomic_int_get (&self->is_interrupted))
    return TRUE;
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: interrupted", self->name);

  return FALSE;
}

gboolean
jm_sql_run (JmSql *self, const char *sql, GError **error)
{
  return may_go_on (self, error) && self->backend->run (self, sql, error);
}

JmSqlStatement *
jm_sql_prepare (JmSql *self, const char *sql, GError **error)
{
  return self->backend->prepare (self, sql, FALSE, error);
}

JmSqlStatement *
jm_sql_get (JmSql *self, const char *sql, GError **error)
{
  JmSqlStatement *statement = g_hash_table_lookup (self->statements, sql);

  if (statement != NULL)
    return statement;

  statement = self->backend->prepare (self, sql, TRUE, error);
  if (statement != NULL)
    g_hash_table_insert (self->statements, g_strdup (sql), statement);

  return statement;
}

JmSqlStatement *
jm_sql_get_upsert (JmSql *self, const JmSqlUpsert *upsert, GError **error)
{
  g_autofree char *key = g_strdup_printf ("%s %d", upsert->table, upsert->conflict);
  JmSqlStatement *statement = g_hash_table_lookup (self->statements, key);

  if (statement != NULL)
    return statement;

  statement = self->backend->prepare_upsert (self, upsert, error);
  if (statement != NULL)
    g_hash_table_insert (self->statements, g_steal_pointer (&key), statement);

  return statement;
}

void
jm_sql_statement_free (JmSqlStatement *statement)
{
  statement->sql->backend->statement_free (statement);
}

void
jm_sql_bind_number (JmSqlStatement *statement, int number, gint64 value)
{
  statement->sql->backend->bind_number (statement, number, value);
}

void
jm_sql_bind_text (JmSqlStatement *statement, int number, const char *text)
{
  statement->sql->backend->bind_text (statement, number, text);
}

gboolean
jm_sql_next (JmSqlStatement *statement, GError **error)
{
  if (!may_go_on (statement->sql, error))
    {
      jm_sql_reset (statement);
      return FALSE;
    }

  return statement->sql->backend->next (statement, error);
}

void
jm_sql_reset (JmSqlStatement *statement)
{
  statement->sql->backend->reset (statement);
}

gboolean
jm_sql_do (JmSqlStatement *statement, GError **error)
{
  return may_go_on (statement->sql, error) &&
         statement->sql->backend->execute (statement, NULL, error);
}

gboolean
jm_sql_do_counted (JmSqlStatement *statement, gint64 *n_rows, GError **error)
{
  return may_go_on (statement->sql, error) &&
         statement->sql->backend->execute (statement, n_rows, error);
}

gboolean
jm_sql_get_number (JmSqlStatement *statement, int column, gint64 *value)
{
  return statement->sql->backend->get_number (statement, column, value);
}

const char *
jm_sql_get_text (JmSqlStatement *statement, int column)
{
  return statement->sql->backend->get_text (statement, column);
}

gboolean
jm_sql_begin (JmSql *self, GError **error)
{
  return may_go_on (self, error) && self->backend->begin (self, error);
}

gboolean
jm_sql_begin_reading (JmSql *self, GError **error)
{
  return may_go_on (self, error) && self->backend->begin_reading (self, error);
}

gboolean
jm_sql_commit (JmSql *self, GError **error)
{
  if (self->backend->commit (self, error))
    return TRUE;

  jm_sql_roll_back (self);

  return FALSE;
}

void
jm_sql_roll_back (JmSql *self)
{
  self->backend->roll_back (self);
}

gboolean
jm_sql_query_number (JmSql *self, const char *sql, gint64 *value, GError **error)
{
  g_autoptr (JmSqlStatement) statement = jm_sql_prepare (self, sql, error);
  g_autoptr (GError) problem = NULL;

  if (statement == NULL)
    return FALSE;
  if (jm_sql_next (statement, &problem) && jm_sql_get_number (statement, 0, value))
    return TRUE;

  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: no answer to: %s",
                 self->name, sql);

  return FALSE;
}

gboolean
jm_sql_back_up (JmSql *self, const char *path, GError **error)
{
  return self->backend->back_up (self, path, error);
}

gboolean
jm_sql_vacuum (JmSql *self, GError **error)
{
  return self->backend->vacuum (self, error);
}

gboolean
jm_sql_check (JmSql *self, GError **error)
{
  return self->backend->check (self, error);
}
