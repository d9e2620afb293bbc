/* jm-run-part-figures.c: what the accounts kept of a run's nodes and accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/run/jm-run-figures-private.h"

void
jm_run_figures_take_node_part (JmFigures *figures, JmRunPart *part)
{
  static const struct
  {
    JmQuantityId quantity;
    JmRunPartField field;
    double unit;
  } fields[] = {
    { JM_QUANTITY_CPUS, JM_RUN_PART_FIELD_CPUS, 1 },
    { JM_QUANTITY_GPUS_ALLOCATED, JM_RUN_PART_FIELD_GPUS_ALLOCATED, 1 },
    { JM_QUANTITY_CPU_TOTAL, JM_RUN_PART_FIELD_CPU_TOTAL, 1e6 },
    { JM_QUANTITY_MEMORY_PEAK, JM_RUN_PART_FIELD_MEMORY_PEAK, 1 },
    { JM_QUANTITY_OBSERVED, JM_RUN_PART_FIELD_LIFE_OBSERVED, 1e4 },
    { JM_QUANTITY_ENERGY, JM_RUN_PART_FIELD_ENERGY, 1e6 },
    { JM_QUANTITY_EMISSIONS, JM_RUN_PART_FIELD_EMISSIONS, 1e6 },
  };
  gint64 number, start, end;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (jm_run_part_get_number (part, fields[i].field, &number))
      jm_figures_set (figures, fields[i].quantity,
                      jm_figure_known ((double) number / fields[i].unit));
  if (jm_run_part_get_number (part, JM_RUN_PART_FIELD_START_TIME, &start) &&
      jm_run_part_get_number (part, JM_RUN_PART_FIELD_END_TIME, &end) && end >= start)
    jm_figures_set (figures, JM_QUANTITY_ELAPSED,
                    jm_figure_known ((double) (end - start)));
}

GHashTable *
jm_run_figures_find_estimated (GPtrArray *parts)
{
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
  gint64 energy_uj;

  if (jm_run_part_get_number (part, JM_RUN_PART_FIELD_ENERGY, &energy_uj))
    jm_figures_set (figures, JM_QUANTITY_ENERGY,
                    jm_figure_known ((double) energy_uj / 1e6));
}
