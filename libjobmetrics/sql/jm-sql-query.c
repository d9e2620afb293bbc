/* jm-sql-query.c: a query that is put together, with its values beside it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sql/jm-sql-query-private.h"

typedef struct
{
  const char *text; /* NULL for a number */
  gint64 number;
} Value;

void
jm_sql_query_init (JmSqlQuery *self)
{
  self->text = g_string_new (NULL);
  self->values = g_array_new (FALSE, FALSE, sizeof (Value));
}

void
jm_sql_query_clear (JmSqlQuery *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->values);
}

void
jm_sql_query_append (JmSqlQuery *self, const char *text)
{
  g_string_append (self->text, text);
}

static void
append_value (JmSqlQuery *self, const char *text, gint64 number)
{
  Value value = { text, number };

  g_array_append_val (self->values, value);
  g_string_append_printf (self->text, "?%u", self->values->len);
}

void
jm_sql_query_append_text (JmSqlQuery *self, const char *text)
{
  append_value (self, text, 0);
}

void
jm_sql_query_append_number (JmSqlQuery *self, gint64 number)
{
  append_value (self, NULL, number);
}

void
jm_sql_query_append_list (JmSqlQuery *self, const char *const *texts)
{
  jm_sql_query_append (self, " IN (");
  if (*texts == NULL)
    jm_sql_query_append (self, "NULL");
  for (guint i = 0; texts[i] != NULL; i++)
    {
      jm_sql_query_append (self, i > 0 ? ", " : "");
      jm_sql_query_append_text (self, texts[i]);
    }
  jm_sql_query_append (self, ")");
}

JmSqlStatement *
jm_sql_query_prepare (JmSqlQuery *self, JmSql *sql, GError **error)
{
  JmSqlStatement *statement = jm_sql_prepare (sql, self->text->str, error);

  for (guint i = 0; statement != NULL && i < self->values->len; i++)
    {
      const Value *value = &g_array_index (self->values, Value, i);

      if (value->text != NULL)
        jm_sql_bind_text (statement, (int) i + 1, value->text);
      else
        jm_sql_bind_number (statement, (int) i + 1, value->number);
    }

  return statement;
}

void
jm_sql_append_json_text (GString *json, const char *text)
{
  g_string_append_c (json, '"');
  for (const char *at = text; *at != '\0'; at++)
    if (*at == '"' || *at == '\\')
      g_string_append_printf (json, "\\%c", *at);
    else if ((guchar) *at < 0x20)
      g_string_append_printf (json, "\\u%04x", *at);
    else
      g_string_append_c (json, *at);
  g_string_append_c (json, '"');
}
