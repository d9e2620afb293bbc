/* jm-snapshot-json.c: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-text-encoder.h"

#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-figures-json-private.h"
#include "core/jm-job-json-private.h"
#include "core/jm-snapshot-private.h"
#include "expose/jm-metric-selection-private.h"

static gboolean
is_selected (gconstpointer selection, JmSubjectKind kind, JmMetric metric)
{
  return jm_metric_selection_has_metric ((JmMetricSelection *) selection, kind, metric);
}

static JsonObject *
encode_gpu (JmSnapshot *snapshot, guint subject, const JmMetricChoice *choice)
{
  JsonObject *object = json_object_new ();

  jm_json_add_text (object, "gpu", jm_snapshot_get_gpu (snapshot, subject));
  for (JmGpuField i = 0; i < JM_N_GPU_FIELDS; i++)
    {
      const char *text = jm_snapshot_get_gpu_field (snapshot, subject, i);

      if (text != NULL)
        jm_json_add_text (object, jm_gpu_field_get_name (i), text);
    }
  json_object_set_object_member (object, "metrics",
                                 jm_figures_json_encode_metrics (snapshot, subject,
                                                                 choice));

  return object;
}

/* A node that was not asked for accelerators lists none. */
static void
add_gpus (JsonObject *root, JmSnapshot *snapshot, const JmMetricChoice *choice)
{
  JsonArray *gpus;

  if (!jm_snapshot_is_collected (snapshot, JM_COLLECTOR_GPU))
    return;

  gpus = json_array_new ();
  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_GPU)
      json_array_add_object_element (gpus, encode_gpu (snapshot, i, choice));
  json_object_set_array_member (root, "gpus", gpus);
}

/* Returns: the number of the subject behind it */
static guint
add_job (JsonObject *object,
         JmSnapshot *snapshot,
         guint subject,
         const JmMetricChoice *choice)
{
  jm_job_json_add (object, jm_snapshot_get_job (snapshot, subject),
                   jm_snapshot_get_end_time (snapshot, subject));

  return jm_figures_json_add (object, snapshot, subject, choice);
}

static void
add_jobs (JsonObject *root, JmSnapshot *snapshot, const JmMetricChoice *choice)
{
  JsonArray *jobs = json_array_new ();
  guint i = 0;

  while (i < jm_snapshot_get_n_subjects (snapshot))
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB)
      {
        JsonObject *job = json_object_new ();

        i = add_job (job, snapshot, i, choice);
        json_array_add_object_element (jobs, job);
      }
    else
      i++;
  json_object_set_array_member (root, "jobs", jobs);
}

/* The node's parts are there if something is known of them. */
static void
add_part (JsonObject *root,
          const char *name,
          JmSnapshot *snapshot,
          JmSubjectKind kind,
          const JmMetricChoice *choice)
{
  guint subject, n;

  if (!jm_snapshot_find_subject (snapshot, kind, &subject))
    return;

  jm_snapshot_get_readings_of (snapshot, subject, &n);
  if (n > 0)
    json_object_set_object_member (root, name,
                                   jm_figures_json_encode_metrics (snapshot, subject,
                                                                   choice));
}

static JsonObject *
encode_collector (JmSnapshot *snapshot, JmCollector collector)
{
  JsonObject *object = json_object_new ();
  const GError *error = jm_snapshot_get_error (snapshot, collector);

  json_object_set_boolean_member (object, "success",
                                  !jm_snapshot_has_failed (snapshot, collector));
  json_object_set_boolean_member (object, "denied",
                                  jm_snapshot_get_n_denied (snapshot, collector) > 0);
  json_object_set_double_member (object, "duration_seconds",
                                 (double)
                                     jm_snapshot_get_collector_duration (snapshot,
                                                                         collector) /
                                   1e9);
  if (error != NULL)
    jm_json_add_text (object, "error", error->message);

  return object;
}

static JsonObject *
encode_collectors (JmSnapshot *snapshot)
{
  JsonObject *collectors = json_object_new ();

  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    if (jm_snapshot_is_collected (snapshot, i))
      json_object_set_object_member (collectors, jm_collector_get_name (i),
                                     encode_collector (snapshot, i));

  return collectors;
}

static JsonNode *
wrap (JsonObject *object)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, object);

  return node;
}

