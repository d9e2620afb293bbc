/* jm-job-profile.c: what a job did over its life, in a few points
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-profile-private.h"

#include <math.h>

#include "core/jm-metric-private.h"

#define FIRST_INTERVAL_US G_USEC_PER_SEC

struct _JmJobProfile
{
  gint64 begin_us;
  gint64 interval_us;
  guint n_points;
  GArray *points[JM_N_PROFILE_SERIES]; /* of JmProfilePoint, n_points; NULL for none */
};

G_DEFINE_BOXED_TYPE (JmJobProfile,
                     jm_job_profile,
                     jm_job_profile_ref,
                     jm_job_profile_unref)

static const struct
{
  const char *name;
  JmUnit unit;
  gboolean is_sum;
} series_table[JM_N_PROFILE_SERIES] = {
  [JM_PROFILE_SERIES_CPU] = { "cpu_seconds", JM_UNIT_NANOSECONDS, TRUE },
  [JM_PROFILE_SERIES_MEMORY] = { "memory_bytes", JM_UNIT_BYTES, FALSE },
  [JM_PROFILE_SERIES_READ] = { "read_bytes", JM_UNIT_BYTES, TRUE },
  [JM_PROFILE_SERIES_WRITE] = { "write_bytes", JM_UNIT_BYTES, TRUE },
  [JM_PROFILE_SERIES_THREADS] = { "threads", JM_UNIT_COUNT, FALSE },
  [JM_PROFILE_SERIES_ENERGY] = { "energy_joules", JM_UNIT_MICROJOULES, TRUE },
  [JM_PROFILE_SERIES_GPU_UTILIZATION] = { "gpu_utilization_ratio",
                                          JM_UNIT_PARTS_PER_MILLION, FALSE },
  [JM_PROFILE_SERIES_GPU_MEMORY] = { "gpu_memory_bytes", JM_UNIT_BYTES, FALSE },
};

/**
 * jm_profile_series_get_name:
 * @series: a series
 *
 * Gets the name of a series, which ends in its unit, such as `cpu_seconds`.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_profile_series_get_name (JmProfileSeries series)
{
  g_return_val_if_fail ((guint) series < JM_N_PROFILE_SERIES, NULL);

  return series_table[series].name;
}

/**
 * jm_profile_series_is_sum:
 * @series: a series
 *
 * Whether the points of a series add up, as CPU time does; those of the others are
 * levels, such as memory in use.
 *
 * Returns: %TRUE for a sum
 * Since: 0.1
 */
gboolean
jm_profile_series_is_sum (JmProfileSeries series)
{
  g_return_val_if_fail ((guint) series < JM_N_PROFILE_SERIES, FALSE);

  return series_table[series].is_sum;
}

JmUnit
jm_profile_series_get_unit (JmProfileSeries series)
{
  return series_table[series].unit;
}

/* --- growing --- */

JmJobProfile *
jm_job_profile_new (gint64 begin_us)
{
  JmJobProfile *self = g_atomic_rc_box_new0 (JmJobProfile);

  self->begin_us = CLAMP (begin_us, 0, G_MAXINT64 - 1);
  self->interval_us = FIRST_INTERVAL_US;

  return self;
}

void
jm_job_profile_move (JmJobProfile *self, gint64 by_us)
{
  self->begin_us = CLAMP (self->begin_us + by_us, 0, G_MAXINT64 - 1);
}

JmJobProfile *
jm_job_profile_copy (JmJobProfile *self)
{
  JmJobProfile *copy = jm_job_profile_new (self->begin_us);

  copy->interval_us = self->interval_us;
  copy->n_points = self->n_points;
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    if (self->points[i] != NULL)
      copy->points[i] = g_array_copy (self->points[i]);

  return copy;
}

static guint64
add_amounts (guint64 a, guint64 b)
{
  return a < G_MAXUINT64 - b ? a + b : G_MAXUINT64;
}

static gint64
add_times (gint64 a, gint64 b)
{
  return a < G_MAXINT64 - b ? a + b : G_MAXINT64;
}

static void
merge_into (JmProfilePoint *to, const JmProfilePoint *from, gboolean is_sum)
{
  if (is_sum)
    to->sum = add_amounts (to->sum, from->sum);
  else
    to->area += from->area;
  to->peak = MAX (to->peak, from->peak);
  to->seen_us = add_times (to->seen_us, from->seen_us);
}

