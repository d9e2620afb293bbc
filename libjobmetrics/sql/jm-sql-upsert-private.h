/* jm-sql-upsert-private.h: rows into a table, by their keys
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* What is done with a row of a key that the table has. */
typedef enum
{
  JM_SQL_CONFLICT_NONE,    /* there is no such row: it fails */
  JM_SQL_CONFLICT_KEEP,    /* nothing */
  JM_SQL_CONFLICT_REPLACE, /* it gets the new values */
  JM_SQL_CONFLICT_ADD,     /* the new values are added; a key comes once until then */
} JmSqlConflict;

typedef struct
{
  const char *name;
  gboolean is_text;
} JmSqlColumn;

/* Which table, and which of its columns: the keys first. */
typedef struct
{
  const char *table;
  JmSqlConflict conflict;
  guint n_keys;
  GArray *columns; /* of JmSqlColumn */
} JmSqlUpsert;

/* Its texts have to live as long as it. */
JmSqlUpsert *
jm_sql_upsert_new (const char *table, guint n_keys, JmSqlConflict conflict);
void jm_sql_upsert_free (JmSqlUpsert *self);
void jm_sql_upsert_add_number (JmSqlUpsert *self, const char *column);
void jm_sql_upsert_add_text (JmSqlUpsert *self, const char *column);

/* One row for each execution, as SQLite is quickest. */
char *jm_sql_upsert_make_row_text (const JmSqlUpsert *self);

/* Any number of rows at once, as PostgreSQL is quickest: an array for each column. Of
 * rows of one key the last counts. */
char *jm_sql_upsert_make_rows_text (const JmSqlUpsert *self);

/* The statement for it, which is kept: one for each table and conflict. Values are the
 * columns in their order, a row each time that it is done; with a server rows may be
 * kept back until something else is asked of it. */
JmSqlStatement *
jm_sql_get_upsert (JmSql *sql, const JmSqlUpsert *upsert, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSqlUpsert, jm_sql_upsert_free)

G_END_DECLS
