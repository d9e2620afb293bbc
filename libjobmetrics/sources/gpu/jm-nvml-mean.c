/* jm-nvml-mean.c: the mean of what the driver sampled since the last reading
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-nvml-device-private.h"

#include "sources/gpu/jm-nvml-records-private.h"

/* Drivers keep some hundred. Of more, the rest comes with the next reading. */
#define MAX_SAMPLES 1024

void
jm_nvml_mean_init (JmNvmlMean *self)
{
  self->samples = g_array_new (FALSE, TRUE, sizeof (JmNvmlTimedValue));
}

void
jm_nvml_mean_clear (JmNvmlMean *self)
{
  g_array_unref (self->samples);
}

static guint64
get_span (guint64 from_us, guint64 to_us)
{
  return to_us > from_us ? to_us - from_us : 0;
}

gboolean
jm_nvml_mean_weigh (const JmNvmlTimedValue *samples,
                    guint n,
                    guint type,
                    guint64 since_us,
                    double *mean,
                    gint64 *covered_us)
{
  double usual_us =
    n > 1 ? (double) get_span (samples[0].time_us, samples[n - 1].time_us) / (n - 1)
          : 1;
  double sum = 0, weights = 0;
  gboolean is_cut = FALSE;

  for (guint i = 0; i < n; i++)
    {
      const JmNvmlField field = { .type = type, .value = samples[i].value };
      guint64 before_us = i > 0 ? samples[i - 1].time_us : since_us;
      double weight = (double) get_span (before_us, samples[i].time_us);
      guint64 value;

      if (!jm_nvml_field_get (&field, &value))
        return FALSE;
      /* the driver forgot those before the first */
      if (i == 0 && weight > 2 * usual_us)
        {
          weight = usual_us;
          is_cut = since_us > 0;
        }
      sum += weight * (double) value;
      weights += weight;
    }
  *mean = weights > 0 ? sum / weights : 0;
  *covered_us = is_cut ? (gint64) weights : G_MAXINT64;

  return weights > 0;
}

int
jm_nvml_mean_take (JmNvmlMean *self,
                   const JmNvmlApi *api,
                   JmNvmlHandle *handle,
                   guint kind,
                   double *mean,
                   gint64 *covered_us)
{
  const JmNvmlTimedValue *samples;
  guint type = JM_NVML_UNSIGNED_INT;
  guint n = MAX_SAMPLES;
  int result;

  g_array_set_size (self->samples, MAX_SAMPLES);
  samples = (gpointer) self->samples->data;
  result = api->get_timed_values (handle, kind, self->newest_us, &type, &n,
                                  (gpointer) self->samples->data);
  n = MIN (n, MAX_SAMPLES);
  if (result != JM_NVML_SUCCESS || n == 0)
    return result != JM_NVML_SUCCESS ? result : JM_NVML_NO_DATA;

  /* of the time before the first reading nobody asked */
  if (self->newest_us == 0)
    {
      samples += n - 1;
      n = 1;
    }
  if (!jm_nvml_mean_weigh (samples, n, type, self->newest_us, mean, covered_us))
    result = JM_NVML_NO_DATA;
  self->newest_us = MAX (self->newest_us, samples[n - 1].time_us);

  return result;
}
