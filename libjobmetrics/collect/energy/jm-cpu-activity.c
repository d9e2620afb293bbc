/* jm-cpu-activity.c: how much of each package's activity was whose
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-cpu-activity-private.h"

#include <math.h>

#include "collect/energy/jm-frequency-trend-private.h"
#include "collect/energy/jm-margins-private.h"

#define NS_PER_SECOND 1e9
#define CPUS_PER_WORD 64

/* How far to believe that who was seen on a socket was there all the time. */
#define BELIEF 0.97
/* CPUs; less does not tell of frequencies under load. */
#define LEAST_BUSY 0.2

typedef struct
{
  guint package; /* index into the packages */
  guint core;    /* index into the cores */
  gboolean is_seated;
  double busy;   /* seconds */
  double left;   /* of these, what is nobody's yet; below 0 by what ticks round off */
  double weight; /* what a second of it counts */
} Cpu;

typedef struct
{
  guint package;
  guint n_cpus;
  double busy;
  double asleep; /* part of the interval in which no thread was busy, likely */
} Core;

typedef struct
{
  guint64 number;
  double capacity; /* CPU-seconds */
  guint n_cpus;
  guint n_cores;
  double awake; /* part of the cores, on average */
  JmFrequencyTrend trend;
  /* of whom is looked at */
  double busy;
  double weighted;
  guint n_allowed;
} Package;

struct _JmCpuActivity
{
  GArray *seats;    /* of JmCpuSeat, as they were set */
  GArray *cpus;     /* of Cpu, by number */
  GArray *cores;    /* of Core */
  GArray *packages; /* of Package */
  GArray *parts;    /* of JmCpuPart: all packages of each user, then the system's */
  GArray *is_free;  /* of gboolean: each user, whether it may run anywhere */
  GArray *cells;    /* of double: of these the CPU-seconds by package, and the sums */
  guint n_users;
};

static Cpu *
get_cpu (JmCpuActivity *self, guint i)
{
  return &g_array_index (self->cpus, Cpu, i);
}

static Package *
get_package (JmCpuActivity *self, guint i)
{
  return &g_array_index (self->packages, Package, i);
}

static JmCpuPart *
get_parts (JmCpuActivity *self, guint user)
{
  return &g_array_index (self->parts, JmCpuPart, user * self->packages->len);
}

static guint
find_or_add_package (JmCpuActivity *self, guint64 number)
{
  guint i = jm_cpu_activity_find_package (self, number);

  if (i == self->packages->len)
    {
      g_array_set_size (self->packages, i + 1);
      get_package (self, i)->number = number;
    }

  return i;
}

JmCpuActivity *
jm_cpu_activity_new (void)
{
  JmCpuActivity *self = g_new0 (JmCpuActivity, 1);

  self->seats = g_array_new (FALSE, FALSE, sizeof (JmCpuSeat));
  self->cpus = g_array_new (FALSE, TRUE, sizeof (Cpu));
  self->cores = g_array_new (FALSE, TRUE, sizeof (Core));
  self->packages = g_array_new (FALSE, TRUE, sizeof (Package));
  self->parts = g_array_new (FALSE, TRUE, sizeof (JmCpuPart));
  self->is_free = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->cells = g_array_new (FALSE, TRUE, sizeof (double));
  find_or_add_package (self, 0);

  return self;
}

void
jm_cpu_activity_free (JmCpuActivity *self)
{
  g_array_unref (self->seats);
  g_array_unref (self->cpus);
  g_array_unref (self->cores);
  g_array_unref (self->packages);
  g_array_unref (self->parts);
  g_array_unref (self->is_free);
  g_array_unref (self->cells);
  g_free (self);
}

static gboolean
is_same_core (const JmCpuSeat *a, const JmCpuSeat *b)
{
  return a->package == b->package && a->die == b->die && a->core == b->core;
}

static guint
add_core (JmCpuActivity *self, guint package)
{
  guint i = self->cores->len;

  g_array_set_size (self->cores, i + 1);
  g_array_index (self->cores, Core, i).package = package;
  get_package (self, package)->n_cores++;

  return i;
}

