/* jm-job-history.c: what a job did so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-job-history-private.h"

#include "core/jm-job-profile-private.h"
#include "node/ledger/jm-record-cut-private.h"

/* Of a run that is lost with the node no more than that is missing. */
#define KEPT_PARTS 20
#define MAX_UNKEPT_US (60 * G_USEC_PER_SEC)

/* A total that only grows. */
typedef struct
{
  gboolean is_known;
  guint64 value;
  gint64 since_us; /* up to when it is known */
} Sum;

/* The most that was seen at once. */
static const JmMetric peaks[] = { JM_METRIC_PROCESSES_PEAK, JM_METRIC_THREADS_PEAK,
                                  JM_METRIC_MEMORY_RESIDENT_PEAK };

struct _JmJobHistory
{
  gint64 begin_us;
  gint64 read_us;     /* when the counters were read last; 0 for never */
  gint64 observed_us; /* for how long it was watched, up to then */
  gboolean has_gap;   /* nobody watched since then */
  gboolean was_read;  /* by this program */
  JmJobReading last;  /* by this program */
  gint64 whole_us;    /* up to when all its CPU time is known, though not read; or 0 */
  guint64 peaks[G_N_ELEMENTS (peaks)];
  Sum sums[JM_N_PROFILE_SERIES];
  guint64 metered_cpu_ns; /* its CPU time up to when its energy is known */
  JmJobProfile *profile;

  JmJob *kept_job; /* as it was in the record that was kept last */
  gint64 kept_us;
  gboolean is_closed;
};

JmJobHistory *
jm_job_history_new (gint64 seen_us)
{
  JmJobHistory *self = g_new0 (JmJobHistory, 1);

  self->begin_us = seen_us;
  self->read_us = seen_us;

  return self;
}

void
jm_job_history_free (JmJobHistory *self)
{
  g_clear_pointer (&self->profile, jm_job_profile_unref);
  g_clear_pointer (&self->kept_job, jm_job_unref);
  g_free (self);
}

void
jm_job_history_move (JmJobHistory *self, gint64 by_us)
{
  self->begin_us += by_us;
  self->read_us += by_us;
  self->kept_us += by_us;
  for (guint i = 0; i < JM_N_PROFILE_SERIES; i++)
    self->sums[i].since_us += by_us;
  if (self->profile != NULL)
    jm_job_profile_move (self->profile, by_us);
}

/* --- what a round says --- */

static const JmReading *
find (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  guint n;
  const JmReading *readings = jm_snapshot_get_readings_of (snapshot, subject, &n);

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == metric)
      return &readings[i];

  return NULL;
}

/* The sum over all of its labels; FALSE without any. */
static gboolean
add_up (JmSnapshot *snapshot, guint subject, JmMetric metric, guint64 *sum)
{
  guint n;
  const JmReading *readings = jm_snapshot_get_readings_of (snapshot, subject, &n);
  gboolean is_known = FALSE;

  *sum = 0;
  for (guint i = 0; i < n; i++)
    if (readings[i].metric == metric)
      {
        *sum += readings[i].value;
        is_known = TRUE;
      }

  return is_known;
}

/* Of all accelerators of a job: the sum, and how many there are. */
static guint
add_up_gpus (JmSnapshot *snapshot, guint job, JmMetric metric, guint64 *sum)
{
  guint n_subjects;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n_subjects);
  guint n = 0;

  *sum = 0;
  for (guint i = job + 1; i < n_subjects; i++)
    if (subjects[i].kind == JM_SUBJECT_KIND_JOB_GPU && subjects[i].parent == job)
      {
        const JmReading *reading = find (snapshot, i, metric);

        if (reading == NULL)
          continue;
        *sum += reading->value;
        n++;
      }

  return n;
}

/* --- the profile --- */

