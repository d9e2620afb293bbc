/* jm-table.c: rows by quantities, as people and programs read them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-table-private.h"

#include <string.h>

#include "base/jm-csv-private.h"
#include "base/jm-error.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-text-table-private.h"
#include "core/jm-format.h"
#include "core/jm-quantity-private.h"

typedef struct
{
  JmRowColumn of_row;
  gboolean is_optional; /* people see it where some row has it */
} Column;

/* A text, or a figure. */
typedef struct
{
  JmFigure figure;
  char *text;
  char *shown; /* to people; NULL for the text */
} Cell;

/**
 * JmTable:
 *
 * Rows by quantities: jobs of a node, records of a ledger, runs of an archive or sums
 * of these, of which the quantities are chosen by name. A table is read by people as
 * text, by programs as CSV or JSON. It keeps cells, not the rows they are of.
 *
 * ```python
 * table = JobMetrics.Table.new_of_runs("jobid,user,elapsed,eff")
 * for run in archive.list_runs(filter):
 *     table.add_run(run, None, None)
 * print(table.to_text(80, True, False))
 * ```
 *
 * Since: 0.1
 */
struct _JmTable
{
  GObject parent;
  const JmRowType *type;
  GArray *columns; /* of Column */
  GArray *cells;   /* of Cell, row by row */
};

G_DEFINE_FINAL_TYPE (JmTable, jm_table, G_TYPE_OBJECT)

static void
clear_cell (gpointer data)
{
  Cell *cell = data;

  g_free (cell->text);
  g_free (cell->shown);
}

static void
jm_table_init (JmTable *self)
{
  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  self->cells = g_array_new (FALSE, TRUE, sizeof (Cell));
  g_array_set_clear_func (self->cells, clear_cell);
}

static void
jm_table_finalize (GObject *object)
{
  JmTable *self = JM_TABLE (object);

  g_array_unref (self->columns);
  g_array_unref (self->cells);

  G_OBJECT_CLASS (jm_table_parent_class)->finalize (object);
}

static void
jm_table_class_init (JmTableClass *class)
{
  G_OBJECT_CLASS (class)->finalize = jm_table_finalize;
}

/* --- columns --- */

static Column *
get_column (JmTable *self, guint i)
{
  return &g_array_index (self->columns, Column, i);
}

static gboolean
has_column (JmTable *self, const JmQuantity *quantity)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (get_column (self, i)->of_row.quantity == quantity)
      return TRUE;

  return FALSE;
}

static const JmRowColumn *
find_column (GArray *all, const char *name)
{
  for (guint i = 0; i < all->len; i++)
    if (jm_quantity_is_called (g_array_index (all, JmRowColumn, i).quantity, name))
      return &g_array_index (all, JmRowColumn, i);

  return NULL;
}

static gboolean
add_columns (JmTable *self, const char *names, gboolean is_optional, GError **error)
{
  g_autoptr (GArray) all = self->type->list_columns ();
  g_auto (GStrv) list = g_strsplit (names, ",", -1);

  for (char **name = list; *name != NULL; name++)
    {
      const JmRowColumn *found = find_column (all, *name);
      Column column = { .is_optional = is_optional };

      if (found == NULL)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "no such column: '%s'",
                       *name);
          return FALSE;
        }
      column.of_row = *found;
      column.is_optional |= found->is_optional;
      if (!is_optional || !has_column (self, found->quantity))
        g_array_append_val (self->columns, column);
    }

  return TRUE;
}

/**
 * jm_table_add_columns:
 * @self: a table without rows
 * @columns: names of quantities, with commas between them
 * @error: return location for an error
 *
 * Adds columns at the right. A quantity is found by its name, its short name or its
 * heading, in capitals or not.
 *
 * Returns: whether rows of this kind may have all of them; else
 *   %JM_ERROR_INVALID is set
 * Since: 0.1
 */
gboolean
jm_table_add_columns (JmTable *self, const char *columns, GError **error)
{
  g_return_val_if_fail (JM_IS_TABLE (self), FALSE);
  g_return_val_if_fail (columns != NULL, FALSE);
  g_return_val_if_fail (self->cells->len == 0, FALSE);

  return add_columns (self, columns, FALSE, error);
}

/**
 * jm_table_add_optional_columns:
 * @self: a table without rows
 * @columns: names of quantities, with commas between them
 *
 * Adds columns which people see only where some row has the figure. What is a column
 * already is left out.
 *
 * Since: 0.1
 */
