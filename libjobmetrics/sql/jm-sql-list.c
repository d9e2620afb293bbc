/* jm-sql-list.c: the rows of a query as a list
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sql/jm-sql-list-private.h"

GPtrArray *
jm_sql_list (JmSqlQuery *query,
             JmSql *sql,
             JmSqlReadFunc func,
             gconstpointer data,
             GDestroyNotify free_func,
             GError **error)
{
  g_autoptr (JmSqlStatement) statement = jm_sql_query_prepare (query, sql, error);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (free_func);
  GError *problem = NULL;

  if (statement == NULL)
    return NULL;
  while (jm_sql_next (statement, &problem))
    g_ptr_array_add (list, func (statement, data));
  if (problem == NULL)
    return g_steal_pointer (&list);

  g_propagate_error (error, problem);

  return NULL;
}
