/* jm-run-report-make.c: a run's report, out of the run, its parts and its nodes'
 * records
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-natural-order-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-record-private.h"
#include "judge/jm-run-figures-private.h"

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
  const char *name = jm_run_part_peek_text (part, JM_QUANTITY_NODE);
  JmRunReportNode *node = jm_run_report_add_node (self, name != NULL ? name : "");

  node->has_ended =
    jm_run_part_peek (part, JM_QUANTITY_END_TIME) != JM_RUN_PART_UNKNOWN;
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
      const char *name = jm_run_part_peek_text (part, JM_QUANTITY_NAME);
      const char *node = jm_run_part_peek_text (part, JM_QUANTITY_NODE);
      const char *model = jm_run_part_peek_text (part, JM_QUANTITY_GPU_MODEL);
      const JmRunReportNode wanted = { .name = (char *) node };
      JmRunReportGpu *gpu;
      guint place;

      if (node == NULL ||
          !g_array_binary_search (self->nodes, &wanted, compare_nodes, &place))
        continue;
      gpu = jm_run_report_add_gpu (self, place, name != NULL ? name : "");
      gpu->model = g_strdup (model);
      jm_run_figures_take_device_part (
        gpu->figures, part,
        jm_figures_get (jm_run_report_peek_node_figures (self, place),
                        JM_QUANTITY_ELAPSED));
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
  own =
    records != NULL ? g_ptr_array_ref (records) : jm_run_record_unpack_all (self->run);
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
