/* jm-intel-gpu-source.h: Intel accelerators as the kernel tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-library.h"

G_BEGIN_DECLS

#define JM_TYPE_INTEL_GPU_SOURCE (jm_intel_gpu_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmIntelGpuSource,
                      jm_intel_gpu_source,
                      JM,
                      INTEL_GPU_SOURCE,
                      JmGpuLibrary)

G_END_DECLS
