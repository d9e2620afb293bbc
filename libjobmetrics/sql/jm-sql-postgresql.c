/* jm-sql-postgresql.c: a database on a server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/jm-error.h"
#include "base/jm-safe-text-private.h"
#include "sql/jm-libpq-private.h"
#include "sql/jm-sql-backend-private.h"

/* Statements whose answers are awaited together: what the server says of them must fit
 * into the socket, as nobody reads it until then. */
#define MAX_QUEUED 256
#define NUMBER_BYTES 24
/* Rows that are sent at once; of each of them its values lie in memory until then. */
#define MAX_ROWS 5000
/* How long servers may take to let somebody in, one after the other where there are
 * many, and milliseconds that a machine may leave what it is sent unacknowledged. */
#define CONNECT_US (30 * G_USEC_PER_SEC)
#define UNHEARD_MS "10000"
/* How often the server looks whether somebody still waits for its answer. */
#define CHECK_MS 1000
/* "jobmetri", whom writers of any database of ours wait for. */
#define WRITER_LOCK "7669723127107449449"

typedef struct
{
  JmSql parent;
  const JmLibpq *pq;
  PGconn *connection;
  gboolean is_read_only;
  gboolean is_reading; /* within postgresql_begin_reading() */
  guint n_names;       /* of statements, so far */
  guint generation;    /* of the connection: another knows no statements */
  guint n_queued;
  GPtrArray *unsent; /* of Statement: those that have rows */
  GError *failure;   /* of a statement that was queued */
  GMutex lock;       /* of @fd */
  int fd;            /* of the connection; -1 while it is made or closed */
} Database;

typedef struct
{
  const char *text; /* NULL for null */
  char number[NUMBER_BYTES];
} Value;

typedef struct
{
  JmSqlStatement parent;
  const JmLibpq *pq;
  char *sql;
  char *name;       /* NULL where it is used once */
  guint generation; /* of the connection that knows its name */
  guint n_values;
  Value *values;
  const char **texts; /* of the values, for libpq */
  GString **columns;  /* of rows that are not sent yet; NULL for one row each time */
  guint n_unsent;
  PGresult *result; /* NULL before the first row */
  int row;
} Statement;

static const JmSqlBackend backend;

gboolean
jm_sql_is_postgresql (JmSql *self)
{
  return self->backend == &backend;
}

static Database *
get_database (JmSqlStatement *statement)
{
  return (Database *) statement->sql;
}

/* --- errors --- */

static JmError
get_code (const char *state)
{
  if (g_str_has_prefix (state, "28") || g_str_equal (state, "42501"))
    return JM_ERROR_DENIED;
  if (g_str_equal (state, "3D000"))
    return JM_ERROR_ABSENT;
  if (g_str_has_prefix (state, "XX"))
    return JM_ERROR_MALFORMED;

  return JM_ERROR_UNAVAILABLE;
}

/* The first line of what the server or the library says. */
static void
take_error (GError **error, const Database *self, const char *text, const char *state)
{
  g_autofree char *line = g_strndup (text, strcspn (text, "\n"));
  g_autofree char *safe = jm_safe_text_make (line);

  g_set_error (error, JM_ERROR, get_code (state != NULL ? state : ""), "%s: %s",
               self->parent.name, safe);
}

static gboolean
check_result (Database *self, PGresult *result, GError **error)
{
  switch (self->pq->resultStatus (result))
    {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_EMPTY_QUERY:
      return TRUE;
    default:
      break;
    }

  if (result != NULL)
    take_error (error, self, self->pq->resultErrorMessage (result),
                self->pq->resultErrorField (result, PG_DIAG_SQLSTATE));
  else
    take_error (error, self, self->pq->errorMessage (self->connection), NULL);

  return FALSE;
}

static gboolean
finish_result (Database *self, PGresult *result, GError **error)
{
  gboolean done = check_result (self, result, error);

  self->pq->clear (result);

  return done;
}

/* --- what is queued --- */

static void
note_failure (Database *self, PGresult *result)
{
  /* what follows a failure is reported as aborted */
  if (self->failure == NULL &&
      self->pq->resultStatus (result) != PGRES_PIPELINE_ABORTED)
    check_result (self, result, &self->failure);
}

