/* jm-record-moment.c: what the runs of a node did at one time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-record-moment-private.h"

#include "core/jm-figure-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-snapshot-private.h"

/* The label of a figure that a profile has as a sum over all labels. */
#define ALL "all"

/* What a profile may have, and a record for good. */
#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_PROCESS,        \
                   JM_COLLECTOR_THREADS, JM_COLLECTOR_NODE, JM_COLLECTOR_POWER,        \
                   JM_COLLECTOR_GPU)

/* What is under way. */
typedef struct
{
  gint64 time_us;
  JmRecordMoment *moment;
  GArray *subjects;     /* of JmSubject */
  JmReadings *readings; /* of the subjects */
  GArray *rates;        /* of Rate */
} Making;

typedef struct
{
  guint subject;
  JmMetric metric;
  double rate;
} Rate;

gboolean
jm_record_moment_has (JmJobRecord *record, gint64 time_us)
{
  const gint64 begin_us = jm_job_record_get_begin_time (record);
  const gint64 end_us = jm_job_record_get_end_time (record);

  if (end_us != 0 && end_us <= begin_us)
    return time_us == begin_us;

  return begin_us <= time_us && (end_us == 0 || time_us < end_us);
}

/* --- points --- */

static const JmProfilePoint *
find_point (JmJobProfile *profile, JmProfileSeries series, guint i)
{
  guint n;
  const JmProfilePoint *points = jm_job_profile_get_points (profile, series, &n);

  return i < n && points[i].seen_us > 0 ? &points[i] : NULL;
}

static double
get_rate (const JmProfilePoint *point, JmProfileSeries series)
{
  return jm_unit_to_base (jm_profile_series_get_unit (series), point->sum) /
         ((double) point->seen_us / G_USEC_PER_SEC);
}

static void
add_rate (Making *self, JmJobProfile *profile, JmProfileSeries series, guint i)
{
  static const JmMetric metrics[JM_N_PROFILE_SERIES] = {
    [JM_PROFILE_SERIES_CPU] = JM_METRIC_CPU_TOTAL,
    [JM_PROFILE_SERIES_READ] = JM_METRIC_IO_READ_BYTES,
    [JM_PROFILE_SERIES_WRITE] = JM_METRIC_IO_WRITE_BYTES,
  };
  const JmProfilePoint *point = find_point (profile, series, i);
  Rate rate = { self->subjects->len - 1, metrics[series], 0 };

  if (point == NULL)
    return;

  rate.rate = get_rate (point, series);
  g_array_append_val (self->rates, rate);
}

/* All of the points before, and of this one the part that was past. */
static void
add_cpu_time (Making *self, JmJobProfile *profile, guint i)
{
  const gint64 interval_us = jm_job_profile_get_interval (profile);
  const gint64 passed_us =
    self->time_us - jm_job_profile_get_begin_time (profile) - i * interval_us;
  double cpu_ns = 0;

  if (find_point (profile, JM_PROFILE_SERIES_CPU, i) == NULL)
    return;

  for (guint before = 0; before <= i; before++)
    {
      const JmProfilePoint *point = find_point (profile, JM_PROFILE_SERIES_CPU, before);
      const gint64 seen_us = point != NULL ? MIN (point->seen_us, interval_us) : 1;
      const gint64 part_us = before < i ? seen_us : MIN (passed_us, seen_us);

      if (point != NULL)
        cpu_ns += (double) point->sum * ((double) part_us / (double) seen_us);
    }
  jm_readings_add (self->readings, JM_METRIC_CPU_TOTAL, (guint64) cpu_ns);
}

static gboolean
get_level (JmJobProfile *profile, JmProfileSeries series, guint i, guint64 *level)
{
  const JmProfilePoint *point = find_point (profile, series, i);

  if (point == NULL)
    return FALSE;

  *level = (guint64) (point->area / (double) point->seen_us + 0.5);

  return TRUE;
}

static void
add_levels (Making *self, JmJobProfile *profile, guint i)
{
  static const struct
  {
    JmProfileSeries series;
    JmMetric metric;
  } levels[] = {
    { JM_PROFILE_SERIES_MEMORY, JM_METRIC_MEMORY_USED },
    { JM_PROFILE_SERIES_GPU_UTILIZATION, JM_METRIC_GPU_UTILIZATION },
    { JM_PROFILE_SERIES_GPU_MEMORY, JM_METRIC_GPU_MEMORY_USED },
  };
  g_autoptr (JmLabels) all = jm_labels_of (ALL, NULL);
  guint64 level;

  for (guint k = 0; k < G_N_ELEMENTS (levels); k++)
    if (get_level (profile, levels[k].series, i, &level))
      jm_readings_add (self->readings, levels[k].metric, level);
  if (get_level (profile, JM_PROFILE_SERIES_THREADS, i, &level))
    jm_readings_add_labelled (self->readings, JM_METRIC_THREADS, all, level);
}

