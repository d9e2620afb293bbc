/* jmc-run-columns.h: which columns a list of a site's runs has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jmc-judged-run.h"
#include "jmc-table.h"

G_BEGIN_DECLS

/* The columns, and the cells of the runs that were added. */
typedef struct _JmcRunColumns JmcRunColumns;

/* By any name that people type; NULL for none. What only the records of nodes have is
 * among them, since reports have it, and the verdict. */
const JmQuantity *jmc_run_columns_find_quantity (const char *name);

JmcRunColumns *jmc_run_columns_parse (const char *text, GError **error);
void jmc_run_columns_free (JmcRunColumns *self);

/* Columns that a table has only where some run has the figure. What is a column already
 * or unknown is left out. */
void jmc_run_columns_add_optional (JmcRunColumns *self, const char *text);

/* Whether a column is a figure that the archive does not keep, or the verdict; that not
 * of a @run, which may be NULL, that the archive has judged. */
gboolean jmc_run_columns_need_report (JmcRunColumns *self, JmRun *run);

/* Whether a column rests on other runs of the same job; whether one is the cost. */
gboolean jmc_run_columns_have_siblings (JmcRunColumns *self);
gboolean jmc_run_columns_have_cost (JmcRunColumns *self);

void jmc_run_columns_add (JmcRunColumns *self, const JmcJudgedRun *run);

/* The columns must outlive it, and make no other meanwhile. */
JmcTable *jmc_run_columns_make_table (JmcRunColumns *self);

/* In base units. */
void jmc_run_columns_append_csv_titles (JmcRunColumns *self, GString *text);
void jmc_run_columns_append_csv (JmcRunColumns *self,
                                 const JmcJudgedRun *run,
                                 GString *text);

/* All that there are, a line for each. */
char *jmc_run_columns_describe_all (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRunColumns, jmc_run_columns_free)

G_END_DECLS
