/* simulate-node.c: a node of which it is known whose each joule is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine is modelled on one with two Intel Xeon Gold 6130 (16 cores, 2 threads
 * each, 2.1 GHz, 125 W) and six DIMMs of DDR4 on each socket:
 *
 * - turbo by the number of active cores: Intel, "Xeon Processor Scalable Family
 *   Specification Update", non-AVX table;
 * - watts of cores, uncore and idling, and that they differ between programs by a
 *   factor of about two: of the size in R. Schöne et al., "Energy Efficiency Features
 *   of the Intel Skylake-SP Processor" (2019), and D. Hackenberg et al., "An Energy
 *   Efficiency Feature Survey of the Intel Haswell Processor" (2015);
 * - what a second thread adds to a core: 5 to 35 %, around Y. Zhai et al., "HaPPy"
 *   (2014), and B. Weigell et al., "METRION" (2025);
 * - memory: some 10 W for six idle DIMMs and 20 to 25 pJ for each bit, as DDR4 data
 *   sheets and S. Ghose et al., "What Your DRAM Power Models Are Not Telling You"
 *   (2018), have it in size.
 *
 * Figures that no source gives (how jobs drift, how long they take, what a small core
 * takes and computes of a large one) are made up. None
 * of them was chosen to suit the attribution; where its model is simpler than this one,
 * that shows in its error.
 *
 * Who takes what: a core's power is that of the threads on it, by their intensity; what
 * a socket takes to be awake is that of its active cores, each alike; traffic is whose
 * it is; the rest is idle.
 */

#include "simulation.h"

#include <math.h>
#include <string.h>

#define N_CORES (SIMULATED_SOCKETS * SIMULATED_CORES)

#define N_SMALL (SIMULATED_CORES / 2)
#define VOLTAGE_GHZ 2.8
#define CORE_WATTS 4.8      /* busy, of intensity 1, at VOLTAGE_GHZ */
#define CORE_LEAK_WATTS 0.6 /* active at all */
#define CORE_SLEEP_WATTS 0.03
#define MIN_SOCKET_WATTS                                                               \
 8.0 /* idle; which C-states there are is the firmware's choice */
#define MAX_SOCKET_WATTS 20.0
#define MIN_WAKE_WATTS 3.0
#define MAX_WAKE_WATTS 9.0
#define MESH_WATTS 0.08 /* for each GB/s */
#define DRAM_WATTS 10.0
#define DRAM_WAKE_WATTS 2.5
#define DRAM_TRAFFIC_WATTS 0.18 /* for each GB/s */
#define PEAK_TRAFFIC 105.0      /* GB/s of a socket */

#define KELVIN_PER_WATT 0.35
#define THERMAL_SECONDS 25.0
#define LEAK_PER_KELVIN 0.004

typedef struct
{
  SimulatedRun run;
  guint first_cpu;

  guint threads_per_core;
  double duty;
  double burst;              /* seconds that a thread runs or waits at a time */
  double intensity, traffic; /* of a thread: factor, GB/s */
  double smt_yield, read_mix, remote;
  double frequency_bound; /* how much of its traffic goes with frequency */
  double pause_every, pause_seconds;
  double phase_seconds, phase_intensity, phase_traffic;

  double intensity_drift, traffic_drift; /* logarithms */
  gboolean in_phase;
  gboolean running[SIMULATED_CPUS];
} Job;

typedef struct
{
  double temperature; /* above that of an idle socket */
  double active_cores;
  double ghz;
  double traffic;       /* GB/s wanted */
  double scale;         /* of which so much is got */
  double package, dram; /* joules since the beginning, exactly */
  double watts;         /* of the last step */
} Socket;

typedef struct
{
  SimulatedBooks books; /* of Jobs */
  gboolean by_thread;   /* whether siblings may be different jobs' */
  double cap_ghz, next_cap;
  double socket_watts, wake_watts;
  guint n_small; /* cores of each socket */
  double small_watts, small_pace;
  gboolean system_runs[SIMULATED_CPUS];
  double system_until;
  Socket sockets[SIMULATED_SOCKETS];
} Node;

