/* jm-cpu-loads.c: what the CPUs of each package did, and what that counts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-cpu-activity-private.h"

#include <math.h>

#define NS_PER_SECOND 1e9
/* CPUs; less does not show frequencies under load. */
#define LEAST_BUSY 0.2

/* Past these a frequency is a fault of its source. */
#define MIN_FREQUENCY 0.05
#define MAX_FREQUENCY 10.0

/* What a reading of frequencies counts when there is one more. */
#define TREND_MEMORY 0.92
/* How much the part of the cores that are awake must vary, squared, to show a slope. */
#define TREND_STIFFNESS 1e-3
#define LEAST_WEIGHT 0.02

/* How what a busy second counts goes with the part of the cores that are awake, from
 * what was read of late: turbo gives less to each, the more there are. Frequencies are
 * those of one moment, and the cores that were awake then are not known; so one reading
 * says little of an interval, but many do. All zero before the first. */
typedef struct
{
  double n, x, xx, y, xy; /* sums, of which the older count for less */
} Trend;

typedef struct
{
  guint package;
  guint n_cpus;
  double strength; /* what a busy second of it counts, of the strongest kind's */
  double busy;
  double asleep; /* part of the interval in which no thread was busy, likely */
} Core;

/* A package, and what nobody else needs to know of it. */
typedef struct
{
  JmPackageLoad load;
  guint n_cores;
  double awake; /* part of the cores, on average */
  Trend trend;
} Package;

struct _JmCpuLoads
{
  GArray *seats;    /* of JmCpuSeat, as they were set */
  GArray *cpus;     /* of JmCpuLoad, by number */
  GArray *cores;    /* of Core */
  GArray *packages; /* of Package */
};

static JmCpuLoad *
get_cpu (JmCpuLoads *self, guint i)
{
  return &g_array_index (self->cpus, JmCpuLoad, i);
}

static Package *
get_package (JmCpuLoads *self, guint i)
{
  return &g_array_index (self->packages, Package, i);
}

/* Their number where there is none such. */
guint
jm_cpu_loads_find_package (JmCpuLoads *self, guint64 number)
{
  guint i = 0;

  while (i < self->packages->len && get_package (self, i)->load.number != number)
    i++;

  return i;
}

static guint
find_or_add_package (JmCpuLoads *self, guint64 number)
{
  guint i = jm_cpu_loads_find_package (self, number);

  if (i == self->packages->len)
    {
      g_array_set_size (self->packages, i + 1);
      get_package (self, i)->load.number = number;
    }

  return i;
}

JmCpuLoads *
jm_cpu_loads_new (void)
{
  JmCpuLoads *self = g_new0 (JmCpuLoads, 1);

  self->seats = g_array_new (FALSE, FALSE, sizeof (JmCpuSeat));
  self->cpus = g_array_new (FALSE, TRUE, sizeof (JmCpuLoad));
  self->cores = g_array_new (FALSE, TRUE, sizeof (Core));
  self->packages = g_array_new (FALSE, TRUE, sizeof (Package));
  find_or_add_package (self, 0);

  return self;
}

void
jm_cpu_loads_free (JmCpuLoads *self)
{
  g_array_unref (self->seats);
  g_array_unref (self->cpus);
  g_array_unref (self->cores);
  g_array_unref (self->packages);
  g_free (self);
}

static gboolean
is_same_core (const JmCpuSeat *a, const JmCpuSeat *b)
{
  return a->package == b->package && a->die == b->die && a->core == b->core;
}

/* A core that computes half as much takes a quarter of the power, more or less. In the
 * kernel's device trees what a core takes for each Hz and V^2
 * (dynamic-power-coefficient) is of the largest one's 0.23 for RK3399's small ones,
 * 0.44 and 0.11 for GS101's; the squares of what they compute (capacity-dmips-mhz) are
 * 0.22, 0.37 and 0.06. */
static double
get_strength (double capacity)
{
  return capacity * capacity;
}

static guint
add_core (JmCpuLoads *self, guint package, double capacity)
{
  guint i = self->cores->len;

  g_array_set_size (self->cores, i + 1);
  g_array_index (self->cores, Core, i).package = package;
  g_array_index (self->cores, Core, i).strength = get_strength (capacity);
  get_package (self, package)->n_cores++;

  return i;
}

