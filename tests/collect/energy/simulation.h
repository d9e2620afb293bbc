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

/* One job in one interval: what a node tells of it, and what it really took. */
typedef struct
{
  guint64 id;
  SimulatedKind kind;
  guint64 cpus;       /* a bit for each */
  gboolean was_there; /* before the node was looked at */
  double seconds;
  guint64 cpu_ns;
  double memory_bytes;
  double traffic_bytes[SIMULATED_SOCKETS];
  guint64 placed_ns[SIMULATED_CPUS]; /* since it began: where its threads were seen */

  double true_package[SIMULATED_SOCKETS]; /* joules, without idle power */
  double true_dram[SIMULATED_SOCKETS];
} SimulatedJob;

/* One interval: what a node tells, and what is true. */
typedef struct
{
  double seconds;
  guint64 busy_ns[SIMULATED_CPUS];
  double frequencies[SIMULATED_CPUS];      /* to the nominal one, as of its end */
  double mean_frequencies[SIMULATED_CPUS]; /* as counters of cycles would have it */
  guint64 package_uj[SIMULATED_SOCKETS];
  guint64 dram_uj[SIMULATED_SOCKETS];
  GArray *jobs; /* of SimulatedJob */

  double true_idle_package[SIMULATED_SOCKETS];
  double true_idle_dram[SIMULATED_SOCKETS];
} SimulatedInterval;

/* A kind of node. */
typedef struct
{
  const char *name;
  gpointer (*make) (guint32 seed);
  void (*free) (gpointer self);
  /* Runs one interval of some five seconds, which is there until the next. */
  const SimulatedInterval *(*next) (gpointer self);
} Simulation;

extern const Simulation simulated_node;   /* simulate-node.c */
extern const Simulation simulated_server; /* simulate-server.c */

/* For those who make one up. */
guint simulation_get_core (guint cpu);
guint simulation_get_socket (guint cpu);
void simulation_get_seats (JmCpuSeat seats[SIMULATED_CPUS]);

double uniform (GRand *rand, double from, double to);
double normal (GRand *rand);
double exponential (GRand *rand, double mean);
gboolean chance (GRand *rand, double probability);

/* What a counter that was told before has counted since. */
guint64 tell (guint64 *told, guint64 now);
/* Joules as a counter of such units has them, in microjoules. */
guint64 quantise (double joules, double unit);

void simulated_job_begin (SimulatedJob *self);
/* A thread ran for so long on @cpu; it is seen there, but for some that have moved. */
void simulated_job_see (SimulatedJob *self, GRand *rand, guint cpu, guint64 ns);
