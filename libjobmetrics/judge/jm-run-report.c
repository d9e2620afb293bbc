/* jm-run-report.c: all that is known of a run, wherever it was told
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-report-private.h"

#include <string.h>

#include "core/jm-natural-order.h"
#include "core/jm-run-record-private.h"
#include "judge/jm-run-figures-private.h"

G_DEFINE_BOXED_TYPE (JmRunReport, jm_run_report, jm_run_report_ref, jm_run_report_unref)

static const char *const running_states[] = { "RUNNING", "SUSPENDED", "COMPLETING",
                                              "STOPPED" };

/* --- making one --- */

static void
clear_node (gpointer data)
{
  JmRunReportNode *node = data;

  g_free (node->name);
  g_clear_pointer (&node->record, jm_job_record_unref);
  jm_figures_free (node->figures);
}

static void
clear_gpu (gpointer data)
{
  JmRunReportGpu *gpu = data;

  g_free (gpu->name);
  g_free (gpu->model);
  jm_figures_free (gpu->figures);
}

static GArray *
make_array (gsize size, GDestroyNotify clear_func)
{
  GArray *array = g_array_new (FALSE, TRUE, (guint) size);

  g_array_set_clear_func (array, clear_func);

  return array;
}

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  const JmRunReportNode *one = a;
  const JmRunReportNode *other = b;

  return jm_natural_order_compare (one->name, other->name);
}

JmRunReportNode *
jm_run_report_add_node (JmRunReport *self, const char *name)
{
  const JmRunReportNode node = { .name = g_strdup (name),
                                 .figures = jm_figures_new () };

  g_array_append_val (self->nodes, node);

  return jm_run_report_peek_node (self, self->nodes->len - 1);
}

JmRunReportGpu *
jm_run_report_add_gpu (JmRunReport *self, guint node, const char *name)
{
  const JmRunReportGpu gpu = { .name = g_strdup (name),
                               .node = node,
                               .figures = jm_figures_new () };

  g_array_append_val (self->gpus, gpu);

  return jm_run_report_peek_gpu (self, self->gpus->len - 1);
}

static void
take_record (JmRunReport *self, JmJobRecord *record)
{
  JmRunReportNode *node =
    jm_run_report_add_node (self, jm_run_record_get_node (record));

  node->record = jm_job_record_ref (record);
  node->has_ended = jm_job_record_get_state (record) != JM_RUN_STATE_RUNNING;
}

static void
mark_estimated (JmFigures *figures, JmQuantityId quantity)
{
  JmFigure figure = jm_figures_get (figures, quantity);

  figure.is_estimated = TRUE;
  jm_figures_set (figures, quantity, figure);
}

/* Where no record is kept any more, what was kept of its figures. */
static void
take_node_part (JmRunReport *self, JmRunPart *part, GHashTable *estimated)
{
  const char *name = jm_run_part_get_text (part, JM_RUN_PART_FIELD_NODE);
  JmRunReportNode *node = jm_run_report_add_node (self, name != NULL ? name : "");
  gint64 end;

  node->has_ended = jm_run_part_get_number (part, JM_RUN_PART_FIELD_END_TIME, &end);
  jm_run_figures_take_node_part (node->figures, part);
  if (g_hash_table_contains (estimated, node->name))
    {
      mark_estimated (node->figures, JM_QUANTITY_ENERGY);
      mark_estimated (node->figures, JM_QUANTITY_EMISSIONS);
    }
}

static void
take_nodes (JmRunReport *self, GPtrArray *records)
{
  GPtrArray *parts = jm_run_get_parts (self->run, JM_RUN_PART_KIND_NODE);
  g_autoptr (GHashTable) estimated = jm_run_figures_find_estimated (self->run);

  for (guint i = 0; records != NULL && i < records->len; i++)
    take_record (self, records->pdata[i]);
  if (self->nodes->len == 0)
    for (guint i = 0; i < parts->len; i++)
      take_node_part (self, parts->pdata[i], estimated);
  g_array_sort (self->nodes, compare_nodes);
}

