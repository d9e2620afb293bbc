/* jm-run-reader.c: what may be seen of the tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-reader-private.h"

#include "archive/jm-run-table-private.h"
#include "archive/jm-usage-table-private.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-nodes-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "sql/jm-sql-list-private.h"

/* --- runs --- */

#define CLUSTER_COLUMN (4 + JM_N_RUN_FIELDS)
#define ESTIMATES_COLUMN (CLUSTER_COLUMN + 2)
#define RECORDS_COLUMN (CLUSTER_COLUMN + 3)
/* A name with more runs than this is not rare. */
#define MAX_OF_RARE_NAME 1000
/* A page of the runs of one node rests on so many of all runs: some 0.2 s. */
#define MAX_COMPARED 20000

/* Runs of any cluster, with its name and id and whether any energy was estimated behind
 * the run's own columns; with a @node the number of its records behind that. */
static void
append_select (JmSqlQuery *query, const char *node)
{
  jm_sql_query_append (query, "SELECT ");
  jm_run_append_columns (query->text);
  jm_sql_query_append (query,
                       ", (SELECT name FROM cluster WHERE cluster.id ="
                       " run.cluster_id), cluster_id, CASE WHEN EXISTS (SELECT"
                       " 1 FROM run_energy WHERE run_id = run.id AND quality NOT"
                       " IN ('', 'measured') AND energy_uj IS NOT NULL) THEN 1 END");
  if (node != NULL)
    {
      jm_sql_query_append (query, ", (SELECT count (*) FROM run_node WHERE run_id ="
                                  " run.id AND node = ");
      jm_sql_query_append_text (query, node);
      jm_sql_query_append (query, ")");
    }
  jm_sql_query_append (query, " FROM run WHERE");
}

static gpointer
read_run (JmSqlStatement *row, gconstpointer data)
{
  const char *cluster = jm_sql_get_text (row, CLUSTER_COLUMN);
  JmRun *run = jm_run_table_read_run (row, cluster != NULL ? cluster : "");
  gint64 one;

  run->has_estimates = jm_sql_get_number (row, ESTIMATES_COLUMN, &one);

  return run;
}

static GPtrArray *
list_runs (JmSqlQuery *query, JmSql *sql, GError **error)
{
  return jm_sql_list (query, sql, read_run, NULL, (GDestroyNotify) jm_run_unref, error);
}

/* A CASE hides the columns from SQLite, which would take the index by uid, and read all
 * runs of the viewer, instead of the one by user and name. */
static void
append_viewer (JmSqlQuery *query, JmRunFilter *filter, JmViewer *viewer)
{
  const gboolean is_of_a_job = jm_run_filter_is_of_a_job (filter);

  jm_sql_query_append (query, is_of_a_job ? " (CASE WHEN" : "");
  jm_viewer_append_run_condition (viewer, query);
  jm_sql_query_append (query, is_of_a_job ? " THEN TRUE ELSE FALSE END)" : "");
}

/* The index of names begins with users, of whom there are few: it is asked for each. */
static void
append_runs_of_name (JmSqlQuery *query, JmRunFilter *filter)
{
  jm_sql_query_append (query,
                       "WITH RECURSIVE person (called) AS (SELECT min (user_name) FROM"
                       " run UNION ALL SELECT (SELECT min (user_name) FROM run WHERE"
                       " user_name > called) FROM person WHERE called IS NOT NULL)"
                       " SELECT id FROM person CROSS JOIN run WHERE user_name = "
                       "called");
  jm_run_filter_append_name (filter, query);
  jm_sql_query_append (query, " UNION ALL SELECT id FROM run WHERE user_name IS NULL");
  jm_run_filter_append_name (filter, query);
  jm_sql_query_append (query, " LIMIT ");
  jm_sql_query_append_number (query, MAX_OF_RARE_NAME + 1);
}

/* Returns an SQL condition that limits the query to the runs of a rare name; empty for
 * other names, NULL on error. */
