/* jm-topology.c: cores and sockets of the CPUs that are online
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-topology-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"

#define CPU_ONLINE "/sys/devices/system/cpu/online"
#define LIST_SIZE 4096

/* The smaller cores of x86 processors that have two or three kinds. */
static const char *const small_cores[] = { "/sys/devices/cpu_atom/cpus",
                                           "/sys/devices/cpu_lowpower/cpus" };
/* The kernel has no figure for them; what they do differs by the program. */
#define SMALL_CAPACITY 0.5

typedef enum
{
  NUMBER_READ,
  NUMBER_UNKNOWN,
  NUMBER_FAILED,
} Number;

/* Some firmwares do not say, and the kernel then writes -1. */
static Number
read_number (JmHost *host, guint cpu, const char *name, guint64 *value, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *path =
    g_strdup_printf ("/sys/devices/system/cpu/cpu%u/%s", cpu, name);
  g_autofree char *real = NULL;
  char text[64];
  gssize n = jm_host_read (host, path, text, sizeof text, &local_error);

  if (g_error_matches (local_error, JM_ERROR, JM_ERROR_ABSENT) ||
      (n >= 0 && g_str_equal (text, "-1\n")))
    return NUMBER_UNKNOWN;
  if (n < 0)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NUMBER_FAILED;
    }
  if (jm_parse_uint64 (text, (gsize) n, value))
    return NUMBER_READ;

  real = jm_host_resolve (host, path);
  jm_path_error_set_malformed (error, real, "not a number", text, (gsize) n);
  return NUMBER_FAILED;
}

/* Kernels before 5.1 know no dies; a package is then one. */
static Number
read_die (JmHost *host, guint cpu, JmCpuSeat *seat, GError **error)
{
  Number number =
    read_number (host, cpu, "topology/physical_package_id", &seat->package, error);

  if (number == NUMBER_READ &&
      read_number (host, cpu, "topology/die_id", &seat->die, error) == NUMBER_FAILED)
    number = NUMBER_FAILED;

  return number;
}

static Number
read_seat (JmHost *host, guint cpu, JmCpuSeat *seat, GError **error)
{
  Number number;

  *seat = (JmCpuSeat){ .cpu = cpu, .capacity = 1 };
  number = read_die (host, cpu, seat, error);

  return number == NUMBER_READ
           ? read_number (host, cpu, "topology/core_id", &seat->core, error)
           : number;
}

static Number
read_seats (JmHost *host,
            const char *online,
            gsize length,
            GArray *seats,
            GError **error)
{
  const char *cursor = online;
  guint first, last;

  while (jm_parse_next_cpu_range (&cursor, online + length, &first, &last))
    for (guint cpu = first; cpu <= last; cpu++)
      {
        JmCpuSeat seat;
        Number number = read_seat (host, cpu, &seat, error);

        if (number != NUMBER_READ)
          return number;
        g_array_append_val (seats, seat);
      }

  return NUMBER_READ;
}

/* --- kinds of cores --- */

/* As arm64 and RISC-V have it; all are 1 where one is not known. */
static void
read_capacities (JmHost *host, GArray *seats)
{
  g_autofree guint64 *capacities = g_new0 (guint64, seats->len);
  guint64 most = 1;

  for (guint i = 0; i < seats->len; i++)
    {
      guint cpu = g_array_index (seats, JmCpuSeat, i).cpu;

      if (read_number (host, cpu, "cpu_capacity", &capacities[i], NULL) !=
            NUMBER_READ ||
          capacities[i] == 0)
        return;
      most = MAX (most, capacities[i]);
    }

  for (guint i = 0; i < seats->len; i++)
    g_array_index (seats, JmCpuSeat, i).capacity =
      (double) capacities[i] / (double) most;
}

