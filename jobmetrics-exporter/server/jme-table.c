/* jme-table.c: rows of figures, as documents and as tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-table.h"

#include <math.h>

#include "base/jm-csv-private.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-format.h"

static JmJsonWriter
get_writer (const JmeTable *self)
{
  return (JmJsonWriter){ .out = self->text, .layout = JM_JSON_SPACED };
}

/* --- rows --- */

void
jme_table_begin_head (JmeTable *self)
{
  self->is_head = TRUE;
  self->n_cells = 0;
}

void
jme_table_end_head (JmeTable *self)
{
  self->is_head = FALSE;
  if (self->form == JME_TABLE_CSV)
    jm_csv_end_line (self->text);
}

void
jme_table_begin_row (JmeTable *self)
{
  JmJsonWriter json = get_writer (self);

  self->n_cells = 0;
  if (self->form == JME_TABLE_CSV)
    return;
  jm_json_writer_break_line (&json);
  jm_json_writer_begin_object (&json, NULL);
}

void
jme_table_end_row (JmeTable *self)
{
  if (self->form == JME_TABLE_CSV)
    jm_csv_end_line (self->text);
  else
    g_string_append_c (self->text, '}');
}

/* --- cells --- */

static void
add_name (JmeTable *self, const char *name)
{
  if (self->form == JME_TABLE_CSV)
    jm_csv_append (self->text, self->n_cells++, name);
}

void
jme_table_add_text (JmeTable *self, const char *name, const char *value)
{
  JmJsonWriter json = get_writer (self);

  if (self->is_head)
    add_name (self, name);
  else if (self->form == JME_TABLE_CSV)
    jm_csv_append (self->text, self->n_cells++, value);
  else
    jm_json_writer_add_text (&json, name, value);
}

/* NaN for what is absent. */
static void
add_value (JmeTable *self, const char *name, double value)
{
  JmJsonWriter json = get_writer (self);
  g_autofree char *cell = NULL;

  if (self->form != JME_TABLE_CSV)
    {
      jm_json_writer_add_double (&json, name, value);
      return;
    }
  if (isfinite (value))
    cell = jm_number_to_string (value);
  jm_csv_append (self->text, self->n_cells++, cell);
}

void
jme_table_add_number (JmeTable *self, const char *name, const double *value)
{
  if (self->is_head)
    add_name (self, name);
  else
    add_value (self, name, value != NULL ? *value : NAN);
}

void
jme_table_add_time (JmeTable *self, const char *name, const gint64 *value)
{
  if (self->is_head)
    add_name (self, name);
  else
    add_value (self, name, value != NULL ? (double) *value : NAN);
}
