/* jmc-run-columns.c: which columns a list of a site's runs has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-run-columns.h"

#include "core/jm-error.h"
#include "jmc-columns.h"
#include "report/jm-csv-private.h"
#include "report/jm-run-column-private.h"

typedef struct
{
  const JmRunColumn *field;
  gboolean is_optional; /* a table has it where some run has the figure */
  gboolean is_known;    /* of some run */
} Column;

struct _JmcRunColumns
{
  GArray *columns;  /* of Column */
  GPtrArray *cells; /* of char *, NULL for what is not known: run by run */
  GArray *looks;    /* of JmcColumn: those of the last table */
};

static Column *
get_column (JmcRunColumns *self, guint i)
{
  return &g_array_index (self->columns, Column, i);
}

static const JmQuantity *
get_quantity (JmcRunColumns *self, guint i)
{
  return jm_quantity_get (get_column (self, i)->field->quantity);
}

static gboolean
add_columns (JmcRunColumns *self, const char *text, gboolean optional, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (char **name = names; *name != NULL; name++)
    {
      Column column = { jm_run_column_from_name (*name), optional, FALSE };

      if (column.field == NULL)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                       "no such column: '%s' (see history --columns=help)", *name);
          return FALSE;
        }
      g_array_append_val (self->columns, column);
    }

  return TRUE;
}

JmcRunColumns *
jmc_run_columns_parse (const char *text, GError **error)
{
  g_autoptr (JmcRunColumns) self = g_new0 (JmcRunColumns, 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->looks = g_array_new (FALSE, FALSE, sizeof (JmcColumn));
  if (!add_columns (self, text, FALSE, error))
    return NULL;
  if (self->columns->len == 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "no column is named");
      return NULL;
    }

  return g_steal_pointer (&self);
}

void
jmc_run_columns_free (JmcRunColumns *self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_array_unref (self->looks);
  g_free (self);
}

void
jmc_run_columns_add_optional (JmcRunColumns *self, const char *text)
{
  add_columns (self, text, TRUE, NULL);
}

void
jmc_run_columns_add (JmcRunColumns *self, JmStoredRun *run)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);
      char *cell = jm_run_column_format (column->field, run);

      column->is_known |= cell != NULL;
      g_ptr_array_add (self->cells, cell);
    }
}

static gboolean
is_shown (JmcRunColumns *self, guint i)
{
  return !get_column (self, i)->is_optional || get_column (self, i)->is_known;
}

JmcTable *
jmc_run_columns_make_table (JmcRunColumns *self)
{
  JmcTable *table;

  g_array_set_size (self->looks, 0);
  for (guint i = 0; i < self->columns->len; i++)
    {
      const JmQuantity *quantity = get_quantity (self, i);
      const JmcColumn look = { quantity->heading, quantity->format == JM_FORMAT_TEXT
                                                    ? JMC_ALIGN_LEFT
                                                    : JMC_ALIGN_RIGHT };

      if (is_shown (self, i))
        g_array_append_val (self->looks, look);
    }

  table = jmc_table_new (&g_array_index (self->looks, JmcColumn, 0), self->looks->len);
  for (guint i = 0; i < self->cells->len; i++)
    if (is_shown (self, i % self->columns->len))
      jmc_table_add (table, self->cells->pdata[i]);

  return table;
}

void
jmc_run_columns_append_csv_titles (JmcRunColumns *self, GString *text)
{
  for (guint i = 0; i < self->columns->len; i++)
    jm_csv_append (text, i, get_quantity (self, i)->name);
  jm_csv_end_line (text);
}

void
jmc_run_columns_append_csv (JmcRunColumns *self, JmStoredRun *run, GString *text)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      g_autofree char *cell =
        jm_run_column_to_string (get_column (self, i)->field, run);

      jm_csv_append (text, i, cell);
    }
  jm_csv_end_line (text);
}

char *
jmc_run_columns_describe_all (void)
{
  g_autoptr (GPtrArray) quantities = g_ptr_array_new ();
  guint n_columns;
  const JmRunColumn *columns = jm_run_column_get_all (&n_columns);

  for (guint i = 0; i < n_columns; i++)
    g_ptr_array_add (quantities, (gpointer) jm_quantity_get (columns[i].quantity));

  return jmc_columns_describe (quantities);
}