void
jm_table_add_optional_columns (JmTable *self, const char *columns)
{
  g_return_if_fail (JM_IS_TABLE (self));
  g_return_if_fail (columns != NULL);
  g_return_if_fail (self->cells->len == 0);

  add_columns (self, columns, TRUE, NULL);
}

JmTable *
jm_table_new (const JmRowType *type, const char *columns, GError **error)
{
  g_autoptr (JmTable) self = g_object_new (JM_TYPE_TABLE, NULL);

  self->type = type;
  if (!add_columns (self, columns, FALSE, error))
    return NULL;
  if (self->columns->len == 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "no column is named");
      return NULL;
    }

  return g_steal_pointer (&self);
}

/**
 * jm_table_list_quantities:
 * @self: a table
 *
 * Lists all quantities that may be columns of such a table.
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_table_list_quantities (JmTable *self)
{
  GPtrArray *list = g_ptr_array_new ();
  g_autoptr (GArray) all = NULL;

  g_return_val_if_fail (JM_IS_TABLE (self), list);

  all = self->type->list_columns ();
  for (guint i = 0; i < all->len; i++)
    g_ptr_array_add (list, (gpointer) g_array_index (all, JmRowColumn, i).quantity);

  return list;
}

/**
 * jm_table_list_columns:
 * @self: a table
 *
 * Lists the quantities that are its columns, from left to right.
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_table_list_columns (JmTable *self)
{
  GPtrArray *list = g_ptr_array_new ();

  g_return_val_if_fail (JM_IS_TABLE (self), list);

  for (guint i = 0; i < self->columns->len; i++)
    g_ptr_array_add (list, (gpointer) get_column (self, i)->of_row.quantity);

  return list;
}

/* --- rows --- */

static gboolean
is_text (const JmRowColumn *column)
{
  return column->quantity->format == JM_FORMAT_TEXT;
}

const JmRowType *
jm_table_get_row_type (JmTable *self)
{
  return self->type;
}

void
jm_table_add (JmTable *self, gconstpointer row)
{
  const JmRowType *type = self->type;

  for (guint i = 0; i < self->columns->len; i++)
    {
      const JmRowColumn *column = &get_column (self, i)->of_row;
      Cell cell = { .text = NULL };

      if (is_text (column))
        cell.text = type->get_text (column, row);
      else
        cell.figure = type->get_figure (column, row);
      if (is_text (column) && type->format_text != NULL)
        cell.shown = type->format_text (column, row);
      else if (cell.figure.is_known && type->format_figure != NULL)
        cell.shown = type->format_figure (column, cell.figure);
      g_array_append_val (self->cells, cell);
    }
}

/**
 * jm_table_clear:
 * @self: a table
 *
 * Removes all rows, and no column.
 *
 * Since: 0.1
 */
void
jm_table_clear (JmTable *self)
{
  g_return_if_fail (JM_IS_TABLE (self));

  g_array_set_size (self->cells, 0);
}

/**
 * jm_table_get_n_rows:
 * @self: a table
 *
 * Counts its rows.
 *
 * Returns: how many there are
 * Since: 0.1
 */
guint
jm_table_get_n_rows (JmTable *self)
{
  g_return_val_if_fail (JM_IS_TABLE (self), 0);

  return self->cells->len / self->columns->len;
}

static const Cell *
get_cell (JmTable *self, guint row, guint column)
{
  return &g_array_index (self->cells, Cell, row * self->columns->len + column);
}

/**
 * jm_table_has_estimates:
 * @self: a table
 *
 * Finds out whether any figure has %JM_FIGURE_ESTIMATE_MARK before it.
 *
 * Returns: whether one was estimated, in whole or in part
 * Since: 0.1
 */
gboolean
jm_table_has_estimates (JmTable *self)
{
  g_return_val_if_fail (JM_IS_TABLE (self), FALSE);

  for (guint i = 0; i < self->cells->len; i++)
    if (g_array_index (self->cells, Cell, i).figure.is_estimated)
      return TRUE;

  return FALSE;
}

/* --- order --- */

