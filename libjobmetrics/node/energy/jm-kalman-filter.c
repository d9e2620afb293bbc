/* jm-kalman-filter.c: numbers that are known by their sums only
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-power-model-private.h"

#include <math.h>

/* As in P. J. Huber, "Robust Estimation of a Location Parameter" (1964): what is
 * farther off than so many standard deviations counts for less, the farther the less.
 */
#define HUBER_LIMIT 3.0

/* Bounds that are still broken after so many corrections are enforced one by one. */
#define MAX_CORRECTIONS 16

void
jm_kalman_filter_init (JmKalmanFilter *self)
{
  self->n = 0;
}

/* Adds a number of which nothing but this is known. */
guint
jm_kalman_filter_add (JmKalmanFilter *self, double mean, double variance)
{
  guint i = self->n;

  g_return_val_if_fail (i < JM_KALMAN_FILTER_MAX, 0);

  self->n++;
  jm_kalman_filter_replace (self, i, mean, variance);

  return i;
}

/* Forgets a number; the last one takes its place. */
void
jm_kalman_filter_remove (JmKalmanFilter *self, guint i)
{
  guint last = self->n - 1;

  self->mean[i] = self->mean[last];
  for (guint j = 0; j < self->n; j++)
    self->covariance[i][j] = self->covariance[last][j];
  for (guint j = 0; j < self->n; j++)
    self->covariance[j][i] = self->covariance[j][last];
  self->n = last;
}

/* Puts one of which nothing but this is known in a number's place. */
void
jm_kalman_filter_replace (JmKalmanFilter *self, guint i, double mean, double variance)
{
  self->mean[i] = mean;
  for (guint j = 0; j < self->n; j++)
    self->covariance[i][j] = self->covariance[j][i] = 0;
  self->covariance[i][i] = variance;
}

/* Time has gone by, in which a number may have changed; it is never less certain than
 * by @limit. */
void
jm_kalman_filter_widen (JmKalmanFilter *self, guint i, double variance, double limit)
{
  double *own = &self->covariance[i][i];

  *own = MAX (*own, MIN (*own + variance, limit));
}

/* The sum was measured, with a variance of @noise. Returns by how many standard
 * deviations it was not what was expected. */
double
jm_kalman_filter_observe (JmKalmanFilter *self,
                          const double *weights,
                          double value,
                          double noise)
{
  double gain[JM_KALMAN_FILTER_MAX] = { 0 };
  double variance = noise;
  double surprise = value;
  double deviations;

  for (guint i = 0; i < self->n; i++)
    if (weights[i] != 0)
      {
        surprise -= weights[i] * self->mean[i];
        for (guint j = 0; j < self->n; j++)
          gain[j] += weights[i] * self->covariance[i][j];
      }
  for (guint i = 0; i < self->n; i++)
    variance += weights[i] * gain[i];
  if (!(variance > 0))
    return 0;

  deviations = fabs (surprise) / sqrt (variance);
  if (deviations > HUBER_LIMIT)
    variance *= deviations / HUBER_LIMIT;

  for (guint i = 0; i < self->n; i++)
    {
      double factor = gain[i] / variance;

      self->mean[i] += factor * surprise;
      for (guint j = 0; j < self->n; j++)
        self->covariance[i][j] -= factor * gain[j];
    }

  return deviations;
}

static guint
find_lowest (const JmKalmanFilter *self, const double *lowest)
{
  guint worst = self->n;
  double worst_deficit = 0;

  for (guint i = 0; i < self->n; i++)
    {
      double deficit = lowest[i] - self->mean[i];

      if (deficit > worst_deficit && self->covariance[i][i] > 0)
        {
          worst = i;
          worst_deficit = deficit;
        }
    }

  return worst;
}

/* Lifts what is lower than it can be. What it was too low by, others were too high by:
 * they follow, as far as they hang together. */
void
jm_kalman_filter_bound (JmKalmanFilter *self, const double *lowest)
{
  for (guint n = 0; n < MAX_CORRECTIONS; n++)
    {
      guint worst = find_lowest (self, lowest);
      double factor;

      if (worst == self->n)
        break;

      factor = (lowest[worst] - self->mean[worst]) / self->covariance[worst][worst];
      for (guint i = 0; i < self->n; i++)
        self->mean[i] += factor * self->covariance[worst][i];
    }

  for (guint i = 0; i < self->n; i++)
    self->mean[i] = MAX (self->mean[i], lowest[i]);
}

gboolean
jm_kalman_filter_is_sound (const JmKalmanFilter *self)
{
  for (guint i = 0; i < self->n; i++)
    if (!isfinite (self->mean[i]) || !isfinite (self->covariance[i][i]) ||
        self->covariance[i][i] < 0)
      return FALSE;

  return TRUE;
}
