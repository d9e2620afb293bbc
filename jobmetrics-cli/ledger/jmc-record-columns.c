/* jmc-record-columns.c: which columns a list of records has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-ledger-output.h"

#include "base/jm-csv-private.h"
#include "core/jm-error.h"
#include "jmc-columns.h"

typedef struct
{
  JmRecordField field;
  gboolean is_optional; /* a table has it where some record has the figure */
  gboolean is_known;    /* of some record */
} Column;

struct _JmcRecordColumns
{
  GArray *columns;  /* of Column */
  GPtrArray *cells; /* of char *, NULL for what is not known: record by record */
  GArray *figures;  /* of JmFigure, known where the unit is that of the column */
  GArray *looks;    /* of JmcColumn: those of the last table */
  gboolean has_estimates;
};

static Column *
get_column (JmcRecordColumns *self, guint i)
{
  return &g_array_index (self->columns, Column, i);
}

static gboolean
add_columns (JmcRecordColumns *self,
             const char *text,
             gboolean is_optional,
             GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (char **name = names; *name != NULL; name++)
    {
      Column column = { .is_optional = is_optional };

      if (!jm_record_field_from_name (*name, &column.field))
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                       "no such column: '%s' (see ledger --columns=help)", *name);
          return FALSE;
        }
      g_array_append_val (self->columns, column);
    }

  return TRUE;
}

/* Reads names of fields with commas between them. */
JmcRecordColumns *
jmc_record_columns_parse (const char *text, GError **error)
{
  g_autoptr (JmcRecordColumns) self = g_new0 (JmcRecordColumns, 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->figures = g_array_new (FALSE, FALSE, sizeof (JmFigure));
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

/* Adds columns that a table has only where one of its records has the figure. */
void
jmc_record_columns_add_optional (JmcRecordColumns *self, const char *text)
{
  add_columns (self, text, TRUE, NULL);
}

void
jmc_record_columns_free (JmcRecordColumns *self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_array_unref (self->figures);
  g_array_unref (self->looks);
  g_free (self);
}

/* --- table --- */

/* The heading of a share has the sign of per cent already. */
static char *
format_cell (const JmRecordField *field, JmJobRecord *record)
{
  JmFigure figure;

  if (field->quantity->format != JM_FORMAT_PERCENT)
    return jm_record_field_format (field, record);

  figure = jm_record_field_get_figure (field, record);

  return figure.is_known ? g_strdup_printf ("%.1f", figure.value) : NULL;
}

/* Adds a row; no more of the record is kept than that. */
void
jmc_record_columns_add (JmcRecordColumns *self, JmJobRecord *record)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);
      char *cell = format_cell (&column->field, record);
      JmFigure figure = jm_record_field_get_figure (&column->field, record);

      column->is_known |= cell != NULL;
      self->has_estimates |= figure.is_estimated;
      figure.is_known &= jmc_table_has_unit (column->field.quantity->format);
      g_array_append_val (self->figures, figure);
      g_ptr_array_add (self->cells, cell);
    }
}

guint
jmc_record_columns_get_n_records (JmcRecordColumns *self)
{
  return self->cells->len / self->columns->len;
}

/* Whether any figure that was added is marked as an estimate. */
gboolean
jmc_record_columns_has_estimates (JmcRecordColumns *self)
{
  return self->has_estimates;
}

static gboolean
is_shown (JmcRecordColumns *self, guint i)
{
  return !get_column (self, i)->is_optional || get_column (self, i)->is_known;
}

static void
add_cell (JmcRecordColumns *self, JmcTable *table, guint i)
{
  const JmFigure figure = g_array_index (self->figures, JmFigure, i);
  const guint at = i % self->columns->len;

  if (figure.is_known)
    jmc_table_add_figure (table, figure, get_column (self, at)->field.quantity->format);
  else
    jmc_table_add (table, self->cells->pdata[i]);
}

/* A table of what was added. The columns must outlive it, and make no other meanwhile.
 */
JmcTable *
jmc_record_columns_make_table (JmcRecordColumns *self)
{
  JmcTable *table;

  g_array_set_size (self->looks, 0);
  for (guint i = 0; i < self->columns->len; i++)
    {
      const JmQuantity *quantity = get_column (self, i)->field.quantity;
      const JmcColumn look = { quantity->heading, quantity->format == JM_FORMAT_TEXT
                                                    ? JMC_ALIGN_LEFT
                                                    : JMC_ALIGN_RIGHT };

      if (is_shown (self, i))
        g_array_append_val (self->looks, look);
    }

  table = jmc_table_new (&g_array_index (self->looks, JmcColumn, 0), self->looks->len);
  for (guint i = 0; i < self->cells->len; i++)
    if (is_shown (self, i % self->columns->len))
      add_cell (self, table, i);

  return table;
}

/* --- CSV --- */

void
jmc_record_columns_append_csv_titles (JmcRecordColumns *self, GString *text)
{
  for (guint i = 0; i < self->columns->len; i++)
    jm_csv_append (text, i, get_column (self, i)->field.quantity->name);
  jm_csv_end_line (text);
}

/* One line, in base units. */
void
jmc_record_columns_append_csv (JmcRecordColumns *self,
                               JmJobRecord *record,
                               GString *text)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      g_autofree char *cell =
        jm_record_field_to_string (&get_column (self, i)->field, record);

      jm_csv_append (text, i, cell);
    }
  jm_csv_end_line (text);
}

/* --- help --- */

/* All that there are, a line for each. */
char *
jmc_record_columns_describe_all (void)
{
  g_autoptr (GArray) fields = jm_record_field_list ();
  g_autoptr (GPtrArray) quantities = g_ptr_array_new ();

  for (guint i = 0; i < fields->len; i++)
    g_ptr_array_add (quantities,
                     (gpointer) g_array_index (fields, JmRecordField, i).quantity);

  return jmc_columns_describe (quantities);
}
