/* jmc-gpu-table.c: accelerators in a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "gpus/jmc-gpu-table.h"

#include "base/jm-text-table-private.h"
#include "report/jm-gpu-columns-private.h"

/* A row for each of @subjects (guint), which are of that kind. */
char *
jmc_gpu_table_render (JmSnapshot *snapshot,
                      JmSubjectKind kind,
                      GArray *subjects,
                      guint indent,
                      guint width,
                      gboolean color)
{
  g_autoptr (GArray) looks = g_array_new (FALSE, FALSE, sizeof (JmTextColumn));
  g_autoptr (JmTextTable) table = NULL;
  const JmGpuColumn *column;

  for (guint i = 0; (column = jm_gpu_columns_get (kind, i)) != NULL; i++)
    {
      const JmTextColumn look = { jm_quantity_get (column->quantity)->heading,
                                  column->is_figure ? JM_TEXT_ALIGN_RIGHT
                                                    : JM_TEXT_ALIGN_LEFT };

      g_array_append_val (looks, look);
    }
  table = jm_text_table_new (&g_array_index (looks, JmTextColumn, 0), looks->len);
  jm_text_table_set_indent (table, indent);
  for (guint k = 0; k < subjects->len; k++)
    for (guint i = 0; (column = jm_gpu_columns_get (kind, i)) != NULL; i++)
      jm_text_table_take (table,
                          jm_gpu_column_format (column, snapshot,
                                                g_array_index (subjects, guint, k)));

  return jm_text_table_render (table, width, color);
}