static char *
make_rarity (JmRunFilter *filter, JmViewer *viewer, JmSql *sql, GError **error)
{
  g_autoptr (GString) text = g_string_new (" AND id IN (NULL");
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (JmSqlStatement) row = NULL;
  GError *problem = NULL;
  guint n = 0;
  gint64 id;

  jm_sql_query_init (&query);
  if (!jm_run_filter_is_of_a_name (filter) || !jm_viewer_sees_all (viewer))
    return g_strdup ("");
  append_runs_of_name (&query, filter);
  row = jm_sql_query_prepare (&query, sql, error);
  if (row == NULL)
    return NULL;
  while (jm_sql_next (row, &problem))
    if (n++ < MAX_OF_RARE_NAME && jm_sql_get_number (row, 0, &id))
      g_string_append_printf (text, ", %" G_GINT64_FORMAT, id);
  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  g_string_append_c (text, ')');

  return g_strdup (n <= MAX_OF_RARE_NAME ? text->str : "");
}

/* @rarity is what make_rarity() returned. */
static void
append_page (JmSqlQuery *query,
             JmRunFilter *filter,
             const char *rarity,
             JmViewer *viewer,
             guint limit)
{
  append_select (query, jm_run_filter_get_node (filter));
  append_viewer (query, filter, viewer);
  jm_sql_query_append (query, rarity);
  jm_run_filter_append_conditions (filter, query);
  jm_run_filter_append_page (filter, limit, query);
}

static gboolean
is_on (JmRun *run, JmSqlStatement *row, const char *node)
{
  g_autoptr (GHashTable) nodes = jm_run_nodes_list (run);
  gint64 n_records = 0;

  if (jm_sql_get_number (row, RECORDS_COLUMN, &n_records) && n_records > 0)
    return TRUE;

  return nodes != NULL && !g_hostname_is_ip_address (node) &&
         jm_run_nodes_has (nodes, node);
}

static GPtrArray *
list_on_node (JmSql *sql,
              JmRunFilter *filter,
              JmViewer *viewer,
              char **next,
              GError **error)
{
  const guint limit = jm_run_filter_get_limit (filter);
  const char *node = jm_run_filter_get_node (filter);
  g_autofree char *rarity = make_rarity (filter, viewer, sql, error);
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (JmSqlStatement) row = NULL;
  g_autoptr (JmRun) last = NULL;
  g_autoptr (GPtrArray) runs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
  GError *problem = NULL;
  guint n_compared = 0;

  jm_sql_query_init (&query);
  if (rarity == NULL)
    return NULL;
  append_page (&query, filter, rarity, viewer, MAX_COMPARED);
  row = jm_sql_query_prepare (&query, sql, error);
  if (row == NULL)
    return NULL;

  while (*next == NULL && jm_sql_next (row, &problem))
    {
      if (runs->len == limit || n_compared++ == MAX_COMPARED)
        {
          *next = jm_run_filter_make_cursor (filter, last);
          continue;
        }
      g_clear_pointer (&last, jm_run_unref);
      last = read_run (row, NULL);
      if (is_on (last, row, node))
        g_ptr_array_add (runs, jm_run_ref (last));
    }
  if (problem == NULL)
    return g_steal_pointer (&runs);

  g_propagate_error (error, problem);

  return NULL;
}

static GPtrArray *
list_on_any_node (JmSql *sql,
                  JmRunFilter *filter,
                  JmViewer *viewer,
                  char **next,
                  GError **error)
{
  g_autofree char *rarity = make_rarity (filter, viewer, sql, error);
  g_auto (JmSqlQuery) query = { 0 };
  guint limit = jm_run_filter_get_limit (filter);
  GPtrArray *runs;

  jm_sql_query_init (&query);
  if (rarity == NULL)
    return NULL;
  append_page (&query, filter, rarity, viewer, limit);
  runs = list_runs (&query, sql, error);

  if (runs != NULL && runs->len > limit)
    {
      g_ptr_array_set_size (runs, (int) limit);
      *next = jm_run_filter_make_cursor (filter, runs->pdata[limit - 1]);
    }

  return runs;
}

