/* test-job-history.c: what a job did so far, from round to round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/ledger/jm-job-history-private.h"

#include "core/jm-job-profile-private.h"
#include "jm-snapshot-builder.h"

#define SECOND G_USEC_PER_SEC
#define BEGIN G_GINT64_CONSTANT (1700000000000000)

/* A round in which the job has used so much so far. */
static JmSnapshot *
make_round (gint64 time_us, double cpu_seconds, guint64 memory, double joules)
{
  g_autoptr (JmSnapshotBuilder) builder = jm_snapshot_builder_new (
    JM_COLLECTOR_SET (JM_COLLECTOR_JOBS, JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY,
                      JM_COLLECTOR_POWER));
  g_autoptr (JmJob) job = jm_test_job_new ("7", "user", "ada", NULL);
  g_autoptr (JmLabels) labels = jm_labels_of ("package", "measured", NULL);

  jm_snapshot_builder_set_time (builder, time_us);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, (guint64) (cpu_seconds * 1e9));
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, memory);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, labels,
                                  (guint64) (joules * 1e6));

  return jm_snapshot_builder_end (builder);
}

static void
take_reading (JmJobHistory *history,
              const JmJobReading *reading,
              double cpu,
              guint64 memory,
              double joules)
{
  g_autoptr (JmSnapshot) round = make_round (reading->time_us, cpu, memory, joules);
  guint subject;

  g_assert_true (jm_snapshot_find_job (round, "7", &subject));
  jm_job_history_take (history, round, subject, reading, reading->time_us);
}

static void
take (JmJobHistory *history, gint64 at_us, double cpu, guint64 memory, double joules)
{
  take_reading (history, &(JmJobReading){ at_us, FALSE, FALSE }, cpu, memory, joules);
}

static JmJobRecord *
finish (JmJobHistory *history, gint64 end_us, double cpu)
{
  g_autoptr (JmSnapshot) round = make_round (end_us, cpu, 0, 0);
  guint subject;

  g_assert_true (jm_snapshot_find_job (round, "7", &subject));

  return jm_job_history_make_record (history, "n1", round, subject, end_us);
}

static void
test_a_job_watched_all_its_life_is_covered (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;
  JmJobProfile *profile;

  take (history, BEGIN + 5 * SECOND, 4, 100, 50);
  take_reading (history, &(JmJobReading){ BEGIN + 10 * SECOND, TRUE, FALSE }, 9, 300,
                120);
  record = finish (history, BEGIN + 10 * SECOND, 9);
  profile = jm_job_record_get_profile (record);

  g_assert_cmpfloat (jm_job_record_get_coverage (record, "life"), ==, 1);
  g_assert_cmpfloat (jm_job_record_get_coverage (record, "cpu"), ==, 1);
  g_assert_cmpint (jm_job_record_get_method (record, "cpu"), ==, JM_TOTAL_METHOD_FINAL);
  g_assert_cmpfloat_with_epsilon (jm_job_profile_get_total (profile,
                                                            JM_PROFILE_SERIES_CPU),
                                  9, 1e-9);
  g_assert_cmpfloat_with_epsilon (jm_job_profile_get_total (profile,
                                                            JM_PROFILE_SERIES_ENERGY),
                                  120, 1e-9);
  g_assert_cmpfloat (jm_job_profile_get_peak (profile, JM_PROFILE_SERIES_MEMORY), ==,
                     300);
}

/* It used a CPU all the time, and of its ten seconds the last two were not seen. */
static void
test_what_was_not_seen_is_not_covered (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;

  take (history, BEGIN + 8 * SECOND, 8, 1, 0);
  record = finish (history, BEGIN + 10 * SECOND, 8);

  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (record, "life"), 0.8,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (record, "cpu"), 0.8,
                                  1e-9);
  g_assert_cmpint (jm_job_record_get_method (record, "cpu"), ==, JM_TOTAL_METHOD_LAST);
}

/* Its cgroup was removed unread, and the one above knew what it had used. */
static void
test_cpu_time_that_is_known_from_elsewhere_is_covered (void)
{
  const gint64 end_us = BEGIN + 10 * SECOND;
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;

  take (history, BEGIN + 6 * SECOND, 6, 1, 0);
  take_reading (history, &(JmJobReading){ BEGIN + 6 * SECOND, FALSE, FALSE, end_us },
                9.5, 1, 0);
  record = finish (history, end_us, 9.5);

  g_assert_cmpfloat (jm_job_record_get_coverage (record, "cpu"), ==, 1);
  g_assert_cmpint (jm_job_record_get_method (record, "cpu"), ==, JM_TOTAL_METHOD_FINAL);
  g_assert_cmpfloat_with_epsilon (jm_job_profile_get_total (jm_job_record_get_profile (
                                                              record),
                                                            JM_PROFILE_SERIES_CPU),
                                  9.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (record, "life"), 0.6,
                                  1e-9);
  g_assert_cmpint (jm_job_record_get_method (record, "life"), ==, JM_TOTAL_METHOD_LAST);
}

