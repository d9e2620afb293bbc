/* jme-admin-page.c: whether all is well, on a page for administrators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "base/jm-error.h"
#include "jme-config.h"
#include "server/jme-archive-query.h"
#include "server/jme-intake-peer.h"
#include "server/pages/jme-page-part.h"

#define REFRESH_SECONDS 15

/* --- what is amiss --- */

static void
append_problem (GString *out, const char *problem)
{
  g_string_append (out, "<div class=\"notice bad\"><p>");
  jme_html_append_escaped (out, problem);
  g_string_append (out, "</p></div>\n");
}

static void
append_problems (GString *out, const JmePages *pages)
{
  g_autofree char *intake = jme_archive_intake_describe_lack (pages->intake);
  g_autofree char *queue = jme_queue_describe_lack (pages->queue);
  g_autofree char *nodes = jme_archive_intake_describe_failed_nodes (pages->intake);

  g_string_append (out, "<h2>State</h2>\n");
  if (intake == NULL && queue == NULL && nodes == NULL)
    g_string_append (out,
                     "<p class=\"good\"><strong>All is well:</strong> everything was "
                     "read to its end.</p>\n");
  if (intake != NULL)
    append_problem (out, intake);
  if (queue != NULL)
    append_problem (out, queue);
  if (nodes != NULL)
    append_problem (out, nodes);
}

/* --- what was read when --- */

static JsonObject *
get_object (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node)
                                                       : NULL;
}

/* Null where it never was. */
static gint64
get_time (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
           ? (gint64) json_node_get_double (node)
           : 0;
}

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node)
                                                      : NULL;
}

static void
append_problem_cell (GString *out, const JmePeerState *peer)
{
  const char *separator = "";

  g_string_append (out, peer->problem != NULL ? "<td class=\"bad\">" : "<td>");
  if (peer->problem != NULL)
    {
      jme_html_append_escaped (out, peer->problem);
      separator = "<br>";
    }
  for (guint i = 0; peer->unread != NULL && peer->unread[i] != NULL; i++)
    {
      g_string_append_printf (out, "%svalue or record not read: ", separator);
      jme_html_append_escaped (out, peer->unread[i]);
      separator = "<br>";
    }
  g_string_append_printf (out, "%s</td></tr>\n", *separator == '\0' ? "none" : "");
}

static gboolean
append_kind (GString *out, GPtrArray *peers, const char *kind)
{
  gboolean is_there = FALSE;

  for (guint i = 0; i < peers->len; i++)
    {
      const JmePeerState *peer = peers->pdata[i];

      if (strcmp (peer->kind, kind) != 0)
        continue;
      is_there = TRUE;
      g_string_append (out, "<tr><th scope=\"row\">");
      jme_html_append_escaped (out, peer->specification);
      g_string_append (out, "</th>");
      jme_html_append_cell (out, peer->cluster);
      jme_html_append_cell (out, peer->topic);
      jme_part_append_time_cell (out, peer->success_us / G_USEC_PER_SEC);
      jme_part_append_time_cell (out, peer->failed_us / G_USEC_PER_SEC);
      append_problem_cell (out, peer);
    }

  return is_there;
}

static void
append_peers (GString *out, const JmePages *pages)
{
  static const char *const titles[] = {
    "Source", "Cluster", "About", "Read to its end", "Fails since", "Problem", NULL
  };
  g_autoptr (GPtrArray) peers = jme_peers_new ();
  g_autoptr (GString) rows = g_string_new (NULL);
  gboolean has_histories, has_schedulers;

  jme_archive_intake_list_peers (pages->intake, peers);
  jme_queue_list_peers (pages->queue, peers);
  has_histories = append_kind (rows, peers, "history");
  append_kind (rows, peers, "tsdb");
  has_schedulers = append_kind (rows, peers, "scheduler");
  if (!has_histories)
    g_string_append (out,
                     "<p>No accounting is read. <code>--server.history=NAME</code> "
                     "names one.</p>\n");
  if (!has_schedulers)
    g_string_append (out,
                     "<p>No scheduler is watched. <code>--server.scheduler=NAME</code> "
                     "names one.</p>\n");
  if (rows->len == 0)
    return;

  jme_part_begin_table (out, "peers", "Accounting, time series and schedulers", titles);
  g_string_append (out, rows->str);
  jme_part_end_table (out);
}

static void
append_count (GString *out, JsonObject *nodes, const char *term, const char *name)
{
  jme_part_append_figure_fact (out, term,
                               jm_figure_known (
                                 (double) json_object_get_int_member (nodes, name)),
                               JM_FORMAT_COUNT);
}