static void
set_capacity (GArray *seats, guint first, guint last, double capacity)
{
  for (guint i = 0; i < seats->len; i++)
    {
      JmCpuSeat *seat = &g_array_index (seats, JmCpuSeat, i);

      if (seat->cpu >= first && seat->cpu <= last)
        seat->capacity = capacity;
    }
}

static void
read_small_cores (JmHost *host, const char *path, GArray *seats)
{
  char text[LIST_SIZE];
  gssize length = jm_host_read (host, path, text, sizeof text, NULL);
  const char *cursor = text;
  guint first, last;

  if (length <= 0)
    return;
  while (jm_parse_next_cpu_range (&cursor, text + length, &first, &last))
    set_capacity (seats, first, last, SMALL_CAPACITY);
}

/* What cannot be read leaves all alike. */
static void
read_kinds (JmHost *host, GArray *seats)
{
  read_capacities (host, seats);
  for (guint i = 0; i < G_N_ELEMENTS (small_cores); i++)
    read_small_cores (host, small_cores[i], seats);
}

/* --- counting --- */

static int
compare (guint64 a, guint64 b)
{
  return (a > b) - (a < b);
}

static int
compare_seats (gconstpointer a, gconstpointer b)
{
  const JmCpuSeat *one = a;
  const JmCpuSeat *other = b;
  int order = compare (one->package, other->package);

  if (order == 0)
    order = compare (one->die, other->die);

  return order != 0 ? order : compare (one->core, other->core);
}

static void
count_seats (JmTopology *self)
{
  g_autoptr (GArray) seats = g_array_copy (self->seats);

  g_array_sort (seats, compare_seats);
  for (guint i = 0; i < seats->len; i++)
    {
      const JmCpuSeat *seat = &g_array_index (seats, JmCpuSeat, i);

      if (i == 0 || compare_seats (seat, seat - 1) != 0)
        self->n_cores++;
      if (i == 0 || seat->package != seat[-1].package)
        self->n_sockets++;
    }
}

/**
 * jm_topology_read: (skip)
 * @self: a topology, overwritten in any case
 * @host: the host
 * @online: the list of CPUs
 * @length: of @online
 * @error: return location for an error
 *
 * Reads where each CPU is
 * (https://docs.kernel.org/admin-guide/cputopology.html), and of what kind: by
 * `cpu_capacity` (arm64, RISC-V), or by the lists of Intel's smaller cores. Where the
 * seat of one of them is not known, that of none is.
 *
 * Returns: whether nothing was in the way
 */
gboolean
jm_topology_read (JmTopology *self,
                  JmHost *host,
                  const char *online,
                  gsize length,
                  GError **error)
{
  Number number;

  jm_topology_clear (self);
  self->seats = g_array_new (FALSE, FALSE, sizeof (JmCpuSeat));
  number = read_seats (host, online, length, self->seats, error);
  if (number == NUMBER_READ)
    {
      count_seats (self);
      read_kinds (host, self->seats);
    }
  else
    g_array_set_size (self->seats, 0);

  return number != NUMBER_FAILED;
}

gboolean
jm_topology_read_online (JmTopology *self, JmHost *host, GError **error)
{
  char text[LIST_SIZE];
  gssize length = jm_host_read (host, CPU_ONLINE, text, sizeof text, error);

  if (length >= 0)
    return jm_topology_read (self, host, text, (gsize) length, error);

  jm_topology_clear (self);

  return FALSE;
}

void
jm_topology_clear (JmTopology *self)
{
  g_clear_pointer (&self->seats, g_array_unref);
  *self = (JmTopology){ 0 };
}

/* On which package and die a CPU is; its core is not asked for. */
gboolean
jm_cpu_seat_read (JmCpuSeat *self, JmHost *host, guint cpu, GError **error)
{
  Number number;

  *self = (JmCpuSeat){ .cpu = cpu };
  number = read_die (host, cpu, self, error);
  if (number == NUMBER_UNKNOWN)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no package is known of CPU %u",
                 cpu);

  return number == NUMBER_READ;
}
