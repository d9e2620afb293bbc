/* jm-run-report.c: all that is known of a run, wherever it comes from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-report-private.h"

#include "core/jm-run-derived-private.h"

G_DEFINE_BOXED_TYPE (JmRunReport, jm_run_report, jm_run_report_ref, jm_run_report_unref)

static const char *const running_states[] = { "RUNNING", "SUSPENDED", "COMPLETING",
                                              "STOPPED" };

/**
 * jm_run_report_ref:
 * @self: a report
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @self
 * Since: 0.1
 */
JmRunReport *
jm_run_report_ref (JmRunReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmRunReport *self = data;

  jm_run_unref (self->run);
  g_array_unref (self->nodes);
  g_array_unref (self->gpus);
  jm_figures_free (self->figures);
  g_clear_pointer (&self->series, g_ptr_array_unref);
  g_free (self->origin);
}

/**
 * jm_run_report_unref:
 * @self: (transfer full): a report
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_run_report_unref (JmRunReport *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/* --- series --- */

gboolean
jm_run_report_wants_series (JmRunReport *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    if (jm_run_report_get_node_profile (self, i) != NULL)
      return FALSE;

  return TRUE;
}

gboolean
jm_run_report_has_records (const JmRunReport *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    if (jm_run_report_peek_node (self, i)->record != NULL)
      return TRUE;

  return FALSE;
}

void
jm_run_report_set_series (JmRunReport *self, GPtrArray *series)
{
  g_clear_pointer (&self->series, g_ptr_array_unref);
  self->series = g_ptr_array_ref (series);
}

/* --- what it has --- */

/**
 * jm_run_report_set_origin:
 * @self: a report that is not shared yet
 * @origin: (nullable): where the run was found, such as `the ledger of this node`, or
 *   %NULL for no mention
 *
 * Names the place that the report is from, for its readers.
 *
 * Since: 0.1
 */
void
jm_run_report_set_origin (JmRunReport *self, const char *origin)
{
  g_return_if_fail (self != NULL);

  g_free (self->origin);
  self->origin = g_strdup (origin);
}

/**
 * jm_run_report_get_run:
 * @self: a report
 *
 * Gets who and when the run was.
 *
 * Returns: (transfer none): the run
 * Since: 0.1
 */
JmRun *
jm_run_report_get_run (JmRunReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->run;
}

static gboolean
has_end (const JmRunReport *self)
{
  gint64 end;

  return jm_run_get_number (self->run, JM_RUN_FIELD_END_TIME, &end) && end > 0;
}

/**
 * jm_run_report_is_running:
 * @self: a report
 *
 * Finds out whether the run went on when it was last reported.
 *
 * Returns: whether it did
 * Since: 0.1
 */
gboolean
jm_run_report_is_running (JmRunReport *self)
{
  const char *state;

  g_return_val_if_fail (self != NULL, FALSE);

  if (has_end (self))
    return FALSE;

  state = jm_run_peek_text (self->run, JM_RUN_FIELD_STATE);
  for (guint i = 0; state != NULL && i < G_N_ELEMENTS (running_states); i++)
    if (g_str_has_prefix (state, running_states[i]))
      return TRUE;

  return FALSE;
}

/**
 * jm_run_report_is_whole:
 * @self: a report
 *
 * Finds out whether each node that the run was given has reported it, and its end
 * where the run has ended. What is a sum over nodes is known from them then alone.
 *
 * Returns: whether each has
 * Since: 0.1
 */
gboolean
jm_run_report_is_whole (JmRunReport *self)
{
  gint64 n_nodes;

  g_return_val_if_fail (self != NULL, FALSE);

  if (self->nodes->len == 0 ||
      (jm_run_get_number (self->run, JM_RUN_FIELD_NODES, &n_nodes) &&
       n_nodes != self->nodes->len))
    return FALSE;
  for (guint i = 0; i < self->nodes->len; i++)
    if (has_end (self) && !jm_run_report_peek_node (self, i)->has_ended)
      return FALSE;

  return TRUE;
}

static gboolean
get_value (const JmFigures *figures, const JmQuantity *quantity, double *value)
{
  const JmFigure figure = jm_figures_get (figures, jm_quantity_get_id (quantity));

  *value = figure.value;

  return figure.is_known;
}

