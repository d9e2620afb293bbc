/* jm-kalman-filter-private.h: numbers that are known by their sums only
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define JM_KALMAN_FILTER_MAX 76

/* Beliefs about some numbers: of each the likeliest value, and of each pair how far
 * they may be off, together. One that is measured is the sum of all, each times a
 * weight. */
typedef struct
{
  guint n;
  double mean[JM_KALMAN_FILTER_MAX];
  double covariance[JM_KALMAN_FILTER_MAX][JM_KALMAN_FILTER_MAX];
} JmKalmanFilter;

void jm_kalman_filter_init (JmKalmanFilter *self);
guint jm_kalman_filter_add (JmKalmanFilter *self, double mean, double variance);
void jm_kalman_filter_remove (JmKalmanFilter *self, guint i);
void
jm_kalman_filter_replace (JmKalmanFilter *self, guint i, double mean, double variance);
void
jm_kalman_filter_widen (JmKalmanFilter *self, guint i, double variance, double limit);
double jm_kalman_filter_observe (JmKalmanFilter *self,
                                 const double *weights,
                                 double value,
                                 double noise);
void jm_kalman_filter_bound (JmKalmanFilter *self, const double *lowest);
gboolean jm_kalman_filter_is_sound (const JmKalmanFilter *self);

G_END_DECLS
