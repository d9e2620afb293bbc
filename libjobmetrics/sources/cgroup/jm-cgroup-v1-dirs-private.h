/* jm-cgroup-v1-dirs-private.h: the directories of one cgroup of version 1
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-dir-private.h"
#include "sources/cgroup/jm-cgroup-context-private.h"
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

G_END_DECLS
