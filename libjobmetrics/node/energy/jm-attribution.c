/* jm-attribution.c: splits a domain's energy among those who used it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-attribution-private.h"

#include <math.h>

#include "node/energy/jm-power-model-private.h"

#define UJ_PER_JOULE 1e6

/* More than any machine has, and sums of squares of it are still numbers. */
#define MAX_NUMBER 1e60

/* By how much more or less than the model says a domain may have taken for its loads;
 * beyond that it is idle power that was not what it used to be. */
#define MAX_MISFIT 2.0

/* What shows how much a load asked for. */
typedef enum
{
  DRIVER_TIME,
  DRIVER_COUNTERS,
  N_DRIVERS,
} Driver;

struct _JmAttribution
{
  JmIdlePolicy policy;
  gboolean tells_apart;
  JmPowerModel *models[JM_N_POWER_DOMAINS][N_DRIVERS];
  GArray *demands;     /* of JmPowerDemand, one for each load */
  GArray *joules;      /* of double, likewise */
  gboolean is_counted; /* the last interval was */
};

/* Idle power as of servers of the years to 2024 (SPECpower_ssj2008 results), and how
 * far programs differ as in R. Schöne et al., "Energy Efficiency Features of the Intel
 * Skylake-SP Processor" (2019). The others are what simulated nodes were estimated best
 * with, ones that the tests do not have; the noise is mostly frequency, which is read
 * at moments only. */
static const JmPowerTraits cpu_traits = {
  .full_idle = 0.12,
  .common_spread = 0.6,
  .load_spread = 0.3,
  .load_drift = 0.003,
  .common_drift = 0.005,
  .idle_drift = 0.00005,
  .crowding = 0.3,
  .wake = 0.6,
  .wake_alike = 1,
  .noise = 0.08,
};

/* A whole server takes half of its full power when idle, more or less (the same
 * results): of what no component has measured, fans, disks and what power supplies
 * lose, most. */
static const JmPowerTraits node_traits = {
  .full_idle = 0.5,
  .common_spread = 0.6,
  .load_spread = 0.3,
  .load_drift = 0.003,
  .common_drift = 0.005,
  .idle_drift = 0.00005,
  .noise = 0.15,
};

static const JmPowerTraits rest_traits = {
  .full_idle = 0.8,
  .common_spread = 0.8,
  .load_spread = 0.3,
  .load_drift = 0.003,
  .common_drift = 0.005,
  .idle_drift = 0.00005,
  .noise = 0.15,
};

/* Traffic per CPU second differs between loads by orders of magnitude. What memory
 * takes to be awake is whose the traffic is, and who kept the processor awake. */
static const JmPowerTraits memory_time_traits = {
  .full_idle = 0.4,
  .common_spread = 1.0,
  .load_spread = 1.5,
  .load_drift = 0.01,
  .common_drift = 0.01,
  .idle_drift = 0.0002,
  .crowding = 0.2,
  .wake = 0.2,
  .wake_alike = 0.35,
  .noise = 0.01,
};

/* A miss moves a line of 64 bytes, of 150 pJ each with DDR4, reads and writes mixed;
 * and more where lines are fetched in advance or written back, so much that programs
 * differ by factors. */
static const JmPowerTraits memory_miss_traits = {
  .common = 1.8e-8,
  .full_idle = 0.3,
  .common_spread = 0.8,
  .load_spread = 0.35,
  .load_drift = 0.02,
  .common_drift = 0.001,
  .idle_drift = 0.0003,
  .wake = 0.3,
  .wake_alike = 0.7,
  .noise = 0.08,
};

/* What 10^9 instructions take more than the time that they take, of a CPU's power. */
#define PER_GIGA_INSTRUCTION 0.04

/* How far a load's own clock may be from that of all of them. */
#define MAX_CLOCK_RATIO 2.0

JmAttribution *
jm_attribution_new (JmIdlePolicy policy)
{
  JmAttribution *self = g_new0 (JmAttribution, 1);

  self->policy = policy;
  self->tells_apart = TRUE;
  self->demands = g_array_new (FALSE, TRUE, sizeof (JmPowerDemand));
  self->joules = g_array_new (FALSE, TRUE, sizeof (double));

  return self;
}

void
jm_attribution_free (JmAttribution *self)
{
  for (guint i = 0; i < JM_N_POWER_DOMAINS; i++)
    for (guint j = 0; j < N_DRIVERS; j++)
      g_clear_pointer (&self->models[i][j], jm_power_model_free);
  g_array_unref (self->demands);
  g_array_unref (self->joules);
  g_free (self);
}

void
jm_attribution_set_tells_apart (JmAttribution *self, gboolean tells_apart)
{
  self->tells_apart = tells_apart;
}

static gboolean
is_known (double number)
{
  return number >= 0 && number <= MAX_NUMBER;
}

static double
known_or (double number, double otherwise)
{
  return is_known (number) ? number : otherwise;
}

