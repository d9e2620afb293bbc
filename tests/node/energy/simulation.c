/* simulation.c: what nodes that are made up have in common
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "simulation.h"

#include <math.h>
#include <string.h>

#define N_CORES (SIMULATED_SOCKETS * SIMULATED_CORES)

#define INTERVAL 5.0 /* seconds */
#define TICK_NS 10000000
#define PACKAGE_UNIT 61.035e-6 /* joules: RAPL's own units */
#define DRAM_UNIT 15.259e-6

/* Counters. How far instructions for each cycle differ between programs of the same
 * power (logarithm); what a count that was scaled up from some of the time is off by,
 * and one that was not, since all are read one after the other; how many intervals have
 * a job that could not be counted. */
#define IPC_SPREAD 0.35
#define TURN_ERROR 0.04
#define SKEW_ERROR 0.002
#define NOT_COUNTED 0.02
#define LINE_BYTES 64
#define SYSTEM_IPC 0.8

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

gboolean
simulation_is_small (guint cpu, guint n_small)
{
  return simulation_get_core (cpu) % SIMULATED_CORES >= SIMULATED_CORES - n_small;
}

void
simulation_get_seats (const Simulation *self, JmCpuSeat seats[SIMULATED_CPUS])
{
  for (guint i = 0; i < SIMULATED_CPUS; i++)
    seats[i] = (JmCpuSeat){
      .cpu = i,
      .package = simulation_get_socket (i),
      .core = simulation_get_core (i) % SIMULATED_CORES,
      .capacity = simulation_is_small (i, self->n_small) ? 0.5 : 1,
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

/* --- books --- */

/* What a counter that was reported before has counted since. */
static guint64
tell (guint64 *told, guint64 now)
{
  guint64 since = now - *told;

  *told = now;

  return since;
}

/* Joules as a counter of such units has them, in microjoules. */
static guint64
quantise (double joules, double unit)
{
  return (guint64) (floor (MAX (joules, 0) / unit) * unit * 1e6);
}

void
simulated_books_init (SimulatedBooks *self, guint32 seed)
{
  self->rand = g_rand_new_with_seed (seed);
  self->counter_rand = g_rand_new_with_seed (~seed);
  self->takes_turns = chance (self->counter_rand, 0.5);
  self->jobs = g_ptr_array_new_with_free_func (g_free);
  self->interval.jobs = g_array_new (FALSE, TRUE, sizeof (SimulatedJob));
}

void
simulated_books_clear (SimulatedBooks *self)
{
  g_rand_free (self->rand);
  g_rand_free (self->counter_rand);
  g_ptr_array_unref (self->jobs);
  g_array_unref (self->interval.jobs);
}

void
simulated_books_await_job (SimulatedBooks *self)
{
  self->next_arrival = self->time + exponential (self->rand, self->mean_gap);
}

void
simulated_books_start (SimulatedBooks *self,
                       SimulatedRun *run,
                       double age,
                       double seconds)
{
  run->now.id = ++self->last_id;
  run->now.was_there = age > 0;
  run->started = self->time - age;
  run->ends = self->time + seconds;
  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    if ((run->now.cpus >> cpu & 1) != 0)
      self->owners[cpu] = run;

  g_ptr_array_add (self->jobs, run);
}

/* --- counters --- */

void
simulated_books_choose_counts (SimulatedBooks *self,
                               SimulatedRun *run,
                               double vigour,
                               double most_hidden)
{
  GRand *rand = self->counter_rand;
  double hidden = uniform (rand, 0, most_hidden);
  double written = uniform (rand, 0, 1);

  run->ipc = 1.3 * vigour * exp (IPC_SPREAD * normal (rand));
  run->coupling = uniform (rand, 0.5, 1.5);
  run->bytes_per_miss = LINE_BYTES * (1 + written) / (1 - hidden);
  run->phase_hiding = uniform (rand, 0.75, 1.3);
}

void
simulated_books_count (SimulatedBooks *self, SimulatedRun *run, double ghz, double pace)
{
  double cycles = ghz * 1e9 * STEP;

  run->now.counts.cycles += cycles;
  run->now.counts.instructions += cycles * run->ipc * pow (pace, run->coupling);
}

void
simulated_books_count_bytes (SimulatedBooks *self, SimulatedRun *run, double bytes)
{
  run->now.counts.cache_misses += bytes / run->bytes_per_miss * exp (run->hiding_drift);
}

void
simulated_books_count_system (SimulatedBooks *self, double ghz)
{
  double cycles = ghz * 1e9 * STEP;

  self->interval.counts.cycles += cycles;
  self->interval.counts.instructions += cycles * SYSTEM_IPC;
}

static void
blur (SimulatedBooks *self, SimulatedCounts *counts, double error)
{
  double of_cycles = MAX (0, 1 + error * normal (self->counter_rand));
  double of_cache = MAX (0, 1 + error * normal (self->counter_rand));

  counts->cycles *= of_cycles;
  counts->instructions *= of_cycles;
  counts->cache_misses *= of_cache;
}

/* What was counted of jobs, and then of all CPUs, which is off by less: each of them
 * takes turns of its own. */
static void
tell_counts (SimulatedBooks *self)
{
  GArray *jobs = self->interval.jobs;
  SimulatedCounts *all = &self->interval.counts;

  for (guint i = 0; i < jobs->len; i++)
    {
      SimulatedJob *job = &g_array_index (jobs, SimulatedJob, i);

      all->cycles += job->counts.cycles;
      all->instructions += job->counts.instructions;
      all->cache_misses += job->counts.cache_misses;
      job->is_counted = TRUE;
      blur (self, &job->counts, self->takes_turns ? TURN_ERROR : SKEW_ERROR);
    }
  blur (self, all, self->takes_turns ? TURN_ERROR / 4 : SKEW_ERROR);

  if (jobs->len > 0 && chance (self->counter_rand, NOT_COUNTED))
    g_array_index (jobs, SimulatedJob,
                   g_rand_int_range (self->counter_rand, 0, (gint32) jobs->len))
      .is_counted = FALSE;
}

/* How much of what it reads is fetched in advance changes with its data. */
static void
drift_counts (SimulatedBooks *self, SimulatedRun *run)
{
  double change = STEP / 120;

  run->hiding_drift += -change * run->hiding_drift +
                       0.08 * sqrt (2 * change) * normal (self->counter_rand);
}

/* --- threads --- */

/* A thread is seen on the CPU where it ran, but for some that have moved. */
static void
see_threads (SimulatedBooks *self, SimulatedRun *run)
{
  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    {
      guint seen = cpu;

      if (run->ran_ns[cpu] > 0 && chance (self->rand, MOVED))
        seen = (guint) g_rand_int_range (self->rand, 0, SIMULATED_CPUS);

      run->now.placed_ns[seen] += run->ran_ns[cpu];
      run->ran_ns[cpu] = 0;
    }
}

static void
tell_job (SimulatedBooks *self, SimulatedRun *run)
{
  see_threads (self, run);
  g_array_append_val (self->interval.jobs, run->now);
}

void
simulated_books_end_jobs (SimulatedBooks *self)
{
  for (guint i = self->jobs->len; i > 0; i--)
    {
      SimulatedRun *run = g_ptr_array_index (self->jobs, i - 1);

      if (run->ends > self->time)
        continue;

      tell_job (self, run);
      for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
        if (self->owners[cpu] == run)
          self->owners[cpu] = NULL;
      g_ptr_array_remove_index_fast (self->jobs, i - 1);
    }
}

void
simulated_books_pass_step (SimulatedBooks *self)
{
  for (guint i = 0; i < self->jobs->len; i++)
    {
      ((SimulatedRun *) g_ptr_array_index (self->jobs, i))->now.seconds += STEP;
      drift_counts (self, g_ptr_array_index (self->jobs, i));
    }

  self->time += STEP;
}

static void
begin_job (SimulatedJob *self)
{
  self->seconds = 0;
  self->cpu_ns = 0;
  self->counts = (SimulatedCounts){ 0 };
  memset (self->true_package, 0, sizeof self->true_package);
  memset (self->true_dram, 0, sizeof self->true_dram);
}

guint
simulated_books_begin (SimulatedBooks *self)
{
  GArray *jobs = self->interval.jobs;
  guint n_steps =
    (guint) (INTERVAL / STEP) + (guint) g_rand_int_range (self->rand, 0, 3);

  g_array_set_size (jobs, 0);
  self->interval = (SimulatedInterval){ .jobs = jobs, .seconds = n_steps * STEP };
  for (guint i = 0; i < self->jobs->len; i++)
    begin_job (&((SimulatedRun *) g_ptr_array_index (self->jobs, i))->now);

  return n_steps;
}

/* Energy is read a millisecond or so from where the interval ends. */
void
simulated_books_tell_energy (SimulatedBooks *self,
                             guint socket,
                             double package,
                             double dram,
                             double watts)
{
  double early = uniform (self->rand, 0, 0.003) * watts;

  self->interval.package_uj[socket] =
    tell (&self->told_package[socket], quantise (package - early, PACKAGE_UNIT));
  self->interval.dram_uj[socket] =
    tell (&self->told_dram[socket], quantise (dram, DRAM_UNIT));
}

const SimulatedInterval *
simulated_books_finish (SimulatedBooks *self)
{
  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    {
      guint64 ticks = (guint64) (self->busy[cpu] * 1e9 / TICK_NS);

      self->interval.busy_ns[cpu] = tell (&self->told_ns[cpu], ticks * TICK_NS);
    }
  for (guint i = 0; i < self->jobs->len; i++)
    tell_job (self, g_ptr_array_index (self->jobs, i));
  tell_counts (self);

  return &self->interval;
}
