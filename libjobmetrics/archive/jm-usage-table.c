/* jm-usage-table.c: sums of runs out of rows of the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-usage-table-private.h"

#define MILLION 1000000

static const struct
{
  JmUsageGroups group;
  const char *column;
} groupings[] = {
  { JM_USAGE_GROUPS_CLUSTER, "(SELECT name FROM cluster WHERE id = cluster_id)" },
  { JM_USAGE_GROUPS_USER, "user_name" },
  { JM_USAGE_GROUPS_ACCOUNT, "account" },
  { JM_USAGE_GROUPS_PARTITION, "partition" },
  { JM_USAGE_GROUPS_DAY, "day" },
};

static void
append_grouping (GString *sql, JmUsageGroups groups, const char *before)
{
  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    if ((groups & groupings[i].group) != 0)
      {
        g_string_append_printf (sql, "%s%s", before,
                                groupings[i].group == JM_USAGE_GROUPS_CLUSTER
                                  ? "cluster_id"
                                  : groupings[i].column);
        before = ", ";
      }
}

void
jm_usage_table_append_columns (GString *sql, JmUsageGroups groups)
{
  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    if ((groups & groupings[i].group) != 0)
      g_string_append_printf (sql, "%s, ", groupings[i].column);
  for (guint i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    {
      const char *column = jm_usage_get_column (i);

      g_string_append (sql, i > 0 ? ", " : "");
      if (jm_usage_quantity_is_in_millionths (i))
        g_string_append_printf (sql, "sum (%s / 1000000), sum (%s %% 1000000)", column,
                                column);
      else
        g_string_append_printf (sql, "sum (%s)", column);
    }
  for (guint i = JM_N_USAGE_QUANTITIES; i < JM_N_USAGE_COLUMNS; i++)
    g_string_append_printf (sql, ", sum (%s)", jm_usage_get_column (i));
}

void
jm_usage_table_append_groups (GString *sql, JmUsageGroups groups)
{
  append_grouping (sql, groups, " GROUP BY ");
  append_grouping (sql, groups, " ORDER BY ");
}

JmUsage *
jm_usage_table_read (JmSqlStatement *row, JmUsageGroups groups)
{
  JmUsage *usage = jm_usage_new ();
  char **texts[] = { &usage->cluster, &usage->user, &usage->account,
                     &usage->partition };
  int column = 0;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if ((groups & groupings[i].group) != 0)
      *texts[i] = g_strdup (jm_sql_get_text (row, column++));
  if ((groups & JM_USAGE_GROUPS_DAY) != 0)
    jm_sql_get_number (row, column++, &usage->day);
  for (guint i = 0; i < JM_N_USAGE_QUANTITIES; i++)
    {
      jm_sql_get_number (row, column++, &usage->whole[i]);
      if (!jm_usage_quantity_is_in_millionths (i))
        continue;
      jm_sql_get_number (row, column++, &usage->millionths[i]);
      usage->whole[i] += usage->millionths[i] / MILLION;
      usage->millionths[i] %= MILLION;
    }
  for (guint i = 0; i < JM_N_USAGE_MEASURED; i++)
    jm_sql_get_number (row, column++, &usage->n_measured[i]);

  return usage;
}
