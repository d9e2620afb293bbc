/* test-cpu-activity.c: how much of each package's activity was whose
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "node/energy/jm-cpu-activity-private.h"

#define SECOND G_GUINT64_CONSTANT (1000000000)
#define EPSILON 1e-9

/* Two packages, the second numbered 3, of two cores with two threads each: CPUs 0 to 3
 * are the first threads, 4 to 7 their siblings. */
#define SEAT(number, of_package, of_core)                                              \
 {                                                                                     \
  .cpu = (number), .package = (of_package), .core = (of_core), .capacity = 1           \
 }

static const JmCpuSeat seats[] = {
  SEAT (0, 0, 0), SEAT (1, 0, 1), SEAT (2, 3, 0), SEAT (3, 3, 1),
  SEAT (4, 0, 0), SEAT (5, 0, 1), SEAT (6, 3, 0), SEAT (7, 3, 1),
};

static JmCpuActivity *
make_activity (void)
{
  JmCpuActivity *activity = jm_cpu_activity_new ();

  jm_cpu_activity_set_seats (activity, seats, G_N_ELEMENTS (seats));

  return activity;
}

/* Ten seconds. */
static void
weigh (JmCpuActivity *activity,
       const guint64 *busy_ns,
       const JmCpuUser *users,
       guint n_users)
{
  JmCpuInterval interval = { .busy_ns = busy_ns, .n_cpus = 8, .seconds = 10 };

  jm_cpu_activity_weigh (activity, &interval, users, n_users);
}

static JmCpuUser
make_user (const guint64 *cpus, guint64 cpu_ns)
{
  return (JmCpuUser){ .cpus = cpus, .n_words = 1, .cpu_ns = cpu_ns, .seconds = 10 };
}

static void
assert_part (const JmCpuPart *part, double cpu, double busy, double allocated)
{
  g_assert_cmpfloat_with_epsilon (part->cpu_seconds, cpu, EPSILON);
  g_assert_cmpfloat_with_epsilon (part->busy_seconds, busy, EPSILON);
  g_assert_cmpfloat_with_epsilon (part->allocated_seconds, allocated, EPSILON);
}

static void
test_a_job_was_where_its_cpus_were_busy (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 9 * SECOND, 0, 3 * SECOND, 0, 0, 0, 0, 0 };
  const guint64 cpus = 0x0f;
  JmCpuUser user = make_user (&cpus, 12 * SECOND);

  weigh (activity, busy_ns, &user, 1);

  g_assert_cmpuint (jm_cpu_activity_get_n_packages (activity), ==, 2);
  g_assert_cmpuint (jm_cpu_activity_find_package (activity, 3), ==, 1);
  g_assert_cmpfloat (jm_cpu_activity_get_capacity (activity, 1), ==, 40);
  assert_part (jm_cpu_activity_get_part (activity, 0, 0), 9, 9, 20);
  assert_part (jm_cpu_activity_get_part (activity, 0, 1), 3, 3, 20);
  assert_part (jm_cpu_activity_get_system (activity, 0), 0, 0, 0);
}

static void
test_what_is_no_jobs_is_the_systems (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 9 * SECOND, 1 * SECOND, 0, 2 * SECOND, 0, 0, 0, 0 };
  const guint64 cpus = 0x01;
  JmCpuUser user = make_user (&cpus, 8 * SECOND);

  weigh (activity, busy_ns, &user, 1);

  assert_part (jm_cpu_activity_get_part (activity, 0, 0), 8, 8, 10);
  assert_part (jm_cpu_activity_get_system (activity, 0), 2, 2, 0);
  assert_part (jm_cpu_activity_get_system (activity, 1), 2, 2, 0);
}

