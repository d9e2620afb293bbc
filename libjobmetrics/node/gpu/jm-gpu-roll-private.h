/* jm-gpu-roll-private.h: the accelerators of a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report-private.h"
#include "sources/gpu/jm-gpu-mapper.h"

G_BEGIN_DECLS

/* The accelerators of a node, put together of what several libraries report: one device
 * is one, whoever reports it. A device keeps its number as long as the roll lives. */
typedef struct _JmGpuRoll JmGpuRoll;

#define JM_NO_GPU G_MAXUINT

JmGpuRoll *jm_gpu_roll_new (void);
void jm_gpu_roll_free (JmGpuRoll *self);

/* Of which all report the same devices, the first is believed. */
void jm_gpu_roll_add_library (JmGpuRoll *self, const char *name, JmGpuMapper *library);
gboolean jm_gpu_roll_is_empty (JmGpuRoll *self);
void jm_gpu_roll_wait (JmGpuRoll *self, gint64 timeout_us);

/* Asks every library. What the node exports of them goes to @readings. */
void jm_gpu_roll_read (JmGpuRoll *self, JmReadings *readings);

/* All that were ever seen, by number; an instance has a higher one than its parent. */
guint jm_gpu_roll_get_size (JmGpuRoll *self);
JmGpu *jm_gpu_roll_get_gpu (JmGpuRoll *self, guint gpu);
/* Its name, as labels of its own. */
JmLabels *jm_gpu_roll_get_labels (JmGpuRoll *self, guint gpu);
/* Whether some library reported it in this round. */
gboolean jm_gpu_roll_is_present (JmGpuRoll *self, guint gpu);
/* The number that the round's subject of it has; 0 before it is set in a round. */
void jm_gpu_roll_set_subject (JmGpuRoll *self, guint gpu, guint subject);
guint jm_gpu_roll_get_subject (JmGpuRoll *self, guint gpu);
/* The device that it is an instance of, or JM_NO_GPU. */
guint jm_gpu_roll_get_parent (JmGpuRoll *self, guint gpu);

/* Its value in this round, or -1. */
gint64 jm_gpu_roll_get_value (JmGpuRoll *self, guint gpu, JmMetric metric);
/* When its library asked the device for that, by the monotonic clock; 0 where nothing
 * is reported. */
gint64 jm_gpu_roll_get_time (JmGpuRoll *self, guint gpu, JmMetric metric);
/* How busy it was since the answer that a round before had, millionths; -1 if unknown.
 * @covered_us is how much of the time it covers at most. */
gint64 jm_gpu_roll_get_use (JmGpuRoll *self, guint gpu, gint64 *covered_us);
/* All but its counter of energy, whose beginning is the driver's: the energy accounts
 * export that. */
void jm_gpu_roll_tell (JmGpuRoll *self, guint gpu, JmReadings *readings);
/* The figures that a job has too which holds the whole device, but for those that are a
 * job's own anyway: its processes, power and energy. */
void jm_gpu_roll_tell_of_job (JmGpuRoll *self, guint gpu, JmReadings *readings);
/* Whether heat or the hardware itself holds the device's clocks back, and when that was
 * asked; -1 where it is unknown. */
gint64 jm_gpu_roll_get_throttle (JmGpuRoll *self, guint gpu, gint64 *answer_us);
/* The counters of errors of a device, as its libraries have them: of JmReading,
 * appended. */
void jm_gpu_roll_list_errors (JmGpuRoll *self, guint gpu, GArray *errors);
const JmGpuProcess *
jm_gpu_roll_get_processes (JmGpuRoll *self, guint gpu, guint *n_processes);
/* When its library asked for those; 0 without any. */
gint64 jm_gpu_roll_get_processes_time (JmGpuRoll *self, guint gpu);
/* By which it is known again, over a restart too: its uuid, else its name. */
const char *jm_gpu_roll_get_key (JmGpuRoll *self, guint gpu);

/* By name, uuid, PCI address or MAJOR:MINOR; JM_NO_GPU where there is none. */
guint jm_gpu_roll_find (JmGpuRoll *self, const char *device);
/* The whole device that a library gives that number. */
guint jm_gpu_roll_find_of_library (JmGpuRoll *self, gpointer library, guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuRoll, jm_gpu_roll_free)

G_END_DECLS
