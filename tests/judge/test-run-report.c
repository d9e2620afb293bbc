/* test-run-report.c: all that is known of a run, wherever it was reported
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "judge/jm-run-report-private.h"

#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "jm-snapshot-builder.h"
#include "judge/jm-run-report.h"

#define BEGIN_US G_GINT64_CONSTANT (1700000000000000)
#define LIFE_SECONDS 1000
#define NS G_GUINT64_CONSTANT (1000000000)
#define GIB (G_GUINT64_CONSTANT (1) << 30)

/* CPUs are four, and memory 8 GiB. */
typedef struct
{
  const char *node;
  guint64 cpu_seconds;
  guint64 peak_bytes;
  guint busy_seconds; /* from its begin on; 0 for no profile */
  double observed;
  gboolean goes_on; /* as far as the node has reported */
  guint n_kills;
  guint cores; /* of the node's eight CPUs; 0 where nobody knows */
} Made;

static JmJobProfile *
make_profile (const Made *made)
{
  JmJobProfile *profile;

  if (made->busy_seconds == 0)
    return NULL;

  profile = jm_job_profile_new (BEGIN_US);
  for (guint i = 0; i < LIFE_SECONDS; i += 10)
    jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU,
                            BEGIN_US + (gint64) i * G_USEC_PER_SEC,
                            BEGIN_US + (gint64) (i + 10) * G_USEC_PER_SEC,
                            i < made->busy_seconds ? 40 * NS : 0);

  return profile;
}

static JmJobRecord *
make_record (const Made *made)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new ("7", "user", "ada", NULL);
  g_autoptr (JmJobProfile) profile = make_profile (made);
  g_autoptr (JmSnapshot) snapshot = NULL;
  const JmCoverage coverage = { "life", made->observed, JM_TOTAL_METHOD_FINAL };
  JmJobRecordContent content = {
    .job = job,
    .node = made->node,
    .state = made->goes_on ? JM_RUN_STATE_RUNNING : JM_RUN_STATE_ENDED,
    .begin_us = BEGIN_US,
    .end_us = made->goes_on ? 0 : BEGIN_US + LIFE_SECONDS * G_USEC_PER_SEC,
    .seen_us = BEGIN_US + LIFE_SECONDS * G_USEC_PER_SEC,
    .profile = profile,
    .coverage = &coverage,
    .n_coverage = 1
  };

  if (made->cores > 0)
    {
      jm_snapshot_builder_add (builder, JM_METRIC_NODE_CPUS, 8);
      jm_snapshot_builder_add (builder, JM_METRIC_NODE_CORES, made->cores);
    }
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, made->cpu_seconds * NS);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_PEAK, made->peak_bytes);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_LIMIT, 8 * GIB);
  jm_snapshot_builder_add (builder, JM_METRIC_IO_PRESSURE_SOME, 250000000);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_OOM_KILLS, made->n_kills);
  snapshot = jm_snapshot_builder_end (builder);
  content.snapshot = snapshot;

  return jm_job_record_new (&content);
}

static JmRun *
make_run (gint64 nodes)
{
  JmRun *run = jm_run_new ("alps", "7");

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, nodes);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 4 * nodes);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, BEGIN_US / G_USEC_PER_SEC);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME,
                      BEGIN_US / G_USEC_PER_SEC + LIFE_SECONDS);
  jm_run_keep_number (run, JM_RUN_FIELD_TIME_LIMIT, 4 * LIFE_SECONDS);

  return run;
}

static JmRunReport *
make_of_parts (JmRun *run, GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    jm_run_add_part (run, parts->pdata[i]);

  return jm_run_report_new (run, NULL);
}

static JmRunReport *
make_report_of (JmRun *run, const Made *made, guint n_made)
{
  g_autoptr (GPtrArray) records =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);

  for (guint i = 0; i < n_made; i++)
    g_ptr_array_add (records, make_record (&made[i]));

  return jm_run_report_new (run, records);
}

static JmRunReport *
make_report (gint64 nodes, const Made *made, guint n_made)
{
  g_autoptr (JmRun) run = make_run (nodes);

  return make_report_of (run, made, n_made);
}

static void
assert_value (JmRunReport *report, JmQuantityId quantity, double expected)
{
  double value;

  g_assert_true (jm_run_report_get_value (report, jm_quantity_get (quantity), &value));
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-9 * (1 + expected));
}

