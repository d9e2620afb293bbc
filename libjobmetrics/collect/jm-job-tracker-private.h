/* jm-job-tracker-private.h: the jobs of a node, from birth to oblivion
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-tracked-job-private.h"
#include "sources/jobs/jm-job-source.h"
#include "sources/process/jm-process-source.h"

G_BEGIN_DECLS

typedef struct _JmJobTracker JmJobTracker;

JmJobTracker *jm_job_tracker_new (JmCgroupReader *reader,
                                  JmRunDirectory *runs,
                                  GPtrArray *sources,
                                  JmProcessSource *processes,
                                  JmSubjectKind deepest);
void jm_job_tracker_free (JmJobTracker *self);

/* Follows births and deaths of cgroups; what could not be listed is told to @readings. */
void jm_job_tracker_refresh (JmJobTracker *self, gint64 now_us, JmReadings *readings);

/* Looks afresh at a job that is listed but cannot be read: its cgroup may have gone and
 * come back. */
void jm_job_tracker_renew (JmJobTracker *self, JmTrackedJob *job, gint64 now_us);

/* Forgets subjects that ended before @before_us. */
void jm_job_tracker_expire (JmJobTracker *self, gint64 before_us);

/* The jobs in the order in which they were first seen, ended ones included. */
GPtrArray *jm_job_tracker_get_jobs (JmJobTracker *self);

JmCgroupReader *jm_job_tracker_get_reader (JmJobTracker *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobTracker, jm_job_tracker_free)

G_END_DECLS