/**
 * jm_json_encode_snapshot:
 * @snapshot: a snapshot
 * @selection: (nullable): which metrics; %NULL for all
 *
 * Encodes a snapshot as JSON.
 *
 * - Shape: `{time, duration_seconds, node: METRICS, system:
 *   METRICS, idle: METRICS, grid: METRICS, gpus: [{gpu, uuid, model, vendor,
 *   pci_address, parent, profile, driver_version, metrics: METRICS}], jobs: [{FIELDS,
 *   fields: {NAME: TEXT}, origin: {FIELD: ORIGIN}, uuid_weak, decided, run_key, ended,
 *   end_time, metrics: METRICS, gpu_devices: [{gpu, share_ratio, origin, metrics:
 *   METRICS}], steps: [{step, metrics: METRICS, tasks: [{task, metrics: METRICS}]}]}],
 *   collectors: {NAME: {success, denied, duration_seconds, error}}}`. A job's `gpus`
 *   are the words of its scheduler, `gpu_devices` what came of these. METRICS are
 *   numbers by name, or arrays of `{labels: {NAME: TEXT}, value}` where a metric has
 *   labels. What was not measured, or is not known, is not there.
 * - Units: base units; times in seconds since 1970.
 *
 * Returns: (transfer full): the document
 * Since: 0.1
 */
JsonNode *
jm_json_encode_snapshot (JmSnapshot *snapshot, JmMetricSelection *selection)
{
  JmMetricChoice choice = { is_selected, selection };
  const JmMetricChoice *chosen = selection != NULL ? &choice : NULL;
  JsonObject *root;

  g_return_val_if_fail (snapshot != NULL, NULL);

  root = json_object_new ();
  json_object_set_double_member (root, "time",
                                 (double) jm_snapshot_get_time (snapshot) / 1e6);
  json_object_set_double_member (root, "duration_seconds",
                                 (double) jm_snapshot_get_duration (snapshot) / 1e9);
  json_object_set_object_member (root, "node",
                                 jm_figures_json_encode_metrics (snapshot,
                                                                 JM_NODE_SUBJECT,
                                                                 chosen));
  add_part (root, "system", snapshot, JM_SUBJECT_KIND_SYSTEM, chosen);
  add_part (root, "idle", snapshot, JM_SUBJECT_KIND_IDLE, chosen);
  add_part (root, "grid", snapshot, JM_SUBJECT_KIND_GRID, chosen);
  add_gpus (root, snapshot, chosen);
  add_jobs (root, snapshot, chosen);
  json_object_set_object_member (root, "collectors", encode_collectors (snapshot));

  return wrap (root);
}

/**
 * jm_json_encode_job:
 * @snapshot: a snapshot
 * @subject: number of a job's subject, as jm_snapshot_find_job() finds it
 * @selection: (nullable): which metrics; %NULL for all
 *
 * Encodes one job with its steps and tasks as JSON: an element of `jobs` in what
 * jm_json_encode_snapshot() makes.
 *
 * Returns: (transfer full): the job
 * Since: 0.1
 */
JsonNode *
jm_json_encode_job (JmSnapshot *snapshot, guint subject, JmMetricSelection *selection)
{
  JmMetricChoice choice = { is_selected, selection };
  JsonObject *job;

  g_return_val_if_fail (snapshot != NULL, NULL);
  g_return_val_if_fail (jm_snapshot_get_kind (snapshot, subject) == JM_SUBJECT_KIND_JOB,
                        NULL);

  job = json_object_new ();
  add_job (job, snapshot, subject, selection != NULL ? &choice : NULL);

  return wrap (job);
}

/**
 * jm_json_to_string:
 * @node: what jm_json_encode_snapshot() or jm_json_encode_job() has made, or any JSON
 * @pretty: whether to break and indent lines, for people
 *
 * Writes JSON. Unlike json_to_string(), it gives numbers the fewest digits that read
 * back as the same, and escapes what could steer a terminal: control characters, marks
 * of writing direction, and characters that are not assigned. A number that is not
 * finite is null, and a byte that is not UTF-8 is U+FFFD.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_json_to_string (JsonNode *node, gboolean pretty)
{
  return jm_json_format (node, pretty);
}
