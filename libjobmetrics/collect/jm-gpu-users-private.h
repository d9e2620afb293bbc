/* jm-gpu-users-private.h: whose a process is that the driver lists
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-job-tracker-private.h"

G_BEGIN_DECLS

/* Finds the jobs of the few processes that use accelerators: the kernel is asked for
 * the cgroup of each, rather than for the processes of each cgroup. */
typedef struct _JmGpuUsers JmGpuUsers;

JmGpuUsers *jm_gpu_users_new (JmHost *host);
void jm_gpu_users_free (JmGpuUsers *self);

/* Begins a round: @trackers and @readings are used until the next one begins. */
void jm_gpu_users_begin_round (JmGpuUsers *self,
                               const GPtrArray *trackers,
                               JmReadings *readings);

/* The living job of a process, or NULL. */
JmTrackedJob *jm_gpu_users_find (JmGpuUsers *self, guint pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuUsers, jm_gpu_users_free)

G_END_DECLS
