/* test-attribution.c: splits a domain's energy among those who used it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>

#include "node/energy/jm-attribution-private.h"

#define N_ROUNDS 20000
#define N_SEEDS 4
#define FIRST_SEED 4711u
#define MAX_LOADS 96
#define JOULE G_GUINT64_CONSTANT (1000000)

static JmDomainInterval
make_interval (JmPowerDomain domain, guint64 energy_uj)
{
  return (JmDomainInterval){
    .domain = domain,
    .energy_uj = energy_uj,
    .seconds = 5,
    .capacity_seconds = 5 * 16,
  };
}

static JmLoad
make_load (guint64 id, double cpu_seconds, double allocated_seconds)
{
  return (JmLoad){
    .id = id,
    .cpu_seconds = cpu_seconds,
    .busy_seconds = cpu_seconds,
    .allocated_seconds = allocated_seconds,
    .work = jm_work_unknown,
  };
}

static guint64
add_up (guint64 idle, const guint64 *parts, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      /* no sum that wraps can be right by chance */
      g_assert_cmpuint (idle, <=, G_MAXUINT64 - parts[i]);
      idle += parts[i];
    }

  return idle;
}

static void
test_a_domain_that_nobody_uses_is_idle (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_SHARED);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_PACKAGE, 100 * JOULE);
  JmLoad loads[] = { make_load (0, 0, 0), make_load (1, 0, 0) };
  guint64 parts[2];

  g_assert_cmpuint (jm_attribution_split (attribution, &interval, NULL, 0, NULL), ==,
                    100 * JOULE);
  g_assert_cmpuint (jm_attribution_split (attribution, &interval, loads, 2, parts), ==,
                    100 * JOULE);
  g_assert_cmpuint (parts[0] + parts[1], ==, 0);
}

static void
test_equal_loads_get_equal_parts (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_PACKAGE, 500 * JOULE);
  JmLoad loads[] = { make_load (1, 20, 20), make_load (2, 20, 20) };
  guint64 parts[2];
  guint64 idle = jm_attribution_split (attribution, &interval, loads, 2, parts);

  g_assert_cmpuint (add_up (idle, parts, 2), ==, 500 * JOULE);
  g_assert_cmpuint (idle, >, 0);
  g_assert_cmpuint (ABS ((gint64) (parts[0] - parts[1])), <=, 1);
}

static void
test_idle_power_apart_is_nobodys_however_much_is_allocated (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_PACKAGE, 100 * JOULE);
  JmLoad asleep = make_load (1, 0, 80);
  guint64 part;

  g_assert_cmpuint (jm_attribution_split (attribution, &interval, &asleep, 1, &part),
                    ==, 100 * JOULE);
  g_assert_cmpuint (part, ==, 0);
}

static void
test_idle_power_shared_is_whose_the_cpus_are (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_SHARED);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_PACKAGE, 100 * JOULE);
  JmLoad loads[] = { make_load (0, 0, 0), make_load (1, 0, 40), make_load (2, 0, 20) };
  guint64 parts[3];
  guint64 idle = jm_attribution_split (attribution, &interval, loads, 3, parts);

  g_assert_cmpuint (parts[0], ==, 0);
  g_assert_cmpuint (parts[1], ==, 50 * JOULE);
  g_assert_cmpuint (parts[2], ==, 25 * JOULE);
  g_assert_cmpuint (idle, ==, 25 * JOULE);
}

static void
test_cpus_that_are_allocated_twice_are_half_as_much_each (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_SHARED);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_PACKAGE, 100 * JOULE);
  JmLoad loads[] = { make_load (1, 0, 80), make_load (2, 0, 80) };
  guint64 parts[2];

  g_assert_cmpuint (jm_attribution_split (attribution, &interval, loads, 2, parts), ==,
                    0);
  g_assert_cmpuint (parts[0], ==, 50 * JOULE);
}