/* Each of the three is a part of an index of runs that have ended, and of one of those
 * that go on: to find that there is none is cheap. */
GPtrArray *
jm_run_reader_list_unjudged (JmSql *sql,
                             guint32 rules_version,
                             guint limit,
                             GError **error)
{
  static const char *const conditions[] = { "verdict_rules IS NULL", "verdict_rules < ",
                                            "verdict_rules > " };
  static const char *const of_which[] = {
    " AND end_time > 0 ORDER BY verdict_rules DESC, end_time DESC",
    " AND end_time = 0 AND start_time > 0"
  };
  g_auto (JmSqlQuery) query = { 0 };

  jm_sql_query_init (&query);
  append_select (&query, NULL);
  jm_sql_query_append (&query, " id IN (SELECT id FROM (");
  for (guint i = 0; i < G_N_ELEMENTS (conditions) * G_N_ELEMENTS (of_which); i++)
    {
      const guint condition = i % G_N_ELEMENTS (conditions);

      jm_sql_query_append (&query, i > 0 ? " UNION ALL " : "");
      jm_sql_query_append (&query, "SELECT * FROM (SELECT id FROM run WHERE ");
      jm_sql_query_append (&query, conditions[condition]);
      if (condition > 0)
        jm_sql_query_append_number (&query, rules_version);
      jm_sql_query_append (&query, of_which[i / G_N_ELEMENTS (conditions)]);
      jm_sql_query_append (&query, " LIMIT ");
      jm_sql_query_append_number (&query, limit);
      jm_sql_query_append (&query, ") AS some_runs");
    }
  jm_sql_query_append (&query, ") AS unjudged LIMIT ");
  jm_sql_query_append_number (&query, limit);
  jm_sql_query_append (&query, ")");

  return list_runs (&query, sql, error);
}

static void
append_cluster (JmSqlQuery *query, const char *cluster)
{
  jm_sql_query_append (query,
                       " AND cluster_id = (SELECT id FROM cluster WHERE name = ");
  jm_sql_query_append_text (query, cluster);
  jm_sql_query_append (query, ")");
}

JmRun *
jm_run_reader_find (JmSql *sql,
                    const char *cluster,
                    const char *raw_id,
                    gint64 start_time,
                    JmViewer *viewer,
                    GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (GPtrArray) runs = NULL;

  jm_sql_query_init (&query);
  append_select (&query, NULL);
  jm_viewer_append_run_condition (viewer, &query);
  append_cluster (&query, cluster);
  jm_sql_query_append (&query, " AND raw_id = ");
  jm_sql_query_append_text (&query, raw_id);
  jm_sql_query_append (&query, " AND moment = ");
  jm_sql_query_append_number (&query, start_time);
  jm_sql_query_append (&query, " ORDER BY ");
  jm_run_append_is_accounted (query.text);
  jm_sql_query_append (&query, " DESC");
  runs = list_runs (&query, sql, error);

  return runs != NULL && runs->len > 0 ? jm_run_ref (runs->pdata[0]) : NULL;
}

gboolean
jm_run_reader_visit (JmSql *sql, JmReadRunFunc func, gpointer data, GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (JmSqlStatement) statement = NULL;
  GError *problem = NULL;

  jm_sql_query_init (&query);
  append_select (&query, NULL);
  jm_sql_query_append (&query, " TRUE");
  statement = jm_sql_query_prepare (&query, sql, error);
  if (statement == NULL)
    return FALSE;
  while (jm_sql_next (statement, &problem))
    {
      g_autoptr (JmRun) run = read_run (statement, NULL);
      gint64 cluster_id = 0;

      jm_sql_get_number (statement, CLUSTER_COLUMN + 1, &cluster_id);
      func (run, cluster_id, data);
    }
  if (problem == NULL)
    return TRUE;

  g_propagate_error (error, problem);

  return FALSE;
}

