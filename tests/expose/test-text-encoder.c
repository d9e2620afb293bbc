/* test-text-encoder.c: snapshots to what Prometheus reads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-job-draft-private.h"
#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

#define ALL jm_collector_set_get_all ()

static char *
read_file (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

static char *
encode (JmSnapshot *snapshot)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();

  return jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);
}

static gboolean
has_line (const char *text, const char *line)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  return g_strv_contains ((const char *const *) lines, line);
}

/* How many samples have a name that begins so. */
static guint
count_lines (const char *text, const char *begin)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += g_str_has_prefix (lines[i], begin);

  return n;
}

static void
assert_no_series_comes_twice (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *space = strrchr (lines[i], ' ');

      if (space == NULL || lines[i][0] == '#')
        continue;
      *space = '\0';
      g_test_message ("%s", lines[i]);
      g_assert_true (g_hash_table_add (seen, lines[i]));
    }
}

static void
test_a_small_node_in_the_text_format (void)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_small_node ();
  g_autofree char *expected = read_file ("expected/expose/small-node.prom");
  g_autofree char *text = encode (snapshot);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_devices_and_what_jobs_have_of_them (void)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_gpu_node ();
  g_autofree char *expected = read_file ("expected/expose/gpu-node.prom");
  g_autofree char *text = encode (snapshot);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_a_small_node_in_openmetrics (void)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_small_node ();
  g_autofree char *expected = read_file ("expected/expose/small-node.openmetrics");
  g_autofree char *text =
    jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_OPENMETRICS);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_hostile_labels_make_no_series_twice_and_no_invalid_text (void)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_hostile_node ();
  g_autofree char *text = encode (snapshot);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  assert_no_series_comes_twice (text);
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_executable_cpu_seconds_total{"),
                    ==, 12);
}

static void
test_of_figures_with_one_label_the_first_is_shown (void)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *text = NULL;

  jm_snapshot_builder_add (builder, JM_METRIC_NODE_CPUS, 1);
  jm_snapshot_builder_add (builder, JM_METRIC_NODE_CPUS, 2);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_NODE_CPU, "user", 1000000000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_NODE_CPU, "idle", 2000000000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_NODE_CPU, "user", 3000000000);
  snapshot = jm_snapshot_builder_end (builder);
  text = encode (snapshot);

  assert_no_series_comes_twice (text);
  g_assert_true (has_line (text, "jobmetrics_node_cpus 1"));
  g_assert_true (has_line (text, "jobmetrics_node_cpu_seconds_total{mode=\"user\"} 1"));
  g_assert_true (has_line (text, "jobmetrics_node_cpu_seconds_total{mode=\"idle\"} 2"));
}

static void
test_many_labels_are_all_shown_once (void)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
  g_autoptr (JmJob) job = jm_test_job_new ("1", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *text = NULL;

  jm_snapshot_builder_add_job (builder, job);
  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *cpu = g_strdup_printf ("%u", i % 1000);

      jm_snapshot_builder_add_labelled (builder, JM_METRIC_PERCPU, cpu, i);
    }
  snapshot = jm_snapshot_builder_end (builder);
  text = encode (snapshot);

  assert_no_series_comes_twice (text);
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_percpu_seconds_total{"), ==,
                    1000);
}

/* Makes two jobs of one id and one weak uuid, with a step each. */
static JmSnapshot *
make_doubles (gboolean first_ended, gboolean second_ended)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
  g_autoptr (JmJob) first = jm_test_job_new ("5", "name", "first", NULL);
  g_autoptr (JmJob) second = jm_test_job_new ("5", "name", "second", NULL);

  jm_snapshot_builder_add_job (builder, first);
  if (first_ended)
    jm_snapshot_builder_set_end_time (builder, 1700000000000000);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 1);
  jm_snapshot_builder_add_step (builder, "batch");
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 1);
  jm_snapshot_builder_add_step (builder, "extern");
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 1);
  jm_snapshot_builder_add_job (builder, second);
  if (second_ended)
    jm_snapshot_builder_set_end_time (builder, 1700000000000000);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 2);
  jm_snapshot_builder_add_step (builder, "batch");
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 2);

  return jm_snapshot_builder_end (builder);
}