/* Siblings' seats are looked for among those before; this is done once in a while. */
static guint
find_or_add_core (JmCpuLoads *self, const JmCpuSeat *seats, guint i, guint package)
{
  for (guint j = 0; j < i; j++)
    if (is_same_core (&seats[i], &seats[j]))
      return get_cpu (self, seats[j].cpu)->core;

  return add_core (self, package, seats[i].capacity);
}

static void
seat_cpu (JmCpuLoads *self, guint number, guint package, guint core)
{
  JmCpuLoad *cpu;

  if (number >= self->cpus->len)
    g_array_set_size (self->cpus, number + 1);

  cpu = get_cpu (self, number);
  cpu->package = package;
  cpu->core = core;
  cpu->is_seated = TRUE;
  g_array_index (self->cores, Core, core).n_cpus++;
  get_package (self, package)->load.n_cpus++;
}

static gboolean
has_seats (JmCpuLoads *self, const JmCpuSeat *seats, guint n)
{
  if (n != self->seats->len)
    return FALSE;

  for (guint i = 0; i < n; i++)
    {
      const JmCpuSeat *known = &g_array_index (self->seats, JmCpuSeat, i);

      if (seats[i].cpu != known->cpu || seats[i].capacity != known->capacity ||
          !is_same_core (&seats[i], known))
        return FALSE;
    }

  return TRUE;
}

gboolean
jm_cpu_loads_set_seats (JmCpuLoads *self, const JmCpuSeat *seats, guint n)
{
  if (has_seats (self, seats, n))
    return FALSE;

  g_array_set_size (self->seats, 0);
  if (n > 0)
    g_array_append_vals (self->seats, seats, n);
  g_array_set_size (self->cpus, 0);
  g_array_set_size (self->cores, 0);
  g_array_set_size (self->packages, 0);

  for (guint i = 0; i < n; i++)
    {
      guint package = find_or_add_package (self, seats[i].package);

      seat_cpu (self, seats[i].cpu, package,
                find_or_add_core (self, seats, i, package));
    }
  if (n == 0)
    find_or_add_package (self, 0);

  return TRUE;
}

static void
seat_newcomers (JmCpuLoads *self, const JmCpuInterval *interval)
{
  for (guint i = 0; i < interval->n_cpus; i++)
    if (i >= self->cpus->len ||
        (!get_cpu (self, i)->is_seated && interval->busy_ns[i] > 0))
      seat_cpu (self, i, 0, add_core (self, 0, 1));
}

/* What a busy second of one of a core's threads counts, when so many are expected to be
 * busy at the same time, itself included: nothing shows when exactly each was, so they
 * are taken not to know of each other. */
static double
share_core (double n_busy)
{
  double whole = floor (n_busy);
  double fraction = n_busy - whole;
  double share = (1 + JM_SMT_YIELD * (whole - 1)) / whole;
  double next = (1 + JM_SMT_YIELD * whole) / (whole + 1);

  return share + fraction * (next - share);
}

static double
weigh_cpu (JmCpuLoads *self, const JmCpuLoad *cpu, double seconds)
{
  const Core *core = &g_array_index (self->cores, Core, cpu->core);
  double siblings;

  if (core->n_cpus < 2 || !(seconds > 0))
    return core->strength;

  siblings = (core->busy - cpu->busy) / seconds;
  return core->strength * share_core (1 + CLAMP (siblings, 0, core->n_cpus - 1));
}

static void
take_busy_times (JmCpuLoads *self, const JmCpuInterval *interval, double seconds)
{
  for (guint i = 0; i < self->cores->len; i++)
    {
      g_array_index (self->cores, Core, i).busy = 0;
      g_array_index (self->cores, Core, i).asleep = 1;
    }

  for (guint i = 0; i < self->cpus->len; i++)
    {
      JmCpuLoad *cpu = get_cpu (self, i);
      Core *core = &g_array_index (self->cores, Core, cpu->core);

      if (!cpu->is_seated)
        continue;

      cpu->busy =
        i < interval->n_cpus ? (double) interval->busy_ns[i] / NS_PER_SECOND : 0;
      core->busy += cpu->busy;
      if (seconds > 0)
        core->asleep *= CLAMP (1 - cpu->busy / seconds, 0, 1);
    }
}

