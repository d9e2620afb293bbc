/* jm-figures-json.c: the figures of a job as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-figures-json-private.h"

#include <float.h>
#include <math.h>

#include "base/jm-json-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-snapshot-private.h"

/* Whole numbers stay whole, so that nothing is rounded that need not be. */
JsonNode *
jm_figures_json_encode_value (JmUnit unit, guint64 value)
{
  guint64 divisor = jm_unit_get_info (unit)->divisor;

  if (value % divisor == 0 && value / divisor <= G_MAXINT64)
    return json_node_init_int (json_node_alloc (), (gint64) (value / divisor));

  return json_node_init_double (json_node_alloc (), jm_unit_to_base (unit, value));
}

gboolean
jm_figures_json_decode_value (JmUnit unit, JsonNode *node, guint64 *value)
{
  guint64 divisor = jm_unit_get_info (unit)->divisor;
  GType type = json_node_get_value_type (node);
  long double product;

  if (type == G_TYPE_INT64)
    return json_node_get_int (node) >= 0 &&
           g_uint64_checked_mul (value, (guint64) json_node_get_int (node), divisor);
  if (type != G_TYPE_DOUBLE || !isfinite (json_node_get_double (node)))
    return FALSE;

  /* of those that are written alike beyond 2^53, the middle one */
  product = roundl ((long double) json_node_get_double (node) * divisor);
  if (product < 0 || product > 0x1p64L * (1 + DBL_EPSILON))
    return FALSE;
  *value = product < 0x1p64L ? (guint64) product : G_MAXUINT64;

  return TRUE;
}

void
jm_figures_json_set_time (JsonObject *object, const char *name, gint64 time_us)
{
  json_object_set_member (object, name,
                          jm_figures_json_encode_value (JM_UNIT_MICROSECONDS,
                                                        (guint64) MAX (time_us, 0)));
}

gboolean
jm_figures_json_get_time (JsonNode *object, const char *name, gint64 *time_us)
{
  JsonNode *node = jm_json_get (object, name);
  guint64 value;

  if (node == NULL ||
      !jm_figures_json_decode_value (JM_UNIT_MICROSECONDS, node, &value) ||
      value > G_MAXINT64)
    return FALSE;
  *time_us = (gint64) value;

  return TRUE;
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
                          jm_figures_json_encode_value (info->unit, reading->value));
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
                            jm_figures_json_encode_value (info->unit, reading->value));
}

/* Of several alike the first is shown, as jm_snapshot_get_metric() has it. */
static gboolean
is_first (const JmReading *readings, guint i)
{
  for (guint j = i; j-- > 0 && readings[j].metric == readings[i].metric;)
    if (readings[j].labels == readings[i].labels)
      return FALSE;

  return TRUE;
}

/* A device's properties, and the origin of a job's share, stand beside its metrics. */
static gboolean
is_told_beside (JmMetric metric)
{
  return metric == JM_METRIC_GPU_INFO || metric == JM_METRIC_GPU_SHARE;
}

static gboolean
is_wanted (const JmMetricChoice *choice, JmSubjectKind kind, JmMetric metric)
{
  return choice != NULL ? choice->has (choice->data, kind, metric)
                        : jm_metric_is_about (metric, kind);
}

JsonObject *
jm_figures_json_encode_metrics (JmSnapshot *snapshot,
                                guint subject,
                                const JmMetricChoice *choice)
{
  JmSubjectKind kind = jm_snapshot_get_kind (snapshot, subject);
  JsonObject *metrics = json_object_new ();
  guint n;
  const JmReading *readings = jm_snapshot_get_readings_of (snapshot, subject, &n);

  for (guint i = 0; i < n; i++)
    if (is_wanted (choice, kind, readings[i].metric) &&
        !is_told_beside (readings[i].metric) && is_first (readings, i))
      add_reading (metrics, &readings[i]);

  return metrics;
}

/* Where the next subject belongs: a job is followed by its steps, those by tasks. */
typedef struct
{
  JmSnapshot *snapshot;
  const JmMetricChoice *choice;
  JsonArray *gpus; /* NULL where nobody asked for them */
  JsonArray *steps;
  JsonArray *tasks; /* of the step at hand; NULL before the first */
} Parts;

static JsonArray *
add_array (JsonObject *object, const char *name)
{
  JsonArray *array = json_array_new ();

  json_object_set_array_member (object, name, array);

  return array;
}

static void
add_metrics (Parts *self, JsonObject *object, guint subject)
{
  json_object_set_object_member (object, "metrics",
                                 jm_figures_json_encode_metrics (self->snapshot,
                                                                 subject,
                                                                 self->choice));
}

static void
add_step (Parts *self, guint subject)
{
  JsonObject *object = json_object_new ();

  jm_json_add_text (object, "step", jm_snapshot_get_step (self->snapshot, subject));
  add_metrics (self, object, subject);
  self->tasks = add_array (object, "tasks");
  json_array_add_object_element (self->steps, object);
}

static void
add_task (Parts *self, guint subject)
{
  JsonObject *object;

  if (self->tasks == NULL)
    return;

  object = json_object_new ();
  jm_json_add_text (object, "task", jm_snapshot_get_task (self->snapshot, subject));
  add_metrics (self, object, subject);
  json_array_add_object_element (self->tasks, object);
}

static void
add_share (JsonObject *object, JmSnapshot *snapshot, guint subject)
{
  const char *origin;
  double share;

  if (!jm_snapshot_get_gpu_share (snapshot, subject, &share, &origin))
    return;

  json_object_set_double_member (object, "share_ratio", share);
  jm_json_add_text (object, "origin", origin);
}

static void
add_gpu (Parts *self, guint subject)
{
  JsonObject *object;

  if (self->gpus == NULL)
    return;

  object = json_object_new ();
  jm_json_add_text (object, "gpu", jm_snapshot_get_gpu (self->snapshot, subject));
  add_share (object, self->snapshot, subject);
  add_metrics (self, object, subject);
  json_array_add_object_element (self->gpus, object);
}

/* Whether it is a part of the job. */
static gboolean
add_part (Parts *self, guint subject)
{
  switch (jm_snapshot_get_kind (self->snapshot, subject))
    {
    case JM_SUBJECT_KIND_STEP:
      add_step (self, subject);
      return TRUE;
    case JM_SUBJECT_KIND_TASK:
      add_task (self, subject);
      return TRUE;
    case JM_SUBJECT_KIND_JOB_GPU:
      add_gpu (self, subject);
      return TRUE;
    case JM_SUBJECT_KIND_NODE:
    case JM_SUBJECT_KIND_SYSTEM:
    case JM_SUBJECT_KIND_IDLE:
    case JM_SUBJECT_KIND_GRID:
    case JM_SUBJECT_KIND_JOB:
    case JM_SUBJECT_KIND_GPU:
    case JM_SUBJECT_KIND_LEDGER:
    default:
      return FALSE;
    }
}

guint
jm_figures_json_add (JsonObject *object,
                     JmSnapshot *snapshot,
                     guint subject,
                     const JmMetricChoice *choice)
{
  Parts parts = { .snapshot = snapshot, .choice = choice };
  guint n_subjects = jm_snapshot_get_n_subjects (snapshot);

  add_metrics (&parts, object, subject);
  /* a node that was not asked for accelerators lists none */
  if (jm_snapshot_is_collected (snapshot, JM_COLLECTOR_GPU))
    parts.gpus = add_array (object, "gpu_devices");
  parts.steps = add_array (object, "steps");

  do
    subject++;
  while (subject < n_subjects && add_part (&parts, subject));

  return subject;
}
