/* jmc-profile-csv.c: the course of a job, as comma-separated values
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-profile-csv.h"

#include <math.h>

#include "core/jm-number.h"
#include "report/jm-csv-private.h"
#include "report/jm-job-id.h"

#define TIME_COLUMNS "jobid", "begin_time", "time", "interval_seconds"

/* The highest level of an interval, beside its mean; NULL of a sum. */
static const char *const peak_names[JM_N_PROFILE_SERIES] = {
  [JM_PROFILE_SERIES_MEMORY] = "memory_peak_bytes",
  [JM_PROFILE_SERIES_THREADS] = "threads_peak",
  [JM_PROFILE_SERIES_GPU_UTILIZATION] = "gpu_utilization_peak_ratio",
  [JM_PROFILE_SERIES_GPU_MEMORY] = "gpu_memory_peak_bytes",
};

/* The same for each job, whatever is known of it. */
void
jmc_profile_csv_append_titles (GString *text)
{
  static const char *const names[] = { TIME_COLUMNS };
  guint column = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    jm_csv_append (text, column++, names[i]);
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      jm_csv_append (text, column++, jm_profile_series_get_name (i));
      if (peak_names[i] != NULL)
        jm_csv_append (text, column++, peak_names[i]);
    }
  jm_csv_end_line (text);
}

/* What was not observed is empty. */
static void
append_number (GString *text, guint column, double value)
{
  g_autofree char *cell = isnan (value) ? NULL : jm_number_to_string (value);

  jm_csv_append (text, column, cell);
}

static void
append_point (GString *text,
              guint *column,
              const double *values,
              gsize n_values,
              guint point)
{
  append_number (text, (*column)++, point < n_values ? values[point] : NAN);
}

/* The values of a profile, by series: to be read point by point. */
typedef struct
{
  double *values[JM_N_PROFILE_SERIES];
  gsize n_values[JM_N_PROFILE_SERIES];
  double *peaks[JM_N_PROFILE_SERIES];
  gsize n_peaks[JM_N_PROFILE_SERIES];
} Points;

static void
points_init (Points *self, JmJobProfile *profile)
{
  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      self->values[i] = jm_job_profile_list_values (profile, i, &self->n_values[i]);
      self->peaks[i] = jm_job_profile_list_peaks (profile, i, &self->n_peaks[i]);
    }
}

static void
points_clear (Points *self)
{
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      g_free (self->values[i]);
      g_free (self->peaks[i]);
    }
}

static void
append_line (GString *text, JmJobRecord *record, const Points *points, guint point)
{
  JmJobProfile *profile = jm_job_record_get_profile (record);
  const gint64 begin_us = jm_job_profile_get_begin_time (profile);
  const gint64 interval_us = jm_job_profile_get_interval (profile);
  g_autofree char *id = jm_job_format_id (jm_job_record_get_job (record));
  guint column = 0;

  jm_csv_append (text, column++, id);
  append_number (text, column++,
                 (double) jm_job_record_get_begin_time (record) / G_USEC_PER_SEC);
  append_number (text, column++,
                 (double) (begin_us + point * interval_us) / G_USEC_PER_SEC);
  append_number (text, column++, (double) interval_us / G_USEC_PER_SEC);
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    {
      append_point (text, &column, points->values[i], points->n_values[i], point);
      if (peak_names[i] != NULL)
        append_point (text, &column, points->peaks[i], points->n_peaks[i], point);
    }
  jm_csv_end_line (text);
}

/* A line for each point, with when its interval began; none where there is no profile.
 */
void
jmc_profile_csv_append (GString *text, JmJobRecord *record)
{
  JmJobProfile *profile = jm_job_record_get_profile (record);
  Points points;

  if (profile == NULL)
    return;

  points_init (&points, profile);
  for (guint i = 0; i < jm_job_profile_get_n_points (profile); i++)
    append_line (text, record, &points, i);
  points_clear (&points);
}
