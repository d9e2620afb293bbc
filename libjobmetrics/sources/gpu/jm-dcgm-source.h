/* jm-dcgm-source.h: NVIDIA's GPUs as its host engine (DCGM) tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-library.h"

G_BEGIN_DECLS

#define JM_TYPE_DCGM_SOURCE (jm_dcgm_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmDcgmSource, jm_dcgm_source, JM, DCGM_SOURCE, JmGpuLibrary)

G_END_DECLS
