/* bench-meter.c: what a piece of work costs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-meter.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../allocations/allocations.h"
#include "bench-calls.h"

static double
read_clock_us (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1e3;
}

static BenchCost
read_all (BenchMeter *self)
{
  BenchCost now;

  now.figures[BENCH_ALLOCATIONS] = (double) allocations_count ();
  now.figures[BENCH_CALLS] =
    self->calls_fd >= 0 ? (double) bench_calls_read (self->calls_fd) : NAN;
  now.figures[BENCH_WALL_US] = read_clock_us (CLOCK_MONOTONIC);
  now.figures[BENCH_CPU_US] = read_clock_us (CLOCK_PROCESS_CPUTIME_ID);

  return now;
}

void
bench_meter_open (BenchMeter *self)
{
  self->calls_fd = bench_calls_open (0);
}

void
bench_meter_close (BenchMeter *self)
{
  if (self->calls_fd >= 0)
    close (self->calls_fd);
  self->calls_fd = -1;
}

/* How many system calls the reading of all figures makes by itself. */
static double
count_own_calls (BenchMeter *self)
{
  guint64 before;

  if (self->calls_fd < 0)
    return NAN;

  before = bench_calls_read (self->calls_fd);
  read_all (self);
  return (double) (bench_calls_read (self->calls_fd) - before - 1);
}

BenchCost
bench_meter_run (BenchMeter *self, BenchFunc func, gpointer user_data, guint n_repeats)
{
  double own_calls = count_own_calls (self);
  BenchCost before = read_all (self);
  BenchCost cost;

  for (guint i = 0; i < n_repeats; i++)
    func (user_data);

  cost = read_all (self);
  cost.figures[BENCH_CALLS] -= own_calls;
  for (guint i = 0; i < BENCH_N_FIGURES; i++)
    cost.figures[i] = (cost.figures[i] - before.figures[i]) / n_repeats;

  return cost;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a;
  double second = *(const double *) b;

  return (first > second) - (first < second);
}

BenchCost
bench_cost_get_median (const BenchCost *costs, guint n_costs)
{
  g_autofree double *values = g_new (double, n_costs);
  BenchCost median;

  for (guint k = 0; k < BENCH_N_FIGURES; k++)
    {
      for (guint i = 0; i < n_costs; i++)
        values[i] = costs[i].figures[k];
      qsort (values, n_costs, sizeof *values, compare);
      median.figures[k] = values[n_costs / 2];
    }

  return median;
}

static void
print_cell (double value, const char *format)
{
  if (isnan (value))
    g_print ("%10s", "-");
  else
    {
      g_autofree char *text = g_strdup_printf ("%.*f", *format - '0', value);

      g_print ("%10s", text);
    }
}

static void
print_ratio (const BenchCost *cost, const BenchCost *reference)
{
  double ratio = NAN;

  if (reference != NULL)
    ratio = cost->figures[BENCH_CPU_US] / reference->figures[BENCH_CPU_US];
  print_cell (ratio, "2");
}

void
bench_print_header (void)
{
  g_print ("%-34s%10s%10s%10s%10s%10s%10s\n", "", "CPU us", "to (a)", "to (b)",
           "wall us", "calls", "allocs");
}

void
bench_print_cost (const char *name,
                  const BenchCost *cost,
                  const BenchCost *opened,
                  const BenchCost *kept)
{
  g_print ("%-34s", name);
  print_cell (cost->figures[BENCH_CPU_US], "0");
  print_ratio (cost, opened);
  print_ratio (cost, kept);
  print_cell (cost->figures[BENCH_WALL_US], "0");
  print_cell (cost->figures[BENCH_CALLS], "0");
  print_cell (cost->figures[BENCH_ALLOCATIONS], "1");
  g_print ("\n");
}