static void
test_idle_power_is_learned_when_nobody_is_there (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  JmDomainInterval quiet = make_interval (JM_POWER_DOMAIN_PACKAGE, 50 * JOULE);
  JmDomainInterval busy = make_interval (JM_POWER_DOMAIN_PACKAGE, 450 * JOULE);
  JmLoad load = make_load (1, 40, 40);
  guint64 part;

  for (guint i = 0; i < 60; i++)
    jm_attribution_split (attribution, &quiet, NULL, 0, NULL);
  for (guint i = 0; i < 10; i++)
    jm_attribution_split (attribution, &busy, &load, 1, &part);

  g_assert_cmpuint (part, >, 390 * JOULE);
  g_assert_cmpuint (part, <, 410 * JOULE);
}

static void
run_loads (JmAttribution *attribution,
           guint times,
           guint64 joules,
           const JmLoad *loads,
           guint n,
           guint64 *parts)
{
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_PACKAGE, joules * JOULE);

  for (guint i = 0; i < times; i++)
    jm_attribution_split (attribution, &interval, loads, n, parts);
}

/* 10 W idle, and 4 W for each CPU, with loads of all sizes. */
static void
get_used_to_node (JmAttribution *attribution)
{
  for (guint64 i = 0; i < 60; i++)
    {
      guint64 seconds = i * 29 % 75;
      JmLoad load = make_load (100 + i, (double) seconds, 75);
      guint64 part;

      run_loads (attribution, 10, 50 + 4 * seconds, &load, 1, &part);
    }
}

/* What CPU time cannot show, a step of power does: the second load takes 2 W for each
 * CPU, half as much as others do. */
static void
test_loads_of_equal_time_are_distinguished (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  JmLoad loads[] = { make_load (1, 20, 20), make_load (2, 20, 20) };
  guint64 parts[2];

  get_used_to_node (attribution);
  run_loads (attribution, 60, 50 + 80, loads, 1, parts);
  run_loads (attribution, 60, 50 + 80 + 40, loads, 2, parts);

  g_assert_cmpuint (parts[0], >, 72 * JOULE);
  g_assert_cmpuint (parts[0], <, 88 * JOULE);
  g_assert_cmpuint (parts[1], >, 32 * JOULE);
  g_assert_cmpuint (parts[1], <, 48 * JOULE);
}

static JmWork
make_work (double cycles, double instructions, double cache_misses)
{
  return (JmWork){ { cycles, instructions, cache_misses } };
}

static void
test_memory_goes_by_cache_misses_where_they_are_counted (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_DRAM, 100 * JOULE);
  JmLoad loads[] = { make_load (1, 20, 20), make_load (2, 20, 20) };
  guint64 parts[2];

  loads[0].work = make_work (40e9, 40e9, 3e9);
  loads[1].work = make_work (40e9, 40e9, 1e9);
  jm_attribution_split (attribution, &interval, loads, 2, parts);

  /* less than 3: both have kept it awake */
  g_assert_cmpuint (parts[1], >, JOULE);
  g_assert_cmpfloat ((double) parts[0] / (double) parts[1], >, 2.5);
  g_assert_cmpfloat ((double) parts[0] / (double) parts[1], <, 3);
}

static void
test_a_load_that_is_not_counted_has_all_go_by_time (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_DRAM, 100 * JOULE);
  JmLoad loads[] = { make_load (1, 20, 20), make_load (2, 20, 20) };
  guint64 parts[2];

  loads[0].work = make_work (40e9, 40e9, 3e9);
  loads[1].work = make_work (40e9, 40e9, NAN);
  jm_attribution_split (attribution, &interval, loads, 2, parts);

  g_assert_cmpuint (parts[0], >, JOULE);
  g_assert_cmpuint (ABS ((gint64) (parts[0] - parts[1])), <=, 1);
}

