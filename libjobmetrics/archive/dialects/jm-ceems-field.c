/* jm-ceems-field.c: fields of CEEMS, of which a client chooses some
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-field-private.h"

#include "base/jm-error.h"

static gboolean
is_field (const JmCeemsField *table, const char *name)
{
  while (table->name != NULL && !g_str_equal (table->name, name))
    table++;

  return table->name != NULL;
}

static gboolean
refuse (const JmCeemsField *table, const char *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (; table->name != NULL; table++)
    g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", table->name);
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "field=%s: not one of %s", name,
               known->str);

  return FALSE;
}

static gboolean
check_names (const JmCeemsField *table, JmCeemsAnswer *answer, GError **error)
{
  GStrv names = answer->query.fields;
  guint n_known = 0;

  if (names == NULL)
    return TRUE;
  for (guint i = 0; names[i] != NULL; i++)
    if (is_field (table, names[i]))
      n_known++;
    else
      jm_ceems_answer_warn (answer, "field=%s: no such field", names[i]);

  return n_known > 0 || refuse (table, names[0], error);
}

gboolean
jm_ceems_fields_init (JmCeemsFields *self,
                      const JmCeemsField *table,
                      JmCeemsAnswer *answer,
                      GError **error)
{
  guint n = 0;

  *self = (JmCeemsFields){ .table = table };
  if (!check_names (table, answer, error))
    return FALSE;

  while (table[n].name != NULL)
    n++;
  self->is_chosen = g_new0 (gboolean, n);
  for (guint i = 0; i < n; i++)
    {
      self->is_chosen[i] = table[i].append != NULL &&
                           (table[i].is_always ||
                            jm_ceems_query_wants (answer->query.fields, table[i].name));
      self->has_energy |= self->is_chosen[i] && table[i].is_of_energy;
      self->has_devices |= self->is_chosen[i] && table[i].is_of_devices;
      self->has_nodes |= self->is_chosen[i] && table[i].is_of_nodes;
    }

  return TRUE;
}

void
jm_ceems_fields_append (const JmCeemsFields *self, GString *text, const JmCeemsRow *row)
{
  JmJsonWriter json = { .out = text };

  jm_json_writer_begin_object (&json, NULL);
  for (guint i = 0; self->table[i].name != NULL; i++)
    if (self->is_chosen[i])
      self->table[i].append (&json, self->table[i].name, row);
  jm_json_writer_end_object (&json);
}

void
jm_ceems_fields_clear (JmCeemsFields *self)
{
  g_clear_pointer (&self->is_chosen, g_free);
}
