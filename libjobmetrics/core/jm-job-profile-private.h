/* jm-job-profile-private.h: how a profile grows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-profile.h"
#include "core/jm-metric.h"

G_BEGIN_DECLS

/* Amounts are integers, so that sums stay exact: nanoseconds, bytes, microjoules, parts
 * per million, and counts; the public functions return base units. */
JmJobProfile *jm_job_profile_new (gint64 begin_us);
JmJobProfile *jm_job_profile_copy (JmJobProfile *self);

/* The same, so much later: the clock was set. */
void jm_job_profile_move (JmJobProfile *self, gint64 by_us);

/* Between the two times, since 1970, so much was added; it is spread evenly over the
 * points that they touch. What was before the begin is counted with the first point. */
void jm_job_profile_add_sum (JmJobProfile *self,
                             JmProfileSeries series,
                             gint64 from_us,
                             gint64 to_us,
                             guint64 amount);

/* From the one time to the other the level was that. */
void jm_job_profile_add_level (JmJobProfile *self,
                               JmProfileSeries series,
                               gint64 from_us,
                               gint64 to_us,
                               guint64 level);

/* One point of one series, as it is kept. */
typedef struct
{
  union
  {
    guint64 sum; /* of a sum */
    double area; /* of a level: times microseconds, over what was seen */
  };
  guint64 peak;   /* of a level */
  gint64 seen_us; /* for how much of the interval it was observed; 0 for not at all */
} JmProfilePoint;

JmUnit jm_profile_series_get_unit (JmProfileSeries series);

/* NULL of a series that was never observed. */
const JmProfilePoint *
jm_job_profile_get_points (JmJobProfile *self, JmProfileSeries series, guint *n_points);

/* The point in which a time since 1970 lies. FALSE before the first and behind the
 * last.
 */
gboolean jm_job_profile_find_point (JmJobProfile *self, gint64 time_us, guint *point);

/* The profile of such points, as a store has them: NULL where they cannot be one. */
JmJobProfile *jm_job_profile_restore (
  gint64 begin_us,
  gint64 interval_us,
  guint n_points,
  const JmProfilePoint *const points[JM_N_PROFILE_SERIES]); /* NULL for none */

JmJobProfile *jm_job_profile_ref (JmJobProfile *self);

G_END_DECLS