/* A profile does not say which of its energy was estimated; its record does. */
static void
add_power (Making *self, JmJobRecord *record, JmJobProfile *profile, guint i)
{
  const JmProfilePoint *point = find_point (profile, JM_PROFILE_SERIES_ENERGY, i);
  const JmFigure energy = jm_figure_of_metric (jm_job_record_get_snapshot (record),
                                               JM_RECORD_SUBJECT, JM_METRIC_ENERGY);
  g_autoptr (JmLabels) labels =
    jm_labels_of (ALL, energy.is_estimated ? JM_QUALITY_ESTIMATED : JM_QUALITY_MEASURED,
                  NULL);

  if (point != NULL)
    jm_readings_add_labelled (self->readings, JM_METRIC_POWER, labels,
                              (guint64) (get_rate (point, JM_PROFILE_SERIES_ENERGY) *
                                           1e6 +
                                         0.5));
}

static void
add_point (Making *self, JmJobRecord *record)
{
  JmJobProfile *profile = jm_job_record_get_profile (record);
  JmRecordMoment *moment = self->moment;
  gint64 interval_us;
  guint i;

  if (profile == NULL || !jm_job_profile_find_point (profile, self->time_us, &i))
    return;

  interval_us = jm_job_profile_get_interval (profile);
  moment->most_us = MAX (moment->most_us, interval_us);
  if (moment->least_us == 0 || interval_us < moment->least_us)
    moment->least_us = interval_us;

  add_cpu_time (self, profile, i);
  add_levels (self, profile, i);
  add_power (self, record, profile, i);
  add_rate (self, profile, JM_PROFILE_SERIES_CPU, i);
  add_rate (self, profile, JM_PROFILE_SERIES_READ, i);
  add_rate (self, profile, JM_PROFILE_SERIES_WRITE, i);
}

/* --- what holds all along --- */

/* The size of the node, which its records agree on. */
static void
add_size (Making *self, JmJobRecord *record)
{
  static const JmMetric sizes[] = { JM_METRIC_NODE_CPUS, JM_METRIC_NODE_MEMORY_SIZE };

  jm_readings_set_subject (self->readings, JM_NODE_SUBJECT);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint n_compared;
      const JmReading *size =
        jm_snapshot_look_up_reading (jm_job_record_get_snapshot (record),
                                     JM_NODE_SUBJECT, sizes[i], NULL, &n_compared);

      if (size != NULL)
        jm_readings_add_copies (self->readings, size, 1);
    }
}

static gboolean
is_lasting (const JmReading *reading)
{
  return reading->metric == JM_METRIC_CPUS ||
         reading->metric == JM_METRIC_MEMORY_LIMIT ||
         reading->metric == JM_METRIC_PROCESS_FIRST_START;
}

static void
add_job (Making *self, JmJobRecord *record)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (record);
  const JmSubject job = { .kind = JM_SUBJECT_KIND_JOB,
                          .job = jm_job_record_get_job (record) };
  guint n;
  const JmReading *readings =
    jm_snapshot_get_readings_of (snapshot, JM_RECORD_SUBJECT, &n);

  g_array_append_val (self->subjects, job);
  jm_readings_set_subject (self->readings, self->subjects->len - 1);
  for (guint i = 0; i < n; i++)
    if (is_lasting (&readings[i]))
      jm_readings_add_copies (self->readings, &readings[i], 1);
}

static void
add_devices (Making *self, JmJobRecord *record)
{
  const guint job = self->subjects->len - 1;
  guint n;
  const JmSubject *subjects =
    jm_snapshot_get_subjects (jm_job_record_get_snapshot (record), &n);

  for (guint i = 0; i < n; i++)
    {
      JmSubject device = subjects[i];

      if (device.kind != JM_SUBJECT_KIND_JOB_GPU || device.parent != JM_RECORD_SUBJECT)
        continue;

      device.parent = job;
      device.end_time = 0;
      g_array_append_val (self->subjects, device);
    }
}

static JmSnapshot *
end (Making *self)
{
  JmSnapshot *snapshot =
    jm_snapshot_new (self->time_us, 0, COLLECTORS,
                     (const JmSubject *) (gpointer) self->subjects->data,
                     self->subjects->len, self->readings);

  for (guint i = 0; i < self->rates->len; i++)
    {
      const Rate *rate = &g_array_index (self->rates, Rate, i);

      jm_snapshot_set_rate (snapshot, rate->subject, rate->metric, rate->rate);
    }

  return snapshot;
}

JmSnapshot *
jm_record_moment_make (GPtrArray *records, gint64 time_us, JmRecordMoment *moment)
{
  g_autoptr (GArray) subjects = g_array_new (FALSE, FALSE, sizeof (JmSubject));
  g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (Rate));
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmSubject node = { .kind = JM_SUBJECT_KIND_NODE };
  Making making = { time_us, moment, subjects, readings, rates };

  *moment = (JmRecordMoment){ 0 };
  g_array_append_val (subjects, node);
  for (guint i = 0; i < records->len; i++)
    if (jm_record_moment_has (records->pdata[i], time_us))
      {
        if (subjects->len == 1)
          add_size (&making, records->pdata[i]);
        add_job (&making, records->pdata[i]);
        add_point (&making, records->pdata[i]);
        add_devices (&making, records->pdata[i]);
      }

  return end (&making);
}