/* Reads until all that was queued is answered; NULL ends the answer of each. */
static void
read_answers (Database *self)
{
  guint n_empty = 0;

  while (n_empty < 2 && self->pq->status (self->connection) == CONNECTION_OK)
    {
      PGresult *result = self->pq->getResult (self->connection);
      ExecStatusType status = self->pq->resultStatus (result);

      n_empty = result == NULL ? n_empty + 1 : 0;
      if (result != NULL && status != PGRES_PIPELINE_SYNC)
        note_failure (self, result);
      self->pq->clear (result);
      if (result != NULL && status == PGRES_PIPELINE_SYNC)
        break;
    }
}

static gboolean
is_queueing (const Database *self)
{
  return self->pq->pipelineStatus != NULL &&
         self->pq->pipelineStatus (self->connection) != PQ_PIPELINE_OFF;
}

/* Waits for what is queued. */
static gboolean
drain (Database *self, GError **error)
{
  if (is_queueing (self))
    {
      if (self->pq->pipelineSync (self->connection) == 1)
        read_answers (self);
      if (self->pq->exitPipelineMode (self->connection) == 0 && self->failure == NULL)
        take_error (&self->failure, self, self->pq->errorMessage (self->connection),
                    NULL);
      self->n_queued = 0;
    }
  if (self->failure == NULL)
    return TRUE;

  g_propagate_error (error, g_error_copy (self->failure));

  return FALSE;
}

/* --- connection --- */

static gboolean
execute_text (Database *self, const char *sql, GError **error)
{
  return drain (self, error) &&
         finish_result (self, self->pq->exec (self->connection, sql), error);
}

/* Who writes looks rows up by their keys: a plan that was made while a table was small,
 * and is kept, must not read all of it once it is large. To compile a query, which
 * servers do since version 11, takes seconds: longer than to answer any of ours. What
 * nobody waits for any more ends, which servers can since version 14. */
static gboolean
set_up (Database *self, GError **error)
{
  g_autofree char *sql =
    g_strdup_printf ("SET client_encoding = 'UTF8'; SET client_min_messages = warning;"
                     "SET lock_timeout = %d; SET default_transaction_read_only = %s;"
                     "SELECT set_config (name, 'off', FALSE) FROM pg_settings"
                     " WHERE name = 'jit';"
                     "SELECT set_config (name, '%d', FALSE) FROM pg_settings"
                     " WHERE name = 'client_connection_check_interval';"
                     "SET enable_seqscan = %s",
                     JM_SQL_BUSY_MS, self->is_read_only ? "on" : "off", CHECK_MS,
                     self->is_read_only ? "on" : "off");

  return execute_text (self, sql, error);
}

/* Another thread that interrupts shall not shut down what has this number next. */
static void
set_fd (Database *self, int fd)
{
  g_mutex_lock (&self->lock);
  self->fd = fd;
  g_mutex_unlock (&self->lock);
}

/* A server that gives no answer gives none to a plea to cancel either. One that works
 * notices that nobody listens any more. */
static void
postgresql_interrupt (JmSql *sql)
{
  Database *self = (Database *) sql;

  g_mutex_lock (&self->lock);
  if (self->fd >= 0)
    shutdown (self->fd, SHUT_RDWR);
  g_mutex_unlock (&self->lock);
}

/* A server may have been started anew since. */
static gboolean
ensure_connection (Database *self, GError **error)
{
  if (self->pq->status (self->connection) == CONNECTION_OK)
    return TRUE;
  /* a new one would see another moment */
  if (self->is_reading)
    {
      take_error (error, self, self->pq->errorMessage (self->connection), NULL);
      return FALSE;
    }

  set_fd (self, -1);
  self->pq->reset (self->connection);
  set_fd (self, self->pq->socket (self->connection));
  self->generation++;
  g_clear_error (&self->failure);
  if (self->pq->status (self->connection) == CONNECTION_OK)
    return set_up (self, error);

  take_error (error, self, self->pq->errorMessage (self->connection), NULL);

  return FALSE;
}

static void
postgresql_close (JmSql *sql)
{
  Database *self = (Database *) sql;

  set_fd (self, -1);
  self->pq->finish (self->connection);
  g_mutex_clear (&self->lock);
  g_ptr_array_unref (self->unsent);
  g_clear_error (&self->failure);
  g_free (self);
}