/* Siblings' seats are looked for among those before; this is done once in a while. */
static guint
find_or_add_core (JmCpuActivity *self, const JmCpuSeat *seats, guint i, guint package)
{
  for (guint j = 0; j < i; j++)
    if (is_same_core (&seats[i], &seats[j]))
      return get_cpu (self, seats[j].cpu)->core;

  return add_core (self, package);
}

static void
seat_cpu (JmCpuActivity *self, guint number, guint package, guint core)
{
  Cpu *cpu;

  if (number >= self->cpus->len)
    g_array_set_size (self->cpus, number + 1);

  cpu = get_cpu (self, number);
  cpu->package = package;
  cpu->core = core;
  cpu->is_seated = TRUE;
  g_array_index (self->cores, Core, core).n_cpus++;
  get_package (self, package)->n_cpus++;
}

static gboolean
has_seats (JmCpuActivity *self, const JmCpuSeat *seats, guint n)
{
  if (n != self->seats->len)
    return FALSE;

  for (guint i = 0; i < n; i++)
    {
      const JmCpuSeat *known = &g_array_index (self->seats, JmCpuSeat, i);

      if (seats[i].cpu != known->cpu || !is_same_core (&seats[i], known))
        return FALSE;
    }

  return TRUE;
}

/* Says where each CPU is. One that has no seat is taken to be a core of its own on the
 * first package; where none has, that is package 0. It costs little where nothing has
 * changed, and nothing that was learned is forgotten then. */
void
jm_cpu_activity_set_seats (JmCpuActivity *self, const JmCpuSeat *seats, guint n)
{
  if (has_seats (self, seats, n))
    return;

  g_array_set_size (self->seats, 0);
  if (n > 0)
    g_array_append_vals (self->seats, seats, n);
  g_array_set_size (self->cpus, 0);
  g_array_set_size (self->cores, 0);
  g_array_set_size (self->packages, 0);
  g_array_set_size (self->parts, 0);
  self->n_users = 0;

  for (guint i = 0; i < n; i++)
    {
      guint package = find_or_add_package (self, seats[i].package);

      seat_cpu (self, seats[i].cpu, package,
                find_or_add_core (self, seats, i, package));
    }
  if (n == 0)
    find_or_add_package (self, 0);
}

static void
seat_newcomers (JmCpuActivity *self, const JmCpuInterval *interval)
{
  for (guint i = 0; i < interval->n_cpus; i++)
    if (i >= self->cpus->len ||
        (!get_cpu (self, i)->is_seated && interval->busy_ns[i] > 0))
      seat_cpu (self, i, 0, add_core (self, 0));
}

/* What a busy second of one of a core's threads counts, when so many are expected to be
 * busy at the same time, itself included: nothing tells when exactly each was, so they
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
weigh_cpu (JmCpuActivity *self, const Cpu *cpu, double seconds)
{
  const Core *core = &g_array_index (self->cores, Core, cpu->core);
  double siblings;

  if (core->n_cpus < 2 || !(seconds > 0))
    return 1;

  siblings = (core->busy - cpu->busy) / seconds;
  return share_core (1 + CLAMP (siblings, 0, core->n_cpus - 1));
}

static void
take_busy_times (JmCpuActivity *self, const JmCpuInterval *interval, double seconds)
{
  for (guint i = 0; i < self->cores->len; i++)
    {
      g_array_index (self->cores, Core, i).busy = 0;
      g_array_index (self->cores, Core, i).asleep = 1;
    }

  for (guint i = 0; i < self->cpus->len; i++)
    {
      Cpu *cpu = get_cpu (self, i);
      Core *core = &g_array_index (self->cores, Core, cpu->core);

      if (!cpu->is_seated)
        continue;

      cpu->busy =
        i < interval->n_cpus ? (double) interval->busy_ns[i] / NS_PER_SECOND : 0;
      cpu->left = cpu->busy;
      core->busy += cpu->busy;
      if (seconds > 0)
        core->asleep *= CLAMP (1 - cpu->busy / seconds, 0, 1);
    }
}

static void
take_packages (JmCpuActivity *self, double seconds)
{
  for (guint i = 0; i < self->packages->len; i++)
    {
      Package *package = get_package (self, i);

      package->capacity = package->n_cpus * seconds;
      package->awake = 0;
    }

  for (guint i = 0; i < self->cores->len; i++)
    {
      const Core *core = &g_array_index (self->cores, Core, i);
      Package *package = get_package (self, core->package);

      package->awake += (1 - core->asleep) / package->n_cores;
    }
}

/* Of what frequency the busy CPUs of each package are, they tell as of now. */
static void
take_frequencies (JmCpuActivity *self, const JmCpuInterval *interval, double seconds)
{
  for (guint i = 0; i < self->packages->len; i++)
    {
      Package *package = get_package (self, i);
      double busy = 0;
      double weighted = 0;

      for (guint cpu = 0; cpu < interval->n_cpus; cpu++)
        if (get_cpu (self, cpu)->is_seated && get_cpu (self, cpu)->package == i &&
            jm_frequency_is_possible (interval->frequencies[cpu]))
          {
            busy += get_cpu (self, cpu)->busy;
            weighted += get_cpu (self, cpu)->busy *
                        jm_frequency_weigh (interval->frequencies[cpu]);
          }

      if (busy > LEAST_BUSY * seconds)
        jm_frequency_trend_add (&package->trend, package->awake, weighted / busy);
    }
}

