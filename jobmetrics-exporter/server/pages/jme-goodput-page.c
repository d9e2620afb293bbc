/* jme-goodput-page.c: productive, idle and lost hours on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include "archive/jm-archive.h"
#include "server/jme-archive-query.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-usage-table.h"

/* Which are read for one answer, in some 3 s. */
#define MAX_RUNS 100000
/* The greatest of more. */
#define MAX_ROWS 400

static const struct
{
  JmUsageGroups group;
  const char *name;
  const char *title;
  const char *path; /* of a page about one; NULL for none */
} groupings[] = {
  { JM_USAGE_GROUPS_ACCOUNT, "account", "Account", JME_PAGE_ACCOUNT },
  { JM_USAGE_GROUPS_USER, "user", "User", JME_PAGE_JOBS "?user=" },
  { JM_USAGE_GROUPS_PARTITION, "partition", "Partition", JME_PAGE_JOBS "?partition=" },
  { JM_USAGE_GROUPS_NODE, "node", "Node", JME_PAGE_JOBS "?node=" },
  { JM_USAGE_GROUPS_CLUSTER, "cluster", "Cluster", JME_PAGE_JOBS "?cluster=" },
  { JM_USAGE_GROUPS_MONTH, "month", "Month", NULL },
};

static guint
find_grouping (JmUsageGroups groups)
{
  for (guint i = 1; i < G_N_ELEMENTS (groupings); i++)
    if (groupings[i].group == groups)
      return i;

  return 0;
}

/* Nothing where no such device was given. */
static void
append_device (GString *out,
               GPtrArray *totals,
               guint grouping,
               const char *device,
               const char *title)
{
  static const char *const titles[] = {
    "Given",     "Productive", "Idle",         "Prolog or epilog", "Failed",
    "Preempted", "Time limit", "Not observed", "Productive share",
  };
  g_autofree char *names =
    g_strdup_printf ("%s,allocated_%s_seconds,%s_productive_seconds,%s_idle_seconds,"
                     "%s_prolog_epilog_seconds,%s_lost_to_failure_seconds,"
                     "%s_lost_to_preemption_seconds,%s_lost_to_time_limit_seconds,"
                     "%s_unobserved_seconds,%s_goodput_percent",
                     groupings[grouping].name, device, device, device, device, device,
                     device, device, device, device);
  g_autofree char *allocated = g_strdup_printf ("allocated_%s_seconds", device);
  g_autofree char *caption =
    g_strdup_printf ("%s hours, the most first: %u of %u", title,
                     MIN (totals->len, MAX_ROWS), totals->len);
  g_autofree char *id = g_strconcat (device, "-hours", NULL);
  g_autoptr (JmTable) table = jm_table_new_of_sums (names, NULL);
  double greatest;

  for (guint i = 0; i < totals->len; i++)
    jm_table_add_totals (table, totals->pdata[i]);
  jm_table_sort (table, allocated, TRUE, NULL);
  if (!jm_table_get_value (table, 0, 1, &greatest) || greatest <= 0)
    return;

  g_string_append_printf (out, "<h2>%s hours</h2>\n", title);
  jme_html_begin_table (out, id, caption);
  g_string_append (out, "<thead><tr>");
  jme_part_append_column (out, groupings[grouping].title, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    jme_part_append_column (out, titles[i], TRUE);
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  jme_part_append_rows (out, table, MAX_ROWS, groupings[grouping].path);
  jme_part_end_table (out);
}

/* All of its runs are read, and a part of them would be no answer. */
static gboolean
append_hours (JmeAnswer *answer, const JmeArchiveQuery *query, GError **error)
{
  const guint grouping = find_grouping (query->groups);
  gboolean has_more;
  g_autoptr (GPtrArray) totals =
    jm_archive_database_list_totals (answer->store, query->filter,
                                     groupings[grouping].group, MAX_RUNS,
                                     answer->viewer, &has_more, error);

  if (totals == NULL)
    return FALSE;

  if (has_more)
    g_string_append (answer->text,
                     "<p>There are too many runs for a page: choose a shorter period "
                     "or a cluster, or run <code>jobmetrics-cli usage "
                     "--goodput</code>.</p>\n");
  else if (totals->len == 0)
    g_string_append (answer->text,
                     "<p>No run that you may see ran in this period.</p>\n");
  else
    {
      append_device (answer->text, totals, grouping, "cpu", "CPU");
      append_device (answer->text, totals, grouping, "gpu", "GPU");
    }

  return TRUE;
}

static gboolean
append_page (JmeAnswer *answer, JmeArchiveQuery *query, GError **error)
{
  JmeFormChoice choices[G_N_ELEMENTS (groupings)];

  jme_usage_table_set_preset_period (query);
  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    choices[i] = (JmeFormChoice){ groupings[i].name, groupings[i].title };
  g_string_append (answer->text,
                   "<h1>Productive and lost hours</h1>\n"
                   "<p>All runs that you may see, by default of the last 30 days. "
                   "Each second of allocated time counts in one column only. "
                   "Productive: the device was busy, in a run that ended well, was "
                   "cancelled or still runs.</p>\n");

  return jme_form_append_with_groups (answer, JME_FORM_PERIOD | JME_FORM_CLUSTER,
                                      choices, G_N_ELEMENTS (choices), error) &&
         append_hours (answer, query, error);
}

void
jme_goodput_page_answer (JmeRequest *request, gpointer pages)
{
  static const JmeHtmlLink above[] = { { JME_PAGE_ACCOUNTS, "Accounts" }, { NULL } };
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_PAGE_OF_HOURS, &error) ||
      !append_page (&answer, &query, &error))
    jme_answer_fail (&answer, error);
  else
    jme_page_reply (&answer, &(JmeHtmlPage){ .title = "Productive and lost hours",
                                             .section = JME_PAGE_ACCOUNTS,
                                             .above = above });
}