typedef struct
{
  JmTable *table;
  guint column;
  gboolean descends;
} Order;

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  const Cell *one = get_cell (order->table, *(const guint *) a, order->column);
  const Cell *other = get_cell (order->table, *(const guint *) b, order->column);

  if (is_text (&get_column (order->table, order->column)->of_row))
    return order->descends ? g_strcmp0 (other->text, one->text)
                           : g_strcmp0 (one->text, other->text);

  return jm_figure_compare (one->figure, other->figure, order->descends);
}

static void
sort_rows (JmTable *self, guint column, gboolean descends)
{
  const guint n_rows = jm_table_get_n_rows (self);
  const guint n_columns = self->columns->len;
  const gsize size = n_columns * sizeof (Cell);
  Order order = { self, column, descends };
  g_autoptr (GArray) rows = g_array_sized_new (FALSE, FALSE, sizeof (guint), n_rows);
  g_autofree Cell *cells = g_memdup2 (self->cells->data, n_rows * size);

  for (guint i = 0; i < n_rows; i++)
    g_array_append_val (rows, i);
  g_array_sort_with_data (rows, compare_rows, &order);
  for (guint i = 0; i < n_rows; i++)
    memcpy (&g_array_index (self->cells, Cell, i * n_columns),
            cells + g_array_index (rows, guint, i) * n_columns, size);
}

/**
 * jm_table_sort:
 * @self: a table
 * @column: the name of a quantity that is a column
 * @descends: whether the greatest stands first
 * @error: return location for an error
 *
 * Sorts the rows. Those of which it is not known stand last, and equal ones in the
 * order that they had.
 *
 * Returns: whether there is such a column; else %JM_ERROR_INVALID is set
 * Since: 0.1
 */
gboolean
jm_table_sort (JmTable *self, const char *column, gboolean descends, GError **error)
{
  g_return_val_if_fail (JM_IS_TABLE (self), FALSE);
  g_return_val_if_fail (column != NULL, FALSE);

  for (guint i = 0; i < self->columns->len; i++)
    if (jm_quantity_is_called (get_column (self, i)->of_row.quantity, column))
      {
        sort_rows (self, i, descends);
        return TRUE;
      }

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "no such column: '%s'", column);

  return FALSE;
}

/* --- text --- */

/**
 * jm_table_get_value:
 * @self: a table
 * @row: a row
 * @column: a column
 * @value: (out): the figure, in the base unit
 *
 * Gets the figure of a cell.
 *
 * Returns: whether it is known; never of text
 * Since: 0.1
 */
gboolean
jm_table_get_value (JmTable *self, guint row, guint column, double *value)
{
  g_return_val_if_fail (JM_IS_TABLE (self), FALSE);
  g_return_val_if_fail (row < jm_table_get_n_rows (self), FALSE);
  g_return_val_if_fail (column < self->columns->len, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  *value = get_cell (self, row, column)->figure.value;

  return get_cell (self, row, column)->figure.is_known;
}

/* The greatest of a column is what all of its figures have the unit of. */
static char *
format_cell (const Column *column, const Cell *cell, double greatest)
{
  const JmFormat format = column->of_row.quantity->format;

  if (cell->shown != NULL || format == JM_FORMAT_TEXT)
    return g_strdup (cell->shown != NULL ? cell->shown : cell->text);
  if (format == JM_FORMAT_PERCENT)
    return cell->figure.is_known ? g_strdup_printf ("%.1f", cell->figure.value) : NULL;

  return jm_figure_format_beside (cell->figure, format, greatest);
}

/**
 * jm_table_format_cell:
 * @self: a table
 * @row: a row
 * @column: a column
 *
 * Makes of a cell what people read where no other figure of its column stands beside
 * it, below the column's heading, which has the sign of per cent already.
 *
 * Returns: (transfer full) (nullable): the text; %NULL where it is not known
 * Since: 0.1
 */
char *
jm_table_format_cell (JmTable *self, guint row, guint column)
{
  const Cell *cell;

  g_return_val_if_fail (JM_IS_TABLE (self), NULL);
  g_return_val_if_fail (row < jm_table_get_n_rows (self), NULL);
  g_return_val_if_fail (column < self->columns->len, NULL);

  cell = get_cell (self, row, column);

  return format_cell (get_column (self, column), cell, cell->figure.value);
}

static double
find_greatest (JmTable *self, guint column)
{
  const guint n_rows = jm_table_get_n_rows (self);
  double greatest = 0;

  for (guint row = 0; row < n_rows; row++)
    if (get_cell (self, row, column)->figure.is_known)
      greatest = MAX (greatest, get_cell (self, row, column)->figure.value);

  return greatest;
}

static gboolean
is_known (const Cell *cell)
{
  return cell->figure.is_known || cell->text != NULL || cell->shown != NULL;
}

static gboolean
is_shown (JmTable *self, guint column)
{
  const guint n_rows = jm_table_get_n_rows (self);

  if (!get_column (self, column)->is_optional)
    return TRUE;

  for (guint row = 0; row < n_rows; row++)
    if (is_known (get_cell (self, row, column)))
      return TRUE;

  return FALSE;
}

/* The positions of those that people see. */
static GArray *
list_shown (JmTable *self)
{
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->columns->len; i++)
    if (is_shown (self, i))
      g_array_append_val (shown, i);

  return shown;
}