/* --- words --- */

static void
append_placeholders (GString *text, const char *sql)
{
  for (const char *at = sql; *at != '\0'; at++)
    g_string_append_c (text, *at == '?' && g_ascii_isdigit (at[1]) ? '$' : *at);
}

static char *
translate_types (const char *sql)
{
  GString *text = g_string_new (sql);

  g_string_replace (text, ") STRICT, WITHOUT ROWID", ")", 0);
  g_string_replace (text, ") STRICT", ")", 0);
  g_string_replace (text, " INTEGER", " BIGINT", 0);

  return g_string_free (text, FALSE);
}

/* --- statements --- */

static guint
count_values (const char *sql)
{
  guint n = 0;

  for (const char *at = strchr (sql, '?'); at != NULL; at = strchr (at + 1, '?'))
    n = MAX (n, (guint) g_ascii_strtoull (at + 1, NULL, 10));

  return n;
}

static JmSqlStatement *
postgresql_prepare (JmSql *sql, const char *text, gboolean is_kept, GError **error)
{
  Database *self = (Database *) sql;
  Statement *statement = g_new0 (Statement, 1);
  GString *translated = g_string_new (NULL);

  append_placeholders (translated, text);
  statement->parent.sql = sql;
  statement->pq = ((Database *) sql)->pq;
  statement->sql = g_string_free (translated, FALSE);
  statement->n_values = count_values (text);
  statement->values = g_new0 (Value, statement->n_values + 1);
  statement->texts = g_new0 (const char *, statement->n_values + 1);
  statement->generation = G_MAXUINT;
  if (is_kept)
    statement->name = g_strdup_printf ("s%u", self->n_names++);

  return &statement->parent;
}

static JmSqlStatement *
postgresql_prepare_upsert (JmSql *sql, const JmSqlUpsert *upsert, GError **error)
{
  g_autofree char *text = jm_sql_upsert_make_rows_text (upsert);
  Statement *statement = (Statement *) postgresql_prepare (sql, text, TRUE, error);

  statement->columns = g_new (GString *, statement->n_values);
  for (guint i = 0; i < statement->n_values; i++)
    statement->columns[i] = g_string_new (NULL);

  return &statement->parent;
}

static void
free_columns (Statement *statement)
{
  for (guint i = 0; statement->columns != NULL && i < statement->n_values; i++)
    g_string_free (statement->columns[i], TRUE);
  g_free (statement->columns);
}

static void
postgresql_statement_free (JmSqlStatement *parent)
{
  Statement *statement = (Statement *) parent;

  free_columns (statement);
  statement->pq->clear (statement->result);
  g_free (statement->sql);
  g_free (statement->name);
  g_free (statement->values);
  g_free (statement->texts);
  g_free (statement);
}

static void
postgresql_bind_number (JmSqlStatement *parent, int number, gint64 value)
{
  Value *bound = &((Statement *) parent)->values[number - 1];

  g_snprintf (bound->number, sizeof bound->number, "%" G_GINT64_FORMAT, value);
  bound->text = bound->number;
}

static void
postgresql_bind_text (JmSqlStatement *parent, int number, const char *text)
{
  ((Statement *) parent)->values[number - 1].text = text;
}

static void
postgresql_reset (JmSqlStatement *parent)
{
  Statement *statement = (Statement *) parent;

  g_clear_pointer (&statement->result, statement->pq->clear);
  statement->row = 0;
  for (guint i = 0; i < statement->n_values; i++)
    statement->values[i].text = NULL;
}

static const char *const *
get_texts (Statement *statement)
{
  for (guint i = 0; i < statement->n_values; i++)
    statement->texts[i] = statement->values[i].text;

  return statement->texts;
}

/* Lets the server know its text by its name. */
static gboolean
introduce (Statement *statement, GError **error)
{
  Database *self = get_database (&statement->parent);
  PGresult *result;

  if (statement->name == NULL || statement->generation == self->generation)
    return TRUE;
  if (!drain (self, error))
    return FALSE;

  result =
    self->pq->prepare (self->connection, statement->name, statement->sql, 0, NULL);
  if (!finish_result (self, result, error))
    return FALSE;
  statement->generation = self->generation;

  return TRUE;
}

