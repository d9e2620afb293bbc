/* jmc-columns.c: which columns a list has, and in which order its lines are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-columns.h"

#include <string.h>

#include "base/jm-csv-private.h"
#include "core/jm-error.h"

struct _JmcColumns
{
  GPtrArray *fields; /* of const JmField */
  GArray *looks;     /* of JmcColumn */
  guint n_fixed;     /* columns after these are shown where some figure is known */
  GArray *shown;     /* of guint: positions of those that the last table had */
  GArray *shown_looks;
};

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

static void
add_field (JmcColumns *self, const JmField *field)
{
  const JmQuantity *quantity = field->quantity;
  gboolean is_text = quantity->format == JM_FORMAT_TEXT;
  JmcColumn look = { quantity->heading, is_text ? JMC_ALIGN_LEFT : JMC_ALIGN_RIGHT };

  g_array_append_val (self->looks, look);
  g_ptr_array_add (self->fields, (gpointer) field);
}

static gboolean
add_fields (JmcColumns *self, const char *text, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (char **name = names; *name != NULL; name++)
    {
      const JmField *field = jm_field_from_name (*name);

      if (field == NULL)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                       "no such column: '%s' (see list --columns=help)", *name);
          return FALSE;
        }
      add_field (self, field);
    }

  return TRUE;
}

/* Reads names of fields with commas between them. */
JmcColumns *
jmc_columns_parse (const char *text, GError **error)
{
  g_autoptr (JmcColumns) self = g_new0 (JmcColumns, 1);

  self->fields = g_ptr_array_new ();
  self->looks = g_array_new (FALSE, FALSE, sizeof (JmcColumn));
  self->shown = g_array_new (FALSE, FALSE, sizeof (guint));
  self->shown_looks = g_array_new (FALSE, FALSE, sizeof (JmcColumn));
  if (!add_fields (self, text, error))
    return NULL;

  if (self->fields->len == 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "no column is named");
      return NULL;
    }
  self->n_fixed = self->fields->len;

  return g_steal_pointer (&self);
}

/* Adds a column for each metric of jobs that is selected, but for those that are there.
 */
void
jmc_columns_add_metrics (JmcColumns *self, JmMetricSelection *selection)
{
  g_autoptr (GPtrArray) fields = jm_field_list ();

  for (guint i = 0; i < fields->len; i++)
    {
      const JmField *field = fields->pdata[i];

      if (field->source == JM_FIELD_SOURCE_METRIC &&
          jm_metric_selection_has (selection, JM_SUBJECT_KIND_JOB, field->number) &&
          !g_ptr_array_find (self->fields, field, NULL))
        add_field (self, field);
    }
  self->n_fixed = self->fields->len;
}

/* Adds columns that a table has only where one of its jobs has the figure; names of
 * fields with commas between them. */
void
jmc_columns_add_optional (JmcColumns *self, const char *text)
{
  add_fields (self, text, NULL);
}

void
jmc_columns_free (JmcColumns *self)
{
  g_ptr_array_unref (self->fields);
  g_array_unref (self->looks);
  g_array_unref (self->shown);
  g_array_unref (self->shown_looks);
  g_free (self);
}

static const JmField *
get_field (const JmcColumns *self, guint column)
{
  return self->fields->pdata[column];
}

void
jmc_columns_add_collectors (const JmcColumns *self, JmCollectorSet *collectors)
{
  for (guint i = 0; i < self->fields->len; i++)
    jm_field_add_collectors (get_field (self, i), collectors);
}

/* Adds the fields (const JmField) that are shown whether they are known or not. */
void
jmc_columns_add_fields (const JmcColumns *self, GPtrArray *fields)
{
  for (guint i = 0; i < self->n_fixed; i++)
    g_ptr_array_add (fields, (gpointer) get_field (self, i));
}

static gboolean
is_known_of_any (const JmField *field, JmSnapshot *snapshot, GArray *subjects)
{
  for (guint i = 0; i < subjects->len; i++)
    {
      g_autofree char *text =
        jm_field_format (field, snapshot, g_array_index (subjects, guint, i));

      if (text != NULL)
        return TRUE;
    }

  return FALSE;
}

