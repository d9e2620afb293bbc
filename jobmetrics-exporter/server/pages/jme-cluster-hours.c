/* jme-cluster-hours.c: what the jobs of a cluster had in each hour, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-cluster-parts.h"

#include "archive/jm-archive-database-private.h"
#include "base/jm-error.h"
#include "server/pages/jme-column-chart.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"

#define DAY_SECONDS 86400
#define DAY "-1d"
#define WEEK "-7d"
/* A week, and the time until the answer. */
#define MAX_SECONDS (7 * DAY_SECONDS + 60)

static const struct
{
  const char *title;
  const char *column;
  JmFormat format;
} means[JM_N_RUN_HOUR_MEANS] = {
  [JM_RUN_HOUR_CPUS] = { "CPUs allocated", "#CPUs", JM_FORMAT_RATIO },
  [JM_RUN_HOUR_MEMORY] = { "Memory allocated", "#Memory", JM_FORMAT_BYTES },
  [JM_RUN_HOUR_GPUS] = { "GPUs allocated", "#GPUs", JM_FORMAT_RATIO },
  [JM_RUN_HOUR_POWER] = { "Power of jobs", "#Power", JM_FORMAT_WATTS },
  [JM_RUN_HOUR_WAITING] = { "Jobs waiting", "#Waiting", JM_FORMAT_RATIO },
};

static void
append_chart (GString *out, GArray *hours, JmRunHourMean mean, JmFigure whole)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (JmeColumn));
  g_autofree char *all = jme_part_format (whole, means[mean].format);
  g_autofree char *title = all != NULL
                             ? g_strdup_printf ("%s, of %s", means[mean].title, all)
                             : g_strdup (means[mean].title);

  for (guint i = 0; i < hours->len; i++)
    {
      const JmRunHour *hour = &g_array_index (hours, JmRunHour, i);
      const JmeColumn column = { hour->begin, hour->means[mean] };

      g_array_append_val (columns, column);
    }
  jme_column_chart_append (out, &(JmeColumnChart){ .title = title,
                                                   .format = means[mean].format,
                                                   .step_seconds = JM_RUN_HOUR_SECONDS,
                                                   .columns = columns,
                                                   .whole = whole });
}

/* The last hour first. */
static void
append_table (GString *out, GArray *hours, guint number)
{
  g_autofree char *id = g_strdup_printf ("hours-%u", number);
  const char *titles[JM_N_RUN_HOUR_MEANS + 2] = { "Hour" };

  for (JmRunHourMean mean = 0; mean < JM_N_RUN_HOUR_MEANS; mean++)
    titles[mean + 1] = means[mean].column;

  g_string_append_printf (out,
                          "<details id=\"%s-figures\"><summary>Figures of each "
                          "hour</summary>\n",
                          id);
  jme_part_begin_table (out, id, "Means of each hour, in UTC, the last first", titles);
  for (guint i = hours->len; i > 0; i--)
    {
      const JmRunHour *hour = &g_array_index (hours, JmRunHour, i - 1);

      g_string_append (out, "<tr>");
      jme_part_append_minute_cell (out, hour->begin);
      for (JmRunHourMean mean = 0; mean < JM_N_RUN_HOUR_MEANS; mean++)
        jme_part_append_figure_cell (out, hour->means[mean], means[mean].format);
      g_string_append (out, "</tr>\n");
    }
  jme_part_end_table (out);
  g_string_append (out, "</details>\n");
}

static void
append_link (JmeAnswer *answer, const char *chosen, const char *since, const char *text)
{
  g_string_append (answer->text, "<a href=\"");
  jme_form_append_query (answer->text, answer->request, "since", since);
  g_string_append_printf (answer->text, "\"%s>%s</a>",
                          g_str_equal (chosen, since) ? " aria-current=\"true\"" : "",
                          text);
}

static void
append_periods (JmeAnswer *answer, const char *cluster)
{
  g_autofree char *since = jme_form_get_value (answer->request, "since");
  const char *chosen = since != NULL ? since : DAY;

  g_string_append (answer->text, "<nav class=\"pages\" aria-label=\"Hours of ");
  jme_html_append_escaped (answer->text, cluster);
  g_string_append (answer->text, "\">");
  append_link (answer, chosen, DAY, "Last day");
  g_string_append (answer->text, " · ");
  append_link (answer, chosen, WEEK, "Last week");
  g_string_append (answer->text, "</nav>\n");
}

/* @hours is NULL where there are too many runs. */
static void
append_hours (JmeAnswer *answer, const JmeQueueNews *news, GArray *hours, guint number)
{
  GString *out = answer->text;
  JmFigure whole[JM_N_RUN_HOUR_MEANS];

  jme_cluster_use_get_whole (news, whole);
  g_string_append (out, "<h3>By the hour</h3>\n");
  append_periods (answer, news->cluster);
  if (hours == NULL)
    {
      g_string_append (out, "<p>There are too many runs for a page.</p>\n");
      return;
    }
  g_string_append (out,
                   "<p>Hourly means of what the runs in the archive were allocated. "
                   "A run of which a figure is unknown is left out of its mean. The "
                   "energy of a run is spread evenly over its time.</p>\n"
                   "<div class=\"days\">\n");
  for (JmRunHourMean mean = 0; mean < JM_N_RUN_HOUR_MEANS; mean++)
    append_chart (out, hours, mean, whole[mean]);
  g_string_append (out, "</div>\n");
  append_table (out, hours, number);
}

gboolean
jme_cluster_hours_append (JmeAnswer *answer,
                          const JmeArchiveQuery *query,
                          const JmeQueueNews *news,
                          guint number,
                          GError **error)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const gint64 since = query->since > 0 ? query->since : now - DAY_SECONDS;
  g_autoptr (GArray) hours = NULL;
  gboolean has_more;

  if (since >= now || now - since > MAX_SECONDS)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "since: must be within the last 7 days");
      return FALSE;
    }
  hours = jm_archive_database_list_hours (answer->store, news->cluster,
                                          since - since % JM_RUN_HOUR_SECONDS, now,
                                          answer->viewer, &has_more, error);
  if (hours == NULL)
    return FALSE;
  append_hours (answer, news, has_more ? NULL : hours, number);

  return TRUE;
}
