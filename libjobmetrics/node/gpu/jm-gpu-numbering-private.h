/* jm-gpu-numbering-private.h: the numbers of devices, and which are whose
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-grants-private.h"
#include "node/gpu/jm-gpu-job-private.h"
#include "node/gpu/jm-gpu-roll-private.h"

G_BEGIN_DECLS

/* Finds the devices of a roll as schedulers, drivers and users call them. */
typedef struct _JmGpuNumbering JmGpuNumbering;

/* @order: names of devices as the scheduler numbers them, or NULL: as the roll has
 * them, with the instances of a device in its place. */
JmGpuNumbering *jm_gpu_numbering_new (JmGpuRoll *roll, const char *const *order);
void jm_gpu_numbering_free (JmGpuNumbering *self);

/* Looks at the roll in each round.
 *
 * Returns: whether other devices are there than in the round before */
gboolean jm_gpu_numbering_refresh (JmGpuNumbering *self);

/* Whether anything is there at all, and whether it is known which the scheduler's
 * numbers mean: not where there are devices of several makers and no order is given. */
gboolean jm_gpu_numbering_is_empty (JmGpuNumbering *self);
gboolean jm_gpu_numbering_is_clear (JmGpuNumbering *self);

/* Which numbers are in doubt, as a sentence: where no order is given, and the device
 * files have another one than the driver. NULL where none is. */
char *jm_gpu_numbering_find_doubt (JmGpuNumbering *self);

/* The device, or JM_NO_GPU. */
guint jm_gpu_numbering_find (JmGpuNumbering *self, const JmGpuGrant *grant);

/* Whether a device is there that is made up of instances. */
gboolean jm_gpu_numbering_is_divided (JmGpuNumbering *self, guint gpu);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuNumbering, jm_gpu_numbering_free)

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
