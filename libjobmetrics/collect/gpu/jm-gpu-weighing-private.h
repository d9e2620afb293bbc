/* jm-gpu-weighing-private.h: what follows of all that is said of jobs and accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/gpu/jm-gpu-job-private.h"

G_BEGIN_DECLS

/* Makes the holds of all living jobs (JmGpuJob) of the words and uses of each, on a
 * node of @n_gpus devices.
 *
 * - The most reliable who says anything of a job's devices decides what it was given.
 * - The driver proves use, never that a device was given.
 * - An environment, which its user can change, is not believed of a device that another
 *   job has by a hook or its cgroup; nor at all where the driver shows the job on
 *   devices that the environment does not name.
 * - Shares of a device that add up to more than it are cut down alike: of n jobs that
 *   have it whole each has 1/n. */
void jm_gpu_jobs_weigh (const GPtrArray *jobs, guint n_gpus);

G_END_DECLS
