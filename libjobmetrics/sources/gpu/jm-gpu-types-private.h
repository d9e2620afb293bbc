/* jm-gpu-types-private.h: the libraries of accelerators that are opened by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-library-private.h"

G_BEGIN_DECLS

#define JM_TYPE_AMD_SMI_SOURCE (jm_amd_smi_source_get_type ())

G_DECLARE_FINAL_TYPE (JmAmdSmiSource,
                      jm_amd_smi_source,
                      JM,
                      AMD_SMI_SOURCE,
                      JmGpuLibrary)

#define JM_TYPE_AMDGPU_SOURCE (jm_amdgpu_source_get_type ())

G_DECLARE_FINAL_TYPE (JmAmdgpuSource, jm_amdgpu_source, JM, AMDGPU_SOURCE, JmGpuLibrary)

#define JM_TYPE_DCGM_SOURCE (jm_dcgm_source_get_type ())

G_DECLARE_FINAL_TYPE (JmDcgmSource, jm_dcgm_source, JM, DCGM_SOURCE, JmGpuLibrary)

#define JM_TYPE_INTEL_GPU_SOURCE (jm_intel_gpu_source_get_type ())

G_DECLARE_FINAL_TYPE (JmIntelGpuSource,
                      jm_intel_gpu_source,
                      JM,
                      INTEL_GPU_SOURCE,
                      JmGpuLibrary)

#define JM_TYPE_NVML_SOURCE (jm_nvml_source_get_type ())

G_DECLARE_FINAL_TYPE (JmNvmlSource, jm_nvml_source, JM, NVML_SOURCE, JmGpuLibrary)

G_END_DECLS
