/* jm-cgroup-mounts-private.h: where the hierarchies of cgroups are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmCgroupController:
 *
 * Controllers of v1 whose files or processes are read; `systemd` is the hierarchy
 * without a controller in which systemd keeps its services.
 */
typedef enum
{
  JM_CGROUP_CPUACCT,
  JM_CGROUP_MEMORY,
  JM_CGROUP_CPU,
  JM_CGROUP_CPUSET,
  JM_CGROUP_BLKIO,
  JM_CGROUP_PIDS,
  JM_CGROUP_RDMA,
  JM_CGROUP_HUGETLB,
  JM_CGROUP_FREEZER,
  JM_CGROUP_SYSTEMD,
} JmCgroupController;

#define JM_CGROUP_N_CONTROLLERS (JM_CGROUP_SYSTEMD + 1)

/**
 * JmCgroupMounts:
 * @v1: by controller, the logical path of its mount; %NULL where it has none.
 *   Controllers of one hierarchy have the same path
 * @unified: the logical path of the mount of v2, or %NULL
 * @perf_event: that of v1 with perf's controller, which has no file to read, or %NULL
 *
 * The mounts of a host. What part of a hierarchy is mounted there does not matter: all
 * paths of cgroups are taken from the mount.
 */
typedef struct
{
  char *v1[JM_CGROUP_N_CONTROLLERS];
  char *unified;
  char *perf_event;
} JmCgroupMounts;

JmCgroupMounts *jm_cgroup_mounts_new (JmHost *host);
void jm_cgroup_mounts_free (JmCgroupMounts *self);

gboolean jm_cgroup_mounts_have_v1 (const JmCgroupMounts *self);
gboolean jm_cgroup_mounts_prefer_unified (const JmCgroupMounts *self, JmHost *host);

char *jm_cgroup_mounts_join (const char *mount, const char *path);
char *jm_cgroup_mounts_get_child (const char *path, const char *name);
void
jm_cgroup_mounts_set_error (JmHost *host, const char *path, int result, GError **error);
gboolean jm_cgroup_mounts_are_live (JmHost *host, const char *mount);
int jm_cgroup_mounts_list_children (JmHost *host,
                                    const char *dir,
                                    gboolean live,
                                    GHashTable *names);
guint64 jm_cgroup_mounts_get_inode (JmHost *host, const char *mount, const char *path);
char **jm_cgroup_mounts_steal_names (GHashTable *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupMounts, jm_cgroup_mounts_free)

G_END_DECLS
