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
  static const JmRunPartField fields[] = {
    JM_RUN_PART_FIELD_CPUS,      JM_RUN_PART_FIELD_GPUS_ALLOCATED,
    JM_RUN_PART_FIELD_CPU_TOTAL, JM_RUN_PART_FIELD_MEMORY_PEAK,
    JM_RUN_PART_FIELD_ENERGY,    JM_RUN_PART_FIELD_EMISSIONS,
  };
  gint64 start, end;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    take_field (figures,
                jm_quantity_get_id (jm_run_part_field_get_quantity (fields[i])), part,
                fields[i]);
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
jm_run_figures_take_device_part (JmFigures *figures, JmRunPart *part)
{
  take_field (figures, JM_QUANTITY_ENERGY, part, JM_RUN_PART_FIELD_ENERGY);
}