/* Sends it, and does not wait, where the library has pipelines. */
static gboolean
queue (Statement *statement, const char *const *texts, GError **error)
{
  Database *self = get_database (&statement->parent);

  if (self->failure != NULL || self->n_queued >= MAX_QUEUED)
    if (!drain (self, error))
      return FALSE;
  if (!introduce (statement, error))
    return FALSE;
  if (self->pq->enterPipelineMode == NULL)
    return finish_result (self,
                          self->pq->execPrepared (self->connection, statement->name,
                                                  (int) statement->n_values, texts,
                                                  NULL, NULL, 0),
                          error);
  if (!is_queueing (self) && self->pq->enterPipelineMode (self->connection) == 0)
    {
      take_error (error, self, self->pq->errorMessage (self->connection), NULL);
      return FALSE;
    }
  if (self->pq->sendQueryPrepared (self->connection, statement->name,
                                   (int) statement->n_values, texts, NULL, NULL,
                                   0) == 0)
    {
      take_error (error, self, self->pq->errorMessage (self->connection), NULL);
      return FALSE;
    }
  self->n_queued++;

  return TRUE;
}

/* --- rows that are sent together --- */

/* An element of an array, as PostgreSQL writes it. */
static void
append_element (GString *array, const Value *value)
{
  g_string_append_c (array, array->len > 0 ? ',' : '{');
  if (value->text == NULL)
    g_string_append (array, "NULL");
  else if (value->text == value->number)
    g_string_append (array, value->text);
  else
    {
      const char *at = value->text;

      g_string_append_c (array, '"');
      for (gsize n; (n = strcspn (at, "\"\\")), at[n] != '\0'; at += n + 1)
        {
          g_string_append_len (array, at, (gssize) n);
          g_string_append_c (array, '\\');
          g_string_append_c (array, at[n]);
        }
      g_string_append (array, at);
      g_string_append_c (array, '"');
    }
}

static gboolean
send_rows (Statement *statement, GError **error)
{
  for (guint i = 0; i < statement->n_values; i++)
    {
      g_string_append_c (statement->columns[i], '}');
      statement->texts[i] = statement->columns[i]->str;
    }
  if (!queue (statement, statement->texts, error))
    return FALSE;
  for (guint i = 0; i < statement->n_values; i++)
    g_string_truncate (statement->columns[i], 0);
  statement->n_unsent = 0;

  return TRUE;
}

/* Sends the statements that wait, before anything else is asked. */
static gboolean
send_unsent (Database *self, GError **error)
{
  gboolean done = TRUE;

  for (guint i = 0; done && i < self->unsent->len; i++)
    done = send_rows (self->unsent->pdata[i], error);
  if (done)
    g_ptr_array_set_size (self->unsent, 0);

  return done;
}

static void
forget_unsent (Database *self)
{
  for (guint i = 0; i < self->unsent->len; i++)
    {
      Statement *statement = self->unsent->pdata[i];

      for (guint k = 0; k < statement->n_values; k++)
        g_string_truncate (statement->columns[k], 0);
      statement->n_unsent = 0;
    }
  g_ptr_array_set_size (self->unsent, 0);
}

static gboolean
add_row (Statement *statement, GError **error)
{
  Database *self = get_database (&statement->parent);

  if (statement->n_unsent == 0)
    g_ptr_array_add (self->unsent, statement);
  for (guint i = 0; i < statement->n_values; i++)
    append_element (statement->columns[i], &statement->values[i]);
  statement->n_unsent++;

  return statement->n_unsent < MAX_ROWS || send_unsent (self, error);
}

/* --- answers --- */

static gboolean
execute_now (Statement *statement, GError **error)
{
  Database *self = get_database (&statement->parent);
  int n = (int) statement->n_values;

  if (!ensure_connection (self, error) || !send_unsent (self, error) ||
      !introduce (statement, error) || !drain (self, error))
    return FALSE;

  if (statement->name != NULL)
    statement->result = self->pq->execPrepared (self->connection, statement->name, n,
                                                get_texts (statement), NULL, NULL, 0);
  else
    statement->result = self->pq->execParams (self->connection, statement->sql, n, NULL,
                                              get_texts (statement), NULL, NULL, 0);
  statement->row = -1;

  return check_result (self, statement->result, error);
}