static void
assert_job_shown (const char *text, const char *name, guint peak, guint n_steps)
{
  g_autofree char *info = g_strdup_printf (",name=\"%s\"} 1\n", name);
  g_autofree char *value = g_strdup_printf ("} %u", peak);

  assert_no_series_comes_twice (text);
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_info{"), ==, 1);
  g_assert_nonnull (strstr (text, info));
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_memory_peak_bytes{"), ==, 1);
  g_assert_cmpuint (count_lines (text, "jobmetrics_step_memory_peak_bytes{"), ==,
                    n_steps);
  g_assert_true (
    g_str_has_prefix (strstr (strstr (text, "\njobmetrics_job_memory_peak_bytes{"),
                              "} "),
                      value));
  g_assert_true (
    g_str_has_prefix (strstr (strstr (text, "\njobmetrics_step_memory_peak_bytes{"),
                              "} "),
                      value));
}

static void
test_of_jobs_of_one_name_the_running_one_is_shown (void)
{
  g_autoptr (JmSnapshot) snapshot = make_doubles (FALSE, TRUE);
  g_autofree char *text = encode (snapshot);

  assert_job_shown (text, "first", 1, 2);
  g_assert_true (has_line (text, "jobmetrics_jobs{state=\"running\"} 1"));
  g_assert_true (has_line (text, "jobmetrics_jobs{state=\"ended\"} 0"));
}

static void
test_a_hidden_job_hides_its_devices (void)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
  g_autoptr (JmJob) job = jm_test_job_new ("5", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *text = NULL;

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_set_end_time (builder, 1700000000000000);
  jm_snapshot_builder_add_job_gpu (builder, "0", NULL, 0);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_ENERGY, 1000000);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add_job_gpu (builder, "0", "hook", 100);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_ENERGY, 2000000);
  snapshot = jm_snapshot_builder_end (builder);
  text = encode (snapshot);

  g_assert_cmpuint (count_lines (text, "jobmetrics_job_gpu_energy_joules_total{"), ==,
                    1);
  g_assert_true (has_line (text, "jobmetrics_job_gpu_energy_joules_total{jobid=\"5\","
                                 "gpu=\"0\"} 2"));
}

static void
test_of_jobs_of_one_name_the_last_is_shown (void)
{
  g_autoptr (JmSnapshot) both_run = make_doubles (FALSE, FALSE);
  g_autoptr (JmSnapshot) both_ended = make_doubles (TRUE, TRUE);
  g_autofree char *running = encode (both_run);
  g_autofree char *ended = encode (both_ended);

  assert_job_shown (running, "second", 2, 1);
  assert_job_shown (ended, "second", 2, 1);
}

static void
test_a_job_is_shown_again_once_its_double_has_gone (void)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
  g_autoptr (JmSnapshot) doubles = make_doubles (FALSE, FALSE);
  g_autoptr (JmSnapshot) alone = NULL;
  g_autofree char *before = NULL, *after = NULL;

  jm_snapshot_builder_add_job (builder, jm_snapshot_get_job (doubles, 1));
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 1);
  jm_snapshot_builder_add_step (builder, "batch");
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 1);
  alone = jm_snapshot_builder_end (builder);

  before = jm_text_encoder_to_string (encoder, doubles, JM_TEXT_FORMAT_PROMETHEUS);
  after = jm_text_encoder_to_string (encoder, alone, JM_TEXT_FORMAT_PROMETHEUS);
  assert_job_shown (before, "second", 2, 1);
  assert_job_shown (after, "first", 1, 1);
}

/* A Slurm's job 7, and beside it one of another scheduler, of the first when
 * @former. */
static JmSnapshot *
make_schedulers (gboolean former)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
  g_autoptr (JmJob) slurms = jm_test_job_new ("7", "scheduler", "slurm", NULL);
  g_autoptr (JmJob) others =
    jm_test_job_new ("7", "scheduler", "gridengine", "cluster", "lab", NULL);

  if (former)
    {
      jm_snapshot_builder_add_job (builder, slurms);
      jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 1);
    }
  jm_snapshot_builder_add_job (builder, others);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 2);
  jm_snapshot_builder_add_step (builder, "0");
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 2);

  return jm_snapshot_builder_end (builder);
}

