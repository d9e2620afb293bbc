/* jm-cgroup-v1-dirs-private.h: a cgroup of version 1: directories, memory, events
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-dir-private.h"
#include "sources/cgroup/jm-cgroup-context-private.h"
#include "sources/cgroup/jm-cgroup-memory-stat-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupV1Layout:
 * @mounts: the hierarchies, each once; logical paths
 * @n_mounts: how many
 * @by_controller: index of a controller's hierarchy, or %JM_CGROUP_NOWHERE
 * @unified: index of the v2 hierarchy of a hybrid host, or %JM_CGROUP_NOWHERE
 * @possible_cpus: the list of CPUs that this machine can have; empty where not known
 *
 * Where the hierarchies of version 1 are: several controllers may share one.
 */
typedef struct
{
  char *mounts[JM_CGROUP_N_CONTROLLERS + 1];
  guint n_mounts;
  guint by_controller[JM_CGROUP_N_CONTROLLERS];
  guint unified;
  char *possible_cpus;
} JmCgroupV1Layout;

#define JM_CGROUP_NOWHERE G_MAXUINT

void jm_cgroup_v1_layout_init (JmCgroupV1Layout *self,
                               JmHost *host,
                               const JmCgroupMounts *mounts);
void jm_cgroup_v1_layout_clear (JmCgroupV1Layout *self);

/* In the place of a controller: the v2 hierarchy of a hybrid host. */
#define JM_CGROUP_V1_UNIFIED JM_CGROUP_N_CONTROLLERS

/**
 * JmCgroupV1Dirs:
 * @context: what the cgroups of one reader share
 * @layout: where the hierarchies are
 * @path: path of the cgroup in each of them
 * @opened_us: when it was opened, on the monotonic clock
 * @dirs: by mount; closed where the cgroup has none
 *
 * The directories of one path in all hierarchies. It stays where it is: files point at
 * its directories.
 */
typedef struct
{
  JmCgroupContext *context;
  const JmCgroupV1Layout *layout;
  char *path;
  gint64 opened_us;
  JmDir dirs[JM_CGROUP_N_CONTROLLERS + 1];
} JmCgroupV1Dirs;

/* Returns 0 where the cgroup is in one hierarchy at least, else why it is in none. */
int jm_cgroup_v1_dirs_init (JmCgroupV1Dirs *self,
                            JmCgroupContext *context,
                            const JmCgroupV1Layout *layout,
                            const char *path);
void jm_cgroup_v1_dirs_clear (JmCgroupV1Dirs *self);

/* Of a controller, or of %JM_CGROUP_V1_UNIFIED; closed where there is none. */
const JmDir *jm_cgroup_v1_dirs_get (const JmCgroupV1Dirs *self, guint controller);

/* The one of the hierarchy that goes deepest; closed where there is none. */
const JmDir *jm_cgroup_v1_dirs_find_processes (const JmCgroupV1Dirs *self);

/* Opens those that came since. Returns whether no more are expected. */
gboolean jm_cgroup_v1_dirs_refresh (JmCgroupV1Dirs *self);

gboolean jm_cgroup_v1_dirs_are_alive (const JmCgroupV1Dirs *self);

#define JM_CGROUP_V1_MEMORY_N_FILES 5

/**
 * JmCgroupV1Whole:
 * @JM_CGROUP_V1_WHOLE_UNKNOWN: not looked yet
 * @JM_CGROUP_V1_WHOLE_NO: figures leave children out
 * @JM_CGROUP_V1_WHOLE_YES: figures include children
 *
 * Whether memory figures are of the whole subtree.
 */
typedef enum
{
  JM_CGROUP_V1_WHOLE_UNKNOWN,
  JM_CGROUP_V1_WHOLE_NO,
  JM_CGROUP_V1_WHOLE_YES,
} JmCgroupV1Whole;

/**
 * JmCgroupV1Memory:
 *
 * The memory figures of one cgroup.
 */
typedef struct
{
  JmCgroupFile files[JM_CGROUP_V1_MEMORY_N_FILES];
  JmCgroupV1Whole whole;
  gboolean had_children;
  JmCgroupMemoryStat *stat; /* of a job only */
} JmCgroupV1Memory;

void jm_cgroup_v1_memory_init (JmCgroupV1Memory *self, JmSubjectKind level);
void jm_cgroup_v1_memory_clear (JmCgroupV1Memory *self);
void jm_cgroup_v1_memory_read (JmCgroupV1Memory *self,
                               const JmDir *dir,
                               JmCgroupSweep *sweep,
                               gint64 now_us,
                               guint stat_interval_ms);

/**
 * JmCgroupV1EventTable:
 *
 * The files of such events, and which opened cgroup of a reader is below which.
 */
typedef struct _JmCgroupV1EventTable JmCgroupV1EventTable;

JmCgroupV1EventTable *jm_cgroup_v1_event_table_new (JmCgroupHugetlb *hugetlb);
void jm_cgroup_v1_event_table_free (JmCgroupV1EventTable *self);

/**
 * JmCgroupV1Events:
 *
 * The events of one opened cgroup. Version 2 counts an event in all cgroups above the
 * one where it happens. Version 1 does so with usage, but counts a process that the OOM
 * killer ended in the process's own cgroup, and a failed charge or a throttled period
 * in the cgroup with the limit: a job has the sum over its cgroups.
 *
 * https://docs.kernel.org/admin-guide/cgroup-v1/memory.html
 */
typedef struct _JmCgroupV1Events JmCgroupV1Events;

/* Both @table and @dirs outlive it. The opened cgroup next above it counts on it. */
JmCgroupV1Events *jm_cgroup_v1_events_new (JmCgroupV1EventTable *table,
                                           JmCgroupV1Dirs *dirs);

/* What it counted stays in the sums of those above it. */
void jm_cgroup_v1_events_free (JmCgroupV1Events *self);

/* Adds the sums over the cgroup and the opened ones below it. */
void jm_cgroup_v1_events_read (JmCgroupV1Events *self, JmCgroupSweep *sweep);

G_END_DECLS
