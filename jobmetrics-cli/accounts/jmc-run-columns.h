/* jmc-run-columns.h: which columns a list of a site's runs has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-format.h"
#include "jmc-table.h"
#include "store/jm-stored-run.h"

G_BEGIN_DECLS

/* The columns, and the cells of the runs that were added. */
typedef struct _JmcRunColumns JmcRunColumns;

JmcRunColumns *jmc_run_columns_parse (const char *text, GError **error);
void jmc_run_columns_free (JmcRunColumns *self);

/* Columns that a table has only where some run has the figure. */
void jmc_run_columns_add_optional (JmcRunColumns *self, const char *text);

void jmc_run_columns_add (JmcRunColumns *self, JmStoredRun *run);

/* The columns must outlive it, and make no other meanwhile. */
JmcTable *jmc_run_columns_make_table (JmcRunColumns *self);

/* In base units. */
void jmc_run_columns_append_csv_titles (JmcRunColumns *self, GString *text);
void jmc_run_columns_append_csv (JmcRunColumns *self, JmStoredRun *run, GString *text);

/* All that there are, a line for each. */
char *jmc_run_columns_describe_all (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRunColumns, jmc_run_columns_free)

G_END_DECLS
