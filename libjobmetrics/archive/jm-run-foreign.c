/* jm-run-foreign.c: records of nodes on which a run did not run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-foreign-private.h"

#include "archive/jm-run-table-private.h"
#include "core/jm-run-nodes-private.h"

#define LEDGER "ledger"

/* NULL where a record cannot be held to it. A list may name thousands of nodes, each of
 * which has a record. */
static GHashTable *
get_listed (const JmRunGroup *group, JmRunRow *row)
{
  if (row->has_listed)
    return row->listed;

  g_clear_pointer (&row->listed, g_hash_table_unref);
  row->has_listed = TRUE;
  row->listed = jm_run_nodes_list (row->run);
  if (row->listed != NULL &&
      !jm_run_targets_has_any (group->targets, group->cluster, row->listed))
    g_clear_pointer (&row->listed, g_hash_table_unref);

  return row->listed;
}

/* Either name of the node counts: which of them the scheduler uses is not known. */
gboolean
jm_run_foreign_has_item (const JmRunGroup *group, JmRunRow *row, const JmRunItem *item)
{
  GHashTable *listed = item->target != NULL ? get_listed (group, row) : NULL;

  return listed != NULL && !jm_run_nodes_has (listed, item->target) &&
         !jm_run_nodes_has (listed, item->node);
}

/* --- records that are stored --- */

/* A node that the site reads under another name may be one of the run's. */
static gboolean
is_foreign (const JmRunGroup *group, GHashTable *listed, const JmRunPart *node)
{
  const char *name = jm_run_part_peek_text (node, JM_QUANTITY_NODE);

  return name != NULL && !jm_run_nodes_has (listed, name) &&
         jm_run_targets_has (group->targets, group->cluster, name);
}

static void
append_key (GString *keys, const JmRunRow *row, const JmRunPart *node)
{
  const char *run_key = jm_run_part_peek_text (node, JM_QUANTITY_KEY);
  g_autofree char *key =
    jm_run_table_make_key (row->run->id, jm_run_part_peek_text (node, JM_QUANTITY_NODE),
                           run_key != NULL ? run_key : "");

  g_string_append_printf (keys, "%s%s", keys->len > 1 ? "," : "", key);
}

static void
drop_foreign_nodes (JmRunGroup *group, JmRunRow *row, JmRunBatch *batch, GString *keys)
{
  GHashTable *listed = row->nodes->len > 0 ? get_listed (group, row) : NULL;

  for (guint i = listed != NULL ? row->nodes->len : 0; i-- > 0;)
    {
      JmRunPart *node = row->nodes->pdata[i];
      const JmRunItem item = {
        .run = row->run,
        .node = (char *) jm_run_part_peek_text (node, JM_QUANTITY_NODE)
      };

      if (!is_foreign (group, listed, node))
        continue;
      row->has_foreign = TRUE;
      append_key (keys, row, node);
      jm_run_batch_refuse (batch, &item, JM_RUN_OF_OTHER_NODES);
      g_ptr_array_remove_index (row->nodes, i);
    }
}

gboolean
jm_run_foreign_forget (JmRunGroup *group, JmSql *sql, JmRunBatch *batch, GError **error)
{
  g_autoptr (GString) keys = g_string_new ("[");

  for (guint i = 0; i < group->rows->len; i++)
    {
      JmRunRow *row = group->rows->pdata[i];

      if (row->nodes != NULL)
        drop_foreign_nodes (group, row, batch, keys);
    }
  g_string_append_c (keys, ']');

  return keys->len == 2 || jm_run_table_forget_parts (sql, keys->str, error);
}

/* --- what the tables have --- */

GHashTable *
jm_run_foreign_load_targets (JmSql *sql, GError **error)
{
  g_autoptr (GHashTable) targets = jm_run_targets_new ();
  JmSqlStatement *statement =
    jm_sql_get (sql, "SELECT source FROM ingest_position", error);
  GError *problem = NULL;

  if (statement == NULL)
    return NULL;
  while (jm_sql_next (statement, &problem))
    {
      const char *source = jm_sql_get_text (statement, 0);
      g_auto (GStrv) words = g_strsplit (source != NULL ? source : "", "/", 3);

      if (g_strv_length (words) == 3 && g_str_equal (words[0], LEDGER))
        jm_run_targets_add (targets, words[1], words[2]);
    }
  if (problem == NULL)
    return g_steal_pointer (&targets);

  g_propagate_error (error, problem);

  return NULL;
}

/* Runs that have records, the latest first. */
static JmSqlStatement *
get_select (JmSql *sql, GError **error)
{
  g_autoptr (GString) text = g_string_new ("SELECT ");

  jm_run_append_columns (text);
  g_string_append (text, " FROM run WHERE end_time > ?2 AND cluster_id ="
                         " (SELECT id FROM cluster WHERE name = ?1) AND EXISTS"
                         " (SELECT 1 FROM run_node WHERE run_node.run_id = run.id"
                         " AND run_key <> '" JM_RUN_KEY_TIME_SERIES "')"
                         " ORDER BY end_time DESC LIMIT 200");

  return jm_sql_get (sql, text->str, error);
}

JmRun *
jm_run_foreign_find_unmatched (JmSql *sql,
                               GHashTable *targets,
                               const char *cluster,
                               gint64 since,
                               GError **error)
{
  JmSqlStatement *statement = get_select (sql, error);
  JmRun *found = NULL;
  GError *problem = NULL;

  if (statement == NULL)
    return NULL;
  jm_sql_bind_text (statement, 1, cluster);
  jm_sql_bind_number (statement, 2, since);
  while (found == NULL && jm_sql_next (statement, &problem))
    {
      g_autoptr (JmRun) run = jm_run_table_read_run (statement, cluster);
      g_autoptr (GHashTable) nodes = jm_run_nodes_list (run);

      if (nodes != NULL && !jm_run_targets_has_any (targets, cluster, nodes))
        found = g_steal_pointer (&run);
    }
  if (found != NULL)
    jm_sql_reset (statement);
  if (problem != NULL)
    g_propagate_error (error, problem);

  return found;
}
