/* test-power-split.c: who has taken a node's power between two snapshots
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"
#include "report/jm-power-split.h"

#define MICRO 1000000

/* Accounts in joules, and where a job has power. */
typedef struct
{
  guint second; /* when they were read */
  gint system;  /* of packages; -1 where no account is kept, as below */
  gint idle;
  gint memory_idle; /* an estimate */
  gint job_watts;
} Accounts;

static void
add_energy (JmSnapshotBuilder *builder,
            const char *domain,
            const char *quality,
            gint joules)
{
  g_autoptr (JmLabels) labels = jm_labels_of (domain, quality, NULL);

  if (joules >= 0)
    jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, labels,
                                    (guint64) joules * MICRO);
}

static void
add_job (JmSnapshotBuilder *builder, const char *id, gint watts)
{
  g_autoptr (JmLabels) package = jm_labels_of ("package", JM_QUALITY_MEASURED, NULL);
  g_autoptr (JmJob) job = jm_test_job_new (id, NULL);

  jm_snapshot_builder_add_job (builder, job);
  if (watts >= 0)
    jm_snapshot_builder_add_labels (builder, JM_METRIC_POWER, package,
                                    (guint64) watts * MICRO);
}

/* Two jobs that take the same, and what the accounts say of the rest. */
static JmSnapshot *
make_snapshot (const Accounts *accounts)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());

  jm_snapshot_builder_add_part (builder, JM_SUBJECT_KIND_SYSTEM);
  add_energy (builder, "package", JM_QUALITY_MEASURED, accounts->system);
  jm_snapshot_builder_add_part (builder, JM_SUBJECT_KIND_IDLE);
  add_energy (builder, "package", JM_QUALITY_MEASURED, accounts->idle);
  add_energy (builder, "dram", JM_QUALITY_ESTIMATED, accounts->memory_idle);
  add_job (builder, "1", accounts->job_watts);
  add_job (builder, "2", accounts->job_watts);
  jm_snapshot_builder_set_time (builder, JM_TEST_TIME_US +
                                           (gint64) accounts->second * G_USEC_PER_SEC);

  return jm_snapshot_builder_end (builder);
}

static JmPowerSplit *
make_split (Accounts first, Accounts second)
{
  g_autoptr (JmSnapshot) before = make_snapshot (&first);
  g_autoptr (JmSnapshot) now = make_snapshot (&second);

  return jm_power_split_new (before, now);
}

static void
check (JmFigure figure, double expected)
{
  g_assert_true (figure.is_known);
  g_assert_cmpfloat (figure.value, ==, expected);
}

static void
test_each_domain_is_divided_and_all_are_added_up (void)
{
  g_autoptr (JmPowerSplit) split =
    make_split ((Accounts){ 0, 100, 50, 10, 3 }, (Accounts){ 2, 120, 60, 14, 4 });

  g_assert_cmpuint (jm_power_split_get_n_rows (split), ==, 2);
  g_assert_cmpstr (jm_power_split_get_domain (split, 0), ==, "package");
  g_assert_false (jm_power_split_is_estimated (split, 0));
  check (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_JOB), 8);
  check (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_SYSTEM), 10);
  check (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_IDLE), 5);
  check (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_NODE), 23);

  g_assert_cmpstr (jm_power_split_get_domain (split, 1), ==, "dram");
  check (jm_power_split_get_figure (split, 1, JM_SUBJECT_KIND_IDLE), 2);
  check (jm_power_split_sum_figures (split, JM_SUBJECT_KIND_IDLE), 7);
  check (jm_power_split_sum_figures (split, JM_SUBJECT_KIND_NODE), 25);
}

static void
test_what_contains_an_estimate_is_one (void)
{
  g_autoptr (JmPowerSplit) split =
    make_split ((Accounts){ 0, 100, 50, 10, 3 }, (Accounts){ 2, 120, 60, 14, 4 });

  g_assert_true (jm_power_split_is_estimated (split, 1));
  g_assert_true (jm_power_split_sum_figures (split, JM_SUBJECT_KIND_IDLE).is_estimated);
  g_assert_true (jm_power_split_sum_figures (split, JM_SUBJECT_KIND_NODE).is_estimated);
  g_assert_false (
    jm_power_split_sum_figures (split, JM_SUBJECT_KIND_SYSTEM).is_estimated);
}

