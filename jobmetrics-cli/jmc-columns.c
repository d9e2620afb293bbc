/* jmc-columns.c: which columns a list has, and in which order its lines are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-columns.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-text-table-private.h"

typedef struct
{
  const JmField *field;
  gboolean is_descending;
} Key;

struct _JmcOrder
{
  GArray *keys; /* of Key */
};

typedef struct
{
  const JmcOrder *order;
  JmSnapshot *snapshot;
} Comparison;

void
jmc_columns_add_metrics (JmTable *table, JmMetricSelection *selection)
{
  g_autoptr (GPtrArray) fields = jm_field_list ();
  g_autoptr (GPtrArray) there = jm_table_list_columns (table);

  for (guint i = 0; i < fields->len; i++)
    {
      const JmField *field = fields->pdata[i];

      if (field->source == JM_FIELD_SOURCE_METRIC &&
          jm_metric_selection_has (selection, JM_SUBJECT_KIND_JOB, field->quantity) &&
          !g_ptr_array_find (there, field->quantity, NULL))
        jm_table_add_columns (table, field->quantity->name, NULL);
    }
}

GPtrArray *
jmc_columns_list_fields (JmTable *table)
{
  GPtrArray *list = jm_table_list_columns (table);

  for (guint i = 0; i < list->len; i++)
    list->pdata[i] =
      (gpointer) jm_field_from_name (((const JmQuantity *) list->pdata[i])->name);

  return list;
}

/* --- help --- */

char *
jmc_columns_describe (JmTable *table)
{
  static const JmTextColumn looks[] = {
    { "NAME", JM_TEXT_ALIGN_LEFT },
    { "OR", JM_TEXT_ALIGN_LEFT },
    { "WHAT IT IS", JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (GPtrArray) quantities = jm_table_list_quantities (table);
  g_autoptr (JmTextTable) lines = jm_text_table_new (looks, G_N_ELEMENTS (looks));

  for (guint i = 0; i < quantities->len; i++)
    {
      const JmQuantity *quantity = quantities->pdata[i];

      jm_text_table_add (lines, quantity->name);
      jm_text_table_add (lines, quantity->short_name);
      jm_text_table_add (lines, quantity->help);
    }

  return jm_text_table_render (lines, 0, FALSE);
}

/* --- order --- */

static gboolean
add_key (JmcOrder *self, const char *text, GError **error)
{
  Key key = { .is_descending = *text == '-' };

  key.field = jm_field_from_name (text + (key.is_descending ? 1 : 0));
  if (key.field == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "no such column: '%s'", text);
      return FALSE;
    }
  g_array_append_val (self->keys, key);

  return TRUE;
}

/* Reads what --sort says: names of fields with commas between them, the most important
 * first; one with a minus before it is for descending order. */
JmcOrder *
jmc_order_parse (const char *text, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  g_autoptr (JmcOrder) self = g_new0 (JmcOrder, 1);

  self->keys = g_array_new (FALSE, FALSE, sizeof (Key));
  for (char **name = names; *name != NULL; name++)
    if (!add_key (self, *name, error))
      return NULL;

  if (self->keys->len == 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "no column is named");
      return NULL;
    }

  return g_steal_pointer (&self);
}

void
jmc_order_free (JmcOrder *self)
{
  g_array_unref (self->keys);
  g_free (self);
}

void
jmc_order_add_collectors (const JmcOrder *self, JmCollectorSet *collectors)
{
  for (guint i = 0; i < self->keys->len; i++)
    jm_field_add_collectors (g_array_index (self->keys, Key, i).field, collectors);
}

/* Adds the fields (const JmField) that jobs are sorted by. */
void
jmc_order_add_fields (const JmcOrder *self, GPtrArray *fields)
{
  for (guint i = 0; i < self->keys->len; i++)
    g_ptr_array_add (fields, (gpointer) g_array_index (self->keys, Key, i).field);
}

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Comparison *comparison = data;
  GArray *keys = comparison->order->keys;
  guint job_a = *(const guint *) a;
  guint job_b = *(const guint *) b;

  for (guint i = 0; i < keys->len; i++)
    {
      const Key *key = &g_array_index (keys, Key, i);
      int order = jm_field_compare (key->field, comparison->snapshot, job_a, job_b,
                                    key->is_descending);

      if (order != 0)
        return order;
    }

  return jm_field_compare (jm_field_of_identity (JM_JOB_FIELD_ID), comparison->snapshot,
                           job_a, job_b, FALSE);
}

/* Sorts subjects (guint); those that are alike, by job id. */
void
jmc_order_sort (const JmcOrder *self, JmSnapshot *snapshot, GArray *jobs)
{
  Comparison comparison = { self, snapshot };

  g_array_sort_with_data (jobs, compare, &comparison);
}