static void
take_sum (JmJobHistory *self, JmProfileSeries series, guint64 value, gint64 to_us)
{
  Sum *sum = &self->sums[series];
  gint64 from_us = sum->is_known ? sum->since_us : self->begin_us;

  if (!sum->is_known || value > sum->value)
    jm_job_profile_add_sum (self->profile, series, from_us, to_us,
                            sum->is_known ? value - sum->value : value);
  else
    jm_job_profile_add_sum (self->profile, series, from_us, to_us, 0);

  sum->is_known = TRUE;
  sum->value = MAX (sum->value, value);
  sum->since_us = to_us;
}

static void
take_sum_of (JmJobHistory *self,
             JmProfileSeries series,
             JmSnapshot *snapshot,
             guint subject,
             const JmMetric metrics[2],
             gint64 to_us)
{
  guint64 value;

  for (guint i = 0; i < 2; i++)
    if (add_up (snapshot, subject, metrics[i], &value))
      {
        take_sum (self, series, value, to_us);
        return;
      }
}

/* Keeps the mean over all accelerators of the job. */
static void
take_gpus (JmJobHistory *self,
           JmSnapshot *snapshot,
           guint subject,
           gint64 from_us,
           gint64 to_us)
{
  guint64 value;
  guint n = add_up_gpus (snapshot, subject, JM_METRIC_GPU_UTILIZATION, &value);

  if (n > 0)
    jm_job_profile_add_level (self->profile, JM_PROFILE_SERIES_GPU_UTILIZATION, from_us,
                              to_us, value / n);
  if (add_up_gpus (snapshot, subject, JM_METRIC_GPU_MEMORY_USED, &value) > 0)
    jm_job_profile_add_level (self->profile, JM_PROFILE_SERIES_GPU_MEMORY, from_us,
                              to_us, value);
}

static void
take_levels (JmJobHistory *self,
             JmSnapshot *snapshot,
             guint subject,
             gint64 from_us,
             gint64 to_us)
{
  guint64 value;

  if (add_up (snapshot, subject, JM_METRIC_MEMORY_USED, &value))
    jm_job_profile_add_level (self->profile, JM_PROFILE_SERIES_MEMORY, from_us, to_us,
                              value);
  if (add_up (snapshot, subject, JM_METRIC_THREADS, &value))
    jm_job_profile_add_level (self->profile, JM_PROFILE_SERIES_THREADS, from_us, to_us,
                              value);
  take_gpus (self, snapshot, subject, from_us, to_us);
}

static void
take_cpu (JmJobHistory *self, JmSnapshot *snapshot, guint subject, gint64 to_us)
{
  const JmReading *cpu = find (snapshot, subject, JM_METRIC_CPU_TOTAL);

  if (cpu != NULL)
    take_sum (self, JM_PROFILE_SERIES_CPU, cpu->value, to_us);
}

static void
take_counters (JmJobHistory *self, JmSnapshot *snapshot, guint subject, gint64 to_us)
{
  static const JmMetric reads[] = { JM_METRIC_IO_READ_BYTES,
                                    JM_METRIC_PROCESS_READ_BYTES };
  static const JmMetric writes[] = { JM_METRIC_IO_WRITE_BYTES,
                                     JM_METRIC_PROCESS_WRITE_BYTES };

  take_cpu (self, snapshot, subject, to_us);
  take_sum_of (self, JM_PROFILE_SERIES_READ, snapshot, subject, reads, to_us);
  take_sum_of (self, JM_PROFILE_SERIES_WRITE, snapshot, subject, writes, to_us);
}

/* A job that has no more energy than before took none up to its last reading, unless it
 * has used CPU time: then its meter is late, and the next joules are of all the time
 * since. What it did after its last reading nobody knows. */
