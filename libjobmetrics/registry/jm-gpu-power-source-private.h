/* jm-gpu-power-source-private.h: a library of accelerators as a power source
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-mapper.h"
#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

/* Reports as domain `gpu-INDEX` what the devices of one library have taken: by their
 * counters of energy, else by their power. An instance of a device has neither. */
#define JM_TYPE_GPU_POWER_SOURCE (jm_gpu_power_source_get_type ())
G_DECLARE_FINAL_TYPE (JmGpuPowerSource,
                      jm_gpu_power_source,
                      JM,
                      GPU_POWER_SOURCE,
                      JmSource)

/* @library is open and knows devices. */
JmGpuPowerSource *jm_gpu_power_source_new (JmGpuMapper *library);
JmGpuMapper *jm_gpu_power_source_get_library (JmGpuPowerSource *self);

G_END_DECLS
