/* jm-record-json-read.c: a record of a job, from JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <string.h>

#include "base/jm-error-private.h"
#include "base/jm-json-private.h"
#include "core/jm-figures-json-private.h"
#include "core/jm-job-json-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-profile-json-private.h"
#include "core/jm-record-json-private.h"
#include "core/jm-snapshot-private.h"

/* What is read so far; the first that breaks the format is named. */
typedef struct
{
  JsonNode *node;
  const char *text; /* what the record is passed on as; or NULL */
  const char *bad;  /* name of the member; static, or of the tables */
  JmJob *job;
  gint64 end_us;
  JmCollectorSet collectors;
  JmReadings *readings;
  GArray *subjects; /* of JmSubject */
  GArray *coverage; /* of JmCoverage */
} Reader;

static gboolean
refuse (Reader *self, const char *member)
{
  if (self->bad == NULL)
    self->bad = member;

  return FALSE;
}

static gboolean
read_time (Reader *self, const char *name, gint64 *time_us)
{
  return jm_figures_json_get_time (self->node, name, time_us) || refuse (self, name);
}

static gboolean
is_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node);
}

/* --- what it used --- */

static JmLabels *
decode_labels (const JmMetricInfo *info, JsonNode *node)
{
  g_autofree const char **values = g_new0 (const char *, info->n_labels + 1);

  for (guint i = 0; i < info->n_labels; i++)
    if ((values[i] = jm_json_get_string (node, info->labels[i])) == NULL)
      return NULL;

  return jm_labels_new (values);
}

static gboolean
read_value (Reader *self, const JmMetricInfo *info, JmLabels *labels, JsonNode *node)
{
  guint64 value;

  if (node == NULL || !jm_figures_json_decode_value (info->unit, node, &value))
    return refuse (self, info->name);

  if (labels != NULL)
    jm_readings_add_labelled (self->readings, jm_metric_from_info (info), labels,
                              value);
  else
    jm_readings_add (self->readings, jm_metric_from_info (info), value);

  return TRUE;
}

static gboolean
read_labelled (Reader *self, const JmMetricInfo *info, JsonNode *array)
{
  if (!JSON_NODE_HOLDS_ARRAY (array))
    return refuse (self, info->name);

  for (guint i = 0; i < jm_json_get_length (array); i++)
    {
      JsonNode *one = jm_json_get_element (array, i);
      g_autoptr (JmLabels) labels = decode_labels (info, jm_json_get (one, "labels"));

      if (labels == NULL)
        return refuse (self, info->name);
      if (!read_value (self, info, labels, jm_json_get (one, "value")))
        return FALSE;
    }

  return TRUE;
}

static gboolean
read_figures_of (Reader *self,
                 JsonNode *metrics,
                 const char *member,
                 JmSubjectKind kind)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  JmMetric metric;

  if (!is_object (metrics))
    return refuse (self, member);

  json_object_iter_init_ordered (&iter, json_node_get_object (metrics));
  while (json_object_iter_next_ordered (&iter, &name, &node))
    {
      const JmMetricInfo *info;

      if (!jm_metric_from_name (name, kind, &metric))
        continue;
      info = jm_metric_get_info (metric);
      if (info->n_labels > 0 ? !read_labelled (self, info, node)
                             : !read_value (self, info, NULL, node))
        return FALSE;
    }

  return TRUE;
}

static gboolean
read_metrics (Reader *self, JsonNode *parent, JmSubjectKind kind)
{
  return read_figures_of (self, jm_json_get (parent, "metrics"), "metrics", kind);
}

/* What is read from here on is about it. Takes the labels.
 *
 * Returns: its number */
static guint
add_subject (Reader *self, JmSubjectKind kind, guint parent, JmLabels *labels)
{
  JmSubject subject = { kind, parent, kind != JM_SUBJECT_KIND_NODE ? self->job : NULL,
                        labels, kind != JM_SUBJECT_KIND_NODE ? self->end_us : 0 };

  jm_readings_set_subject (self->readings, self->subjects->len);
  if (subject.job != NULL)
    jm_job_ref (subject.job);
  g_array_append_val (self->subjects, subject);

  return self->subjects->len - 1;
}

