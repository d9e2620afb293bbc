/* jmc-cgroup-hierarchy.h: where a cgroup hierarchy is mounted, and where in it we are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* JmcCgroupHierarchy:
 * @mount_point: where it is mounted
 * @root: the cgroup that is seen at the mount point, `/` for all
 * @controllers: names of the v1 controllers; NULL for cgroup v2
 * @own: our own cgroup, as a path in the file system; NULL where it is not in sight */
typedef struct
{
  char *mount_point;
  char *root;
  char **controllers;
  char *own;
} JmcCgroupHierarchy;

void jmc_cgroup_hierarchy_free (JmcCgroupHierarchy *self);
gboolean jmc_cgroup_hierarchy_is_v2 (const JmcCgroupHierarchy *self);
gboolean jmc_cgroup_hierarchy_has (const JmcCgroupHierarchy *self,
                                   const char *controller);
GPtrArray *jmc_cgroup_hierarchy_parse_mounts (const char *mountinfo);
void jmc_cgroup_hierarchy_locate (GPtrArray *hierarchies, const char *cgroups);
GPtrArray *jmc_cgroup_hierarchy_list (JmHost *host, GError **error);
const JmcCgroupHierarchy *jmc_cgroup_hierarchy_find (GPtrArray *hierarchies,
                                                     const char *controller);

G_END_DECLS
