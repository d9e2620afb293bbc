/* jm-run-writer.c: batches into the tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-writer-private.h"

#include "archive/jm-archive-schema-private.h"
#include "archive/jm-run-foreign-private.h"
#include "archive/jm-run-group-private.h"
#include "archive/jm-run-table-private.h"
#include "archive/jm-usage-change-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-words-private.h"
#include "judge/jm-run-verdict.h"
#include "sql/jm-sql-query-private.h"
#include "sql/jm-sql-upsert-private.h"

/* Runs that are looked up by one query. */
#define GROUP_ITEMS 5000
/* Values of a run's statements before its fields. */
#define RUN_VALUES 6

/* One transaction. */
typedef struct
{
  JmSql *sql;
  JmRunBatch *batch;
  JmUsageChange *change;
  GHashTable *targets;
  GHashTable *clusters; /* of gint64 *, by name */
  gint64 next_id;
  gint64 horizon;
  JmSqlStatement *insert, *update, *alias;
  JmSqlStatement *parts[JM_N_RUN_PART_KINDS]; /* NULL until there is one */
} Writer;

/* --- clusters --- */

/* Whether there is one; -1 for its id where there is none. */
static gboolean
find_cluster (JmSql *sql, const char *name, gint64 *id, GError **error)
{
  JmSqlStatement *statement =
    jm_sql_get (sql, "SELECT id FROM cluster WHERE name = ?1", error);
  GError *problem = NULL;

  if (statement == NULL)
    return FALSE;
  *id = -1;
  jm_sql_bind_text (statement, 1, name);
  if (jm_sql_next (statement, &problem))
    {
      jm_sql_get_number (statement, 0, id);
      jm_sql_reset (statement);
    }
  if (problem == NULL)
    return TRUE;

  g_propagate_error (error, problem);

  return FALSE;
}

static gboolean
add_cluster (JmSql *sql, const char *name, gint64 *id, GError **error)
{
  JmSqlStatement *statement =
    jm_sql_get (sql, "INSERT INTO cluster (id, name) VALUES (?1, ?2)", error);

  if (statement == NULL ||
      !jm_sql_query_number (sql, "SELECT coalesce (max (id), 0) + 1 FROM cluster", id,
                            error))
    return FALSE;
  jm_sql_bind_number (statement, 1, *id);
  jm_sql_bind_text (statement, 2, name);

  return jm_sql_do (statement, error);
}

static gboolean
take_cluster (Writer *self, const char *name, gint64 *id, GError **error)
{
  const gint64 *known = g_hash_table_lookup (self->clusters, name);

  if (known != NULL)
    {
      *id = *known;
      return TRUE;
    }
  if (!find_cluster (self->sql, name, id, error) ||
      (*id < 0 && !add_cluster (self->sql, name, id, error)))
    return FALSE;
  g_hash_table_insert (self->clusters, g_strdup (name), g_memdup2 (id, sizeof *id));

  return TRUE;
}

/* --- runs --- */

static JmSqlStatement *
get_run_upsert (JmSql *sql, JmSqlConflict conflict, GError **error)
{
  g_autoptr (JmSqlUpsert) upsert = jm_sql_upsert_new ("run", 1, conflict);

  jm_sql_upsert_add_number (upsert, "id");
  jm_sql_upsert_add_number (upsert, "cluster_id");
  jm_sql_upsert_add_number (upsert, "moment");
  jm_sql_upsert_add_text (upsert, "raw_id");
  jm_sql_upsert_add_text (upsert, "sources");
  jm_sql_upsert_add_text (upsert, "scheduler");
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (jm_run_field_holds_text (i))
      jm_sql_upsert_add_text (upsert, jm_run_field_get_name (i));
    else
      jm_sql_upsert_add_number (upsert, jm_run_field_get_name (i));

  return jm_sql_get_upsert (sql, upsert, error);
}

static JmSqlStatement *
get_alias_upsert (JmSql *sql, GError **error)
{
  g_autoptr (JmSqlUpsert) upsert = jm_sql_upsert_new ("alias", 2, JM_SQL_CONFLICT_KEEP);

  jm_sql_upsert_add_text (upsert, "uuid");
  jm_sql_upsert_add_number (upsert, "run_id");

  return jm_sql_get_upsert (sql, upsert, error);
}

