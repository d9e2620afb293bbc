/* simulate-node.h: a node of which it is known whose each joule is
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

typedef struct _Simulation Simulation;

Simulation *simulation_new (guint32 seed);
void simulation_free (Simulation *self);

void simulation_get_seats (JmCpuSeat seats[SIMULATED_CPUS]);
const SimulatedInterval *simulation_next (Simulation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Simulation, simulation_free)
