/* jm-run-completeness.c: how many runs have the records of all their nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-database-private.h"

#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"

#define DAY_SECONDS 86400

static void
clear (gpointer data)
{
  g_free (((JmRunCompleteness *) data)->cluster);
}

static JmSqlStatement *
get_select (JmSql *sql, GError **error)
{
  g_autoptr (GString) text =
    g_string_new ("SELECT cluster.name, (?2 - end_time) / 86400, count (*),"
                  " sum (CASE WHEN (SELECT count (DISTINCT node) FROM run_node"
                  " WHERE run_id = run.id AND run_node.end_time IS NOT NULL"
                  " AND run_key <> '" JM_RUN_KEY_TIME_SERIES "')"
                  " >= CASE WHEN nodes > 1 THEN nodes ELSE 1 END THEN 1 ELSE 0 END)"
                  " FROM run JOIN cluster ON cluster.id = cluster_id"
                  " WHERE end_time > ?1 AND end_time <= ?2 AND start_time > 0 AND ");

  jm_run_append_is_accounted (text);
  g_string_append (text, " GROUP BY 1, 2 ORDER BY 1, 2");

  return jm_sql_get (sql, text->str, error);
}

GArray *
jm_archive_database_list_completeness (JmArchiveDatabase *self,
                                       gint64 until,
                                       guint n_days,
                                       GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (JmRunCompleteness));
  JmSql *sql = jm_archive_database_get_sql (self, error);
  JmSqlStatement *statement = sql != NULL ? get_select (sql, error) : NULL;
  GError *problem = NULL;

  if (statement == NULL)
    return NULL;
  g_array_set_clear_func (list, clear);
  jm_sql_bind_number (statement, 1, until - (gint64) n_days * DAY_SECONDS);
  jm_sql_bind_number (statement, 2, until);
  while (jm_sql_next (statement, &problem))
    {
      JmRunCompleteness row = { .cluster = g_strdup (jm_sql_get_text (statement, 0)) };

      jm_sql_get_number (statement, 1, &row.days_ago);
      jm_sql_get_number (statement, 2, &row.n_ended);
      jm_sql_get_number (statement, 3, &row.n_complete);
      g_array_append_val (list, row);
    }
  if (problem == NULL)
    return g_steal_pointer (&list);

  g_propagate_error (error, problem);

  return NULL;
}
