/* bench-load.h: a process of a job that works, and says what that took
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

typedef enum
{
  BENCH_LOAD_COMPUTE, /* reckons in a quarter of a megabyte */
  BENCH_LOAD_FORK,    /* makes processes that end at once */
} BenchLoadKind;

#define BENCH_N_LOADS (BENCH_LOAD_FORK + 1)

typedef struct
{
  double cpu_us; /* with the processes that it made */
  double wall_us;
} BenchLoadCost;

typedef struct _BenchLoad BenchLoad;

/* In the cgroup of which @processes is the file that lists processes. */
BenchLoad *bench_load_new (const char *processes);
void bench_load_free (BenchLoad *self);

/* @amount of the same work each time. */
BenchLoadCost bench_load_run (BenchLoad *self, BenchLoadKind kind, guint amount);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchLoad, bench_load_free)