/* Of equal time, what does more, and what runs at a faster clock, takes more. */
static void
test_processors_go_by_instructions_and_clock_too (void)
{
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_PACKAGE, 500 * JOULE);
  const JmWork works[][2] = {
    { make_work (40e9, 90e9, 1e9), make_work (40e9, 10e9, 1e9) },
    { make_work (60e9, 40e9, 1e9), make_work (40e9, 40e9, 1e9) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
      JmLoad loads[] = { make_load (1, 20, 20), make_load (2, 20, 20) };
      guint64 parts[2];

      loads[0].work = works[i][0];
      loads[1].work = works[i][1];
      jm_attribution_split (attribution, &interval, loads, 2, parts);

      g_assert_cmpuint (parts[1], >, 50 * JOULE);
      g_assert_cmpfloat ((double) parts[0], >, 1.1 * (double) parts[1]);
    }
}

/* What was measured of the whole node has fans and disks in it. */
static void
test_the_node_goes_by_time_though_all_is_counted (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_NODE, 500 * JOULE);
  JmLoad loads[] = { make_load (1, 20, 20), make_load (2, 20, 20) };
  guint64 parts[2];

  loads[0].work = make_work (40e9, 90e9, 3e9);
  loads[1].work = make_work (40e9, 10e9, 1e9);
  jm_attribution_split (attribution, &interval, loads, 2, parts);

  g_assert_cmpuint (ABS ((gint64) (parts[0] - parts[1])), <=, 1);
}

static void
test_whose_cpu_time_is_not_known_is_taken_to_use_its_cpus (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_PACKAGE, 400 * JOULE);
  JmLoad loads[] = { make_load (1, NAN, 20), make_load (2, 20, 20),
                     make_load (3, NAN, NAN) };
  guint64 parts[3];

  jm_attribution_split (attribution, &interval, loads, 3, parts);

  g_assert_cmpuint (ABS ((gint64) (parts[0] - parts[1])), <=, 1);
  g_assert_cmpuint (parts[2], ==, 0);
}

static void
test_all_of_an_unknown_domain_is_idle (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_SHARED);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_OTHER, 100 * JOULE);
  JmLoad load = make_load (1, 20, 20);
  guint64 part;

  g_assert_cmpuint (jm_attribution_split (attribution, &interval, &load, 1, &part), ==,
                    100 * JOULE);
  g_assert_cmpuint (part, ==, 0);
}

static void
test_a_gpu_is_whose_it_is (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_SHARED);
  JmDomainInterval interval = make_interval (JM_POWER_DOMAIN_GPU, 1000 * JOULE);
  JmLoad load = make_load (7, NAN, 5);
  guint64 part;

  interval.capacity_seconds = 5;
  g_assert_cmpuint (jm_attribution_split (attribution, &interval, &load, 1, &part), ==,
                    0);
  g_assert_cmpuint (part, ==, 1000 * JOULE);
}

static double
draw_number (GRand *rand, double scale)
{
  switch (g_rand_int_range (rand, 0, 12))
    {
    case 0:
      return NAN;
    case 1:
      return 0;
    case 2:
      return -scale;
    case 3:
      return INFINITY;
    case 4:
      return scale * 1e30;
    case 5:
      return scale * 1e-30;
    default:
      return scale * g_rand_double (rand);
    }
}

static guint64
draw_energy (GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 8))
    {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return G_MAXUINT64 - g_rand_int (rand);
    case 3:
      return (G_GUINT64_CONSTANT (1) << 63) + g_rand_int (rand);
    default:
      return g_rand_int (rand);
    }
}

static void
draw_interval (GRand *rand, JmDomainInterval *interval)
{
  *interval = (JmDomainInterval){
    .domain = (JmPowerDomain) g_rand_int_range (rand, 0, JM_N_POWER_DOMAINS),
    .number = (guint) g_rand_int_range (rand, 0, 12),
    .energy_uj = draw_energy (rand),
    .seconds = draw_number (rand, 10),
    .capacity_seconds = draw_number (rand, 640),
  };
}

static void
draw_load (GRand *rand, guint64 id, JmLoad *load)
{
  *load = (JmLoad){
    .id = id,
    .cpu_seconds = draw_number (rand, 100),
    .busy_seconds = draw_number (rand, 100),
    .allocated_seconds = draw_number (rand, 100),
    .work = make_work (draw_number (rand, 1e12), draw_number (rand, 1e12),
                       draw_number (rand, 1e12)),
  };
}

