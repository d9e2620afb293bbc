/* jm-json.c: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-json.h"

#include "core/jm-snapshot-private.h"

/* Where the next subject belongs: jobs are followed by their steps, those by tasks. */
typedef struct
{
  JmSnapshot *snapshot;
  JmMetricSelection *selection; /* NULL for all metrics */
  JsonArray *gpus;              /* of the node */
  JsonArray *jobs;
  JsonArray *job_gpus; /* of the job at hand */
  JsonArray *steps;    /* the same */
  JsonArray *tasks;    /* of the step at hand */
} Tree;

/* Whole numbers stay whole, so that nothing is rounded that need not be. */
static JsonNode *
encode_value (JmMetric metric, guint64 value)
{
  JmUnit unit = jm_metric_get_info (metric)->unit;
  guint64 divisor = jm_unit_get_info (unit)->divisor;

  if (value % divisor == 0 && value / divisor <= G_MAXINT64)
    return json_node_init_int (json_node_alloc (), (gint64) (value / divisor));

  return json_node_init_double (json_node_alloc (), jm_unit_to_base (unit, value));
}

static JsonObject *
encode_labels (const JmMetricInfo *info, JmLabels *labels)
{
  JsonObject *object = json_object_new ();

  for (guint i = 0; i < info->n_labels; i++)
    json_object_set_string_member (object, info->labels[i],
                                   jm_labels_get_value (labels, i));

  return object;
}

/* Takes the array named @name, which is made where it is missing. */
static JsonArray *
get_array (JsonObject *parent, const char *name)
{
  if (!json_object_has_member (parent, name))
    json_object_set_array_member (parent, name, json_array_new ());

  return json_object_get_array_member (parent, name);
}

static void
add_labelled (JsonObject *metrics, const JmMetricInfo *info, const JmReading *reading)
{
  JsonObject *object = json_object_new ();

  json_object_set_object_member (object, "labels",
                                 encode_labels (info, reading->labels));
  json_object_set_member (object, "value",
                          encode_value (reading->metric, reading->value));
  json_array_add_object_element (get_array (metrics, info->name), object);
}

static void
add_reading (JsonObject *metrics, const JmReading *reading)
{
  const JmMetricInfo *info = jm_metric_get_info (reading->metric);

  if (info->n_labels > 0)
    add_labelled (metrics, info, reading);
  else
    json_object_set_member (metrics, info->name,
                            encode_value (reading->metric, reading->value));
}

/* Of several alike the first is shown, as jm_snapshot_get_value() has it. */
static gboolean
is_first (const JmReading *readings, guint i)
{
  for (guint j = i; j-- > 0 && readings[j].metric == readings[i].metric;)
    if (readings[j].labels == readings[i].labels)
      return FALSE;

  return TRUE;
}

static gboolean
is_wanted (JmMetricSelection *selection, JmSubjectKind kind, JmMetric metric)
{
  return selection != NULL ? jm_metric_selection_has (selection, kind, metric)
                           : jm_metric_is_about (metric, kind);
}

/* What a device is, and by whose word a job has it, is told beside its metrics. */
static gboolean
is_told_beside (JmMetric metric)
{
  return metric == JM_METRIC_GPU_INFO || metric == JM_METRIC_GPU_SHARE;
}

static JsonObject *
encode_metrics (JmSnapshot *snapshot, guint subject, JmMetricSelection *selection)
{
  JmSubjectKind kind = jm_snapshot_get_kind (snapshot, subject);
  JsonObject *metrics = json_object_new ();
  guint n;
  const JmReading *readings = jm_snapshot_get_readings_of (snapshot, subject, &n);

  for (guint i = 0; i < n; i++)
    if (is_wanted (selection, kind, readings[i].metric) &&
        !is_told_beside (readings[i].metric) && is_first (readings, i))
      add_reading (metrics, &readings[i]);

  return metrics;
}

static gboolean
is_number (JmJobField field)
{
  switch (field)
    {
    case JM_JOB_FIELD_UID:
    case JM_JOB_FIELD_NODES:
    case JM_JOB_FIELD_SUBMIT_TIME:
    case JM_JOB_FIELD_START_TIME:
      return TRUE;
    default:
      return FALSE;
    }
}

static void
add_field (JsonObject *object, JmJob *job, JmJobField field)
{
  const char *name = jm_job_field_get_name (field);
  const char *text = jm_job_get_field (job, field);
  gint64 number;

  if (text == NULL)
    return;

  if (is_number (field) &&
      g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &number, NULL))
    json_object_set_int_member (object, name, number);
  else
    json_object_set_string_member (object, name, text);
}

static void
add_further_fields (JsonObject *object, JmJob *job)
{
  g_auto (GStrv) names = jm_job_list_further_fields (job);
  JsonObject *fields;

  if (names[0] == NULL)
    return;

  fields = json_object_new ();
  for (guint i = 0; names[i] != NULL; i++)
    json_object_set_string_member (fields, names[i],
                                   jm_job_get_further_field (job, names[i]));
  json_object_set_object_member (object, "fields", fields);
}

