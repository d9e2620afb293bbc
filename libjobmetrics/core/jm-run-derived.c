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

  if (jm_run_field_holds_text (field) || !jm_run_get_number (run, field, &number))
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
  return jm_run_derived_is_waiting (run) ? jm_run_peek_text (run, JM_RUN_FIELD_REASON)
                                         : NULL;
}

const char *
jm_run_derived_get_text (JmRun *run, const JmRunColumn *column)
{
  switch ((guint) column->quantity)
    {
    case JM_QUANTITY_CLUSTER:
      return run->cluster;
    case JM_QUANTITY_SCHEDULER:
      return jm_run_get_scheduler (run);
    case JM_QUANTITY_RAW_ID:
      return run->raw_id;
    case JM_QUANTITY_JOBID:
      return run->texts[JM_RUN_FIELD_JOBID] != NULL ? run->texts[JM_RUN_FIELD_JOBID]
                                                    : run->raw_id;
    default:
      return jm_run_field_holds_text (column->field) ? run->texts[column->field] : NULL;
    }
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

/* --- by name --- */

static const JmRunColumn *
find (const char *name)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (columns); i++)
    if (g_str_equal (jm_quantity_get (columns[i].quantity)->name, name))
      return &columns[i];

  return NULL;
}

/**
 * jm_run_list_quantities:
 *
 * Lists what may be known of a run by its identity, times and usage, or follows from
 * these. A report has more: see jm_quantity_list_of_runs().
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_run_list_quantities (void)
{
  GPtrArray *list = g_ptr_array_sized_new (G_N_ELEMENTS (columns));

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_ptr_array_add (list, (gpointer) jm_quantity_get (columns[i].quantity));

  return list;
}

/**
 * jm_run_set_text:
 * @self: a run
 * @quantity: the name of a text, such as `user`
 * @text: (nullable): the text; %NULL or an empty one where it is not known
 *
 * Sets a text. A text that is too long is cut, and what is not UTF-8 is replaced.
 *
 * Since: 0.1
 */
void
jm_run_set_text (JmRun *self, const char *quantity, const char *text)
{
  const JmRunColumn *column = find (quantity);

  g_return_if_fail (self != NULL);
  g_return_if_fail (column != NULL && jm_run_field_holds_text (column->field));

  jm_run_keep_text (self, column->field, text);
}

/**
 * jm_run_set_value:
 * @self: a run
 * @quantity: the name of a number that is kept of a run, such as `cpu_seconds`
 * @value: how much, in the base unit that the name ends in
 *
 * Sets a number. One that is negative or too large is not known.
 *
 * Since: 0.1
 */
void
jm_run_set_value (JmRun *self, const char *quantity, double value)
{
  const JmRunColumn *column = find (quantity);

  g_return_if_fail (self != NULL);
  g_return_if_fail (column != NULL && column->field < JM_N_RUN_FIELDS &&
                    !jm_run_field_holds_text (column->field));

  value *= jm_run_field_get_parts (column->field);
  jm_run_keep_number (self, column->field,
                      value >= 0 &&
                          value <= (double) jm_run_field_get_max (column->field)
                        ? (gint64) (value + 0.5)
                        : -1);
}

/**
 * jm_run_get_text:
 * @self: a run
 * @quantity: the name of a quantity, such as `user`
 *
 * Gets a text. The `jobid` is the job's id as its user sees it, and there is a `reason`
 * only as long as the run waits.
 *
 * Returns: (nullable): the text; %NULL where it is not known, or @quantity is a figure
 * Since: 0.1
 */
const char *
jm_run_get_text (JmRun *self, const char *quantity)
{
  const JmRunColumn *column = find (quantity);

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (column != NULL, NULL);

  return column->field == JM_RUN_FIELD_REASON ? jm_run_derived_get_reason (self)
                                              : jm_run_derived_get_text (self, column);
}

/**
 * jm_run_get_value:
 * @self: a run
 * @quantity: the name of a quantity, such as `cpu_efficiency_percent`
 * @value: (out): return location for it, in the base unit that the name ends in; a time
 *   in seconds since 1970
 *
 * Gets a figure: what is kept of the run, or what follows from that.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_run_get_value (JmRun *self, const char *quantity, double *value)
{
  JmFigure figure;

  g_return_val_if_fail (value != NULL, FALSE);

  figure = jm_run_get_figure (self, quantity);
  *value = figure.value;

  return figure.is_known;
}

/**
 * jm_run_get_figure: (skip)
 * @self: a run
 * @quantity: the name of a quantity, such as `cpu_efficiency_percent`
 *
 * Gets a figure: what is kept of the run, or what follows from that.
 *
 * Returns: the figure, in the base unit that the name ends in; absent where it is not
 *   known, or @quantity is a text
 * Since: 0.1
 */
JmFigure
jm_run_get_figure (JmRun *self, const char *quantity)
{
  const JmRunColumn *column = find (quantity);

  g_return_val_if_fail (self != NULL, (JmFigure){ 0 });
  g_return_val_if_fail (column != NULL, (JmFigure){ 0 });

  return jm_run_derived_get (self, column->quantity);
}

/**
 * jm_run_get_elapsed: (skip)
 * @self: a run
 * @now: the time, in seconds since 1970
 *
 * Gets how long it ran, or has run until @now where it is running.
 *
 * Returns: the time in seconds
 * Since: 0.1
 */
JmFigure
jm_run_get_elapsed (JmRun *self, gint64 now)
{
  const JmFigure elapsed = jm_run_derived_get (self, JM_QUANTITY_ELAPSED);
  const JmFigure start = jm_run_derived_get_figure (self, JM_RUN_FIELD_START_TIME);
  const gboolean is_running =
    g_strcmp0 (self->texts[JM_RUN_FIELD_STATE], "RUNNING") == 0 &&
    !jm_run_has (self, JM_RUN_FIELD_END_TIME);

  if (elapsed.is_known || !is_running || !start.is_known || start.value > (double) now)
    return elapsed;

  return jm_figure_known ((double) now - start.value);
}
