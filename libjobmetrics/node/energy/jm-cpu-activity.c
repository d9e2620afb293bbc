/* jm-cpu-activity.c: how much of each package's activity was whose
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-cpu-activity-private.h"

#define NS_PER_SECOND 1e9
#define CPUS_PER_WORD 64

/* How far to believe that who was seen on a socket was there all the time. */
#define BELIEF 0.97

/* After so many what is still wrong is less than a tick. */
#define N_TURNS 16

/* Of whom is looked at, on one package. */
typedef struct
{
  double busy;
  double weighted;
  guint n_allowed;
} Sum;

struct _JmCpuActivity
{
  JmCpuLoads *loads;
  GArray *left;    /* of double: of each CPU's busy seconds, what is nobody's yet; below
                    * 0 by what ticks round off */
  GArray *sums;    /* of Sum, by package */
  GArray *parts;   /* of JmCpuPart: all packages of each user, then the system's */
  GArray *is_free; /* of gboolean: each user, whether it may run anywhere */
  GArray *cells;   /* of double: of these the CPU-seconds by package, and the sums */
  guint n_users;
};

static Sum *
get_sum (JmCpuActivity *self, guint package)
{
  return &g_array_index (self->sums, Sum, package);
}

static double *
get_left (JmCpuActivity *self, guint cpu)
{
  return &g_array_index (self->left, double, cpu);
}

static guint
count_cpus (JmCpuActivity *self)
{
  return jm_cpu_loads_get_n_cpus (self->loads);
}

static const JmCpuLoad *
get_cpu (JmCpuActivity *self, guint i)
{
  return jm_cpu_loads_get_cpu (self->loads, i);
}

static guint
count_packages (JmCpuActivity *self)
{
  return jm_cpu_loads_get_n_packages (self->loads);
}

static const JmPackageLoad *
get_package (JmCpuActivity *self, guint i)
{
  return jm_cpu_loads_get_package (self->loads, i);
}

static JmCpuPart *
get_parts (JmCpuActivity *self, guint user)
{
  return &g_array_index (self->parts, JmCpuPart, user * count_packages (self));
}

JmCpuActivity *
jm_cpu_activity_new (void)
{
  JmCpuActivity *self = g_new0 (JmCpuActivity, 1);

  self->loads = jm_cpu_loads_new ();
  self->left = g_array_new (FALSE, TRUE, sizeof (double));
  self->sums = g_array_new (FALSE, TRUE, sizeof (Sum));
  self->parts = g_array_new (FALSE, TRUE, sizeof (JmCpuPart));
  self->is_free = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->cells = g_array_new (FALSE, TRUE, sizeof (double));

  return self;
}

void
jm_cpu_activity_free (JmCpuActivity *self)
{
  jm_cpu_loads_free (self->loads);
  g_array_unref (self->left);
  g_array_unref (self->sums);
  g_array_unref (self->parts);
  g_array_unref (self->is_free);
  g_array_unref (self->cells);
  g_free (self);
}

/* As jm_cpu_loads_set_seats() has it; nobody has a part of new packages yet. */
void
jm_cpu_activity_set_seats (JmCpuActivity *self, const JmCpuSeat *seats, guint n)
{
  if (!jm_cpu_loads_set_seats (self->loads, seats, n))
    return;

  g_array_set_size (self->parts, 0);
  self->n_users = 0;
}

/* The next of a user's CPUs that there is, from @cpu on; the number of all if none. */
static guint
next_cpu (JmCpuActivity *self, const JmCpuUser *user, guint cpu)
{
  for (; cpu < count_cpus (self) && cpu / CPUS_PER_WORD < user->n_words; cpu++)
    {
      guint64 word = user->cpus[cpu / CPUS_PER_WORD] >> (cpu % CPUS_PER_WORD);

      if (word == 0)
        cpu |= CPUS_PER_WORD - 1;
      else if ((word & 1) != 0 && get_cpu (self, cpu)->is_seated)
        return cpu;
    }

  return count_cpus (self);
}

