/* jme-statistics.c: how the runs of a site fared
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include "server/jme-answer.h"
#include "server/jme-archive-query.h"
#include "server/jme-table.h"

#define STATISTICS "/api/v1/statistics"
/* The period where a request names none. */
#define PRESET_SECONDS (30 * 86400)

static const struct
{
  JmUsageGroups group;
  const char *name;
} groups[] = {
  { JM_USAGE_GROUPS_CLUSTER, "cluster" }, { JM_USAGE_GROUPS_USER, "user" },
  { JM_USAGE_GROUPS_ACCOUNT, "account" }, { JM_USAGE_GROUPS_PARTITION, "partition" },
  { JM_USAGE_GROUPS_STATE, "state" },
};

/* NULL for the head. */
static void
add_groups (JmeTable *table, JmUsageGroups kept, JmRunStatistics *row)
{
  gint64 day = row != NULL ? jm_run_statistics_get_day (row) : 0;

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if ((kept & groups[i].group) != 0)
      jme_table_add_text (table, groups[i].name,
                          row != NULL
                            ? jm_run_statistics_get_group (row, groups[i].group)
                            : NULL);
  if ((kept & JM_USAGE_GROUPS_DAY) != 0)
    jme_table_add_time (table, "day_start_time", &day);
}

static void
add_values (JmeTable *table, JmRunStatistics *row)
{
  for (JmRunStatistic i = 0; i < JM_N_RUN_STATISTICS; i++)
    {
      double value;
      gboolean is_known = row != NULL && jm_run_statistics_get_value (row, i, &value);

      jme_table_add_number (table, jm_run_statistic_get_name (i),
                            is_known ? &value : NULL);
    }
}

static void
append_rows (JmeTable *table, JmUsageGroups kept, GPtrArray *rows)
{
  jme_table_begin_head (table);
  add_groups (table, kept, NULL);
  add_values (table, NULL);
  jme_table_end_head (table);
  for (guint i = 0; i < rows->len; i++)
    {
      jme_table_begin_row (table);
      add_groups (table, kept, rows->pdata[i]);
      add_values (table, rows->pdata[i]);
      jme_table_end_row (table);
    }
}

static void
append_statistics (JmeAnswer *self, const JmeArchiveQuery *query, GPtrArray *rows)
{
  JmeTable table = {
    .text = self->text,
    .form = query->is_csv ? JME_TABLE_CSV : JME_TABLE_OBJECTS,
  };

  g_string_append (self->text, query->is_csv ? "" : "{\"statistics\": [");
  append_rows (&table, query->groups, rows);
  g_string_append (self->text, query->is_csv ? "" : "]}");
}

static void
set_preset_period (JmeArchiveQuery *query)
{
  if (query->until == 0)
    query->until = g_get_real_time () / G_USEC_PER_SEC + 1;
  if (query->since == 0)
    query->since = MAX (query->until - PRESET_SECONDS, 0);
}

static void
on_statistics (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = NULL;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  if (jme_archive_query_init (&query, request, JME_ARCHIVE_STATISTICS, &error))
    {
      set_preset_period (&query);
      rows = jm_archive_database_list_statistics (answer.store, query.filter,
                                                  query.since, query.until,
                                                  query.groups, answer.viewer, &error);
    }
  if (rows == NULL)
    {
      jme_answer_fail (&answer, error);
      return;
    }

  append_statistics (&answer, &query, rows);
  if (query.is_csv)
    jme_answer_reply_csv (&answer);
  else
    jme_answer_reply_json (&answer);
}

const JmeRoute jme_statistics_routes[] = {
  { .path = STATISTICS, JME_ANSWER_ROUTE, .handler = on_statistics },
  { NULL },
};