/**
 * jm_run_report_get_value:
 * @self: a report
 * @quantity: one of jm_quantity_list_of_runs()
 * @value: (out): return location for it, in the base unit that its name ends in
 *
 * Gets a figure of the whole run.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_run_report_get_value (JmRunReport *self, const JmQuantity *quantity, double *value)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (quantity != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return get_value (self->figures, quantity, value);
}

/* Gets of how many nodes something is known, which may be fewer than the run had.
 *
 * Returns the number. */
guint
jm_run_report_get_n_nodes (JmRunReport *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->nodes->len;
}

/* Gets the name of a node.
 *
 * Returns the name; empty where it has none. */
const char *
jm_run_report_get_node_name (JmRunReport *self, guint node)
{
  g_return_val_if_fail (self != NULL && node < self->nodes->len, NULL);

  return jm_run_report_peek_node (self, node)->name;
}

/* Gets a figure of what the run had on one node.
 *
 * Returns whether it is known. */
gboolean
jm_run_report_get_node_value (JmRunReport *self,
                              guint node,
                              const JmQuantity *quantity,
                              double *value)
{
  g_return_val_if_fail (self != NULL && node < self->nodes->len, FALSE);
  g_return_val_if_fail (quantity != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return get_value (jm_run_report_peek_node (self, node)->figures, quantity, value);
}

/* Gets the run's course over time on one node.
 *
 * Returns the profile; NULL where there is none. */
JmJobProfile *
jm_run_report_get_node_profile (JmRunReport *self, guint node)
{
  JmJobRecord *record;

  g_return_val_if_fail (self != NULL && node < self->nodes->len, NULL);

  record = jm_run_report_peek_node (self, node)->record;

  return record != NULL ? jm_job_record_get_profile (record) : NULL;
}

/* Gets of how many accelerators something is known.
 *
 * Returns the number. */
guint
jm_run_report_get_n_gpus (JmRunReport *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->gpus->len;
}

/* Gets what an accelerator is called on its node.
 *
 * Returns the name, such as `nvidia0`. */
const char *
jm_run_report_get_gpu_name (JmRunReport *self, guint gpu)
{
  g_return_val_if_fail (self != NULL && gpu < self->gpus->len, NULL);

  return jm_run_report_peek_gpu (self, gpu)->name;
}

/* Gets what an accelerator is.
 *
 * Returns the model; NULL where it is not known. */
const char *
jm_run_report_get_gpu_model (JmRunReport *self, guint gpu)
{
  g_return_val_if_fail (self != NULL && gpu < self->gpus->len, NULL);

  return jm_run_report_peek_gpu (self, gpu)->model;
}

/* Gets on which node an accelerator is.
 *
 * Returns number of the node. */
guint
jm_run_report_get_gpu_node (JmRunReport *self, guint gpu)
{
  g_return_val_if_fail (self != NULL && gpu < self->gpus->len, 0);

  return jm_run_report_peek_gpu (self, gpu)->node;
}

/* Gets a figure of what the run had of one accelerator.
 *
 * Returns whether it is known. */
gboolean
jm_run_report_get_gpu_value (JmRunReport *self,
                             guint gpu,
                             const JmQuantity *quantity,
                             double *value)
{
  g_return_val_if_fail (self != NULL && gpu < self->gpus->len, FALSE);
  g_return_val_if_fail (quantity != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return get_value (jm_run_report_peek_gpu (self, gpu)->figures, quantity, value);
}

JmFigure
jm_run_report_find_figure (JmRunReport *self, JmRun *run, JmQuantityId quantity)
{
  const JmRunColumn *column =
    jm_run_column_from_name (jm_quantity_get (quantity)->name);
  JmFigure figure = { 0 };

  /* what follows from others is that of the report, so that it agrees with the verdict;
   * what is kept is that of the archive */
  if (self != NULL && (column == NULL || column->field == JM_N_RUN_FIELDS))
    figure = jm_figures_get (self->figures, quantity);

  return figure.is_known || column == NULL ? figure
                                           : jm_run_derived_get (run, quantity);
}
