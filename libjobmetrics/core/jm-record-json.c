/* jm-record-json.c: a record of a job as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-record-json-private.h"

#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-figures-json-private.h"
#include "core/jm-job-json-private.h"
#include "core/jm-job-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-profile-json-private.h"
#include "core/jm-snapshot-private.h"

/* What is about the record comes first, for people who look at one. */
static void
add_head (JsonObject *object, JmJobRecord *record)
{
  json_object_set_int_member (object, "version", JM_RECORD_JSON_VERSION);
  json_object_set_string_member (object, "key", jm_job_record_get_key (record));
  if (jm_job_record_get_node (record) != NULL)
    jm_json_add_text (object, "node", jm_job_record_get_node (record));
  json_object_set_string_member (object, "state",
                                 jm_run_state_get_name (
                                   jm_job_record_get_state (record)));
  jm_figures_json_set_time (object, "begin_time",
                            jm_job_record_get_begin_time (record));
  jm_figures_json_set_time (object, "seen_time", jm_job_record_get_seen_time (record));
}

/* Who the job is and what it used, as the JSON of a snapshot has it. A job whose cgroup
 * was gone before its number was read has no run key, and gets that of the record. */
static void
add_job (JsonObject *object, JmJobRecord *record)
{
  JmJob *job = jm_job_record_get_job (record);

  jm_job_json_add (object, job, jm_job_record_get_end_time (record));
  if (jm_job_get_run_key (job) == NULL &&
      jm_job_record_get_state (record) != JM_RUN_STATE_RUNNING)
    json_object_set_string_member (object, "run_key", jm_job_record_get_key (record));
  jm_figures_json_add (object, jm_job_record_get_snapshot (record), JM_RECORD_SUBJECT,
                       NULL);
  jm_job_json_add_alias (object, job);
}

static void
add_node (JsonObject *object, JmSnapshot *snapshot)
{
  guint n;

  jm_snapshot_get_readings_of (snapshot, JM_NODE_SUBJECT, &n);
  if (n > 0)
    json_object_set_object_member (object, "node_metrics",
                                   jm_figures_json_encode_metrics (snapshot,
                                                                   JM_NODE_SUBJECT,
                                                                   NULL));
}

static void
add_collectors (JsonObject *object, JmSnapshot *snapshot)
{
  JsonArray *collectors = json_array_new ();

  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    if (jm_snapshot_is_collected (snapshot, i))
      json_array_add_string_element (collectors, jm_collector_get_name (i));
  json_object_set_array_member (object, "collectors", collectors);
}

static void
add_coverage (JsonObject *object, JmJobRecord *record)
{
  JsonObject *all = json_object_new ();
  guint n;
  const JmCoverage *coverage = jm_job_record_get_coverages (record, &n);

  for (guint i = 0; i < n; i++)
    {
      JsonObject *one = json_object_new ();

      json_object_set_double_member (one, "ratio", coverage[i].ratio);
      json_object_set_string_member (one, "method",
                                     jm_total_method_get_name (coverage[i].method));
      json_object_set_object_member (all, coverage[i].what, one);
    }
  json_object_set_object_member (object, "coverage", all);
}

static JsonNode *
encode (JmJobRecord *record)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();

  add_head (object, record);
  add_job (object, record);
  add_node (object, jm_job_record_get_snapshot (record));
  add_collectors (object, jm_job_record_get_snapshot (record));
  add_coverage (object, record);
  if (jm_job_record_get_profile (record) != NULL)
    json_object_set_member (object, "profile",
                            jm_profile_json_encode (
                              jm_job_record_get_profile (record)));
  json_node_take_object (node, object);

  return node;
}

char *
jm_record_json_format_bare (JmJobRecord *record)
{
  g_autoptr (JsonNode) node = NULL;

  if (jm_job_record_get_text (record) != NULL)
    return g_strdup (jm_job_record_get_text (record));
  node = encode (record);

  return jm_json_format (node, FALSE);
}

/**
 * jm_record_json_format:
 * @record: a record
 *
 * Formats a record as JSON: what a ledger keeps and hands on. A record that was read
 * from text is that text, whatever else stands in it, behind its position.
 *
 * - Shape: an object: what an element of `jobs` is in the JSON of a snapshot, see
 *   jm_json_encode_snapshot(), and `{position, version, key, node, state, begin_time,
 *   seen_time, node_metrics: {NAME: VALUE}, collectors: [NAME], coverage: {WHAT:
 *   {ratio, method}}, profile: {begin_time, interval_seconds, points, series: {NAME:
 *   {values: [], peaks: [], seen_seconds: []}}}}`. Arrays of a series have an element
 *   for each point, null where nothing was observed; sums have no peaks, and
 *   `seen_seconds` is there if points were observed for a part only. What is not known
 *   is not there.
 * - Units: base units; times in seconds since 1970.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_record_json_format (JmJobRecord *record)
{
  g_autofree char *bare = jm_record_json_format_bare (record);

  if (jm_job_record_get_position (record) == 0)
    return g_steal_pointer (&bare);

  return g_strdup_printf (JM_RECORD_JSON_POSITION "%" G_GUINT64_FORMAT ",%s",
                          jm_job_record_get_position (record), bare + 1);
}
