/* jm-gpu-mapper.h: which accelerators a node has, and whose they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"
#include "core/jm-job.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_GPU_MAPPER (jm_gpu_mapper_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (JmGpuMapper, jm_gpu_mapper, JM, GPU_MAPPER, JmSource)

/**
 * JmGpuMapperInterface:
 * @parent_iface: the parent interface
 * @read_devices: see jm_gpu_mapper_read_devices(); may be left out
 * @map_job: see jm_gpu_mapper_map_job(); may be left out
 * @wait: see jm_gpu_mapper_wait(); may be left out
 *
 * What knows accelerators, or whose they are.
 *
 * Since: 0.1
 */
struct _JmGpuMapperInterface
{
  GTypeInterface parent_iface;

  gboolean (*read_devices) (JmGpuMapper *self, JmGpuReport *report, GError **error);
  gboolean (*map_job) (JmGpuMapper *self,
                       JmJob *job,
                       const char *const *cgroups,
                       JmGpuGrants *grants,
                       GError **error);
  gboolean (*wait) (JmGpuMapper *self, gint64 timeout_us);

  gpointer padding[5];
};

JM_AVAILABLE_IN_ALL
gboolean
jm_gpu_mapper_read_devices (JmGpuMapper *self, JmGpuReport *report, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_gpu_mapper_map_job (JmGpuMapper *self,
                                JmJob *job,
                                const char *const *cgroups,
                                JmGpuGrants *grants,
                                GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_gpu_mapper_wait (JmGpuMapper *self, gint64 timeout_us);

G_END_DECLS
