/* jme-usage-table.c: sums on pages, by day and by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-usage-table.h"

#include "archive/jm-archive.h"
#include "core/jm-format.h"
#include "core/jm-quantity-private.h"
#include "core/jm-usage.h"
#include "server/pages/jme-column-chart.h"
#include "server/pages/jme-page-part.h"

/* Of which the hours are added up. */
#define MAX_RUNS 10000
#define DAY_SECONDS 86400
#define PRESET_DAYS 30
/* The greatest of more. */
#define MAX_NAMES 100
/* The last of more. */
#define MAX_DAYS 400

/* Figures of sums, and what they are called. */
#define COLUMNS                                                                        \
 "runs,allocated_cpu_seconds,cpu_seconds,allocated_gpu_seconds,energy_joules,"         \
 "emissions_grams"

static const char *const titles[] = { "Runs that began", "CPU hours given",
                                      "CPU hours used",  "GPU hours given",
                                      "Energy",          "CO₂e" };

/* --- a chart --- */

/* Of one quantity of @usages, which are of a day each, in their order. */
static void
append_chart (GString *out,
              GPtrArray *usages,
              JmUsageQuantity amount,
              JmFormat format,
              const char *title)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (JmeColumn));

  for (guint i = 0; i < usages->len; i++)
    {
      const JmeColumn column = { jm_usage_get_day (usages->pdata[i]),
                                 jme_part_get_amount (usages->pdata[i], amount) };

      g_array_append_val (columns, column);
    }
  jme_column_chart_append (out, &(JmeColumnChart){ .title = title,
                                                   .format = format,
                                                   .step_seconds = DAY_SECONDS,
                                                   .min_columns = 7,
                                                   .columns = columns });
}

/* --- one row --- */

/* @first is a quantity that stands before the figures; NULL for none. */
static JmTable *
make_table (GPtrArray *usages, const char *first)
{
  g_autofree char *names =
    first != NULL ? g_strconcat (first, "," COLUMNS, NULL) : g_strdup (COLUMNS);
  JmTable *table = jm_table_new_of_sums (names, NULL);

  for (guint i = 0; i < usages->len; i++)
    jm_table_add_usage (table, usages->pdata[i]);

  return table;
}

void
jme_usage_table_set_preset_period (JmeArchiveQuery *query)
{
  if (query->until == 0)
    query->until = g_get_real_time () / G_USEC_PER_SEC + 1;
  if (query->since == 0)
    query->since = MAX (query->until - PRESET_DAYS * DAY_SECONDS, 1);
  jm_run_filter_set_period (query->filter, query->since, query->until);
}

gboolean
jme_usage_table_append_sum (JmeAnswer *answer, JmRunFilter *filter, GError **error)
{
  g_autoptr (GPtrArray) usages =
    jm_archive_database_list_usage (answer->store, filter, JM_USAGE_GROUPS_NONE,
                                    answer->viewer, error);
  g_autoptr (JmTable) table = NULL;

  if (usages == NULL)
    return FALSE;

  table = make_table (usages, NULL);
  g_string_append (answer->text, "<dl class=\"cards\">\n");
  if (usages->len > 0)
    jme_part_append_row_as_facts (answer->text, table, titles);
  else
    jme_part_append_fact (answer->text, "Runs", "none that you may see");
  g_string_append (answer->text, "</dl>\n");

  return TRUE;
}

/* --- rows --- */

