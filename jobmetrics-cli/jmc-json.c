/* jmc-json.c: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-json.h"

#include "base/jm-json-writer-private.h"
#include "core/jm-derived.h"
#include "core/jm-snapshot-private.h"
#include "expose/jm-text-encoder.h"

/* A snapshot of a past time knows how many CPUs were busy; others have the counter. */
static JsonNode *
encode_job (JmSnapshot *snapshot, guint job, JmMetricSelection *selection)
{
  JsonNode *node = jm_json_encode_job (snapshot, job, selection);
  double cpus;

  if (jm_snapshot_get_rate (snapshot, job, JM_METRIC_CPU_TOTAL, &cpus))
    json_object_set_double_member (json_node_get_object (node), "cpus_used", cpus);

  return node;
}

static JsonArray *
encode_jobs (JmSnapshot *snapshot, GArray *jobs, JmMetricSelection *selection)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < jobs->len; i++)
    json_array_add_element (array, encode_job (snapshot, g_array_index (jobs, guint, i),
                                               selection));

  return array;
}

/* One line where it is not to be pretty. */
static void
append (GString *text, JsonNode *node, gboolean pretty)
{
  g_autofree char *json = jm_json_format (node, pretty);

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

/* What a job has of the device, and whose job that is. */
static JsonNode *
encode_part (JmSnapshot *snapshot, guint part)
{
  static const JmJobField fields[] = { JM_JOB_FIELD_ID, JM_JOB_FIELD_UUID,
                                       JM_JOB_FIELD_USER };
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  const char *origin;
  double share;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *text =
        jm_job_get_field (jm_snapshot_get_job (snapshot, part), fields[i]);

      if (text != NULL)
        json_object_set_string_member (object, jm_job_field_get_name (fields[i]), text);
    }
  if (jm_snapshot_get_gpu_share (snapshot, part, &share, &origin))
    {
      json_object_set_double_member (object, "share_ratio", share);
      json_object_set_string_member (object, "origin", origin);
    }
  json_node_take_object (node, object);

  return node;
}

static void
add_use (JsonObject *gpu, JmSnapshot *snapshot, guint subject)
{
  g_autoptr (GArray) parts = jm_derived_list_gpu_jobs (snapshot, subject);
  JsonArray *jobs = json_array_new ();

  for (guint i = 0; i < parts->len; i++)
    json_array_add_element (jobs,
                            encode_part (snapshot, g_array_index (parts, guint, i)));
  json_object_set_string_member (gpu, "state",
                                 jm_gpu_state_get_name (
                                   jm_derived_get_gpu_state (snapshot, subject)));
  json_object_set_array_member (gpu, "jobs", jobs);
}

/* Appends `{time, gpus: [...]}`: the node's devices, each with its state and whose it
 * is. */
void
jmc_json_append_gpus (GString *text, JmSnapshot *snapshot, gboolean pretty)
{
  g_autoptr (JsonNode) whole = jm_json_encode_snapshot (snapshot, NULL);
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (GArray) subjects = jm_snapshot_list_gpus (snapshot, JM_NODE_SUBJECT);
  JsonObject *all = json_node_get_object (whole);
  JsonObject *root = json_object_new ();
  JsonArray *gpus = json_array_new ();

  if (json_object_has_member (all, "gpus"))
    {
      json_array_unref (gpus);
      gpus = json_array_ref (json_object_get_array_member (all, "gpus"));
    }
  for (guint i = 0; i < subjects->len; i++)
    add_use (json_array_get_object_element (gpus, i), snapshot,
             g_array_index (subjects, guint, i));

  json_object_set_member (root, "time",
                          json_node_copy (json_object_get_member (all, "time")));
  json_object_set_array_member (root, "gpus", gpus);
  json_node_take_object (node, root);
  append (text, node, pretty);
}
