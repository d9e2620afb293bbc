/* jm-gpu-shelf-private.h: what a library keeps of each of its devices
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"

G_BEGIN_DECLS

/* Records of devices, each of which begins with the JmGpu that it is about. They may be
 * exchanged in one thread while one is used in another. */
typedef struct
{
  GMutex mutex;
  GPtrArray *records; /* NULL before there are any */
} JmGpuShelf;

void jm_gpu_shelf_init (JmGpuShelf *self);
void jm_gpu_shelf_clear (JmGpuShelf *self);

/* Puts others in the place of those that there are. Takes @records. */
void jm_gpu_shelf_put (JmGpuShelf *self, GPtrArray *records);

/* The record of a device, which lives at least as long as @hold; NULL where it is not
 * listed any more. */
gpointer jm_gpu_shelf_find (JmGpuShelf *self, JmGpu *gpu, GPtrArray **hold);

G_END_DECLS