/* As counters report it, more or less: in half of all intervals all are counted. */
static void
draw_counted_load (GRand *rand, guint64 id, JmLoad *load)
{
  *load = make_load (id, 100 * g_rand_double (rand), 100);
  load->work = make_work (1e12 * g_rand_double (rand), g_rand_boolean (rand) ? 1e42 : 0,
                          g_rand_boolean (rand) ? 1e19 * g_rand_double (rand) : 0);
}

static guint
draw_loads (GRand *rand, guint64 *last_id, JmLoad *loads)
{
  guint n = (guint) g_rand_int_range (rand, 0, MAX_LOADS + 1);
  guint64 id = *last_id - MIN (*last_id, n);
  gboolean are_counted = g_rand_boolean (rand);

  *last_id += (guint) g_rand_int_range (rand, 0, 4);
  for (guint i = 0; i < n; i++)
    if (are_counted)
      draw_counted_load (rand, id + i, &loads[i]);
    else
      draw_load (rand, id + i, &loads[i]);

  return n;
}

/* Whatever comes, in whatever order, nothing is lost and nothing is made up. */
static void
test_whatever_comes_parts_add_up (void)
{
  for (guint32 seed = FIRST_SEED; seed < FIRST_SEED + N_SEEDS; seed++)
    {
      g_autoptr (JmAttribution) apart = jm_attribution_new (JM_IDLE_POLICY_APART);
      g_autoptr (JmAttribution) shared = jm_attribution_new (JM_IDLE_POLICY_SHARED);
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      guint64 last_id = 0;

      g_test_message ("seed %u", seed);
      for (guint round = 0; round < N_ROUNDS / N_SEEDS; round++)
        {
          JmAttribution *attribution = g_rand_boolean (rand) ? apart : shared;
          JmDomainInterval interval;
          JmLoad loads[MAX_LOADS];
          guint64 parts[MAX_LOADS];
          guint n = draw_loads (rand, &last_id, loads);
          guint64 idle;

          draw_interval (rand, &interval);
          idle = jm_attribution_split (attribution, &interval, loads, n, parts);

          g_assert_cmpuint (idle, <=, interval.energy_uj);
          g_assert_cmpuint (add_up (idle, parts, n), ==, interval.energy_uj);
        }
    }
}

/* A node in ordinary use, on which jobs come and go at any moment. */
static guint
draw_life (GRand *rand, guint round, JmLoad *loads)
{
  guint n = 0;

  loads[n++] = make_load (0, g_rand_double (rand), 0);
  for (guint64 id = 1; id <= 40; id++)
    {
      guint first = (guint) (id * 37 % 400);
      guint last = first + 1 + (guint) (id * 11 % 90);
      double part = round == first || round == last ? g_rand_double (rand) : 1;

      if (round >= first && round <= last)
        loads[n++] = make_load (id, 5 * part * g_rand_double (rand), 5 * part);
    }

  return n;
}

static void
reverse (JmLoad *loads, guint n)
{
  for (guint i = 0; i < n / 2; i++)
    {
      JmLoad load = loads[i];

      loads[i] = loads[n - 1 - i];
      loads[n - 1 - i] = load;
    }
}

