/* jmc-json.c: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-json.h"

#include "expose/jm-json.h"

static JsonArray *
encode_jobs (JmSnapshot *snapshot, GArray *jobs, JmMetricSelection *selection)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < jobs->len; i++)
    json_array_add_element (array, jm_json_encode_job (snapshot,
                                                       g_array_index (jobs, guint, i),
                                                       selection));

  return array;
}

/* One line where it is not to be pretty. */
static void
append (GString *text, JsonNode *node, gboolean pretty)
{
  g_autofree char *json = jm_json_to_string (node, pretty);

  g_string_append (text, json);
  g_string_append_c (text, '\n');
}

/* Appends all metrics of @selection that were read of the node, but only those @jobs
 * (guint), in their order. */
void
jmc_json_append (GString *text,
                 JmSnapshot *snapshot,
                 GArray *jobs,
                 JmMetricSelection *selection,
                 gboolean pretty)
{
  g_autoptr (JsonNode) root = jm_json_encode_snapshot (snapshot, selection);

  json_object_set_array_member (json_node_get_object (root), "jobs",
                                encode_jobs (snapshot, jobs, selection));
  append (text, root, pretty);
}

/* Appends one job, with its steps and tasks. */
void
jmc_json_append_job (GString *text, JmSnapshot *snapshot, guint job, gboolean pretty)
{
  g_autoptr (JsonNode) node = jm_json_encode_job (snapshot, job, NULL);

  append (text, node, pretty);
}

/* Appends an array of @jobs (guint). */
void
jmc_json_append_jobs (GString *text,
                      JmSnapshot *snapshot,
                      GArray *jobs,
                      gboolean pretty)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_ARRAY);

  json_node_take_array (node, encode_jobs (snapshot, jobs, NULL));
  append (text, node, pretty);
}
