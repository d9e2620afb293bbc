/* jmc-gpu-table.c: accelerators in a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "gpus/jmc-gpu-table.h"

#include "jmc-table.h"
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
  guint n;
  const JmGpuColumn *columns = jm_gpu_columns_get (kind, &n);
  g_autofree JmcColumn *looks = g_new (JmcColumn, n);
  g_autoptr (JmcTable) table = NULL;

  for (guint i = 0; i < n; i++)
    looks[i] = (JmcColumn){ columns[i].title,
                            columns[i].is_figure ? JMC_ALIGN_RIGHT : JMC_ALIGN_LEFT };
  table = jmc_table_new (looks, n);
  jmc_table_set_indent (table, indent);
  for (guint i = 0; i < subjects->len; i++)
    for (guint column = 0; column < n; column++)
      jmc_table_take (table,
                      columns[column].format (snapshot,
                                              g_array_index (subjects, guint, i)));

  return jmc_table_render (table, width, color);
}
