/* jm-gpu-types-private.h: sources of accelerators that are opened by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-library-private.h"
#include "sources/gpu/jm-gpu-mapper.h"

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

/**
 * JmDeviceCgroupMapper:
 *
 * Reports which devices the device controller of cgroup v1 lets a job at
 * (https://docs.kernel.org/admin-guide/cgroup-v1/devices.html). In cgroup v2 that is a
 * program of the kernel's, which says nothing to those who ask.
 */
#define JM_TYPE_DEVICE_CGROUP_MAPPER (jm_device_cgroup_mapper_get_type ())

G_DECLARE_FINAL_TYPE (JmDeviceCgroupMapper,
                      jm_device_cgroup_mapper,
                      JM,
                      DEVICE_CGROUP_MAPPER,
                      JmSource)

JmDeviceCgroupMapper *jm_device_cgroup_mapper_new (JmHost *host, GError **error);

/* Adds the devices of a devices.list, whose numbers stand as `MAJOR:MINOR`.
 *
 * Returns: whether it proves anything: not where all devices are allowed */
gboolean jm_device_list_take (const char *text, gsize length, JmGpuGrants *grants);

/**
 * JmMapFilesMapper:
 *
 * Reports what a hook of the site's has left in a directory: a file for each device or
 * instance, called as the driver numbers it (`0`, `0.3`) or by its uuid, with the id of
 * a job that has it in front of each line. That is what prologs for several exporters
 * write, and the mapping directory of DCGM's exporter. Only what root alone may have
 * written counts.
 */
#define JM_TYPE_MAP_FILES_MAPPER (jm_map_files_mapper_get_type ())

G_DECLARE_FINAL_TYPE (JmMapFilesMapper,
                      jm_map_files_mapper,
                      JM,
                      MAP_FILES_MAPPER,
                      JmSource)

/* @directory: NULL for the usual one, which then has to be there. */
JmMapFilesMapper *
jm_map_files_mapper_new (JmHost *host, const char *directory, GError **error);

/* For how long a file may name a job of which nobody asks, before it is said so. */
void jm_map_files_mapper_set_patience (JmMapFilesMapper *self, gint64 patience_us);

/* Whether the mapper reports devices, not only which job has them. */
gboolean jm_gpu_mapper_knows_devices (JmGpuMapper *self);

G_END_DECLS
