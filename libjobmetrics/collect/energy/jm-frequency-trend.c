/* jm-frequency-trend.c: what a busy second counts, by how many cores are awake
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-frequency-trend-private.h"

/* Past these a frequency is a fault of who told it. */
#define MIN_FREQUENCY 0.05
#define MAX_FREQUENCY 10.0

/* What a reading of frequencies counts when there is one more. */
#define TREND_MEMORY 0.92
/* How much the part of the cores that are awake must vary, squared, to show a slope. */
#define TREND_STIFFNESS 1e-3
#define LEAST_WEIGHT 0.02

void
jm_frequency_trend_add (JmFrequencyTrend *self, double awake, double weight)
{
  self->n = self->n * TREND_MEMORY + 1;
  self->x = self->x * TREND_MEMORY + awake;
  self->xx = self->xx * TREND_MEMORY + awake * awake;
  self->y = self->y * TREND_MEMORY + weight;
  self->xy = self->xy * TREND_MEMORY + awake * weight;
}

double
jm_frequency_trend_get (const JmFrequencyTrend *self, double awake)
{
  double variance = self->n * self->xx - self->x * self->x;
  double slope;

  if (!(self->n > 0))
    return 1;

  slope = (self->n * self->xy - self->x * self->y) /
          (variance + self->n * self->n * TREND_STIFFNESS);
  return MAX (self->y / self->n + slope * (awake - self->x / self->n), LEAST_WEIGHT);
}

/* The energy of a busy second goes with f V^2. Voltage falls with frequency, to less
 * than half where operating points go that far down; but not all of a core's power goes
 * with its clock, and what runs at a lower one may do so since it takes more: half of
 * that is what simulated nodes were told best with. */
double
jm_frequency_weigh (double frequency)
{
  double voltage = 0.75 + 0.25 * frequency;

  return frequency * voltage * voltage;
}

gboolean
jm_frequency_is_possible (double frequency)
{
  return frequency >= MIN_FREQUENCY && frequency <= MAX_FREQUENCY;
}
