/* jm-job-identity-private.h: who a job is, as it is learnt
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-run-directory-private.h"
#include "collect/jm-tracked-cgroup-private.h"
#include "core/jm-readings.h"
#include "sources/jobs/jm-job-source.h"

G_BEGIN_DECLS

/* Who a job is: asked of @source, which finds it at @place, until it is decided. */
typedef struct _JmJobIdentity JmJobIdentity;

/* What it is learnt from. */
typedef struct
{
  JmCgroupReader *reader;
  const GPtrArray *cgroups; /* of JmTrackedCgroup: those that are open */
  JmRunDirectory *runs;     /* what all agree on; they are told too */
  JmReadings *readings;     /* lend their list of processes */
  gboolean has_ended;
  gboolean was_missed; /* a cgroup of it went before it could be opened */
} JmJobEvidence;

/* A job @is_older that ran before anybody looked, so that its steps are there. */
JmJobIdentity *
jm_job_identity_new (JmJobSource *source, JmPlace *place, gboolean is_older);
void jm_job_identity_free (JmJobIdentity *self);

/* It ended, and its cgroups are still there: they are no run before a process is in
 * them. */
void jm_job_identity_set_left (JmJobIdentity *self);

gboolean
jm_job_identity_is_of (const JmJobIdentity *self, JmJobSource *source, JmPlace *place);
JmJobSource *jm_job_identity_get_source (const JmJobIdentity *self);

/* What it is asked by once its cgroups are gone, and the key of its run: taken of the
 * first that is told. */
void jm_job_identity_set_cgroup (JmJobIdentity *self,
                                 const JmTrackedCgroup *cgroup,
                                 JmCgroupReader *reader,
                                 JmRunDirectory *runs);

/* Whether @path is that of its first cgroup, and another one than it was. */
gboolean jm_job_identity_is_replaced (const JmJobIdentity *self,
                                      const char *path,
                                      JmCgroupReader *reader);

/* Learns more, while there is more to learn. */
void jm_job_identity_learn (JmJobIdentity *self, const JmJobEvidence *evidence);

/* As long as it is known by its path alone, or in part. */
gboolean jm_job_identity_is_vague (const JmJobIdentity *self);

/* A round begins. */
void jm_job_identity_count_round (JmJobIdentity *self);

/* There is a new cgroup to ask. */
void jm_job_identity_ask_again (JmJobIdentity *self);

/* NULL as long as its id is not known. */
JmJob *jm_job_identity_get_job (const JmJobIdentity *self);

/* NULL where the machine does not tell one. */
const char *jm_job_identity_get_run_key (const JmJobIdentity *self);

G_END_DECLS