static void
assert_absent (JmRunReport *report, JmQuantityId quantity)
{
  double value;

  g_assert_false (jm_run_report_get_value (report, jm_quantity_get (quantity), &value));
}

static void
test_nodes_make_the_whole (void)
{
  const Made made[] = { { "n10", 1000, 2 * GIB, 500, 1 },
                        { "n9", 3000, 6 * GIB, 1000, 0.5 } };
  g_autoptr (JmRunReport) report = make_report (2, made, 2);
  double value;

  g_assert_cmpuint (jm_run_report_get_n_nodes (report), ==, 2);
  g_assert_cmpstr (jm_run_report_get_node_name (report, 0), ==, "n9");
  g_assert_nonnull (jm_run_report_get_node_profile (report, 0));
  g_assert_true (
    jm_run_report_get_node_value (report, 1,
                                  jm_quantity_get (JM_QUANTITY_CPU_EFFICIENCY),
                                  &value));
  g_assert_cmpfloat (value, ==, 25);

  assert_value (report, JM_QUANTITY_ELAPSED, 1000);
  assert_value (report, JM_QUANTITY_TIME_SHARE, 25);
  assert_value (report, JM_QUANTITY_CPUS, 8);
  assert_value (report, JM_QUANTITY_CPU_TOTAL, 4000);
  assert_value (report, JM_QUANTITY_CPU_EFFICIENCY, 50);
  assert_value (report, JM_QUANTITY_CPU_UNUSED, 4000);
  assert_value (report, JM_QUANTITY_CPUS_USED, 4);
  assert_value (report, JM_QUANTITY_CPUS_USED_PEAK, 8);
  assert_value (report, JM_QUANTITY_NODE_BALANCE, 100.0 / 3);
  assert_value (report, JM_QUANTITY_UNUSED_NODES, 0);
  assert_value (report, JM_QUANTITY_MEMORY_PEAK, 6 * GIB);
  assert_value (report, JM_QUANTITY_MEMORY_SHARE, 50);
  assert_value (report, JM_QUANTITY_MEMORY_FULLEST, 75);
  assert_value (report, JM_QUANTITY_IO_WAIT, 25);
  assert_value (report, JM_QUANTITY_OBSERVED, 50);
  assert_absent (report, JM_QUANTITY_ENERGY);
  assert_absent (report, JM_QUANTITY_GPU_UTILIZATION_SHARE);
  assert_absent (report, JM_QUANTITY_MEMORY_SWAP_USED);
}

static void
test_half_of_the_time_of_threads_is_all_of_that_of_cores (void)
{
  const Made threads[] = { { "n1", 2000, GIB, 0, 1, FALSE, 0, 4 } };
  const Made cores[] = { { "n1", 2000, GIB, 0, 1, FALSE, 0, 8 } };
  const Made unknown[] = { { "n1", 2000, GIB, 0, 1 } };
  g_autoptr (JmRunReport) of_threads = make_report (1, threads, 1);
  g_autoptr (JmRunReport) of_cores = make_report (1, cores, 1);
  g_autoptr (JmRunReport) of_unknown = make_report (1, unknown, 1);

  assert_value (of_threads, JM_QUANTITY_CPU_EFFICIENCY, 50);
  assert_value (of_threads, JM_QUANTITY_THREADS_PER_CORE, 2);
  assert_value (of_threads, JM_QUANTITY_CPU_CORE_USE, 100);
  assert_value (of_cores, JM_QUANTITY_THREADS_PER_CORE, 1);
  assert_value (of_cores, JM_QUANTITY_CPU_CORE_USE, 50);
  assert_absent (of_unknown, JM_QUANTITY_THREADS_PER_CORE);
  assert_absent (of_unknown, JM_QUANTITY_CPU_CORE_USE);
}

static void
test_a_node_that_is_not_known_leaves_sums_unknown (void)
{
  const Made made[] = { { "n1", 1000, 2 * GIB, 500, 1 } };
  g_autoptr (JmRunReport) report = make_report (2, made, 1);

  assert_value (report, JM_QUANTITY_NODES, 2);
  assert_value (report, JM_QUANTITY_CPUS, 8);
  assert_absent (report, JM_QUANTITY_CPU_TOTAL);
  assert_absent (report, JM_QUANTITY_CPU_EFFICIENCY);
  assert_absent (report, JM_QUANTITY_MEMORY_SHARE);
  assert_absent (report, JM_QUANTITY_UNUSED_NODES);
}