static void
test_the_order_of_loads_does_not_matter (void)
{
  g_autoptr (JmAttribution) forth = jm_attribution_new (JM_IDLE_POLICY_SHARED);
  g_autoptr (JmAttribution) back = jm_attribution_new (JM_IDLE_POLICY_SHARED);
  g_autoptr (GRand) rand = g_rand_new_with_seed (FIRST_SEED);

  for (guint round = 0; round < 500; round++)
    {
      JmLoad loads[MAX_LOADS];
      guint64 parts[MAX_LOADS], back_parts[MAX_LOADS];
      guint n = draw_life (rand, round, loads);
      JmDomainInterval interval =
        make_interval (JM_POWER_DOMAIN_PACKAGE,
                       (100 + (guint) g_rand_int_range (rand, 0, 400)) * JOULE);

      jm_attribution_split (forth, &interval, loads, n, parts);
      reverse (loads, n);
      jm_attribution_split (back, &interval, loads, n, back_parts);

      for (guint i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon ((double) parts[i],
                                        (double) back_parts[n - 1 - i], 50);
    }
}

/* As it is by construction: that nothing is subtracted from what a job was given. */
static void
test_what_a_job_was_given_never_shrinks (void)
{
  g_autoptr (JmAttribution) attribution = jm_attribution_new (JM_IDLE_POLICY_APART);
  g_autoptr (GRand) rand = g_rand_new_with_seed (FIRST_SEED);
  guint64 sums[41] = { 0 };
  guint64 measured = 0;
  guint64 told = 0;

  for (guint round = 0; round < 500; round++)
    {
      JmLoad loads[MAX_LOADS];
      guint64 parts[MAX_LOADS];
      guint n = draw_life (rand, round, loads);
      JmDomainInterval interval =
        make_interval (JM_POWER_DOMAIN_PACKAGE, 300 * JOULE + g_rand_int (rand) % 777);

      told += jm_attribution_split (attribution, &interval, loads, n, parts);
      measured += interval.energy_uj;
      for (guint i = 0; i < n; i++)
        {
          guint64 before = sums[loads[i].id];

          sums[loads[i].id] += parts[i];
          told += parts[i];
          g_assert_cmpuint (sums[loads[i].id], >=, before);
        }
    }

  g_assert_cmpuint (told, ==, measured);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    g_assert_cmpuint (sums[i], >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/attribution/a-domain-that-nobody-uses-is-idle",
                   test_a_domain_that_nobody_uses_is_idle);
  g_test_add_func ("/attribution/equal-loads-get-equal-parts",
                   test_equal_loads_get_equal_parts);
  g_test_add_func ("/attribution/idle-power-apart-is-nobodys",
                   test_idle_power_apart_is_nobodys_however_much_is_allocated);
  g_test_add_func ("/attribution/idle-power-shared-is-whose-the-cpus-are",
                   test_idle_power_shared_is_whose_the_cpus_are);
  g_test_add_func ("/attribution/cpus-that-are-allocated-twice-are-half-as-much-each",
                   test_cpus_that_are_allocated_twice_are_half_as_much_each);
  g_test_add_func ("/attribution/idle-power-is-learned-when-nobody-is-there",
                   test_idle_power_is_learned_when_nobody_is_there);
  g_test_add_func ("/attribution/loads-of-equal-time-are-distinguished",
                   test_loads_of_equal_time_are_distinguished);
  g_test_add_func ("/attribution/memory-goes-by-cache-misses-where-they-are-counted",
                   test_memory_goes_by_cache_misses_where_they_are_counted);
  g_test_add_func ("/attribution/a-load-that-is-not-counted-has-all-go-by-time",
                   test_a_load_that_is_not_counted_has_all_go_by_time);
  g_test_add_func ("/attribution/processors-go-by-instructions-and-clock-too",
                   test_processors_go_by_instructions_and_clock_too);
  g_test_add_func ("/attribution/the-node-goes-by-time-though-all-is-counted",
                   test_the_node_goes_by_time_though_all_is_counted);
  g_test_add_func ("/attribution/whose-cpu-time-is-not-known-is-taken-to-use-its-cpus",
                   test_whose_cpu_time_is_not_known_is_taken_to_use_its_cpus);
  g_test_add_func ("/attribution/all-of-an-unknown-domain-is-idle",
                   test_all_of_an_unknown_domain_is_idle);
  g_test_add_func ("/attribution/a-gpu-is-whose-it-is", test_a_gpu_is_whose_it_is);
  g_test_add_func ("/attribution/whatever-comes-parts-add-up",
                   test_whatever_comes_parts_add_up);
  g_test_add_func ("/attribution/the-order-of-loads-does-not-matter",
                   test_the_order_of_loads_does_not_matter);
  g_test_add_func ("/attribution/what-a-job-was-given-never-shrinks",
                   test_what_a_job_was_given_never_shrinks);

  return g_test_run ();
}
