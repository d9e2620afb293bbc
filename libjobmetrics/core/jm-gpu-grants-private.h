/* jm-gpu-grants-private.h: the grants, for those who weigh them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"

G_BEGIN_DECLS

/* One word of one origin. */
typedef struct
{
  JmGpuOrigin origin;
  char *device; /* name, uuid, PCI address or MAJOR:MINOR; NULL for the scheduler's
                 * number */
  guint index;  /* where there is no @device */
  double share; /* 0 to 1 */
} JmGpuGrant;

void jm_gpu_grants_reset (JmGpuGrants *self);
const JmGpuGrant *jm_gpu_grants_get (JmGpuGrants *self, guint *n_grants);

const char *jm_gpu_origin_get_name (JmGpuOrigin origin);

G_END_DECLS