static void
test_siblings_that_are_always_busy_share_a_core (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 10 * SECOND, 0, 0, 0, 10 * SECOND, 0, 0, 0 };
  const guint64 one = 0x01, other = 0x10;
  JmCpuUser users[] = { make_user (&one, 10 * SECOND),
                        make_user (&other, 10 * SECOND) };
  double shared = 10 * (1 + JM_SMT_YIELD) / 2;

  weigh (activity, busy_ns, users, 2);

  assert_part (jm_cpu_activity_get_part (activity, 0, 0), shared, 10, 10);
  assert_part (jm_cpu_activity_get_part (activity, 1, 0), shared, 10, 10);
}

/* Half of the time each: a quarter of it both, if they do not know of each other. */
static void
test_siblings_that_are_busy_now_and_then_meet_by_chance (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 5 * SECOND, 0, 0, 0, 5 * SECOND, 0, 0, 0 };
  const guint64 cpus = 0x11;
  JmCpuUser user = make_user (&cpus, 10 * SECOND);

  weigh (activity, busy_ns, &user, 1);

  assert_part (jm_cpu_activity_get_part (activity, 0, 0), 5 + 2.5 * (1 + JM_SMT_YIELD),
               10, 20);
}

static void
test_a_job_without_a_list_ran_where_others_left_something (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 10 * SECOND, 2 * SECOND, 6 * SECOND, 0, 0, 0, 0, 0 };
  const guint64 cpus = 0x01;
  JmCpuUser users[] = { make_user (&cpus, 10 * SECOND), make_user (NULL, 4 * SECOND) };

  users[1].n_allocated = 4;
  weigh (activity, busy_ns, users, 2);

  assert_part (jm_cpu_activity_get_part (activity, 1, 0), 1, 1, 20);
  assert_part (jm_cpu_activity_get_part (activity, 1, 1), 3, 3, 20);
  assert_part (jm_cpu_activity_get_system (activity, 0), 1, 1, 0);
  assert_part (jm_cpu_activity_get_system (activity, 1), 3, 3, 0);
}

/* As where a scheduler confines nobody: each may run on all CPUs. */
static void
test_jobs_that_are_not_confined_own_what_they_use (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 10 * SECOND, 0, 2 * SECOND, 0, 0, 0, 0, 0 };
  const guint64 cpus = 0xff;
  JmCpuUser users[] = { make_user (&cpus, 9 * SECOND), make_user (&cpus, 3 * SECOND) };

  users[0].n_allocated = users[1].n_allocated = 8;
  weigh (activity, busy_ns, users, 2);

  assert_part (jm_cpu_activity_get_part (activity, 0, 0), 7.5, 7.5, 7.5);
  assert_part (jm_cpu_activity_get_part (activity, 0, 1), 1.5, 1.5, 1.5);
  assert_part (jm_cpu_activity_get_part (activity, 1, 0), 2.5, 2.5, 2.5);
}

/* What was seen is believed, but not to the last second. */
static void
assert_about (double seconds, double expected)
{
  g_assert_cmpfloat_with_epsilon (seconds, expected, 0.35);
}

static void
test_jobs_that_are_not_confined_were_where_they_were_seen (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 9 * SECOND, 0, 4 * SECOND, 0, 0, 0, 0, 0 };
  const guint64 seen[2][3] = { { 7 * SECOND, 0, 0 }, { 0, 0, 1 * SECOND } };
  const guint64 cpus = 0xff;
  JmCpuUser users[] = { make_user (&cpus, 9 * SECOND), make_user (&cpus, 3 * SECOND) };

  for (guint i = 0; i < 2; i++)
    {
      users[i].placed_ns = seen[i];
      users[i].n_placed = 3;
    }
  weigh (activity, busy_ns, users, 2);

  assert_about (jm_cpu_activity_get_part (activity, 0, 0)->busy_seconds, 9);
  assert_about (jm_cpu_activity_get_part (activity, 0, 0)->allocated_seconds, 9);
  assert_about (jm_cpu_activity_get_part (activity, 0, 1)->busy_seconds, 0);
  assert_about (jm_cpu_activity_get_part (activity, 1, 1)->busy_seconds, 3);
  assert_about (jm_cpu_activity_get_system (activity, 0)->busy_seconds, 0);
  assert_about (jm_cpu_activity_get_system (activity, 1)->busy_seconds, 1);
}

