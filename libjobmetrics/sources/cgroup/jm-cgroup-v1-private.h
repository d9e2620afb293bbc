/* jm-cgroup-v1-private.h: an opened cgroup of version 1
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric.h"
#include "sources/cgroup/jm-cgroup-v1-events-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupV1:
 *
 * An opened cgroup of version 1: the directories of one path in all hierarchies.
 */
typedef struct _JmCgroupV1 JmCgroupV1;

extern const JmCgroupHugetlbNames jm_cgroup_v1_hugetlb_names;

JmCgroupV1 *jm_cgroup_v1_new (JmCgroupContext *context,
                              const JmCgroupV1Layout *layout,
                              JmCgroupV1EventTable *events,
                              const char *path,
                              JmSubjectKind level,
                              GError **error);
void jm_cgroup_v1_free (JmCgroupV1 *self);

gboolean jm_cgroup_v1_read (JmCgroupV1 *self, JmReadings *readings, GError **error);
gboolean
jm_cgroup_v1_list_processes (JmCgroupV1 *self, JmReadings *readings, GError **error);

G_END_DECLS
