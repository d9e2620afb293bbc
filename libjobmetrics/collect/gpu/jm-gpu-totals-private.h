/* jm-gpu-totals-private.h: what a job made of each of its accelerators so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"

G_BEGIN_DECLS

/* Of each device, by its name: for how long it was busy for the job and watched, and
 * how much of its memory the job had at most. */
typedef struct _JmGpuTotals JmGpuTotals;

/* When a figure is from. */
typedef struct
{
  guint round;      /* the number of the round; one is left out where time was lost */
  gint64 round_us;  /* when it read the devices, by the monotonic clock */
  gint64 answer_us; /* when the library asked the device for the figure */
} JmGpuMoment;

JmGpuTotals *jm_gpu_totals_new (void);
void jm_gpu_totals_free (JmGpuTotals *self);

/* How busy the device was for the job, as was read. What the device did counts from
 * answer to answer, where every round between the two had one: what a library asked
 * before the job was seen on the device is of somebody else, and of a gap is nothing
 * known. */
void jm_gpu_totals_take_use (JmGpuTotals *self,
                             const char *name,
                             gint64 utilization_ppm,
                             const JmGpuMoment *moment);

/* How much of the device's memory the job had, and how much there is, -1 where that is
 * not told. */
void jm_gpu_totals_take_memory (JmGpuTotals *self,
                                const char *name,
                                gint64 used_bytes,
                                gint64 size_bytes,
                                const JmGpuMoment *moment);

/* Tells what is known of a device; of a job that has ended also the size of its memory,
 * which of others the library tells. */
void jm_gpu_totals_tell (const JmGpuTotals *self,
                         const char *name,
                         gboolean has_ended,
                         JmReadings *readings);

/* For the program that comes after. NULL where nothing has changed since it was asked
 * for last. */
GBytes *jm_gpu_totals_save (JmGpuTotals *self);

/* NULL for what is none. */
JmGpuTotals *jm_gpu_totals_restore (GBytes *bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuTotals, jm_gpu_totals_free)

G_END_DECLS
