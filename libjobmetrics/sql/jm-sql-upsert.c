/* jm-sql-upsert.c: rows into a table, by their keys
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sql/jm-sql-upsert-private.h"

JmSqlUpsert *
jm_sql_upsert_new (const char *table, guint n_keys, JmSqlConflict conflict)
{
  JmSqlUpsert *self = g_new0 (JmSqlUpsert, 1);

  self->table = table;
  self->n_keys = n_keys;
  self->conflict = conflict;
  self->columns = g_array_new (FALSE, FALSE, sizeof (JmSqlColumn));

  return self;
}

void
jm_sql_upsert_free (JmSqlUpsert *self)
{
  g_array_unref (self->columns);
  g_free (self);
}

static void
add (JmSqlUpsert *self, const char *column, gboolean is_text)
{
  JmSqlColumn added = { column, is_text };

  g_array_append_val (self->columns, added);
}

void
jm_sql_upsert_add_number (JmSqlUpsert *self, const char *column)
{
  add (self, column, FALSE);
}

void
jm_sql_upsert_add_text (JmSqlUpsert *self, const char *column)
{
  add (self, column, TRUE);
}

static const JmSqlColumn *
get_column (const JmSqlUpsert *self, guint i)
{
  return &g_array_index (self->columns, JmSqlColumn, i);
}

/* Between commas, from @first on, before @end. */
static void
append_names (const JmSqlUpsert *self,
              guint first,
              guint end,
              const char *prefix,
              GString *sql)
{
  for (guint i = first; i < end; i++)
    g_string_append_printf (sql, "%s%s%s", i > first ? ", " : "", prefix,
                            get_column (self, i)->name);
}

static void
append_keys (const JmSqlUpsert *self, GString *sql)
{
  append_names (self, 0, self->n_keys, "", sql);
}

static void
append_all (const JmSqlUpsert *self, GString *sql)
{
  append_names (self, 0, self->columns->len, "", sql);
}

/* A row that comes again is not written again. */
static void
append_if_changed (const JmSqlUpsert *self, const char *differs, GString *sql)
{
  g_autofree char *prefix = g_strconcat (self->table, ".", NULL);

  g_string_append (sql, " WHERE (");
  append_names (self, self->n_keys, self->columns->len, prefix, sql);
  g_string_append_printf (sql, ") %s (", differs);
  append_names (self, self->n_keys, self->columns->len, "excluded.", sql);
  g_string_append_c (sql, ')');
}

static void
append_conflict (const JmSqlUpsert *self, const char *differs, GString *sql)
{
  if (self->conflict == JM_SQL_CONFLICT_NONE)
    return;
  g_string_append (sql, " ON CONFLICT (");
  append_keys (self, sql);
  g_string_append (sql, self->conflict == JM_SQL_CONFLICT_KEEP ? ") DO NOTHING"
                                                               : ") DO UPDATE SET ");
  if (self->conflict == JM_SQL_CONFLICT_KEEP)
    return;
  for (guint i = self->n_keys; i < self->columns->len; i++)
    {
      const char *name = get_column (self, i)->name;

      g_string_append_printf (sql, "%s%s = ", i > self->n_keys ? ", " : "", name);
      if (self->conflict == JM_SQL_CONFLICT_ADD)
        g_string_append_printf (sql, "%s.%s + ", self->table, name);
      g_string_append_printf (sql, "excluded.%s", name);
    }
  if (self->conflict == JM_SQL_CONFLICT_REPLACE)
    append_if_changed (self, differs, sql);
}

static GString *
begin_text (const JmSqlUpsert *self)
{
  GString *sql = g_string_new (NULL);

  g_string_printf (sql, "INSERT INTO %s (", self->table);
  append_all (self, sql);
  g_string_append_c (sql, ')');

  return sql;
}

char *
jm_sql_upsert_make_row_text (const JmSqlUpsert *self)
{
  GString *sql = begin_text (self);

  g_string_append (sql, " VALUES (");
  for (guint i = 1; i <= self->columns->len; i++)
    g_string_append_printf (sql, "%s?%u", i > 1 ? ", " : "", i);
  g_string_append_c (sql, ')');
  append_conflict (self, "IS NOT", sql);

  return g_string_free (sql, FALSE);
}

char *
jm_sql_upsert_make_rows_text (const JmSqlUpsert *self)
{
  GString *sql = begin_text (self);
  gboolean is_last = self->conflict == JM_SQL_CONFLICT_REPLACE;

  g_string_append (sql, " SELECT ");
  if (is_last)
    {
      g_string_append (sql, "DISTINCT ON (");
      append_keys (self, sql);
      g_string_append (sql, ") ");
    }
  append_all (self, sql);
  g_string_append (sql, " FROM unnest (");
  for (guint i = 1; i <= self->columns->len; i++)
    g_string_append_printf (sql, "%s?%u::%s[]", i > 1 ? ", " : "", i,
                            get_column (self, i - 1)->is_text ? "text" : "bigint");
  g_string_append (sql, ") WITH ORDINALITY AS given (");
  append_all (self, sql);
  g_string_append (sql, ", ordinal)");
  if (is_last)
    {
      g_string_append (sql, " ORDER BY ");
      append_keys (self, sql);
      g_string_append (sql, ", ordinal DESC");
    }
  append_conflict (self, "IS DISTINCT FROM", sql);

  return g_string_free (sql, FALSE);
}
