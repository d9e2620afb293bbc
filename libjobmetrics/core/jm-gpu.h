/* jm-gpu.h: who an accelerator is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmGpu:
 *
 * An accelerator of a node, or an instance (MIG) of one: what it is, not what it does.
 * Shared by reference; nobody changes it once it was handed on.
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
JmGpu *jm_gpu_ref (JmGpu *self);

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

JM_AVAILABLE_IN_ALL
void jm_gpu_set_device_number (JmGpu *self, guint major, guint minor);

JM_AVAILABLE_IN_ALL
gboolean jm_gpu_get_device_number (JmGpu *self, guint *major, guint *minor);

JM_AVAILABLE_IN_ALL
void jm_gpu_set_slices (JmGpu *self, guint n_slices, guint n_parent_slices);

JM_AVAILABLE_IN_ALL
gboolean jm_gpu_get_slices (JmGpu *self, guint *n_slices, guint *n_parent_slices);

JM_AVAILABLE_IN_ALL
char *jm_gpu_format_pci_address (const char *address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpu, jm_gpu_unref)

G_END_DECLS