GPtrArray *
jm_table_list_cells (JmTable *self, GArray **columns)
{
  g_autoptr (GArray) shown = list_shown (self);
  g_autofree double *greatest = g_new (double, shown->len);
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);

  *columns = g_array_new (FALSE, TRUE, sizeof (JmTextColumn));
  g_array_set_size (*columns, shown->len);
  for (guint i = 0; i < shown->len; i++)
    {
      const guint at = g_array_index (shown, guint, i);
      const JmRowColumn *column = &get_column (self, at)->of_row;
      JmTextColumn *look = &g_array_index (*columns, JmTextColumn, i);

      look->title =
        column->heading != NULL ? column->heading : column->quantity->heading;
      look->align = is_text (column) ? JM_TEXT_ALIGN_LEFT : JM_TEXT_ALIGN_RIGHT;
      greatest[i] = find_greatest (self, at);
    }
  for (guint row = 0; row < jm_table_get_n_rows (self); row++)
    for (guint i = 0; i < shown->len; i++)
      {
        const guint at = g_array_index (shown, guint, i);

        g_ptr_array_add (cells, format_cell (get_column (self, at),
                                             get_cell (self, row, at), greatest[i]));
      }

  return cells;
}

/**
 * jm_table_to_text:
 * @self: a table
 * @width: cells of a line of the terminal; 0 for lines without an end
 * @has_titles: whether the first line has the columns' headings
 * @has_color: whether these are bold
 *
 * Makes of a table what people read: aligned columns, with a dash where something is
 * not known. Columns that do not fit are left out from the right. No name steers a
 * terminal.
 *
 * Returns: (transfer full): lines
 * Since: 0.1
 */
char *
jm_table_to_text (JmTable *self, guint width, gboolean has_titles, gboolean has_color)
{
  g_autoptr (GArray) looks = NULL;
  g_autoptr (GPtrArray) cells = NULL;
  g_autoptr (JmTextTable) table = NULL;

  g_return_val_if_fail (JM_IS_TABLE (self), NULL);

  cells = jm_table_list_cells (self, &looks);
  table =
    jm_text_table_new ((const JmTextColumn *) (gconstpointer) looks->data, looks->len);
  if (!has_titles)
    jm_text_table_hide_titles (table);
  for (guint i = 0; i < cells->len; i++)
    jm_text_table_take (table, g_steal_pointer (&cells->pdata[i]));

  return jm_text_table_render (table, width, has_color);
}

/* --- CSV, JSON --- */

/* What names the figures of a row that were estimated. */
#define ESTIMATED "estimated"

/* Energy, and all that follows from it. */
static gboolean
may_have_estimates (JmTable *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    switch (get_column (self, i)->of_row.quantity->format)
      {
      case JM_FORMAT_RATIO:
        if (jm_quantity_get_id (get_column (self, i)->of_row.quantity) !=
            JM_QUANTITY_COST)
          break;
        return TRUE;
      case JM_FORMAT_JOULES:
      case JM_FORMAT_WATTS:
      case JM_FORMAT_GRAMS:
        return TRUE;
      default:
        break;
      }

  return FALSE;
}

/* NULL-terminated. */
static GPtrArray *
list_estimated (JmTable *self, guint row)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < self->columns->len; i++)
    if (get_cell (self, row, i)->figure.is_estimated)
      g_ptr_array_add (names, (gpointer) get_column (self, i)->of_row.quantity->name);
  g_ptr_array_add (names, NULL);

  return names;
}

