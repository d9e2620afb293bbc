/* jme-cluster-page.c: a plain page about clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "cluster/jme-cluster-answers.h"

#include "core/jm-format.h"
#include "jme-config.h"
#include "schedulers/jm-scheduler-report.h"
#include "web/jme-html.h"

/* A column of the table of a cluster's partitions: a figure with one label, or NULL. */
typedef struct
{
  const char *title;
  const char *name;
  const char *label;
} Column;

static const Column columns[] = {
  { "Running", "jobs", "running" },       { "Pending", "jobs", "pending" },
  { "CPUs in use", "cpus", "allocated" }, { "CPUs idle", "cpus", "idle" },
  { "CPUs away", "cpus", "other" },       { "Nodes idle", "nodes", "idle" },
  { "Nodes mixed", "nodes", "mixed" },    { "Nodes in use", "nodes", "allocated" },
  { "Nodes down", "nodes", "down" },
};

static gboolean
get_value (JmSnapshot *snapshot,
           guint subject,
           const char *name,
           const char *label,
           double *value)
{
  const JmQuantity *quantity = jm_snapshot_find_quantity (snapshot, subject, name);
  g_autoptr (JmLabels) labels = jm_labels_of (label, NULL);

  return jm_snapshot_get_labelled_value (snapshot, subject, quantity, labels, value);
}

/* What is unknown is a dash. */
static void
append_figure (GString *out,
               JmSnapshot *snapshot,
               guint subject,
               const char *name,
               const char *label,
               const char *format)
{
  char text[64];
  double value;

  if (!get_value (snapshot, subject, name, label, &value))
    {
      jme_html_append_number_cell (out, NULL);
      return;
    }

  g_ascii_formatd (text, sizeof text, format, value);
  jme_html_append_number_cell (out, text);
}

/* There is one of each for every cluster. */
static void
begin_table (GString *out, const char *name, guint cluster, const char *caption)
{
  g_autofree char *id = g_strdup_printf ("%s-%u", name, cluster);

  jme_html_begin_table (out, id, caption);
}

/* --- how the scheduler answers --- */

static void
append_topic (GString *out, JmSnapshot *snapshot, guint cluster, const char *topic)
{
  double success;

  if (!get_value (snapshot, cluster, "topic_success", topic, &success))
    return;

  g_string_append (out, "<tr>");
  jme_html_append_cell (out, topic);
  g_string_append (out,
                   success != 0 ? "<td>good</td>" : "<td class=\"failed\">failed</td>");
  append_figure (out, snapshot, cluster, "topic_age_seconds", topic, "%.0f s");
  append_figure (out, snapshot, cluster, "topic_duration_seconds", topic, "%.3f s");
  append_figure (out, snapshot, cluster, "topic_failures", topic, "%.0f");
  g_string_append (out, "</tr>\n");
}

static void
append_topics (GString *out, JmSnapshot *snapshot, guint cluster)
{
  g_string_append (out, "<h3>The scheduler's answers</h3>\n");
  begin_table (out, "answers", cluster, "Last answers");
  g_string_append (out,
                   "<tr><th scope=\"col\">About</th><th scope=\"col\">The last</th>"
                   "<th scope=\"col\" class=\"number\">Age</th><th scope=\"col\" "
                   "class=\"number\">Took</th>"
                   "<th scope=\"col\" class=\"number\">Failures</th></tr>\n");
  for (JmSchedulerTopic i = 0; i < JM_N_SCHEDULER_TOPICS; i++)
    append_topic (out, snapshot, cluster, jm_scheduler_topic_get_name (i));
  jme_html_end_table (out);
}

/* --- the cluster and its partitions --- */

static void
append_titles (GString *out)
{
  g_string_append (out, "<tr><th scope=\"col\">Partition</th>");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_string_append_printf (out, "<th scope=\"col\" class=\"number\">%s</th>",
                            columns[i].title);
  g_string_append (out, "</tr>\n");
}

static void
append_row (GString *out, JmSnapshot *snapshot, guint subject, const char *name)
{
  g_string_append (out, "<tr>");
  jme_html_append_cell (out, name);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    append_figure (out, snapshot, subject, columns[i].name, columns[i].label, "%.0f");
  g_string_append (out, "</tr>\n");
}

/* The last of a subject's labels is its own name. */
static const char *
get_name (JmSnapshot *snapshot, guint subject)
{
  JmLabels *labels = jm_snapshot_get_subject_labels (snapshot, subject);

  return jm_labels_get_value (labels, jm_labels_get_size (labels) - 1);
}

/* --- nodes that are not used --- */

