/* jm-nvml-device-private.h: one device of NVIDIA's management library
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report.h"
#include "sources/gpu/jm-nvml-api-private.h"

G_BEGIN_DECLS

/* A device or an instance, with what was found out about it: what it does not support,
 * and what it told last. Read by one thread at a time. */
typedef struct _JmNvmlDevice JmNvmlDevice;

/* @api must outlive it. @n_multiprocessors is 0 where that is not known. */
JmNvmlDevice *
jm_nvml_device_new (const JmNvmlApi *api, JmGpu *gpu, guint n_multiprocessors);
JmNvmlDevice *jm_nvml_device_ref (JmNvmlDevice *self);
void jm_nvml_device_unref (JmNvmlDevice *self);

JmGpu *jm_nvml_device_get_gpu (JmNvmlDevice *self);

/* What stands for it in calls from now on; NULL, and @result, where it cannot be had. */
void jm_nvml_device_set_handle (JmNvmlDevice *self, JmNvmlHandle *handle, int result);

/* Whether it is cut into instances: it then supports other calls. */
void jm_nvml_device_set_mig (JmNvmlDevice *self, gboolean has_instances);

/* Has its errors told from now on; what happened before is not. */
void jm_nvml_device_listen (JmNvmlDevice *self);

/* Ends that, while the library may be called. */
void jm_nvml_device_stop (JmNvmlDevice *self);

/* Adds what it does; an error where it gave no answer at all. */
gboolean jm_nvml_device_read (JmNvmlDevice *self, JmGpuReport *report, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmNvmlDevice, jm_nvml_device_unref)

G_END_DECLS
