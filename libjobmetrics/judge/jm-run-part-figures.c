/* jm-run-part-figures.c: what the archive kept of a run's nodes and accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-figures-private.h"

#include "core/jm-run-part-private.h"

static void
take_field (JmFigures *figures,
            JmQuantityId quantity,
            JmRunPart *part,
            JmRunPartField field)
{
  JmFigure figure = jm_run_part_get_figure (part, field);

  if (figure.is_known)
    jm_figures_set (figures, quantity, figure);
}

void
jm_run_figures_take_node_part (JmFigures *figures, JmRunPart *part)
{
  guint n;
  const JmRunQuantity *quantities = jm_quantity_get_run_quantities (&n);
  JmRunPartField field;
  gint64 start, end;

  for (guint i = 0; i < n; i++)
    if (jm_run_part_kind_find (JM_RUN_PART_KIND_NODE, quantities[i].id, &field))
      take_field (figures, quantities[i].id, part, field);
  take_field (figures, JM_QUANTITY_OBSERVED, part, JM_RUN_PART_FIELD_LIFE_OBSERVED);
  if (jm_run_part_get_number (part, JM_RUN_PART_FIELD_START_TIME, &start) &&
      jm_run_part_get_number (part, JM_RUN_PART_FIELD_END_TIME, &end) && end >= start)
    jm_figures_set (figures, JM_QUANTITY_ELAPSED,
                    jm_figure_known ((double) (end - start)));
}

GHashTable *
jm_run_figures_find_estimated (JmRun *run)
{
  GPtrArray *parts = jm_run_get_parts (run, JM_RUN_PART_KIND_ENERGY);
  GHashTable *nodes = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 energy_uj;

  for (guint i = 0; i < parts->len; i++)
    {
      JmRunPart *part = parts->pdata[i];
      const char *quality =
        jm_run_part_get_text (part, JM_RUN_PART_FIELD_ENERGY_QUALITY);
      const char *node = jm_run_part_get_text (part, JM_RUN_PART_FIELD_NODE);

      if (quality != NULL && !g_str_equal (quality, "measured") &&
          jm_run_part_get_number (part, JM_RUN_PART_FIELD_ENERGY, &energy_uj))
        g_hash_table_add (nodes, (gpointer) (node != NULL ? node : ""));
    }

  return nodes;
}

void
jm_run_figures_take_device_part (JmFigures *figures, JmRunPart *part, JmFigure elapsed)
{
  jm_run_figures_take_gpu_use (figures,
                               jm_run_part_get_figure (part,
                                                       JM_RUN_PART_FIELD_GPU_BUSY),
                               jm_run_part_get_figure (part,
                                                       JM_RUN_PART_FIELD_GPU_OBSERVED),
                               elapsed);
  jm_run_figures_take_gpu_memory (
    figures, jm_run_part_get_figure (part, JM_RUN_PART_FIELD_GPU_MEMORY_PEAK),
    jm_run_part_get_figure (part, JM_RUN_PART_FIELD_GPU_MEMORY_SIZE));
  take_field (figures, JM_QUANTITY_ENERGY, part, JM_RUN_PART_FIELD_ENERGY);
}