static gint64
get_moment (const JmRun *run)
{
  gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);

  return start > 0 ? start : -jm_run_peek (run, JM_RUN_FIELD_SUBMIT_TIME);
}

static const char *
get_kind_without_end (JmRun *run)
{
  const char *state = jm_run_peek_text (run, JM_RUN_FIELD_STATE);

  if (g_strcmp0 (state, JM_RUN_ENDED) == 0 || g_strcmp0 (state, JM_RUN_LOST) == 0)
    return NULL;

  return jm_verdict_kind_get_name (jm_run_peek (run, JM_RUN_FIELD_START_TIME) > 0
                                     ? JM_VERDICT_KIND_RUNNING
                                     : JM_VERDICT_KIND_WAITING);
}

static gboolean
is_running (const char *kind)
{
  return g_strcmp0 (kind, jm_verdict_kind_get_name (JM_VERDICT_KIND_RUNNING)) == 0;
}

static gboolean
is_unended (const char *kind)
{
  return is_running (kind) ||
         g_strcmp0 (kind, jm_verdict_kind_get_name (JM_VERDICT_KIND_WAITING)) == 0;
}

/* A run is judged after each change once it has begun. Its last verdict stays until
 * then, but neither that it runs once it has ended, nor that it waits once it runs. */
static void
reset_verdict (JmRun *run, const JmRun *before)
{
  const gboolean has_ended = jm_run_has (run, JM_RUN_FIELD_END_TIME);
  const char *last = jm_run_peek_text (run, JM_RUN_FIELD_VERDICT_KIND);
  const char *kind = has_ended ? NULL : get_kind_without_end (run);

  if (has_ended || before == NULL || jm_run_has_news (run, before))
    jm_run_clear (run, JM_RUN_FIELD_VERDICT_RULES);
  if (last != NULL && (has_ended || is_running (kind)) && !is_unended (last))
    return;

  jm_run_keep_text (run, JM_RUN_FIELD_VERDICT_KIND, kind);
  jm_run_keep_text (run, JM_RUN_FIELD_VERDICT, kind);
}

static gboolean
store_run (Writer *self, JmRunGroup *group, JmRunRow *row, GError **error)
{
  JmSqlStatement *statement = row->before == NULL ? self->insert : self->update;
  JmRun *run = row->run;
  char sources[JM_N_RUN_FIELDS + 1];

  if (row->before == NULL)
    run->id = self->next_id++;
  reset_verdict (run, row->before);
  jm_sql_bind_number (statement, 1, run->id);
  jm_sql_bind_number (statement, 2, group->cluster_id);
  jm_sql_bind_number (statement, 3, get_moment (run));
  jm_sql_bind_text (statement, 4, run->raw_id);
  jm_run_write_sources (run, sources);
  jm_sql_bind_text (statement, 5, sources);
  jm_sql_bind_text (statement, 6, run->scheduler);
  jm_run_table_bind_run (run, statement, RUN_VALUES + 1);
  if (!jm_sql_do (statement, error))
    return FALSE;

  if (row->before != NULL)
    jm_usage_change_subtract (self->change, group->cluster_id, row->before);
  jm_usage_change_add (self->change, group->cluster_id, run);

  return TRUE;
}