/* Who told each field; the uuid is made of them. */
static JsonObject *
encode_origins (JmJob *job)
{
  JsonObject *origins = json_object_new ();
  g_auto (GStrv) further = jm_job_list_further_fields (job);

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    {
      JmOrigin origin = jm_job_get_origin (job, i);

      if (i != JM_JOB_FIELD_UUID && origin != JM_ORIGIN_NONE)
        json_object_set_string_member (origins, jm_job_field_get_name (i),
                                       jm_origin_get_name (origin));
    }
  for (guint i = 0; further[i] != NULL; i++)
    json_object_set_string_member (origins, further[i],
                                   jm_origin_get_name (
                                     jm_job_get_further_origin (job, further[i])));

  return origins;
}

static JsonArray *
add_array (JsonObject *object, const char *name)
{
  JsonArray *array = json_array_new ();

  json_object_set_array_member (object, name, array);

  return array;
}

/* A node that nobody asked for accelerators tells of none. */
static JsonArray *
add_gpus (JmSnapshot *snapshot, JsonObject *object, const char *name)
{
  return jm_snapshot_is_collected (snapshot, JM_COLLECTOR_GPU)
           ? add_array (object, name)
           : NULL;
}

static void
tree_add_job (Tree *self, guint subject)
{
  JmJob *job = jm_snapshot_get_job (self->snapshot, subject);
  gint64 end_time = jm_snapshot_get_end_time (self->snapshot, subject);
  JsonObject *object = json_object_new ();

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    add_field (object, job, i);
  add_further_fields (object, job);
  json_object_set_object_member (object, "origin", encode_origins (job));
  json_object_set_boolean_member (object, "uuid_weak", jm_job_is_uuid_weak (job));
  json_object_set_boolean_member (object, "decided", jm_job_is_decided (job));
  if (jm_job_get_run_key (job) != NULL)
    json_object_set_string_member (object, "run_key", jm_job_get_run_key (job));
  json_object_set_boolean_member (object, "ended", end_time != 0);
  if (end_time != 0)
    json_object_set_double_member (object, "end_time", (double) end_time / 1e6);
  json_object_set_object_member (object, "metrics",
                                 encode_metrics (self->snapshot, subject,
                                                 self->selection));

  self->job_gpus = add_gpus (self->snapshot, object, "gpu_devices");
  self->steps = add_array (object, "steps");
  self->tasks = NULL;
  json_array_add_object_element (self->jobs, object);
}

static void
add_name (JsonObject *object, const char *key, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name != NULL ? name : "", -1);

  json_object_set_string_member (object, key, valid);
}

static void
tree_add_step (Tree *self, guint subject)
{
  JsonObject *object;

  if (self->steps == NULL)
    return;

  object = json_object_new ();
  add_name (object, "step", jm_snapshot_get_step (self->snapshot, subject));
  json_object_set_object_member (object, "metrics",
                                 encode_metrics (self->snapshot, subject,
                                                 self->selection));
  self->tasks = add_array (object, "tasks");
  json_array_add_object_element (self->steps, object);
}

static void
tree_add_task (Tree *self, guint subject)
{
  JsonObject *object;

  if (self->tasks == NULL)
    return;

  object = json_object_new ();
  add_name (object, "task", jm_snapshot_get_task (self->snapshot, subject));
  json_object_set_object_member (object, "metrics",
                                 encode_metrics (self->snapshot, subject,
                                                 self->selection));
  json_array_add_object_element (self->tasks, object);
}

static void
tree_add_gpu (Tree *self, guint subject)
{
  JsonObject *object;

  if (self->gpus == NULL)
    return;

  object = json_object_new ();
  add_name (object, "gpu", jm_snapshot_get_gpu (self->snapshot, subject));
  for (JmGpuField i = 0; i < JM_N_GPU_FIELDS; i++)
    {
      const char *text = jm_snapshot_get_gpu_field (self->snapshot, subject, i);

      if (text != NULL)
        add_name (object, jm_gpu_field_get_name (i), text);
    }
  json_object_set_object_member (object, "metrics",
                                 encode_metrics (self->snapshot, subject,
                                                 self->selection));
  json_array_add_object_element (self->gpus, object);
}

static void
add_share (JsonObject *object, JmSnapshot *snapshot, guint subject)
{
  const char *origin;
  double share;

  if (!jm_snapshot_get_gpu_share (snapshot, subject, &share, &origin))
    return;

  json_object_set_double_member (object, "share_ratio", share);
  add_name (object, "origin", origin);
}

static void
tree_add_job_gpu (Tree *self, guint subject)
{
  JsonObject *object;

  if (self->job_gpus == NULL)
    return;

  object = json_object_new ();
  add_name (object, "gpu", jm_snapshot_get_gpu (self->snapshot, subject));
  add_share (object, self->snapshot, subject);
  json_object_set_object_member (object, "metrics",
                                 encode_metrics (self->snapshot, subject,
                                                 self->selection));
  json_array_add_object_element (self->job_gpus, object);
}

