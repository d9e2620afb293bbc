/* simulate-server.c: another node of which it is known whose each joule is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The truth of this one has another form than that of simulate-node.c, and than the
 * model's: nothing in it is linear in CPU time, and it was written without regard to
 * what is easy to calculate. Two sockets of 16 cores, as there, but
 *
 * - a package that has no work falls into deeper and deeper sleep (C-states of the
 *   package), and takes a third of what it takes awake: R. Schöne et al., "Energy
 *   Efficiency Features of the Intel Skylake-SP Processor" (2019), section V;
 * - each core has a clock of its own, by what runs on it (section IV there): code with
 *   wide vectors runs slower ("AVX licences", three of them) and takes more;
 * - the uncore has a clock as well, that follows the traffic to memory, so that who
 *   moves bytes raises the power of the whole package, in steps;
 * - a package that would take more than its limit has all its cores slow down;
 * - ranks of a job have more or less to do; those that are done poll: they keep a CPU
 *   busy and take half as much;
 * - memory sleeps with the package, wakes by ranks of DIMMs, and a byte takes up to
 *   twice as much where accesses are at random;
 * - jobs differ by orders of magnitude in how long they take: a third are over within a
 *   minute; those that ran before the node was looked at count as any other.
 *
 * A third form of truth is that of a node of chiplets: eight cores have one clock, that
 * of the slowest of them; a large part that joins them takes half of the power whatever
 * runs, and never sleeps; and each job is as it began, so that nothing about it varies
 * but what the others leave it: AMD, "Software Optimization Guide for the AMD Zen4
 * Microarchitecture" (2023), and R. Schöne et al., "Energy Efficiency Aspects of the
 * AMD Zen 2 Architecture" (2021), have the parts.
 *
 * Figures that no source gives are made up; none was chosen by what the attribution
 * makes of them.
 *
 * Who takes what: a core's power is its threads', by the instructions that each
 * retires; what a package and its memory take more when they are awake than in their
 * deepest sleep is that of the cores that keep them awake, each alike; the uncore's
 * clock is raised by traffic, and paid for by it; so is what memory moves; the rest is
 * idle: what they would have taken had nobody used them.
 */

#include "simulation.h"

#include <math.h>

#define N_CORES (SIMULATED_SOCKETS * SIMULATED_CORES)

/* Watts of a package: asleep, awake with the slowest uncore, and its limit. */
#define DEEP_WATTS 14.0
#define AWAKE_WATTS 38.0
#define FALL_ASLEEP_SECONDS 0.1
#define LIMIT_WATTS 165.0

/* The same of a package of chiplets, and how many cores have one clock. */
#define CHIPLETS_DEEP_WATTS 62.0
#define CHIPLETS_AWAKE_WATTS 74.0
#define CHIPLETS_LIMIT_WATTS 215.0
#define CHIPLET_CORES 8

#define UNCORE_WATTS 11.0 /* more, from the slowest clock to the fastest */
#define UNCORE_PER_GB 0.05
#define UNCORE_STEPS 6

#define DIMM_SLEEP_WATTS 4.0 /* of all on a socket */
#define DIMM_IDLE_WATTS 7.5
#define DIMM_AWAKE_WATTS 6.0 /* more, once all ranks of DIMMs are awake */
#define JOULES_PER_GB 0.11
#define PEAK_TRAFFIC 95.0

typedef struct
{
  SimulatedRun run;
  guint n_ranks;
  double watts;   /* of a core that it keeps busy alone, at 2.6 GHz */
  guint licence;  /* 0 to 2 */
  double traffic; /* GB/s of a rank that works, at the full clock */
  double random;  /* 0 to 1: what of its accesses */
  double stall;   /* 0 to 1: what of its time it waits for memory */
  double period;  /* seconds from one exchange of its ranks to the next; 0: none */
  double imbalance;
  gboolean blocks; /* ranks that are done sleep, and do not poll */
  double io_every, io_seconds;
  double work[SIMULATED_CPUS]; /* of each of its ranks: part of a period */
  double wander;               /* logarithm of its power */
  double poll_pace;            /* instructions for each cycle, of those when it works */
} Job;

