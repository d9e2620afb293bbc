/* jm-sql-query-private.h: a query that is put together, with its values beside it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* Text of ours with values of anybody's: these are bound, whatever they say. */
typedef struct
{
  GString *text;
  GArray *values; /* of Value */
} JmSqlQuery;

void jm_sql_query_init (JmSqlQuery *self);
void jm_sql_query_clear (JmSqlQuery *self);

/* Text of ours alone. */
void jm_sql_query_append (JmSqlQuery *self, const char *text);

/* A placeholder, and what it stands for. @text has to outlive the statement. */
void jm_sql_query_append_text (JmSqlQuery *self, const char *text);
void jm_sql_query_append_number (JmSqlQuery *self, gint64 number);

/* ` IN (...)`; nothing is in an empty list. */
void jm_sql_query_append_list (JmSqlQuery *self, const char *const *texts);

/* The statement, bound. */
JmSqlStatement *jm_sql_query_prepare (JmSqlQuery *self, JmSql *sql, GError **error);

/* Between quotes: arrays are the one way that both databases take a list as a value. */
void jm_sql_append_json_text (GString *json, const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmSqlQuery, jm_sql_query_clear)

G_END_DECLS
