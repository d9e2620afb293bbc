/* jm-job-identity-private.h: who a tracked job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-job-tracker-private.h"

G_BEGIN_DECLS

/* Learns who a job is, or more of it, while there is more to learn: from @runs what all
 * agree on, else from the job's cgroups; then it is told to @runs. @readings lend their
 * list of processes. */
void jm_job_identity_learn (JmTrackedJob *job,
                            JmCgroupReader *reader,
                            JmRunDirectory *runs,
                            JmReadings *readings);

G_END_DECLS