static void
test_ids_of_two_schedulers_never_collide (void)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) both = make_schedulers (TRUE);
  g_autoptr (JmSnapshot) later = make_schedulers (FALSE);
  g_autofree char *text =
    jm_text_encoder_to_string (encoder, both, JM_TEXT_FORMAT_PROMETHEUS);
  g_autofree char *alone =
    jm_text_encoder_to_string (encoder, later, JM_TEXT_FORMAT_PROMETHEUS);

  assert_no_series_comes_twice (text);
  g_assert_true (has_line (text, "jobmetrics_job_cpus{jobid=\"7\"} 1"));
  g_assert_true (has_line (text, "jobmetrics_job_cpus{jobid=\"gridengine:lab/7\"} 2"));
  g_assert_true (
    has_line (text, "jobmetrics_step_cpus{jobid=\"gridengine:lab/7\",step=\"0\"} 2"));
  g_assert_nonnull (
    strstr (text,
            "{cluster=\"lab\",scheduler=\"gridengine\",jobid=\"gridengine:lab/7\""));
  /* a series does not begin anew because another job went */
  g_assert_true (has_line (alone, "jobmetrics_job_cpus{jobid=\"gridengine:lab/7\"} 2"));
}

static void
test_more_of_a_job_is_on_each_series_on_demand (void)
{
  const char *const chosen[] = { "scheduler", "cluster", "user", NULL };
  const char *const expected[] = { "cluster", "scheduler", NULL };
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = make_schedulers (FALSE);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  jm_text_encoder_set_job_fields (encoder, chosen);
  g_object_get (encoder, "job-fields", &fields, NULL);
  text = jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);

  g_assert_cmpstrv (fields, expected);
  g_assert_true (has_line (text, "jobmetrics_job_cpus{cluster=\"lab\",scheduler="
                                 "\"gridengine\",jobid=\"7\"} 2"));
  g_assert_true (jm_text_encoder_check_job_field ("uuid", NULL));
  g_assert_false (jm_text_encoder_check_job_field ("user", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "user"));
}

static void
test_what_a_job_holds_now_ends_with_it (void)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
  g_autoptr (JmJob) job = jm_test_job_new ("5", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *text = NULL;

  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_set_end_time (builder, 1700000000000000);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 1);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 1000000000);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, 2);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, 3);
  jm_snapshot_builder_add (builder, JM_METRIC_PROCESSES, 4);
  jm_snapshot_builder_add_job_gpu (builder, "0", "hook", 100);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_UTILIZATION, 5);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_ENERGY, 6000000);
  snapshot = jm_snapshot_builder_end (builder);
  text = encode (snapshot);

  g_assert_cmpuint (count_lines (text, "jobmetrics_job_gpu_share_ratio{"), ==, 0);
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_gpu_utilization_ratio{"), ==, 0);
  g_assert_true (has_line (text, "jobmetrics_job_gpu_energy_joules_total{jobid=\"5\","
                                 "gpu=\"0\"} 6"));
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_cpus{"), ==, 0);
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_memory_used_bytes{"), ==, 0);
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_processes{"), ==, 0);
  g_assert_true (has_line (text, "jobmetrics_job_cpu_seconds_total{jobid=\"5\"} 1"));
  g_assert_true (has_line (text, "jobmetrics_job_memory_peak_bytes{jobid=\"5\"} 3"));
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_info{"), ==, 1);
}

static void
test_what_changes_from_scrape_to_scrape_is_reported_anew (void)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) small = jm_test_snapshot_of_a_small_node ();
  g_autoptr (JmSnapshot) hostile = jm_test_snapshot_of_a_hostile_node ();
  JmSnapshot *const snapshots[] = { small, hostile, small };

  for (guint i = 0; i < G_N_ELEMENTS (snapshots); i++)
    {
      g_autofree char *fresh = encode (snapshots[i]);
      g_autofree char *kept =
        jm_text_encoder_to_string (encoder, snapshots[i], JM_TEXT_FORMAT_PROMETHEUS);

      g_assert_cmpstr (kept, ==, fresh);
    }
}

static void
test_a_job_whose_identity_becomes_known_is_reported_anew (void)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  const char *const users[] = { NULL, "alice" };

  for (guint i = 0; i < G_N_ELEMENTS (users); i++)
    {
      g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
      g_autoptr (JmJob) job = jm_test_job_new ("5", "user", users[i], NULL);
      g_autoptr (JmSnapshot) snapshot = NULL;
      g_autofree char *text = NULL;

      jm_snapshot_builder_add_job (builder, job);
      snapshot = jm_snapshot_builder_end (builder);
      text = jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);
      g_assert_cmpint (strstr (text, "user=\"alice\"") != NULL, ==, users[i] != NULL);
    }
}