static void
test_a_node_that_has_not_reported_the_end_leaves_sums_unknown (void)
{
  const Made made[] = { { "n1", 1000, 2 * GIB, 500, 1 },
                        { "n2", 900, 2 * GIB, 500, 1, TRUE } };
  g_autoptr (JmRunReport) report = make_report (2, made, 2);
  g_autoptr (JmRun) run = make_run (2);
  g_autoptr (JmRunReport) running = NULL;
  g_autoptr (GPtrArray) records =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);

  g_assert_false (jm_run_report_is_whole (report));
  assert_absent (report, JM_QUANTITY_CPU_TOTAL);
  assert_absent (report, JM_QUANTITY_CPU_EFFICIENCY);

  /* of one that goes on, it is what it came to until now */
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, 0);
  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    g_ptr_array_add (records, make_record (&made[i]));
  running = jm_run_report_new (run, records);
  g_assert_true (jm_run_report_is_whole (running));
  assert_value (running, JM_QUANTITY_CPU_TOTAL, 1900);
}

static void
test_an_end_at_rest_is_reported (void)
{
  const Made busy[] = { { "n1", 2000, 2 * GIB, 500, 1 } };
  const Made unseen[] = { { "n1", 2000, 2 * GIB, 0, 1 } };
  g_autoptr (JmRunReport) report = make_report (1, busy, 1);
  g_autoptr (JmRunReport) other = make_report (1, unseen, 1);
  double value;

  g_assert_true (jm_run_report_get_value (report,
                                          jm_quantity_get (JM_QUANTITY_IDLE_AT_END),
                                          &value));
  g_assert_cmpfloat (value, >=, 480);
  g_assert_cmpfloat (value, <=, 520);
  assert_absent (other, JM_QUANTITY_IDLE_AT_END);
  assert_absent (other, JM_QUANTITY_CPUS_USED_PEAK);
}

static void
test_a_node_that_did_nothing_is_counted (void)
{
  const Made made[] = { { "n1", 4000, 2 * GIB, 1000, 1 }, { "n2", 1, GIB, 1, 1 } };
  g_autoptr (JmRunReport) report = make_report (2, made, 2);

  assert_value (report, JM_QUANTITY_UNUSED_NODES, 1);
}

static void
test_accounts_alone_know_the_whole (void)
{
  g_autoptr (JmRun) run = make_run (2);
  g_autoptr (JmRunReport) report = NULL;

  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 2000 * G_USEC_PER_SEC);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, 16 * GIB);
  report = jm_run_report_new (run, NULL);
  assert_value (report, JM_QUANTITY_MEMORY_PER_CPU, 2 * GIB);
  g_assert_cmpuint (jm_run_report_get_n_nodes (report), ==, 0);
  assert_value (report, JM_QUANTITY_CPU_EFFICIENCY, 25);
  assert_absent (report, JM_QUANTITY_OBSERVED);
  assert_absent (report, JM_QUANTITY_MEMORY_SHARE);
  g_assert_false (jm_run_report_is_running (report));
}

/* Of one of which no node was read yet. */
static void
test_a_run_that_goes_on_has_lasted_since_its_start (void)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (JmRun) run = jm_run_new ("alps", "7");
  g_autoptr (JmRunReport) report = NULL;
  double elapsed;

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "RUNNING");
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, now - 600);

  report = jm_run_report_new (run, NULL);

  g_assert_true (
    jm_run_report_get_value (report, jm_quantity_get (JM_QUANTITY_ELAPSED), &elapsed));
  g_assert_cmpfloat (elapsed, >=, 600);
  g_assert_cmpfloat (elapsed, <, 86400);
}