static void
clear_sums (JmCpuActivity *self)
{
  g_array_set_size (self->sums, 0);
  g_array_set_size (self->sums, count_packages (self));
}

/* A user's CPU time is taken to have been where its CPUs were busy; where they were by
 * no tick, anywhere on them. */
static void
add_confined_user (JmCpuActivity *self, const JmCpuUser *user, JmCpuPart *parts)
{
  double cpu_seconds = (double) user->cpu_ns / NS_PER_SECOND;
  double busy = 0;
  guint n = 0;

  clear_sums (self);
  for (guint i = next_cpu (self, user, 0); i < count_cpus (self);
       i = next_cpu (self, user, i + 1))
    {
      const JmCpuLoad *cpu = get_cpu (self, i);
      Sum *sum = get_sum (self, cpu->package);

      busy += cpu->busy;
      n++;
      sum->busy += cpu->busy;
      sum->weighted += cpu->busy * cpu->weight;
      sum->n_allowed++;
    }

  for (guint i = 0; i < count_packages (self) && n > 0; i++)
    {
      const Sum *sum = get_sum (self, i);
      double share = (double) sum->n_allowed / n;

      parts[i].allocated_seconds = sum->n_allowed * user->seconds;
      parts[i].busy_seconds = cpu_seconds * (busy > 0 ? sum->busy / busy : share);
      parts[i].cpu_seconds = cpu_seconds * (busy > 0 ? sum->weighted / busy : share);
    }

  for (guint i = next_cpu (self, user, 0); i < count_cpus (self) && busy > 0;
       i = next_cpu (self, user, i + 1))
    *get_left (self, i) -= cpu_seconds * get_cpu (self, i)->busy / busy;
}

static guint
count_seated (JmCpuActivity *self)
{
  return jm_cpu_loads_count_seated (self->loads);
}