static void
take_packages (JmCpuLoads *self, double seconds)
{
  for (guint i = 0; i < self->packages->len; i++)
    {
      Package *package = get_package (self, i);

      package->load.capacity = package->load.n_cpus * seconds;
      package->awake = 0;
    }

  for (guint i = 0; i < self->cores->len; i++)
    {
      const Core *core = &g_array_index (self->cores, Core, i);
      Package *package = get_package (self, core->package);

      package->awake += (1 - core->asleep) / package->n_cores;
    }
}

static void
trend_add (Trend *self, double awake, double weight)
{
  self->n = self->n * TREND_MEMORY + 1;
  self->x = self->x * TREND_MEMORY + awake;
  self->xx = self->xx * TREND_MEMORY + awake * awake;
  self->y = self->y * TREND_MEMORY + weight;
  self->xy = self->xy * TREND_MEMORY + awake * weight;
}

/* 1 where nothing was read. */
static double
trend_get (const Trend *self, double awake)
{
  double variance = self->n * self->xx - self->x * self->x;
  double slope;

  if (!(self->n > 0))
    return 1;

  slope = (self->n * self->xy - self->x * self->y) /
          (variance + self->n * self->n * TREND_STIFFNESS);
  return MAX (self->y / self->n + slope * (awake - self->x / self->n), LEAST_WEIGHT);
}

/* What a busy second of that frequency counts, to the nominal one. Its energy goes with
 * f V^2. Voltage falls with frequency, to less than half where operating points go that
 * far down; but not all of a core's power goes with its clock, and what runs at a lower
 * one may do so since it takes more: half of that is what simulated nodes were
 * estimated best with. */
static double
frequency_weigh (double frequency)
{
  double voltage = 0.75 + 0.25 * frequency;

  return frequency * voltage * voltage;
}

static gboolean
frequency_is_possible (double frequency)
{
  return frequency >= MIN_FREQUENCY && frequency <= MAX_FREQUENCY;
}

/* Updates the mean frequency of each package from the busy CPUs' present frequencies.
 */
static void
take_frequencies (JmCpuLoads *self, const JmCpuInterval *interval, double seconds)
{
  for (guint i = 0; i < self->packages->len; i++)
    {
      Package *package = get_package (self, i);
      double busy = 0;
      double weighted = 0;

      for (guint cpu = 0; cpu < interval->n_cpus; cpu++)
        if (get_cpu (self, cpu)->is_seated && get_cpu (self, cpu)->package == i &&
            frequency_is_possible (interval->frequencies[cpu]))
          {
            busy += get_cpu (self, cpu)->busy;
            weighted +=
              get_cpu (self, cpu)->busy * frequency_weigh (interval->frequencies[cpu]);
          }

      if (busy > LEAST_BUSY * seconds)
        trend_add (&package->trend, package->awake, weighted / busy);
    }
}

void
jm_cpu_loads_take (JmCpuLoads *self, const JmCpuInterval *interval)
{
  double seconds = interval->seconds > 0 ? interval->seconds : 0;

  seat_newcomers (self, interval);
  take_busy_times (self, interval, seconds);
  take_packages (self, seconds);
  if (interval->frequencies != NULL && seconds > 0)
    take_frequencies (self, interval, seconds);

  for (guint i = 0; i < self->cpus->len; i++)
    {
      JmCpuLoad *cpu = get_cpu (self, i);
      const Package *package = get_package (self, cpu->package);

      if (cpu->is_seated)
        cpu->weight =
          weigh_cpu (self, cpu, seconds) * trend_get (&package->trend, package->awake);
    }
}

guint
jm_cpu_loads_get_n_cpus (JmCpuLoads *self)
{
  return self->cpus->len;
}

const JmCpuLoad *
jm_cpu_loads_get_cpu (JmCpuLoads *self, guint i)
{
  return get_cpu (self, i);
}

guint
jm_cpu_loads_count_seated (JmCpuLoads *self)
{
  guint n = 0;

  for (guint i = 0; i < self->packages->len; i++)
    n += get_package (self, i)->load.n_cpus;

  return n;
}

guint
jm_cpu_loads_get_n_packages (JmCpuLoads *self)
{
  return self->packages->len;
}

const JmPackageLoad *
jm_cpu_loads_get_package (JmCpuLoads *self, guint i)
{
  return &get_package (self, i)->load;
}