static void
test_records_among_the_parts_are_as_good (void)
{
  const Made made = { "n1", 1000, 2 * GIB, 500, 1 };
  g_autoptr (JmRun) run = make_run (1);
  g_autoptr (JmJobRecord) record = make_record (&made);
  g_autoptr (GPtrArray) parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  JmRunPart *whole = jm_run_part_new (JM_RUN_PART_KIND_RECORD);
  JmRunPart *broken = jm_run_part_new (JM_RUN_PART_KIND_RECORD);
  g_autoptr (JmRunReport) report = NULL;

  g_assert_true (jm_run_part_set_record (whole, record));
  jm_run_part_set_text (broken, JM_QUANTITY_CONTENT, "no record");
  g_ptr_array_add (parts, whole);
  g_ptr_array_add (parts, broken);
  report = make_of_parts (run, parts);
  g_assert_cmpuint (jm_run_report_get_n_nodes (report), ==, 1);
  assert_value (report, JM_QUANTITY_CPU_EFFICIENCY, 25);
}

static void
test_what_is_kept_of_a_node_serves_where_its_record_is_gone (void)
{
  g_autoptr (JmRun) run = make_run (1);
  g_autoptr (GPtrArray) parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  JmRunPart *node = jm_run_part_new (JM_RUN_PART_KIND_NODE);
  g_autoptr (JmRunReport) report = NULL;

  jm_run_part_set_text (node, JM_QUANTITY_NODE, "n1");
  jm_run_part_set_number (node, JM_QUANTITY_CPU_TOTAL, 2000 * G_USEC_PER_SEC);
  jm_run_part_set_number (node, JM_QUANTITY_CPUS, 4);
  jm_run_part_set_number (node, JM_QUANTITY_LIFE_OBSERVED, 990000);
  jm_run_part_set_number (node, JM_QUANTITY_END_TIME,
                          BEGIN_US / G_USEC_PER_SEC + LIFE_SECONDS);
  g_ptr_array_add (parts, node);
  report = make_of_parts (run, parts);
  assert_value (report, JM_QUANTITY_CPU_TOTAL, 2000);
  assert_value (report, JM_QUANTITY_CPU_EFFICIENCY, 50);
  assert_value (report, JM_QUANTITY_OBSERVED, 99);
}

static JmRunPart *
make_part (JmRunPartKind kind, const char *node, const char *name, gint64 joules)
{
  JmRunPart *part = jm_run_part_new (kind);

  jm_run_part_set_text (part, JM_QUANTITY_NODE, node);
  if (name != NULL)
    jm_run_part_set_text (part, JM_QUANTITY_NAME, name);
  jm_run_part_set_number (part, JM_QUANTITY_ENERGY, joules * G_USEC_PER_SEC);
  if (kind == JM_RUN_PART_KIND_NODE)
    jm_run_part_set_number (part, JM_QUANTITY_END_TIME,
                            BEGIN_US / G_USEC_PER_SEC + LIFE_SECONDS);

  return part;
}

static void
test_accelerators_are_those_of_parts_where_records_are_gone (void)
{
  g_autoptr (JmRun) run = make_run (2);
  g_autoptr (GPtrArray) parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  JmRunPart *guessed = make_part (JM_RUN_PART_KIND_ENERGY, "n2", "dram", 3);
  g_autoptr (JmRunReport) report = NULL;
  double joules = 0;

  jm_run_part_set_text (guessed, JM_QUANTITY_ENERGY_QUALITY, "estimated");
  g_ptr_array_add (parts, make_part (JM_RUN_PART_KIND_DEVICE, "n10", "nvidia0", 40));
  g_ptr_array_add (parts, make_part (JM_RUN_PART_KIND_DEVICE, "n3", "nvidia0", 50));
  g_ptr_array_add (parts, make_part (JM_RUN_PART_KIND_NODE, "n10", NULL, 100));
  g_ptr_array_add (parts, make_part (JM_RUN_PART_KIND_NODE, "n2", NULL, 200));
  g_ptr_array_add (parts, guessed);
  report = make_of_parts (run, parts);

  /* one of a node that is not of the run is left out */
  g_assert_cmpuint (jm_run_report_get_n_gpus (report), ==, 1);
  g_assert_cmpstr (jm_run_report_get_gpu_name (report, 0), ==, "nvidia0");
  g_assert_null (jm_run_report_get_gpu_model (report, 0));
  g_assert_cmpuint (jm_run_report_get_gpu_node (report, 0), ==, 1);
  g_assert_true (jm_run_report_get_gpu_value (report, 0,
                                              jm_quantity_get (JM_QUANTITY_ENERGY),
                                              &joules));
  g_assert_cmpfloat (joules, ==, 40);
  assert_value (report, JM_QUANTITY_ENERGY, 300);
  g_assert_true (
    jm_figures_get (jm_run_report_peek_node (report, 0)->figures, JM_QUANTITY_ENERGY)
      .is_estimated);
  g_assert_false (
    jm_figures_get (jm_run_report_peek_node (report, 1)->figures, JM_QUANTITY_ENERGY)
      .is_estimated);
  g_assert_true (jm_figures_get (report->figures, JM_QUANTITY_ENERGY).is_estimated);
}

