/* jm-run-part-figures.c: what the archive kept of a run's nodes and accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-figures-private.h"

#include "core/jm-run-part-private.h"

static void
take_figure (JmFigures *figures, JmQuantityId quantity, JmFigure figure)
{
  if (figure.is_known)
    jm_figures_set (figures, quantity, figure);
}

void
jm_run_figures_take_node_part (JmFigures *figures, JmRunPart *part)
{
  guint n;
  const JmRunQuantity *quantities = jm_quantity_get_run_quantities (&n);
  const JmFigure start = jm_run_part_peek_figure (part, JM_QUANTITY_START_TIME);
  const JmFigure end = jm_run_part_peek_figure (part, JM_QUANTITY_END_TIME);

  for (guint i = 0; i < n; i++)
    take_figure (figures, quantities[i].id,
                 jm_run_part_peek_figure (part, quantities[i].id));
  take_figure (figures, JM_QUANTITY_OBSERVED,
               jm_run_part_peek_figure (part, JM_QUANTITY_LIFE_OBSERVED));
  if (start.is_known && end.is_known && end.value >= start.value)
    jm_figures_set (figures, JM_QUANTITY_ELAPSED,
                    jm_figure_known (end.value - start.value));
}

GHashTable *
jm_run_figures_find_estimated (JmRun *run)
{
  GPtrArray *parts = jm_run_get_parts (run, JM_RUN_PART_KIND_ENERGY);
  GHashTable *nodes = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < parts->len; i++)
    {
      JmRunPart *part = parts->pdata[i];
      const char *quality = jm_run_part_peek_text (part, JM_QUANTITY_ENERGY_QUALITY);
      const char *node = jm_run_part_peek_text (part, JM_QUANTITY_NODE);

      if (quality != NULL && !g_str_equal (quality, "measured") &&
          jm_run_part_peek_figure (part, JM_QUANTITY_ENERGY).is_known)
        g_hash_table_add (nodes, (gpointer) (node != NULL ? node : ""));
    }

  return nodes;
}

void
jm_run_figures_take_device_part (JmFigures *figures, JmRunPart *part, JmFigure elapsed)
{
  jm_run_figures_take_gpu_use (figures,
                               jm_run_part_peek_figure (part, JM_QUANTITY_GPU_BUSY),
                               jm_run_part_peek_figure (part, JM_QUANTITY_GPU_OBSERVED),
                               elapsed);
  jm_run_figures_take_gpu_memory (
    figures, jm_run_part_peek_figure (part, JM_QUANTITY_GPU_MEMORY_PEAK),
    jm_run_part_peek_figure (part, JM_QUANTITY_GPU_MEMORY_SIZE));
  take_figure (figures, JM_QUANTITY_ENERGY,
               jm_run_part_peek_figure (part, JM_QUANTITY_ENERGY));
}