static gboolean
read_share (Reader *self, JsonNode *node)
{
  JsonNode *share = jm_json_get (node, "share_ratio");
  const char *origin = jm_json_get_string (node, "origin");
  g_autoptr (JmLabels) labels = NULL;

  if (share == NULL)
    return TRUE;
  if (origin == NULL)
    return refuse (self, "origin");
  labels = jm_labels_of (origin, NULL);

  return read_value (self, jm_metric_get_info (JM_METRIC_GPU_SHARE), labels, share);
}

static gboolean
read_gpu (Reader *self, JsonNode *node, guint job)
{
  const char *name = jm_json_get_string (node, "gpu");

  if (name == NULL)
    return refuse (self, "gpu");
  add_subject (self, JM_SUBJECT_KIND_JOB_GPU, job, jm_labels_of (name, NULL));

  return read_share (self, node) && read_metrics (self, node, JM_SUBJECT_KIND_JOB_GPU);
}

static gboolean
read_task (Reader *self, JsonNode *node, guint step)
{
  const char *name = jm_json_get_string (node, "task");
  const JmSubject *parent = &g_array_index (self->subjects, JmSubject, step);

  if (name == NULL)
    return refuse (self, "task");
  add_subject (self, JM_SUBJECT_KIND_TASK, step,
               jm_labels_of (jm_labels_get_value (parent->labels, 0), name, NULL));

  return read_metrics (self, node, JM_SUBJECT_KIND_TASK);
}

typedef gboolean (*ReadFunc) (Reader *self, JsonNode *node, guint parent);

/* An array that need not be there, of parts of @parent. */
static gboolean
read_parts (Reader *self, JsonNode *node, const char *name, guint parent, ReadFunc read)
{
  JsonNode *array = jm_json_get (node, name);

  if (array != NULL && !JSON_NODE_HOLDS_ARRAY (array))
    return refuse (self, name);

  for (guint i = 0; i < jm_json_get_length (array); i++)
    if (!read (self, jm_json_get_element (array, i), parent))
      return FALSE;

  return TRUE;
}

static gboolean
read_step (Reader *self, JsonNode *node, guint job)
{
  const char *name = jm_json_get_string (node, "step");
  guint step;

  if (name == NULL)
    return refuse (self, "step");
  step = add_subject (self, JM_SUBJECT_KIND_STEP, job, jm_labels_of (name, NULL));

  return read_metrics (self, node, JM_SUBJECT_KIND_STEP) &&
         read_parts (self, node, "tasks", step, read_task);
}

/* Records of earlier versions do not have what the node has. */
static gboolean
read_node (Reader *self)
{
  JsonNode *metrics = jm_json_get (self->node, "node_metrics");

  add_subject (self, JM_SUBJECT_KIND_NODE, JM_NODE_SUBJECT, NULL);

  return metrics == NULL ||
         read_figures_of (self, metrics, "node_metrics", JM_SUBJECT_KIND_NODE);
}

static gboolean
read_figures (Reader *self)
{
  guint job;

  if (!read_node (self))
    return FALSE;
  job = add_subject (self, JM_SUBJECT_KIND_JOB, JM_NODE_SUBJECT, NULL);

  return read_metrics (self, self->node, JM_SUBJECT_KIND_JOB) &&
         read_parts (self, self->node, "gpu_devices", job, read_gpu) &&
         read_parts (self, self->node, "steps", job, read_step);
}

/* --- the rest --- */

static gboolean
read_job (Reader *self)
{
  self->job = jm_job_json_read (self->node, &self->bad);

  return self->job != NULL;
}

