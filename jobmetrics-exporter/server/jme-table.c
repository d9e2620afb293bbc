/* jme-table.c: rows of figures, as documents and as tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-table.h"

#include <json-glib/json-glib.h>
#include <math.h>

#include "core/jm-number-private.h"
#include "core/jm-safe-text-private.h"
#include "report/jm-csv-private.h"

#define MILLISECONDS 1000

void
jme_table_append_json_string (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), valid);
  g_autofree char *quoted = json_to_string (node, FALSE);

  jm_safe_text_append_json (json, quoted);
}

/* --- rows --- */

void
jme_table_begin_head (JmeTable *self)
{
  self->is_head = TRUE;
  self->n_cells = 0;
  if (self->form == JME_TABLE_ARRAYS)
    g_string_append_c (self->text, '[');
}

void
jme_table_end_head (JmeTable *self)
{
  self->is_head = FALSE;
  if (self->form == JME_TABLE_ARRAYS)
    g_string_append_c (self->text, ']');
  else if (self->form == JME_TABLE_CSV)
    jm_csv_end_line (self->text);
}

void
jme_table_begin_row (JmeTable *self)
{
  self->n_cells = 0;
  if (self->form != JME_TABLE_CSV)
    {
      g_string_append (self->text, self->n_rows > 0 ? ",\n" : "");
      g_string_append_c (self->text, self->form == JME_TABLE_OBJECTS ? '{' : '[');
    }
  self->n_rows++;
}

void
jme_table_end_row (JmeTable *self)
{
  if (self->form == JME_TABLE_CSV)
    jm_csv_end_line (self->text);
  else
    g_string_append_c (self->text, self->form == JME_TABLE_OBJECTS ? '}' : ']');
}

/* --- cells --- */

static void
add_name (JmeTable *self, const char *name, const char *type)
{
  if (self->form == JME_TABLE_CSV)
    jm_csv_append (self->text, self->n_cells, name);
  else if (self->form == JME_TABLE_ARRAYS)
    g_string_append_printf (self->text, "%s{\"text\": \"%s\", \"type\": \"%s\"}",
                            self->n_cells > 0 ? ", " : "", name, type);
  self->n_cells++;
}

static void
begin_value (JmeTable *self, const char *name)
{
  g_string_append (self->text, self->n_cells > 0 ? ", " : "");
  if (self->form == JME_TABLE_OBJECTS)
    g_string_append_printf (self->text, "\"%s\": ", name);
  self->n_cells++;
}

static void
add_bare (JmeTable *self, const char *name, const char *value)
{
  if (self->form == JME_TABLE_CSV)
    {
      jm_csv_append (self->text, self->n_cells++, value);
      return;
    }
  begin_value (self, name);
  g_string_append (self->text, value != NULL ? value : "null");
}

void
jme_table_add_text (JmeTable *self, const char *name, const char *value)
{
  if (self->is_head)
    add_name (self, name, "string");
  else if (self->form == JME_TABLE_CSV || value == NULL)
    add_bare (self, name, value);
  else
    {
      begin_value (self, name);
      jme_table_append_json_string (self->text, value);
    }
}

static void
add_value (JmeTable *self, const char *name, double value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  jm_number_append_double (text, value);
  add_bare (self, name, text->str);
}

void
jme_table_add_number (JmeTable *self, const char *name, const double *value)
{
  if (self->is_head)
    add_name (self, name, "number");
  else if (value != NULL && isfinite (*value))
    add_value (self, name, *value);
  else
    add_bare (self, name, NULL);
}

void
jme_table_add_time (JmeTable *self, const char *name, const gint64 *value)
{
  gint64 unit = self->form == JME_TABLE_ARRAYS ? MILLISECONDS : 1;

  if (self->is_head)
    add_name (self, name, "time");
  else if (value != NULL)
    add_value (self, name, (double) (*value * unit));
  else
    add_bare (self, name, NULL);
}
