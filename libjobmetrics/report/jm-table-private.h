/* jm-table-private.h: kinds of rows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "report/jm-table.h"

G_BEGIN_DECLS

/* JmRowColumn:
 * @quantity: what it is
 * @field: by which rows have it; NULL where the quantity is enough
 * @heading: above a column of such rows; NULL for the quantity's
 * @is_optional: whether people see it only where some row has it
 *
 * Something that rows of a kind may have. */
typedef struct
{
  const JmQuantity *quantity;
  gconstpointer field;
  const char *heading;
  gboolean is_optional;
} JmRowColumn;

/* JmRowType:
 * @list_columns: all that such rows may have, of JmRowColumn; of two that are called
 *   alike, the first is meant
 * @get_figure: of what is no text
 * @get_text: of a text, as programs read it; NULL where it is not known
 * @format_text: the same as people read it; NULL where that is no other
 * @format_figure: a figure as people read it; NULL where that is as the quantity has it
 *
 * A kind of rows, such as runs. */
typedef struct
{
  GArray *(*list_columns) (void);
  JmFigure (*get_figure) (const JmRowColumn *column, gconstpointer row);
  char *(*get_text) (const JmRowColumn *column, gconstpointer row);
  char *(*format_text) (const JmRowColumn *column, gconstpointer row);
  char *(*format_figure) (const JmRowColumn *column, JmFigure figure);
} JmRowType;

/* @type must outlive the table. */
JmTable *jm_table_new (const JmRowType *type, const char *columns, GError **error);

const JmRowType *jm_table_get_row_type (JmTable *self);

/* No more of the row is kept than its cells. */
void jm_table_add (JmTable *self, gconstpointer row);

/* What people see, row by row: texts, or NULL where something is not known; @columns is
 * of JmTextColumn. */
GPtrArray *jm_table_list_cells (JmTable *self, GArray **columns);

G_END_DECLS
