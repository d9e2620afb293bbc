/* test-record-json.c: a record of a job as JSON, and back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-metric-private.h"
#include "core/jm-record-json-private.h"

#include <math.h>
#include <string.h>

#include "../archive/made-record.h"
#include "base/jm-error.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-job-private.h"
#include "expose/jm-text-encoder.h"

static JmJobRecord *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  JmJobRecord *record = jm_record_json_parse (text, strlen (text), "it", &error);

  g_assert_no_error (error);

  return record;
}

static JmJobRecord *
make (JmRunState state)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  g_autoptr (JmJobProfile) profile = made_profile (rand, MADE_END_US - MADE_BEGIN_US);

  return made_record (state, profile);
}

static JsonNode *
to_node (JmJobRecord *record)
{
  g_autofree char *text = jm_record_json_format (record);
  JsonNode *node = json_from_string (text, NULL);

  g_assert_nonnull (node);

  return node;
}

/* As it would be written if it had not been read from text; without its position. */
static char *
write_anew (const char *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJobRecord) record = jm_record_json_read (node, "it", &error);

  g_assert_no_error (error);

  return jm_record_json_format_bare (record);
}

/* --- lossless --- */

static void
assert_same_jobs (JmJob *a, JmJob *b)
{
  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    {
      g_assert_cmpstr (jm_job_get_field (a, i), ==, jm_job_get_field (b, i));
      if (i != JM_JOB_FIELD_UUID)
        g_assert_cmpint (jm_job_get_origin (a, i), ==, jm_job_get_origin (b, i));
    }
  g_assert_cmpstr (jm_job_get_further_field (a, "project"), ==,
                   jm_job_get_further_field (b, "project"));
  g_assert_cmpint (jm_job_get_further_origin (a, "project"), ==,
                   jm_job_get_further_origin (b, "project"));
  g_assert_cmpstr (jm_job_get_run_key (a), ==, jm_job_get_run_key (b));
  g_assert_cmpstr (a->alias, ==, b->alias);
  g_assert_cmpint (jm_job_is_decided (a), ==, jm_job_is_decided (b));
  g_assert_cmpint (jm_job_is_uuid_weak (a), ==, jm_job_is_uuid_weak (b));
}

static void
assert_same_reading (const JmReading *a, const JmReading *b)
{
  g_assert_cmpuint (a->metric, ==, b->metric);
  g_assert_true (a->labels == b->labels);
  if (a->value < G_GUINT64_CONSTANT (1) << 53)
    g_assert_cmpuint (a->value, ==, b->value);
  else
    g_assert_cmpfloat (jm_metric_to_base_unit (a->metric, a->value), ==,
                       jm_metric_to_base_unit (b->metric, b->value));
}

static void
assert_same_snapshots (JmSnapshot *a, JmSnapshot *b)
{
  g_assert_cmpuint (jm_snapshot_get_n_subjects (b), ==, N_MADE_SUBJECTS);
  for (JmCollector i = 0; i < JM_N_COLLECTORS; i++)
    g_assert_cmpint (jm_snapshot_is_collected (a, i), ==,
                     jm_snapshot_is_collected (b, i));

  for (guint i = 0; i < N_MADE_SUBJECTS; i++)
    {
      guint n_a, n_b;
      const JmReading *of_a = jm_snapshot_get_readings_of (a, i, &n_a);
      const JmReading *of_b = jm_snapshot_get_readings_of (b, i, &n_b);

      g_assert_cmpint (jm_snapshot_get_kind (a, i), ==, jm_snapshot_get_kind (b, i));
      g_assert_cmpuint (jm_snapshot_get_parent (a, i), ==,
                        jm_snapshot_get_parent (b, i));
      g_assert_cmpint (jm_snapshot_get_end_time (a, i), ==,
                       jm_snapshot_get_end_time (b, i));
      g_assert_true (jm_snapshot_get_subject_labels (a, i) ==
                     jm_snapshot_get_subject_labels (b, i));
      g_assert_cmpuint (n_a, ==, n_b);
      for (guint k = 0; k < n_a; k++)
        assert_same_reading (&of_a[k], &of_b[k]);
    }
}

