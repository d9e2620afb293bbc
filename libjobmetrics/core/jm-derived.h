/* jm-derived.h: what follows from a snapshot's figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-version-macros.h"
#include "core/jm-figure.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_age (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_efficiency (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure
jm_derived_compute_efficiency (JmFigure cpu_time, JmFigure cpus, JmFigure elapsed);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_compute_coverage (JmFigure covered, JmFigure age);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_memory_share (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_start_time (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_end_time (JmSnapshot *snapshot, guint subject);

/**
 * JmGpuState:
 * @JM_GPU_STATE_FREE: no job was given it, and none uses it
 * @JM_GPU_STATE_BUSY: it works for a job that was given it
 * @JM_GPU_STATE_IDLE: a job was given it, and it does nothing now
 * @JM_GPU_STATE_GIVEN: a job was given it, and its use is unknown
 * @JM_GPU_STATE_TAKEN: a job uses it, and none was given it
 * @JM_GPU_STATE_SPLIT: it is divided into instances, which have states of their own
 * @JM_GPU_STATE_LOST: it could not be read
 *
 * Whether an accelerator is given to jobs, and does something.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_GPU_STATE_FREE,
  JM_GPU_STATE_BUSY,
  JM_GPU_STATE_IDLE,
  JM_GPU_STATE_GIVEN,
  JM_GPU_STATE_TAKEN,
  JM_GPU_STATE_SPLIT,
  JM_GPU_STATE_LOST,
} JmGpuState;

/**
 * JM_N_GPU_STATES:
 *
 * How many #JmGpuState there are.
 *
 * Since: 0.1
 */
#define JM_N_GPU_STATES (JM_GPU_STATE_LOST + 1)

JM_AVAILABLE_IN_ALL
const char *jm_gpu_state_get_name (JmGpuState state);

JM_AVAILABLE_IN_ALL
const char *jm_gpu_state_get_help (JmGpuState state);

JM_AVAILABLE_IN_ALL
JmGpuState jm_derived_get_gpu_state (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
GArray *jm_derived_list_gpu_jobs (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
GArray *jm_derived_list_gpu_tree (JmSnapshot *snapshot);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_gpu_utilization (JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
JmFigure jm_derived_get_gpu_memory_used (JmSnapshot *snapshot, guint subject);

G_END_DECLS