static void
take_energy (JmJobHistory *self, guint64 energy_uj, gint64 to_us)
{
  const Sum *energy = &self->sums[JM_PROFILE_SERIES_ENERGY];
  guint64 cpu_ns = self->sums[JM_PROFILE_SERIES_CPU].value;

  if (energy->is_known && energy_uj <= energy->value)
    {
      if (cpu_ns > self->metered_cpu_ns)
        return;
      to_us = MIN (to_us, self->read_us);
    }
  if (to_us > energy->since_us)
    {
      take_sum (self, JM_PROFILE_SERIES_ENERGY, energy_uj, to_us);
      self->metered_cpu_ns = cpu_ns;
    }
}

/* The job began when its oldest process did, which may be before it was seen. */
static void
begin (JmJobHistory *self, JmSnapshot *snapshot, guint subject)
{
  const JmReading *start = find (snapshot, subject, JM_METRIC_PROCESS_FIRST_START);
  gint64 start_us = start != NULL ? (gint64) (start->value / 1000) : 0;

  if (start_us > 0 && start_us < self->begin_us)
    self->begin_us = start_us;
  self->profile = jm_job_profile_new (self->begin_us);
}

void
jm_job_history_take (JmJobHistory *self,
                     JmSnapshot *snapshot,
                     guint subject,
                     const JmJobReading *reading,
                     gint64 energy_us)
{
  gint64 read_us = reading->time_us;
  guint64 energy_uj;

  if (self->profile == NULL)
    begin (self, snapshot, subject);

  if (read_us > self->read_us || (read_us != 0 && !self->was_read))
    {
      /* of a gap only what was counted is known */
      if (!self->has_gap)
        {
          take_levels (self, snapshot, subject, self->read_us, read_us);
          self->observed_us += MAX (read_us - self->read_us, 0);
        }
      take_counters (self, snapshot, subject, read_us);
      self->has_gap = FALSE;
      self->was_read = TRUE;
      self->read_us = MAX (self->read_us, read_us);
      self->last = *reading;
    }
  if (reading->cpu_us > MAX (self->read_us, self->whole_us))
    {
      take_cpu (self, snapshot, subject, reading->cpu_us);
      self->whole_us = reading->cpu_us;
    }
  if (add_up (snapshot, subject, JM_METRIC_ENERGY, &energy_uj))
    take_energy (self, energy_uj, energy_us);
}

guint64
jm_job_history_raise_peak (JmJobHistory *self, JmMetric peak, guint64 now)
{
  guint64 most = now;

  for (guint i = 0; i < G_N_ELEMENTS (peaks); i++)
    if (peaks[i] == peak)
      most = self->peaks[i] = MAX (self->peaks[i], now);

  return most;
}

/* --- coverage --- */

static JmTotalMethod
get_method (const JmJobHistory *self, gint64 end_us)
{
  if (!self->was_read)
    return self->profile != NULL ? JM_TOTAL_METHOD_CHECKPOINT : JM_TOTAL_METHOD_UNKNOWN;

  return end_us != 0 && self->last.is_final ? JM_TOTAL_METHOD_FINAL
                                            : JM_TOTAL_METHOD_LAST;
}

/* All of it may be known of a job whose other counters are not. */
static JmTotalMethod
get_cpu_method (const JmJobHistory *self, const JmWatched *watched, gint64 end_us)
{
  gboolean is_all = end_us != 0 && self->whole_us >= end_us;

  return is_all ? JM_TOTAL_METHOD_FINAL : watched->method;
}

/* How long the job was observed, back from its last reading until that is @span_us or
 * more, and its CPU time in that while. */
static gint64
sum_up_late (const JmJobHistory *self, gint64 span_us, double *cpu_ns)
{
  guint n;
  const JmProfilePoint *points =
    jm_job_profile_get_points (self->profile, JM_PROFILE_SERIES_CPU, &n);
  gint64 seen_us = 0;

  *cpu_ns = 0;
  while (n-- > 0 && seen_us < span_us)
    {
      seen_us += points[n].seen_us;
      *cpu_ns += (double) points[n].sum;
    }

  return seen_us;
}

