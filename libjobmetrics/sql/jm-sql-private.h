/* jm-sql-private.h: one way to ask SQLite and PostgreSQL
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A connection to a database, of either kind. It belongs to one thread at a time.
 *
 * - Shape: SQL that both know, with whole numbers and UTF-8 text for values, which are
 *   bound to `?1`, `?2`... and never written into it.
 * - Errors: `ABSENT` where there is no such file; `DENIED`; `MALFORMED` where the file
 *   is broken; `INVALID` for an invalid URI; else `UNAVAILABLE`, such as of
 * a full disk, a server that does not answer, or a database that somebody else has
 *   locked for long. */
typedef struct _JmSql JmSql;

/* A statement that is ready to be bound, of that connection. */
typedef struct _JmSqlStatement JmSqlStatement;

typedef enum
{
  JM_SQL_READ,  /* what is there */
  JM_SQL_WRITE, /* makes a file that is not there */
} JmSqlAccess;

/* Opens `sqlite:PATH`, a path, or `postgresql://...` as libpq has it. @stop is as
 * jm_sql_set_stop() has it. */
JmSql *
jm_sql_open (const char *uri, JmSqlAccess access, GCancellable *stop, GError **error);
void jm_sql_close (JmSql *self);

gboolean jm_sql_is_postgresql (JmSql *self);

/* Once @stop is cancelled, by any thread, what goes on fails with `UNAVAILABLE`, and
 * all that is asked after it: nothing but to close it is left then. NULL for nothing.
 * FALSE where that has happened already. */
gboolean jm_sql_set_stop (JmSql *self, GCancellable *stop);

/* What messages call it: a path, or a host and a database; never a password. */
const char *jm_sql_get_name (JmSql *self);

/* Does one or several statements without values, in SQLite's words: PostgreSQL is sent
 * its own types. */
gboolean jm_sql_run (JmSql *self, const char *sql, GError **error);

/* A statement that is kept for the next time: of fixed text. */
JmSqlStatement *jm_sql_get (JmSql *self, const char *sql, GError **error);

/* A statement of text that was put together; it is the caller's. */
JmSqlStatement *jm_sql_prepare (JmSql *self, const char *sql, GError **error);
void jm_sql_statement_free (JmSqlStatement *statement);

/* Numbers of values begin at 1. @text has to live until the statement is done; NULL is
 * null. A value that is not bound is null. */
void jm_sql_bind_number (JmSqlStatement *statement, int number, gint64 value);
void jm_sql_bind_text (JmSqlStatement *statement, int number, const char *text);

/* Goes on to the next row; FALSE with no error behind the last, where the statement is
 * ready to be bound again. */
gboolean jm_sql_next (JmSqlStatement *statement, GError **error);

/* Leaves the rows that are left. */
void jm_sql_reset (JmSqlStatement *statement);

/* Does a statement that returns nothing. In a transaction with a server the error may
 * be that of an earlier one, or come only with the commit. */
gboolean jm_sql_do (JmSqlStatement *statement, GError **error);

/* Columns begin at 0; they are the statement's until the next row. FALSE, or NULL, for
 * null. */
gboolean jm_sql_get_number (JmSqlStatement *statement, int column, gint64 *value);
const char *jm_sql_get_text (JmSqlStatement *statement, int column);

/* A transaction that writes: one at a time, others wait for some seconds. */
gboolean jm_sql_begin (JmSql *self, GError **error);
gboolean jm_sql_commit (JmSql *self, GError **error);
void jm_sql_roll_back (JmSql *self);

/* A transaction that only reads: all statements until jm_sql_roll_back() see the
 * database of one moment. They fail once the connection was lost. */
gboolean jm_sql_begin_reading (JmSql *self, GError **error);

/* How many rows the last statement of jm_sql_do_counted() has changed. */
gboolean jm_sql_do_counted (JmSqlStatement *statement, gint64 *n_rows, GError **error);

/* The one number of a query without values. */
gboolean
jm_sql_query_number (JmSql *self, const char *sql, gint64 *value, GError **error);

/* A copy of a database that is in use, in a file that is not there yet.
 *
 * - Errors: `INVALID` with a server, which has programs of its own for that. */
gboolean jm_sql_back_up (JmSql *self, const char *path, GError **error);

/* Gives space back that is not used. */
gboolean jm_sql_vacuum (JmSql *self, GError **error);

/* Whether the database finds itself whole.
 *
 * - Errors: `MALFORMED`, with what it found. */
gboolean jm_sql_check (JmSql *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSql, jm_sql_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSqlStatement, jm_sql_statement_free)

G_END_DECLS
