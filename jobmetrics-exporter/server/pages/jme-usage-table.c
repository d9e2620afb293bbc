/* jme-usage-table.c: sums on pages, by day and by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-usage-table.h"

#include "server/pages/jme-chart.h"
#include "server/pages/jme-page-part.h"

#define DAY_SECONDS 86400
#define PRESET_DAYS 30
/* The greatest of more. */
#define MAX_NAMES 100
/* The last of more. */
#define MAX_DAYS 400

static const struct
{
  const char *title;
  JmUsageQuantity amount;
  JmFormat format;
} columns[] = {
  { "Runs that began", JM_USAGE_QUANTITY_RUNS, JM_FORMAT_COUNT },
  { "CPU hours given", JM_USAGE_QUANTITY_CPUS, JME_PART_HOURS },
  { "CPU hours used", JM_USAGE_QUANTITY_CPU_TIME, JME_PART_HOURS },
  { "GPU hours given", JM_USAGE_QUANTITY_GPUS, JME_PART_HOURS },
  { "Energy", JM_USAGE_QUANTITY_ENERGY, JM_FORMAT_JOULES },
  { "CO₂e", JM_USAGE_QUANTITY_EMISSIONS, JM_FORMAT_GRAMS },
};

void
jme_usage_table_set_preset_period (JmeAccountsQuery *query)
{
  if (query->until == 0)
    query->until = g_get_real_time () / G_USEC_PER_SEC + 1;
  if (query->since == 0)
    query->since = MAX (query->until - PRESET_DAYS * DAY_SECONDS, 1);
  jm_run_filter_set_period (query->filter, query->since, query->until);
}

/* --- one row --- */

gboolean
jme_usage_table_append_sum (JmeAnswer *answer, JmRunFilter *filter, GError **error)
{
  g_autoptr (GPtrArray) usages =
    jm_job_store_list_usage (answer->store, filter, JM_USAGE_GROUPS_NONE,
                             answer->viewer, error);

  if (usages == NULL)
    return FALSE;

  g_string_append (answer->text, "<dl class=\"cards\">\n");
  for (guint i = 0; usages->len > 0 && i < G_N_ELEMENTS (columns); i++)
    jme_part_append_figure_fact (answer->text, columns[i].title,
                                 jme_part_get_amount (usages->pdata[0],
                                                      columns[i].amount),
                                 columns[i].format);
  if (usages->len == 0)
    jme_part_append_fact (answer->text, "Runs", "none that you may see");
  g_string_append (answer->text, "</dl>\n");

  return TRUE;
}

/* --- rows --- */

static void
append_titles (GString *out, const char *first)
{
  g_string_append (out, "<thead><tr>");
  jme_part_append_column (out, first, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    jme_part_append_column (out, columns[i].title, TRUE);
  g_string_append (out, "</tr></thead>\n<tbody>\n");
}

static void
append_amounts (GString *out, JmUsage *usage)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    jme_part_append_figure_cell (out, jme_part_get_amount (usage, columns[i].amount),
                                 columns[i].format);
  g_string_append (out, "</tr>\n");
}

static void
append_day (GString *out, JmUsage *usage)
{
  g_autoptr (GDateTime) moment =
    g_date_time_new_from_unix_utc (jm_usage_get_day (usage));
  g_autofree char *day = g_date_time_format (moment, "%Y-%m-%d");

  g_string_append_printf (out,
                          "<tr><th scope=\"row\"><time datetime=\"%s\">%s</time></th>",
                          day, day);
  append_amounts (out, usage);
}

static int
compare_days (gconstpointer a, gconstpointer b)
{
  gint64 first = jm_usage_get_day (*(JmUsage *const *) a);
  gint64 second = jm_usage_get_day (*(JmUsage *const *) b);

  return (second > first) - (second < first);
}

static void
append_days (GString *out, GPtrArray *usages)
{
  g_ptr_array_sort (usages, compare_days);
  jme_html_begin_table (out, "days", "By day, the last first");
  append_titles (out, "Day");
  for (guint i = 0; i < MIN (usages->len, MAX_DAYS); i++)
    append_day (out, usages->pdata[i]);
  g_string_append (out, "</tbody>\n");
  jme_html_end_table (out);
}

