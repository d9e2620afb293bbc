/* jm-gpu-list-private.h: devices as schedulers and their jobs' variables list them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"

G_BEGIN_DECLS

/* What a bare number in a list means. */
typedef enum
{
  JM_GPU_NUMBERS_OF_SCHEDULER, /* the N-th device, as the scheduler numbers them */
  JM_GPU_NUMBERS_OF_DRIVER,    /* the device that is called so */
  JM_GPU_NUMBERS_OF_JOB,       /* nothing: within a job devices are numbered anew */
} JmGpuNumbers;

/* Adds the devices of a list to @grants, each whole: `0,1`, `0-3`, `0.3`,
 * `GPU-8f6d0a52-...`, `MIG-...`, `MIG-GPU-.../1/0`, `0000:3b:00.0`, `/dev/nvidia0`,
 * `gpu:a100:2(IDX:0,3)`. A count of devices, such as `gpu:2`, names none.
 *
 * Returns: %FALSE where some of it is no device; the others are added */
gboolean jm_gpu_list_take (const char *text,
                           JmGpuNumbers numbers,
                           JmGpuOrigin origin,
                           JmGpuGrants *grants);

G_END_DECLS