static void
merge_pairs (GArray *points, gboolean is_sum)
{
  JmProfilePoint *all = (JmProfilePoint *) (gpointer) points->data;

  for (guint i = 1; i < points->len; i++)
    if (i % 2 == 1)
      merge_into (&all[i / 2], &all[i], is_sum);
    else
      all[i / 2] = all[i];
  g_array_set_size (points, (points->len + 1) / 2);
}

static void
double_interval (JmJobProfile *self)
{
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    if (self->points[i] != NULL)
      merge_pairs (self->points[i], series_table[i].is_sum);
  self->n_points = (self->n_points + 1) / 2;
  self->interval_us *= 2;
}

static void
set_n_points (JmJobProfile *self, guint n_points)
{
  self->n_points = MAX (self->n_points, n_points);
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    if (self->points[i] != NULL)
      g_array_set_size (self->points[i], self->n_points);
}

/* A stretch of time, counted from the begin of the profile; it may begin before. */
typedef struct
{
  gint64 from_us;
  gint64 to_us; /* later, and after the begin */
} Stretch;

/* Where a clock went back nobody knows since when: then it counts where it ends. */
static Stretch
make_stretch (const JmJobProfile *self, gint64 from_us, gint64 to_us)
{
  gint64 from = MAX (from_us, 0) - self->begin_us;
  gint64 to = MAX (to_us, self->begin_us) - self->begin_us;

  to = MAX (to, 1);

  return (Stretch){ MIN (from, to - 1), to };
}

static GArray *
make_room (JmJobProfile *self, JmProfileSeries series, gint64 to_us)
{
  while ((to_us - 1) / self->interval_us >= JM_PROFILE_MAX_POINTS)
    double_interval (self);
  if (self->points[series] == NULL)
    self->points[series] = g_array_new (FALSE, TRUE, sizeof (JmProfilePoint));
  set_n_points (self, (guint) ((to_us - 1) / self->interval_us) + 1);

  return self->points[series];
}

/* The share of the stretch up to a moment in it, rounded down: what each point gets is
 * the difference of two such shares, so that together they are the whole. */
static guint64
share_until (const Stretch *stretch, gint64 until_us, guint64 amount)
{
  guint64 passed = (guint64) (until_us - stretch->from_us);
  guint64 whole = (guint64) (stretch->to_us - stretch->from_us);

  return (guint64) ((unsigned __int128) amount * passed / whole);
}

/* What a part of the stretch, within one point, adds to that. */
static JmProfilePoint
make_part (const Stretch *stretch,
           gint64 from_us,
           gint64 to_us,
           guint64 amount,
           gboolean is_sum)
{
  JmProfilePoint part = { .seen_us = to_us - MAX (from_us, 0) };

  if (is_sum)
    part.sum =
      share_until (stretch, to_us, amount) - share_until (stretch, from_us, amount);
  else
    {
      part.area = (double) amount * (double) part.seen_us;
      part.peak = amount;
    }

  return part;
}

static void
add (JmJobProfile *self, JmProfileSeries series, const Stretch *stretch, guint64 amount)
{
  GArray *points = make_room (self, series, stretch->to_us);
  gboolean is_sum = series_table[series].is_sum;
  gint64 at_us = stretch->from_us;

  while (at_us < stretch->to_us)
    {
      gint64 i = MAX (at_us, 0) / self->interval_us;
      gint64 rest_us = stretch->to_us - i * self->interval_us;
      gint64 end_us = i * self->interval_us + MIN (rest_us, self->interval_us);
      JmProfilePoint part = make_part (stretch, at_us, end_us, amount, is_sum);

      merge_into (&g_array_index (points, JmProfilePoint, i), &part, is_sum);
      at_us = end_us;
    }
}

void
jm_job_profile_add_sum (JmJobProfile *self,
                        JmProfileSeries series,
                        gint64 from_us,
                        gint64 to_us,
                        guint64 amount)
{
  Stretch stretch = make_stretch (self, from_us, to_us);

  g_return_if_fail (jm_profile_series_is_sum (series));

  add (self, series, &stretch, amount);
}

void
jm_job_profile_add_level (JmJobProfile *self,
                          JmProfileSeries series,
                          gint64 from_us,
                          gint64 to_us,
                          guint64 level)
{
  Stretch stretch = make_stretch (self, from_us, to_us);

  g_return_if_fail (!jm_profile_series_is_sum (series));

  add (self, series, &stretch, level);
}

