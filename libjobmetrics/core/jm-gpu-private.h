/* jm-gpu-private.h: who an accelerator is, for the library alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"

G_BEGIN_DECLS

void jm_gpu_set_device_number (JmGpu *self, guint major, guint minor);

gboolean jm_gpu_get_device_number (JmGpu *self, guint *major, guint *minor);

void jm_gpu_set_slices (JmGpu *self, guint n_slices, guint n_parent_slices);

gboolean jm_gpu_get_slices (JmGpu *self, guint *n_slices, guint *n_parent_slices);

char *jm_gpu_format_pci_address (const char *address);

JmGpu *jm_gpu_ref (JmGpu *self);

G_END_DECLS
