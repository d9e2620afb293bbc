/* jm-tracked-job-private.h: a job that is on display, its cgroups and its subjects
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-account-private.h"
#include "collect/gpu/jm-gpu-job-private.h"
#include "collect/jm-job-identity-private.h"
#include "collect/jm-tracked-cgroup-private.h"
#include "collect/jm-tracked-subject-private.h"
#include "collect/ledger/jm-job-history-private.h"

G_BEGIN_DECLS

/* Takes @identity over; @group is the job's number in the process table. */
JmTrackedJob *jm_tracked_job_new (JmJobIdentity *identity, guint group);
void jm_tracked_job_free (JmTrackedJob *self);

JmJobIdentity *jm_tracked_job_get_identity (const JmTrackedJob *self);
JmTrackedSubject *jm_tracked_job_get_subject (const JmTrackedJob *self);

/* Who it is, as far as is known; NULL as long as it cannot be shown. */
JmJob *jm_tracked_job_get_job (const JmTrackedJob *self);

/* Asks on who it is, until that is decided. */
void jm_tracked_job_learn (JmTrackedJob *self,
                           JmCgroupReader *reader,
                           JmRunDirectory *runs,
                           JmReadings *readings);

/* Those of its cgroups that are open. */
JmTrackedCgroup *jm_tracked_job_get_cgroup (const JmTrackedJob *self, guint i);
void jm_tracked_job_add_cgroup (JmTrackedJob *self, JmTrackedCgroup *cgroup);
void jm_tracked_job_remove_cgroup (JmTrackedJob *self,
                                   JmTrackedCgroup *cgroup,
                                   gint64 now_us);

/* Looks at its processes, for whoever watches for their end, and asks them who it is,
 * as long as their cgroups alone tell that. */
void jm_tracked_job_meet (JmTrackedJob *self,
                          JmCgroupReader *reader,
                          JmRunDirectory *runs,
                          JmReadings *readings);

/* Whether there is nothing more to learn of it before the next round. */
gboolean jm_tracked_job_is_met (const JmTrackedJob *self);

/* Whether it had processes, and has none any more. */
gboolean jm_tracked_job_is_deserted (const JmTrackedJob *self,
                                     JmCgroupReader *reader,
                                     JmReadings *readings);

/* Whether those who listed its processes last found none. */
gboolean jm_tracked_job_looks_empty (const JmTrackedJob *self);

/* Since which round it has had no process, or 0. */
gint64 jm_tracked_job_find_empty_time (JmTrackedJob *self,
                                       JmCgroupReader *reader,
                                       JmReadings *readings,
                                       gint64 now_us);

/* A cgroup of it went before it could be opened. */
void jm_tracked_job_miss (JmTrackedJob *self);

/* Of a job all of whose cgroups did. */
gboolean jm_tracked_job_was_missed (const JmTrackedJob *self);

/* Counts rounds in a row that could not read it, though it is listed. */
void jm_tracked_job_count_round (JmTrackedJob *self, gboolean is_read);
guint jm_tracked_job_get_n_lost (const JmTrackedJob *self);

/* Where its energy account is, NULL until it had a share in a round. */
JmEnergyAccount **jm_tracked_job_get_energy (JmTrackedJob *self);

/* Where its accelerators are, NULL until somebody was asked about them. */
JmGpuJob **jm_tracked_job_get_gpus (JmTrackedJob *self);

/* Where what it did so far is, NULL until somebody keeps that. */
JmJobHistory **jm_tracked_job_get_history (JmTrackedJob *self);

G_END_DECLS
