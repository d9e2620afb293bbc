/* jm-cgroup-job-source-private.h: what only our own files ask of a job source
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-job-inquiry-private.h"
#include "sources/jobs/jm-job-source.h"
#include "sources/jobs/jm-scheduler-definition-private.h"

G_BEGIN_DECLS

#define JM_TYPE_CGROUP_JOB_SOURCE (jm_cgroup_job_source_get_type ())

G_DECLARE_FINAL_TYPE (JmCgroupJobSource,
                      jm_cgroup_job_source,
                      JM,
                      CGROUP_JOB_SOURCE,
                      JmSource)

JmSchedulerDefinition *jm_cgroup_job_source_get_definition (JmCgroupJobSource *self);

/* @spool is asked from here on; @destroy frees @user_data. */
void jm_cgroup_job_source_set_spool (JmCgroupJobSource *self,
                                     const JmJobSpool *spool,
                                     gpointer user_data,
                                     GDestroyNotify destroy);

gboolean jm_cgroup_job_source_is_over_when_empty (JmJobSource *source);

G_END_DECLS
