/* jm-gpu-report.h: what accelerators do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"
#include "core/jm-labels.h"
#include "core/jm-metric.h"

G_BEGIN_DECLS

/**
 * JmGpuReport:
 *
 * The table that a library of accelerators fills: which devices there are, what each
 * does, and which processes use it. Shared by reference; nobody changes it once it was
 * handed on.
 *
 * Since: 0.1
 */
typedef struct _JmGpuReport JmGpuReport;

#define JM_TYPE_GPU_REPORT (jm_gpu_report_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_gpu_report_get_type (void);

JM_AVAILABLE_IN_ALL
JmGpuReport *jm_gpu_report_new (void);

JM_AVAILABLE_IN_ALL
JmGpuReport *jm_gpu_report_ref (JmGpuReport *self);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_unref (JmGpuReport *self);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_add_device (JmGpuReport *self, JmGpu *gpu);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_add (JmGpuReport *self, JmMetric metric, guint64 value);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_add_labelled (JmGpuReport *self,
                                 JmMetric metric,
                                 JmLabels *labels,
                                 guint64 value);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_add_process (JmGpuReport *self,
                                guint pid,
                                gint64 memory_bytes,
                                gint64 utilization_ppm);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_add_error (JmGpuReport *self, const GError *error);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_set_age (JmGpuReport *self, guint64 age_us);

JM_AVAILABLE_IN_ALL
guint jm_gpu_report_get_n_devices (JmGpuReport *self);

JM_AVAILABLE_IN_ALL
JmGpu *jm_gpu_report_get_device (JmGpuReport *self, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuReport, jm_gpu_report_unref)

G_END_DECLS
