/* jme-node-page.c: a plain page about this node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-page.h"

#include "jme-config.h"
#include "node/jme-energy-page.h"
#include "node/jme-gpu-page.h"
#include "report/jm-field.h"
#include "web/jme-html.h"

/* Columns of the jobs, by the names of their fields. */
static const char *const columns[] = {
  "jobid", "user",      "account", "name", "cpus",  "cpu_time", "eff", "mem",
  "peak",  "mem_limit", "procs",   "age",  "watts", "energy",   "co2", "state",
};

static void
append_field (GString *out, const JmField *field, JmSnapshot *snapshot, guint subject)
{
  g_autofree char *text = jm_field_format (field, snapshot, subject);

  if (field->quantity->format == JM_FORMAT_TEXT)
    jme_html_append_cell (out, text);
  else
    jme_html_append_number_cell (out, text);
}

static void
append_job (GString *out, JmSnapshot *snapshot, guint subject)
{
  gboolean has_ended = jm_snapshot_get_end_time (snapshot, subject) != 0;

  g_string_append (out, has_ended ? "<tr class=\"ended\">" : "<tr>");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    append_field (out, jm_field_from_name (columns[i]), snapshot, subject);
  g_string_append (out, "</tr>\n");
}

static void
append_titles (GString *out)
{
  g_string_append (out, "<tr>");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const JmQuantity *quantity = jm_field_from_name (columns[i])->quantity;
      const char *number =
        quantity->format != JM_FORMAT_TEXT ? " class=\"number\"" : "";

      g_string_append_printf (out, "<th scope=\"col\"%s title=\"", number);
      jme_html_append_escaped (out, quantity->help);
      g_string_append (out, "\">");
      jme_html_append_escaped (out, quantity->heading);
      g_string_append (out, "</th>");
    }
  g_string_append (out, "</tr>\n");
}

static void
append_jobs (GString *out, JmSnapshot *snapshot)
{
  guint n_subjects = jm_snapshot_get_n_subjects (snapshot);
  guint n_jobs = 0;

  g_string_append (out, "<h2>Jobs</h2>\n");
  jme_html_begin_table (out, "jobs", "Jobs on this node, and those that ended lately");
  append_titles (out);

  for (guint i = 0; i < n_subjects; i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB)
      {
        append_job (out, snapshot, i);
        n_jobs++;
      }

  jme_html_end_table (out);
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
  g_string_append (out, "<h2>Collectors</h2>\n");
  jme_html_begin_table (out, "collectors", "What is read, and how that went");
  g_string_append (out, "<tr><th scope=\"col\">Name</th><th scope=\"col\">Reads</th>"
                        "<th scope=\"col\" class=\"number\">Time</th>"
                        "<th scope=\"col\">State</th></tr>\n");

  for (guint i = 0; i < JM_N_NODE_COLLECTORS; i++)
    append_collector (out, snapshot, i);

  jme_html_end_table (out);
}

static void
append_header (GString *out, JmSnapshot *snapshot, const char *metrics_path)
{
  g_autoptr (GDateTime) time =
    g_date_time_new_from_unix_utc (jm_snapshot_get_time (snapshot) / G_USEC_PER_SEC);
  g_autofree char *text = g_date_time_format_iso8601 (time);

  g_string_append (out, "<h1>jobmetrics on ");
  jme_html_append_escaped (out, g_get_host_name ());
  g_string_append_printf (out,
                          "</h1>\n<p>As of %s, read in %.1f ms. "
                          "Version " JME_VERSION ".</p>\n"
                          "<p><a href=\"%s\">Metrics</a> · "
                          "<a href=\"/-/healthy\">Healthy</a> · "
                          "<a href=\"/-/ready\">Ready</a></p>\n",
                          text, (double) jm_snapshot_get_duration (snapshot) / 1e6,
                          metrics_path);
}

static void
begin (GString *out)
{
  g_autofree char *title = g_strdup_printf ("Node %s", g_get_host_name ());

  jme_html_begin_page (out, title);
}

GBytes *
jme_node_page_render (JmSnapshot *before,
                      JmSnapshot *snapshot,
                      const char *metrics_path)
{
  GString *out = g_string_new (NULL);

  begin (out);
  append_header (out, snapshot, metrics_path);
  append_jobs (out, snapshot);
  jme_gpu_page_append (out, snapshot);
  jme_energy_page_append (out, before, snapshot);
  append_collectors (out, snapshot);
  jme_html_end_page (out);

  return g_string_free_to_bytes (out);
}
