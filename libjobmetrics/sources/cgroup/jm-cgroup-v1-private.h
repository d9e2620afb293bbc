/* jm-cgroup-v1-private.h: an opened cgroup of version 1
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric.h"
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

/**
 * JmCgroupV1:
 *
 * An opened cgroup of version 1: the directories of one path in all hierarchies.
 */
typedef struct _JmCgroupV1 JmCgroupV1;

extern const JmCgroupHugetlbNames jm_cgroup_v1_hugetlb_names;

JmCgroupV1 *jm_cgroup_v1_new (JmCgroupContext *context,
                              const JmCgroupV1Layout *layout,
                              const char *path,
                              JmSubjectKind level,
                              GError **error);
void jm_cgroup_v1_free (JmCgroupV1 *self);

gboolean jm_cgroup_v1_read (JmCgroupV1 *self, JmReadings *readings, GError **error);
gboolean
jm_cgroup_v1_list_processes (JmCgroupV1 *self, JmReadings *readings, GError **error);

G_END_DECLS