static JmPowerTraits
get_traits (JmAttribution *self, JmPowerDomain domain, Driver driver)
{
  JmPowerTraits traits = cpu_traits;

  if (domain == JM_POWER_DOMAIN_PSYS)
    traits = node_traits;
  else if (domain == JM_POWER_DOMAIN_NODE)
    traits = rest_traits;
  else if (domain == JM_POWER_DOMAIN_DRAM)
    traits = driver == DRIVER_COUNTERS ? memory_miss_traits : memory_time_traits;
  else if (driver == DRIVER_COUNTERS)
    traits.extra = PER_GIGA_INSTRUCTION;
  if (!self->tells_apart)
    traits.load_spread = traits.load_drift = 0;

  return traits;
}

static JmPowerModel *
get_model (JmAttribution *self, JmPowerDomain domain, Driver driver)
{
  JmPowerModel **model = &self->models[domain][driver];

  if (*model == NULL)
    {
      JmPowerTraits traits = get_traits (self, domain, driver);

      *model = jm_power_model_new (&traits);
    }

  return *model;
}

/* A load whose CPU time is not known is taken to keep the CPUs busy that are its.
 * Returns whether nothing had to stand in for what is not known. */
static gboolean
demand_time (JmAttribution *self, const JmLoad *loads, guint n)
{
  gboolean whole = TRUE;

  for (guint i = 0; i < n; i++)
    {
      JmPowerDemand *demand = &g_array_index (self->demands, JmPowerDemand, i);

      *demand = (JmPowerDemand){ .id = loads[i].id };
      demand->activity =
        known_or (loads[i].cpu_seconds, known_or (loads[i].allocated_seconds, 0));
      demand->busy = demand->activity;
      whole = whole && is_known (loads[i].cpu_seconds);
    }

  return whole;
}

/* --- what processors counted --- */

/* Only what is known of all compares. What is measured of the whole node has more in it
 * than processors. */
static gboolean
is_counted (const JmDomainInterval *interval, const JmLoad *loads, guint n)
{
  if (interval->domain != JM_POWER_DOMAIN_PACKAGE &&
      interval->domain != JM_POWER_DOMAIN_CORE &&
      interval->domain != JM_POWER_DOMAIN_DRAM)
    return FALSE;

  for (guint i = 0; i < n; i++)
    if (!is_known (loads[i].cpu_seconds) || !is_known (loads[i].busy_seconds) ||
        !jm_work_is_known (&loads[i].work))
      return FALSE;

  return n > 0;
}

/* Cycles for each second of CPU time, of those of all; 1 where it did not run. */
static double
get_clock_ratio (const JmLoad *load, double cycles, double busy)
{
  if (!(load->busy_seconds > 0) || !(cycles > 0))
    return 1;

  return CLAMP (load->work.counts[JM_WORK_CYCLES] / load->busy_seconds * busy / cycles,
                1 / MAX_CLOCK_RATIO, MAX_CLOCK_RATIO);
}

/* What the clocks of the CPUs are is in the weight of their seconds already, where they
 * can be read, but not whose is slower. What runs at a lower one may do so since it
 * takes more, so that counts by its root: simulated nodes were estimated best with
 * that. */
static void
demand_processors (JmAttribution *self, const JmLoad *loads, guint n)
{
  double cycles = 0;
  double busy = 0;

  for (guint i = 0; i < n; i++)
    {
      cycles += loads[i].work.counts[JM_WORK_CYCLES];
      busy += loads[i].busy_seconds;
    }

  for (guint i = 0; i < n; i++)
    {
      double activity =
        loads[i].cpu_seconds * sqrt (get_clock_ratio (&loads[i], cycles, busy));

      g_array_index (self->demands, JmPowerDemand, i) = (JmPowerDemand){
        .id = loads[i].id,
        .activity = activity,
        .busy = activity,
        .extra = loads[i].work.counts[JM_WORK_INSTRUCTIONS] / 1e9,
      };
    }
}

static void
demand_memory (JmAttribution *self, const JmLoad *loads, guint n)
{
  for (guint i = 0; i < n; i++)
    g_array_index (self->demands, JmPowerDemand, i) = (JmPowerDemand){
      .id = loads[i].id,
      .activity = loads[i].work.counts[JM_WORK_CACHE_MISSES],
      .busy = loads[i].busy_seconds,
    };
}

/* --- who asked for what --- */

static void
learn (JmPowerModel *model, const JmPowerInterval *power, const GArray *demands)
{
  jm_power_model_learn (model, power, (const JmPowerDemand *) (gpointer) demands->data,
                        demands->len);
}

/* The model of CPU time learns in any case: it is what is there as soon as somebody
 * cannot be counted. Returns the one that explains the interval, with its demands. */