static void
append_reason (GString *out,
               JmSnapshot *snapshot,
               guint node,
               const JmQuantity *quantity,
               JmLabels *labels)
{
  g_autoptr (GDateTime) moment = NULL;
  g_autofree char *since = NULL;
  double time;

  if (!jm_snapshot_get_labelled_value (snapshot, node, quantity, labels, &time))
    return;

  moment = g_date_time_new_from_unix_utc ((gint64) MIN (time, (double) G_MAXINT64 / 2));
  since = moment != NULL ? g_date_time_format (moment, "%Y-%m-%d %H:%M:%S") : NULL;
  g_string_append (out, "<tr>");
  jme_html_append_cell (out, get_name (snapshot, node));
  jme_html_append_cell (out, since);
  jme_html_append_cell (out, jm_labels_get_value (labels, 1));
  jme_html_append_cell (out, jm_labels_get_value (labels, 0));
  g_string_append (out, "</tr>\n");
}

static void
append_reasons_of (GString *out, JmSnapshot *snapshot, guint node)
{
  const JmQuantity *quantity =
    jm_quantity_of_subject (JM_SUBJECT_KIND_CLUSTER_NODE, "reason_time_seconds");
  g_autoptr (GPtrArray) all = jm_snapshot_list_labels (snapshot, node, quantity);

  for (guint i = 0; i < all->len; i++)
    append_reason (out, snapshot, node, quantity, all->pdata[i]);
}

static void
append_reasons (GString *out, JmSnapshot *snapshot, guint cluster)
{
  guint n = jm_snapshot_get_n_subjects (snapshot);
  g_autoptr (GString) rows = g_string_new (NULL);

  for (guint i = cluster + 1; i < n; i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_CLUSTER_NODE &&
        jm_snapshot_get_parent (snapshot, i) == cluster)
      append_reasons_of (rows, snapshot, i);
  if (rows->len == 0)
    return;

  g_string_append (out, "<h3>Nodes that are not to be used</h3>\n");
  begin_table (out, "reasons", cluster, "Nodes with the administrators' reasons");
  g_string_append (out,
                   "<tr><th scope=\"col\">Node</th><th scope=\"col\">Since</th><th "
                   "scope=\"col\">By</th><th scope=\"col\">Why</th></tr>\n");
  g_string_append (out, rows->str);
  jme_html_end_table (out);
}

static void
append_cluster (GString *out, JmSnapshot *snapshot, guint cluster)
{
  guint n = jm_snapshot_get_n_subjects (snapshot);

  g_string_append (out, "<h2>");
  jme_html_append_escaped (out, get_name (snapshot, cluster));
  g_string_append (out, "</h2>\n");
  begin_table (out, "partitions", cluster, "Jobs, CPUs and nodes by partition");
  append_titles (out);
  for (guint i = cluster + 1; i < n; i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_PARTITION &&
        jm_snapshot_get_parent (snapshot, i) == cluster)
      append_row (out, snapshot, i, get_name (snapshot, i));
  append_row (out, snapshot, cluster, "all");
  jme_html_end_table (out);
  append_reasons (out, snapshot, cluster);
  append_topics (out, snapshot, cluster);
}

static void
append_header (GString *out,
               JmSnapshot *snapshot,
               const char *metrics_path,
               const char *trace_path)
{
  g_autoptr (GDateTime) time =
    g_date_time_new_from_unix_utc (jm_snapshot_get_time (snapshot) / G_USEC_PER_SEC);
  g_autofree char *text = g_date_time_format_iso8601 (time);

  g_string_append_printf (out,
                          "<h1>jobmetrics of clusters</h1>\n"
                          "<p>As of %s. Version " JME_VERSION ".</p>\n"
                          "<p><a href=\"%s\">Metrics</a> · "
                          "<a href=\"/-/healthy\">Healthy</a> · "
                          "<a href=\"/-/ready\">Ready</a>",
                          text, metrics_path);
  if (trace_path != NULL)
    g_string_append_printf (out, " · <a href=\"%s\">Traced commands</a>", trace_path);
  g_string_append (out, "</p>\n");
}

GBytes *
jme_cluster_page_render (JmSnapshot *snapshot,
                         const char *metrics_path,
                         const char *trace_path)
{
  guint n = jm_snapshot_get_n_subjects (snapshot);
  GString *out = g_string_new (NULL);

  jme_html_begin_page (out, "Clusters");
  append_header (out, snapshot, metrics_path, trace_path);
  for (guint i = 0; i < n; i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_CLUSTER)
      append_cluster (out, snapshot, i);
  jme_html_end_page (out);

  return g_string_free_to_bytes (out);
}
