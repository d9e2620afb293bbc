/* jm-cpu-activity-private.h: how much of each package's activity was whose
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-cpu-loads-private.h"

G_BEGIN_DECLS

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

G_END_DECLS
