/* bench-meter.h: what a piece of work costs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

typedef enum
{
  BENCH_CPU_US,
  BENCH_WALL_US,
  BENCH_CALLS,
  BENCH_ALLOCATIONS,
} BenchFigure;

#define BENCH_N_FIGURES (BENCH_ALLOCATIONS + 1)

/* One figure of each kind; NAN for one that could not be measured. */
typedef struct
{
  double figures[BENCH_N_FIGURES];
} BenchCost;

/* Measures what the calling process does between start and stop; its other threads'
 * CPU time and allocations included, their system calls not. */
typedef struct
{
  int calls_fd;
  BenchCost before;
} BenchMeter;

typedef void (*BenchFunc) (gpointer user_data);

void bench_meter_open (BenchMeter *self);
void bench_meter_close (BenchMeter *self);

/* What one of @n_repeats calls of @func costs. */
BenchCost
bench_meter_run (BenchMeter *self, BenchFunc func, gpointer user_data, guint n_repeats);

/* The median of each figure by itself. */
BenchCost bench_cost_get_median (const BenchCost *costs, guint n_costs);

void bench_print_header (void);

/* One row of the table; @kept and @opened are what it is compared with, or NULL. */
void bench_print_cost (const char *name,
                       const BenchCost *cost,
                       const BenchCost *opened,
                       const BenchCost *kept);