static void
choose_kind (Node *self, Job *job)
{
  static const struct
  {
    double intensity[2], traffic[2], frequency_bound;
  } kinds[] = {
    [SIMULATED_COMPUTE_BOUND] = { { 0.85, 1.35 }, { 0.05, 0.6 }, 1.0 },
    [SIMULATED_MIXED] = { { 0.7, 1.1 }, { 0.5, 2.0 }, 0.6 },
    [SIMULATED_MEMORY_BOUND] = { { 0.5, 0.8 }, { 2.5, 7.0 }, 0.1 },
  };
  GRand *rand = self->books.rand;
  SimulatedKind kind = (SimulatedKind) g_rand_int_range (rand, 0, 3);

  job->run.now.kind = kind;
  job->intensity = uniform (rand, kinds[kind].intensity[0], kinds[kind].intensity[1]);
  job->traffic = uniform (rand, kinds[kind].traffic[0], kinds[kind].traffic[1]);
  job->frequency_bound = kinds[kind].frequency_bound;
}

static void
choose_habits (Node *self, Job *job)
{
  GRand *rand = self->books.rand;
  double dice = g_rand_double (rand);

  job->duty = dice < 0.6    ? uniform (rand, 0.95, 1.0)
              : dice < 0.85 ? uniform (rand, 0.6, 0.95)
                            : uniform (rand, 0.1, 0.6);
  job->burst = uniform (rand, 0.2, 2.0);
  job->threads_per_core = chance (rand, 0.3) ? 2 : 1;
  job->smt_yield = uniform (rand, 0.05, 0.35);
  job->read_mix = uniform (rand, 0.85, 1.2);
  job->remote = uniform (rand, 0.0, 0.1);
  job->pause_every = chance (rand, 0.2) ? uniform (rand, 20, 120) : INFINITY;
  job->pause_seconds = uniform (rand, 1, 8);
  job->phase_seconds = chance (rand, 0.3) ? uniform (rand, 120, 600) : INFINITY;
  job->phase_intensity = uniform (rand, 0.75, 1.2);
  job->phase_traffic = uniform (rand, 0.3, 2.0);
}

static gboolean
is_small (Node *self, guint cpu)
{
  return simulation_is_small (cpu, self->n_small);
}

/* Whole cores, the first that are free, or where the site says so single threads. */
static gboolean
place (Node *self, Job *job, guint n_cores)
{
  guint n = 0;

  for (guint cpu = 0; cpu < SIMULATED_CPUS && n < n_cores; cpu++)
    {
      gboolean is_free = self->books.owners[cpu] == NULL;

      if (!self->by_thread || is_small (self, cpu))
        is_free = is_free && cpu < N_CORES;
      if (!is_free)
        continue;

      if (n++ == 0)
        job->first_cpu = cpu;
      job->run.now.cpus |= G_GUINT64_CONSTANT (1) << cpu;
      if (!self->by_thread && !is_small (self, cpu))
        job->run.now.cpus |= G_GUINT64_CONSTANT (1) << (cpu + N_CORES);
    }

  return n == n_cores;
}

static void
start_job (Node *self, double age)
{
  static const guint sizes[] = { 1, 1, 2, 2, 4, 4, 6, 8, 8, 12, 16, 24 };
  GRand *rand = self->books.rand;
  g_autofree Job *job = g_new0 (Job, 1);
  double seconds = 60 * 20 * exp (0.8 * normal (rand));

  if (!place (self, job, sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))]))
    return;

  choose_kind (self, job);
  choose_habits (self, job);
  simulated_books_choose_counts (&self->books, &job->run, pow (job->intensity, 1.5),
                                 0.6);
  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    if ((job->run.now.cpus >> cpu & 1) != 0)
      job->run.now.memory_bytes +=
        uniform (rand, 0.5, 3.0) * 1e9 *
        (job->run.now.kind == SIMULATED_MEMORY_BOUND ? 1.5 : 1);
  simulated_books_start (&self->books, &g_steal_pointer (&job)->run, age,
                         CLAMP (seconds, 60, 5400));
}

static void
drift (Node *self, Job *job)
{
  GRand *rand = self->books.rand;
  double change = STEP / 120;

  job->intensity_drift +=
    -change * job->intensity_drift + 0.04 * sqrt (2 * change) * normal (rand);
  job->traffic_drift +=
    -change * job->traffic_drift + 0.12 * sqrt (2 * change) * normal (rand);
  if (isfinite (job->phase_seconds) && chance (rand, STEP / job->phase_seconds))
    job->in_phase = !job->in_phase;
}