static gboolean
postgresql_next (JmSqlStatement *parent, GError **error)
{
  Statement *statement = (Statement *) parent;

  if (statement->result == NULL && !execute_now (statement, error))
    {
      postgresql_reset (parent);
      return FALSE;
    }
  if (++statement->row < statement->pq->ntuples (statement->result))
    return TRUE;

  postgresql_reset (parent);

  return FALSE;
}

static gboolean
is_in_transaction (Database *self)
{
  return is_queueing (self) ||
         self->pq->transactionStatus (self->connection) == PQTRANS_INTRANS;
}

static gboolean
execute_counted (Statement *statement, gint64 *n_rows, GError **error)
{
  Database *self = get_database (&statement->parent);

  if (!execute_now (statement, error))
    return FALSE;
  if (n_rows != NULL)
    *n_rows = g_ascii_strtoll (self->pq->cmdTuples (statement->result), NULL, 10);

  return TRUE;
}

static gboolean
postgresql_execute (JmSqlStatement *parent, gint64 *n_rows, GError **error)
{
  Statement *statement = (Statement *) parent;
  Database *self = get_database (parent);
  gboolean done;

  if (statement->columns != NULL)
    done = add_row (statement, error);
  else if (n_rows == NULL && statement->name != NULL && is_in_transaction (self))
    done = send_unsent (self, error) && queue (statement, get_texts (statement), error);
  else
    done = execute_counted (statement, n_rows, error);
  postgresql_reset (parent);

  return done;
}

static gboolean
postgresql_get_number (JmSqlStatement *parent, int column, gint64 *value)
{
  Statement *statement = (Statement *) parent;

  if (statement->pq->getisnull (statement->result, statement->row, column))
    return FALSE;

  *value = g_ascii_strtoll (statement->pq->getvalue (statement->result, statement->row,
                                                     column),
                            NULL, 10);

  return TRUE;
}

static const char *
postgresql_get_text (JmSqlStatement *parent, int column)
{
  Statement *statement = (Statement *) parent;

  if (statement->pq->getisnull (statement->result, statement->row, column))
    return NULL;

  return statement->pq->getvalue (statement->result, statement->row, column);
}

static gboolean
postgresql_run (JmSql *sql, const char *text, GError **error)
{
  Database *self = (Database *) sql;
  g_autofree char *translated = translate_types (text);

  return ensure_connection (self, error) && send_unsent (self, error) &&
         execute_text (self, translated, error);
}

/* --- transactions --- */

static void
postgresql_roll_back (JmSql *sql)
{
  Database *self = (Database *) sql;

  self->is_reading = FALSE;
  forget_unsent (self);
  drain (self, NULL);
  g_clear_error (&self->failure);
  if (self->pq->transactionStatus (self->connection) != PQTRANS_IDLE)
    self->pq->clear (self->pq->exec (self->connection, "ROLLBACK"));
}

static gboolean
postgresql_begin (JmSql *sql, GError **error)
{
  Database *self = (Database *) sql;

  if (!ensure_connection (self, error))
    return FALSE;
  if (execute_text (self, "BEGIN; SELECT pg_advisory_xact_lock (" WRITER_LOCK ")",
                    error))
    return TRUE;

  postgresql_roll_back (sql);

  return FALSE;
}

