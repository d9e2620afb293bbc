/* jm-run-sight.c: whether a name leads to runs that may be seen alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-sight-private.h"

#include "archive/jm-run-filter-private.h"
#include "core/jm-run-private.h"

/* Of a run whose user is not known the condition is neither true nor false. */
static void
begin (JmSqlQuery *query, gint64 since, gint64 until, JmViewer *viewer)
{
  jm_sql_query_init (query);
  jm_sql_query_append (query, "SELECT count (*), sum (is_seen) FROM (SELECT CASE WHEN");
  jm_viewer_append_run_condition (viewer, query);
  jm_sql_query_append (query, " THEN 1 ELSE 0 END AS is_seen, CASE WHEN ");
  jm_run_append_is_accounted (query->text);
  jm_sql_query_append (query, " THEN 1 ELSE 0 END AS is_accounted, CASE WHEN (TRUE)");
  jm_run_filter_append_period (since, until, query);
  jm_sql_query_append (query, " THEN 1 ELSE 0 END AS is_within FROM run WHERE ");
}

/* Runs that the accounting knows take precedence: those that nodes alone know neither
 * grant access to them nor deny it.
 * Runs outside the period count where none is within. */
static void
end (JmSqlQuery *query)
{
  jm_sql_query_append (query, ") AS named GROUP BY is_accounted, is_within"
                              " ORDER BY is_accounted DESC, is_within DESC LIMIT 1");
}

static gboolean
are_all_seen (JmSqlQuery *query, JmSql *sql, gboolean *is_seen, GError **error)
{
  g_autoptr (JmSqlStatement) statement = jm_sql_query_prepare (query, sql, error);
  GError *problem = NULL;
  gint64 n_runs = 0;
  gint64 n_seen = 0;

  *is_seen = FALSE;
  if (statement == NULL)
    return FALSE;
  if (jm_sql_next (statement, &problem) && jm_sql_get_number (statement, 0, &n_runs) &&
      jm_sql_get_number (statement, 1, &n_seen))
    *is_seen = n_runs > 0 && n_seen == n_runs;
  if (problem != NULL)
    g_propagate_error (error, problem);

  return problem == NULL;
}

gboolean
jm_run_sight_check_job (JmSql *sql,
                        const char *cluster,
                        const char *raw_id,
                        gint64 since,
                        gint64 until,
                        JmViewer *viewer,
                        gboolean *is_seen,
                        GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };

  begin (&query, since, until, viewer);
  jm_sql_query_append (&query, "raw_id = ");
  jm_sql_query_append_text (&query, raw_id);
  jm_sql_query_append (&query,
                       " AND cluster_id IN (SELECT id FROM cluster WHERE name = ");
  jm_sql_query_append_text (&query, cluster);
  jm_sql_query_append (&query, ")");
  end (&query);

  return are_all_seen (&query, sql, is_seen, error);
}

gboolean
jm_run_sight_check_uuid (JmSql *sql,
                         const char *uuid,
                         JmViewer *viewer,
                         gboolean *is_seen,
                         GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };

  begin (&query, 0, 0, viewer);
  jm_sql_query_append (&query, "uuid = ");
  jm_sql_query_append_text (&query, uuid);
  jm_sql_query_append (&query, " OR id IN (SELECT run_id FROM alias WHERE uuid = ");
  jm_sql_query_append_text (&query, uuid);
  jm_sql_query_append (&query, ")");
  end (&query);

  return are_all_seen (&query, sql, is_seen, error);
}