/* A job begins with one thread that reads its input. */
static gboolean
may_run (Node *self, const Job *job, guint cpu)
{
  double age = self->books.time - job->run.started;

  if (age < 10 && cpu != job->first_cpu)
    return FALSE;
  if (cpu >= N_CORES &&
      (is_small (self, cpu) || (!self->by_thread && job->threads_per_core == 1)))
    return FALSE;

  return !(fmod (age, job->pause_every) > job->pause_every - job->pause_seconds);
}

static void
run_threads (Node *self, Job *job)
{
  double leave = STEP / job->burst;

  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    if (self->books.owners[cpu] == job)
      {
        if (chance (self->books.rand, leave))
          job->running[cpu] = chance (self->books.rand, job->duty);
        if (!may_run (self, job, cpu))
          job->running[cpu] = FALSE;
        else if (leave >= 1 || job->duty > 0.99)
          job->running[cpu] = TRUE;
      }
}

static gboolean
job_runs (Node *self, guint cpu)
{
  const Job *job = self->books.owners[cpu];

  return job != NULL && job->running[cpu];
}

/* Daemons run here and there, and once a minute some more do. */
static void
run_system (Node *self)
{
  if (chance (self->books.rand, STEP / 60))
    self->system_until = self->books.time + 2;

  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    {
      double likely =
        self->books.time < self->system_until && cpu % 16 == 5 ? 0.7 : 0.003;

      self->system_runs[cpu] = !job_runs (self, cpu) &&
                               chance (self->books.rand, likely) &&
                               (cpu < N_CORES || !is_small (self, cpu));
    }
}

static double
get_turbo (double active_cores)
{
  return active_cores <= 2    ? 3.7
         : active_cores <= 4  ? 3.5
         : active_cores <= 8  ? 3.4
         : active_cores <= 12 ? 3.1
                              : 2.8;
}

static double
get_voltage (double ghz)
{
  return MAX (0.72, 0.62 + 0.38 * pow (ghz / VOLTAGE_GHZ, 1.6));
}

static gboolean
is_busy (Node *self, guint cpu)
{
  return self->system_runs[cpu] || job_runs (self, cpu);
}

static gboolean
is_core_active (Node *self, guint core)
{
  return is_busy (self, core) || is_busy (self, core + N_CORES);
}

/* What one of a job's threads wants of memory, in GB/s. */
static double
get_traffic (const Job *job, double ghz, gboolean shares_core)
{
  double traffic = job->traffic * exp (job->traffic_drift) *
                   (job->in_phase ? job->phase_traffic : 1) * (shares_core ? 0.65 : 1);

  return traffic *
         (1 - job->frequency_bound + job->frequency_bound * ghz / VOLTAGE_GHZ);
}

static gboolean
shares_core (Node *self, guint cpu)
{
  return is_busy (self, (cpu + N_CORES) % SIMULATED_CPUS);
}

static double
get_cpu_traffic (Node *self, const Job *job, guint cpu)
{
  double ghz = self->sockets[simulation_get_socket (cpu)].ghz;

  return get_traffic (job, ghz, shares_core (self, cpu)) *
         (is_small (self, cpu) ? self->small_pace : 1);
}

static void
set_clocks (Node *self)
{
  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    {
      Socket *socket = &self->sockets[s];

      socket->active_cores = 0;
      for (guint core = 0; core < SIMULATED_CORES; core++)
        socket->active_cores += is_core_active (self, s * SIMULATED_CORES + core);
      socket->ghz = MIN (get_turbo (socket->active_cores), self->cap_ghz);
      socket->traffic = 0;
    }
}

static void
saturate_memory (Node *self)
{
  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    {
      const Job *job = self->books.owners[cpu];
      guint s = simulation_get_socket (cpu);

      if (job == NULL || !job->running[cpu])
        continue;

      double traffic = get_cpu_traffic (self, job, cpu);
      self->sockets[s].traffic += traffic * (1 - job->remote);
      self->sockets[1 - s].traffic += traffic * job->remote;
    }

  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    {
      Socket *socket = &self->sockets[s];

      socket->scale = MIN (1, PEAK_TRAFFIC / MAX (socket->traffic, 1));
      socket->traffic *= socket->scale;
    }
}

/* Waiting for memory that others keep busy takes less than working. */
static double
get_intensity (Node *self, guint cpu)
{
  const Job *job = self->books.owners[cpu];

  if (self->system_runs[cpu])
    return 0.7;

  return job->intensity * exp (job->intensity_drift) *
         (job->in_phase ? job->phase_intensity : 1) *
         (0.6 + 0.4 * self->sockets[simulation_get_socket (cpu)].scale);
}