/* --- parts --- */

static gpointer
read_part (JmSqlStatement *row, gconstpointer data)
{
  return jm_run_table_read_part (*(const JmRunPartKind *) data, row);
}

/* Energy in detail comes from where the run's energy does: ledgers or a time series
 * database, never both, for it would be there twice. Nodes and devices are those of a
 * time series database where no ledger has any. */
static void
append_teller (JmSqlQuery *query, const JmRun *run, JmRunPartKind kind)
{
  gboolean is_time_series =
    run->sources[JM_RUN_FIELD_ENERGY] == '0' + JM_RUN_SOURCE_TIME_SERIES;

  if (kind == JM_RUN_PART_KIND_NODE || kind == JM_RUN_PART_KIND_DEVICE)
    {
      jm_sql_query_append (query, " AND (run_key <> '" JM_RUN_KEY_TIME_SERIES "'"
                                  " OR NOT EXISTS (SELECT 1 FROM run_node AS other"
                                  " WHERE other.run_id = ");
      jm_sql_query_append_number (query, run->id);
      jm_sql_query_append (query,
                           " AND other.run_key <> '" JM_RUN_KEY_TIME_SERIES "'))");
    }
  if (kind == JM_RUN_PART_KIND_ENERGY)
    jm_sql_query_append (query, is_time_series
                                  ? " AND run_key = '" JM_RUN_KEY_TIME_SERIES "'"
                                  : " AND run_key <> '" JM_RUN_KEY_TIME_SERIES "'");
}

static void
append_parts (JmSqlQuery *query, const JmRun *run, JmRunPartKind kind, JmViewer *viewer)
{
  jm_sql_query_append (query, "SELECT ");
  jm_run_part_kind_append_columns (kind, query->text);
  g_string_append_printf (query->text, " FROM %s WHERE run_id = ",
                          jm_run_part_kind_get_table (kind));
  jm_sql_query_append_number (query, run->id);
  append_teller (query, run, kind);
  jm_sql_query_append (query, " AND EXISTS (SELECT 1 FROM run WHERE id = run_id AND");
  jm_viewer_append_run_condition (viewer, query);
  jm_sql_query_append (query, ")");
}

static GPtrArray *
list_parts (JmSqlQuery *query, JmSql *sql, JmRunPartKind kind, GError **error)
{
  return jm_sql_list (query, sql, read_part, &kind, (GDestroyNotify) jm_run_part_unref,
                      error);
}

GPtrArray *
jm_run_reader_list_parts (JmSql *sql,
                          const JmRun *run,
                          JmRunPartKind kind,
                          JmViewer *viewer,
                          GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };

  jm_sql_query_init (&query);
  append_parts (&query, run, kind, viewer);

  return list_parts (&query, sql, kind, error);
}

static void
reverse (GPtrArray *parts)
{
  for (guint i = 0; i < parts->len / 2; i++)
    {
      gpointer other = parts->pdata[parts->len - 1 - i];

      parts->pdata[parts->len - 1 - i] = parts->pdata[i];
      parts->pdata[i] = other;
    }
}

GPtrArray *
jm_run_reader_list_steps (JmSql *sql,
                          const JmRun *run,
                          const JmStepPage *page,
                          JmViewer *viewer,
                          GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  GPtrArray *steps;

  jm_sql_query_init (&query);
  append_parts (&query, run, JM_RUN_PART_KIND_STEP, viewer);
  jm_sql_query_append (&query,
                       page->is_last
                         ? " ORDER BY run_id DESC, node DESC, run_key DESC, name DESC"
                         : " ORDER BY run_id, node, run_key, name");
  jm_sql_query_append (&query, " LIMIT ");
  jm_sql_query_append_number (&query, page->limit);
  jm_sql_query_append (&query, " OFFSET ");
  jm_sql_query_append_number (&query, page->n_passed);
  steps = list_parts (&query, sql, JM_RUN_PART_KIND_STEP, error);
  if (steps != NULL && page->is_last)
    reverse (steps);

  return steps;
}