/* It was seen for its first 6 seconds, and 2 seconds after that it was not there any
 * more. */
static void
test_a_run_that_was_lost_may_have_gone_on (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) kept = NULL;
  g_autoptr (JmJobRecord) lost = NULL;

  take (history, BEGIN + 6 * SECOND, 6, 1, 0);
  kept = finish (history, 0, 6);
  lost = jm_job_history_lose (kept, BEGIN + 8 * SECOND);

  g_assert_cmpint (jm_job_record_get_state (lost), ==, JM_RUN_STATE_LOST);
  g_assert_cmpint (jm_job_record_get_method (lost, "cpu"), ==,
                   JM_TOTAL_METHOD_CHECKPOINT);
  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (lost, "cpu"), 0.75, 1e-9);
  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (lost, "life"), 0.75,
                                  1e-9);
}

/* It was read when it came, and once more a moment later. */
static void
test_a_job_that_was_hardly_read_is_hardly_covered (void)
{
  g_autoptr (JmJobHistory) once = jm_job_history_new (BEGIN);
  g_autoptr (JmJobHistory) twice = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) of_once = NULL;
  g_autoptr (JmJobRecord) of_twice = NULL;

  take (once, BEGIN, 0.01, 1, 0);
  of_once = finish (once, BEGIN + SECOND, 0.01);
  g_assert_cmpfloat (jm_job_record_get_coverage (of_once, "cpu"), <, 1e-5);

  take (twice, BEGIN, 0, 1, 0);
  take (twice, BEGIN + SECOND / 100, 0, 1, 0);
  of_twice = finish (twice, BEGIN + SECOND, 0);
  g_assert_cmpfloat (jm_job_record_get_coverage (of_twice, "cpu"), <, 0.02);
}

/* It worked for 10 seconds, and then did nothing for longer than it was not read. */
static void
test_a_job_that_was_at_rest_is_covered (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;

  take (history, BEGIN + 10 * SECOND, 10, 1, 0);
  take (history, BEGIN + 14 * SECOND, 10, 1, 0);
  record = finish (history, BEGIN + 17 * SECOND, 10);
  g_assert_cmpfloat (jm_job_record_get_coverage (record, "cpu"), ==, 1);
  g_assert_cmpint (jm_job_record_get_method (record, "cpu"), ==, JM_TOTAL_METHOD_LAST);
}

static void
assert_watts (JmJobRecord *record, const double *expected, guint n_expected)
{
  guint n;
  const JmProfilePoint *points =
    jm_job_profile_get_points (jm_job_record_get_profile (record),
                               JM_PROFILE_SERIES_ENERGY, &n);

  g_assert_cmpuint (n, ==, n_expected);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon ((double) points[i].sum / (double) points[i].seen_us,
                                    expected[i], 1e-4);
}

/* It took 10 W. Its end is known at once; what the meters counted until then comes with
 * the next round. */
static void
test_the_energy_of_the_last_seconds_is_theirs (void)
{
  static const double watts[] = { 10, 10, 10, 10 };
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;
  g_autoptr (JmSnapshot) at_end = make_round (BEGIN + 2 * SECOND, 3, 1, 20);
  g_autoptr (JmSnapshot) after = make_round (BEGIN + 6 * SECOND, 3, 1, 32.5);
  const JmJobReading reading = { BEGIN + 13 * SECOND / 4, TRUE, FALSE };
  guint subject;

  take (history, BEGIN + 2 * SECOND, 2, 1, 20);
  g_assert_true (jm_snapshot_find_job (at_end, "7", &subject));
  jm_job_history_take (history, at_end, subject, &reading, 0);
  jm_job_history_take (history, after, subject, &reading, reading.time_us);
  record = jm_job_history_make_record (history, "n1", after, subject, reading.time_us);
  assert_watts (record, watts, G_N_ELEMENTS (watts));
}

/* It took 10 W all the time, of which a meter that is read every four seconds reports
 * late: its joules are of no shorter time than they were counted in. */