static double
get_smt_yield (Node *self, guint cpu)
{
  const Job *job = self->books.owners[cpu];

  return self->system_runs[cpu] ? 0.2 : job->smt_yield;
}

static double
get_core_watts (Node *self, guint cpu, double *share)
{
  guint sibling = (cpu + N_CORES) % SIMULATED_CPUS;
  const Socket *socket = &self->sockets[simulation_get_socket (cpu)];
  double voltage = get_voltage (socket->ghz);
  double intensity = get_intensity (self, cpu);
  double whole = intensity;

  if (is_busy (self, sibling))
    {
      double other = get_intensity (self, sibling);
      double yield = (get_smt_yield (self, cpu) + get_smt_yield (self, sibling)) / 2;

      whole = (intensity + other) * (1 + yield) / 2;
      *share = intensity / (intensity + other);
    }
  else
    *share = 1;

  return (CORE_WATTS * whole * socket->ghz / VOLTAGE_GHZ * voltage * voltage +
          CORE_LEAK_WATTS * voltage * voltage *
            (1 + LEAK_PER_KELVIN * socket->temperature)) *
           (is_small (self, cpu) ? self->small_watts : 1) +
         self->wake_watts / MAX (socket->active_cores, 1);
}

static void
spend_on_memory (Node *self, Job *job, guint s, double traffic)
{
  Socket *socket = &self->sockets[s];
  double bytes = traffic * socket->scale * STEP;
  double wake =
    DRAM_WAKE_WATTS * (1 - exp (-socket->traffic / 8)) / MAX (socket->traffic, 1e-6);
  double dram = bytes * (DRAM_TRAFFIC_WATTS * job->read_mix + wake);

  simulated_books_count_bytes (&self->books, &job->run,
                               bytes * 1e9 /
                                 (job->in_phase ? job->run.phase_hiding : 1));
  job->run.now.true_dram[s] += dram;
  job->run.now.true_package[s] += bytes * MESH_WATTS;
  socket->dram += dram;
  socket->package += bytes * MESH_WATTS;
}

/* Instructions for each cycle go with what a core takes, more or less; a thread that
 * has a busy sibling, or waits for memory, has fewer. */
static double
get_pace (Node *self, const Job *job, guint cpu)
{
  double scale = self->sockets[simulation_get_socket (cpu)].scale;

  return exp (job->intensity_drift) * (job->in_phase ? job->phase_intensity : 1) *
         (shares_core (self, cpu) ? 0.62 : 1) *
         (is_small (self, cpu) ? self->small_pace : 1) * (0.3 + 0.7 * scale);
}

static void
spend_on_cpu (Node *self, guint cpu)
{
  guint s = simulation_get_socket (cpu);
  double share;
  double joules = get_core_watts (self, cpu, &share) * share * STEP;
  Job *job = self->books.owners[cpu];

  self->sockets[s].package += joules;
  self->books.busy[cpu] += STEP;
  if (self->system_runs[cpu])
    {
      simulated_books_count_system (&self->books, self->sockets[s].ghz);
      return;
    }

  double traffic = get_cpu_traffic (self, job, cpu);
  simulated_books_count (&self->books, &job->run, self->sockets[s].ghz,
                         get_pace (self, job, cpu));
  job->run.now.cpu_ns += (guint64) (STEP * 1e9);
  job->run.ran_ns[cpu] += (guint64) (STEP * 1e9);
  job->run.now.true_package[s] += joules;
  spend_on_memory (self, job, s, traffic * (1 - job->remote));
  spend_on_memory (self, job, 1 - s, traffic * job->remote);
}

static void
spend_on_idling (Node *self, guint s)
{
  Socket *socket = &self->sockets[s];
  double leak = 1 + LEAK_PER_KELVIN * socket->temperature;
  double sleeping = SIMULATED_CORES - socket->active_cores;
  double idle = (self->socket_watts + CORE_SLEEP_WATTS * sleeping) * leak * STEP;

  socket->package += idle;
  socket->dram += DRAM_WATTS * STEP;
  self->books.interval.true_idle_package[s] += idle;
  self->books.interval.true_idle_dram[s] += DRAM_WATTS * STEP;
}