static gboolean
store_aliases (Writer *self, JmRunRow *row, GError **error)
{
  for (guint i = 0; row->aliases != NULL && i < row->aliases->len; i++)
    {
      jm_sql_bind_text (self->alias, 1, row->aliases->pdata[i]);
      jm_sql_bind_number (self->alias, 2, row->run->id);
      if (!jm_sql_do (self->alias, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
store_rows (Writer *self, JmRunGroup *group, GError **error)
{
  for (guint i = 0; i < group->rows->len; i++)
    {
      JmRunRow *row = group->rows->pdata[i];

      if ((row->has_changed && !store_run (self, group, row, error)) ||
          (row->is_disowned &&
           !jm_run_table_forget_parts_of_run (self->sql, row->run->id, error)) ||
          !store_aliases (self, row, error))
        return FALSE;
    }

  return TRUE;
}

/* --- parts --- */

/* A node's record is whole: what was said before of the same is gone, in the tables and
 * in the items before it. */
static gboolean
make_way (Writer *self,
          JmRunRow **rows,
          const JmRunItem *items,
          guint n_items,
          GError **error)
{
  g_autoptr (GHashTable) keys =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) known = g_string_new ("[");

  for (guint i = n_items; i-- > 0;)
    {
      char *key;

      if (rows[i] == NULL || items[i].node == NULL)
        continue;
      key = jm_run_table_make_key (rows[i]->run->id, items[i].node, items[i].run_key);
      if (!g_hash_table_contains (keys, key) && rows[i]->before != NULL)
        g_string_append_printf (known, "%s%s", known->len > 1 ? "," : "", key);
      if (!g_hash_table_add (keys, key))
        rows[i] = NULL;
    }
  g_string_append_c (known, ']');

  return known->len == 2 || jm_run_table_forget_parts (self->sql, known->str, error);
}

static JmSqlStatement *
get_part_upsert (Writer *self, JmRunPartKind kind, GError **error)
{
  if (self->parts[kind] == NULL)
    self->parts[kind] = jm_run_table_get_part_upsert (kind, self->sql, error);

  return self->parts[kind];
}

static gboolean
store_parts (Writer *self, const JmRunItem *item, JmRunRow *row, GError **error)
{
  for (guint i = 0; item->parts != NULL && i < item->parts->len; i++)
    {
      JmRunPart *part = item->parts->pdata[i];
      JmSqlStatement *statement = get_part_upsert (self, part->kind, error);

      if (statement == NULL ||
          !jm_run_table_store_part (part, statement, row->run->id, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
is_same_node (const JmRunPart *one, const JmRunPart *other)
{
  return g_strcmp0 (jm_run_part_peek_text (one, JM_QUANTITY_NODE),
                    jm_run_part_peek_text (other, JM_QUANTITY_NODE)) == 0 &&
         g_strcmp0 (jm_run_part_peek_text (one, JM_QUANTITY_KEY),
                    jm_run_part_peek_text (other, JM_QUANTITY_KEY)) == 0;
}

/* In place of what it had sent. */
static void
keep_node (JmRunRow *row, JmRunPart *node)
{
  for (guint i = 0; i < row->nodes->len; i++)
    if (is_same_node (row->nodes->pdata[i], node))
      {
        jm_run_part_unref (row->nodes->pdata[i]);
        row->nodes->pdata[i] = jm_run_part_ref (node);
        return;
      }

  g_ptr_array_add (row->nodes, jm_run_part_ref (node));
}

/* By the word of its ledger. */
static gboolean
is_of_node (const JmRunPart *part)
{
  return part->kind == JM_RUN_PART_KIND_NODE &&
         g_strcmp0 (jm_run_part_peek_text (part, JM_QUANTITY_KEY),
                    JM_RUN_KEY_TIME_SERIES) != 0;
}

static void
keep_nodes (JmRunRow *row, const JmRunItem *item)
{
  for (guint i = 0; item->parts != NULL && i < item->parts->len; i++)
    {
      JmRunPart *part = item->parts->pdata[i];

      if (is_of_node (part))
        keep_node (row, part);
    }
}

/* --- a group --- */

static gboolean
has_node (const JmRunItem *item)
{
  for (guint i = 0; item->parts != NULL && i < item->parts->len; i++)
    if (is_of_node (item->parts->pdata[i]))
      return TRUE;

  return FALSE;
}

/* What nodes had said in this batch before the scheduler said whose run it is. */
static void
refuse_foreign (Writer *self, JmRunRow **rows, const JmRunItem *items, guint n_items)
{
  for (guint i = 0; i < n_items; i++)
    if (rows[i] != NULL && rows[i]->is_disowned &&
        !jm_run_is_of_same_user (rows[i]->run, items[i].run))
      {
        jm_run_batch_refuse (self->batch, &items[i], JM_RUN_OF_ANOTHER_USER);
        rows[i] = NULL;
      }
}

/* Finds the run of each item, which is NULL where it is refused. */
static JmRunRow **
take_rows (Writer *self, JmRunGroup *group, const JmRunItem *items, guint n_items)
{
  JmRunRow **rows = g_new0 (JmRunRow *, n_items);

  for (guint i = 0; i < n_items; i++)
    {
      const char *reason;

      rows[i] = jm_run_group_take (group, &items[i], &reason);
      if (rows[i] == NULL)
        jm_run_batch_refuse (self->batch, &items[i], reason);
      else if (has_node (&items[i]))
        rows[i]->has_records = TRUE;
    }
  refuse_foreign (self, rows, items, n_items);

  return rows;
}

static void
merge_figures (JmRunGroup *group,
               JmRunRow **rows,
               const JmRunItem *items,
               guint n_items)
{
  for (guint i = 0; i < n_items; i++)
    if (rows[i] != NULL && rows[i]->nodes != NULL)
      keep_nodes (rows[i], &items[i]);
  for (guint i = 0; i < group->rows->len; i++)
    jm_run_row_settle (group->rows->pdata[i]);
  for (guint i = 0; i < n_items; i++)
    if (rows[i] != NULL &&
        (jm_run_merge_figures (rows[i]->run, items[i].run, items[i].source) ||
         items[i].parts != NULL))
      rows[i]->has_changed = TRUE;
}

static gboolean
store_group (Writer *self, const JmRunItem *items, guint n_items, GError **error)
{
  g_autoptr (JmRunGroup) group = NULL;
  g_autofree JmRunRow **rows = NULL;
  gint64 cluster_id;

  if (!take_cluster (self, items->run->cluster, &cluster_id, error))
    return FALSE;
  group =
    jm_run_group_new (cluster_id, items->run->cluster, self->targets, self->horizon);
  if (!jm_run_group_load (group, self->sql, items, n_items, error))
    return FALSE;
  rows = take_rows (self, group, items, n_items);
  if (!jm_run_group_load_nodes (group, self->sql, error) ||
      !jm_run_foreign_forget (group, self->sql, self->batch, error))
    return FALSE;
  merge_figures (group, rows, items, n_items);
  if (!store_rows (self, group, error) || !make_way (self, rows, items, n_items, error))
    return FALSE;
  for (guint i = 0; i < n_items; i++)
    if (rows[i] != NULL && !store_parts (self, &items[i], rows[i], error))
      return FALSE;

  return TRUE;
}

/* As many as are of one cluster. */
static guint
count_group (GArray *items, guint first)
{
  const char *cluster = g_array_index (items, JmRunItem, first).run->cluster;
  guint n = 1;

  while (
    first + n < items->len && n < GROUP_ITEMS &&
    g_str_equal (g_array_index (items, JmRunItem, first + n).run->cluster, cluster))
    n++;

  return n;
}

static gboolean
store_items (Writer *self, GError **error)
{
  GArray *items = self->batch->items;
  guint n;

  for (guint i = 0; i < items->len; i += n)
    {
      n = count_group (items, i);
      if (!store_group (self, &g_array_index (items, JmRunItem, i), n, error))
        return FALSE;
    }

  return TRUE;
}

/* --- what is no run --- */

static gboolean
store_states (Writer *self, GError **error)
{
  JmSqlStatement *statement =
    jm_sql_get (self->sql,
                "INSERT INTO job_state (cluster_id, raw_id, time_us, document)"
                " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (cluster_id, raw_id, time_us)"
                " DO UPDATE SET document = excluded.document",
                error);

  if (statement == NULL)
    return FALSE;
  for (guint i = 0; i < self->batch->states->len; i++)
    {
      const JmRunDocument *state =
        &g_array_index (self->batch->states, JmRunDocument, i);
      gint64 cluster_id;

      if (!take_cluster (self, state->cluster, &cluster_id, error))
        return FALSE;
      jm_sql_bind_number (statement, 1, cluster_id);
      jm_sql_bind_text (statement, 2, state->raw_id);
      jm_sql_bind_number (statement, 3, state->time_us);
      jm_sql_bind_text (statement, 4, state->document);
      if (!jm_sql_do (statement, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
store_positions (Writer *self, GError **error)
{
  JmSqlStatement *statement =
    jm_sql_get (self->sql,
                "INSERT INTO ingest_position (source, position) VALUES (?1, ?2)"
                " ON CONFLICT (source) DO UPDATE SET position = excluded.position",
                error);
  GHashTableIter iter;
  gpointer source, position;

  if (statement == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, self->batch->positions);
  while (g_hash_table_iter_next (&iter, &source, &position))
    {
      jm_sql_bind_text (statement, 1, source);
      jm_sql_bind_text (statement, 2, position);
      if (!jm_sql_do (statement, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
store_name (Writer *self, const JmRunName *name, GError **error)
{
  JmSqlStatement *statement = jm_sql_get (
    self->sql,
    name->uid >= 0
      ? "INSERT INTO person (cluster_id, user_name, uid) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (cluster_id, user_name) DO UPDATE SET uid = excluded.uid"
      : "INSERT INTO project (cluster_id, account, description) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (cluster_id, account)"
        " DO UPDATE SET description = excluded.description",
    error);
  gint64 cluster_id;

  if (statement == NULL || !take_cluster (self, name->cluster, &cluster_id, error))
    return FALSE;
  jm_sql_bind_number (statement, 1, cluster_id);
  jm_sql_bind_text (statement, 2, name->name);
  if (name->uid >= 0)
    jm_sql_bind_number (statement, 3, name->uid);
  else
    jm_sql_bind_text (statement, 3, name->description);

  return jm_sql_do (statement, error);
}

static void
bind_roles (JmSqlStatement *statement, gint64 cluster_id, const JmRunRoles *roles)
{
  jm_sql_bind_number (statement, 1, cluster_id);
  jm_sql_bind_text (statement, 2, roles->role);
  jm_sql_bind_text (statement, 3, roles->account);
}

static gboolean
store_roles (Writer *self, const JmRunRoles *roles, GError **error)
{
  JmSqlStatement *forget =
    jm_sql_get (self->sql,
                "DELETE FROM member WHERE cluster_id = ?1 AND role = ?2"
                " AND account = ?3",
                error);
  JmSqlStatement *insert =
    forget != NULL ? jm_sql_get (self->sql,
                                 "INSERT INTO member (cluster_id, role, account,"
                                 " user_name) VALUES (?1, ?2, ?3, ?4)"
                                 " ON CONFLICT DO NOTHING",
                                 error)
                   : NULL;
  gint64 cluster_id;

  if (insert == NULL || !take_cluster (self, roles->cluster, &cluster_id, error))
    return FALSE;
  bind_roles (forget, cluster_id, roles);
  if (!jm_sql_do (forget, error))
    return FALSE;
  for (guint i = 0; roles->users[i] != NULL; i++)
    {
      bind_roles (insert, cluster_id, roles);
      jm_sql_bind_text (insert, 4, roles->users[i]);
      if (!jm_sql_do (insert, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
store_people (Writer *self, GError **error)
{
  for (guint i = 0; i < self->batch->names->len; i++)
    if (!store_name (self, &g_array_index (self->batch->names, JmRunName, i), error))
      return FALSE;
  for (guint i = 0; i < self->batch->roles->len; i++)
    if (!store_roles (self, &g_array_index (self->batch->roles, JmRunRoles, i), error))
      return FALSE;

  return TRUE;
}

/* --- a transaction --- */

static gboolean
get_ready (Writer *self, GError **error)
{
  self->insert = get_run_upsert (self->sql, JM_SQL_CONFLICT_NONE, error);
  if (self->insert != NULL)
    self->update = get_run_upsert (self->sql, JM_SQL_CONFLICT_REPLACE, error);
  if (self->update != NULL)
    self->alias = get_alias_upsert (self->sql, error);

  return self->alias != NULL &&
         jm_archive_schema_get (self->sql, "horizon", &self->horizon, error) &&
         jm_sql_query_number (self->sql, "SELECT coalesce (max (id), 0) + 1 FROM run",
                              &self->next_id, error);
}

static gboolean
store_all (Writer *self, GError **error)
{
  return get_ready (self, error) && store_items (self, error) &&
         jm_usage_change_store (self->change, self->sql, error) &&
         store_states (self, error) && store_people (self, error) &&
         store_positions (self, error);
}

gboolean
jm_run_writer_merge (JmSql *sql, JmRunBatch *batch, GHashTable *targets, GError **error)
{
  g_autoptr (JmUsageChange) change = jm_usage_change_new ();
  g_autoptr (GHashTable) clusters =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Writer self = { .sql = sql,
                  .batch = batch,
                  .change = change,
                  .targets = targets,
                  .clusters = clusters };

  jm_run_batch_begin (batch);
  if (!jm_archive_schema_begin (sql, error))
    return FALSE;
  if (store_all (&self, error))
    return jm_sql_commit (sql, error);

  jm_sql_roll_back (sql);

  return FALSE;
}