/* --- as a store has it --- */

const JmProfilePoint *
jm_job_profile_get_points (JmJobProfile *self, JmProfileSeries series, guint *n_points)
{
  GArray *points = self->points[series];

  *n_points = points != NULL ? points->len : 0;

  return points != NULL ? (const JmProfilePoint *) (gpointer) points->data : NULL;
}

gboolean
jm_job_profile_find_point (JmJobProfile *self, gint64 time_us, guint *point)
{
  if (time_us < self->begin_us ||
      (time_us - self->begin_us) / self->interval_us >= self->n_points)
    return FALSE;

  *point = (guint) ((time_us - self->begin_us) / self->interval_us);

  return TRUE;
}

static gboolean
is_interval (gint64 interval_us)
{
  while (interval_us > FIRST_INTERVAL_US && interval_us % 2 == 0)
    interval_us /= 2;

  return interval_us == FIRST_INTERVAL_US;
}

static gboolean
is_point (const JmProfilePoint *point, gboolean is_sum)
{
  if (point->seen_us == 0)
    return point->sum == 0 && point->peak == 0;
  if (is_sum)
    return point->seen_us > 0 && point->peak == 0;

  return point->seen_us > 0 && isfinite (point->area) && point->area >= 0;
}

static GArray *
copy_points (const JmProfilePoint *points, guint n_points, gboolean is_sum)
{
  GArray *copy;

  for (guint i = 0; i < n_points; i++)
    if (!is_point (&points[i], is_sum))
      return NULL;

  copy = g_array_new (FALSE, TRUE, sizeof (JmProfilePoint));

  return g_array_append_vals (copy, points, n_points);
}

JmJobProfile *
jm_job_profile_restore (gint64 begin_us,
                        gint64 interval_us,
                        guint n_points,
                        const JmProfilePoint *const points[JM_N_PROFILE_SERIES])
{
  g_autoptr (JmJobProfile) self = NULL;

  if (begin_us < 0 || !is_interval (interval_us) || n_points > JM_PROFILE_MAX_POINTS)
    return NULL;

  self = jm_job_profile_new (begin_us);
  self->interval_us = interval_us;
  self->n_points = n_points;
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      if (points[i] == NULL)
        continue;
      self->points[i] = copy_points (points[i], n_points, series_table[i].is_sum);
      if (self->points[i] == NULL)
        return NULL;
    }

  return g_steal_pointer (&self);
}

/* --- as everybody reads it --- */

JmJobProfile *
jm_job_profile_ref (JmJobProfile *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
profile_clear (JmJobProfile *self)
{
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    g_clear_pointer (&self->points[i], g_array_unref);
}

/**
 * jm_job_profile_unref:
 * @self: (transfer full): a profile
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_job_profile_unref (JmJobProfile *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) profile_clear);
}

/**
 * jm_job_profile_get_begin_time:
 * @self: a profile
 *
 * Gets when the first point begins.
 *
 * Returns: microseconds since 1970
 * Since: 0.1
 */
gint64
jm_job_profile_get_begin_time (JmJobProfile *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->begin_us;
}

/**
 * jm_job_profile_get_interval:
 * @self: a profile
 *
 * Gets how long each point lasts: a second, or that doubled as often as the job's life
 * needs.
 *
 * Returns: microseconds
 * Since: 0.1
 */
gint64
jm_job_profile_get_interval (JmJobProfile *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->interval_us;
}

/**
 * jm_job_profile_get_n_points:
 * @self: a profile
 *
 * Gets how many points there are, in each series.
 *
 * Returns: the number, at most %JM_PROFILE_MAX_POINTS
 * Since: 0.1
 */
guint
jm_job_profile_get_n_points (JmJobProfile *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_points;
}

/**
 * jm_job_profile_has:
 * @self: a profile
 * @series: a series
 *
 * Whether anything of a series was observed.
 *
 * Returns: %TRUE if it was
 * Since: 0.1
 */
gboolean
jm_job_profile_has (JmJobProfile *self, JmProfileSeries series)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail ((guint) series < JM_N_PROFILE_SERIES, FALSE);

  return self->points[series] != NULL;
}

/* A point as it is written, in base units. */
typedef double (*PointFunc) (const JmProfilePoint *point, JmProfileSeries series);

