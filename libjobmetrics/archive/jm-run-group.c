/* jm-run-group.c: runs of one cluster that are looked up and merged together
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-group-private.h"

#include <string.h>

#include "archive/jm-run-foreign-private.h"
#include "archive/jm-run-table-private.h"
#include "core/jm-run-private.h"
#include "core/jm-run-words-private.h"
#include "core/jm-uuid-private.h"
#include "sql/jm-sql-query-private.h"

/* A node's clock and its scheduler's agree to that many seconds. */
#define CLOCK_SLACK 120

static void
free_row (gpointer data)
{
  JmRunRow *row = data;

  jm_run_unref (row->run);
  g_clear_pointer (&row->before, jm_run_unref);
  g_clear_pointer (&row->aliases, g_ptr_array_unref);
  g_clear_pointer (&row->nodes, g_ptr_array_unref);
  g_clear_pointer (&row->listed, g_hash_table_unref);
  g_free (row);
}

JmRunGroup *
jm_run_group_new (gint64 cluster_id,
                  const char *cluster,
                  GHashTable *targets,
                  gint64 horizon)
{
  JmRunGroup *self = g_new0 (JmRunGroup, 1);

  self->cluster_id = cluster_id;
  self->cluster = cluster;
  self->targets = targets;
  self->horizon = horizon;
  self->rows = g_ptr_array_new_with_free_func (free_row);
  self->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                       (GDestroyNotify) g_ptr_array_unref);

  return self;
}