static guint
count_allowed (JmCpuActivity *self, const JmCpuUser *user)
{
  guint n = 0;

  for (guint i = next_cpu (self, user, 0); i < count_cpus (self);
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

/* How long @user was seen to run on a package, in nanoseconds. Fills @weighted with
 * what that counts. */
static double
find_placed (JmCpuActivity *self,
             const JmCpuUser *user,
             guint package,
             double *weighted)
{
  double placed = 0;

  *weighted = 0;
  for (guint i = 0; i < MIN (user->n_placed, count_cpus (self)); i++)
    {
      const JmCpuLoad *cpu = get_cpu (self, i);

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
  for (guint i = 0; i < count_packages (self); i++)
    {
      double n_cpus = get_package (self, i)->n_cpus;

      cells[i] = left > 0 ? seconds * MAX (get_sum (self, i)->busy, 0) / left
                          : seconds * n_cpus / MAX (count_seated (self), 1);
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

  for (guint i = 0; i < count_packages (self); i++)
    sum += find_placed (self, user, i, &weighted);

  spread (self, sum > 0 ? seconds * (1 - BELIEF) : seconds, left, cells);
  for (guint i = 0; i < count_packages (self) && sum > 0; i++)
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
  for (guint i = 0; i < count_packages (self); i++)
    {
      const Sum *sum = get_sum (self, i);
      double even =
        (double) get_package (self, i)->n_cpus / MAX (count_seated (self), 1);
      double weighted;
      double placed = find_placed (self, user, i, &weighted);
      double weight = sum->busy > 0 ? MAX (sum->weighted, 0) / sum->busy : 1;

      parts[i].busy_seconds = cells[i];
      parts[i].cpu_seconds = cells[i] * (placed > 0 ? weighted / placed : weight);
      parts[i].allocated_seconds =
        user->cpus != NULL ? cells[i] : user->n_allocated * user->seconds * even;
    }
}

static void
fit_columns (double *cells, guint n_rows, const double *columns, guint n_columns)
{
  for (guint column = 0; column < n_columns; column++)
    {
      double sum = 0;

      for (guint row = 0; row < n_rows; row++)
        sum += cells[row * n_columns + column];
      for (guint row = 0; row < n_rows && sum > 0; row++)
        cells[row * n_columns + column] *= columns[column] / sum;
    }
}

static void
fit_rows (double *cells, const double *rows, guint n_rows, guint n_columns)
{
  for (guint row = 0; row < n_rows; row++)
    {
      double *own = &cells[row * n_columns];
      double sum = 0;

      for (guint column = 0; column < n_columns; column++)
        sum += own[column];
      for (guint column = 0; column < n_columns && sum > 0; column++)
        own[column] *= rows[row] / sum;
    }
}

void
jm_margins_fit (double *cells,
                const double *rows,
                guint n_rows,
                const double *columns,
                guint n_columns)
{
  for (guint turn = 0; turn < N_TURNS; turn++)
    {
      fit_columns (cells, n_rows, columns, n_columns);
      fit_rows (cells, rows, n_rows, n_columns);
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

  clear_sums (self);
  for (guint i = 0; i < count_cpus (self); i++)
    {
      const JmCpuLoad *cpu = get_cpu (self, i);
      double left_here = *get_left (self, i);

      if (!cpu->is_seated)
        continue;

      get_sum (self, cpu->package)->busy += left_here;
      get_sum (self, cpu->package)->weighted += left_here * cpu->weight;
      left += left_here;
    }

  return MAX (left, 0);
}

/* A row for each user, of nothing for who is confined, and one for the system. */
static double *
place_free_users (JmCpuActivity *self, const JmCpuUser *users, double left)
{
  guint n = count_packages (self);
  guint n_rows = self->n_users + 1;
  double taken = 0;
  double *cells, *rows, *columns;

  g_array_set_size (self->cells, 0);
  g_array_set_size (self->cells, n_rows * n + n_rows + n);
  cells = (double *) (gpointer) self->cells->data;
  rows = cells + n_rows * n;
  columns = rows + n_rows;

  for (guint i = 0; i < n; i++)
    columns[i] = MAX (get_sum (self, i)->busy, 0);
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
  guint n = count_packages (self);
  const double *cells = place_free_users (self, users, take_left (self));

  for (guint i = 0; i < self->n_users; i++)
    if (is_free (self, i))
      finish_free_user (self, &users[i], &cells[i * n], get_parts (self, i));

  for (guint i = 0; i < n; i++)
    {
      const Sum *sum = get_sum (self, i);
      double rest = cells[self->n_users * n + i];

      system[i].busy_seconds = rest;
      system[i].cpu_seconds =
        sum->busy > 0 ? MAX (sum->weighted, 0) * rest / sum->busy : rest;
    }
}

/* At first all that the CPUs did is nobody's. */
static void
take_interval (JmCpuActivity *self, const JmCpuInterval *interval)
{
  jm_cpu_loads_take (self->loads, interval);

  g_array_set_size (self->left, count_cpus (self));
  for (guint i = 0; i < count_cpus (self); i++)
    *get_left (self, i) = get_cpu (self, i)->busy;
}

/* Finds for each user what it did on each package in an interval. What jobs did is
 * known to the nanosecond, what CPUs did by ticks of 10 ms, so jobs may have done more:
 * the system then did nothing. */
void
jm_cpu_activity_weigh (JmCpuActivity *self,
                       const JmCpuInterval *interval,
                       const JmCpuUser *users,
                       guint n_users)
{
  take_interval (self, interval);

  self->n_users = n_users;
  g_array_set_size (self->parts, 0);
  g_array_set_size (self->parts, (n_users + 1) * count_packages (self));
  find_free_users (self, users);
  for (guint i = 0; i < n_users; i++)
    if (!is_free (self, i))
      add_confined_user (self, &users[i], get_parts (self, i));
  add_free_users (self, users, get_parts (self, n_users));
}

guint
jm_cpu_activity_get_n_packages (JmCpuActivity *self)
{
  return count_packages (self);
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
  return jm_cpu_loads_find_package (self->loads, package);
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