/* It was seen on the first socket at one moment, but did more than that was busy. */
static void
test_what_was_seen_gives_way_to_what_was_counted (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 4 * SECOND, 0, 8 * SECOND, 0, 0, 0, 0, 0 };
  const guint64 seen[3] = { 9 * SECOND, 0, 1 * SECOND };
  const guint64 cpus = 0xff;
  JmCpuUser users[] = { make_user (&cpus, 12 * SECOND), make_user (&cpus, 0) };

  users[0].placed_ns = seen;
  users[0].n_placed = 3;
  weigh (activity, busy_ns, users, 2);

  assert_about (jm_cpu_activity_get_part (activity, 0, 0)->busy_seconds, 4);
}

/* Ticks of 10 ms round to less than what cgroups count exactly. */
static void
test_jobs_that_did_more_than_ticks_say_leave_the_system_nothing (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { SECOND, 0, 0, 0, 0, 0, 0, 0 };
  const guint64 one = 0x01, nowhere = 0x08;
  JmCpuUser users[] = { make_user (&one, SECOND + 9000000), make_user (NULL, SECOND),
                        make_user (&nowhere, 9000000) };

  weigh (activity, busy_ns, users, 3);

  g_assert_cmpfloat_with_epsilon (jm_cpu_activity_get_part (activity, 0, 0)
                                    ->cpu_seconds,
                                  1.009, EPSILON);
  g_assert_cmpfloat_with_epsilon (jm_cpu_activity_get_part (activity, 1, 0)
                                      ->cpu_seconds +
                                    jm_cpu_activity_get_part (activity, 1, 1)
                                      ->cpu_seconds,
                                  1, EPSILON);
  g_assert_cmpfloat_with_epsilon (jm_cpu_activity_get_part (activity, 2, 1)
                                    ->cpu_seconds,
                                  0.009, EPSILON);
  for (guint i = 0; i < 2; i++)
    assert_part (jm_cpu_activity_get_system (activity, i), 0, 0, 0);
}

static void
test_faster_cpus_count_more (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  const guint64 busy_ns[8] = { 5 * SECOND, 0, 5 * SECOND, 0, 0, 0, 0, 0 };
  const double frequencies[8] = { 1.0, NAN, 1.5, -1, NAN, INFINITY, 0, 1e9 };
  const guint64 one = 0x01, other = 0x04;
  JmCpuUser users[] = { make_user (&one, 5 * SECOND), make_user (&other, 5 * SECOND) };
  JmCpuInterval interval = {
    .busy_ns = busy_ns,
    .frequencies = frequencies,
    .n_cpus = 8,
    .seconds = 10,
  };

  jm_cpu_activity_weigh (activity, &interval, users, 2);

  assert_part (jm_cpu_activity_get_part (activity, 0, 0), 5, 5, 10);
  assert_part (jm_cpu_activity_get_part (activity, 1, 1), 5 * 1.5 * 1.125 * 1.125, 5,
               10);
}

/* Of two jobs that are as busy, one on a core that computes half as much. */
static void
test_smaller_cores_count_less (void)
{
  g_autoptr (JmCpuActivity) activity = jm_cpu_activity_new ();
  JmCpuSeat unlike[] = { SEAT (0, 0, 0), SEAT (1, 0, 1) };
  const guint64 busy_ns[2] = { 5 * SECOND, 5 * SECOND };
  const guint64 large = 0x01, small = 0x02;
  JmCpuUser users[] = { make_user (&large, 5 * SECOND),
                        make_user (&small, 5 * SECOND) };
  JmCpuInterval interval = { .busy_ns = busy_ns, .n_cpus = 2, .seconds = 10 };

  unlike[1].capacity = 0.5;
  jm_cpu_activity_set_seats (activity, unlike, 2);
  jm_cpu_activity_weigh (activity, &interval, users, 2);

  assert_part (jm_cpu_activity_get_part (activity, 0, 0), 5, 5, 10);
  assert_part (jm_cpu_activity_get_part (activity, 1, 0), 1.25, 5, 10);
}

