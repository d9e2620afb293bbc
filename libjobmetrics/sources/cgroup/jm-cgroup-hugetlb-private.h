/* jm-cgroup-hugetlb-private.h: the hugetlb controller's files, by page size
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-file-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupHugetlbNames:
 * @used: bytes in use
 * @peak: (nullable): most bytes ever in use
 * @limit: hard limit
 * @events: (nullable): failed allocations, as the key `max`
 *
 * What follows `hugetlb.SIZE.` in the names of files.
 */
typedef struct
{
  const char *used;
  const char *peak;
  const char *limit;
  const char *events;
} JmCgroupHugetlbNames;

/**
 * JmCgroupHugetlb:
 *
 * The page sizes of a host and the names of their files.
 */
typedef struct _JmCgroupHugetlb JmCgroupHugetlb;

JmCgroupHugetlb *jm_cgroup_hugetlb_new (JmHost *host,
                                        const JmCgroupHugetlbNames *names);
void jm_cgroup_hugetlb_free (JmCgroupHugetlb *self);

/* As the values of labels; NULL behind the last. */
JmLabels *jm_cgroup_hugetlb_get_page_size (JmCgroupHugetlb *self, guint i);
guint jm_cgroup_hugetlb_get_n_files (JmCgroupHugetlb *self);
void jm_cgroup_hugetlb_read (JmCgroupHugetlb *self,
                             JmCgroupFile *files,
                             const JmDir *dir,
                             JmCgroupSweep *sweep);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupHugetlb, jm_cgroup_hugetlb_free)

G_END_DECLS
