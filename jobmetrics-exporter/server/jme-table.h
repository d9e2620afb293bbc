/* jme-table.h: rows of figures, as documents and as tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  JME_TABLE_OBJECTS, /* JSON: an object for each row, with `null` for what is absent */
  JME_TABLE_CSV,     /* with a head; a cell is empty where there is nothing */
} JmeTableForm;

/* JmeTable:
 * @text: where it goes
 * @form: how it is written
 * @n_cells: cells of a line of CSV
 * @is_head: whether that row is the head, which has names for values
 *
 * What writes the rows of a table, cell by cell. */
typedef struct
{
  GString *text;
  JmeTableForm form;
  guint n_cells;
  gboolean is_head;
} JmeTable;

/* A head is written by the same calls as a row is: names count then, and no values. Of
 * objects there is none. */
void jme_table_begin_head (JmeTable *self);
void jme_table_end_head (JmeTable *self);

void jme_table_begin_row (JmeTable *self);
void jme_table_end_row (JmeTable *self);

/* NULL for what is absent, as a number that is none is, and in a head. */
void jme_table_add_text (JmeTable *self, const char *name, const char *value);
void jme_table_add_number (JmeTable *self, const char *name, const double *value);

/* A moment, seconds since 1970. */
void jme_table_add_time (JmeTable *self, const char *name, const gint64 *value);

G_END_DECLS