static void
test_a_meter_that_is_late_makes_no_spike (void)
{
  static const double watts[] = { 10, 10, 10, 10, 10, 10, 10, 10 };
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;

  take (history, BEGIN + 4 * SECOND, 4, 1, 40);
  take (history, BEGIN + 6 * SECOND, 6, 1, 40);
  take (history, BEGIN + 79 * SECOND / 10, 7.9, 1, 40);
  take_reading (history, &(JmJobReading){ BEGIN + 8 * SECOND, TRUE, FALSE }, 8, 1, 80);
  record = finish (history, BEGIN + 8 * SECOND, 8);
  assert_watts (record, watts, G_N_ELEMENTS (watts));
}

/* An idle job took nothing, and what it takes later is not of that time. */
static void
test_a_job_that_did_nothing_took_nothing (void)
{
  static const double watts[] = { 10, 10, 0, 0, 10, 10 };
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;

  take (history, BEGIN + 2 * SECOND, 2, 1, 20);
  take (history, BEGIN + 4 * SECOND, 2, 1, 20);
  take (history, BEGIN + 6 * SECOND, 4, 1, 40);
  record = finish (history, BEGIN + 6 * SECOND, 4);
  assert_watts (record, watts, G_N_ELEMENTS (watts));
}

static void
test_no_power_is_known_of_what_was_not_read (void)
{
  static const double watts[] = { 10, 10 };
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;
  g_autoptr (JmSnapshot) after = make_round (BEGIN + 6 * SECOND, 2, 1, 20);
  const JmJobReading reading = { BEGIN + 2 * SECOND, FALSE, FALSE };
  guint subject;

  take (history, BEGIN + 2 * SECOND, 2, 1, 20);
  g_assert_true (jm_snapshot_find_job (after, "7", &subject));
  jm_job_history_take (history, after, subject, &reading, BEGIN + 4 * SECOND);
  record =
    jm_job_history_make_record (history, "n1", after, subject, BEGIN + 4 * SECOND);
  assert_watts (record, watts, G_N_ELEMENTS (watts));
}

static void
test_a_sum_over_processes_covers_what_was_watched (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) kept = NULL;
  g_autoptr (JmJobHistory) later = NULL;
  g_autoptr (JmJobRecord) record = NULL;
  const JmJobReading reading = { BEGIN + 10 * SECOND, TRUE, TRUE };

  take (history, BEGIN + 4 * SECOND, 4, 1, 0);
  kept = finish (history, 0, 4);
  later = jm_job_history_restore (kept);
  take_reading (later, &reading, 9, 1, 0);
  record = finish (later, BEGIN + 10 * SECOND, 9);
  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (record, "cpu"), 0.4,
                                  1e-9);
}

/* Half of its time nobody watched; the kernel counted on. */
static void
test_a_restart_is_a_gap (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobHistory) later = NULL;
  g_autoptr (JmJobRecord) kept = NULL;
  g_autoptr (JmJobRecord) record = NULL;
  g_autoptr (JmSnapshot) round = make_round (BEGIN + 5 * SECOND, 5, 100, 10);
  JmJobProfile *profile;
  guint subject;

  g_assert_true (jm_snapshot_find_job (round, "7", &subject));
  jm_job_history_take (history, round, subject,
                       &(JmJobReading){ BEGIN + 5 * SECOND, FALSE, FALSE },
                       BEGIN + 5 * SECOND);
  kept = jm_job_history_make_record (history, "n1", round, subject, 0);

  later = jm_job_history_restore (kept);
  take (later, BEGIN + 15 * SECOND, 15, 200, 30);
  take (later, BEGIN + 20 * SECOND, 20, 100, 40);
  record = finish (later, BEGIN + 20 * SECOND, 20);
  profile = jm_job_record_get_profile (record);

  g_assert_cmpint (jm_job_record_get_begin_time (record), ==, BEGIN);
  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (record, "life"), 0.5,
                                  1e-9);
  g_assert_cmpfloat (jm_job_record_get_coverage (record, "cpu"), ==, 1);
  g_assert_cmpfloat_with_epsilon (jm_job_profile_get_total (profile,
                                                            JM_PROFILE_SERIES_CPU),
                                  20, 1e-9);
  g_assert_cmpfloat_with_epsilon (jm_job_profile_get_total (profile,
                                                            JM_PROFILE_SERIES_ENERGY),
                                  40, 1e-9);
}

/* Three years ahead, and back again. */
static void
test_a_clock_that_is_set_moves_all_of_it (void)
{
  const gint64 step_us = G_GINT64_CONSTANT (94608000) * SECOND;
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;

  take (history, BEGIN + 5 * SECOND, 4, 100, 50);
  jm_job_history_move (history, step_us);
  take (history, BEGIN + step_us + 10 * SECOND, 9, 100, 100);
  jm_job_history_move (history, -step_us);
  take (history, BEGIN + 15 * SECOND, 14, 100, 150);
  record = finish (history, BEGIN + 15 * SECOND, 14);

  g_assert_cmpint (jm_job_record_get_begin_time (record), ==, BEGIN);
  g_assert_cmpfloat (jm_job_record_get_coverage (record, "life"), ==, 1);
  g_assert_cmpint (jm_job_profile_get_begin_time (jm_job_record_get_profile (record)),
                   ==, BEGIN);
  g_assert_cmpfloat_with_epsilon (jm_job_profile_get_total (jm_job_record_get_profile (
                                                              record),
                                                            JM_PROFILE_SERIES_CPU),
                                  14, 1e-9);
}