typedef enum
{
  THREAD_NONE,
  THREAD_WORKS,
  THREAD_POLLS,
} Thread;

typedef struct
{
  double awake_seconds; /* since something ran last: less and less awake */
  double uncore;        /* 0 to 1 */
  double throttle;      /* what of the clocks is left under the limit */
  double traffic, scale;
  double package, dram;
  double watts;
} Socket;

typedef struct
{
  SimulatedBooks books; /* of Jobs */
  gboolean is_shared;   /* whether jobs are put wherever there is room, core by core */
  gboolean is_constant; /* whether jobs never vary */
  guint n_clocked;      /* cores that have one clock */
  double deep_watts, awake_watts, limit_watts;
  Thread threads[SIMULATED_CPUS];
  gboolean system_runs[SIMULATED_CPUS];
  double ghz[N_CORES];
  Socket sockets[SIMULATED_SOCKETS];
} Server;

/* --- jobs --- */

/* Watts and traffic are spread as programs' are, by factors; memory-bound ones wait. */
static void
choose_program (Server *self, Job *job)
{
  GRand *rand = self->books.rand;
  double dice = g_rand_double (rand);

  job->licence = dice < 0.55 ? 0 : dice < 0.8 ? 1 : 2;
  job->watts = 3.4 * exp (0.28 * normal (rand)) * (1 + 0.2 * job->licence);
  job->traffic = 0.6 * exp (1.5 * normal (rand));
  job->traffic = MIN (job->traffic, 12);
  job->stall = job->traffic / (job->traffic + 3);
  job->random = chance (rand, 0.3) ? uniform (rand, 0.4, 1) : uniform (rand, 0, 0.2);
  job->run.now.kind = job->traffic < 0.4   ? SIMULATED_COMPUTE_BOUND
                      : job->traffic < 2.0 ? SIMULATED_MIXED
                                           : SIMULATED_MEMORY_BOUND;
}

static void
choose_ranks (Server *self, Job *job)
{
  GRand *rand = self->books.rand;

  job->period = chance (rand, 0.6) ? exp (uniform (rand, log (0.5), log (30))) : 0;
  job->imbalance = chance (rand, 0.5) ? uniform (rand, 0.1, 0.7) : 0.05;
  job->blocks = chance (rand, 0.3);
  job->io_every = chance (rand, 0.25) ? uniform (rand, 15, 300) : INFINITY;
  job->io_seconds = uniform (rand, 1, 12);
  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    job->work[cpu] = 1 - uniform (rand, 0, job->imbalance);
  if (self->is_constant)
    {
      job->period = 0;
      job->io_every = INFINITY;
    }
}

/* Wide vectors do more with each instruction; what is read at random is not fetched in
 * advance. Ranks that poll run through their loop fast, or pause in it. */
static void
choose_counts (Server *self, Job *job)
{
  double vigour = pow (job->watts / 3.4, 0.7) / (1 + 0.25 * job->licence);

  simulated_books_choose_counts (&self->books, &job->run, vigour,
                                 0.6 * (1 - job->random));
  job->poll_pace = uniform (self->books.counter_rand, 0.2, 2.0);
}

static gboolean
is_core_free (Server *self, guint core)
{
  return self->books.owners[core] == NULL && self->books.owners[core + N_CORES] == NULL;
}

/* Packed, or spread over what is free. */
static gboolean
place (Server *self, Job *job, guint n_cores)
{
  guint start =
    self->is_shared ? (guint) g_rand_int_range (self->books.rand, 0, N_CORES) : 0;
  guint n = 0;

  for (guint i = 0; i < N_CORES && n < n_cores; i++)
    {
      guint core = (start + i) % N_CORES;

      if (!is_core_free (self, core))
        continue;

      n++;
      job->run.now.cpus |= G_GUINT64_CONSTANT (1) << core;
      job->run.now.cpus |= G_GUINT64_CONSTANT (1) << (core + N_CORES);
    }

  return n == n_cores;
}

static double
choose_seconds (Server *self)
{
  if (chance (self->books.rand, 0.35))
    return uniform (self->books.rand, 8, 60);

  return CLAMP (600 * exp (1.1 * normal (self->books.rand)), 60, 7200);
}