static void
append_csv_titles (JmTable *self, GString *text)
{
  for (guint i = 0; i < self->columns->len; i++)
    jm_csv_append (text, i, get_column (self, i)->of_row.quantity->name);
  if (may_have_estimates (self))
    jm_csv_append (text, self->columns->len, ESTIMATED);
  jm_csv_end_line (text);
}

static void
append_csv_cell (GString *text, guint column, const Cell *cell)
{
  g_autofree char *number =
    cell->figure.is_known ? jm_number_to_string (cell->figure.value) : NULL;

  jm_csv_append (text, column, number != NULL ? number : cell->text);
}

static void
append_csv_row (JmTable *self, GString *text, guint row)
{
  g_autoptr (GPtrArray) names = list_estimated (self, row);
  g_autofree char *estimated = g_strjoinv (" ", (char **) names->pdata);

  for (guint i = 0; i < self->columns->len; i++)
    append_csv_cell (text, i, get_cell (self, row, i));
  if (may_have_estimates (self))
    jm_csv_append (text, self->columns->len, estimated);
  jm_csv_end_line (text);
}

/**
 * jm_table_to_csv:
 * @self: a table
 * @has_titles: whether the first line has the quantities' names
 *
 * Makes of a table what programs read, after RFC 4180: all columns, figures in base
 * units, texts as the scheduler has them, and nothing where something is not known.
 * Behind columns of which some have energy or what follows from it stands `estimated`:
 * the names of the row's figures that were estimated, in whole or in part, with blanks
 * between them.
 *
 * Returns: (transfer full): lines
 * Since: 0.1
 */
char *
jm_table_to_csv (JmTable *self, gboolean has_titles)
{
  GString *text = g_string_new (NULL);

  if (has_titles)
    append_csv_titles (self, text);
  for (guint row = 0; row < jm_table_get_n_rows (self); row++)
    append_csv_row (self, text, row);

  return g_string_free (text, FALSE);
}

static void
add_member (JmJsonWriter *json, const char *name, const Cell *cell)
{
  if (cell->figure.is_known)
    jm_json_writer_add_double (json, name, cell->figure.value);
  else
    jm_json_writer_add_known_text (json, name, cell->text);
}

static void
append_object (JmTable *self, JmJsonWriter *json, guint row)
{
  g_autoptr (GPtrArray) estimated = list_estimated (self, row);

  jm_json_writer_begin_object (json, NULL);
  for (guint i = 0; i < self->columns->len; i++)
    add_member (json, get_column (self, i)->of_row.quantity->name,
                get_cell (self, row, i));
  if (estimated->len > 1)
    {
      jm_json_writer_begin_array (json, ESTIMATED);
      for (guint i = 0; estimated->pdata[i] != NULL; i++)
        jm_json_writer_add_text (json, NULL, estimated->pdata[i]);
      jm_json_writer_end_array (json);
    }
  jm_json_writer_end_object (json);
}

/**
 * jm_table_to_json:
 * @self: a table
 *
 * Makes of a table a JSON array with an object for each row, of which the members are
 * called as the quantities: figures in base units, texts as the scheduler has them.
 * What is not known is left out. An array `estimated` has the names of the figures that
 * were estimated, in whole or in part, where there are such.
 *
 * Returns: (transfer full): the document, with an end of line
 * Since: 0.1
 */
char *
jm_table_to_json (JmTable *self)
{
  const guint n_rows = jm_table_get_n_rows (self);
  GString *text = g_string_new (n_rows > 0 ? "[\n" : "[");
  JmJsonWriter json = { .out = text };

  for (guint row = 0; row < n_rows; row++)
    {
      jm_json_writer_break_line (&json);
      append_object (self, &json, row);
    }
  g_string_append (text, n_rows > 0 ? "\n]\n" : "]\n");

  return g_string_free (text, FALSE);
}

/**
 * jm_table_to_json_lines:
 * @self: a table
 *
 * Makes of a table the same objects as jm_table_to_json(), each on a line of its own.
 *
 * Returns: (transfer full): lines
 * Since: 0.1
 */
char *
jm_table_to_json_lines (JmTable *self)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (JM_IS_TABLE (self), g_string_free (text, FALSE));

  for (guint row = 0; row < jm_table_get_n_rows (self); row++)
    {
      JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

      append_object (self, &json, row);
      g_string_append_c (text, '\n');
    }

  return g_string_free (text, FALSE);
}
