/* jm-sql-backend-private.h: what a kind of database brings
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sql/jm-sql-private.h"
#include "sql/jm-sql-upsert-private.h"

G_BEGIN_DECLS

typedef struct _JmSqlBackend JmSqlBackend;

struct _JmSql
{
  const JmSqlBackend *backend;
  char *name;
  GHashTable *statements; /* by their text, those of jm_sql_get() */
  GCancellable *stop;     /* NULL for none */
  gulong stopper;         /* its handler */
  int is_interrupted;     /* atomic */
};

struct _JmSqlStatement
{
  JmSql *sql;
};

struct _JmSqlBackend
{
  void (*close) (JmSql *self);
  void (*interrupt) (JmSql *self); /* for any thread */
  gboolean (*run) (JmSql *self, const char *sql, GError **error);
  JmSqlStatement *(*prepare) (JmSql *self,
                              const char *sql,
                              gboolean is_kept,
                              GError **error);
  JmSqlStatement *(*prepare_upsert) (JmSql *self,
                                     const JmSqlUpsert *upsert,
                                     GError **error);
  void (*statement_free) (JmSqlStatement *statement);
  void (*bind_number) (JmSqlStatement *statement, int number, gint64 value);
  void (*bind_text) (JmSqlStatement *statement, int number, const char *text);
  gboolean (*next) (JmSqlStatement *statement, GError **error);
  void (*reset) (JmSqlStatement *statement);
  /* @n_rows is NULL where nobody asks */
  gboolean (*execute) (JmSqlStatement *statement, gint64 *n_rows, GError **error);
  gboolean (*get_number) (JmSqlStatement *statement, int column, gint64 *value);
  const char *(*get_text) (JmSqlStatement *statement, int column);
  gboolean (*begin) (JmSql *self, GError **error);
  gboolean (*begin_reading) (JmSql *self, GError **error);
  gboolean (*commit) (JmSql *self, GError **error);
  void (*roll_back) (JmSql *self);
  gboolean (*back_up) (JmSql *self, const char *path, GError **error);
  gboolean (*vacuum) (JmSql *self, GError **error);
  gboolean (*check) (JmSql *self, GError **error);
};

/* How long one waits for another who writes. */
#define JM_SQL_BUSY_MS 5000

JmSql *jm_sql_sqlite_open (const char *path, JmSqlAccess access, GError **error);
JmSql *jm_sql_postgresql_open (const char *uri,
                               JmSqlAccess access,
                               GCancellable *stop,
                               GError **error);

G_END_DECLS