static void
tree_add (Tree *self, guint subject)
{
  switch (jm_snapshot_get_kind (self->snapshot, subject))
    {
    case JM_SUBJECT_KIND_JOB:
      tree_add_job (self, subject);
      break;
    case JM_SUBJECT_KIND_STEP:
      tree_add_step (self, subject);
      break;
    case JM_SUBJECT_KIND_TASK:
      tree_add_task (self, subject);
      break;
    case JM_SUBJECT_KIND_GPU:
      tree_add_gpu (self, subject);
      break;
    case JM_SUBJECT_KIND_JOB_GPU:
      tree_add_job_gpu (self, subject);
      break;
    case JM_SUBJECT_KIND_NODE:
    case JM_SUBJECT_KIND_SYSTEM:
    case JM_SUBJECT_KIND_IDLE:
    case JM_SUBJECT_KIND_GRID:
    case JM_SUBJECT_KIND_LEDGER:
    default:
      break;
    }
}

/* The node's parts are there if something is known of them. */
static void
add_part (JsonObject *root, const char *name, const Tree *tree, JmSubjectKind kind)
{
  guint subject, n;

  if (!jm_snapshot_find_subject (tree->snapshot, kind, &subject))
    return;

  jm_snapshot_get_readings_of (tree->snapshot, subject, &n);
  if (n > 0)
    json_object_set_object_member (root, name,
                                   encode_metrics (tree->snapshot, subject,
                                                   tree->selection));
}

static void
add_gpus_and_jobs (JsonObject *root, Tree *tree)
{
  tree->gpus = add_gpus (tree->snapshot, root, "gpus");
  tree->jobs = add_array (root, "jobs");
  for (guint i = 0; i < jm_snapshot_get_n_subjects (tree->snapshot); i++)
    tree_add (tree, i);
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
    add_name (object, "error", error->message);

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
 * Tells a snapshot as JSON.
 *
 * - Shape: `{time, duration_seconds, node: METRICS, system:
 *   METRICS, idle: METRICS, grid: METRICS, gpus: [{gpu, uuid, model, vendor,
 *   pci_address, parent, profile, driver_version, metrics: METRICS}], jobs: [{FIELDS,
 *   fields: {NAME: TEXT}, origin: {FIELD: ORIGIN}, uuid_weak, decided, run_key, ended,
 *   end_time, metrics: METRICS, gpu_devices: [{gpu, share_ratio, origin, metrics:
 *   METRICS}], steps: [{step, metrics: METRICS, tasks: [{task, metrics: METRICS}]}]}],
 *   collectors: {NAME: {success, denied, duration_seconds, error}}}`. A job's `gpus`
 * are the words of its scheduler, `gpu_devices` what came of these. METRICS are numbers
 * by name, or arrays of `{labels: {NAME: TEXT}, value}` where a metric has labels. What
 * was not measured, or is not known, is not there.
 * - Units: base units; times in seconds since 1970.
 *
 * Returns: (transfer full): the document
 * Since: 0.1
 */
JsonNode *
jm_json_encode_snapshot (JmSnapshot *snapshot, JmMetricSelection *selection)
{
  Tree tree = { .snapshot = snapshot, .selection = selection };
  JsonObject *root;

  g_return_val_if_fail (snapshot != NULL, NULL);

  root = json_object_new ();
  json_object_set_double_member (root, "time",
                                 (double) jm_snapshot_get_time (snapshot) / 1e6);
  json_object_set_double_member (root, "duration_seconds",
                                 (double) jm_snapshot_get_duration (snapshot) / 1e9);
  json_object_set_object_member (root, "node",
                                 encode_metrics (snapshot, JM_NODE_SUBJECT, selection));
  add_part (root, "system", &tree, JM_SUBJECT_KIND_SYSTEM);
  add_part (root, "idle", &tree, JM_SUBJECT_KIND_IDLE);
  add_part (root, "grid", &tree, JM_SUBJECT_KIND_GRID);
  add_gpus_and_jobs (root, &tree);
  json_object_set_object_member (root, "collectors", encode_collectors (snapshot));

  return wrap (root);
}

/**
 * jm_json_encode_job:
 * @snapshot: a snapshot
 * @subject: number of a job's subject, as jm_snapshot_find_job() finds it
 * @selection: (nullable): which metrics; %NULL for all
 *
 * Tells one job with its steps and tasks as JSON: an element of `jobs` in what
 * jm_json_encode_snapshot() makes.
 *
 * Returns: (transfer full): the job
 * Since: 0.1
 */
JsonNode *
jm_json_encode_job (JmSnapshot *snapshot, guint subject, JmMetricSelection *selection)
{
  g_autoptr (JsonArray) jobs = json_array_new ();
  Tree tree = { .snapshot = snapshot, .selection = selection, .jobs = jobs };

  g_return_val_if_fail (snapshot != NULL, NULL);
  g_return_val_if_fail (jm_snapshot_get_kind (snapshot, subject) == JM_SUBJECT_KIND_JOB,
                        NULL);

  do
    tree_add (&tree, subject++);
  while (subject < jm_snapshot_get_n_subjects (snapshot) &&
         jm_snapshot_get_kind (snapshot, subject) != JM_SUBJECT_KIND_JOB);

  return json_node_copy (json_array_get_element (jobs, 0));
}