/* Adds the parts to each run. */
static gboolean
add_energy (JmSql *sql, GPtrArray *runs, JmViewer *viewer, GError **error)
{
  for (guint i = 0; i < runs->len; i++)
    {
      g_autoptr (GPtrArray) parts =
        jm_run_reader_list_parts (sql, runs->pdata[i], JM_RUN_PART_KIND_ENERGY, viewer,
                                  error);

      if (parts == NULL)
        return FALSE;
      for (guint n = 0; n < parts->len; n++)
        jm_run_add_part (runs->pdata[i], parts->pdata[n]);
    }

  return TRUE;
}

GPtrArray *
jm_run_reader_list (JmSql *sql,
                    JmRunFilter *filter,
                    JmViewer *viewer,
                    char **next,
                    GError **error)
{
  g_autoptr (GPtrArray) runs = jm_run_filter_get_node (filter) != NULL
                                 ? list_on_node (sql, filter, viewer, next, error)
                                 : list_on_any_node (sql, filter, viewer, next, error);

  if (runs != NULL && jm_run_filter_get_has_energy (filter) &&
      !add_energy (sql, runs, viewer, error))
    {
      g_clear_pointer (next, g_free);
      return NULL;
    }

  return g_steal_pointer (&runs);
}

/* --- the greatest of several figures --- */

/* The figures of each run are reckoned once, and kept to be put in order by each. */
static void
append_greatest (JmSqlQuery *query,
                 JmRunFilter *filter,
                 const char *const *figures,
                 JmViewer *viewer)
{
  const guint n = g_strv_length ((char **) figures);

  jm_sql_query_append (query, "WITH known AS (SELECT id");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (query->text, ", %s AS figure%u",
                            jm_run_column_from_name (figures[i])->sql, i);
  jm_sql_query_append (query, " FROM run WHERE");
  append_viewer (query, filter, viewer);
  jm_run_filter_append_conditions (filter, query);
  jm_sql_query_append (query, ")");
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (query->text,
                              "%s SELECT * FROM (SELECT %u AS place, id, figure%u AS"
                              " amount FROM known WHERE figure%u > 0 ORDER BY figure%u"
                              " DESC, id DESC LIMIT ",
                              i > 0 ? " UNION ALL" : "", i, i, i, i);
      jm_sql_query_append_number (query, jm_run_filter_get_limit (filter));
      g_string_append_printf (query->text, ") AS greatest%u", i);
    }
  jm_sql_query_append (query, " ORDER BY place, amount DESC, id DESC");
}

/* Adds the run of a row, where no other program has deleted it since. */
static gboolean
add_greatest (GPtrArray *lists, JmSqlStatement *row, JmSql *sql, GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (GPtrArray) runs = NULL;
  gint64 place = 0, id = 0;

  jm_sql_get_number (row, 0, &place);
  jm_sql_get_number (row, 1, &id);
  jm_sql_query_init (&query);
  append_select (&query, NULL);
  jm_sql_query_append (&query, " id = ");
  jm_sql_query_append_number (&query, id);
  runs = list_runs (&query, sql, error);
  if (runs == NULL)
    return FALSE;
  g_ptr_array_extend_and_steal (lists->pdata[place], g_steal_pointer (&runs));

  return TRUE;
}

GPtrArray *
jm_run_reader_list_greatest (JmSql *sql,
                             JmRunFilter *filter,
                             const char *const *figures,
                             JmViewer *viewer,
                             GError **error)
{
  g_autoptr (GPtrArray) lists =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (JmSqlStatement) row = NULL;
  GError *problem = NULL;

  for (guint i = 0; figures[i] != NULL; i++)
    g_ptr_array_add (lists,
                     g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref));
  jm_sql_query_init (&query);
  append_greatest (&query, filter, figures, viewer);
  row = jm_sql_query_prepare (&query, sql, error);
  if (row == NULL)
    return NULL;
  while (problem == NULL && jm_sql_next (row, &problem))
    add_greatest (lists, row, sql, &problem);
  if (problem == NULL)
    return g_steal_pointer (&lists);

  g_propagate_error (error, problem);

  return NULL;
}

