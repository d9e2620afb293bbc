/* jme-api-page.c: what the server answers programs, for people
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include "server/jme-archive-query.h"
#include "server/pages/jme-page-part.h"

static const struct
{
  const char *path;
  const char *help;
} entries[] = {
  { "/api/v1/jobs", "Runs, a page at a time; each by itself behind its uuid" },
  { "/api/v1/groups", "Runs by user, account, name, partition or cluster" },
  { "/api/v1/usage", "Sums of days" },
  { "/api/v1/statistics",
    "Statistics of runs: waits, durations, efficiencies, losses" },
  { "/api/v1/suggestion", "What the next run of a job should ask for" },
  { "/api/v1/clusters", "Clusters that had runs" },
  { "/api/v1/accounts", "Accounts that had runs" },
  { "/api/v1/users", "Users who had runs" },
  { "/api/v1/partitions", "Partitions that had runs" },
  { "/api/v1/health", "Whether all is well" },
  { "/grafana", "For Grafana's JSON data sources" },
  { "/openapi.json", "All of this for programs, and what dashboards of others ask" },
  { "/metrics", "What was read, for Prometheus" },
  { "/-/healthy", "Whether the server lives" },
  { "/-/ready", "Whether everything was read" },
};

static void
append_page (GString *out)
{
  g_string_append (out, "<h1>API</h1>\n<p>For programs. Each caller sees the same runs "
                        "as on these pages.</p>\n");
  jme_part_begin_table (out, "paths", "What can be asked",
                        (const char *const[]){ "Path", "Answer", NULL });
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      g_string_append_printf (out, "<tr><th scope=\"row\"><a href=\"%s\">%s</a></th>",
                              entries[i].path, entries[i].path);
      jme_html_append_cell (out, entries[i].help);
      g_string_append (out, "</tr>\n");
    }
  jme_part_end_table (out);
}

void
jme_api_page_answer (JmeRequest *request, gpointer pages)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_ONE, &error))
    {
      jme_answer_fail (&answer, error);
      return;
    }
  append_page (answer.text);
  jme_page_reply (&answer, &(JmeHtmlPage){ .title = "API", .section = JME_PAGE_API });
}