static void
append_failed_nodes (GString *out, JsonArray *failed)
{
  if (json_array_get_length (failed) == 0)
    return;

  jme_part_begin_table (out, "failed-nodes", "Nodes whose ledger cannot be read",
                        (const char *const[]){ "Cluster", "Node", "Since", "Problem",
                                               NULL });
  for (guint i = 0; i < json_array_get_length (failed); i++)
    {
      JsonObject *node = json_array_get_object_element (failed, i);

      g_string_append (out, "<tr>");
      jme_html_append_cell (out, get_text (node, "cluster"));
      jme_html_append_cell (out, get_text (node, "node"));
      jme_part_append_time_cell (out, get_time (node, "since_time"));
      jme_html_append_cell (out, get_text (node, "problem"));
      g_string_append (out, "</tr>\n");
    }
  jme_part_end_table (out);
}

static void
append_unmatched_clusters (GString *out, JsonArray *clusters)
{
  for (guint i = 0; i < json_array_get_length (clusters); i++)
    {
      JsonObject *cluster = json_array_get_object_element (clusters, i);

      g_string_append (out, "<p>");
      jme_html_append_escaped (out, get_text (cluster, "cluster"));
      g_string_append (out, ": ");
      jme_html_append_escaped (out, get_text (cluster, "problem"));
      g_string_append (out, ".</p>\n");
    }
}

static void
append_nodes (GString *out, JsonObject *nodes)
{
  g_string_append (out, "<h3>Ledgers of nodes</h3>\n");
  if (nodes == NULL)
    {
      g_string_append (out,
                       "<p>None was asked for yet. <code>--server.nodes-file</code> "
                       "or <code>--server.nodes-url</code> names the nodes.</p>\n");
      return;
    }

  g_string_append (out, "<dl class=\"cards\">\n");
  append_count (out, nodes, "Nodes that cannot be read", "failed");
  append_count (out, nodes, "Records", "records");
  append_count (out, nodes, "Given up", "unresolved_records");
  append_count (out, nodes, "Passed over", "unread_records");
  g_string_append (out, "</dl>\n");
  append_failed_nodes (out, json_object_get_array_member (nodes, "failed_nodes"));
  append_unmatched_clusters (out, json_object_get_array_member (nodes,
                                                                "unmatched_clusters"));
}

static gboolean
append_intake (JmeAnswer *answer, const JmePages *pages, GError **error)
{
  GString *out = answer->text;
  g_autoptr (GString) text = g_string_new (NULL);
  JmJsonWriter json = { .out = text };
  g_autoptr (JsonNode) node = NULL;
  JsonObject *state;

  jm_json_writer_begin_object (&json, NULL);
  jme_archive_intake_append_state (pages->intake, &json);
  jm_json_writer_end_object (&json);
  node = json_from_string (text->str, error);
  if (node == NULL)
    return FALSE;

  state = json_node_get_object (node);
  g_string_append (out, "<h2>What was read</h2>\n<dl class=\"facts\">\n");
  jme_part_append_fact (out, "Version", JME_VERSION);
  jme_part_append_time_fact (out, "All was read last",
                             get_time (state, "last_success_time"));
  g_string_append (out, "</dl>\n");
  append_peers (out, pages);
  append_nodes (out, get_object (state, "nodes"));

  return TRUE;
}

/* --- the page --- */

static gboolean
append_page (JmeAnswer *answer, const JmePages *pages, GError **error)
{
  if (!jm_viewer_sees_all (answer->viewer))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "this is for administrators");
      return FALSE;
    }

  g_string_append (answer->text, "<h1>Administration</h1>\n");
  append_problems (answer->text, pages);
  if (!append_intake (answer, pages, error))
    return FALSE;
  g_string_append (answer->text, "<h2>More</h2>\n<p><a href=\"/metrics\">Metrics, for "
                                 "Prometheus</a> · "
                                 "<a href=\"/api/v1/health\">This as JSON</a></p>\n");

  return TRUE;
}

void
jme_admin_page_answer (JmeRequest *request, gpointer pages)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_ONE, &error) ||
      !append_page (&answer, pages, &error))
    jme_answer_fail (&answer, error);
  else
    jme_page_reply (&answer, &(JmeHtmlPage){ .title = "Administration",
                                             .section = JME_PAGE_ADMIN,
                                             .refresh_seconds = REFRESH_SECONDS });
}
