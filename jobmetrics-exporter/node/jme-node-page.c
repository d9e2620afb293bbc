/* jme-node-page.c: a plain page about this node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-page.h"

#include "jme-config.h"
#include "node/jme-energy-page.h"
#include "web/jme-html.h"

static const char head[] =
  "<!DOCTYPE html>\n"
  "<html lang=\"en\">\n"
  "<head>\n"
  "<meta charset=\"utf-8\">\n"
  "<meta name=\"viewport\" content=\"width=device-width\">\n"
  "<title>jobmetrics</title>\n"
  "<style>\n"
  "body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; "
  "padding: 0 1rem; color: #1c2430; background: #fff; }\n"
  "h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; "
  "}\n"
  "table { border-collapse: collapse; width: 100%; }\n"
  "th, td { text-align: left; padding: .3rem .8rem .3rem 0; "
  "border-bottom: 1px solid #d9dee5; vertical-align: top; }\n"
  "th { font-weight: 600; color: #566070; }\n"
  "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; "
  "padding-right: 1.2rem; white-space: nowrap; }\n"
  ".ended { color: #78818e; } .failed { color: #b3261e; }\n"
  "a { color: #0b57d0; } p { margin: .3rem 0; } .scroll { overflow-x: auto; }\n"
  "@media (prefers-color-scheme: dark) { body { background: #14181d; color: #dde3ea; } "
  "th, td { border-color: #333b45; } th { color: #9aa5b1; } a { color: #8ab4f8; } "
  ".failed { color: #f2867e; } }\n"
  "</style>\n"
  "</head>\n"
  "<body>\n";

static void
append_bytes (GString *out, JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  g_autofree char *text = NULL;
  double value;

  if (jm_snapshot_get_value (snapshot, subject, metric, &value))
    text = g_format_size_full ((guint64) value, G_FORMAT_SIZE_IEC_UNITS);
  jme_html_append_number_cell (out, text);
}

static void
append_count (GString *out, JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  g_autofree char *text = NULL;
  double value;

  if (jm_snapshot_get_value (snapshot, subject, metric, &value))
    text = g_strdup_printf ("%.0f", value);
  jme_html_append_number_cell (out, text);
}

static void
append_duration (GString *out, JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  g_autofree char *text = NULL;
  double value;

  if (jm_snapshot_get_value (snapshot, subject, metric, &value))
    text = g_strdup_printf ("%" G_GUINT64_FORMAT ":%02u:%02u", (guint64) value / 3600,
                            (guint) ((guint64) value / 60 % 60),
                            (guint) ((guint64) value % 60));
  jme_html_append_number_cell (out, text);
}

static void
append_job (GString *out, JmSnapshot *snapshot, guint subject)
{
  JmJob *job = jm_snapshot_get_job (snapshot, subject);
  gboolean has_ended = jm_snapshot_get_end_time (snapshot, subject) != 0;

  g_string_append (out, has_ended ? "<tr class=\"ended\">" : "<tr>");
  jme_html_append_cell (out, jm_job_get_id (job));
  jme_html_append_cell (out, jm_job_get_user (job));
  jme_html_append_cell (out, jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT));
  jme_html_append_cell (out, jm_job_get_field (job, JM_JOB_FIELD_NAME));
  append_count (out, snapshot, subject, JM_METRIC_CPUS);
  append_duration (out, snapshot, subject, JM_METRIC_CPU_TOTAL);
  append_bytes (out, snapshot, subject, JM_METRIC_MEMORY_USED);
  append_bytes (out, snapshot, subject, JM_METRIC_MEMORY_PEAK);
  append_bytes (out, snapshot, subject, JM_METRIC_MEMORY_LIMIT);
  append_count (out, snapshot, subject, JM_METRIC_PROCESSES);
  jme_energy_page_append_job (out, snapshot, subject);
  jme_html_append_cell (out, has_ended ? "ended" : "running");
  g_string_append (out, "</tr>\n");
}

static void
append_jobs (GString *out, JmSnapshot *snapshot)
{
  guint n_subjects = jm_snapshot_get_n_subjects (snapshot);
  guint n_jobs = 0;

  g_string_append (out,
                   "<h2>Jobs</h2>\n<div class=\"scroll\"><table>\n"
                   "<tr><th>Job</th><th>User</th><th>Account</th><th>Name</th>"
                   "<th class=\"number\">CPUs</th><th class=\"number\">CPU time</th>"
                   "<th class=\"number\">Memory</th><th class=\"number\">Peak</th>"
                   "<th class=\"number\">Limit</th><th "
                   "class=\"number\">Processes</th>");
  jme_energy_page_append_header (out);
  g_string_append (out, "<th>State</th></tr>\n");

  for (guint i = 0; i < n_subjects; i++)
    if (jm_snapshot_get_level (snapshot, i) == JM_LEVEL_JOB)
      {
        append_job (out, snapshot, i);
        n_jobs++;
      }

  g_string_append (out, "</table></div>\n");
  if (n_jobs == 0)
    g_string_append (out, "<p>No job runs on this node.</p>\n");
}

static void
append_collector (GString *out, JmSnapshot *snapshot, JmCollector collector)
{
  const GError *error = jm_snapshot_get_error (snapshot, collector);
  g_autofree char *duration = NULL;

  g_string_append (out, "<tr>");
  jme_html_append_cell (out, jm_collector_get_name (collector));
  jme_html_append_cell (out, jm_collector_get_help (collector));
  duration =
    g_strdup_printf ("%.1f ms",
                     (double) jm_snapshot_get_collector_duration (snapshot, collector) /
                       1e6);
  jme_html_append_number_cell (out, duration);
  if (error != NULL)
    {
      g_string_append (out, "<td class=\"failed\">");
      jme_html_append_escaped (out, error->message);
      g_string_append (out, "</td>");
    }
  else
    jme_html_append_cell (out, jm_snapshot_is_collected (snapshot, collector) ? "good"
                                                                              : "off");
  g_string_append (out, "</tr>\n");
}

static void
append_collectors (GString *out, JmSnapshot *snapshot)
{
  g_string_append (out, "<h2>Collectors</h2>\n<div class=\"scroll\"><table>\n"
                        "<tr><th>Name</th><th>Reads</th><th class=\"number\">Time</th>"
                        "<th>State</th></tr>\n");

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    append_collector (out, snapshot, i);

  g_string_append (out, "</table></div>\n");
}

static void
append_header (GString *out, JmSnapshot *snapshot)
{
  g_autoptr (GDateTime) time =
    g_date_time_new_from_unix_utc (jm_snapshot_get_time (snapshot) / G_USEC_PER_SEC);
  g_autofree char *text = g_date_time_format_iso8601 (time);

  g_string_append (out, "<h1>jobmetrics on ");
  jme_html_append_escaped (out, g_get_host_name ());
  g_string_append_printf (out,
                          "</h1>\n<p>As of %s, read in %.1f ms. "
                          "Version " JME_VERSION ".</p>\n"
                          "<p><a href=\"/metrics\">Metrics</a> · "
                          "<a href=\"/-/healthy\">Healthy</a> · "
                          "<a href=\"/-/ready\">Ready</a></p>\n",
                          text, (double) jm_snapshot_get_duration (snapshot) / 1e6);
}

GBytes *
jme_node_page_render (JmSnapshot *snapshot)
{
  GString *out = g_string_new (head);

  append_header (out, snapshot);
  append_jobs (out, snapshot);
  jme_energy_page_append_node (out, snapshot);
  append_collectors (out, snapshot);
  g_string_append (out, "</body>\n</html>\n");

  return g_string_free_to_bytes (out);
}
