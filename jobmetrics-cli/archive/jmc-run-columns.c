/* jmc-run-columns.c: which columns a list of a site's runs has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-run-columns.h"

#include "base/jm-csv-private.h"
#include "core/jm-error.h"
#include "core/jm-format.h"
#include "jmc-columns.h"
#include "report/jm-run-column-private.h"

typedef struct
{
  const JmQuantity *quantity;
  const JmRunColumn *field; /* NULL where the archive does not keep it */
  gboolean is_optional;     /* a table has it where some run has the figure */
  gboolean is_known;        /* of some run */
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

const JmQuantity *
jmc_run_columns_find_quantity (const char *name)
{
  const JmRunColumn *field = jm_run_column_from_name (name);
  g_autoptr (GPtrArray) of_runs = jm_quantity_list_of_runs ();

  if (field != NULL)
    return jm_quantity_get (field->quantity);

  for (guint i = 0; i < of_runs->len; i++)
    if (jm_quantity_is_called (of_runs->pdata[i], name))
      return of_runs->pdata[i];

  return NULL;
}

static gboolean
has_column (JmcRunColumns *self, const JmQuantity *quantity)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->quantity == quantity)
      return TRUE;

  return FALSE;
}

static gboolean
add_columns (JmcRunColumns *self, const char *text, gboolean optional, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (char **name = names; *name != NULL; name++)
    {
      Column column = { jmc_run_columns_find_quantity (*name),
                        jm_run_column_from_name (*name), optional, FALSE };

      if (column.quantity == NULL)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                       "no such column: '%s' (see history --columns=help)", *name);
          return FALSE;
        }
      if (!optional || !has_column (self, column.quantity))
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

static gboolean
was_judged (JmRun *run)
{
  gint64 version;

  return jm_run_get_number (run, JM_RUN_FIELD_VERDICT_RULES, &version);
}

static gboolean
is_verdict (const Column *column)
{
  return column->field != NULL && column->field->field == JM_RUN_FIELD_VERDICT;
}

gboolean
jmc_run_columns_need_report (JmcRunColumns *self, JmRun *run)
{
  const gboolean is_judged = run != NULL && was_judged (run);

  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->field == NULL ||
        (is_verdict (get_column (self, i)) && !is_judged))
      return TRUE;

  return FALSE;
}

gboolean
jmc_run_columns_have_siblings (JmcRunColumns *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (jmc_judged_run_is_of_siblings (
          jm_quantity_get_id (get_column (self, i)->quantity)))
      return TRUE;

  return FALSE;
}

gboolean
jmc_run_columns_have_cost (JmcRunColumns *self)
{
  return has_column (self, jm_quantity_get (JM_QUANTITY_COST));
}

static char *
format_figure (const Column *column, JmFigure figure)
{
  /* the heading of a share has the sign of per cent already */
  if (column->quantity->format == JM_FORMAT_PERCENT)
    return figure.is_known ? g_strdup_printf ("%.1f", figure.value) : NULL;

  return jm_figure_format (figure, column->quantity->format);
}

/* The archive's own, once it has judged the run: filters go by that. */
static const char *
get_verdict (const JmcJudgedRun *run)
{
  return run->verdict == NULL || was_judged (run->run)
           ? jm_run_get_text (run->run, JM_RUN_FIELD_VERDICT)
           : jm_run_verdict_get_title (run->verdict);
}

/* What is kept, and all that is no figure. */
static gboolean
is_of_archive (const Column *column)
{
  return column->field != NULL && (column->field->field < JM_N_RUN_FIELDS ||
                                   column->quantity->format == JM_FORMAT_TEXT);
}

static char *
format_cell (const Column *column, const JmcJudgedRun *run)
{
  if (is_verdict (column))
    return g_strdup (get_verdict (run));
  if (is_of_archive (column))
    return jm_run_column_format (column->field, run->run);

  return format_figure (column, jmc_judged_run_get (run, jm_quantity_get_id (
                                                           column->quantity)));
}

static char *
cell_to_string (const Column *column, const JmcJudgedRun *run)
{
  JmFigure figure;

  if (is_verdict (column))
    return g_strdup (get_verdict (run));
  if (is_of_archive (column))
    return jm_run_column_to_string (column->field, run->run);

  figure = jmc_judged_run_get (run, jm_quantity_get_id (column->quantity));

  return figure.is_known ? jm_number_to_string (figure.value) : NULL;
}

void
jmc_run_columns_add (JmcRunColumns *self, const JmcJudgedRun *run)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);
      char *cell = format_cell (column, run);

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
      const JmQuantity *quantity = get_column (self, i)->quantity;
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
    jm_csv_append (text, i, get_column (self, i)->quantity->name);
  jm_csv_end_line (text);
}

void
jmc_run_columns_append_csv (JmcRunColumns *self, const JmcJudgedRun *run, GString *text)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      g_autofree char *cell = cell_to_string (get_column (self, i), run);

      jm_csv_append (text, i, cell);
    }
  jm_csv_end_line (text);
}

char *
jmc_run_columns_describe_all (void)
{
  g_autoptr (GPtrArray) quantities = g_ptr_array_new ();
  g_autoptr (GPtrArray) of_runs = jm_quantity_list_of_runs ();
  guint n_columns;
  const JmRunColumn *columns = jm_run_column_get_all (&n_columns);

  for (guint i = 0; i < n_columns; i++)
    g_ptr_array_add (quantities, (gpointer) jm_quantity_get (columns[i].quantity));
  for (guint i = 0; i < of_runs->len; i++)
    if (jm_run_column_from_name (((JmQuantity *) of_runs->pdata[i])->name) == NULL)
      g_ptr_array_add (quantities, of_runs->pdata[i]);

  return jmc_columns_describe (quantities);
}