static void
assert_same_points (JmJobProfile *a, JmJobProfile *b, JmProfileSeries series)
{
  gboolean is_sum = jm_profile_series_is_sum (series);
  guint n_a, n_b;
  const JmProfilePoint *of_a = jm_job_profile_get_points (a, series, &n_a);
  const JmProfilePoint *of_b = jm_job_profile_get_points (b, series, &n_b);

  g_assert_cmpuint (n_a, ==, n_b);
  for (guint i = 0; i < n_a; i++)
    {
      g_assert_cmpint (of_a[i].seen_us, ==, of_b[i].seen_us);
      g_assert_cmpuint (of_a[i].peak, ==, of_b[i].peak);
      if (is_sum)
        g_assert_cmpuint (of_a[i].sum, ==, of_b[i].sum);
      else if (of_a[i].seen_us > 0)
        g_assert_true (fabs (of_a[i].area - of_b[i].area) <= of_a[i].seen_us);
    }
}

static void
assert_same_profiles (JmJobProfile *a, JmJobProfile *b)
{
  g_assert_cmpint (jm_job_profile_get_begin_time (a), ==,
                   jm_job_profile_get_begin_time (b));
  g_assert_cmpint (jm_job_profile_get_interval (a), ==,
                   jm_job_profile_get_interval (b));
  g_assert_cmpuint (jm_job_profile_get_n_points (a), ==,
                    jm_job_profile_get_n_points (b));
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      g_assert_cmpint (jm_job_profile_has (a, i), ==, jm_job_profile_has (b, i));
      assert_same_points (a, b, i);
    }
}

static void
assert_same_coverage (JmJobRecord *a, JmJobRecord *b)
{
  g_auto (GStrv) of_a = jm_job_record_list_coverage (a);
  g_auto (GStrv) of_b = jm_job_record_list_coverage (b);

  g_assert_cmpstrv (of_a, of_b);
  for (guint i = 0; of_a[i] != NULL; i++)
    {
      g_assert_cmpfloat (jm_job_record_get_coverage (a, of_a[i]), ==,
                         jm_job_record_get_coverage (b, of_a[i]));
      g_assert_cmpint (jm_job_record_get_method (a, of_a[i]), ==,
                       jm_job_record_get_method (b, of_a[i]));
    }
}

static void
test_comes_back_as_it_was (void)
{
  for (JmRunState state = 0; state < JM_N_RUN_STATES; state++)
    {
      g_autoptr (JmJobRecord) made = make (state);
      g_autoptr (JmJobRecord) record = jm_job_record_at (made, 77);
      g_autofree char *text = jm_record_json_format (record);
      g_autofree char *bare = jm_record_json_format_bare (record);
      g_autoptr (JmJobRecord) same = parse (text);
      g_autofree char *again = write_anew (text);

      g_assert_cmpuint (jm_job_record_get_position (same), ==, 77);
      g_assert_cmpstr (jm_job_record_get_key (same), ==, MADE_RUN_KEY);
      g_assert_cmpstr (jm_job_record_get_node (same), ==, "n1");
      g_assert_cmpint (jm_job_record_get_state (same), ==, state);
      g_assert_cmpint (jm_job_record_get_begin_time (same), ==, MADE_BEGIN_US);
      g_assert_cmpint (jm_job_record_get_end_time (same), ==,
                       jm_job_record_get_end_time (record));
      g_assert_cmpint (jm_job_record_get_seen_time (same), ==, MADE_END_US - 1);
      assert_same_jobs (jm_job_record_get_job (record), jm_job_record_get_job (same));
      assert_same_snapshots (jm_job_record_get_snapshot (record),
                             jm_job_record_get_snapshot (same));
      assert_same_profiles (jm_job_record_get_profile (record),
                            jm_job_record_get_profile (same));
      assert_same_coverage (record, same);
      g_assert_cmpstr (again, ==, bare);
    }
}