static void
test_an_account_that_fell_is_absent_and_so_is_its_sum (void)
{
  g_autoptr (JmPowerSplit) split =
    make_split ((Accounts){ 0, 100, 50, -1, 3 }, (Accounts){ 2, 99, 60, -1, 4 });
  double watts;

  g_assert_false (jm_power_split_get_watts (split, 0, JM_SUBJECT_KIND_SYSTEM, &watts));
  g_assert_cmpfloat (watts, ==, 0);
  check (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_IDLE), 5);
  g_assert_false (jm_power_split_get_watts (split, 0, JM_SUBJECT_KIND_NODE, &watts));
  g_assert_false (jm_power_split_sum_watts (split, JM_SUBJECT_KIND_NODE, &watts));
  g_assert_true (jm_power_split_sum_watts (split, JM_SUBJECT_KIND_IDLE, &watts));
  g_assert_cmpfloat (watts, ==, 5);
}

static void
test_an_account_that_is_new_began_at_0 (void)
{
  g_autoptr (JmPowerSplit) split =
    make_split ((Accounts){ 0, 100, -1, -1, -1 }, (Accounts){ 2, 100, 60, -1, -1 });

  check (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_IDLE), 30);
  check (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_SYSTEM), 0);
}

static void
test_jobs_without_power_are_absent_and_the_rest_is_added_up (void)
{
  g_autoptr (JmPowerSplit) split =
    make_split ((Accounts){ 0, 100, 50, -1, -1 }, (Accounts){ 2, 120, 60, -1, -1 });

  g_assert_false (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_JOB).is_known);
  check (jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_NODE), 15);
}

static void
test_no_time_gives_no_power (void)
{
  const Accounts accounts = { 0, 100, 50, -1, -1 };
  g_autoptr (JmPowerSplit) split = make_split (accounts, accounts);

  g_assert_false (
    jm_power_split_get_figure (split, 0, JM_SUBJECT_KIND_SYSTEM).is_known);
  g_assert_false (jm_power_split_sum_figures (split, JM_SUBJECT_KIND_NODE).is_known);
}

static void
test_a_node_without_a_meter_has_no_rows (void)
{
  g_autoptr (JmPowerSplit) split =
    make_split ((Accounts){ 0, -1, -1, -1, -1 }, (Accounts){ 2, -1, -1, -1, -1 });

  g_assert_cmpuint (jm_power_split_get_n_rows (split), ==, 0);
  g_assert_false (jm_power_split_sum_figures (split, JM_SUBJECT_KIND_NODE).is_known);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/report/power-split/each-domain-is-divided-and-all-are-added-up",
                   test_each_domain_is_divided_and_all_are_added_up);
  g_test_add_func ("/report/power-split/what-contains-an-estimate-is-one",
                   test_what_contains_an_estimate_is_one);
  g_test_add_func ("/report/power-split/"
                   "an-account-that-fell-is-absent-and-so-is-its-sum",
                   test_an_account_that_fell_is_absent_and_so_is_its_sum);
  g_test_add_func ("/report/power-split/an-account-that-is-new-began-at-0",
                   test_an_account_that_is_new_began_at_0);
  g_test_add_func ("/report/power-split/"
                   "jobs-without-power-are-absent-and-the-rest-is-added-up",
                   test_jobs_without_power_are_absent_and_the_rest_is_added_up);
  g_test_add_func ("/report/power-split/no-time-gives-no-power",
                   test_no_time_gives_no_power);
  g_test_add_func ("/report/power-split/a-node-without-a-meter-has-no-rows",
                   test_a_node_without_a_meter_has_no_rows);

  return g_test_run ();
}