/* The job is taken to use as much after its last reading as in as long before; of one
 * that was not observed for as long, in each moment as much as in the others. */
static double
get_cpu_coverage (const JmJobHistory *self, JmTotalMethod method, gint64 end_us)
{
  const Sum *cpu = &self->sums[JM_PROFILE_SERIES_CPU];
  gint64 unread_us = end_us - cpu->since_us;
  gint64 seen_us;
  double late_ns, all_ns;

  if (method == JM_TOTAL_METHOD_FINAL || unread_us <= 0)
    return 1;

  seen_us = sum_up_late (self, unread_us, &late_ns);
  if (seen_us < unread_us)
    return (double) seen_us / (double) (seen_us + unread_us);

  all_ns = (double) cpu->value + late_ns * (double) unread_us / (double) seen_us;

  return all_ns > 0 ? (double) cpu->value / all_ns : 1;
}

/* Who sums up over processes misses those that came and went unseen. */
static double
get_seen_coverage (const JmJobHistory *self, const JmWatched *watched, gint64 end_us)
{
  double all = get_cpu_coverage (self, watched->method, end_us);

  if (!self->last.is_of_processes || watched->life_us <= 0)
    return all;

  return MIN (all, (double) watched->observed_us / (double) watched->life_us);
}

static void
add_coverages (const JmJobHistory *self,
               JmCoverages *coverages,
               JmSnapshot *snapshot,
               guint subject,
               gint64 end_us)
{
  gint64 until_us = end_us != 0 ? end_us : self->read_us;
  const JmWatched watched = { until_us - self->begin_us, self->observed_us,
                              get_method (self, end_us) };

  jm_coverages_add_life (coverages, &watched, self->was_read);
  if (self->sums[JM_PROFILE_SERIES_CPU].is_known)
    jm_coverages_add (coverages, "cpu", get_seen_coverage (self, &watched, until_us),
                      get_cpu_method (self, &watched, end_us));
  jm_coverages_add_energy (coverages, &watched, snapshot, subject);
}

/* --- records --- */

JmJobRecord *
jm_job_history_make_record (JmJobHistory *self,
                            const char *node,
                            JmSnapshot *snapshot,
                            guint subject,
                            gint64 end_us)
{
  g_autoptr (JmSnapshot) cut = jm_record_cut (snapshot, subject);
  g_autoptr (JmJobProfile) profile =
    self->profile != NULL ? jm_job_profile_copy (self->profile) : NULL;
  JmCoverages coverages = { 0 };
  JmJobRecordContent content = {
    .job = jm_snapshot_get_subjects (snapshot, &(guint){ 0 })[subject].job,
    .node = node,
    .state = end_us != 0 ? JM_RUN_STATE_ENDED : JM_RUN_STATE_RUNNING,
    .begin_us = self->begin_us,
    .end_us = end_us,
    .seen_us = self->read_us,
    .snapshot = cut,
    .profile = profile,
    .coverage = coverages.coverages,
  };

  add_coverages (self, &coverages, snapshot, subject, end_us);
  content.n_coverage = coverages.n;

  return jm_job_record_new (&content);
}

/* --- keeping --- */

gboolean
jm_job_history_is_due (const JmJobHistory *self, JmJob *job, gint64 now_us)
{
  gint64 age_us = now_us - self->begin_us;

  return self->kept_job != job ||
         now_us - self->kept_us >= MIN (age_us / KEPT_PARTS, MAX_UNKEPT_US);
}

void
jm_job_history_keep (JmJobHistory *self, JmJob *job, gint64 now_us)
{
  g_clear_pointer (&self->kept_job, jm_job_unref);
  self->kept_job = jm_job_ref (job);
  self->kept_us = now_us;
}

void
jm_job_history_close (JmJobHistory *self)
{
  self->is_closed = TRUE;
}

gboolean
jm_job_history_is_closed (const JmJobHistory *self)
{
  return self->is_closed;
}

