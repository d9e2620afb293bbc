/* jm-cgroup-v1-memory-private.h: the memory controller of version 1
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-memory-stat-private.h"

G_BEGIN_DECLS

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

G_END_DECLS
