/* jm-job-tracker-private.h: the jobs of a node, from birth to oblivion
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/jm-tracked-job-private.h"
#include "sources/jobs/jm-job-source.h"
#include "sources/process/jm-process-source-private.h"

G_BEGIN_DECLS

/* The jobs of which something is new, or may be about to go. Each is looked at when
 * that is heard of, and again after ever longer pauses: its processes come a moment
 * after its cgroup, and what they have used is counted a moment after they ended. Times
 * are those of the monotonic clock. */
typedef struct _JmLookout JmLookout;

JmLookout *jm_lookout_new (void);
void jm_lookout_free (JmLookout *self);

/* Something happened to @job. It is looked at at once, unless that was done a moment
 * ago. */
void jm_lookout_add (JmLookout *self, JmTrackedJob *job, gint64 now_us);

/* It is gone, or there is nothing more to learn between two rounds. */
void jm_lookout_remove (JmLookout *self, JmTrackedJob *job);

/* One that is to be looked at now, or NULL. It comes again later, unless it was looked
 * at often enough. */
JmTrackedJob *jm_lookout_take (JmLookout *self, gint64 now_us);

/* Whether @job was looked at twice since something happened to it. */
gboolean jm_lookout_has_seen (const JmLookout *self, JmTrackedJob *job);

/* When the next is to be looked at; G_MAXINT64 where there is none. */
gint64 jm_lookout_get_next (const JmLookout *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLookout, jm_lookout_free)

typedef struct _JmJobTracker JmJobTracker;

JmJobTracker *jm_job_tracker_new (JmCgroupReader *reader,
                                  JmRunDirectory *runs,
                                  GPtrArray *sources,
                                  JmProcessSource *processes,
                                  JmSubjectKind deepest);
void jm_job_tracker_free (JmJobTracker *self);

/* Hears of births and deaths without looking at them yet: jobs of which something may
 * go are to be looked at first. Whether anything is to be looked at by a refresh. */
gboolean jm_job_tracker_hear (JmJobTracker *self);

/* The same in the midst of a round: those jobs are added to @jobs. */
gboolean jm_job_tracker_hear_of_jobs (JmJobTracker *self, GPtrArray *jobs);

/* Follows births and deaths of cgroups; @readings get what could not be listed. */
void jm_job_tracker_refresh (JmJobTracker *self, gint64 now_us, JmReadings *readings);

/* Marks the subjects of which cgroups may be unknown, and so processes, as of the last
 * refresh. */
void jm_job_tracker_mark_unlisted (JmJobTracker *self);

/* Looks afresh at a job that is listed but cannot be read: its cgroup may have gone and
 * come back. */
void jm_job_tracker_renew (JmJobTracker *self, JmTrackedJob *job, gint64 now_us);

/* Ends a job as of @end_us whose cgroups the scheduler left behind: they are no run of
 * it any more, unless another process comes into them. */
void jm_job_tracker_leave (JmJobTracker *self, JmTrackedJob *job, gint64 end_us);

/* The same, where the job has had no process for so long that it is over. It is asked
 * for once in a round. */
void jm_job_tracker_leave_empty (JmJobTracker *self,
                                 JmTrackedJob *job,
                                 gint64 now_us,
                                 JmReadings *readings);

/* One of the jobs that are to be looked at now, between two rounds, or NULL. */
JmTrackedJob *jm_job_tracker_take_due (JmJobTracker *self);

/* It was looked at: learns who it is, and leaves it at that once there is no more to be
 * learnt. */
void jm_job_tracker_meet (JmJobTracker *self, JmTrackedJob *job, JmReadings *readings);

/* When the next of them is due, by the monotonic clock; G_MAXINT64 for never. */
gint64 jm_job_tracker_get_next_look (const JmJobTracker *self);

/* Forgets subjects that ended before @before_us, but none whose end no snapshot has
 * had. */
void jm_job_tracker_expire (JmJobTracker *self, gint64 before_us);

/* The jobs in the order in which they were first seen, ended ones included. */
GPtrArray *jm_job_tracker_get_jobs (JmJobTracker *self);

JmCgroupReader *jm_job_tracker_get_reader (JmJobTracker *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobTracker, jm_job_tracker_free)

G_END_DECLS