static JmSnapshot *
make_snapshot_of_a_job (gboolean is_decided)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (ALL);
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmJob) job = NULL;

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "5", -1);
  if (is_decided)
    jm_job_draft_set_decided (draft);
  job = jm_job_draft_to_job (draft);
  jm_snapshot_builder_add_job (builder, job);

  return jm_snapshot_builder_end (builder);
}

static void
test_reports_who_a_job_is_once_that_will_not_change (void)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  const gboolean decided[] = { FALSE, TRUE };

  g_object_set (encoder, "decided-only", TRUE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (decided); i++)
    {
      g_autoptr (JmSnapshot) snapshot = make_snapshot_of_a_job (decided[i]);
      g_autofree char *text =
        jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);

      g_assert_cmpint (strstr (text, "jobmetrics_job_info{") != NULL, ==, decided[i]);
      g_assert_nonnull (strstr (text, "jobmetrics_job_fields{"));
    }
}

static void
test_collectors_report_how_they_fared (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (JM_COLLECTOR_SET (JM_COLLECTOR_IO, JM_COLLECTOR_CPU));
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *text = NULL;

  jm_snapshot_builder_add_error (builder, JM_COLLECTOR_IO, "io.stat: not a number: x");
  snapshot = jm_snapshot_builder_end (builder);
  text = encode (snapshot);

  g_assert_true (has_line (text, "jobmetrics_collector_success{collector=\"io\"} 0"));
  g_assert_true (has_line (text, "jobmetrics_collector_success{collector=\"cpu\"} 1"));
  g_assert_cmpuint (count_lines (text, "jobmetrics_collector_success{"), ==, 2);
  g_assert_cmpuint (count_lines (text, "jobmetrics_collector_duration_seconds{"), ==,
                    2);
  g_assert_true (has_line (text, "jobmetrics_collector_denied{collector=\"io\"} 0"));
}

static void
test_a_lacking_right_is_reported_and_no_failure (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (JM_COLLECTOR_SET (JM_COLLECTOR_FILES));
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *text = NULL;

  jm_snapshot_builder_add_denial (builder, JM_COLLECTOR_FILES, "/proc/1/fd: no");
  snapshot = jm_snapshot_builder_end (builder);
  text = encode (snapshot);

  g_assert_true (
    has_line (text, "jobmetrics_collector_success{collector=\"files\"} 1"));
  g_assert_true (has_line (text, "jobmetrics_collector_denied{collector=\"files\"} 1"));
}

static void
test_a_scrape_may_ask_for_some_collectors (void)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_small_node ();
  g_autoptr (GString) out = g_string_new (NULL);

  jm_text_encoder_encode (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS,
                          JM_COLLECTOR_SET (JM_COLLECTOR_MEMORY), out);

  g_assert_cmpuint (count_lines (out->str, "jobmetrics_job_info{"), ==, 2);
  g_assert_cmpuint (count_lines (out->str, "jobmetrics_job_memory_used_bytes{"), ==, 1);
  g_assert_cmpuint (count_lines (out->str, "jobmetrics_job_cpu"), ==, 0);
  g_assert_cmpuint (count_lines (out->str, "jobmetrics_node_"), ==, 0);
  g_assert_cmpuint (count_lines (out->str, "jobmetrics_collector_success{"), ==, 1);
}

static void
test_metrics_are_chosen_by_name_and_pattern (void)
{
  const char *const include[] = { "jobmetrics_job_*", "jobmetrics_node_cpus", NULL };
  const char *const exclude[] = { "*_memory_*", NULL };
  g_autoptr (JmMetricSelection) selection = jm_metric_selection_new (include, exclude);
  g_autoptr (JmTextEncoder) encoder =
    g_object_new (JM_TYPE_TEXT_ENCODER, "selection", selection, NULL);
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_small_node ();
  g_autofree char *text =
    jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);

  g_assert_cmpuint (count_lines (text, "jobmetrics_job_cpu_seconds_total{"), ==, 2);
  g_assert_cmpuint (count_lines (text, "jobmetrics_job_info{"), ==, 2);
  g_assert_true (has_line (text, "jobmetrics_node_cpus 4"));
  g_assert_null (strstr (text, "memory"));
  g_assert_null (strstr (text, "jobmetrics_node_boot"));
  g_assert_null (strstr (text, "jobmetrics_step_"));
  g_assert_null (strstr (text, "jobmetrics_sweep"));
  g_assert_null (strstr (text, "jobmetrics_collector"));
}

