/* jm-run-derived.c: what a site keeps of a run, and what follows from it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-derived-private.h"

#include "core/jm-figures-private.h"
#include "core/jm-run-private.h"

static const JmRunColumn columns[] = {
#include "core/jm-run-columns.inc"
};

JmFigure
jm_run_derived_get_figure (JmRun *run, JmRunField field)
{
  JmFigure figure;
  gint64 number;

  if (jm_run_field_is_text (field) || !jm_run_get_number (run, field, &number))
    return (JmFigure){ 0 };

  figure = jm_figure_known ((double) number / jm_run_field_get_parts (field));
  figure.is_estimated = run->has_estimates && (field == JM_RUN_FIELD_ENERGY ||
                                               field == JM_RUN_FIELD_EMISSIONS);

  return figure;
}

static const JmRunColumn *
find_column (JmQuantityId quantity)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].quantity == quantity)
      return &columns[i];

  return NULL;
}

static JmFigure
get_kept (JmRun *run, const JmRunColumn *column)
{
  return column != NULL && column->field < JM_N_RUN_FIELDS
           ? jm_run_derived_get_figure (run, column->field)
           : (JmFigure){ 0 };
}

/* Expressions are about one node: of what all nodes have together they take a part. */
static JmFigure
get_operand (JmQuantityId quantity, gpointer run)
{
  const JmRunColumn *column = find_column (quantity);
  JmFigure figure = get_kept (run, column);

  return column != NULL && column->is_spread
           ? jm_figures_divide (figure,
                                jm_run_derived_get_figure (run, JM_RUN_FIELD_NODES))
           : figure;
}

JmFigure
jm_run_derived_get (JmRun *run, JmQuantityId quantity)
{
  JmFigure figure = get_kept (run, find_column (quantity));

  return figure.is_known ? figure : jm_figures_follow (quantity, get_operand, run);
}

JmFigure
jm_run_derived_get_elapsed (JmRun *run, gint64 now)
{
  const JmFigure elapsed = jm_run_derived_get (run, JM_QUANTITY_ELAPSED);
  const JmFigure start = jm_run_derived_get_figure (run, JM_RUN_FIELD_START_TIME);
  const gboolean is_running =
    g_strcmp0 (jm_run_get_text (run, JM_RUN_FIELD_STATE), "RUNNING") == 0 &&
    !jm_run_derived_get_figure (run, JM_RUN_FIELD_END_TIME).is_known;

  if (elapsed.is_known || !is_running || !start.is_known || start.value > (double) now)
    return elapsed;

  return jm_figure_known ((double) now - start.value);
}

gboolean
jm_run_derived_is_waiting (JmRun *run)
{
  return jm_run_derived_get_figure (run, JM_RUN_FIELD_SUBMIT_TIME).is_known &&
         !jm_run_derived_get_figure (run, JM_RUN_FIELD_START_TIME).is_known &&
         !jm_run_derived_get_figure (run, JM_RUN_FIELD_END_TIME).is_known;
}

const char *
jm_run_derived_get_reason (JmRun *run)
{
  return jm_run_derived_is_waiting (run) ? jm_run_get_text (run, JM_RUN_FIELD_REASON)
                                         : NULL;
}

const char *
jm_run_derived_get_job_id (JmRun *run)
{
  const char *id = jm_run_get_text (run, JM_RUN_FIELD_JOBID);

  return id != NULL ? id : jm_run_get_raw_id (run);
}

/* --- columns --- */

const JmRunColumn *
jm_run_column_get_all (guint *n_columns)
{
  *n_columns = G_N_ELEMENTS (columns);

  return columns;
}

const JmRunColumn *
jm_run_column_from_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (jm_quantity_is_called (jm_quantity_get (columns[i].quantity), name))
      return &columns[i];

  return NULL;
}
