/* jm-text-table-private.h: cells in aligned columns
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmTextAlign:
 * @JM_TEXT_ALIGN_LEFT: words
 * @JM_TEXT_ALIGN_RIGHT: figures */
typedef enum
{
  JM_TEXT_ALIGN_LEFT,
  JM_TEXT_ALIGN_RIGHT,
} JmTextAlign;

typedef struct
{
  const char *title; /* NULL in a table without titles */
  JmTextAlign align;
} JmTextColumn;

typedef struct _JmTextTable JmTextTable;

JmTextTable *jm_text_table_new (const JmTextColumn *columns, guint n_columns);
void jm_text_table_free (JmTextTable *self);
void jm_text_table_set_indent (JmTextTable *self, guint indent);
void jm_text_table_hide_titles (JmTextTable *self);
void jm_text_table_add (JmTextTable *self, const char *text);
void jm_text_table_take (JmTextTable *self, char *text);

/* JmTextNumber:
 * @kind, @is_marked: for the function that writes it
 *
 * A cell that is written once all numbers of its column are known. */
typedef struct
{
  double value;
  guint kind;
  gboolean is_marked;
} JmTextNumber;

typedef char *(*JmTextNumberFunc) (const JmTextNumber *number, double greatest);

/* The next cell; @format is given the greatest number of the column. */
void jm_text_table_add_number (JmTextTable *self,
                               const JmTextNumber *number,
                               JmTextNumberFunc format);

guint jm_text_table_get_n_rows (JmTextTable *self);
char *jm_text_table_render (JmTextTable *self, guint width, gboolean color);
gboolean jm_text_table_has_marks (JmTextTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmTextTable, jm_text_table_free)

G_END_DECLS
