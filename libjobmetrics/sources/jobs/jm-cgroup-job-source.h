/* jm-cgroup-job-source.h: jobs that a scheduler keeps in cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-job-source.h"
#include "sources/jobs/jm-scheduler-definition.h"

G_BEGIN_DECLS

#define JM_TYPE_CGROUP_JOB_SOURCE (jm_cgroup_job_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmCgroupJobSource,
                      jm_cgroup_job_source,
                      JM,
                      CGROUP_JOB_SOURCE,
                      JmSource)

JM_AVAILABLE_IN_ALL
JmSchedulerDefinition *jm_cgroup_job_source_get_definition (JmCgroupJobSource *self);

JM_AVAILABLE_IN_ALL
const char *jm_cgroup_job_source_get_node_name (JmCgroupJobSource *self);

JM_AVAILABLE_IN_ALL
const char *jm_cgroup_job_source_get_cluster (JmCgroupJobSource *self);

G_END_DECLS