void
jm_run_group_free (JmRunGroup *self)
{
  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

/* Takes the run. */
static JmRunRow *
add_row (JmRunGroup *self, JmRun *run)
{
  JmRunRow *row = g_new0 (JmRunRow, 1);
  GPtrArray *rows = g_hash_table_lookup (self->by_id, run->raw_id);

  row->run = run;
  if (rows == NULL)
    {
      rows = g_ptr_array_new ();
      g_hash_table_insert (self->by_id, run->raw_id, rows);
    }
  g_ptr_array_add (rows, row);
  g_ptr_array_add (self->rows, row);

  return row;
}

/* --- what the tables have --- */

/* As an array: the one way that both databases take a list as a value. */
static char *
list_ids (const JmRunItem *items, guint n_items)
{
  GString *json = g_string_new ("[");

  for (guint i = 0; i < n_items; i++)
    {
      g_string_append (json, i > 0 ? "," : "");
      jm_sql_append_json_text (json, items[i].run->raw_id);
    }
  g_string_append_c (json, ']');

  return g_string_free (json, FALSE);
}

static JmSqlStatement *
get_select (JmSql *sql, GError **error)
{
  g_autoptr (GString) text = g_string_new ("SELECT ");

  jm_run_append_columns (text);
  g_string_append (text, " FROM run WHERE cluster_id = ?1 AND raw_id IN (SELECT ");
  g_string_append (text, jm_sql_is_postgresql (sql)
                           ? "jsonb_array_elements_text (?2::jsonb))"
                           : "value FROM json_each (?2))");

  return jm_sql_get (sql, text->str, error);
}

static gboolean
finish (GError *problem, GError **error)
{
  if (problem == NULL)
    return TRUE;

  g_propagate_error (error, problem);

  return FALSE;
}

gboolean
jm_run_group_load (JmRunGroup *self,
                   JmSql *sql,
                   const JmRunItem *items,
                   guint n_items,
                   GError **error)
{
  JmSqlStatement *statement = get_select (sql, error);
  g_autofree char *ids = list_ids (items, n_items);
  GError *problem = NULL;

  if (statement == NULL)
    return FALSE;
  jm_sql_bind_number (statement, 1, self->cluster_id);
  jm_sql_bind_text (statement, 2, ids);
  while (jm_sql_next (statement, &problem))
    {
      JmRunRow *row = add_row (self, jm_run_table_read_run (statement, self->cluster));

      row->before = jm_run_copy (row->run);
    }

  return finish (problem, error);
}

/* --- which run it is --- */

static gint64
get_time (const JmRun *run, JmRunField field)
{
  return jm_run_peek (run, field);
}

/* Whether both are of one job, which was reported before it began, or whose report from
 * before its begin arrives late. */
static gboolean
is_same_submission (const JmRun *known, const JmRun *told)
{
  gint64 submit = get_time (told, JM_RUN_FIELD_SUBMIT_TIME);
  gboolean has_begun = get_time (known, JM_RUN_FIELD_START_TIME) > 0;
  gboolean begins = get_time (told, JM_RUN_FIELD_START_TIME) > 0;

  if (submit == 0 || submit != get_time (known, JM_RUN_FIELD_SUBMIT_TIME))
    return FALSE;
  if (has_begun && begins)
    return FALSE;

  /* a job that was cancelled while it waited never begins */
  return !begins || get_time (known, JM_RUN_FIELD_END_TIME) == 0;
}

static gboolean
has_same_begin (const JmRun *known, const JmRun *told)
{
  gint64 start = get_time (told, JM_RUN_FIELD_START_TIME);

  return start > 0 && start == get_time (known, JM_RUN_FIELD_START_TIME);
}

static gboolean
has_same_uuid (const JmRun *known, const JmRun *told)
{
  const char *uuid = told->texts[JM_RUN_FIELD_UUID];
  gint64 start = get_time (told, JM_RUN_FIELD_START_TIME);
  gint64 known_start = get_time (known, JM_RUN_FIELD_START_TIME);

  /* a job that is put back into the queue may keep the name of its submission */
  return uuid != NULL && g_strcmp0 (known->texts[JM_RUN_FIELD_UUID], uuid) == 0 &&
         (start == 0 || known_start == 0 || start == known_start);
}

/* Of one whose end is not known yet nobody says what was after it was seen last: its
 * job may have been requeued by then. */
static gboolean
went_on_at (const JmRun *known, gint64 time)
{
  gint64 start = get_time (known, JM_RUN_FIELD_START_TIME);

  return start > 0 && time + CLOCK_SLACK >= start &&
         time <= jm_run_get_until (known) + CLOCK_SLACK;
}

static JmRunRow *
find_by_time (GPtrArray *rows, const JmRun *told, gint64 time)
{
  JmRunRow *found = NULL;

  for (guint i = 0; i < rows->len; i++)
    {
      JmRunRow *row = rows->pdata[i];

      if (jm_run_is_of_same_scheduler (row->run, told) && went_on_at (row->run, time) &&
          (found == NULL || get_time (row->run, JM_RUN_FIELD_START_TIME) >
                              get_time (found->run, JM_RUN_FIELD_START_TIME)))
        found = row;
    }

  return found;
}

static JmRunRow *
find_row (JmRunGroup *self, const JmRun *told, gint64 time)
{
  /* in this order no run can get the begin or submission that is another's already */
  static gboolean (*const tests[]) (const JmRun *, const JmRun *) = {
    has_same_begin,
    is_same_submission,
    has_same_uuid,
  };
  GPtrArray *rows = g_hash_table_lookup (self->by_id, told->raw_id);

  if (rows == NULL)
    return NULL;
  for (guint test = 0; test < G_N_ELEMENTS (tests); test++)
    for (guint i = 0; i < rows->len; i++)
      {
        const JmRun *known = ((JmRunRow *) rows->pdata[i])->run;

        if (jm_run_is_of_same_scheduler (known, told) && tests[test](known, told))
          return rows->pdata[i];
      }
  if (get_time (told, JM_RUN_FIELD_START_TIME) == 0 && time > 0)
    return find_by_time (rows, told, time);

  return NULL;
}

static const char *
find_reason (JmRunGroup *self, const JmRun *run)
{
  gint64 end = get_time (run, JM_RUN_FIELD_END_TIME);

  if (*run->raw_id == '\0')
    return "no job id";
  if (!jm_run_is_sound (run))
    return "ends before it begins, or lasts for years";
  if (end > 0 && end < self->horizon)
    return "of a time that was deleted";

  return NULL;
}

/* The uuid of a job that has no begin names any job of that id. */
static gboolean
is_weak (const JmRun *run)
{
  g_autofree char *weak = jm_uuid_for_job (run->cluster, run->raw_id, 0);

  return g_str_equal (weak, run->texts[JM_RUN_FIELD_UUID]);
}

/* Whether the uuid is made of the job's own id, so that it names no other job. A node
 * may not know its cluster. */
static gboolean
is_of_own_id (const JmRun *run)
{
  const char *uuid = run->texts[JM_RUN_FIELD_UUID];
  const gint64 times[] = { get_time (run, JM_RUN_FIELD_START_TIME),
                           get_time (run, JM_RUN_FIELD_SUBMIT_TIME) };
  const char *clusters[] = { run->cluster, NULL };
  g_autofree char *unique = g_uuid_string_is_valid (run->raw_id)
                              ? jm_uuid_for_unique_id (run->scheduler, run->raw_id)
                              : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    for (guint k = 0; k < G_N_ELEMENTS (clusters); k++)
      {
        g_autofree char *own = jm_uuid_for_job (clusters[k], run->raw_id, times[i]);

        if (times[i] > 0 && g_str_equal (own, uuid))
          return TRUE;
      }

  return g_strcmp0 (unique, uuid) == 0;
}

/* What is said of a run, without a name that is none. One that a node alone says, and
 * that may be another job's, is a claim. */
static JmRun *
take_told (const JmRunItem *item, char **claim)
{
  JmRun *run = item->run;
  const char *uuid = run->texts[JM_RUN_FIELD_UUID];
  gboolean is_bad = uuid != NULL && is_weak (run);
  gboolean is_claim = uuid != NULL && !is_bad && item->source == JM_RUN_SOURCE_LEDGER &&
                      !is_of_own_id (run);
  JmRun *copy;

  *claim = is_claim ? g_strconcat (JM_RUN_CLAIM, uuid, NULL) : NULL;
  if (!is_bad && !is_claim)
    return jm_run_ref (run);

  copy = jm_run_copy (run);
  jm_run_clear (copy, JM_RUN_FIELD_UUID);

  return copy;
}

static void
add_alias (JmRunRow *row, const char *uuid)
{
  if (uuid == NULL || g_strcmp0 (uuid, row->run->texts[JM_RUN_FIELD_UUID]) == 0)
    return;
  if (row->aliases == NULL)
    row->aliases = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (row->aliases, g_strdup (uuid));
}

/* Its name, and the others under which it is found. */
static void
name_row (JmRunRow *row, const JmRun *told, const char *former)
{
  const char *own = told->texts[JM_RUN_FIELD_UUID];
  gint64 start = get_time (row->run, JM_RUN_FIELD_START_TIME);

  jm_run_name (row->run);
  add_alias (row, former);
  add_alias (row, own);
  if (own != NULL && start > 0)
    {
      g_autofree char *by_start =
        jm_uuid_for_job (row->run->cluster, row->run->raw_id, start);

      add_alias (row, by_start);
    }
}

/* Returns and removes a uuid that no source gave; it is computed again. */
static char *
drop_own_name (JmRun *run)
{
  return run->sources[JM_RUN_FIELD_UUID] == '0'
           ? g_steal_pointer (&run->texts[JM_RUN_FIELD_UUID])
           : NULL;
}

/* Whether a job was put back into the queue with its old submission: what it waits for
 * and asks for is not what its run has, or had. */
static gboolean
waits_again (const JmRunRow *row, const JmRun *told)
{
  return told->texts[JM_RUN_FIELD_STATE] != NULL &&
         !jm_run_has (told, JM_RUN_FIELD_START_TIME) &&
         !jm_run_has (told, JM_RUN_FIELD_END_TIME) &&
         jm_run_has (row->run, JM_RUN_FIELD_START_TIME);
}

static void
merge_into (JmRunRow *row, const JmRun *told, JmRunSource source)
{
  gint64 start = get_time (row->run, JM_RUN_FIELD_START_TIME);
  g_autofree char *former = NULL;

  /* the scheduler's own name of a run is that on its nodes, too */
  if (source == JM_RUN_SOURCE_ACCOUNTING && told->texts[JM_RUN_FIELD_UUID] != NULL)
    former = drop_own_name (row->run);
  if (jm_run_merge_facts (row->run, told, source))
    {
      row->has_changed = TRUE;
      row->has_listed = row->has_listed && source != JM_RUN_SOURCE_ACCOUNTING;
    }
  if (former == NULL && start != get_time (row->run, JM_RUN_FIELD_START_TIME))
    former = drop_own_name (row->run);
  name_row (row, told, former);
}

/* The scheduler's word on whose run it is takes from it what nodes said of another's.
 */
static void
disown (JmRunRow *row)
{
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (i != JM_RUN_FIELD_START_TIME && i != JM_RUN_FIELD_UUID &&
        row->run->sources[i] != '0' + JM_RUN_SOURCE_ACCOUNTING)
      jm_run_clear (row->run, (JmRunField) i);
  row->is_disowned = TRUE;
  row->has_changed = TRUE;
}

/* Of a run from before schedulers were stored; only its scheduler says which it is. */
static void
keep_scheduler (JmRunRow *row, const JmRun *told, JmRunSource source)
{
  if (*row->run->scheduler != '\0' || *told->scheduler == '\0' ||
      (source != JM_RUN_SOURCE_ACCOUNTING && jm_run_is_accounted (row->run)))
    return;
  jm_run_set_scheduler (row->run, told->scheduler);
  row->has_changed = TRUE;
}

/* That a run left the queue makes no new run: it was deleted since. Nodes have ends of
 * their own. */
static gboolean
is_farewell (const JmRun *told, JmRunSource source)
{
  const char *state = told->texts[JM_RUN_FIELD_STATE];

  return source == JM_RUN_SOURCE_ACCOUNTING &&
         !jm_run_has (told, JM_RUN_FIELD_END_TIME) && state != NULL &&
         (g_str_equal (state, JM_RUN_LOST) || g_str_equal (state, JM_RUN_ENDED));
}

/* A new one where it is known when it began, or was submitted. */
static JmRunRow *
make_row (JmRunGroup *self, const JmRun *told, JmRunSource source)
{
  JmRunRow *row;

  if (is_farewell (told, source) || (get_time (told, JM_RUN_FIELD_START_TIME) == 0 &&
                                     get_time (told, JM_RUN_FIELD_SUBMIT_TIME) == 0))
    return NULL;
  row = add_row (self, jm_run_new (self->cluster, told->raw_id));
  row->has_changed = TRUE;

  return row;
}

JmRunRow *
jm_run_group_take (JmRunGroup *self, const JmRunItem *item, const char **reason)
{
  g_autofree char *claim = NULL;
  g_autoptr (JmRun) told = take_told (item, &claim);
  JmRunRow *row;

  *reason = find_reason (self, told);
  if (*reason != NULL)
    return NULL;

  row = find_row (self, told, item->begin);
  if (row == NULL)
    row = make_row (self, told, item->source);
  if (row == NULL)
    {
      *reason = JM_RUN_UNKNOWN_YET;
      return NULL;
    }
  if (!jm_run_is_of_same_user (row->run, told))
    {
      if (item->source != JM_RUN_SOURCE_ACCOUNTING)
        {
          *reason =
            jm_run_is_accounted (row->run) ? JM_RUN_OF_ANOTHER_USER : JM_RUN_DISPUTED;
          return NULL;
        }
      if (!jm_run_is_accounted (row->run))
        disown (row);
    }
  if (jm_run_foreign_has_item (self, row, item))
    {
      *reason = JM_RUN_OF_OTHER_NODES;
      return NULL;
    }
  keep_scheduler (row, told, item->source);
  if (waits_again (row, told))
    return row;
  merge_into (row, told, item->source);
  add_alias (row, claim);

  return row;
}

/* --- the records of nodes --- */

static gboolean
has_nodes_changed (const JmRunRow *row)
{
  return row->before != NULL && jm_run_peek (row->run, JM_RUN_FIELD_NODES) !=
                                  jm_run_peek (row->before, JM_RUN_FIELD_NODES);
}

static gboolean
has_node_list_changed (const JmRunRow *row)
{
  return row->before != NULL &&
         g_strcmp0 (row->run->texts[JM_RUN_FIELD_NODE_LIST],
                    row->before->texts[JM_RUN_FIELD_NODE_LIST]) != 0;
}

/* What the nodes sent before counts no more, unless they sent the end as well. */
static gboolean
has_just_ended (const JmRunRow *row)
{
  return row->before != NULL && jm_run_has (row->run, JM_RUN_FIELD_END_TIME) &&
         !jm_run_has (row->before, JM_RUN_FIELD_END_TIME);
}

static GHashTable *
list_wanted (JmRunGroup *self, GString *json)
{
  GHashTable *wanted = g_hash_table_new (g_int64_hash, g_int64_equal);

  g_string_append_c (json, '[');
  for (guint i = 0; i < self->rows->len; i++)
    {
      JmRunRow *row = self->rows->pdata[i];

      if (!row->has_records && !has_nodes_changed (row) &&
          !has_node_list_changed (row) && !has_just_ended (row))
        continue;
      row->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
      if (row->before == NULL || row->is_disowned)
        continue;
      g_string_append_printf (json, "%s%" G_GINT64_FORMAT,
                              g_hash_table_size (wanted) > 0 ? "," : "", row->run->id);
      g_hash_table_insert (wanted, &row->run->id, row);
    }
  g_string_append_c (json, ']');

  return wanted;
}

static JmSqlStatement *
get_node_select (JmSql *sql, GError **error)
{
  g_autoptr (GString) text = g_string_new ("SELECT ");

  jm_run_part_kind_append_columns (JM_RUN_PART_KIND_NODE, text);
  g_string_append (text, " FROM run_node WHERE run_id IN (SELECT ");
  g_string_append (text, jm_sql_is_postgresql (sql)
                           ? "jsonb_array_elements_text (?1::jsonb)::bigint)"
                           : "value FROM json_each (?1))");
  /* of these the run's figures were made already */
  g_string_append (text, " AND run_key <> '" JM_RUN_KEY_TIME_SERIES "'");

  return jm_sql_get (sql, text->str, error);
}

static void
keep_node (GHashTable *wanted, JmSqlStatement *statement)
{
  gint64 id = 0;
  JmRunRow *row;

  jm_sql_get_number (statement, 0, &id);
  row = g_hash_table_lookup (wanted, &id);
  if (row != NULL)
    g_ptr_array_add (row->nodes,
                     jm_run_table_read_part (JM_RUN_PART_KIND_NODE, statement));
}

gboolean
jm_run_group_load_nodes (JmRunGroup *self, JmSql *sql, GError **error)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (GHashTable) wanted = list_wanted (self, ids);
  JmSqlStatement *statement;
  GError *problem = NULL;

  if (g_hash_table_size (wanted) == 0)
    return TRUE;
  statement = get_node_select (sql, error);
  if (statement == NULL)
    return FALSE;
  jm_sql_bind_text (statement, 1, ids->str);
  while (jm_sql_next (statement, &problem))
    keep_node (wanted, statement);

  return finish (problem, error);
}