gboolean
jm_run_reader_read (JmSql *sql,
                    JmRunFilter *filter,
                    guint max,
                    JmViewer *viewer,
                    JmRunFunc func,
                    gpointer data,
                    gboolean *has_more,
                    GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (JmSqlStatement) row = NULL;
  GError *problem = NULL;
  guint n_read = 0;

  jm_sql_query_init (&query);
  append_select (&query, NULL);
  jm_viewer_append_run_condition (viewer, &query);
  jm_run_filter_append_conditions (filter, &query);
  jm_sql_query_append (&query, " LIMIT ");
  jm_sql_query_append_number (&query, (gint64) max + 1);
  row = jm_sql_query_prepare (&query, sql, error);
  if (row == NULL)
    return FALSE;

  *has_more = FALSE;
  while (!*has_more && jm_sql_next (row, &problem))
    {
      g_autoptr (JmRun) run = read_run (row, NULL);

      *has_more = n_read++ == max;
      if (!*has_more)
        func (run, data);
    }
  if (problem == NULL)
    return TRUE;

  g_propagate_error (error, problem);

  return FALSE;
}

/* --- usage --- */

static gpointer
read_usage (JmSqlStatement *row, gconstpointer data)
{
  return jm_usage_table_read (row, *(const JmUsageGroups *) data);
}

GPtrArray *
jm_run_reader_list_usage (JmSql *sql,
                          JmRunFilter *filter,
                          JmUsageGroups groups,
                          JmViewer *viewer,
                          GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };

  jm_sql_query_init (&query);
  jm_sql_query_append (&query, "SELECT ");
  jm_usage_table_append_columns (query.text, groups);
  jm_sql_query_append (&query, " FROM usage_daily WHERE");
  jm_viewer_append_condition (viewer, &query);
  jm_run_filter_append_usage_conditions (filter, &query);
  jm_usage_table_append_groups (query.text, groups);

  return jm_sql_list (&query, sql, read_usage, &groups, (GDestroyNotify) jm_usage_unref,
                      error);
}

/* --- what is no run --- */

static gpointer
read_text (JmSqlStatement *row, gconstpointer data)
{
  return g_strdup (jm_sql_get_text (row, 0));
}

static GPtrArray *
list_texts (JmSqlQuery *query, JmSql *sql, GError **error)
{
  return jm_sql_list (query, sql, read_text, NULL, g_free, error);
}

char **
jm_run_reader_list_states (JmSql *sql,
                           const char *cluster,
                           const char *raw_id,
                           JmViewer *viewer,
                           GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (GPtrArray) texts = NULL;
  char **states;

  jm_sql_query_init (&query);
  jm_sql_query_append (&query, "SELECT document FROM job_state WHERE raw_id = ");
  jm_sql_query_append_text (&query, raw_id);
  append_cluster (&query, cluster);
  /* an id that came again has runs of several users: all of them must be seen */
  if (!jm_viewer_sees_all (viewer))
    {
      jm_sql_query_append (&query, " AND EXISTS (SELECT 1 FROM run WHERE run.raw_id ="
                                   " job_state.raw_id AND run.cluster_id ="
                                   " job_state.cluster_id) AND NOT EXISTS (SELECT 1"
                                   " FROM run WHERE run.raw_id = job_state.raw_id AND"
                                   " run.cluster_id = job_state.cluster_id AND");
      jm_viewer_append_accounted (viewer, &query);
      jm_sql_query_append (&query, " AND coalesce (NOT");
      jm_viewer_append_run_condition (viewer, &query);
      jm_sql_query_append (&query, ", TRUE))");
    }
  jm_sql_query_append (&query, " ORDER BY time_us");
  texts = list_texts (&query, sql, error);
  if (texts == NULL)
    return NULL;

  g_ptr_array_add (texts, NULL);
  states = (char **) g_ptr_array_steal (texts, NULL);

  return states;
}

