/* jm-gpu-gauges-private.h: files that hold one figure of an accelerator each
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* What a file tells. */
typedef struct
{
  JmMetric metric;
  guint64 scale; /* from the file's unit to the metric's own */
  guint64 min;   /* less than this means that nothing was measured */
  guint64 max;   /* more than this cannot be */
} JmGpuGauge;

/* The files of one device, kept open. */
typedef struct _JmGpuGauges JmGpuGauges;

JmGpuGauges *jm_gpu_gauges_new (JmHost *host);
void jm_gpu_gauges_free (JmGpuGauges *self);

/* FALSE, and nothing is missed, where there is no such file. @label is for the one
 * label that the metric has, or NULL. */
gboolean jm_gpu_gauges_add (JmGpuGauges *self,
                            const JmGpuGauge *gauge,
                            const char *label,
                            const char *dir,
                            const char *name);

/* The sensors below the folder of a device, of a chip of that name: of several powers,
 * limits and counters of energy, the first. */
void jm_gpu_gauges_add_hwmon (JmGpuGauges *self, const char *device, const char *chip);

/* FALSE if no file of all that there are has an answer. */
gboolean jm_gpu_gauges_read (JmGpuGauges *self, JmGpuReport *report, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGpuGauges, jm_gpu_gauges_free)

/* The text of a small file without the blanks around it, or NULL where there is none or
 * nothing in it. */
char *jm_gpu_read_text (JmHost *host, const char *dir, const char *name);

G_END_DECLS