static void
test_fields_that_jobs_do_not_have_are_found_out (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_text_encoder_check_info_field ("qos", NULL));
  g_assert_true (jm_text_encoder_check_info_field ("field_walltime", NULL));
  g_assert_false (jm_text_encoder_check_info_field ("field_", NULL));
  g_assert_false (jm_text_encoder_check_info_field ("field_account", NULL));
  g_assert_false (jm_text_encoder_check_info_field ("colour", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "colour"));
  g_assert_nonnull (strstr (error->message, "account, partition, qos"));
}

static void
test_the_labels_of_job_info_are_chosen (void)
{
  const char *const chosen[] = { "qos", "colour", "user", NULL };
  const char *const expected[] = { "jobid", "uuid", "user", "qos", NULL };
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_small_node ();
  g_autofree char *usual =
    jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  jm_text_encoder_set_info_fields (encoder, chosen);
  g_object_get (encoder, "info-fields", &fields, NULL);
  text = jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);

  g_assert_cmpstrv (fields, expected);
  g_assert_nonnull (strstr (usual, "account=\"physics\""));
  g_assert_null (strstr (usual, "qos="));
  g_assert_null (strstr (text, "account="));
  g_assert_nonnull (strstr (text, ",user=\"alice\",qos=\"normal\"} 1\n"));
}

static JmSnapshot *
make_snapshot_of_a_job_with_a_further_field (void)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmJob) job = NULL;
  JmSubject subjects[2] = { { .kind = JM_SUBJECT_KIND_NODE },
                            { .kind = JM_SUBJECT_KIND_JOB } };

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "7", -1);
  jm_job_draft_set_further (draft, "walltime", JM_ORIGIN_HOOK, "1\n2", -1);
  subjects[1].job = job = jm_job_draft_to_job (draft);

  return jm_snapshot_new (0, 0, jm_collector_set_get_all (), subjects, 2, readings);
}

static void
test_a_further_field_is_a_label_on_demand_only (void)
{
  const char *const chosen[] = { "field_walltime", "field_walltime", "field_none",
                                 NULL };
  const char *const expected[] = { "jobid", "uuid", "field_walltime", "field_none",
                                   NULL };
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = make_snapshot_of_a_job_with_a_further_field ();
  g_autofree char *usual =
    jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  jm_text_encoder_set_info_fields (encoder, chosen);
  g_object_get (encoder, "info-fields", &fields, NULL);
  text = jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);

  g_assert_cmpstrv (fields, expected);
  g_assert_null (strstr (usual, "field_"));
  g_assert_nonnull (strstr (text, "\",field_walltime=\"1\\n2\"} 1\n"));
}

static void
test_a_front_ends_own_families_come_first (void)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_small_node ();
  g_autoptr (GString) out = g_string_new ("# HELP own Own.\n");

  jm_text_encoder_encode (encoder, snapshot, JM_TEXT_FORMAT_OPENMETRICS, NULL, out);

  g_assert_true (g_str_has_prefix (out->str, "# HELP own Own.\n# HELP jobmetrics_"));
  g_assert_true (g_str_has_suffix (out->str, "\n# EOF\n"));
}

static void
test_an_idle_node_has_no_empty_family (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (&(JmCollectorSet){ { 0 } });
  g_autoptr (JmSnapshot) snapshot = jm_snapshot_builder_end (builder);
  g_autofree char *text = encode (snapshot);

  g_assert_cmpstr (text, ==,
                   "# HELP jobmetrics_sweep_time_seconds When the last sweep of the "
                   "node began, seconds since 1970.\n"
                   "# TYPE jobmetrics_sweep_time_seconds gauge\n"
                   "jobmetrics_sweep_time_seconds 1700000010.25\n"
                   "# HELP jobmetrics_sweep_duration_seconds Time that the last sweep "
                   "of the node took.\n"
                   "# TYPE jobmetrics_sweep_duration_seconds gauge\n"
                   "jobmetrics_sweep_duration_seconds 0.0015\n"
                   "# HELP jobmetrics_jobs Jobs that are shown: running, or ended and "
                   "still on display.\n"
                   "# TYPE jobmetrics_jobs gauge\n"
                   "jobmetrics_jobs{state=\"running\"} 0\n"
                   "jobmetrics_jobs{state=\"ended\"} 0\n");
}