static void
append_table (GString *out,
              const char *id,
              const char *caption,
              const char *first,
              JmTable *table,
              guint max_rows,
              const char *path)
{
  jme_html_begin_table (out, id, caption);
  g_string_append (out, "<thead><tr>");
  jme_part_append_column (out, first, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    jme_part_append_column (out, titles[i], TRUE);
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  jme_part_append_rows (out, table, max_rows, path);
  jme_part_end_table (out);
}

static void
append_days (GString *out, GPtrArray *usages)
{
  g_autoptr (JmTable) table = make_table (usages, "day_start_time");

  jm_table_sort (table, "day_start_time", TRUE, NULL);
  append_table (out, "days", "By day, the last first", "Day", table, MAX_DAYS, NULL);
}

gboolean
jme_usage_table_append_days (JmeAnswer *answer,
                             JmRunFilter *filter,
                             gboolean of_energy,
                             GError **error)
{
  GString *out = answer->text;
  g_autoptr (GPtrArray) usages =
    jm_archive_database_list_usage (answer->store, filter, JM_USAGE_GROUPS_DAY,
                                    answer->viewer, error);

  if (usages == NULL)
    return FALSE;
  if (usages->len == 0)
    return TRUE;

  g_string_append (out, "<h2>Days</h2>\n<div class=\"plots\">\n");
  if (!of_energy)
    append_chart (out, usages, JM_USAGE_QUANTITY_CPUS, JME_PART_HOURS,
                  "CPU hours allocated per day");
  append_chart (out, usages, JM_USAGE_QUANTITY_ENERGY, JM_FORMAT_JOULES,
                "Energy per day");
  if (of_energy)
    append_chart (out, usages, JM_USAGE_QUANTITY_EMISSIONS, JM_FORMAT_GRAMS,
                  "CO₂e per day");
  g_string_append (out, "</div>\n");
  append_days (out, usages);

  return TRUE;
}

gboolean
jme_usage_table_append_cluster (JmeAnswer *answer, const char *cluster, GError **error)
{
  static const struct
  {
    JmUsageQuantity amount;
    JmFormat format;
    const char *title;
  } charts[] = {
    { JM_USAGE_QUANTITY_CPUS, JME_PART_HOURS, "CPU hours allocated per day" },
    { JM_USAGE_QUANTITY_CPU_TIME, JME_PART_HOURS, "CPU hours used per day" },
    { JM_USAGE_QUANTITY_GPUS, JME_PART_HOURS, "GPU hours allocated per day" },
    { JM_USAGE_QUANTITY_MEMORY, JM_FORMAT_BYTE_SECONDS, "Memory allocated per day" },
    { JM_USAGE_QUANTITY_ENERGY, JM_FORMAT_JOULES, "Energy per day" },
    { JM_USAGE_QUANTITY_RUNS, JM_FORMAT_COUNT, "Jobs started per day" },
  };
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) usages = NULL;

  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_period (filter, now - PRESET_DAYS * DAY_SECONDS, now + 1);
  usages = jm_archive_database_list_usage (answer->store, filter, JM_USAGE_GROUPS_DAY,
                                           answer->viewer, error);
  if (usages == NULL)
    return FALSE;
  g_string_append (answer->text, "<div class=\"days\">\n");
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    append_chart (answer->text, usages, charts[i].amount, charts[i].format,
                  charts[i].title);
  g_string_append (answer->text, "</div>\n");

  return TRUE;
}

/* --- by name --- */

gboolean
jme_usage_table_append_names (JmeAnswer *answer,
                              JmRunFilter *filter,
                              JmUsageGroups group,
                              const char *title,
                              const char *path,
                              GError **error)
{
  const char *name = group == JM_USAGE_GROUPS_USER ? "user" : "account";
  g_autoptr (GPtrArray) usages =
    jm_archive_database_list_usage (answer->store, filter, group, answer->viewer,
                                    error);
  g_autoptr (JmTable) table = NULL;
  g_autofree char *caption = NULL;
  g_autofree char *id = g_strconcat (name, "s", NULL);

  if (usages == NULL)
    return FALSE;
  if (usages->len == 0)
    return TRUE;

  /* of equal energy the most CPUs first */
  table = make_table (usages, name);
  jm_table_sort (table, "allocated_cpu_seconds", TRUE, NULL);
  jm_table_sort (table, "energy_joules", TRUE, NULL);
  caption = g_strdup_printf ("%ss, most energy first: %u of %u", title,
                             MIN (usages->len, MAX_NAMES), usages->len);
  g_string_append_printf (answer->text, "<h2>%ss</h2>\n", title);
  append_table (answer->text, id, caption, title, table, MAX_NAMES, path);

  return TRUE;
}