/* As of a run that was filled from a time series database: jobstats reads all of it. */
static void
test_parts_alone_are_enough_for_jobstats (void)
{
  g_autoptr (JmRun) run = make_run (1);
  g_autoptr (JmRun) other = make_run (1);
  g_autoptr (GPtrArray) parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  JmRunPart *node = make_part (JM_RUN_PART_KIND_NODE, "n1", NULL, 100);
  JmRunPart *device = make_part (JM_RUN_PART_KIND_DEVICE, "n1", "nvidia0", 40);
  const JmFigures *node_figures;
  g_autoptr (JmRunReport) report = NULL;
  g_autoptr (JmRunReport) read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *comment = NULL;

  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, 8 * GIB);
  jm_run_part_set_number (node, JM_QUANTITY_START_TIME, BEGIN_US / G_USEC_PER_SEC);
  jm_run_part_set_number (node, JM_QUANTITY_CPU_TOTAL, 2000 * G_USEC_PER_SEC);
  jm_run_part_set_number (node, JM_QUANTITY_CPUS, 4);
  jm_run_part_set_number (node, JM_QUANTITY_MEMORY_RESIDENT_PEAK, 2 * GIB);
  jm_run_part_set_number (device, JM_QUANTITY_GPU_BUSY, 300 * G_USEC_PER_SEC);
  jm_run_part_set_number (device, JM_QUANTITY_GPU_OBSERVED, 900 * G_USEC_PER_SEC);
  jm_run_part_set_number (device, JM_QUANTITY_GPU_MEMORY_PEAK, 10 * GIB);
  jm_run_part_set_number (device, JM_QUANTITY_GPU_MEMORY_SIZE, 40 * GIB);
  g_ptr_array_add (parts, node);
  g_ptr_array_add (parts, device);
  report = make_of_parts (run, parts);
  assert_value (report, JM_QUANTITY_GPU_MEMORY_SHARE, 25);

  comment = jm_jobstats_summary_format (report);
  read = jm_jobstats_summary_parse (comment, other, &error);
  g_assert_no_error (error);
  node_figures = jm_run_report_peek_node_figures (read, 0);
  g_assert_cmpfloat (jm_figures_get (node_figures, JM_QUANTITY_CPU_TOTAL).value, ==,
                     2000);
  g_assert_cmpfloat (jm_figures_get (node_figures, JM_QUANTITY_MEMORY_RESIDENT_PEAK)
                       .value,
                     ==, 2 * GIB);
  g_assert_cmpuint (jm_run_report_get_n_gpus (read), ==, 1);
  g_assert_cmpfloat_with_epsilon (jm_figures_get (jm_run_report_peek_gpu_figures (read,
                                                                                  0),
                                                  JM_QUANTITY_GPU_UTILIZATION_SHARE)
                                    .value,
                                  100. / 3, 0.1);
}

static void
test_energy_is_lost_where_a_run_failed (void)
{
  static const char *const states[] = { "FAILED", "COMPLETED", NULL };

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (JmRun) run = make_run (1);
      g_autoptr (JmRunReport) report = NULL;

      jm_run_keep_text (run, JM_RUN_FIELD_STATE, states[i]);
      jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, 5 * G_USEC_PER_SEC);
      report = jm_run_report_new (run, NULL);
      assert_value (report, JM_QUANTITY_ENERGY, 5);
      if (i == 0)
        assert_value (report, JM_QUANTITY_ENERGY_LOST, 5);
      else
        assert_absent (report, JM_QUANTITY_ENERGY_LOST);
    }
}

static void
assert_kills (guint n_kills, const char *state, double expected)
{
  const Made made[] = { { "n1", 1, GIB, 0, 1, FALSE, n_kills },
                        { "n2", 1, GIB, 0, 1, FALSE, 0 } };
  g_autoptr (JmRun) run = make_run (2);
  g_autoptr (JmRunReport) report = NULL;

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, state);
  report = make_report_of (run, made, 2);
  if (expected >= 0)
    assert_value (report, JM_QUANTITY_MEMORY_OOM_KILLS, expected);
  else
    assert_absent (report, JM_QUANTITY_MEMORY_OOM_KILLS);
}