static void
test_does_without_what_is_not_known (void)
{
  g_autoptr (JmJobRecord) record = made_record (JM_RUN_STATE_ENDED, NULL);
  g_autoptr (JsonNode) node = to_node (record);
  g_autoptr (JmJobRecord) same = NULL;
  g_autoptr (GError) error = NULL;

  json_object_remove_member (json_node_get_object (node), "node");
  json_object_remove_member (json_node_get_object (node), "run_key");
  json_object_remove_member (json_node_get_object (node), "alias");
  same = jm_record_json_read (node, "it", &error);
  g_assert_no_error (error);

  g_assert_null (jm_job_record_get_profile (same));
  g_assert_null (jm_job_record_get_node (same));
  g_assert_null (jm_job_get_run_key (jm_job_record_get_job (same)));
}

static char *
without (const char *text, const char *part)
{
  g_auto (GStrv) pieces = g_strsplit (text, part, 2);

  return g_strjoinv ("", pieces);
}

/* Ledgers are kept for years. */
static void
test_reads_and_writes_what_was_written_before (void)
{
  const char *const names[] = { "ended.json", "running.json" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path =
        g_test_build_filename (G_TEST_DIST, "fixtures", "record", names[i], NULL);
      g_autofree char *text = NULL;
      g_autofree char *bare = NULL;
      g_autofree char *again = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      bare = without (g_strchomp (text), "\"position\":12,");
      again = write_anew (text);
      g_assert_cmpstr (again, ==, bare);
    }
}

/* --- passed on --- */

/* With members that a later version may have, and numbers written in another way. */
static char *
make_foreign (void)
{
  g_autoptr (JmJobRecord) record = made_record (JM_RUN_STATE_ENDED, NULL);
  g_autofree char *text = jm_record_json_format (record);

  return g_strdup_printf ("{\"weather\": {\"rain\": [1.50, 2e0, \"\\u00e9\"]}, %s",
                          text + 1);
}

static void
test_is_passed_on_as_it_was_written (void)
{
  g_autofree char *text = make_foreign ();
  g_autoptr (JmJobRecord) record = parse (text);
  g_autoptr (JmJobRecord) placed = jm_job_record_at (record, 77);
  g_autofree char *passed_on = jm_record_json_format (record);
  g_autofree char *at_its_place = jm_record_json_format (placed);
  g_autofree char *expected = g_strconcat ("{\"position\":77,", text + 1, NULL);
  g_autoptr (JmJobRecord) further = parse (at_its_place);
  g_autofree char *bare = jm_record_json_format_bare (further);

  g_assert_cmpstr (passed_on, ==, text);
  g_assert_cmpstr (at_its_place, ==, expected);
  g_assert_cmpuint (jm_job_record_get_position (further), ==, 77);
  g_assert_cmpstr (bare, ==, text);
}

/* Each is read, and written anew. */
static void
test_is_not_passed_on_where_others_could_not_read_it (void)
{
  const char *const odd[] = {
    "\"weather\": 0x10",
    "\"weather\": \"\x1b[2J\"",
    "\"weather\": \"\xe2\x80\xae\"",
    "\"weather\": \"\xc2\x9b\"",
    "\"weather\": 1, \"position\": 5",
    "\"position\": 5",
  };

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (JmJobRecord) made = made_record (JM_RUN_STATE_ENDED, NULL);
      g_autofree char *bare = jm_record_json_format (made);
      g_autofree char *text = g_strdup_printf ("{%s, %s", odd[i], bare + 1);
      g_autoptr (JmJobRecord) record = parse (text);
      g_autofree char *passed_on = jm_record_json_format_bare (record);

      g_assert_cmpstr (passed_on, ==, bare);
    }
}

/* --- as the JSON of a snapshot --- */

static void
test_reports_a_job_as_a_snapshot_does (void)
{
  g_autoptr (JmJobRecord) record = make (JM_RUN_STATE_ENDED);
  g_autoptr (JsonNode) node = to_node (record);
  g_autoptr (JsonNode) job =
    jm_json_encode_job (jm_job_record_get_snapshot (record), JM_RECORD_SUBJECT, NULL);
  JsonObject *object = json_node_get_object (node);
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  json_object_iter_init (&iter, json_node_get_object (job));
  while (json_object_iter_next (&iter, &name, &member))
    {
      g_autofree char *here =
        jm_json_format (json_object_get_member (object, name), FALSE);
      g_autofree char *there = jm_json_format (member, FALSE);

      g_assert_cmpstr (here, ==, there);
    }
}