static void
take_interval (JmCpuActivity *self, const JmCpuInterval *interval)
{
  double seconds = interval->seconds > 0 ? interval->seconds : 0;

  take_busy_times (self, interval, seconds);
  take_packages (self, seconds);
  if (interval->frequencies != NULL && seconds > 0)
    take_frequencies (self, interval, seconds);

  for (guint i = 0; i < self->cpus->len; i++)
    {
      Cpu *cpu = get_cpu (self, i);
      const Package *package = get_package (self, cpu->package);

      if (cpu->is_seated)
        cpu->weight = weigh_cpu (self, cpu, seconds) *
                      jm_frequency_trend_get (&package->trend, package->awake);
    }
}

/* The next of a user's CPUs that there is, from @cpu on; the number of all if none. */
static guint
next_cpu (JmCpuActivity *self, const JmCpuUser *user, guint cpu)
{
  for (; cpu < self->cpus->len && cpu / CPUS_PER_WORD < user->n_words; cpu++)
    {
      guint64 word = user->cpus[cpu / CPUS_PER_WORD] >> (cpu % CPUS_PER_WORD);

      if (word == 0)
        cpu |= CPUS_PER_WORD - 1;
      else if ((word & 1) != 0 && get_cpu (self, cpu)->is_seated)
        return cpu;
    }

  return self->cpus->len;
}

static void
clear_packages (JmCpuActivity *self)
{
  for (guint i = 0; i < self->packages->len; i++)
    {
      get_package (self, i)->busy = 0;
      get_package (self, i)->weighted = 0;
      get_package (self, i)->n_allowed = 0;
    }
}

/* A user's CPU time is taken to have been where its CPUs were busy; where they were by
 * no tick, anywhere on them. */
static void
add_confined_user (JmCpuActivity *self, const JmCpuUser *user, JmCpuPart *parts)
{
  double cpu_seconds = (double) user->cpu_ns / NS_PER_SECOND;
  double busy = 0;
  guint n = 0;

  clear_packages (self);
  for (guint i = next_cpu (self, user, 0); i < self->cpus->len;
       i = next_cpu (self, user, i + 1))
    {
      const Cpu *cpu = get_cpu (self, i);

      busy += cpu->busy;
      n++;
      get_package (self, cpu->package)->busy += cpu->busy;
      get_package (self, cpu->package)->weighted += cpu->busy * cpu->weight;
      get_package (self, cpu->package)->n_allowed++;
    }

  for (guint i = 0; i < self->packages->len && n > 0; i++)
    {
      const Package *package = get_package (self, i);

      double share = (double) package->n_allowed / n;

      parts[i].allocated_seconds = package->n_allowed * user->seconds;
      parts[i].busy_seconds = cpu_seconds * (busy > 0 ? package->busy / busy : share);
      parts[i].cpu_seconds =
        cpu_seconds * (busy > 0 ? package->weighted / busy : share);
    }

  for (guint i = next_cpu (self, user, 0); i < self->cpus->len && busy > 0;
       i = next_cpu (self, user, i + 1))
    get_cpu (self, i)->left -= cpu_seconds * get_cpu (self, i)->busy / busy;
}

