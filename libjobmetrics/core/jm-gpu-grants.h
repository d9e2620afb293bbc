/* jm-gpu-grants.h: which accelerators a job was given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmGpuOrigin:
 * @JM_GPU_ORIGIN_ENVIRONMENT: variables of one of the job's processes, which its user
 *   can change
 * @JM_GPU_ORIGIN_DRIVER: the driver's list of processes that use the device; it proves
 *   use, not that the device was given
 * @JM_GPU_ORIGIN_CGROUP: the device controller of the job's cgroup
 * @JM_GPU_ORIGIN_HOOK: files that root's hooks write
 *
 * Who says which job has which device; the later, the more it is believed.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_GPU_ORIGIN_ENVIRONMENT,
  JM_GPU_ORIGIN_DRIVER,
  JM_GPU_ORIGIN_CGROUP,
  JM_GPU_ORIGIN_HOOK,
} JmGpuOrigin;

/**
 * JM_N_GPU_ORIGINS:
 *
 * How many #JmGpuOrigin there are.
 *
 * Since: 0.1
 */
#define JM_N_GPU_ORIGINS (JM_GPU_ORIGIN_HOOK + 1)

JM_AVAILABLE_IN_ALL
const char *jm_gpu_origin_get_name (JmGpuOrigin origin);

/**
 * JmGpuGrants:
 *
 * The table that mappers fill: which accelerators one job was given, by whose word.
 *
 * Since: 0.1
 */
typedef struct _JmGpuGrants JmGpuGrants;

#define JM_TYPE_GPU_GRANTS (jm_gpu_grants_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_gpu_grants_get_type (void);

JM_AVAILABLE_IN_ALL
JmGpuGrants *jm_gpu_grants_new (void);

JM_AVAILABLE_IN_ALL
JmGpuGrants *jm_gpu_grants_ref (JmGpuGrants *self);

JM_AVAILABLE_IN_ALL
void jm_gpu_grants_unref (JmGpuGrants *self);

JM_AVAILABLE_IN_ALL
void jm_gpu_grants_add (JmGpuGrants *self,
                        JmGpuOrigin origin,
                        const char *device,
                        double share);

JM_AVAILABLE_IN_ALL
void jm_gpu_grants_add_index (JmGpuGrants *self,
                              JmGpuOrigin origin,
                              guint index,
                              double share);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuGrants, jm_gpu_grants_unref)

G_END_DECLS