/* --- what others may write --- */

static void
test_passes_over_what_it_does_not_know (void)
{
  g_autoptr (JmJobRecord) record = make (JM_RUN_STATE_ENDED);
  g_autoptr (JsonNode) node = to_node (record);
  JsonObject *object = json_node_get_object (node);
  g_autoptr (JmJobRecord) same = NULL;
  g_autoptr (GError) error = NULL;

  json_object_set_string_member (object, "weather", "fine");
  json_object_set_string_member (json_object_get_object_member (object, "metrics"),
                                 "smiles_total", "many");
  json_array_add_string_element (json_object_get_array_member (object, "collectors"),
                                 "weather");
  same = jm_record_json_read (node, "it", &error);
  g_assert_no_error (error);
  assert_same_snapshots (jm_job_record_get_snapshot (record),
                         jm_job_record_get_snapshot (same));
}

/* A member at a path, by dots, and what it is made. */
typedef struct
{
  const char *path;
  const char *json; /* NULL to remove it */
  const char *message;
} Damage;

static void
damage (JsonNode *root, const Damage *how)
{
  g_auto (GStrv) names = g_strsplit (how->path, ".", -1);
  JsonNode *node = root;
  guint i;

  for (i = 0; names[i + 1] != NULL; i++)
    node = JSON_NODE_HOLDS_ARRAY (node)
             ? json_array_get_element (json_node_get_array (node), 0)
             : json_object_get_member (json_node_get_object (node), names[i]);
  if (how->json != NULL)
    json_object_set_member (json_node_get_object (node), names[i],
                            json_from_string (how->json, NULL));
  else
    json_object_remove_member (json_node_get_object (node), names[i]);
}

static const Damage damages[] = {
  { "version", NULL, "it: version: none" },
  { "version", "2", "it: version: 2" },
  { "position", "-1", "it: position: -1" },
  { "state", "\"finished\"", "it: state: \\\"finished\\\"" },
  { "end_time", NULL, "it: end_time: none" },
  { "begin_time", "-5", "it: begin_time: -5" },
  { "seen_time", "1e30", "it: seen_time: *" },
  { "jobid", "7.5", "it: jobid: 7.5" },
  { "origin.jobid", NULL, "it: jobid: \\\"4711\\\"" },
  { "origin.uid", "\"environment\"", "it: uid: 1000" },
  { "fields.project", "1", "it: fields: *" },
  { "fields", "[]", "it: fields: []" },
  { "uuid", "\"1\"", "it: uuid: \\\"1\\\"" },
  { "uuid_weak", NULL, "it: uuid_weak: none" },
  { "decided", "1", "it: decided: 1" },
  { "collectors", "{}", "it: collectors: {}" },
  { "collectors", "[1]", "it: collectors: *" },
  { "metrics", NULL, "it: metrics: none" },
  { "metrics.cpus", "-2", "it: cpus: *" },
  { "metrics.cpus", "\"2\"", "it: cpus: *" },
  { "metrics.cpu_seconds_total", "1e300", "it: cpu_seconds_total: *" },
  { "metrics.energy_joules_total", "7", "it: energy_joules_total: *" },
  { "metrics.energy_joules_total.0.labels", "{}", "it: energy_joules_total: *" },
  { "metrics.energy_joules_total.0.value", NULL, "it: energy_joules_total: *" },
  { "steps", "{}", "it: steps: {}" },
  { "steps", "[7]", "it: step: *" },
  { "steps.0.metrics", "[]", "it: metrics: *" },
  { "steps.0.tasks", "[{}]", "it: task: *" },
  { "gpu_devices.0.gpu", NULL, "it: gpu: *" },
  { "gpu_devices.0.origin", "5", "it: origin: *" },
  { "gpu_devices.0.share_ratio", "-0.5", "it: share_ratio: *" },
  { "coverage", NULL, "it: coverage: none" },
  { "coverage", "{\"life\": {\"ratio\": 2, \"method\": \"last\"}}", "it: coverage: *" },
  { "coverage", "{\"l\\u0001\": {\"ratio\": 1, \"method\": \"last\"}}",
    "it: coverage: *" },
  { "coverage", "{\"life\": {\"ratio\": 1, \"method\": \"dice\"}}", "it: coverage: *" },
  { "profile", "null", "it: profile: null" },
  { "profile.points", "201", "it: profile: *" },
  { "profile.points", "3", "it: profile: *" },
  { "profile.interval_seconds", "3", "it: profile: *" },
  { "profile.interval_seconds", "0", "it: profile: *" },
  { "profile.begin_time", NULL, "it: profile: *" },
  { "profile.series", NULL, "it: profile: *" },
  { "profile.series.cpu_seconds.values", "[]", "it: profile: *" },
  { "profile.series.memory_bytes.peaks", NULL, "it: profile: *" },
};