static guint
count_seated (JmCpuActivity *self)
{
  guint n = 0;

  for (guint i = 0; i < self->packages->len; i++)
    n += get_package (self, i)->n_cpus;

  return n;
}

static guint
count_allowed (JmCpuActivity *self, const JmCpuUser *user)
{
  guint n = 0;

  for (guint i = next_cpu (self, user, 0); i < self->cpus->len;
       i = next_cpu (self, user, i + 1))
    n++;

  return n;
}

/* Who may run on every CPU, as others may, is confined to none: schedulers that do not
 * confine jobs give all of them the whole node. */
static gboolean
is_confined (JmCpuActivity *self, const JmCpuUser *user)
{
  guint n_allowed = user->cpus != NULL ? count_allowed (self, user) : 0;

  return n_allowed > 0 && (n_allowed < count_seated (self) || self->n_users == 1);
}

/* --- who may run anywhere --- */

/* How long @user was seen to run on a package, in nanoseconds. Fills @weighted with what
 * that counts. */
static double
find_placed (JmCpuActivity *self,
             const JmCpuUser *user,
             guint package,
             double *weighted)
{
  double placed = 0;

  *weighted = 0;
  for (guint i = 0; i < MIN (user->n_placed, self->cpus->len); i++)
    {
      const Cpu *cpu = get_cpu (self, i);

      if (!cpu->is_seated || cpu->package != package)
        continue;

      placed += (double) user->placed_ns[i];
      *weighted += (double) user->placed_ns[i] * cpu->weight;
    }

  return placed;
}

/* Spreads @seconds as the others left something; over all CPUs where they did not. */
static void
spread (JmCpuActivity *self, double seconds, double left, double *cells)
{
  for (guint i = 0; i < self->packages->len; i++)
    {
      const Package *package = get_package (self, i);

      cells[i] = left > 0 ? seconds * MAX (package->busy, 0) / left
                          : seconds * package->n_cpus / MAX (count_seated (self), 1);
    }
}

/* At first it is put where it was seen, as far as that is believed, and else anywhere.
 */
static void
put_free_user (JmCpuActivity *self, const JmCpuUser *user, double left, double *cells)
{
  double seconds = (double) user->cpu_ns / NS_PER_SECOND;
  double sum = 0;
  double weighted;

  for (guint i = 0; i < self->packages->len; i++)
    sum += find_placed (self, user, i, &weighted);

  spread (self, sum > 0 ? seconds * (1 - BELIEF) : seconds, left, cells);
  for (guint i = 0; i < self->packages->len && sum > 0; i++)
    cells[i] += seconds * BELIEF * find_placed (self, user, i, &weighted) / sum;
}

/* Of one that may run on every CPU nobody says which are its: it is taken to have as
 * many as it kept busy, and where. */
static void
finish_free_user (JmCpuActivity *self,
                  const JmCpuUser *user,
                  const double *cells,
                  JmCpuPart *parts)
{
  for (guint i = 0; i < self->packages->len; i++)
    {
      const Package *package = get_package (self, i);
      double even = (double) package->n_cpus / MAX (count_seated (self), 1);
      double weighted;
      double placed = find_placed (self, user, i, &weighted);
      double weight =
        package->busy > 0 ? MAX (package->weighted, 0) / package->busy : 1;

      parts[i].busy_seconds = cells[i];
      parts[i].cpu_seconds = cells[i] * (placed > 0 ? weighted / placed : weight);
      parts[i].allocated_seconds =
        user->cpus != NULL ? cells[i] : user->n_allocated * user->seconds * even;
    }
}

static void
find_free_users (JmCpuActivity *self, const JmCpuUser *users)
{
  g_array_set_size (self->is_free, self->n_users);
  for (guint i = 0; i < self->n_users; i++)
    g_array_index (self->is_free, gboolean, i) = !is_confined (self, &users[i]);
}

static gboolean
is_free (JmCpuActivity *self, guint user)
{
  return g_array_index (self->is_free, gboolean, user);
}

