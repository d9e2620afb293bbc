/* jm-gpu-levels.c: what an accelerator does between two readings
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-gpu-levels-private.h"

#define PPM 1e6
#define PJ_PER_UJ 1000000
/* So much without a look is a gap. */
#define MISSED_US (5 * JM_GPU_LOOK_US)

/* What goes up and down between two readings. */
static const JmMetric levels[JM_GPU_N_LEVELS] = { JM_METRIC_GPU_UTILIZATION,
                                                  JM_METRIC_GPU_POWER };

gboolean
jm_gpu_is_level (JmMetric metric)
{
  for (guint i = 0; i < JM_GPU_N_LEVELS; i++)
    if (levels[i] == metric)
      return TRUE;

  return FALSE;
}

gboolean
jm_gpu_levels_add (JmGpuLevels *self, JmGpuReport *report)
{
  gboolean is_any = FALSE;

  for (guint i = 0; i < JM_GPU_N_LEVELS; i++)
    {
      const JmReading *reading = jm_gpu_report_find (report, 0, levels[i]);

      if (reading == NULL)
        continue;
      self->levels[i].sum += (double) reading->value;
      self->levels[i].n++;
      is_any = TRUE;
    }

  return is_any;
}

/* The reading before was @span_us ago. */
static void
take_levels (JmGpuLevels *self, gint64 span_us, JmGpuReport *report)
{
  gint64 seen_us = self->levels[0].n * JM_GPU_LOOK_US;

  if (seen_us > 0 && span_us > seen_us + MISSED_US)
    jm_gpu_report_set_covered (report, seen_us);
  for (guint i = 0; i < JM_GPU_N_LEVELS; i++)
    {
      JmGpuLevel *level = &self->levels[i];

      if (level->n > 0)
        jm_gpu_report_replace (report, 0, levels[i],
                               (guint64) (level->sum / level->n + 0.5));
      *level = (JmGpuLevel){ 0 };
    }
}

/* Microwatts times microseconds are picojoules. */
static void
add_energy (JmGpuLevels *self, guint64 power_uw, gint64 span_us)
{
  unsigned __int128 energy_pj =
    (unsigned __int128) power_uw * (guint64) span_us + self->remainder_pj;

  self->sums.energy_uj += (guint64) (energy_pj / PJ_PER_UJ);
  self->remainder_pj = (guint64) (energy_pj % PJ_PER_UJ);
}

static void
take_sums (JmGpuLevels *self, gint64 span_us, JmGpuReport *report)
{
  JmGpuSums *sums = &self->sums;
  const JmReading *use = jm_gpu_report_find (report, 0, JM_METRIC_GPU_UTILIZATION);
  const JmReading *power = jm_gpu_report_find (report, 0, JM_METRIC_GPU_POWER);
  gint64 covered_us = MIN (span_us, jm_gpu_report_get_covered (report, 0));

  if (use != NULL)
    {
      sums->seen_us += covered_us;
      sums->busy_us += (gint64) ((double) use->value / PPM * (double) covered_us + 0.5);
    }
  self->has_counter |= jm_gpu_report_find (report, 0, JM_METRIC_GPU_ENERGY) != NULL;
  sums->has_energy = power != NULL && !self->has_counter;
  if (sums->has_energy)
    add_energy (self, power->value, span_us);
  jm_gpu_report_set_sums (report, sums);
}

void
jm_gpu_levels_take (JmGpuLevels *self, JmGpuReport *report)
{
  gint64 now_us = g_get_monotonic_time ();
  gint64 span_us = self->read_us != 0 ? now_us - self->read_us : 0;

  take_levels (self, span_us, report);
  take_sums (self, span_us, report);
  self->read_us = now_us;
}

void
jm_gpu_levels_break (JmGpuLevels *self)
{
  self->read_us = 0;
}