static void
test_a_kill_that_no_node_saw_is_not_none (void)
{
  assert_kills (0, "COMPLETED", 0);
  assert_kills (0, "OUT_OF_MEMORY", -1);
  assert_kills (2, "OUT_OF_MEMORY", 2);
}

static void
test_nothing_is_known_of_nobody (void)
{
  g_autoptr (JmRunReport) report = jm_run_report_new (NULL, NULL);

  for (JmQuantityId i = 0; i < JM_N_QUANTITIES; i++)
    assert_absent (report, i);
}

static void
test_quantities_are_found_by_their_names (void)
{
  g_autoptr (GPtrArray) quantities = jm_quantity_list_of_runs ();

  for (guint i = 0; i < quantities->len; i++)
    {
      const JmQuantity *quantity = quantities->pdata[i];

      g_assert_nonnull (quantity->title);
      g_assert_true (jm_quantity_of_run (quantity->name) == quantity);
    }
  g_assert_null (jm_quantity_of_run ("no_such_name"));
}

/* --- beside runs like it --- */

/* Of `train` on four CPUs, of which half the time was used. */
static JmRun *
make_member (const char *id, const char *user, gint64 seconds)
{
  JmRun *run = jm_run_new ("alps", id);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, user);
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, "train");
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 4);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, 1700000000);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, 1700000000 + seconds);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 2 * seconds * 1000000);

  return run;
}

static GPtrArray *
make_series (guint n)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", 100 + i);

      g_ptr_array_add (runs, make_member (id, "ada", 1000 + 10 * i));
    }

  return runs;
}

static JmRunReport *
compare_with (JmRun *run, GPtrArray *runs)
{
  JmRunReport *report = jm_run_report_new (run, NULL);

  jm_run_report_set_siblings (report, runs);

  return report;
}

static void
test_a_run_is_compared_with_the_median_of_those_like_it (void)
{
  g_autoptr (JmRun) run = make_member ("7", "ada", 2040);
  g_autoptr (GPtrArray) runs = make_series (5);
  g_autoptr (JmRunReport) report = compare_with (run, runs);

  assert_value (report, JM_QUANTITY_SIBLINGS, 5);
  assert_value (report, JM_QUANTITY_USUAL_ELAPSED, 1020);
  assert_value (report, JM_QUANTITY_ELAPSED_OF_USUAL, 2);
  /* they differ by less than the least that counts, a twentieth */
  assert_value (report, JM_QUANTITY_ELAPSED_DEVIATION, 20);
  assert_value (report, JM_QUANTITY_USUAL_CPU_EFFICIENCY, 50);
  assert_value (report, JM_QUANTITY_CPU_EFFICIENCY_DEVIATION, 0);
  assert_absent (report, JM_QUANTITY_USUAL_ENERGY);
}

static void
test_memory_is_saved_where_runs_like_it_were_given_more (void)
{
  g_autoptr (JmRun) run = make_member ("7", "ada", 100);
  g_autoptr (GPtrArray) runs = make_series (5);

  for (guint given = 1; given <= 3; given++)
    {
      g_autoptr (JmRunReport) report = NULL;

      for (guint i = 0; i < runs->len; i++)
        jm_run_keep_number (runs->pdata[i], JM_RUN_FIELD_MEMORY_ALLOCATED, 2000);
      jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, given * 1000);
      report = compare_with (run, runs);
      if (given == 1)
        {
          assert_value (report, JM_QUANTITY_USUAL_MEMORY_ALLOCATED, 2000);
          assert_value (report, JM_QUANTITY_MEMORY_SAVED, 1000. * 100);
        }
      else
        {
          assert_absent (report, JM_QUANTITY_USUAL_MEMORY_ALLOCATED);
          assert_absent (report, JM_QUANTITY_MEMORY_SAVED);
        }
    }
}