static void
warm (Socket *socket, double package_before)
{
  double target;

  socket->watts = (socket->package - package_before) / STEP;
  target = KELVIN_PER_WATT * (socket->watts - MIN_SOCKET_WATTS);

  socket->temperature += (target - socket->temperature) * STEP / THERMAL_SECONDS;
}

static void
spend (Node *self)
{
  double before[SIMULATED_SOCKETS];

  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    {
      before[s] = self->sockets[s].package;
      spend_on_idling (self, s);
    }
  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    if (is_busy (self, cpu))
      spend_on_cpu (self, cpu);
  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    warm (&self->sockets[s], before[s]);
}

/* A site that saves power sets another limit now and then. */
static void
cap_frequency (Node *self)
{
  static const double caps[] = { 2.1, 2.4, 2.8, 3.2, 10 };

  if (self->books.time < self->next_cap)
    return;

  self->cap_ghz = caps[g_rand_int_range (self->books.rand, 0, G_N_ELEMENTS (caps))];
  self->next_cap = self->books.time + exponential (self->books.rand, 900);
}

static void
step (Node *self)
{
  simulated_books_end_jobs (&self->books);
  if (self->books.time >= self->books.next_arrival)
    {
      start_job (self, 0);
      simulated_books_await_job (&self->books);
    }
  cap_frequency (self);

  for (guint i = 0; i < self->books.jobs->len; i++)
    {
      drift (self, g_ptr_array_index (self->books.jobs, i));
      run_threads (self, g_ptr_array_index (self->books.jobs, i));
    }
  run_system (self);
  set_clocks (self);
  saturate_memory (self);
  spend (self);
  simulated_books_pass_step (&self->books);
}

/* Energy and frequency are read a millisecond or so from where the interval ends. */
static void
tell_machine (Node *self)
{
  SimulatedInterval *now = &self->books.interval;

  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    {
      now->frequencies[cpu] = self->sockets[simulation_get_socket (cpu)].ghz /
                              SIMULATED_NOMINAL_GHZ *
                              (1 + 0.01 * normal (self->books.rand));
    }

  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    {
      const Socket *socket = &self->sockets[s];

      simulated_books_tell_energy (&self->books, s, socket->package, socket->dram,
                                   socket->watts);
    }
}

/* A node as its sampler finds it: empty or in full swing, often or seldom used. */
static gpointer
make_node (guint32 seed, guint n_small)
{
  Node *self = g_new0 (Node, 1);

  simulated_books_init (&self->books, seed);
  self->n_small = n_small;
  if (n_small > 0)
    {
      self->small_watts = uniform (self->books.rand, 0.2, 0.45);
      self->small_pace = uniform (self->books.rand, 0.45, 0.65);
    }
  self->socket_watts = uniform (self->books.rand, MIN_SOCKET_WATTS, MAX_SOCKET_WATTS);
  self->wake_watts = uniform (self->books.rand, MIN_WAKE_WATTS, MAX_WAKE_WATTS);
  self->by_thread = chance (self->books.rand, 0.25);
  self->books.mean_gap = uniform (self->books.rand, 120, 600);
  self->cap_ghz = 10;
  self->next_cap =
    chance (self->books.rand, 0.5) ? exponential (self->books.rand, 900) : INFINITY;

  if (chance (self->books.rand, 0.5))
    for (guint i = 0; i < 8; i++)
      start_job (self, 3600);
  simulated_books_await_job (&self->books);

  return self;
}

static gpointer
node_new (guint32 seed)
{
  return make_node (seed, 0);
}

static gpointer
unlike_new (guint32 seed)
{
  return make_node (seed, N_SMALL);
}

static void
node_free (gpointer data)
{
  Node *self = data;

  simulated_books_clear (&self->books);
  g_free (self);
}

static const SimulatedInterval *
node_next (gpointer data)
{
  Node *self = data;
  guint n_steps = simulated_books_begin (&self->books);

  for (guint i = 0; i < n_steps; i++)
    step (self);
  tell_machine (self);

  return simulated_books_finish (&self->books);
}

const Simulation simulated_node = {
  .name = "first node",
  .make = node_new,
  .free = node_free,
  .next = node_next,
};

const Simulation simulated_unlike = {
  .name = "node with unlike cores",
  .n_small = N_SMALL,
  .make = unlike_new,
  .free = node_free,
  .next = node_next,
};
