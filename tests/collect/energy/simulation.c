/* simulation.c: what nodes that are made up have in common
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "simulation.h"

#include <math.h>
#include <string.h>

#define N_CORES (SIMULATED_SOCKETS * SIMULATED_CORES)

/* How many threads have moved to another CPU just before they are looked at. */
#define MOVED 0.1

/* Linux numbers the first threads of all cores first. */
guint
simulation_get_core (guint cpu)
{
  return cpu % N_CORES;
}

guint
simulation_get_socket (guint cpu)
{
  return simulation_get_core (cpu) / SIMULATED_CORES;
}

void
simulation_get_seats (JmCpuSeat seats[SIMULATED_CPUS])
{
  for (guint i = 0; i < SIMULATED_CPUS; i++)
    seats[i] = (JmCpuSeat){
      .cpu = i,
      .package = simulation_get_socket (i),
      .core = simulation_get_core (i) % SIMULATED_CORES,
    };
}

double
uniform (GRand *rand, double from, double to)
{
  return g_rand_double_range (rand, from, to);
}

double
normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) *
         cos (2 * G_PI * g_rand_double (rand));
}

double
exponential (GRand *rand, double mean)
{
  return -mean * log (1 - g_rand_double (rand));
}

gboolean
chance (GRand *rand, double probability)
{
  return g_rand_double (rand) < probability;
}

guint64
tell (guint64 *told, guint64 now)
{
  guint64 since = now - *told;

  *told = now;

  return since;
}

guint64
quantise (double joules, double unit)
{
  return (guint64) (floor (MAX (joules, 0) / unit) * unit * 1e6);
}

void
simulated_job_begin (SimulatedJob *self)
{
  self->seconds = 0;
  self->cpu_ns = 0;
  memset (self->traffic_bytes, 0, sizeof self->traffic_bytes);
  memset (self->true_package, 0, sizeof self->true_package);
  memset (self->true_dram, 0, sizeof self->true_dram);
}

void
simulated_job_see (SimulatedJob *self, GRand *rand, guint cpu, guint64 ns)
{
  if (ns > 0 && chance (rand, MOVED))
    cpu = (guint) g_rand_int_range (rand, 0, SIMULATED_CPUS);

  self->placed_ns[cpu] += ns;
}