static void
test_a_few_odd_runs_do_not_move_what_is_usual (void)
{
  g_autoptr (JmRun) run = make_member ("7", "ada", 1030);
  g_autoptr (GPtrArray) runs = make_series (7);
  g_autoptr (JmRunReport) report = NULL;

  for (guint i = 0; i < 2; i++)
    jm_run_keep_number (runs->pdata[i], JM_RUN_FIELD_END_TIME, 1800000000);
  report = compare_with (run, runs);
  assert_value (report, JM_QUANTITY_USUAL_ELAPSED, 1050);
}

static void
test_runs_of_others_and_other_sizes_are_not_like_it (void)
{
  static const struct
  {
    JmRunField field;
    const char *text;
    gint64 number;
  } changes[] = {
    { JM_RUN_FIELD_USER, "mallory", 0 }, { JM_RUN_FIELD_NAME, "train ", 0 },
    { JM_RUN_FIELD_STATE, "FAILED", 0 }, { JM_RUN_FIELD_NODES, NULL, 2 },
    { JM_RUN_FIELD_CPUS, NULL, 8 },      { JM_RUN_FIELD_GPUS_ALLOCATED, NULL, 1 },
    { JM_RUN_FIELD_UID, NULL, 1000 },
  };
  g_autoptr (JmRun) run = make_member ("7", "ada", 2040);

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (GPtrArray) runs = make_series (5);
      g_autoptr (JmRunReport) report = NULL;

      if (changes[i].text != NULL)
        jm_run_keep_text (runs->pdata[0], changes[i].field, changes[i].text);
      else
        jm_run_keep_number (runs->pdata[0], changes[i].field, changes[i].number);
      report = compare_with (run, runs);
      assert_absent (report, JM_QUANTITY_SIBLINGS);
      assert_absent (report, JM_QUANTITY_USUAL_ELAPSED);
    }
}

static void
test_a_run_is_not_like_itself (void)
{
  g_autoptr (JmRun) run = make_member ("7", "ada", 2040);
  g_autoptr (GPtrArray) runs = make_series (4);
  g_autoptr (JmRunReport) report = NULL;

  g_ptr_array_add (runs, jm_run_ref (run));
  report = compare_with (run, runs);
  assert_absent (report, JM_QUANTITY_SIBLINGS);
}

static void
test_runs_without_a_user_or_a_name_are_compared_with_none (void)
{
  static const JmRunField fields[] = { JM_RUN_FIELD_USER, JM_RUN_FIELD_NAME };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autoptr (JmRun) run = make_member ("7", "ada", 2040);
      g_autoptr (GPtrArray) runs = make_series (5);
      g_autoptr (JmRunReport) report = NULL;

      jm_run_keep_text (run, fields[i], NULL);
      for (guint k = 0; k < runs->len; k++)
        jm_run_keep_text (runs->pdata[k], fields[i], NULL);
      report = compare_with (run, runs);
      assert_absent (report, JM_QUANTITY_SIBLINGS);
    }
}

#define TEST(name) g_test_add_func ("/run-report/" #name, test_##name)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST (nodes_make_the_whole);
  TEST (a_node_that_is_not_known_leaves_sums_unknown);
  TEST (a_node_that_has_not_reported_the_end_leaves_sums_unknown);
  TEST (an_end_at_rest_is_reported);
  TEST (a_node_that_did_nothing_is_counted);
  TEST (accounts_alone_know_the_whole);
  TEST (half_of_the_time_of_threads_is_all_of_that_of_cores);
  TEST (a_run_that_goes_on_has_lasted_since_its_start);
  TEST (records_among_the_parts_are_as_good);
  TEST (what_is_kept_of_a_node_serves_where_its_record_is_gone);
  TEST (parts_alone_are_enough_for_jobstats);
  TEST (accelerators_are_those_of_parts_where_records_are_gone);
  TEST (energy_is_lost_where_a_run_failed);
  TEST (a_kill_that_no_node_saw_is_not_none);
  TEST (nothing_is_known_of_nobody);
  TEST (quantities_are_found_by_their_names);
  TEST (a_run_is_compared_with_the_median_of_those_like_it);
  TEST (memory_is_saved_where_runs_like_it_were_given_more);
  TEST (a_few_odd_runs_do_not_move_what_is_usual);
  TEST (runs_of_others_and_other_sizes_are_not_like_it);
  TEST (a_run_is_not_like_itself);
  TEST (runs_without_a_user_or_a_name_are_compared_with_none);

  return g_test_run ();
}