static JmPowerModel *
choose_model (JmAttribution *self,
              const JmDomainInterval *interval,
              JmPowerInterval *power,
              const JmLoad *loads,
              guint n)
{
  JmPowerModel *model = get_model (self, interval->domain, DRIVER_TIME);

  if (demand_time (self, loads, n))
    learn (model, power, self->demands);
  self->is_counted = is_counted (interval, loads, n);
  if (!self->is_counted)
    return model;

  model = get_model (self, interval->domain, DRIVER_COUNTERS);
  if (interval->domain == JM_POWER_DOMAIN_DRAM)
    {
      power->capacity = 0;
      demand_memory (self, loads, n);
    }
  else
    demand_processors (self, loads, n);
  learn (model, power, self->demands);

  return model;
}

/* Fills joules with what each load should have taken, and returns what idling should.
 */
static double
explain (JmAttribution *self,
         const JmDomainInterval *interval,
         const JmLoad *loads,
         guint n)
{
  JmPowerInterval power = {
    .socket = interval->number,
    .energy = (double) interval->energy_uj / UJ_PER_JOULE,
    .seconds = known_or (interval->seconds, 0),
    .capacity = known_or (interval->capacity_seconds, 0),
  };
  JmPowerModel *model = choose_model (self, interval, &power, loads, n);

  return jm_power_model_explain (model, &power, (gpointer) self->demands->data, n,
                                 (gpointer) self->joules->data);
}

static double
sum (const double *numbers, guint n)
{
  double total = 0;

  for (guint i = 0; i < n; i++)
    total += numbers[i];

  return total;
}

/* What of the energy was idle power, in joules. What the domain took more or less than
 * expected is the loads', who vary, within reason. */
static double
get_idle (double energy, double expected_idle, double expected_active)
{
  double active = CLAMP (energy - expected_idle, expected_active / MAX_MISFIT,
                         expected_active * MAX_MISFIT);

  return CLAMP (energy - active, 0, energy);
}

/* How much of a second of idle power an allocated second is worth. */
static double
get_idle_share (JmAttribution *self,
                const JmDomainInterval *interval,
                const JmLoad *loads,
                guint n)
{
  double capacity = known_or (interval->capacity_seconds, 0);
  double allocated = 0;

  if (self->policy == JM_IDLE_POLICY_APART || capacity <= 0 ||
      interval->domain == JM_POWER_DOMAIN_OTHER)
    return 0;

  for (guint i = 0; i < n; i++)
    allocated += known_or (loads[i].allocated_seconds, 0);

  return 1 / MAX (capacity, allocated);
}

/* Rounds such that what is rounded off of one is added to the next: each is off by less
 * than a microjoule, and none is lost. Returns what is nobody's. */
static guint64
round_parts (guint64 energy_uj, const double *joules, guint n, guint64 *parts_uj)
{
  double energy = (double) energy_uj / UJ_PER_JOULE;
  double reached = 0;
  guint64 reached_uj = 0;

  for (guint i = 0; i < n; i++)
    {
      guint64 next_uj = energy_uj;

      reached += joules[i];
      /* what is below 1 leaves the product below 2^64 */
      if (reached < energy)
        next_uj = MIN ((guint64) (reached / energy * (double) energy_uj), energy_uj);
      next_uj = MAX (next_uj, reached_uj);

      parts_uj[i] = next_uj - reached_uj;
      reached_uj = next_uj;
    }

  return energy_uj - reached_uj;
}

guint64
jm_attribution_split (JmAttribution *self,
                      const JmDomainInterval *interval,
                      const JmLoad *loads,
                      guint n_loads,
                      guint64 *parts_uj)
{
  double energy = (double) interval->energy_uj / UJ_PER_JOULE;
  double expected_idle, expected_active, idle, scale, idle_share;
  double *joules;

  self->is_counted = FALSE;
  g_array_set_size (self->demands, n_loads);
  g_array_set_size (self->joules, n_loads);
  joules = (gpointer) self->joules->data;

  expected_idle =
    interval->is_constant ? energy : explain (self, interval, loads, n_loads);
  expected_active = interval->is_constant ? NAN : sum (joules, n_loads);
  if (interval->domain == JM_POWER_DOMAIN_OTHER || !isfinite (expected_active))
    {
      for (guint i = 0; i < n_loads; i++)
        joules[i] = 0;
      expected_active = 0;
    }
  idle =
    expected_active > 0 ? get_idle (energy, expected_idle, expected_active) : energy;

  scale = expected_active > 0 ? (energy - idle) / expected_active : 0;
  idle_share = idle * get_idle_share (self, interval, loads, n_loads);
  for (guint i = 0; i < n_loads; i++)
    joules[i] =
      joules[i] * scale + idle_share * known_or (loads[i].allocated_seconds, 0);

  return round_parts (interval->energy_uj, joules, n_loads, parts_uj);
}

gboolean
jm_attribution_is_counted (JmAttribution *self)
{
  return self->is_counted;
}