static void
start_job (Server *self, double age)
{
  static const guint sizes[] = { 1, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 32 };
  g_autofree Job *job = g_new0 (Job, 1);

  job->n_ranks = sizes[g_rand_int_range (self->books.rand, 0, G_N_ELEMENTS (sizes))];
  if (!place (self, job, job->n_ranks))
    return;

  choose_program (self, job);
  choose_ranks (self, job);
  choose_counts (self, job);
  simulated_books_start (&self->books, &g_steal_pointer (&job)->run, age,
                         choose_seconds (self));
}

/* What a rank does at this moment: its part of the period, then it waits for others. */
static Thread
find_thread (Server *self, const Job *job, guint cpu)
{
  double age = self->books.time - job->run.started;

  if (cpu >= N_CORES) /* ranks have a core each; its other thread is free */
    return THREAD_NONE;
  if (fmod (age, job->io_every) > job->io_every - job->io_seconds)
    return THREAD_NONE;
  if (job->period > 0 && fmod (age, job->period) / job->period > job->work[cpu])
    return job->blocks ? THREAD_NONE : THREAD_POLLS;

  return THREAD_WORKS;
}

static void
run (Server *self)
{
  for (guint i = 0; i < self->books.jobs->len && !self->is_constant; i++)
    {
      Job *job = g_ptr_array_index (self->books.jobs, i);

      job->wander +=
        -job->wander * STEP / 90 + 0.03 * sqrt (STEP / 45) * normal (self->books.rand);
    }

  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    {
      const Job *job = self->books.owners[cpu];

      self->threads[cpu] = job != NULL ? find_thread (self, job, cpu) : THREAD_NONE;
      self->system_runs[cpu] =
        self->threads[cpu] == THREAD_NONE && chance (self->books.rand, 0.002);
    }
}

static gboolean
is_busy (Server *self, guint cpu)
{
  return self->threads[cpu] != THREAD_NONE || self->system_runs[cpu];
}

/* --- clocks --- */

static double
get_wanted_ghz (Server *self, guint core, guint n_active)
{
  static const double licences[] = { 3.5, 3.0, 2.5 };
  const Job *job = self->books.owners[core];
  double ghz =
    job != NULL && self->threads[core] == THREAD_WORKS ? licences[job->licence] : 3.5;

  return ghz - 0.035 * n_active;
}

/* Of the cores that have the clock of this one. */
static double
find_slowest_ghz (Server *self, guint core, guint n_active)
{
  const guint first = core - core % self->n_clocked;
  double slowest = get_wanted_ghz (self, first, n_active);

  for (guint i = 1; i < self->n_clocked; i++)
    slowest = MIN (slowest, get_wanted_ghz (self, first + i, n_active));

  return slowest;
}

static guint
count_active (Server *self, guint s)
{
  guint n = 0;

  for (guint core = s * SIMULATED_CORES; core < (s + 1) * SIMULATED_CORES; core++)
    n += is_busy (self, core) || is_busy (self, core + N_CORES) ? 1 : 0;

  return n;
}

static void
set_clocks (Server *self)
{
  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    {
      Socket *socket = &self->sockets[s];
      guint n_active = count_active (self, s);

      socket->awake_seconds = n_active > 0 ? 0 : socket->awake_seconds + STEP;
      for (guint core = s * SIMULATED_CORES; core < (s + 1) * SIMULATED_CORES; core++)
        self->ghz[core] = find_slowest_ghz (self, core, n_active) * socket->throttle;
    }
}

static double
get_traffic (Server *self, guint cpu)
{
  const Job *job = self->books.owners[cpu];
  double clock = self->ghz[simulation_get_core (cpu)] / 3.0;

  return self->threads[cpu] == THREAD_WORKS
           ? job->traffic * (job->stall + (1 - job->stall) * clock)
           : 0;
}

