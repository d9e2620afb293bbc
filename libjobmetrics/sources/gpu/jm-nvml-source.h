/* jm-nvml-source.h: NVIDIA's accelerators, as their management library tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-library.h"

G_BEGIN_DECLS

#define JM_TYPE_NVML_SOURCE (jm_nvml_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmNvmlSource, jm_nvml_source, JM, NVML_SOURCE, JmGpuLibrary)

G_END_DECLS