/* --- productive and lost hours --- */

static void
append_fates (GString *out, JmRunTotals *totals)
{
  static const struct
  {
    const char *title;
    JmQuantityId cpus;
    JmQuantityId gpus;
    JmFormat format;
  } rows[] = {
    { "Productive", JM_QUANTITY_CPU_PRODUCTIVE, JM_QUANTITY_GPU_PRODUCTIVE,
      JME_PART_HOURS },
    { "Idle", JM_QUANTITY_CPU_IDLE, JM_QUANTITY_GPU_IDLE, JME_PART_HOURS },
    { "Prolog or epilog", JM_QUANTITY_CPU_PROLOG_EPILOG, JM_QUANTITY_GPU_PROLOG_EPILOG,
      JME_PART_HOURS },
    { "Lost to failures", JM_QUANTITY_CPU_LOST_TO_FAILURE,
      JM_QUANTITY_GPU_LOST_TO_FAILURE, JME_PART_HOURS },
    { "Lost to preemption", JM_QUANTITY_CPU_LOST_TO_PREEMPTION,
      JM_QUANTITY_GPU_LOST_TO_PREEMPTION, JME_PART_HOURS },
    { "Lost to the time limit", JM_QUANTITY_CPU_LOST_TO_TIME_LIMIT,
      JM_QUANTITY_GPU_LOST_TO_TIME_LIMIT, JME_PART_HOURS },
    { "Not observed", JM_QUANTITY_CPU_UNOBSERVED, JM_QUANTITY_GPU_UNOBSERVED,
      JME_PART_HOURS },
    { "Productive share", JM_QUANTITY_CPU_GOODPUT, JM_QUANTITY_GPU_GOODPUT,
      JM_FORMAT_PERCENT },
  };

  jme_part_begin_table (out, "goodput",
                        "Productive is time for which the device was "
                        "busy, of runs that did not fail",
                        (const char *const[]){ "Was", "#CPU hours", "#GPU hours",
                                               NULL });
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_string_append_printf (out, "<tr><th scope=\"row\">%s</th>", rows[i].title);
      jme_part_append_total_cell (out, totals, jm_quantity_get (rows[i].cpus),
                                  rows[i].format);
      jme_part_append_total_cell (out, totals, jm_quantity_get (rows[i].gpus),
                                  rows[i].format);
      g_string_append (out, "</tr>\n");
    }
  jme_part_end_table (out);
}

/* All of its runs are read, and a part of them would be no answer. */
gboolean
jme_usage_table_append_goodput (JmeAnswer *answer,
                                const JmeArchiveQuery *query,
                                GError **error)
{
  GString *out = answer->text;
  g_autoptr (JmRunFilter) filter = jm_run_filter_copy (query->filter);
  g_autoptr (GPtrArray) totals = NULL;
  gboolean has_more;

  /* whole days, as the sums have them */
  jm_run_filter_set_period (filter, query->since - query->since % DAY_SECONDS,
                            (query->until + DAY_SECONDS - 1) / DAY_SECONDS *
                              DAY_SECONDS);
  totals = jm_archive_database_list_totals (answer->store, filter, JM_USAGE_GROUPS_NONE,
                                            MAX_RUNS, answer->viewer, &has_more, error);

  if (totals == NULL)
    return FALSE;
  if (totals->len == 0)
    return TRUE;

  g_string_append (out, "<h2>Productive and lost hours</h2>\n");
  if (has_more)
    g_string_append (out, "<p>There are too many runs for a page: choose a shorter "
                          "period, or ask <code>jobmetrics-cli usage "
                          "--goodput</code>.</p>\n");
  else
    append_fates (out, totals->pdata[0]);

  return TRUE;
}
