/* jm-run-table.c: runs and their parts in rows of the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-run-table-private.h"

#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "sql/jm-sql-query-private.h"
#include "sql/jm-sql-upsert-private.h"

/* Columns of a run before its fields. */
#define FIRST_FIELD 4

/* --- runs --- */

static void
read_field (JmRun *run, JmSqlStatement *row, guint i)
{
  gint64 number;

  if (i < JM_N_RUN_TEXTS)
    run->texts[i] = g_strdup (jm_sql_get_text (row, (int) (FIRST_FIELD + i)));
  else if (jm_sql_get_number (row, (int) (FIRST_FIELD + i), &number))
    run->numbers[i - JM_N_RUN_TEXTS] = number;
}

JmRun *
jm_run_table_read_run (JmSqlStatement *row, const char *cluster)
{
  const char *raw_id = jm_sql_get_text (row, 1);
  JmRun *run = jm_run_new (cluster, raw_id != NULL ? raw_id : "");

  jm_sql_get_number (row, 0, &run->id);
  jm_run_read_sources (run, jm_sql_get_text (row, 2));
  jm_run_set_scheduler (run, jm_sql_get_text (row, 3));
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    read_field (run, row, i);

  return run;
}

void
jm_run_table_bind_run (const JmRun *run, JmSqlStatement *statement, int first)
{
  for (guint i = 0; i < JM_N_RUN_TEXTS; i++)
    jm_sql_bind_text (statement, first + (int) i, run->texts[i]);
  for (guint i = 0; i < JM_N_RUN_NUMBERS; i++)
    if (run->numbers[i] != JM_RUN_UNKNOWN)
      jm_sql_bind_number (statement, first + (int) (JM_N_RUN_TEXTS + i),
                          run->numbers[i]);
}

/* --- parts --- */

JmSqlStatement *
jm_run_table_get_part_upsert (JmRunPartKind kind, JmSql *sql, GError **error)
{
  g_autoptr (JmSqlUpsert) upsert = NULL;
  guint n_keys = 1;
  guint n;
  const JmRunPartColumn *columns = jm_run_part_kind_get_columns (kind, &n);

  for (guint i = 0; i < n; i++)
    n_keys += columns[i].is_key;
  upsert = jm_sql_upsert_new (jm_run_part_kind_get_table (kind), n_keys,
                              JM_SQL_CONFLICT_REPLACE);
  jm_sql_upsert_add_number (upsert, "run_id");
  for (guint i = 0; i < n; i++)
    if (columns[i].is_text)
      jm_sql_upsert_add_text (upsert, columns[i].name);
    else
      jm_sql_upsert_add_number (upsert, columns[i].name);

  return jm_sql_get_upsert (sql, upsert, error);
}

gboolean
jm_run_table_store_part (JmRunPart *part,
                         JmSqlStatement *statement,
                         gint64 run_id,
                         GError **error)
{
  guint n;
  const JmRunPartColumn *columns = jm_run_part_kind_get_columns (part->kind, &n);

  jm_sql_bind_number (statement, 1, run_id);
  for (guint i = 0; i < n; i++)
    {
      const JmRunPartValue value = part->values[i];

      if (columns[i].is_text)
        jm_sql_bind_text (statement, (int) i + 2,
                          value.text == NULL && columns[i].is_key ? "" : value.text);
      else if (value.number != JM_RUN_PART_UNKNOWN)
        jm_sql_bind_number (statement, (int) i + 2, value.number);
    }

  return jm_sql_do (statement, error);
}

JmRunPart *
jm_run_table_read_part (JmRunPartKind kind, JmSqlStatement *row)
{
  JmRunPart *part = jm_run_part_new (kind);
  guint n;
  const JmRunPartColumn *columns = jm_run_part_kind_get_columns (kind, &n);

  for (guint i = 0; i < n; i++)
    if (columns[i].is_text)
      jm_run_part_set_text (part, columns[i].quantity,
                            jm_sql_get_text (row, (int) i + 1));
    else
      jm_sql_get_number (row, (int) i + 1, &part->values[i].number);

  return part;
}

/* --- parts that are gone --- */

gboolean
jm_run_table_forget_parts_of_run (JmSql *sql, gint64 run_id, GError **error)
{
  for (guint i = 0; i < JM_N_RUN_PART_KINDS; i++)
    {
      g_autofree char *text = g_strdup_printf ("DELETE FROM %s WHERE run_id = ?1",
                                               jm_run_part_kind_get_table (i));
      JmSqlStatement *statement = jm_sql_get (sql, text, error);

      if (statement == NULL)
        return FALSE;
      jm_sql_bind_number (statement, 1, run_id);
      if (!jm_sql_do (statement, error))
        return FALSE;
    }

  return TRUE;
}

/* As PostgreSQL and SQLite take apart a list of `[RUN, NODE, KEY]`. */
static char *
make_forget (JmSql *sql, JmRunPartKind kind)
{
  return g_strdup_printf ("DELETE FROM %s WHERE (run_id, node, run_key) IN (SELECT %s)",
                          jm_run_part_kind_get_table (kind),
                          jm_sql_is_postgresql (sql)
                            ? "(value ->> 0)::bigint, value ->> 1, value ->> 2 FROM"
                              " jsonb_array_elements (?1::jsonb) AS list (value)"
                            : "json_extract (value, '$[0]'),"
                              " json_extract (value, '$[1]'),"
                              " json_extract (value, '$[2]') FROM json_each (?1)");
}

gboolean
jm_run_table_forget_parts (JmSql *sql, const char *keys, GError **error)
{
  for (guint i = 0; i < JM_N_RUN_PART_KINDS; i++)
    {
      g_autofree char *text = make_forget (sql, i);
      JmSqlStatement *statement = jm_sql_get (sql, text, error);

      if (statement == NULL)
        return FALSE;
      jm_sql_bind_text (statement, 1, keys);
      if (!jm_sql_do (statement, error))
        return FALSE;
    }

  return TRUE;
}

char *
jm_run_table_make_key (gint64 run_id, const char *node, const char *run_key)
{
  GString *key = g_string_new ("[");

  g_string_append_printf (key, "%" G_GINT64_FORMAT ",", run_id);
  jm_sql_append_json_text (key, node);
  g_string_append_c (key, ',');
  jm_sql_append_json_text (key, run_key);
  g_string_append_c (key, ']');

  return g_string_free (key, FALSE);
}