/* Where no record is kept any more, what was kept of the accelerators of its nodes. */
static void
take_device_parts (JmRunReport *self)
{
  GPtrArray *parts = jm_run_get_parts (self->run, JM_RUN_PART_KIND_DEVICE);

  for (guint i = 0; i < parts->len; i++)
    {
      JmRunPart *part = parts->pdata[i];
      const char *name = jm_run_part_get_text (part, JM_RUN_PART_FIELD_NAME);
      const char *node = jm_run_part_get_text (part, JM_RUN_PART_FIELD_NODE);
      const char *model = jm_run_part_get_text (part, JM_RUN_PART_FIELD_GPU_MODEL);
      const JmRunReportNode wanted = { .name = (char *) node };
      JmRunReportGpu *gpu;
      guint place;

      if (node == NULL ||
          !g_array_binary_search (self->nodes, &wanted, compare_nodes, &place))
        continue;
      gpu = jm_run_report_add_gpu (self, place, name != NULL ? name : "");
      gpu->model = g_strdup (model);
      jm_run_figures_take_device_part (gpu->figures, part);
    }
}

static void
take_gpus (JmRunReport *self, guint node)
{
  const JmRunReportNode *known = jm_run_report_peek_node (self, node);
  JmSnapshot *snapshot = jm_job_record_get_snapshot (known->record);
  guint n_subjects = jm_snapshot_get_n_subjects (snapshot);

  for (guint i = 0; i < n_subjects; i++)
    {
      JmRunReportGpu *gpu;

      if (jm_snapshot_get_kind (snapshot, i) != JM_SUBJECT_KIND_JOB_GPU)
        continue;
      gpu = jm_run_report_add_gpu (self, node, jm_snapshot_get_gpu (snapshot, i));
      gpu->model =
        g_strdup (jm_snapshot_get_gpu_field (snapshot, i, JM_GPU_FIELD_MODEL));
      jm_run_figures_take_gpu (gpu->figures, snapshot, i,
                               jm_figures_get (known->figures, JM_QUANTITY_ELAPSED));
    }
}

/* What its nodes' records are worth that were read with the run; one that is broken is
 * none. */
static GPtrArray *
unpack_records (JmRun *run)
{
  GPtrArray *parts = jm_run_get_parts (run, JM_RUN_PART_KIND_RECORD);
  GPtrArray *records =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);

  for (guint i = 0; i < parts->len; i++)
    {
      JmJobRecord *record = jm_run_part_get_record (parts->pdata[i], NULL);

      if (record != NULL)
        g_ptr_array_add (records, record);
    }

  return records;
}

static JmRun *
make_run (GPtrArray *records)
{
  return records != NULL && records->len > 0
           ? jm_run_record_to_run (records->pdata[0], NULL)
           : jm_run_new ("", "");
}

/**
 * jm_run_report_new:
 * @run: (nullable): what a site's archive has of it, with its parts; %NULL where only
 *   nodes know of it
 * @records: (nullable) (element-type JmJobRecord): what the ledgers of its nodes have,
 *   one for each node; %NULL for those among the parts of @run
 *
 * Puts together what is known of a run. A sum over its nodes is known where all of them
 * are.
 *
 * Returns: (transfer full): the report
 * Since: 0.1
 */
JmRunReport *
jm_run_report_new (JmRun *run, GPtrArray *records)
{
  JmRunReport *self = g_atomic_rc_box_new0 (JmRunReport);
  g_autoptr (GPtrArray) own = NULL;

  self->run = run != NULL ? jm_run_ref (run) : make_run (records);
  own = records != NULL ? g_ptr_array_ref (records) : unpack_records (self->run);
  self->nodes = make_array (sizeof (JmRunReportNode), clear_node);
  self->gpus = make_array (sizeof (JmRunReportGpu), clear_gpu);
  self->figures = jm_figures_new ();
  take_nodes (self, own);
  for (guint i = 0; i < self->nodes->len; i++)
    if (jm_run_report_peek_node (self, i)->record != NULL)
      {
        jm_run_figures_take_node (self, i);
        take_gpus (self, i);
      }
  if (own->len == 0)
    take_device_parts (self);
  jm_run_figures_take_run (self);

  return self;
}

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

