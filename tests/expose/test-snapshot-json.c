/* test-snapshot-json.c: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-json-writer-private.h"
#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

static char *
read_file (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return g_strchomp (text);
}

static void
assert_is_in_file (JmSnapshot *snapshot, const char *name)
{
  g_autofree char *expected = read_file (name);
  g_autoptr (JsonNode) node = jm_json_encode_snapshot (snapshot, NULL);
  g_autofree char *text = jm_json_format (node, TRUE);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_a_small_node (void)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_small_node ();

  assert_is_in_file (snapshot, "expected/expose/small-node.json");
}

static void
test_devices_and_what_jobs_have_of_them (void)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_gpu_node ();

  assert_is_in_file (snapshot, "expected/expose/gpu-node.json");
}

static void
assert_each_job_is_told_as_among_all (JmSnapshot *snapshot, const char *const *ids)
{
  g_autoptr (JsonNode) all = jm_json_encode_snapshot (snapshot, NULL);
  JsonArray *jobs = json_object_get_array_member (json_node_get_object (all), "jobs");

  g_assert_cmpuint (json_array_get_length (jobs), ==,
                    g_strv_length ((char **) (gpointer) ids));
  for (guint i = 0; ids[i] != NULL; i++)
    {
      g_autoptr (JsonNode) job = NULL;
      guint subject;

      g_assert_true (jm_snapshot_find_job (snapshot, ids[i], &subject));
      job = jm_json_encode_job (snapshot, subject, NULL);
      g_assert_true (json_node_equal (job, json_array_get_element (jobs, i)));
    }
}

static void
test_one_job_is_reported_as_it_is_among_all (void)
{
  const char *const ids[] = { "101", "100", NULL };
  const char *const ids_with_gpus[] = { "101", "100", "102", NULL };
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_small_node ();
  g_autoptr (JmSnapshot) with_gpus = jm_test_snapshot_of_a_gpu_node ();

  assert_each_job_is_told_as_among_all (snapshot, ids);
  assert_each_job_is_told_as_among_all (with_gpus, ids_with_gpus);
}

static void
test_hostile_labels_are_valid_json (void)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_hostile_node ();
  g_autoptr (JsonNode) written = jm_json_encode_snapshot (snapshot, NULL);
  g_autofree char *text = jm_json_format (written, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = json_from_string (text, &error);
  g_autoptr (JsonNode) name = NULL;

  g_assert_no_error (error);
  g_assert_null (strchr (text, '\n'));
  g_assert_true (json_node_equal (node, written));
  g_assert_true (g_utf8_validate (text, -1, NULL));

  name = json_path_query ("$.jobs[0].name", node, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (json_array_get_string_element (json_node_get_array (name), 0), ==,
                   "\\\"\n\xef\xbf\xbd\xf0\x9f\x90\x8d");
}

static void
test_a_number_that_is_none_stays_text (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (&(JmCollectorSet){ { 0 } });
  g_autoptr (JmJob) job =
    jm_test_job_new ("1", "uid", "12x", "nodes", "2", "start_time", "", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;

  jm_snapshot_builder_add_job (builder, job);
  snapshot = jm_snapshot_builder_end (builder);
  node = jm_json_encode_job (snapshot, 1, NULL);
  object = json_node_get_object (node);

  g_assert_cmpstr (json_object_get_string_member (object, "uid"), ==, "12x");
  g_assert_cmpint (json_object_get_int_member (object, "nodes"), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (object, "start_time"), ==, "");
  g_assert_false (json_object_has_member (object, "user"));
  g_assert_true (json_object_get_boolean_member (object, "uuid_weak"));
}

static void
test_collectors_report_what_went_wrong (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (JM_COLLECTOR_SET (JM_COLLECTOR_IO, JM_COLLECTOR_CPU));
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *collectors, *io, *cpu;

  jm_snapshot_builder_add_error (builder, JM_COLLECTOR_IO, "io.stat: \xff");
  snapshot = jm_snapshot_builder_end (builder);
  node = jm_json_encode_snapshot (snapshot, NULL);
  collectors =
    json_object_get_object_member (json_node_get_object (node), "collectors");
  io = json_object_get_object_member (collectors, "io");
  cpu = json_object_get_object_member (collectors, "cpu");

  g_assert_cmpuint (json_object_get_size (collectors), ==, 2);
  g_assert_false (json_object_get_boolean_member (io, "success"));
  g_assert_cmpstr (json_object_get_string_member (io, "error"), ==,
                   "io.stat: \xef\xbf\xbd");
  g_assert_false (json_object_get_boolean_member (io, "denied"));
  g_assert_true (json_object_get_boolean_member (cpu, "success"));
  g_assert_false (json_object_has_member (cpu, "error"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json/a-small-node", test_a_small_node);
  g_test_add_func ("/json/devices-and-what-jobs-have-of-them",
                   test_devices_and_what_jobs_have_of_them);
  g_test_add_func ("/json/one-job-is-reported-as-it-is-among-all",
                   test_one_job_is_reported_as_it_is_among_all);
  g_test_add_func ("/json/hostile-labels-are-valid-json",
                   test_hostile_labels_are_valid_json);
  g_test_add_func ("/json/a-number-that-is-none-stays-text",
                   test_a_number_that_is_none_stays_text);
  g_test_add_func ("/json/collectors-report-what-went-wrong",
                   test_collectors_report_what_went_wrong);

  return g_test_run ();
}
