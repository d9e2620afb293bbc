/* jm-run-derived-private.h: what a site keeps of a run, and what follows from it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-quantity-private.h"
#include "core/jm-run-field-private.h"

G_BEGIN_DECLS

/* JmRunColumn:
 * @quantity: what it is
 * @field: the field that keeps it; JM_N_RUN_FIELDS where it follows from others
 * @is_spread: whether the field is of all nodes together
 * @sql: the figure of a row of the table of runs, in its base unit; NULL for a text
 *
 * A column that a list of runs may have. */
typedef struct
{
  JmQuantityId quantity;
  JmRunField field;
  gboolean is_spread;
  const char *sql;
} JmRunColumn;

const JmRunColumn *jm_run_column_get_all (guint *n_columns);

/* By any name that people type; NULL for none. */
const JmRunColumn *jm_run_column_from_name (const char *name);

/* A figure in its base unit, by what is kept of the run, or by the expression of
 * quantities.ini. */
JmFigure jm_run_derived_get (JmRun *run, JmQuantityId quantity);

/* A field that is a number, in its base unit. */
JmFigure jm_run_derived_get_figure (JmRun *run, JmRunField field);

/* Whether it has neither begun nor ended, and why; NULL where that is not known. */
gboolean jm_run_derived_is_waiting (JmRun *run);
const char *jm_run_derived_get_reason (JmRun *run);

/* A text of a column, be it kept in a field or not; NULL where it is not known. */
const char *jm_run_derived_get_text (JmRun *run, const JmRunColumn *column);

G_END_DECLS