gboolean
jme_usage_table_append_days (JmeAnswer *answer,
                             JmRunFilter *filter,
                             gboolean of_energy,
                             GError **error)
{
  GString *out = answer->text;
  g_autoptr (GPtrArray) usages =
    jm_job_store_list_usage (answer->store, filter, JM_USAGE_GROUPS_DAY, answer->viewer,
                             error);

  if (usages == NULL)
    return FALSE;
  if (usages->len == 0)
    return TRUE;

  g_string_append (out, "<h2>Days</h2>\n<div class=\"plots\">\n");
  if (!of_energy)
    jme_chart_append (out, usages, JM_USAGE_QUANTITY_CPUS, JME_PART_HOURS,
                      "CPU hours given by day");
  jme_chart_append (out, usages, JM_USAGE_QUANTITY_ENERGY, JM_FORMAT_JOULES,
                    "Energy by day");
  if (of_energy)
    jme_chart_append (out, usages, JM_USAGE_QUANTITY_EMISSIONS, JM_FORMAT_GRAMS,
                      "CO₂e by day");
  g_string_append (out, "</div>\n");
  append_days (out, usages);

  return TRUE;
}

gboolean
jme_usage_table_append_cluster (JmeAnswer *answer, const char *cluster, GError **error)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) usages = NULL;

  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_period (filter, now - PRESET_DAYS * DAY_SECONDS, now + 1);
  usages = jm_job_store_list_usage (answer->store, filter, JM_USAGE_GROUPS_DAY,
                                    answer->viewer, error);
  if (usages == NULL)
    return FALSE;
  jme_chart_append (answer->text, usages, JM_USAGE_QUANTITY_CPUS, JME_PART_HOURS,
                    "CPU hours given by day");

  return TRUE;
}

/* --- by name --- */

static const char *
get_name (JmUsage *usage, JmUsageGroups group)
{
  return group == JM_USAGE_GROUPS_USER ? jm_usage_get_user (usage)
                                       : jm_usage_get_account (usage);
}

/* By energy, then by CPUs. */
static int
compare_amounts (gconstpointer a, gconstpointer b)
{
  static const JmUsageQuantity amounts[] = { JM_USAGE_QUANTITY_ENERGY,
                                             JM_USAGE_QUANTITY_CPUS };
  int order = 0;

  for (guint i = 0; order == 0 && i < G_N_ELEMENTS (amounts); i++)
    order =
      jm_figure_compare (jme_part_get_amount (*(JmUsage *const *) a, amounts[i]),
                         jme_part_get_amount (*(JmUsage *const *) b, amounts[i]), TRUE);

  return order;
}

static void
append_name (GString *out, JmUsage *usage, JmUsageGroups group, const char *path)
{
  const char *name = get_name (usage, group);

  g_string_append (out, "<tr><th scope=\"row\">");
  if (path != NULL && name != NULL && *name != '\0')
    jme_part_append_link (out, path, name, name);
  else
    jme_html_append_escaped (out, name);
  g_string_append (out, "</th>");
  append_amounts (out, usage);
}

gboolean
jme_usage_table_append_names (JmeAnswer *answer,
                              JmRunFilter *filter,
                              JmUsageGroups group,
                              const char *title,
                              const char *path,
                              GError **error)
{
  GString *out = answer->text;
  g_autoptr (GPtrArray) usages =
    jm_job_store_list_usage (answer->store, filter, group, answer->viewer, error);
  g_autofree char *caption = NULL;

  if (usages == NULL)
    return FALSE;
  if (usages->len == 0)
    return TRUE;

  g_ptr_array_sort (usages, compare_amounts);
  caption = g_strdup_printf ("%ss, most energy first: %u of %u", title,
                             MIN (usages->len, MAX_NAMES), usages->len);
  g_string_append_printf (out, "<h2>%ss</h2>\n", title);
  jme_html_begin_table (out, group == JM_USAGE_GROUPS_USER ? "users" : "accounts",
                        caption);
  append_titles (out, title);
  for (guint i = 0; i < MIN (usages->len, MAX_NAMES); i++)
    append_name (out, usages->pdata[i], group, path);
  g_string_append (out, "</tbody>\n");
  jme_html_end_table (out);

  return TRUE;
}