/* What who is confined did not use, in CPU-seconds. */
static double
take_left (JmCpuActivity *self)
{
  double left = 0;

  clear_packages (self);
  for (guint i = 0; i < self->cpus->len; i++)
    {
      const Cpu *cpu = get_cpu (self, i);

      if (!cpu->is_seated)
        continue;

      get_package (self, cpu->package)->busy += cpu->left;
      get_package (self, cpu->package)->weighted += cpu->left * cpu->weight;
      left += cpu->left;
    }

  return MAX (left, 0);
}

/* A row for each user, of nothing for who is confined, and one for the system. */
static double *
place_free_users (JmCpuActivity *self, const JmCpuUser *users, double left)
{
  guint n = self->packages->len;
  guint n_rows = self->n_users + 1;
  double taken = 0;
  double *cells, *rows, *columns;

  g_array_set_size (self->cells, 0);
  g_array_set_size (self->cells, n_rows * n + n_rows + n);
  cells = (double *) (gpointer) self->cells->data;
  rows = cells + n_rows * n;
  columns = rows + n_rows;

  for (guint i = 0; i < n; i++)
    columns[i] = MAX (get_package (self, i)->busy, 0);
  for (guint i = 0; i < self->n_users; i++)
    if (is_free (self, i))
      {
        rows[i] = (double) users[i].cpu_ns / NS_PER_SECOND;
        put_free_user (self, &users[i], left, &cells[i * n]);
        taken += rows[i];
      }
  rows[self->n_users] = MAX (left - taken, 0);
  spread (self, rows[self->n_users], left, &cells[self->n_users * n]);
  if (left > 0)
    jm_margins_fit (cells, rows, n_rows, columns, n);

  return cells;
}

/* Who may run anywhere did so where it was seen, or where the others left something;
 * what is left then is the system's. */
static void
add_free_users (JmCpuActivity *self, const JmCpuUser *users, JmCpuPart *system)
{
  guint n = self->packages->len;
  const double *cells = place_free_users (self, users, take_left (self));

  for (guint i = 0; i < self->n_users; i++)
    if (is_free (self, i))
      finish_free_user (self, &users[i], &cells[i * n], get_parts (self, i));

  for (guint i = 0; i < n; i++)
    {
      const Package *package = get_package (self, i);
      double rest = cells[self->n_users * n + i];

      system[i].busy_seconds = rest;
      system[i].cpu_seconds =
        package->busy > 0 ? MAX (package->weighted, 0) * rest / package->busy : rest;
    }
}

/* Tells for each user what it did on each package in an interval. What jobs did is
 * known to the nanosecond, what CPUs did by ticks of 10 ms, so jobs may have done more:
 * the system then did nothing. */
void
jm_cpu_activity_weigh (JmCpuActivity *self,
                       const JmCpuInterval *interval,
                       const JmCpuUser *users,
                       guint n_users)
{
  seat_newcomers (self, interval);
  take_interval (self, interval);

  self->n_users = n_users;
  g_array_set_size (self->parts, 0);
  g_array_set_size (self->parts, (n_users + 1) * self->packages->len);
  find_free_users (self, users);
  for (guint i = 0; i < n_users; i++)
    if (!is_free (self, i))
      add_confined_user (self, &users[i], get_parts (self, i));
  add_free_users (self, users, get_parts (self, n_users));
}

guint
jm_cpu_activity_get_n_packages (JmCpuActivity *self)
{
  return self->packages->len;
}

/* The number that the kernel gives the package. */
guint64
jm_cpu_activity_get_package (JmCpuActivity *self, guint i)
{
  return get_package (self, i)->number;
}

/* Their number where there is none such. */
guint
jm_cpu_activity_find_package (JmCpuActivity *self, guint64 package)
{
  guint i = 0;

  while (i < self->packages->len && get_package (self, i)->number != package)
    i++;

  return i;
}

/* CPU-seconds that a package had in the interval. */
double
jm_cpu_activity_get_capacity (JmCpuActivity *self, guint package)
{
  return get_package (self, package)->capacity;
}

const JmCpuPart *
jm_cpu_activity_get_part (JmCpuActivity *self, guint user, guint package)
{
  return &get_parts (self, user)[package];
}

/* What was no job's. */
const JmCpuPart *
jm_cpu_activity_get_system (JmCpuActivity *self, guint package)
{
  return &get_parts (self, self->n_users)[package];
}