/* --- going on --- */

static void
restore_sum (JmJobHistory *self,
             JmProfileSeries series,
             JmMetric metric,
             JmSnapshot *kept)
{
  Sum *sum = &self->sums[series];

  sum->is_known = add_up (kept, JM_RECORD_SUBJECT, metric, &sum->value);
  sum->since_us = self->read_us;
}

static guint64
restore_peak (JmSnapshot *kept, JmMetric metric)
{
  const JmReading *peak = find (kept, JM_RECORD_SUBJECT, metric);

  return peak != NULL ? peak->value : 0;
}

JmJobHistory *
jm_job_history_restore (JmJobRecord *record)
{
  JmJobHistory *self = g_new0 (JmJobHistory, 1);
  JmSnapshot *kept = jm_job_record_get_snapshot (record);
  JmJobProfile *profile = jm_job_record_get_profile (record);
  double life = jm_job_record_get_coverage (record, "life");
  static const struct
  {
    JmProfileSeries series;
    JmMetric metrics[2];
  } sums[] = {
    { JM_PROFILE_SERIES_CPU, { JM_METRIC_CPU_TOTAL, JM_METRIC_CPU_TOTAL } },
    { JM_PROFILE_SERIES_READ,
      { JM_METRIC_IO_READ_BYTES, JM_METRIC_PROCESS_READ_BYTES } },
    { JM_PROFILE_SERIES_WRITE,
      { JM_METRIC_IO_WRITE_BYTES, JM_METRIC_PROCESS_WRITE_BYTES } },
    { JM_PROFILE_SERIES_ENERGY, { JM_METRIC_ENERGY, JM_METRIC_ENERGY } },
  };

  self->begin_us = jm_job_record_get_begin_time (record);
  self->read_us = jm_job_record_get_seen_time (record);
  self->has_gap = TRUE;
  self->observed_us =
    (gint64) ((life >= 0 ? life : 0) * (double) (self->read_us - self->begin_us));
  self->profile = profile != NULL ? jm_job_profile_copy (profile) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (peaks); i++)
    self->peaks[i] = restore_peak (kept, peaks[i]);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    for (guint k = 0; k < 2 && !self->sums[sums[i].series].is_known; k++)
      restore_sum (self, sums[i].series, sums[i].metrics[k], kept);

  return self;
}

/* What was observed of the time up to its last reading is less of all its life. */
static double
get_part_of_life (JmJobRecord *record, gint64 until_us)
{
  gint64 begin_us = jm_job_record_get_begin_time (record);
  gint64 seen_us = jm_job_record_get_seen_time (record);

  if (seen_us <= begin_us || until_us <= seen_us)
    return 1;

  return (double) (seen_us - begin_us) / (double) (until_us - begin_us);
}

JmJobRecord *
jm_job_history_lose (JmJobRecord *record, gint64 until_us)
{
  const double part = get_part_of_life (record, until_us);
  guint n;
  const JmCoverage *known = jm_job_record_get_coverages (record, &n);
  g_autofree JmCoverage *coverages = g_memdup2 (known, n * sizeof (JmCoverage));
  const JmJobRecordContent content = {
    .job = jm_job_record_get_job (record),
    .node = jm_job_record_get_node (record),
    .state = JM_RUN_STATE_LOST,
    .begin_us = jm_job_record_get_begin_time (record),
    .end_us = jm_job_record_get_seen_time (record),
    .seen_us = jm_job_record_get_seen_time (record),
    .snapshot = jm_job_record_get_snapshot (record),
    .profile = jm_job_record_get_profile (record),
    .coverage = coverages,
    .n_coverage = n,
  };

  for (guint i = 0; i < n; i++)
    {
      coverages[i].method = JM_TOTAL_METHOD_CHECKPOINT;
      coverages[i].ratio *= part;
    }

  return jm_job_record_new (&content);
}
