/* test-attribution-allocations.c: what attribution costs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <stdlib.h>

#include "allocations.h"
#include "node/energy/jm-attribution-private.h"
#include "node/energy/jm-cpu-activity-private.h"

#define N_JOBS 64
#define N_CPUS 128
#define N_SOCKETS 2
#define N_ROUNDS 200

/* A node of two sockets, each job on two CPUs. */
typedef struct
{
  JmCpuSeat seats[N_CPUS];
  JmCpuActivity *activity;
  JmAttribution *attribution;
  guint64 busy_ns[N_CPUS];
  guint64 cpus[N_JOBS][2];
  JmCpuUser users[N_JOBS];
  gboolean is_counted; /* what they do, in the rounds to come */
} Node;

static void
node_init (Node *self)
{
  for (guint i = 0; i < N_CPUS; i++)
    {
      self->seats[i] =
        (JmCpuSeat){ .cpu = i, .package = i % N_SOCKETS, .core = i / 4, .capacity = 1 };
      self->busy_ns[i] = G_GUINT64_CONSTANT (4900000000);
    }
  for (guint i = 0; i < N_JOBS; i++)
    {
      self->cpus[i][i / 32] = G_GUINT64_CONSTANT (3) << (i % 32 * 2);
      self->users[i] = (JmCpuUser){
        .cpus = self->cpus[i],
        .n_words = 2,
        .cpu_ns = G_GUINT64_CONSTANT (9700000000) + i,
        .seconds = 5,
      };
    }

  self->activity = jm_cpu_activity_new ();
  self->attribution = jm_attribution_new (JM_IDLE_POLICY_SHARED);
}

static void
node_clear (Node *self)
{
  jm_cpu_activity_free (self->activity);
  jm_attribution_free (self->attribution);
}

static void
split (Node *self, JmPowerDomain domain, guint socket)
{
  JmLoad loads[N_JOBS + 1] = { 0 };
  guint64 parts[N_JOBS + 1];
  JmDomainInterval interval = {
    .domain = domain,
    .number = socket,
    .energy_uj = G_GUINT64_CONSTANT (700000000),
    .seconds = 5,
    .capacity_seconds = jm_cpu_activity_get_capacity (self->activity, socket),
  };

  for (guint i = 0; i <= N_JOBS; i++)
    {
      const JmCpuPart *part = i < N_JOBS
                                ? jm_cpu_activity_get_part (self->activity, i, socket)
                                : jm_cpu_activity_get_system (self->activity, socket);

      loads[i] = (JmLoad){
        .id = i < N_JOBS ? i + 1 : 0,
        .cpu_seconds = part->cpu_seconds,
        .busy_seconds = part->busy_seconds,
        .allocated_seconds = part->allocated_seconds,
        .work = self->is_counted
                  ? (JmWork){ { part->busy_seconds * 2e9, part->busy_seconds * 3e9,
                                part->busy_seconds * 1e7 } }
                  : jm_work_unknown,
      };
    }

  jm_attribution_split (self->attribution, &interval, loads, N_JOBS + 1, parts);
}

static void
run_round (Node *self)
{
  JmCpuInterval interval = { .busy_ns = self->busy_ns, .n_cpus = N_CPUS, .seconds = 5 };

  jm_cpu_activity_set_seats (self->activity, self->seats, N_CPUS);
  jm_cpu_activity_weigh (self->activity, &interval, self->users, N_JOBS);
  for (guint socket = 0; socket < N_SOCKETS; socket++)
    {
      split (self, JM_POWER_DOMAIN_PACKAGE, socket);
      split (self, JM_POWER_DOMAIN_DRAM, socket);
    }
}

static void
assert_allocates_nothing (gboolean is_counted)
{
  Node node = { .is_counted = is_counted };
  guint64 before = allocations_count_of_thread ();

  node_init (&node);
  run_round (&node);
  /* the counter itself works */
  g_assert_cmpuint (allocations_count_of_thread (), >, before);

  before = allocations_count_of_thread ();
  for (guint i = 0; i < 3; i++)
    run_round (&node);
  g_assert_cmpuint (allocations_count_of_thread (), ==, before);
  node_clear (&node);
}

static void
test_a_round_with_the_same_jobs_allocates_nothing (void)
{
  assert_allocates_nothing (FALSE);
}

static void
test_nor_does_one_in_which_all_are_counted (void)
{
  assert_allocates_nothing (TRUE);
}

/* The best of many: others use the machine too. */
static void
assert_is_short (gboolean is_counted, gint64 most_us)
{
  Node node = { .is_counted = is_counted };
  gint64 best_us = G_MAXINT64;

  node_init (&node);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      gint64 before_us = g_get_monotonic_time ();

      run_round (&node);
      best_us = MIN (best_us, g_get_monotonic_time () - before_us);
    }
  g_test_message ("%d jobs, %d CPUs, 4 domains: %" G_GINT64_FORMAT " us", N_JOBS,
                  N_CPUS, best_us);
  node_clear (&node);

  g_assert_cmpint (best_us, <, most_us);
}

static void
test_a_round_of_64_jobs_and_four_domains_is_short (void)
{
  assert_is_short (FALSE, 500);
}

/* Two models learn of each domain then. */
static void
test_one_in_which_all_are_counted_is_twice_as_long (void)
{
  assert_is_short (TRUE, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/attribution-allocations/"
                   "a-round-with-the-same-jobs-allocates-nothing",
                   test_a_round_with_the_same_jobs_allocates_nothing);
  g_test_add_func ("/attribution-allocations/"
                   "nor-does-one-in-which-all-are-counted",
                   test_nor_does_one_in_which_all_are_counted);
  g_test_add_func ("/attribution-allocations/"
                   "one-in-which-all-are-counted-is-twice-as-long",
                   test_one_in_which_all_are_counted_is_twice_as_long);
  g_test_add_func ("/attribution-allocations/"
                   "a-round-of-64-jobs-and-four-domains-is-short",
                   test_a_round_of_64_jobs_and_four_domains_is_short);

  return g_test_run ();
}