static void
saturate_memory (Server *self)
{
  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    {
      Socket *socket = &self->sockets[s];
      double wanted;

      socket->traffic = 0;
      for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
        if (simulation_get_socket (cpu) == s)
          socket->traffic += get_traffic (self, cpu);
      socket->scale = MIN (1, PEAK_TRAFFIC / MAX (socket->traffic, 1));
      socket->traffic *= socket->scale;

      wanted = MIN (1, socket->traffic / (0.6 * PEAK_TRAFFIC));
      socket->uncore += (ceil (wanted * UNCORE_STEPS) / UNCORE_STEPS - socket->uncore) *
                        MIN (1, STEP / 0.3);
    }
}

/* --- watts --- */

static double
get_core_watts (Server *self, guint cpu)
{
  const Job *job = self->books.owners[cpu];
  double clock = self->ghz[simulation_get_core (cpu)] / 2.6;
  double voltage = 0.7 + 0.3 * clock;
  double watts = 2.4;

  if (self->threads[cpu] == THREAD_POLLS)
    watts = 0.5 * 3.4;
  else if (job != NULL && self->threads[cpu] == THREAD_WORKS)
    watts = job->watts * exp (job->wander) *
            (1 - 0.45 * job->stall -
             0.35 * (1 - self->sockets[simulation_get_socket (cpu)].scale));

  return watts * clock * voltage * voltage + 0.4 * voltage * voltage;
}

/* How awake a socket is: 1 with work, and soon nothing without. */
static double
get_wakefulness (const Socket *socket)
{
  return exp (-socket->awake_seconds / FALL_ASLEEP_SECONDS);
}

/* What being awake takes of the package, and of memory. */
static double
get_awake_package (const Server *self, const Socket *socket)
{
  return (self->awake_watts - self->deep_watts) * get_wakefulness (socket) * STEP;
}

static double
get_awake_dram (const Socket *socket)
{
  return (DIMM_IDLE_WATTS - DIMM_SLEEP_WATTS) * get_wakefulness (socket) * STEP;
}

static void
spend_on_memory (Server *self, Job *job, guint s, double traffic)
{
  Socket *socket = &self->sockets[s];
  double gigabytes = traffic * socket->scale * STEP;
  double part = gigabytes / MAX (socket->traffic * STEP, 1e-9);
  double awake = DIMM_AWAKE_WATTS * (1 - exp (-socket->traffic / 12)) * STEP;
  double dram = gigabytes * JOULES_PER_GB * (1 + job->random) + awake * part;
  double uncore = UNCORE_WATTS * socket->uncore * socket->uncore * STEP * part +
                  UNCORE_PER_GB * gigabytes;

  simulated_books_count_bytes (&self->books, &job->run, gigabytes * 1e9);
  job->run.now.true_dram[s] += dram;
  job->run.now.true_package[s] += uncore;
  socket->dram += dram;
  socket->package += uncore;
}

static double
get_pace (Server *self, const Job *job, guint cpu)
{
  if (self->threads[cpu] == THREAD_POLLS)
    return job->poll_pace;

  return exp (job->wander) * (1 - 0.6 * job->stall) *
         (0.3 + 0.7 * self->sockets[simulation_get_socket (cpu)].scale);
}

static void
spend_on_cpu (Server *self, guint cpu, guint n_active)
{
  guint s = simulation_get_socket (cpu);
  Socket *socket = &self->sockets[s];
  double joules =
    get_core_watts (self, cpu) * STEP + get_awake_package (self, socket) / n_active;
  double dram = get_awake_dram (socket) / n_active;
  Job *job = self->books.owners[cpu];

  socket->package += joules;
  socket->dram += dram;
  self->books.busy[cpu] += STEP;
  if (self->system_runs[cpu])
    {
      simulated_books_count_system (&self->books, self->ghz[simulation_get_core (cpu)]);
      return;
    }

  simulated_books_count (&self->books, &job->run, self->ghz[simulation_get_core (cpu)],
                         get_pace (self, job, cpu));
  job->run.now.cpu_ns += (guint64) (STEP * 1e9);
  job->run.ran_ns[cpu] += (guint64) (STEP * 1e9);
  job->run.now.true_package[s] += joules;
  job->run.now.true_dram[s] += dram;
  spend_on_memory (self, job, s, get_traffic (self, cpu));
}

