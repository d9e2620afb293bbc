/* jm-nvml-mean-private.h: the mean of what the driver sampled since the last reading
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-nvml-api-private.h"

G_BEGIN_DECLS

/**
 * JmNvmlMean:
 * @samples: of JmNvmlTimedValue: room for what the library writes, which stays
 * @newest_us: when the newest that was read was taken, by the library's clock; 0 for
 *   none
 *
 * A level of a device, such as its power, over the time since it was read last. The
 * level of one moment in each reading would be far from the mean of a load that comes
 * and goes with the readings' period.
 */
typedef struct
{
  GArray *samples;
  guint64 newest_us;
} JmNvmlMean;

void jm_nvml_mean_init (JmNvmlMean *self);
void jm_nvml_mean_clear (JmNvmlMean *self);

/* Reads the samples of @kind that came since, of the first reading the newest alone.
 * Returns the library's result; not JM_NVML_SUCCESS where there is no mean. */
int jm_nvml_mean_take (JmNvmlMean *self,
                       const JmNvmlApi *api,
                       JmNvmlHandle *handle,
                       guint kind,
                       double *mean);

/* The mean of @n samples in the order of their times, each of which stands for the time
 * since the one before it; the first for that since @since_us, but for no more than
 * twice as long as the others. FALSE where a sample is no number. */
gboolean jm_nvml_mean_weigh (const JmNvmlTimedValue *samples,
                             guint n,
                             guint type,
                             guint64 since_us,
                             double *mean);

G_END_DECLS
