/* jme-server-page.c: what the server answers, for people
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-page.h"

#include "jme-config.h"
#include "web/jme-html.h"

static const struct
{
  const char *path;
  const char *help;
} entries[] = {
  { "/api/v1/jobs", "Runs, a page at a time; each by itself behind its uuid" },
  { "/api/v1/usage", "Sums of days" },
  { "/api/v1/statistics", "How runs fared: waits, durations, efficiencies, losses" },
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

GBytes *
jme_server_page_render (void)
{
  GString *out = g_string_new (NULL);

  jme_html_begin_page (out, "The accounts of a site");
  g_string_append (out, "<h1>jobmetrics: the accounts of a site</h1>\n"
                        "<p>Version " JME_VERSION ". Who you are decides what you see."
                        "</p>\n<table>\n<tr><th>Path</th><th>Answer</th></tr>\n");
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      g_string_append_printf (out, "<tr><td><a href=\"%s\">%s</a></td>",
                              entries[i].path, entries[i].path);
      jme_html_append_cell (out, entries[i].help);
      g_string_append (out, "</tr>\n");
    }
  g_string_append (out, "</table>\n");
  jme_html_end_page (out);

  return g_string_free_to_bytes (out);
}