static void
test_names_what_breaks_the_format (void)
{
  g_autoptr (JmJobRecord) record = make (JM_RUN_STATE_ENDED);

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (JsonNode) node = to_node (record);
      g_autoptr (GError) error = NULL;

      damage (node, &damages[i]);
      g_assert_null (jm_record_json_read (node, "it", &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      if (!g_pattern_match_simple (damages[i].message, error->message))
        g_error ("%s: %s", damages[i].path, error->message);
    }
}

static void
test_refuses_a_running_job_that_has_ended (void)
{
  g_autoptr (JmJobRecord) record = make (JM_RUN_STATE_RUNNING);
  g_autoptr (JsonNode) node = to_node (record);
  g_autoptr (GError) error = NULL;

  json_object_set_int_member (json_node_get_object (node), "end_time", 5);
  g_assert_null (jm_record_json_read (node, "it", &error));
  g_assert_cmpstr (error->message, ==, "it: end_time: 5");
}

static void
test_refuses_what_is_no_record (void)
{
  const char *const texts[] = { "", "7", "[]", "{", "{} {}", "\xff" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (
        jm_record_json_parse (texts[i], strlen (texts[i]), "/some/file", &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      g_assert_true (g_str_has_prefix (error->message, "/some/file: "));
    }
}

/* Cut anywhere, it is none. */
static void
test_refuses_half_a_record (void)
{
  g_autoptr (JmJobRecord) record = make (JM_RUN_STATE_ENDED);
  g_autofree char *text = jm_record_json_format (record);

  for (gsize length = strlen (text) - 1; length > 97; length -= 97)
    g_assert_null (jm_record_json_parse (text, length, "it", NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/record-json/comes-back-as-it-was", test_comes_back_as_it_was);
  g_test_add_func ("/record-json/reads-and-writes-what-was-written-before",
                   test_reads_and_writes_what_was_written_before);
  g_test_add_func ("/record-json/is-passed-on-as-it-was-written",
                   test_is_passed_on_as_it_was_written);
  g_test_add_func ("/record-json/is-not-passed-on-where-others-could-not-read-it",
                   test_is_not_passed_on_where_others_could_not_read_it);
  g_test_add_func ("/record-json/does-without-what-is-not-known",
                   test_does_without_what_is_not_known);
  g_test_add_func ("/record-json/reports-a-job-as-a-snapshot-does",
                   test_reports_a_job_as_a_snapshot_does);
  g_test_add_func ("/record-json/passes-over-what-it-does-not-know",
                   test_passes_over_what_it_does_not_know);
  g_test_add_func ("/record-json/names-what-breaks-the-format",
                   test_names_what_breaks_the_format);
  g_test_add_func ("/record-json/refuses-a-running-job-that-has-ended",
                   test_refuses_a_running_job_that_has_ended);
  g_test_add_func ("/record-json/refuses-what-is-no-record",
                   test_refuses_what_is_no_record);
  g_test_add_func ("/record-json/refuses-half-a-record", test_refuses_half_a_record);

  return g_test_run ();
}
