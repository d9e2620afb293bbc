/* jm-topology-private.h: cores and sockets of the CPUs that are online
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmCpuSeat:
 * @cpu: number of the CPU
 * @package: its processor package, @die: the die in it, @core: the core on that
 * @capacity: what it computes at most in a second, of what the strongest CPU does; 1
 *   where all are alike, and where that is not known
 *
 * Where a CPU is, and of what kind. A core's number is its own within a die, a die's
 * within a package.
 */
typedef struct
{
  guint cpu;
  guint64 package;
  guint64 die;
  guint64 core;
  double capacity;
} JmCpuSeat;

/**
 * JmTopology:
 * @seats: (element-type JmCpuSeat): where each CPU is, by number; empty where unknown
 * @n_cores: physical cores, 0 where unknown
 * @n_sockets: processor packages, 0 where unknown
 *
 * Of what the CPUs that are online are parts.
 */
typedef struct
{
  GArray *seats;
  guint n_cores;
  guint n_sockets;
} JmTopology;

gboolean jm_topology_read (JmTopology *self,
                           JmHost *host,
                           const char *online,
                           gsize length,
                           GError **error);

/* The same for the CPUs that are online now. */
gboolean jm_topology_read_online (JmTopology *self, JmHost *host, GError **error);

void jm_topology_clear (JmTopology *self);

gboolean jm_cpu_seat_read (JmCpuSeat *self, JmHost *host, guint cpu, GError **error);

G_END_DECLS
