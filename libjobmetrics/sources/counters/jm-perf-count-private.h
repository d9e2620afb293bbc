/* jm-perf-count-private.h: one group of perf's events, of a cgroup, on one CPU
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/counters/jm-perf-groups-private.h"

G_BEGIN_DECLS

/* What was counted of one group, on all CPUs together. */
typedef struct
{
  guint64 events[JM_PERF_MAX_EVENTS];
  guint64 wanted_ns;  /* while it was to count */
  guint64 counted_ns; /* ... and did */
} JmPerfTotal;

typedef struct
{
  guint cpu;
  guint group; /* its number among JmPerfGroups */
  guint n_events;
  int fds[JM_PERF_MAX_EVENTS]; /* the first is the leader */
  /* of when it was read last */
  guint64 wanted_ns;
  guint64 counted_ns;
  /* of when it was read last and had counted meanwhile */
  guint64 events[JM_PERF_MAX_EVENTS];
  guint64 events_wanted_ns;
  guint64 events_counted_ns;
} JmPerfCount;

/* Begins to count; @self has number and CPU already. All events or none.
 *
 * Returns: 0, or a negative errno */
int jm_perf_count_open (JmPerfCount *self,
                        const JmPerfKernel *kernel,
                        const JmPerfGroup *group,
                        int cgroup);

/* Adds what was counted since the last reading. Where the group had to take turns with
 * others, that is scaled up to the time in which it was to count.
 *
 * Returns: 0, or a negative errno */
int
jm_perf_count_read (JmPerfCount *self, const JmPerfKernel *kernel, JmPerfTotal *total);

void jm_perf_count_close (JmPerfCount *self, const JmPerfKernel *kernel);

G_END_DECLS
