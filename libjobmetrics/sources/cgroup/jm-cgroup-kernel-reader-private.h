/* jm-cgroup-kernel-reader-private.h: what the readers of both versions share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-context-private.h"
#include "sources/cgroup/jm-cgroup-kernel-reader.h"

G_BEGIN_DECLS

/**
 * JmCgroupHierarchies:
 * @mounts: logical paths of the hierarchies; a cgroup is what has its path in any
 * @n_mounts: how many, at least one
 * @events_mount: (nullable): the one of version 2: it alone tells when a cgroup becomes
 *   empty
 * @hugetlb_names: what the files of huge pages are called there
 *
 * Where a version's cgroups are. The strings stay the reader's.
 */
typedef struct
{
  char *const *mounts;
  guint n_mounts;
  const char *events_mount;
  const JmCgroupHugetlbNames *hugetlb_names;
} JmCgroupHierarchies;

/* The last step of open (). Cgroups are closed before anything is finalized. */
void jm_cgroup_kernel_reader_start (JmCgroupKernelReader *self,
                                    const JmCgroupHierarchies *hierarchies);

JmCgroupContext *jm_cgroup_kernel_reader_get_context (JmCgroupKernelReader *self);

G_END_DECLS
