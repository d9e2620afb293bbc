/* jm-gpu-levels-private.h: what an accelerator does between two readings
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report-private.h"

G_BEGIN_DECLS

/* Time between two looks at levels. What repeats every 0.3 s, the fastest that drivers'
 * own averages show, is then seen several times. */
#define JM_GPU_LOOK_US (G_USEC_PER_SEC / 10)
#define JM_GPU_N_LEVELS 2

/* Looks since the last reading. */
typedef struct
{
  double sum;
  guint n;
} JmGpuLevel;

/* The means of one device's levels, and their sums since it is known; all 0 at first.
 */
typedef struct
{
  gint64 read_us; /* when it was read last, by the monotonic clock; 0 before */
  JmGpuLevel levels[JM_GPU_N_LEVELS];
  JmGpuSums sums;
  guint64 remainder_pj; /* of the sum of energy */
  gboolean has_counter; /* of energy */
} JmGpuLevels;

/* Whether a figure goes up and down between two readings, so that looks read it. */
gboolean jm_gpu_is_level (JmMetric metric);

/* Takes a look, a report of the device alone; FALSE where that has no level. */
gboolean jm_gpu_levels_add (JmGpuLevels *self, JmGpuReport *report);

/* Takes a reading: what it has of levels becomes the mean of what was seen since the
 * reading before, and it gets the sums. */
void jm_gpu_levels_take (JmGpuLevels *self, JmGpuReport *report);

/* Of a device that does not answer: of the time until it does, nothing is known. */
void jm_gpu_levels_break (JmGpuLevels *self);

G_END_DECLS