static void
test_a_machine_that_reports_no_seats_is_one_package (void)
{
  g_autoptr (JmCpuActivity) activity = jm_cpu_activity_new ();
  const guint64 busy_ns[8] = { 9 * SECOND, 0, 3 * SECOND, 0, 0, 0, 0, 0 };
  const guint64 cpus = 0xff;
  JmCpuUser user = make_user (&cpus, 12 * SECOND);

  weigh (activity, busy_ns, &user, 1);

  g_assert_cmpuint (jm_cpu_activity_get_n_packages (activity), ==, 1);
  g_assert_cmpuint (jm_cpu_activity_get_package (activity, 0), ==, 0);
  assert_part (jm_cpu_activity_get_part (activity, 0, 0), 12, 12, 80);
}

static void
test_no_time_and_no_cpus_are_no_activity (void)
{
  g_autoptr (JmCpuActivity) activity = make_activity ();
  JmCpuInterval nothing = { .seconds = NAN };
  const guint64 far = G_GUINT64_CONSTANT (1) << 63;
  JmCpuUser user = make_user (&far, 0);

  jm_cpu_activity_weigh (activity, &nothing, &user, 1);

  for (guint i = 0; i < 2; i++)
    {
      assert_part (jm_cpu_activity_get_part (activity, 0, i), 0, 0, 0);
      assert_part (jm_cpu_activity_get_system (activity, i), 0, 0, 0);
      g_assert_cmpfloat (jm_cpu_activity_get_capacity (activity, i), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cpu-activity/a-job-was-where-its-cpus-were-busy",
                   test_a_job_was_where_its_cpus_were_busy);
  g_test_add_func ("/cpu-activity/what-is-no-jobs-is-the-systems",
                   test_what_is_no_jobs_is_the_systems);
  g_test_add_func ("/cpu-activity/siblings-that-are-always-busy-share-a-core",
                   test_siblings_that_are_always_busy_share_a_core);
  g_test_add_func ("/cpu-activity/siblings-that-are-busy-now-and-then-meet-by-chance",
                   test_siblings_that_are_busy_now_and_then_meet_by_chance);
  g_test_add_func ("/cpu-activity/a-job-without-a-list-ran-where-others-left-something",
                   test_a_job_without_a_list_ran_where_others_left_something);
  g_test_add_func ("/cpu-activity/jobs-that-are-not-confined-own-what-they-use",
                   test_jobs_that_are_not_confined_own_what_they_use);
  g_test_add_func ("/cpu-activity/jobs-that-are-not-confined-were-where-they-were-seen",
                   test_jobs_that_are_not_confined_were_where_they_were_seen);
  g_test_add_func ("/cpu-activity/what-was-seen-gives-way-to-what-was-counted",
                   test_what_was_seen_gives_way_to_what_was_counted);
  g_test_add_func ("/cpu-activity/jobs-that-did-more-than-ticks-say",
                   test_jobs_that_did_more_than_ticks_say_leave_the_system_nothing);
  g_test_add_func ("/cpu-activity/faster-cpus-count-more", test_faster_cpus_count_more);
  g_test_add_func ("/cpu-activity/smaller-cores-count-less",
                   test_smaller_cores_count_less);
  g_test_add_func ("/cpu-activity/a-machine-that-reports-no-seats-is-one-package",
                   test_a_machine_that_reports_no_seats_is_one_package);
  g_test_add_func ("/cpu-activity/no-time-and-no-cpus-are-no-activity",
                   test_no_time_and_no_cpus_are_no_activity);

  return g_test_run ();
}
