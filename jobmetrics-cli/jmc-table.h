/* jmc-table.h: cells in aligned columns
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-figure.h"

G_BEGIN_DECLS

/* What the mark before a figure means. */
#define JMC_TABLE_ESTIMATE_LEGEND JM_FIGURE_ESTIMATE_MARK " is estimated, not measured"

/* JmcAlign:
 * @JMC_ALIGN_LEFT: words
 * @JMC_ALIGN_RIGHT: figures */
typedef enum
{
  JMC_ALIGN_LEFT,
  JMC_ALIGN_RIGHT,
} JmcAlign;

typedef struct
{
  const char *title; /* NULL in a table without titles */
  JmcAlign align;
} JmcColumn;

typedef struct _JmcTable JmcTable;

JmcTable *jmc_table_new (const JmcColumn *columns, guint n_columns);
void jmc_table_free (JmcTable *self);
void jmc_table_set_indent (JmcTable *self, guint indent);
void jmc_table_hide_titles (JmcTable *self);
void jmc_table_add (JmcTable *self, const char *text);
void jmc_table_take (JmcTable *self, char *text);
void jmc_table_add_figure (JmcTable *self, JmFigure figure, JmFormat format);
gboolean jmc_table_has_unit (JmFormat format);
guint jmc_table_get_n_rows (JmcTable *self);
char *jmc_table_render (JmcTable *self, guint width, gboolean color);
gboolean jmc_table_has_estimates (JmcTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTable, jmc_table_free)

G_END_DECLS