/* --- what it tells --- */

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
 * Finds out whether the run went on when it was last told of.
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

  state = jm_run_get_text (self->run, JM_RUN_FIELD_STATE);
  for (guint i = 0; state != NULL && i < G_N_ELEMENTS (running_states); i++)
    if (g_str_has_prefix (state, running_states[i]))
      return TRUE;

  return FALSE;
}

/**
 * jm_run_report_is_whole:
 * @self: a report
 *
 * Finds out whether each node that the run was given has told of it, and of its end
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

/**
 * jm_run_report_get_n_nodes:
 * @self: a report
 *
 * Gets of how many nodes something is known, which may be fewer than the run had.
 *
 * Returns: the number
 * Since: 0.1
 */
guint
jm_run_report_get_n_nodes (JmRunReport *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->nodes->len;
}

/**
 * jm_run_report_get_node_name:
 * @self: a report
 * @node: number of a node, from 0 on
 *
 * Gets the name of a node.
 *
 * Returns: the name; empty where it has none
 * Since: 0.1
 */
const char *
jm_run_report_get_node_name (JmRunReport *self, guint node)
{
  g_return_val_if_fail (self != NULL && node < self->nodes->len, NULL);

  return jm_run_report_peek_node (self, node)->name;
}

/**
 * jm_run_report_get_node_value:
 * @self: a report
 * @node: number of a node, from 0 on
 * @quantity: one of jm_quantity_list_of_runs()
 * @value: (out): return location for it, in the base unit that its name ends in
 *
 * Gets a figure of what the run had on one node.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
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

/**
 * jm_run_report_get_node_profile:
 * @self: a report
 * @node: number of a node, from 0 on
 *
 * Gets the run's course over time on one node.
 *
 * Returns: (transfer none) (nullable): the profile; %NULL where there is none
 * Since: 0.1
 */
JmJobProfile *
jm_run_report_get_node_profile (JmRunReport *self, guint node)
{
  JmJobRecord *record;

  g_return_val_if_fail (self != NULL && node < self->nodes->len, NULL);

  record = jm_run_report_peek_node (self, node)->record;

  return record != NULL ? jm_job_record_get_profile (record) : NULL;
}

/**
 * jm_run_report_get_n_gpus:
 * @self: a report
 *
 * Gets of how many accelerators something is known.
 *
 * Returns: the number
 * Since: 0.1
 */
guint
jm_run_report_get_n_gpus (JmRunReport *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->gpus->len;
}

/**
 * jm_run_report_get_gpu_name:
 * @self: a report
 * @gpu: number of an accelerator, from 0 on
 *
 * Gets what an accelerator is called on its node.
 *
 * Returns: the name, such as `nvidia0`
 * Since: 0.1
 */
const char *
jm_run_report_get_gpu_name (JmRunReport *self, guint gpu)
{
  g_return_val_if_fail (self != NULL && gpu < self->gpus->len, NULL);

  return jm_run_report_peek_gpu (self, gpu)->name;
}

/**
 * jm_run_report_get_gpu_model:
 * @self: a report
 * @gpu: number of an accelerator, from 0 on
 *
 * Gets what an accelerator is.
 *
 * Returns: (nullable): the model; %NULL where it is not known
 * Since: 0.1
 */
const char *
jm_run_report_get_gpu_model (JmRunReport *self, guint gpu)
{
  g_return_val_if_fail (self != NULL && gpu < self->gpus->len, NULL);

  return jm_run_report_peek_gpu (self, gpu)->model;
}

/**
 * jm_run_report_get_gpu_node:
 * @self: a report
 * @gpu: number of an accelerator, from 0 on
 *
 * Gets on which node an accelerator is.
 *
 * Returns: number of the node
 * Since: 0.1
 */
guint
jm_run_report_get_gpu_node (JmRunReport *self, guint gpu)
{
  g_return_val_if_fail (self != NULL && gpu < self->gpus->len, 0);

  return jm_run_report_peek_gpu (self, gpu)->node;
}

/**
 * jm_run_report_get_gpu_value:
 * @self: a report
 * @gpu: number of an accelerator, from 0 on
 * @quantity: one of jm_quantity_list_of_runs()
 * @value: (out): return location for it, in the base unit that its name ends in
 *
 * Gets a figure of what the run had of one accelerator.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
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
