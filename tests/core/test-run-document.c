/* test-run-document.c: parts of runs as documents
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-error.h"
#include "core/jm-run-document-private.h"
#include "core/jm-run-part-private.h"

static void
assert_value (JmRun *run, const char *quantity, double expected)
{
  double value;

  g_assert_true (jm_run_get_value (run, quantity, &value));
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-9);
}

static void
test_has_its_quantities_by_name (void)
{
  static const double impossible[] = { -1, 1e30, G_MAXDOUBLE };
  g_autoptr (JmRun) run = jm_run_new ("alps", "7");

  g_assert_cmpstr (jm_run_get_text (run, "cluster"), ==, "alps");
  g_assert_cmpstr (jm_run_get_text (run, "jobid"), ==, "7");
  jm_run_set_text (run, "jobid", "5_2");
  g_assert_cmpstr (jm_run_get_text (run, "jobid"), ==, "5_2");
  g_assert_cmpstr (jm_run_get_text (run, "raw_id"), ==, "7");
  g_assert_null (jm_run_get_text (run, "cpu_seconds"));
  g_assert_false (jm_run_get_figure (run, "user").is_known);

  jm_run_set_value (run, "cpu_seconds", 1.25);
  assert_value (run, "cpu_seconds", 1.25);
  for (guint i = 0; i < G_N_ELEMENTS (impossible); i++)
    {
      jm_run_set_value (run, "cpu_seconds", impossible[i]);
      g_assert_false (jm_run_get_figure (run, "cpu_seconds").is_known);
    }

  jm_run_set_value (run, "submit_time", 1000);
  jm_run_set_text (run, "reason", "Priority");
  g_assert_cmpstr (jm_run_get_text (run, "reason"), ==, "Priority");
  jm_run_set_value (run, "start_time", 1100);
  g_assert_null (jm_run_get_text (run, "reason"));
  assert_value (run, "wait_seconds", 100);

  g_assert_false (jm_run_get_elapsed (run, 1160).is_known);
  jm_run_set_text (run, "state", "RUNNING");
  g_assert_cmpfloat (jm_run_get_elapsed (run, 1160).value, ==, 60);
  g_assert_false (jm_run_get_elapsed (run, 1090).is_known);
  g_assert_false (jm_run_get_figure (run, "elapsed_seconds").is_known);
  jm_run_set_value (run, "end_time", 1150);
  g_assert_cmpfloat (jm_run_get_elapsed (run, 1160).value, ==, 50);
  assert_value (run, "elapsed_seconds", 50);
}

static JmRunPart *
read_part (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) json = json_from_string (text, &error);
  JmRunPart *part;

  g_assert_no_error (error);
  part = jm_run_document_read_part (json, JM_RUN_PART_KIND_DEVICE, "it", &error);
  g_assert_no_error (error);

  return part;
}

static void
test_a_device_reports_what_a_run_made_of_it (void)
{
  g_autoptr (JmRunPart) part = jm_run_part_new (JM_RUN_PART_KIND_DEVICE);
  g_autoptr (JmRunPart) again = NULL;
  g_autoptr (GString) json = g_string_new (NULL);

  jm_run_part_set_text (part, JM_QUANTITY_NODE, "n1");
  jm_run_part_set_text (part, JM_QUANTITY_NAME, "0");
  jm_run_part_set_number (part, JM_QUANTITY_GPU_BUSY, 45500001);
  jm_run_part_set_number (part, JM_QUANTITY_GPU_OBSERVED, 90000000);
  jm_run_part_set_number (part, JM_QUANTITY_GPU_MEMORY_PEAK, 8589934592);
  jm_run_part_set_number (part, JM_QUANTITY_GPU_MEMORY_SIZE, 85899345920);
  jm_run_document_append_part (json, part);

  g_assert_cmpstr (json->str, ==,
                   "{\"name\": \"0\", \"node\": \"n1\", "
                   "\"gpu_memory_size_bytes\": 85899345920, "
                   "\"gpu_busy_seconds\": 45.500001, \"gpu_observed_seconds\": 90, "
                   "\"gpu_memory_peak_bytes\": 8589934592}");

  again = read_part (json->str);
  g_assert_cmpint (jm_run_part_peek (again, JM_QUANTITY_GPU_BUSY), ==, 45500001);
  g_assert_cmpint (jm_run_part_peek (again, JM_QUANTITY_GPU_MEMORY_SIZE), ==,
                   85899345920);
}

static void
test_what_is_not_known_of_a_device_is_not_reported (void)
{
  g_autoptr (JmRunPart) part = read_part ("{\"node\": \"n1\", \"name\": \"0\"}");
  g_autoptr (GString) json = g_string_new (NULL);

  g_assert_false (jm_run_part_peek_figure (part, JM_QUANTITY_GPU_BUSY).is_known);
  jm_run_document_append_part (json, part);
  g_assert_cmpstr (json->str, ==, "{\"name\": \"0\", \"node\": \"n1\"}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run-document/by-name", test_has_its_quantities_by_name);
  g_test_add_func ("/run-document/device/reported",
                   test_a_device_reports_what_a_run_made_of_it);
  g_test_add_func ("/run-document/device/unknown",
                   test_what_is_not_known_of_a_device_is_not_reported);

  return g_test_run ();
}