static gboolean
read_collectors (Reader *self)
{
  JsonNode *array = jm_json_get (self->node, "collectors");

  if (array == NULL || !JSON_NODE_HOLDS_ARRAY (array))
    return refuse (self, "collectors");

  for (guint i = 0; i < jm_json_get_length (array); i++)
    {
      JsonNode *node = jm_json_get_element (array, i);
      JmCollector collector;

      if (json_node_get_value_type (node) != G_TYPE_STRING)
        return refuse (self, "collectors");
      if (jm_collector_from_name (json_node_get_string (node), &collector))
        jm_collector_set_add (&self->collectors, collector);
    }

  return TRUE;
}

static gboolean
read_one_coverage (Reader *self, const char *what, JsonNode *node)
{
  const char *method = jm_json_get_string (node, "method");
  JmCoverage coverage;

  if (!jm_coverage_check_name (what) || method == NULL ||
      !jm_total_method_from_name (method, &coverage.method) ||
      !jm_json_get_number (node, "ratio", &coverage.ratio) || coverage.ratio < 0 ||
      coverage.ratio > 1)
    return refuse (self, "coverage");

  coverage.what = what;
  g_array_append_val (self->coverage, coverage);

  return TRUE;
}

static gboolean
read_coverage (Reader *self)
{
  JsonNode *all = jm_json_get (self->node, "coverage");
  JsonObjectIter iter;
  const char *what;
  JsonNode *node;

  if (!is_object (all) ||
      json_object_get_size (json_node_get_object (all)) > JM_RECORD_MAX_COVERAGES)
    return refuse (self, "coverage");

  json_object_iter_init_ordered (&iter, json_node_get_object (all));
  while (json_object_iter_next_ordered (&iter, &what, &node))
    if (!read_one_coverage (self, what, node))
      return FALSE;

  return TRUE;
}

static gboolean
read_state (Reader *self, JmRunState *state)
{
  const char *name = jm_json_get_string (self->node, "state");

  if (name == NULL || !jm_run_state_from_name (name, state))
    return refuse (self, "state");
  if (*state != JM_RUN_STATE_RUNNING)
    return read_time (self, "end_time", &self->end_us);

  return jm_json_get (self->node, "end_time") == NULL || refuse (self, "end_time");
}

static gboolean
read_profile (Reader *self, JmJobProfile **profile)
{
  JsonNode *node = jm_json_get (self->node, "profile");

  if (node == NULL)
    return TRUE;
  *profile = jm_profile_json_decode (node);

  return *profile != NULL || refuse (self, "profile");
}

static gboolean
read_position (Reader *self, guint64 *position)
{
  JsonNode *node = jm_json_get (self->node, "position");

  return node == NULL || jm_figures_json_decode_value (JM_UNIT_COUNT, node, position) ||
         refuse (self, "position");
}

/* Another version may mean something else by the same names. */
static gboolean
read_version (Reader *self)
{
  double version;

  return (jm_json_get_number (self->node, "version", &version) &&
          version == JM_RECORD_JSON_VERSION) ||
         refuse (self, "version");
}

static JmJobRecord *
make_record (Reader *self, JmJobRecordContent *content, guint64 position)
{
  g_autoptr (JmSnapshot) snapshot =
    jm_snapshot_new (content->seen_us, 0, &self->collectors,
                     (const JmSubject *) (gpointer) self->subjects->data,
                     self->subjects->len, self->readings);
  g_autoptr (JmJobRecord) record = NULL;

  content->job = self->job;
  content->node = jm_json_get_string (self->node, "node");
  content->end_us = self->end_us;
  content->snapshot = snapshot;
  content->coverage = (const JmCoverage *) (gpointer) self->coverage->data;
  content->n_coverage = self->coverage->len;
  content->text = self->text;
  record = jm_job_record_new (content);

  return position != 0 ? jm_job_record_at (record, position)
                       : g_steal_pointer (&record);
}

