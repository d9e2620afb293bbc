/* jm-perf-cgroup-private.h: what perf counts of one cgroup, or of all
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-host.h"
#include "sources/counters/jm-perf-count-private.h"

G_BEGIN_DECLS

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
