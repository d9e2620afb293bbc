/* jm-perf-groups-private.h: the events that perf counts, and cgroups that it counts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric-private.h"
#include "core/jm-readings.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

#define JM_PERF_MAX_GROUPS 4
#define JM_PERF_MAX_EVENTS 5

/* perf_event_open(2) and what goes with it; each returns a negative errno where it
 * fails. @cgroup is a directory's descriptor, or -1 for all processes; @leader an event
 * of the same group, or -1. */
typedef struct
{
  int (*open) (gpointer user_data,
               guint32 type,
               guint64 config,
               int cgroup,
               guint cpu,
               int leader);
  gssize (*read) (gpointer user_data, int fd, guint64 *words, gsize n_words);
  void (*close) (gpointer user_data, int fd);
} JmPerfSyscalls;

extern const JmPerfSyscalls jm_perf_system_calls;

/* Where they are asked for. */
typedef struct
{
  const JmPerfSyscalls *calls;
  gpointer user_data;
} JmPerfKernel;

typedef struct
{
  JmMetric metric;
  guint32 type;
  guint64 config;
} JmPerfEventKind;

/* What is counted at the same times, so that its ratios hold even where the processor
 * has fewer counters than are wanted. */
typedef struct
{
  const char *name;
  gboolean is_hardware; /* it may have to take turns with others */
  guint n_events;
  JmPerfEventKind events[JM_PERF_MAX_EVENTS];
} JmPerfGroup;

typedef struct
{
  guint n_groups;
  guint n_events; /* of all groups */
  JmPerfGroup groups[JM_PERF_MAX_GROUPS];
} JmPerfGroups;

/* Tries each event on one CPU, and keeps those that this kernel and processor know.
 *
 * Returns: 0, or a negative errno where nothing may be counted */
int jm_perf_groups_probe (JmPerfGroups *self, const JmPerfKernel *kernel, guint cpu);

gboolean jm_perf_groups_have_hardware (const JmPerfGroups *self);

/* What all cgroups share. */
typedef struct
{
  JmPerfKernel kernel;
  JmPerfGroups groups;
  JmLabels *labels[JM_PERF_MAX_GROUPS]; /* their names; NULL for software */
  JmHost *host;                         /* whose budget of descriptors it is */
  guint n_open;                         /* counters, of all cgroups */
  guint max_open;
} JmPerfContext;

typedef struct _JmPerfCgroup JmPerfCgroup;

/* @context must outlive it. Counts nothing yet. */
JmPerfCgroup *
jm_perf_cgroup_new (JmPerfContext *context, const char *dir, GError **error);
/* Of all processes, whatever their cgroup, and of those groups alone that have one of
 * @metrics; of no more than @max_open counters. */
JmPerfCgroup *jm_perf_cgroup_new_for_node (JmPerfContext *context,
                                           const JmMetric *metrics,
                                           guint n_metrics,
                                           guint max_open);
void jm_perf_cgroup_free (JmPerfCgroup *self);

/* Counts on the CPUs of @cpus that are @online, both as the kernel lists them; on all
 * of the latter where @cpus is empty. On those of before it goes on. Where not all can
 * be had, none is added. */
gboolean jm_perf_cgroup_arrange (JmPerfCgroup *self,
                                 const char *cpus,
                                 const char *online,
                                 GError **error);

gboolean jm_perf_cgroup_read (JmPerfCgroup *self, JmReadings *readings, GError **error);

G_END_DECLS
