/* jm-cpu-activity-private.h: how much of each package's activity was whose
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-topology-private.h"

G_BEGIN_DECLS

/* What a second busy thread adds to the power of a core that one keeps busy. Its
 * throughput is up to 30 % (D. Marr et al., "Hyper-Threading Technology Architecture
 * and Microarchitecture", Intel Technology Journal, 2002); its power was measured to be
 * some 10 % (Y. Zhai et al., "HaPPy: Hyperthread-aware Power Profiling Dynamically",
 * USENIX ATC 2014) to 15 % (B. Weigell et al., "METRION", arXiv 2512.06806, 2025). */
#define JM_SMT_YIELD 0.15

/* What the CPUs did in an interval, by number. */
typedef struct
{
  const guint64 *busy_ns;
  const double
    *frequencies; /* to the nominal one; NAN where not known; NULL: of none */
  guint n_cpus;
  double seconds;
} JmCpuInterval;

/* What one CPU did in it. */
typedef struct
{
  gboolean is_seated; /* else there is no such CPU, and nothing of it is known */
  guint package;      /* index into the packages */
  guint core;         /* index into all cores */
  double busy;        /* seconds */
  double weight;      /* what a second of it counts */
} JmCpuLoad;

typedef struct
{
  guint64 number; /* that the kernel gives it */
  guint n_cpus;
  double capacity; /* CPU-seconds */
} JmPackageLoad;

/* The CPUs of a node, where they are, and what is learned of their frequencies. Keeps
 * its memory from interval to interval. */
typedef struct _JmCpuLoads JmCpuLoads;

JmCpuLoads *jm_cpu_loads_new (void);
void jm_cpu_loads_free (JmCpuLoads *self);

/* Says where each CPU is. One that has no seat is taken to be a core of its own on the
 * first package; where none has, that is package 0. It costs little where nothing has
 * changed, and nothing that was learned is forgotten then. Whether something has. */
gboolean jm_cpu_loads_set_seats (JmCpuLoads *self, const JmCpuSeat *seats, guint n);

void jm_cpu_loads_take (JmCpuLoads *self, const JmCpuInterval *interval);

/* CPUs go by their numbers, up to the highest that is known. */
guint jm_cpu_loads_get_n_cpus (JmCpuLoads *self);
const JmCpuLoad *jm_cpu_loads_get_cpu (JmCpuLoads *self, guint i);
guint jm_cpu_loads_count_seated (JmCpuLoads *self);

guint jm_cpu_loads_get_n_packages (JmCpuLoads *self);
const JmPackageLoad *jm_cpu_loads_get_package (JmCpuLoads *self, guint i);
/* Their number where there is none such. */
guint jm_cpu_loads_find_package (JmCpuLoads *self, guint64 number);

/* What one job did in it. */
typedef struct
{
  const guint64 *cpus; /* a bit for each that it may run on; NULL: on all */
  guint n_words;       /* of @cpus, each 64 CPUs */
  guint64 cpu_ns;
  const guint64 *placed_ns; /* of that, by CPU, as far as is known; only proportions
                               count */
  guint n_placed;
  double n_allocated; /* CPUs that are its; counts where it may run on all */
  double seconds;     /* how long of the interval it was there */
} JmCpuUser;

/* What one job did on one package. */
typedef struct
{
  /* by activity: of a CPU alone on its core, at nominal frequency */
  double cpu_seconds;
  /* plain CPU time, for what frequency does not drive: memory */
  double busy_seconds;
  double allocated_seconds;
} JmCpuPart;

/* Keeps its memory from interval to interval. */
typedef struct _JmCpuActivity JmCpuActivity;

JmCpuActivity *jm_cpu_activity_new (void);
void jm_cpu_activity_free (JmCpuActivity *self);

void jm_cpu_activity_set_seats (JmCpuActivity *self, const JmCpuSeat *seats, guint n);
void jm_cpu_activity_weigh (JmCpuActivity *self,
                            const JmCpuInterval *interval,
                            const JmCpuUser *users,
                            guint n_users);

guint jm_cpu_activity_get_n_packages (JmCpuActivity *self);
guint64 jm_cpu_activity_get_package (JmCpuActivity *self, guint i);
guint jm_cpu_activity_find_package (JmCpuActivity *self, guint64 package);
double jm_cpu_activity_get_capacity (JmCpuActivity *self, guint package);
const JmCpuPart *
jm_cpu_activity_get_part (JmCpuActivity *self, guint user, guint package);
const JmCpuPart *jm_cpu_activity_get_system (JmCpuActivity *self, guint package);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCpuActivity, jm_cpu_activity_free)

/* Scales the columns and the rows of @cells, row by row, in turns until the rows add up
 * to @rows, and the columns to @columns as far as that can be (iterative proportional
 * fitting; W. Deming and F. Stephan, 1940). What is nothing stays so. Numbers are not
 * negative. */
void jm_margins_fit (double *cells,
                     const double *rows,
                     guint n_rows,
                     const double *columns,
                     guint n_columns);

G_END_DECLS
