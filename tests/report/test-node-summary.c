/* test-node-summary.c: how a node is doing, in a few figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"
#include "report/jm-node-summary.h"

#define NS G_GUINT64_CONSTANT (1000000000)

/* What was counted, in seconds and joules. */
typedef struct
{
  guint second; /* of the sweep */
  guint busy;
  guint idle;
  guint system_joules;
  guint idle_joules;
} Counted;

static void
add_energy (JmSnapshotBuilder *builder, JmSubjectKind kind, guint joules)
{
  g_autoptr (JmLabels) package = jm_labels_of ("package", JM_QUALITY_MEASURED, NULL);

  jm_snapshot_builder_add_part (builder, kind);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, package,
                                  joules * 1000000u);
}

static JmSnapshot *
make_snapshot (const Counted *counted)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new ("1", NULL);
  g_autoptr (JmJob) ended = jm_test_job_new ("2", NULL);
  g_autoptr (JmLabels) package = jm_labels_of ("package", JM_QUALITY_MEASURED, NULL);

  jm_snapshot_builder_add (builder, JM_METRIC_NODE_CPUS, 8);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_NODE_CPU, "user",
                                    counted->busy * NS);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_NODE_CPU, "idle",
                                    counted->idle * NS);
  jm_snapshot_builder_add (builder, JM_METRIC_NODE_MEMORY_SIZE, 100);
  jm_snapshot_builder_add (builder, JM_METRIC_NODE_MEMORY_AVAILABLE, 40);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_NODE_POWER_SOURCE_UP, "rapl", 1);
  add_energy (builder, JM_SUBJECT_KIND_SYSTEM, counted->system_joules);
  add_energy (builder, JM_SUBJECT_KIND_IDLE, counted->idle_joules);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_POWER, package, 5000000);
  jm_snapshot_builder_add_job (builder, ended);
  jm_snapshot_builder_set_end_time (builder, JM_TEST_TIME_US);
  jm_snapshot_builder_set_time (builder, JM_TEST_TIME_US +
                                           (gint64) counted->second * G_USEC_PER_SEC);

  return jm_snapshot_builder_end (builder);
}

static void
check (JmFigure figure, double expected)
{
  g_assert_true (figure.is_known);
  g_assert_cmpfloat (figure.value, ==, expected);
}

static void
test_one_snapshot_has_all_but_rates (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (&(Counted){ 0, 10, 90, 0, 0 });
  JmNodeSummary summary;

  jm_node_summary_init (&summary, snapshot);

  g_assert_cmpuint (summary.n_running, ==, 1);
  g_assert_cmpuint (summary.n_ended, ==, 1);
  check (summary.cpus, 8);
  check (summary.allocated_cpus, 4);
  check (summary.memory_used, 60);
  check (summary.memory_percent, 60);
  g_assert_false (summary.jobs_power.is_known);
  g_assert_false (summary.busy_percent.is_known);
  g_assert_false (summary.power.is_known);
}

static JmNodeSummary
summarize (const Counted *first, const Counted *second)
{
  g_autoptr (JmSnapshot) before = make_snapshot (first);
  g_autoptr (JmSnapshot) now = make_snapshot (second);
  JmNodeSummary summary;

  jm_node_summary_init (&summary, now);
  jm_node_summary_set_rates (&summary, before, now);

  return summary;
}

static void
test_two_snapshots_have_rates (void)
{
  const JmNodeSummary now =
    summarize (&(Counted){ 0, 10, 90, 100, 1000 }, &(Counted){ 2, 13, 91, 120, 1060 });

  check (now.busy_percent, 75);
  check (now.jobs_power, 5);
  check (now.power, 5 + 10 + 30);
}

static void
test_idle_time_that_stepped_back_gives_no_figure (void)
{
  const JmNodeSummary now =
    summarize (&(Counted){ 0, 10, 90, 100, 100 }, &(Counted){ 2, 13, 89, 90, 100 });

  g_assert_false (now.busy_percent.is_known);
  g_assert_false (now.power.is_known);
}

/* What the system took more would hide that what was idle lost. */
static void
test_a_gap_in_one_account_makes_the_sum_unknown (void)
{
  const JmNodeSummary now =
    summarize (&(Counted){ 0, 10, 90, 100, 100 }, &(Counted){ 2, 13, 91, 300, 20 });

  g_assert_false (now.power.is_known);
  check (now.jobs_power, 5);
}

static void
test_a_node_of_which_nothing_was_read_has_no_figures (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmSnapshot) snapshot = jm_snapshot_builder_end (builder);
  JmNodeSummary now;

  jm_node_summary_init (&now, snapshot);
  jm_node_summary_set_rates (&now, snapshot, snapshot);

  g_assert_false (now.cpus.is_known);
  g_assert_false (now.memory_used.is_known);
  g_assert_false (now.memory_percent.is_known);
  g_assert_false (now.busy_percent.is_known);
  g_assert_false (now.jobs_power.is_known);
  g_assert_false (now.power.is_known);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report/node-summary/one-snapshot-has-all-but-rates",
                   test_one_snapshot_has_all_but_rates);
  g_test_add_func ("/report/node-summary/two-snapshots-have-rates",
                   test_two_snapshots_have_rates);
  g_test_add_func ("/report/node-summary/idle-time-that-stepped-back-gives-no-figure",
                   test_idle_time_that_stepped_back_gives_no_figure);
  g_test_add_func ("/report/node-summary/a-gap-in-one-account-makes-the-sum-unknown",
                   test_a_gap_in_one_account_makes_the_sum_unknown);
  g_test_add_func ("/report/node-summary/"
                   "a-node-of-which-nothing-was-read-has-no-figures",
                   test_a_node_of_which_nothing_was_read_has_no_figures);

  return g_test_run ();
}
