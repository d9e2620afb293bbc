/* jm-cgroup-v2-private.h: an opened cgroup of version 2
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric.h"
#include "sources/cgroup/jm-cgroup-context-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupV2:
 *
 * An opened cgroup of version 2.
 */
typedef struct _JmCgroupV2 JmCgroupV2;

extern const JmCgroupHugetlbNames jm_cgroup_v2_hugetlb_names;

JmCgroupV2 *jm_cgroup_v2_new (JmCgroupContext *context,
                              const char *dir,
                              JmSubjectKind level,
                              GError **error);
void jm_cgroup_v2_free (JmCgroupV2 *self);

gboolean jm_cgroup_v2_read (JmCgroupV2 *self, JmReadings *readings, GError **error);
gboolean
jm_cgroup_v2_list_processes (JmCgroupV2 *self, JmReadings *readings, GError **error);

G_END_DECLS