static void
test_one_that_was_never_read_says_so (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = finish (history, BEGIN + SECOND, 0);

  g_assert_cmpfloat (jm_job_record_get_coverage (record, "life"), ==, 0);
  g_assert_cmpint (jm_job_record_get_method (record, "life"), ==,
                   JM_TOTAL_METHOD_UNKNOWN);
}

/* Of ten seconds on two sockets the meter of the second could not be read for four. */
static void
test_each_socket_is_covered_by_itself (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJobRecord) record = NULL;
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (JM_COLLECTOR_SET (JM_COLLECTOR_JOBS, JM_COLLECTOR_POWER));
  g_autoptr (JmJob) job = jm_test_job_new ("7", "user", "ada", NULL);
  g_autoptr (JmLabels) package = jm_labels_of ("package", "measured", NULL);
  g_autoptr (JmLabels) first = jm_labels_of ("package", "0", NULL);
  g_autoptr (JmLabels) second = jm_labels_of ("package", "1", NULL);
  g_autoptr (JmSnapshot) last = NULL;
  guint subject;

  take (history, BEGIN + 10 * SECOND, 9, 300, 120);
  jm_snapshot_builder_set_time (builder, BEGIN + 10 * SECOND);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY_COVERED, package,
                                  8 * SECOND);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY_UNREAD, first, 0);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY_UNREAD, second, 4 * SECOND);
  last = jm_snapshot_builder_end (builder);
  g_assert_true (jm_snapshot_find_job (last, "7", &subject));
  record =
    jm_job_history_make_record (history, "n1", last, subject, BEGIN + 10 * SECOND);

  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (record, "energy.package"),
                                  0.8, 1e-9);
  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (record,
                                                              "energy.package.socket0"),
                                  1, 1e-9);
  g_assert_cmpfloat_with_epsilon (jm_job_record_get_coverage (record,
                                                              "energy.package.socket1"),
                                  0.6, 1e-9);
}

static void
test_what_is_kept_grows_old_with_the_job (void)
{
  g_autoptr (JmJobHistory) history = jm_job_history_new (BEGIN);
  g_autoptr (JmJob) job = jm_test_job_new ("7", "user", "ada", NULL);
  g_autoptr (JmJob) known_better = jm_test_job_new ("7", "user", "eve", NULL);

  g_assert_true (jm_job_history_is_due (history, job, BEGIN));
  jm_job_history_keep (history, job, BEGIN + 1000 * SECOND);

  g_assert_false (jm_job_history_is_due (history, job, BEGIN + 1030 * SECOND));
  g_assert_true (jm_job_history_is_due (history, known_better, BEGIN + 1030 * SECOND));
  g_assert_true (jm_job_history_is_due (history, job, BEGIN + 1060 * SECOND));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add_func ("/job-history/" path, function)
  ADD ("covered", test_a_job_watched_all_its_life_is_covered);
  ADD ("unseen", test_what_was_not_seen_is_not_covered);
  ADD ("from-elsewhere", test_cpu_time_that_is_known_from_elsewhere_is_covered);
  ADD ("lost", test_a_run_that_was_lost_may_have_gone_on);
  ADD ("hardly", test_a_job_that_was_hardly_read_is_hardly_covered);
  ADD ("rest", test_a_job_that_was_at_rest_is_covered);
  ADD ("processes", test_a_sum_over_processes_covers_what_was_watched);
  ADD ("last-energy", test_the_energy_of_the_last_seconds_is_theirs);
  ADD ("late-meter", test_a_meter_that_is_late_makes_no_spike);
  ADD ("idle", test_a_job_that_did_nothing_took_nothing);
  ADD ("unknown-power", test_no_power_is_known_of_what_was_not_read);
  ADD ("restart", test_a_restart_is_a_gap);
  ADD ("clock", test_a_clock_that_is_set_moves_all_of_it);
  ADD ("unread", test_one_that_was_never_read_says_so);
  ADD ("sockets", test_each_socket_is_covered_by_itself);
  ADD ("due", test_what_is_kept_grows_old_with_the_job);
#undef ADD

  return g_test_run ();
}
