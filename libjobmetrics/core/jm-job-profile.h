/* jm-job-profile.h: what a job did over its life, in a few points
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmProfileSeries:
 * @JM_PROFILE_SERIES_CPU: CPU time, seconds
 * @JM_PROFILE_SERIES_MEMORY: memory in use, bytes
 * @JM_PROFILE_SERIES_READ: bytes read, by cgroup where it counts them, else by processes
 * @JM_PROFILE_SERIES_WRITE: bytes written
 * @JM_PROFILE_SERIES_THREADS: threads
 * @JM_PROFILE_SERIES_ENERGY: energy of all domains, joules; over the interval it is power
 * @JM_PROFILE_SERIES_GPU_UTILIZATION: use of the accelerators, mean over them, a ratio
 * @JM_PROFILE_SERIES_GPU_MEMORY: memory of accelerators in use, bytes
 *
 * A quantity that a profile follows. Some are sums, of which an interval has a part;
 * the others are levels.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_PROFILE_SERIES_CPU,
  JM_PROFILE_SERIES_MEMORY,
  JM_PROFILE_SERIES_READ,
  JM_PROFILE_SERIES_WRITE,
  JM_PROFILE_SERIES_THREADS,
  JM_PROFILE_SERIES_ENERGY,
  JM_PROFILE_SERIES_GPU_UTILIZATION,
  JM_PROFILE_SERIES_GPU_MEMORY,
} JmProfileSeries;

/**
 * JM_N_PROFILE_SERIES:
 *
 * How many #JmProfileSeries there are.
 *
 * Since: 0.1
 */
#define JM_N_PROFILE_SERIES (JM_PROFILE_SERIES_GPU_MEMORY + 1)

/**
 * JM_PROFILE_MAX_POINTS:
 *
 * Points that a profile has at most. When a job outgrows them, two become one.
 *
 * Since: 0.1
 */
#define JM_PROFILE_MAX_POINTS 200

/**
 * JmJobProfile:
 *
 * What a job did over its life: points of equal intervals, for each series the sum, or
 * the mean and the peak, of what was observed in it.
 *
 * Since: 0.1
 */
typedef struct _JmJobProfile JmJobProfile;

#define JM_TYPE_JOB_PROFILE (jm_job_profile_get_type ())

JM_AVAILABLE_IN_ALL
const char *jm_profile_series_get_name (JmProfileSeries series);

JM_AVAILABLE_IN_ALL
gboolean jm_profile_series_is_sum (JmProfileSeries series);

JM_AVAILABLE_IN_ALL
GType jm_job_profile_get_type (void);

JM_AVAILABLE_IN_ALL
void jm_job_profile_unref (JmJobProfile *self);

JM_AVAILABLE_IN_ALL
gint64 jm_job_profile_get_begin_time (JmJobProfile *self);

JM_AVAILABLE_IN_ALL
gint64 jm_job_profile_get_interval (JmJobProfile *self);

JM_AVAILABLE_IN_ALL
guint jm_job_profile_get_n_points (JmJobProfile *self);

JM_AVAILABLE_IN_ALL
gboolean jm_job_profile_has (JmJobProfile *self, JmProfileSeries series);

JM_AVAILABLE_IN_ALL
double *jm_job_profile_list_values (JmJobProfile *self,
                                    JmProfileSeries series,
                                    gsize *n_values);

JM_AVAILABLE_IN_ALL
double *
jm_job_profile_list_peaks (JmJobProfile *self, JmProfileSeries series, gsize *n_values);

JM_AVAILABLE_IN_ALL
double jm_job_profile_get_total (JmJobProfile *self, JmProfileSeries series);

JM_AVAILABLE_IN_ALL
double jm_job_profile_get_peak (JmJobProfile *self, JmProfileSeries series);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJobProfile, jm_job_profile_unref)

G_END_DECLS