static gboolean
postgresql_begin_reading (JmSql *sql, GError **error)
{
  Database *self = (Database *) sql;

  self->is_reading =
    ensure_connection (self, error) &&
    execute_text (self, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", error);

  return self->is_reading;
}

static gboolean
postgresql_commit (JmSql *sql, GError **error)
{
  Database *self = (Database *) sql;
  PGresult *result;

  if (!send_unsent (self, error) || !drain (self, error))
    return FALSE;
  result = self->pq->exec (self->connection, "COMMIT");
  /* of one that has failed the server says so in this way alone */
  if (g_str_equal (self->pq->cmdStatus (result), "ROLLBACK"))
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: rolled back", sql->name);
  else if (check_result (self, result, error))
    {
      self->pq->clear (result);
      return TRUE;
    }
  self->pq->clear (result);

  return FALSE;
}

/* --- upkeep --- */

static gboolean
postgresql_back_up (JmSql *sql, const char *path, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s: a database on a server is backed up by pg_dump", sql->name);

  return FALSE;
}

static gboolean
postgresql_vacuum (JmSql *sql, GError **error)
{
  return postgresql_run (sql, "VACUUM ANALYZE", error);
}

static gboolean
postgresql_check (JmSql *sql, GError **error)
{
  /* the server checks its pages as it reads them */
  return postgresql_run (sql, "SELECT 1", error);
}

static const JmSqlBackend backend = {
  .close = postgresql_close,
  .interrupt = postgresql_interrupt,
  .run = postgresql_run,
  .prepare = postgresql_prepare,
  .prepare_upsert = postgresql_prepare_upsert,
  .statement_free = postgresql_statement_free,
  .bind_number = postgresql_bind_number,
  .bind_text = postgresql_bind_text,
  .next = postgresql_next,
  .reset = postgresql_reset,
  .execute = postgresql_execute,
  .get_number = postgresql_get_number,
  .get_text = postgresql_get_text,
  .begin = postgresql_begin,
  .begin_reading = postgresql_begin_reading,
  .commit = postgresql_commit,
  .roll_back = postgresql_roll_back,
  .back_up = postgresql_back_up,
  .vacuum = postgresql_vacuum,
  .check = postgresql_check,
};

static gboolean
is_known (const char *text)
{
  return text != NULL && *text != '\0';
}

static char *
name_connection (const Database *self)
{
  const char *host = self->pq->host (self->connection);
  const char *database = self->pq->db (self->connection);

  return g_strdup_printf ("postgresql://%s/%s", is_known (host) ? host : "",
                          is_known (database) ? database : "");
}

/* FALSE once @stop is cancelled, or it took too long. */
static gboolean
wait_for (int fd, short events, gint64 until_us, GCancellable *stop)
{
  GPollFD fds[2] = { { .fd = fd, .events = (gushort) events } };
  gboolean has_stop = g_cancellable_make_pollfd (stop, &fds[1]);
  gint64 left_us;
  int n;

  do
    {
      left_us = until_us - g_get_monotonic_time ();
      n = g_poll (fds, has_stop ? 2 : 1, (int) MAX (left_us / 1000, 0));
    }
  while (n < 0 && errno == EINTR);
  if (has_stop)
    g_cancellable_release_fd (stop);

  return n > 0 && !g_cancellable_is_cancelled (stop);
}

/* What @uri says stands over what is said here. */
static PGconn *
connect_to (const JmLibpq *pq, const char *uri, GCancellable *stop)
{
  const char *names[] = { "tcp_user_timeout", "dbname", NULL };
  const char *values[] = { UNHEARD_MS, uri, NULL };
  const gint64 until_us = g_get_monotonic_time () + CONNECT_US;
  PGconn *connection = pq->connectStartParams (names, values, TRUE);
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;

  while (pq->status (connection) != CONNECTION_BAD &&
         (status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING) &&
         wait_for (pq->socket (connection),
                   status == PGRES_POLLING_READING ? G_IO_IN : G_IO_OUT, until_us,
                   stop))
    status = pq->connectPoll (connection);

  return connection;
}

static void
refuse_connection (const Database *self, GError **error)
{
  const char *reason = self->pq->errorMessage (self->connection);

  take_error (error, self,
              is_known (reason) ? reason : "the server does not let this program in",
              NULL);
}

JmSql *
jm_sql_postgresql_open (const char *uri,
                        JmSqlAccess access,
                        GCancellable *stop,
                        GError **error)
{
  const JmLibpq *pq = jm_libpq_get (error);
  Database *self;

  if (pq == NULL)
    return NULL;

  self = g_new0 (Database, 1);
  self->parent.backend = &backend;
  self->pq = pq;
  g_mutex_init (&self->lock);
  self->connection = connect_to (pq, uri, stop);
  self->fd = pq->socket (self->connection);
  self->unsent = g_ptr_array_new ();
  self->parent.name = name_connection (self);
  self->is_read_only = access == JM_SQL_READ;
  jm_sql_set_stop (&self->parent, stop);
  if (self->pq->status (self->connection) != CONNECTION_OK)
    refuse_connection (self, error);
  else if (set_up (self, error))
    return &self->parent;

  jm_sql_close (&self->parent);

  return NULL;
}
