/* jm-amd-smi-source.h: AMD's accelerators as AMD's library tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-library.h"

G_BEGIN_DECLS

#define JM_TYPE_AMD_SMI_SOURCE (jm_amd_smi_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmAmdSmiSource,
                      jm_amd_smi_source,
                      JM,
                      AMD_SMI_SOURCE,
                      JmGpuLibrary)

G_END_DECLS
