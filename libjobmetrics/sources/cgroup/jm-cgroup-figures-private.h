/* jm-cgroup-figures-private.h: figures that more than one version of cgroups has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-file-private.h"
#include "sources/cgroup/jm-cgroup-labels-private.h"

G_BEGIN_DECLS

void jm_cgroup_add_unified_cpu_stat (JmCgroupFile *file, JmCgroupSweep *sweep);
guint jm_cgroup_count_cpus (JmCgroupFile *file, JmCgroupSweep *sweep, GString *text);
void jm_cgroup_add_pressure (JmCgroupFile *file,
                             JmCgroupSweep *sweep,
                             JmMetric some,
                             JmMetric full);
void jm_cgroup_add_rdma (JmCgroupFile *file,
                         JmCgroupSweep *sweep,
                         GString *text,
                         JmCgroupLabels *labels);
void jm_cgroup_add_blkio (JmCgroupFile *file,
                          JmCgroupSweep *sweep,
                          GString *text,
                          JmCgroupLabels *labels,
                          JmMetric reads,
                          JmMetric writes);
gboolean jm_cgroup_add_processes (JmFile *file,
                                  JmReadings *readings,
                                  GString *text,
                                  GError **error);

G_END_DECLS
