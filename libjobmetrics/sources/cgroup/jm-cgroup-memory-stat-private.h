/* jm-cgroup-memory-stat-private.h: what a job's memory consists of, not too often
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-flat-order-private.h"
#include "sources/cgroup/jm-cgroup-file-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupMemoryStat:
 * @read_us: when memory.stat was read last, on the monotonic clock; 0 for never
 * @order: in which lines its keys stood
 * @found: bit n is set where @values [n] was there
 * @values: by the table of keys
 *
 * The last figures of one memory.stat: reading it makes the kernel flush its statistics
 * under a lock, so that it has an interval of its own.
 */
typedef struct
{
  gint64 read_us;
  JmFlatOrder order;
  guint64 found;
  guint64 values[JM_CGROUP_FIGURES_MAX];
} JmCgroupMemoryStat;

void jm_cgroup_memory_stat_refresh (JmCgroupMemoryStat *self,
                                    JmCgroupFile *file,
                                    JmCgroupSweep *sweep,
                                    const JmFlatKey *keys,
                                    guint n_keys,
                                    gint64 now_us,
                                    guint interval_ms);
void jm_cgroup_memory_stat_add (const JmCgroupMemoryStat *self,
                                JmCgroupSweep *sweep,
                                guint index,
                                JmMetric metric);

G_END_DECLS
