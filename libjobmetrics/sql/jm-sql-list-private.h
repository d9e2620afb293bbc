/* jm-sql-list-private.h: the rows of a query as a list
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sql/jm-sql-query-private.h"

G_BEGIN_DECLS

typedef gpointer (*JmSqlReadFunc) (JmSqlStatement *row, gconstpointer data);

/* What @func makes of each row, which @free_func frees. */
GPtrArray *jm_sql_list (JmSqlQuery *query,
                        JmSql *sql,
                        JmSqlReadFunc func,
                        gconstpointer data,
                        GDestroyNotify free_func,
                        GError **error);

G_END_DECLS