static void
add_tests_of_doubles (void)
{
  g_test_add_func ("/text-encoder/"
                   "hostile-labels-make-no-series-twice-and-no-invalid-text",
                   test_hostile_labels_make_no_series_twice_and_no_invalid_text);
  g_test_add_func ("/text-encoder/of-figures-with-one-label-the-first-is-shown",
                   test_of_figures_with_one_label_the_first_is_shown);
  g_test_add_func ("/text-encoder/many-labels-are-all-shown-once",
                   test_many_labels_are_all_shown_once);
  g_test_add_func ("/text-encoder/of-jobs-of-one-name-the-running-one-is-shown",
                   test_of_jobs_of_one_name_the_running_one_is_shown);
  g_test_add_func ("/text-encoder/a-hidden-job-hides-its-devices",
                   test_a_hidden_job_hides_its_devices);
  g_test_add_func ("/text-encoder/of-jobs-of-one-name-the-last-is-shown",
                   test_of_jobs_of_one_name_the_last_is_shown);
  g_test_add_func ("/text-encoder/a-job-is-shown-again-once-its-double-has-gone",
                   test_a_job_is_shown_again_once_its_double_has_gone);
  g_test_add_func ("/text-encoder/schedulers",
                   test_ids_of_two_schedulers_never_collide);
  g_test_add_func ("/text-encoder/job-fields",
                   test_more_of_a_job_is_on_each_series_on_demand);
  g_test_add_func ("/text-encoder/ended", test_what_a_job_holds_now_ends_with_it);
}

static void
add_tests_of_choices (void)
{
  g_test_add_func ("/text-encoder/a-scrape-may-ask-for-some-collectors",
                   test_a_scrape_may_ask_for_some_collectors);
  g_test_add_func ("/text-encoder/metrics-are-chosen-by-name-and-pattern",
                   test_metrics_are_chosen_by_name_and_pattern);
  g_test_add_func ("/text-encoder/fields-that-jobs-do-not-have-are-found-out",
                   test_fields_that_jobs_do_not_have_are_found_out);
  g_test_add_func ("/text-encoder/the-labels-of-job-info-are-chosen",
                   test_the_labels_of_job_info_are_chosen);
  g_test_add_func ("/text-encoder/a-further-field-is-a-label-on-demand-only",
                   test_a_further_field_is_a_label_on_demand_only);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/text-encoder/a-small-node-in-the-text-format",
                   test_a_small_node_in_the_text_format);
  g_test_add_func ("/text-encoder/devices-and-what-jobs-have-of-them",
                   test_devices_and_what_jobs_have_of_them);
  g_test_add_func ("/text-encoder/a-small-node-in-openmetrics",
                   test_a_small_node_in_openmetrics);
  g_test_add_func ("/text-encoder/what-changes-from-scrape-to-scrape-is-reported-anew",
                   test_what_changes_from_scrape_to_scrape_is_reported_anew);
  g_test_add_func ("/text-encoder/reports-who-a-job-is-once-that-will-not-change",
                   test_reports_who_a_job_is_once_that_will_not_change);
  g_test_add_func ("/text-encoder/a-job-whose-identity-becomes-known-is-reported-anew",
                   test_a_job_whose_identity_becomes_known_is_reported_anew);
  g_test_add_func ("/text-encoder/collectors-report-how-they-fared",
                   test_collectors_report_how_they_fared);
  g_test_add_func ("/text-encoder/a-lacking-right-is-reported-and-no-failure",
                   test_a_lacking_right_is_reported_and_no_failure);
  g_test_add_func ("/text-encoder/a-front-ends-own-families-come-first",
                   test_a_front_ends_own_families_come_first);
  g_test_add_func ("/text-encoder/an-idle-node-has-no-empty-family",
                   test_an_idle_node_has_no_empty_family);
  add_tests_of_doubles ();
  add_tests_of_choices ();

  return g_test_run ();
}
