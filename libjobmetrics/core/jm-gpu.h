/* jm-gpu.h: who an accelerator is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-labels.h"
#include "core/jm-metric.h"
#include "core/jm-quantity.h"

G_BEGIN_DECLS

/**
 * JmGpu:
 *
 * An accelerator of a node, or an instance (MIG) of one: what it is, not what it does.
 * Immutable and shared by reference.
 *
 * Since: 0.1
 */
typedef struct _JmGpu JmGpu;

#define JM_TYPE_GPU (jm_gpu_get_type ())

/**
 * JmGpuField:
 * @JM_GPU_FIELD_UUID: the name that its maker gave to this very device
 * @JM_GPU_FIELD_MODEL: the model, such as `NVIDIA H100 80GB HBM3`
 * @JM_GPU_FIELD_VENDOR: the maker: `nvidia`, `amd` or `intel`
 * @JM_GPU_FIELD_PCI_ADDRESS: where it sits, such as `0000:3b:00.0`
 * @JM_GPU_FIELD_PARENT: name of the device that an instance is a part of
 * @JM_GPU_FIELD_PROFILE: the kind of an instance, such as `1g.10gb`
 * @JM_GPU_FIELD_DRIVER_VERSION: version of the driver
 *
 * What is known of an accelerator in words.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_GPU_FIELD_UUID,
  JM_GPU_FIELD_MODEL,
  JM_GPU_FIELD_VENDOR,
  JM_GPU_FIELD_PCI_ADDRESS,
  JM_GPU_FIELD_PARENT,
  JM_GPU_FIELD_PROFILE,
  JM_GPU_FIELD_DRIVER_VERSION,
} JmGpuField;

/**
 * JM_N_GPU_FIELDS:
 *
 * How many #JmGpuField there are.
 *
 * Since: 0.1
 */
#define JM_N_GPU_FIELDS (JM_GPU_FIELD_DRIVER_VERSION + 1)

JM_AVAILABLE_IN_ALL
const char *jm_gpu_field_get_name (JmGpuField field);

JM_AVAILABLE_IN_ALL
GType jm_gpu_get_type (void);

JM_AVAILABLE_IN_ALL
JmGpu *jm_gpu_new (const char *name, guint index);

JM_AVAILABLE_IN_ALL
void jm_gpu_unref (JmGpu *self);

JM_AVAILABLE_IN_ALL
const char *jm_gpu_get_name (JmGpu *self);

JM_AVAILABLE_IN_ALL
guint jm_gpu_get_index (JmGpu *self);

JM_AVAILABLE_IN_ALL
void jm_gpu_set_field (JmGpu *self, JmGpuField field, const char *text);

JM_AVAILABLE_IN_ALL
const char *jm_gpu_get_field (JmGpu *self, JmGpuField field);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpu, jm_gpu_unref)

/**
 * JmGpuReport:
 *
 * The table that a library of accelerators fills: which devices there are, what each
 * does, and which processes use it. Immutable once it is published, and shared by
 * reference.
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
void jm_gpu_report_unref (JmGpuReport *self);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_add_device (JmGpuReport *self, JmGpu *gpu);

JM_AVAILABLE_IN_ALL
void
jm_gpu_report_add_value (JmGpuReport *self, const JmQuantity *quantity, guint64 value);

JM_AVAILABLE_IN_ALL
void jm_gpu_report_add_labelled_value (JmGpuReport *self,
                                       const JmQuantity *quantity,
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

/**
 * JmGpuOrigin:
 * @JM_GPU_ORIGIN_ENVIRONMENT: variables of one of the job's processes, which its user
 *   can change
 * @JM_GPU_ORIGIN_DRIVER: the driver's list of processes that use the device; it proves
 *   use, not that the device was given
 * @JM_GPU_ORIGIN_CGROUP: the device controller of the job's cgroup
 * @JM_GPU_ORIGIN_HOOK: files that root's hooks write
 *
 * How it is known which job has which device, the least reliable first.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_GPU_ORIGIN_ENVIRONMENT,
  JM_GPU_ORIGIN_DRIVER,
  JM_GPU_ORIGIN_CGROUP,
  JM_GPU_ORIGIN_HOOK,
} JmGpuOrigin;

/**
 * JM_N_GPU_ORIGINS:
 *
 * How many #JmGpuOrigin there are.
 *
 * Since: 0.1
 */
#define JM_N_GPU_ORIGINS (JM_GPU_ORIGIN_HOOK + 1)

/**
 * JmGpuGrants:
 *
 * The table that mappers fill: which accelerators one job was given, with their
 * origins.
 *
 * Since: 0.1
 */
typedef struct _JmGpuGrants JmGpuGrants;

#define JM_TYPE_GPU_GRANTS (jm_gpu_grants_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_gpu_grants_get_type (void);

JM_AVAILABLE_IN_ALL
JmGpuGrants *jm_gpu_grants_new (void);

JM_AVAILABLE_IN_ALL
void jm_gpu_grants_unref (JmGpuGrants *self);

JM_AVAILABLE_IN_ALL
void jm_gpu_grants_add (JmGpuGrants *self,
                        JmGpuOrigin origin,
                        const char *device,
                        double share);

JM_AVAILABLE_IN_ALL
void jm_gpu_grants_add_index (JmGpuGrants *self,
                              JmGpuOrigin origin,
                              guint index,
                              double share);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuGrants, jm_gpu_grants_unref)

G_END_DECLS
