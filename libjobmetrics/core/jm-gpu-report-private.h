/* jm-gpu-report-private.h: a report of accelerators, for those who read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"
#include "core/jm-readings-private.h"

G_BEGIN_DECLS

/* A process that has a context on a device. */
typedef struct
{
  guint pid;
  gint64 memory_bytes;    /* -1 where it is not known */
  gint64 utilization_ppm; /* the same */
} JmGpuProcess;

/* What a library has seen of a device since it met it: it goes on from answer to
 * answer, so that no answer is lost on those who read some of them only. */
typedef struct
{
  gint64 seen_us;      /* for how long its utilization was known */
  gint64 busy_us;      /* of that */
  guint64 energy_uj;   /* by its power; of a device that counts energy itself, none */
  gboolean has_energy; /* so that there is such */
} JmGpuSums;

/* No device reaches these: registers and fields without a value do. */
#define JM_GPU_MAX_POWER_UW G_GUINT64_CONSTANT (10000000000)
#define JM_GPU_MAX_CLOCK_HZ G_GUINT64_CONSTANT (100000000000)
#define JM_GPU_MAX_TEMPERATURE_MC G_GUINT64_CONSTANT (200000)

/* As jm_gpu_report_add_value() and jm_gpu_report_add_labelled_value() do. */
void jm_gpu_report_add (JmGpuReport *self, JmMetric metric, guint64 value);
void jm_gpu_report_add_labelled (JmGpuReport *self,
                                 JmMetric metric,
                                 JmLabels *labels,
                                 guint64 value);

/* A device's figures; their subject is no one's yet. */
const JmReading *
jm_gpu_report_get_readings (JmGpuReport *self, guint i, guint *n_readings);
const JmReading *jm_gpu_report_find (JmGpuReport *self, guint i, JmMetric metric);
/* Puts another value in place of that of a figure without labels, where there is one.
 */
void jm_gpu_report_replace (JmGpuReport *self, guint i, JmMetric metric, guint64 value);
/* Of the time since the answer before, how much the utilization of the device that is
 * being added covers; G_MAXINT64 for all of it, unless it is set. */
void jm_gpu_report_set_covered (JmGpuReport *self, gint64 covered_us);
gint64 jm_gpu_report_get_covered (JmGpuReport *self, guint i);
/* The same device's; NULL unless they are set. */
void jm_gpu_report_set_sums (JmGpuReport *self, const JmGpuSums *sums);
const JmGpuSums *jm_gpu_report_get_sums (JmGpuReport *self, guint i);
const JmGpuProcess *
jm_gpu_report_get_processes (JmGpuReport *self, guint i, guint *n_processes);

/* Why a figure of the device is missing, or NULL. */
const GError *jm_gpu_report_get_error (JmGpuReport *self, guint i);

/* Why a device is missing, or NULL. */
const GError *jm_gpu_report_get_own_error (JmGpuReport *self);

guint64 jm_gpu_report_get_age (JmGpuReport *self);

/* Adds the devices of another report, with all that it has of them. */
void jm_gpu_report_append (JmGpuReport *self, JmGpuReport *other);

/* Forgets everything. */
void jm_gpu_report_reset (JmGpuReport *self);

JmGpuReport *jm_gpu_report_ref (JmGpuReport *self);

G_END_DECLS
