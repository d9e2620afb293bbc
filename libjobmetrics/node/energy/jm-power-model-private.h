/* jm-power-model-private.h: what a domain takes when idle, and what each load asks
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

/* Loads beyond so many are all taken for common ones. */
#define JM_POWER_MODEL_MAX_LOADS 64
/* Sockets beyond so many learn nothing. */
#define JM_POWER_MODEL_MAX_SOCKETS 8

/* What is known of a kind of domain before anything is measured, and how fast that
 * changes. All but @common are parts of something. */
typedef struct
{
  double common;        /* watts for each unit of activity; 0: of @full_idle */
  double full_idle;     /* of a busy domain's power, what it would take when idle */
  double common_spread; /* standard deviation of the common coefficient, of itself */
  double load_spread;   /* of a load's, of the common one */
  double load_drift;    /* how far a load's strays in a second, of the common one */
  double common_drift;  /* how far the common one strays in a second */
  double idle_drift;    /* how far idle power strays in a second */
  double crowding;      /* how much less a load takes where all are busy, of itself */
  double wake;          /* what a domain takes to be awake at all, of idle power */
  double wake_alike;    /* what of that is by activity, whoever's; the rest is by what
                           each takes */
  double extra; /* what a unit of a load's takes, of the common coefficient, with
                   a standard deviation of as much; 0: there is no such thing */
  double noise; /* what the model cannot explain, of the power */
} JmPowerTraits;

/* What a load did in an interval: CPU-seconds, or cache misses. 0 is the system. */
typedef struct
{
  guint64 id;
  double activity;
  double busy;  /* CPU-seconds, in which it kept the domain awake */
  double extra; /* what it did besides: a unit takes the same, whoever's it is */
} JmPowerDemand;

typedef struct
{
  guint socket;
  double energy; /* joules */
  double seconds;
  double capacity; /* what @activity of all can be at most; 0 where not known */
} JmPowerInterval;

/* The sockets of a machine are alike: what was learned of a load on one holds on the
 * others, but each has an idle power of its own. */
typedef struct _JmPowerModel JmPowerModel;

JmPowerModel *jm_power_model_new (const JmPowerTraits *traits);
void jm_power_model_free (JmPowerModel *self);

void jm_power_model_learn (JmPowerModel *self,
                           const JmPowerInterval *interval,
                           const JmPowerDemand *demands,
                           guint n);
double jm_power_model_explain (JmPowerModel *self,
                               const JmPowerInterval *interval,
                               const JmPowerDemand *demands,
                               guint n,
                               double *joules);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowerModel, jm_power_model_free)

G_END_DECLS