static void
spend_on_idling (Server *self, guint s, guint n_active)
{
  Socket *socket = &self->sockets[s];
  gboolean is_quiet = n_active == 0;
  double idle =
    self->deep_watts * STEP + (is_quiet ? get_awake_package (self, socket) : 0);
  double dimm = DIMM_SLEEP_WATTS * STEP + (is_quiet ? get_awake_dram (socket) : 0);

  socket->package += idle;
  socket->dram += dimm;
  self->books.interval.true_idle_package[s] += idle;
  self->books.interval.true_idle_dram[s] += dimm;
}

/* The limit is held on average, by slowing down and slowly trying again. */
static void
hold_limit (const Server *self, Socket *socket, double package_before)
{
  socket->watts = (socket->package - package_before) / STEP;
  if (socket->watts > self->limit_watts)
    socket->throttle = MAX (0.5, socket->throttle * 0.97);
  else
    socket->throttle = MIN (1, socket->throttle * 1.005);
}

static void
spend (Server *self)
{
  guint n_active[SIMULATED_SOCKETS];
  double before[SIMULATED_SOCKETS];

  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    {
      n_active[s] = 0;
      for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
        n_active[s] += simulation_get_socket (cpu) == s && is_busy (self, cpu) ? 1 : 0;
      before[s] = self->sockets[s].package;
      spend_on_idling (self, s, n_active[s]);
    }
  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    if (is_busy (self, cpu))
      spend_on_cpu (self, cpu, n_active[simulation_get_socket (cpu)]);
  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    hold_limit (self, &self->sockets[s], before[s]);
}

static void
step (Server *self)
{
  simulated_books_end_jobs (&self->books);
  if (self->books.time >= self->books.next_arrival)
    {
      start_job (self, 0);
      simulated_books_await_job (&self->books);
    }

  run (self);
  set_clocks (self);
  saturate_memory (self);
  spend (self);
  simulated_books_pass_step (&self->books);
}

/* --- what is reported --- */

static void
tell_machine (Server *self)
{
  SimulatedInterval *now = &self->books.interval;

  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    {
      now->frequencies[cpu] = self->ghz[simulation_get_core (cpu)] /
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

static gpointer
begin (Server *self, guint32 seed)
{
  simulated_books_init (&self->books, seed);
  self->is_shared = chance (self->books.rand, 0.5);
  self->books.mean_gap = exp (uniform (self->books.rand, log (15), log (240)));
  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    self->sockets[s].throttle = 1;

  if (chance (self->books.rand, 0.5))
    for (guint i = 0; i < 6; i++)
      start_job (self, uniform (self->books.rand, 10, 3600));
  simulated_books_await_job (&self->books);

  return self;
}

static gpointer
server_new (guint32 seed)
{
  Server *self = g_new0 (Server, 1);

  self->n_clocked = 1;
  self->deep_watts = DEEP_WATTS;
  self->awake_watts = AWAKE_WATTS;
  self->limit_watts = LIMIT_WATTS;

  return begin (self, seed);
}

static gpointer
chiplets_new (guint32 seed)
{
  Server *self = g_new0 (Server, 1);

  self->is_constant = TRUE;
  self->n_clocked = CHIPLET_CORES;
  self->deep_watts = CHIPLETS_DEEP_WATTS;
  self->awake_watts = CHIPLETS_AWAKE_WATTS;
  self->limit_watts = CHIPLETS_LIMIT_WATTS;

  return begin (self, seed);
}

static void
server_free (gpointer data)
{
  Server *self = data;

  simulated_books_clear (&self->books);
  g_free (self);
}

static const SimulatedInterval *
server_next (gpointer data)
{
  Server *self = data;
  guint n_steps = simulated_books_begin (&self->books);

  for (guint i = 0; i < n_steps; i++)
    step (self);
  tell_machine (self);

  return simulated_books_finish (&self->books);
}

const Simulation simulated_server = {
  .name = "second node",
  .make = server_new,
  .free = server_free,
  .next = server_next,
};

const Simulation simulated_chiplets = {
  .name = "node of chiplets",
  .make = chiplets_new,
  .free = server_free,
  .next = server_next,
};