static double
get_point_value (const JmProfilePoint *point, JmProfileSeries series)
{
  JmUnit unit = series_table[series].unit;

  if (series_table[series].is_sum)
    return jm_unit_to_base (unit, point->sum);

  return point->area / (double) point->seen_us /
         (double) jm_unit_get_info (unit)->divisor;
}

static double
get_point_peak (const JmProfilePoint *point, JmProfileSeries series)
{
  return jm_unit_to_base (series_table[series].unit, point->peak);
}

static double *
list (JmJobProfile *self, JmProfileSeries series, PointFunc get, gsize *n_values)
{
  guint n;
  const JmProfilePoint *points = jm_job_profile_get_points (self, series, &n);
  double *values = g_new (double, n);

  for (guint i = 0; i < n; i++)
    values[i] = points[i].seen_us > 0 ? get (&points[i], series) : NAN;
  *n_values = n;

  return values;
}

/**
 * jm_job_profile_list_values:
 * @self: a profile
 * @series: a series
 * @n_values: (out): how many there are
 *
 * Lists the points of a series: of a sum what of it fell into each interval, of a level
 * its mean over what was observed of the interval.
 *
 * - Shape: jm_job_profile_get_n_points() values, NaN where nothing was observed; none
 *   of a series that was never observed.
 * - Units: base units: seconds, bytes, joules, a ratio, or a count.
 *
 * Returns: (array length=n_values) (transfer full) (nullable): the values
 * Since: 0.1
 */
double *
jm_job_profile_list_values (JmJobProfile *self, JmProfileSeries series, gsize *n_values)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint) series < JM_N_PROFILE_SERIES, NULL);
  g_return_val_if_fail (n_values != NULL, NULL);

  return list (self, series, get_point_value, n_values);
}

/**
 * jm_job_profile_list_peaks:
 * @self: a profile
 * @series: a series that is no sum
 * @n_values: (out): how many there are
 *
 * Lists the highest level that was read in each interval.
 *
 * - Shape: as jm_job_profile_list_values() has it; none of a sum.
 * - Units: base units: bytes, a ratio, or a count.
 *
 * Returns: (array length=n_values) (transfer full) (nullable): the peaks
 * Since: 0.1
 */
double *
jm_job_profile_list_peaks (JmJobProfile *self, JmProfileSeries series, gsize *n_values)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint) series < JM_N_PROFILE_SERIES, NULL);
  g_return_val_if_fail (n_values != NULL, NULL);

  if (series_table[series].is_sum)
    {
      *n_values = 0;
      return NULL;
    }

  return list (self, series, get_point_peak, n_values);
}

/* All points as one. */
static JmProfilePoint
fold (JmJobProfile *self, JmProfileSeries series)
{
  JmProfilePoint all = { 0 };
  guint n;
  const JmProfilePoint *points = jm_job_profile_get_points (self, series, &n);

  for (guint i = 0; i < n; i++)
    merge_into (&all, &points[i], series_table[series].is_sum);

  return all;
}

/**
 * jm_job_profile_get_total:
 * @self: a profile
 * @series: a series
 *
 * Gets a series over the whole life: the sum, or the mean level while it was observed.
 *
 * Returns: the figure in base units; NaN of a series that was never observed
 * Since: 0.1
 */
double
jm_job_profile_get_total (JmJobProfile *self, JmProfileSeries series)
{
  JmProfilePoint all;

  g_return_val_if_fail (self != NULL, NAN);
  g_return_val_if_fail ((guint) series < JM_N_PROFILE_SERIES, NAN);

  all = fold (self, series);

  return all.seen_us > 0 ? get_point_value (&all, series) : NAN;
}

/**
 * jm_job_profile_get_peak:
 * @self: a profile
 * @series: a series that is no sum
 *
 * Gets the highest level that was ever read.
 *
 * Returns: the figure in base units; NaN of a sum, and of a series that was never
 *   observed
 * Since: 0.1
 */
double
jm_job_profile_get_peak (JmJobProfile *self, JmProfileSeries series)
{
  JmProfilePoint all;

  g_return_val_if_fail (self != NULL, NAN);
  g_return_val_if_fail ((guint) series < JM_N_PROFILE_SERIES, NAN);

  all = fold (self, series);

  return all.seen_us > 0 && !series_table[series].is_sum ? get_point_peak (&all, series)
                                                         : NAN;
}
