/* simulation.h: nodes of which it is known whose each joule is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-topology-private.h"

#define SIMULATED_SOCKETS 2
#define SIMULATED_CORES 16 /* of each socket */
#define SIMULATED_CPUS (SIMULATED_SOCKETS * SIMULATED_CORES * 2)
#define SIMULATED_NOMINAL_GHZ 2.1

typedef enum
{
  SIMULATED_COMPUTE_BOUND,
  SIMULATED_MIXED,
  SIMULATED_MEMORY_BOUND,
  N_SIMULATED_KINDS,
} SimulatedKind;

/* What the processors' counters report of an interval. */
typedef struct
{
  double cycles, instructions, cache_misses;
} SimulatedCounts;

/* One job in one interval: what a node reports of it, and what it really took. */
typedef struct
{
  guint64 id;
  SimulatedKind kind;
  guint64 cpus;       /* a bit for each */
  gboolean was_there; /* before the node was looked at */
  double seconds;
  guint64 cpu_ns;
  double memory_bytes;
  gboolean is_counted; /* else its counters could not be had */
  SimulatedCounts counts;
  guint64 placed_ns[SIMULATED_CPUS]; /* since it began: where its threads were seen */

  double true_package[SIMULATED_SOCKETS]; /* joules, without idle power */
  double true_dram[SIMULATED_SOCKETS];
} SimulatedJob;

/* One interval: what a node reports, and what is true. */
typedef struct
{
  double seconds;
  guint64 busy_ns[SIMULATED_CPUS];
  double frequencies[SIMULATED_CPUS]; /* to the nominal one, as of its end */
  guint64 package_uj[SIMULATED_SOCKETS];
  guint64 dram_uj[SIMULATED_SOCKETS];
  GArray *jobs;           /* of SimulatedJob */
  SimulatedCounts counts; /* of all that ran, jobs or not */

  double true_idle_package[SIMULATED_SOCKETS];
  double true_idle_dram[SIMULATED_SOCKETS];
} SimulatedInterval;

/* A kind of node. */
typedef struct
{
  const char *name;
  guint n_small; /* cores of each socket, the last ones, that are smaller than others */
  gpointer (*make) (guint32 seed);
  void (*free) (gpointer self);
  /* Runs one interval of some five seconds, which is there until the next. */
  const SimulatedInterval *(*next) (gpointer self);
} Simulation;

extern const Simulation simulated_node;     /* simulate-node.c */
extern const Simulation simulated_unlike;   /* ... with cores of two kinds */
extern const Simulation simulated_server;   /* simulate-server.c */
extern const Simulation simulated_chiplets; /* ... of jobs that never vary */

/* --- for those who make one up --- */

#define STEP 0.1 /* seconds */

guint simulation_get_core (guint cpu);
guint simulation_get_socket (guint cpu);
gboolean simulation_is_small (guint cpu, guint n_small);
void simulation_get_seats (const Simulation *self, JmCpuSeat seats[SIMULATED_CPUS]);

double uniform (GRand *rand, double from, double to);
double normal (GRand *rand);
double exponential (GRand *rand, double mean);
gboolean chance (GRand *rand, double probability);

/* What is kept of a job while it runs: the first of whatever a kind of node keeps. */
typedef struct
{
  SimulatedJob now; /* this interval's */
  double started, ends;
  guint64 ran_ns[SIMULATED_CPUS]; /* in this interval */

  /* how it shows on the counters */
  double ipc;            /* instructions for each cycle, as long as it is not held up */
  double coupling;       /* how far that goes with its power */
  double bytes_per_miss; /* more than a line where lines are fetched in advance, or
                            written back */
  double phase_hiding;   /* ... of another phase, of that */
  double hiding_drift;   /* ... logarithm */
} SimulatedRun;

/* The books of a node: when it is, who is there, and what was reported of it. What jobs
 * do and what that takes is each kind's own. */
typedef struct
{
  GRand *rand;
  double time;
  GPtrArray *jobs; /* of SimulatedRun */
  guint64 last_id;
  double mean_gap, next_arrival;
  gpointer owners[SIMULATED_CPUS]; /* of each the SimulatedRun, or NULL */
  double busy[SIMULATED_CPUS];     /* seconds since the beginning */
  guint64 told_ns[SIMULATED_CPUS];
  guint64 told_package[SIMULATED_SOCKETS], told_dram[SIMULATED_SOCKETS];
  SimulatedInterval interval;

  GRand *counter_rand;  /* of its own: a method without counters sees the same node */
  gboolean takes_turns; /* there are more events than counters for them */
} SimulatedBooks;

void simulated_books_init (SimulatedBooks *self, guint32 seed);
void simulated_books_clear (SimulatedBooks *self);

/* When the next job comes, from now on. */
void simulated_books_await_job (SimulatedBooks *self);
/* Takes a job that has its CPUs, is of that age, and has that many seconds left. */
void simulated_books_start (SimulatedBooks *self,
                            SimulatedRun *run,
                            double age,
                            double seconds);

/* What of a program that takes so much of a core, to an average one, and of whose lines
 * up to that part are fetched in advance, the counters see. */
void simulated_books_choose_counts (SimulatedBooks *self,
                                    SimulatedRun *run,
                                    double vigour,
                                    double most_hidden);
/* A CPU of the job ran for a step; @pace is what of its instructions for each cycle. */
void simulated_books_count (SimulatedBooks *self,
                            SimulatedRun *run,
                            double ghz,
                            double pace);
void
simulated_books_count_bytes (SimulatedBooks *self, SimulatedRun *run, double bytes);
/* A CPU of the system did. */
void simulated_books_count_system (SimulatedBooks *self, double ghz);

void simulated_books_end_jobs (SimulatedBooks *self);
void simulated_books_pass_step (SimulatedBooks *self);

/* Begins an interval, and says how many steps it has. */
guint simulated_books_begin (SimulatedBooks *self);
/* Reports what the counters of a socket show, of so many joules since the beginning. */
void simulated_books_tell_energy (SimulatedBooks *self,
                                  guint socket,
                                  double package,
                                  double dram,
                                  double watts);
const SimulatedInterval *simulated_books_finish (SimulatedBooks *self);
