/* jm-gpu-trial-private.h: a library of accelerators that is tried once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report.h"
#include "sources/jm-source.h"

G_BEGIN_DECLS

/* What a source gave. */
typedef struct
{
  char *name;
  JmSource *source;
  gboolean is_map;     /* tells no devices, but whose they are */
  JmGpuReport *report; /* empty where it gave nothing */
  GPtrArray *errors;   /* of GError: why it gave nothing, or not all */
} JmGpuTrial;

/* Opens @source where it is not, and waits for its first answer. */
JmGpuTrial *jm_gpu_trial_new (const char *name, JmSource *source);
void jm_gpu_trial_free (JmGpuTrial *self);

gboolean jm_gpu_trial_is_absent (const JmGpuTrial *self);

/* `2 devices, 3 instances: NVIDIA H100 80GB HBM3, driver 550.54; MIG mode on` */
char *jm_gpu_trial_describe (const JmGpuTrial *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuTrial, jm_gpu_trial_free)

G_END_DECLS