static JmJobRecord *
read_record (Reader *self)
{
  g_autoptr (JmJobProfile) profile = NULL;
  JmJobRecordContent content = { 0 };
  guint64 position = 0;

  if (!read_version (self) || !read_position (self, &position) ||
      !read_state (self, &content.state) ||
      !read_time (self, "begin_time", &content.begin_us) ||
      !read_time (self, "seen_time", &content.seen_us) || !read_job (self) ||
      !read_collectors (self) || !read_figures (self) || !read_coverage (self) ||
      !read_profile (self, &profile))
    return NULL;
  content.profile = profile;

  return make_record (self, &content, position);
}

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->job, jm_job_unref);
  jm_readings_unref (self->readings);
  g_array_unref (self->subjects);
  g_array_unref (self->coverage);
}

static JmJobRecord *
read_as (JsonNode *node, const char *text, const char *name, GError **error)
{
  Reader reader = { .node = node,
                    .text = text,
                    .readings = jm_readings_new (),
                    .subjects = g_array_new (FALSE, FALSE, sizeof (JmSubject)),
                    .coverage = g_array_new (FALSE, FALSE, sizeof (JmCoverage)) };
  JmJobRecord *record = NULL;

  g_array_set_clear_func (reader.subjects, (GDestroyNotify) jm_subject_clear);
  record = read_record (&reader);
  if (record == NULL)
    {
      g_autofree char *quote = jm_json_quote_member (node, reader.bad);

      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s: %s", name, reader.bad,
                   quote);
    }
  reader_clear (&reader);

  return record;
}

JmJobRecord *
jm_record_json_read (JsonNode *node, const char *name, GError **error)
{
  return read_as (node, NULL, name, error);
}

gboolean
jm_record_json_is_later (const char *text, gsize length)
{
  g_autoptr (JsonNode) node =
    length <= JM_RECORD_JSON_MAX_BYTES ? jm_json_parse (text, length) : NULL;
  double version;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) &&
         jm_json_get_number (node, "version", &version) &&
         version > JM_RECORD_JSON_VERSION;
}

/* Without the position that stands in front. NULL where it stands elsewhere, and for
 * text that may not be passed on. */
static char *
make_bare (JsonNode *node, const char *text, gsize length)
{
  const gsize n_prefix = strlen (JM_RECORD_JSON_POSITION);
  gsize end = n_prefix;

  if (*text != '{' || !jm_json_may_be_passed_on (text, length))
    return NULL;
  if (jm_json_get (node, "position") == NULL)
    return g_strndup (text, length);
  if (length <= n_prefix || strncmp (text, JM_RECORD_JSON_POSITION, n_prefix) != 0)
    return NULL;

  while (end < length && g_ascii_isdigit (text[end]))
    end++;
  if (end == length || text[end] != ',')
    return NULL;

  return g_strdup_printf ("{%.*s", (int) (length - end - 1), text + end + 1);
}

/**
 * jm_record_json_parse:
 * @text: (array length=length) (element-type guint8): what jm_record_json_format()
 * wrote, here or elsewhere
 * @length: how many bytes it has
 * @name: what messages call it, such as a path
 * @error: return location for an error
 *
 * Reads a record. Sums and peaks come back exactly, up to 2^53 of their smallest unit.
 * Metrics and members that are not known are passed over here, and passed on by
 * jm_record_json_format().
 *
 * - Errors: `MALFORMED` where it breaks the format in any place, with @name and the
 *   member.
 *
 * Returns: (transfer full): the record
 * Since: 0.1
 */
JmJobRecord *
jm_record_json_parse (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr (JsonNode) node =
    length <= JM_RECORD_JSON_MAX_BYTES ? jm_json_parse (text, length) : NULL;
  g_autofree char *bare = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      g_autofree char *quote = jm_json_quote (text, length);

      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: no record of a job: %s",
                   name, quote);
      return NULL;
    }

  bare = make_bare (node, text, length);

  return read_as (node, bare, name, error);
}