static void
choose_columns (JmcColumns *self, JmSnapshot *snapshot, GArray *subjects)
{
  g_array_set_size (self->shown, 0);
  g_array_set_size (self->shown_looks, 0);

  for (guint i = 0; i < self->fields->len; i++)
    if (i < self->n_fixed || is_known_of_any (get_field (self, i), snapshot, subjects))
      {
        g_array_append_val (self->shown, i);
        g_array_append_val (self->shown_looks,
                            g_array_index (self->looks, JmcColumn, i));
      }
}

/* The heading of a share has the sign of per cent already.
 */
static void
add_cell (JmcTable *table, const JmField *field, JmSnapshot *snapshot, guint subject)
{
  const JmFormat format = field->quantity->format;
  const JmFigure figure = jm_field_get_figure (field, snapshot, subject);

  if (format == JM_FORMAT_PERCENT && figure.is_known)
    jmc_table_take (table, g_strdup_printf ("%.1f", figure.value));
  else if (jmc_table_has_unit (format))
    jmc_table_add_figure (table, figure, format);
  else
    jmc_table_take (table, jm_field_format (field, snapshot, subject));
}

/* One row for each of @subjects (guint), jobs or steps. The columns must outlive the table,
 * and make no other meanwhile. */
JmcTable *
jmc_columns_make_table (JmcColumns *self, JmSnapshot *snapshot, GArray *subjects)
{
  JmcTable *table;

  choose_columns (self, snapshot, subjects);
  table = jmc_table_new (&g_array_index (self->shown_looks, JmcColumn, 0),
                         self->shown_looks->len);

  for (guint i = 0; i < subjects->len; i++)
    for (guint column = 0; column < self->shown->len; column++)
      {
        const JmField *field =
          get_field (self, g_array_index (self->shown, guint, column));

        add_cell (table, field, snapshot, g_array_index (subjects, guint, i));
      }

  return table;
}

/* Whether any figure of a table of @subjects is marked as an estimate. */
gboolean
jmc_columns_has_estimates (const JmcColumns *self,
                           JmSnapshot *snapshot,
                           GArray *subjects)
{
  for (guint i = 0; i < subjects->len; i++)
    for (guint column = 0; column < self->fields->len; column++)
      if (jm_field_is_estimated (get_field (self, column), snapshot,
                                 g_array_index (subjects, guint, i)))
        return TRUE;

  return FALSE;
}

/* --- CSV --- */

void
jmc_columns_append_csv_titles (const JmcColumns *self, GString *text)
{
  for (guint i = 0; i < self->fields->len; i++)
    jm_csv_append (text, i, get_field (self, i)->quantity->name);
  jm_csv_end_line (text);
}

/* One line for each of @subjects (guint), in base units. */
void
jmc_columns_append_csv (const JmcColumns *self,
                        JmSnapshot *snapshot,
                        GArray *subjects,
                        GString *text)
{
  for (guint i = 0; i < subjects->len; i++)
    {
      guint subject = g_array_index (subjects, guint, i);

      for (guint column = 0; column < self->fields->len; column++)
        {
          g_autofree char *cell =
            jm_field_to_string (get_field (self, column), snapshot, subject);

          jm_csv_append (text, column, cell);
        }
      jm_csv_end_line (text);
    }
}

/* --- help --- */

/* A line for each, of const JmQuantity. */
char *
jmc_columns_describe (GPtrArray *quantities)
{
  static const JmcColumn looks[] = {
    { "NAME", JMC_ALIGN_LEFT },
    { "OR", JMC_ALIGN_LEFT },
    { "WHAT IT IS", JMC_ALIGN_LEFT },
  };
  g_autoptr (JmcTable) table = jmc_table_new (looks, G_N_ELEMENTS (looks));

  for (guint i = 0; i < quantities->len; i++)
    {
      const JmQuantity *quantity = quantities->pdata[i];

      jmc_table_add (table, quantity->name);
      jmc_table_add (table, quantity->short_name);
      jmc_table_add (table, quantity->help);
    }

  return jmc_table_render (table, 0, FALSE);
}

/* All that there are. */
char *
jmc_columns_describe_all (void)
{
  g_autoptr (GPtrArray) fields = jm_field_list ();
  g_autoptr (GPtrArray) quantities = g_ptr_array_new ();

  for (guint i = 0; i < fields->len; i++)
    g_ptr_array_add (quantities,
                     (gpointer) ((const JmField *) fields->pdata[i])->quantity);

  return jmc_columns_describe (quantities);
}

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