char *
jm_run_reader_get_position (JmSql *sql, const char *source, GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (GPtrArray) texts = NULL;

  jm_sql_query_init (&query);
  jm_sql_query_append (&query, "SELECT position FROM ingest_position WHERE source = ");
  jm_sql_query_append_text (&query, source);
  texts = list_texts (&query, sql, error);

  return texts != NULL && texts->len > 0 ? g_strdup (texts->pdata[0]) : NULL;
}

/* A cluster that has administrators, and whether the user is one. */
static gpointer
read_cluster (JmSqlStatement *row, gconstpointer data)
{
  const char *cluster = jm_sql_get_text (row, 0);
  gint64 is_one;

  if (cluster != NULL && jm_sql_get_number (row, 1, &is_one) && is_one)
    jm_viewer_let_cluster ((JmViewer *) data, cluster);

  return NULL;
}

/* An administrator of all clusters that have any sees the others as well. */
static gboolean
read_clusters (JmSql *sql,
               const char *user,
               JmViewer *viewer,
               gboolean *sees_all,
               GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (GPtrArray) clusters = NULL;

  jm_sql_query_init (&query);
  jm_sql_query_append (&query, "SELECT name, max (CASE WHEN user_name = ");
  jm_sql_query_append_text (&query, user);
  jm_sql_query_append (&query,
                       " THEN 1 ELSE 0 END) FROM member, cluster WHERE id = cluster_id"
                       " AND role = '" JM_ROLE_ADMINISTRATOR "' GROUP BY name");
  clusters = jm_sql_list (&query, sql, read_cluster, viewer, NULL, error);
  *sees_all = clusters != NULL && clusters->len > 0 &&
              clusters->len == jm_viewer_count_clusters (viewer);

  return clusters != NULL;
}

static gpointer
read_grant (JmSqlStatement *row, gconstpointer data)
{
  JmViewer *viewer = (JmViewer *) data;
  const char *cluster = jm_sql_get_text (row, 0);
  const char *account = jm_sql_get_text (row, 1);
  gint64 uid;

  if (cluster != NULL && account != NULL && *account != '\0')
    jm_viewer_let_account (viewer, cluster, account);
  else if (cluster != NULL && jm_sql_get_number (row, 2, &uid))
    jm_viewer_let_own (viewer, cluster, (guint) uid);

  return NULL;
}

static gboolean
read_grants (JmSql *sql, const char *user, JmViewer *viewer, GError **error)
{
  g_auto (JmSqlQuery) query = { 0 };
  g_autoptr (GPtrArray) grants = NULL;

  jm_sql_query_init (&query);
  jm_sql_query_append (&query, "SELECT name, account, NULL FROM member, cluster"
                               " WHERE id = cluster_id AND role = '" JM_ROLE_COORDINATOR
                               "' AND user_name = ");
  jm_sql_query_append_text (&query, user);
  jm_sql_query_append (&query, " UNION ALL SELECT name, '', uid FROM person, cluster"
                               " WHERE id = cluster_id AND user_name = ");
  jm_sql_query_append_text (&query, user);
  grants = jm_sql_list (&query, sql, read_grant, viewer, NULL, error);

  return grants != NULL;
}

JmViewer *
jm_run_reader_make_viewer (JmSql *sql, const char *user, GError **error)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new ();
  gboolean sees_all;

  if (!read_clusters (sql, user, viewer, &sees_all, error))
    return NULL;
  if (sees_all)
    return jm_viewer_new_for_all ();

  return read_grants (sql, user, viewer, error) ? g_steal_pointer (&viewer) : NULL;
}
