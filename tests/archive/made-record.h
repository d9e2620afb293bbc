/* made-record.h: a record that has all there may be
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job-draft-private.h"
#include "core/jm-job-profile-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-snapshot-private.h"

#define MADE_BEGIN_US G_GINT64_CONSTANT (1700000000123456)
#define MADE_END_US (MADE_BEGIN_US + 3600 * G_GINT64_CONSTANT (1000000))
#define MADE_RUN_KEY "0f6a2d1e-7c70-4d2a-9d8e-3f0f5c1b2a34/4711"

enum
{
  MADE_NODE,
  MADE_JOB,
  MADE_GPU,
  MADE_STEP,
  MADE_TASK,
  N_MADE_SUBJECTS
};

static inline JmJob *
made_job (void)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "4711", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_SCHEDULER, JM_ORIGIN_PATH, "slurm", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_UID, JM_ORIGIN_HOOK, "1000", -1);
  /* a less reliable word that came later */
  jm_job_draft_set (draft, JM_JOB_FIELD_USER, JM_ORIGIN_PATH, "älice\n", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_NAME, JM_ORIGIN_ENVIRONMENT, "a \"b\"\t", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_NODES, JM_ORIGIN_HOOK, "many", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_START_TIME, JM_ORIGIN_HOOK, "1700000000", -1);
  jm_job_draft_set_further (draft, "project", JM_ORIGIN_HOOK, "x=1", -1);
  jm_job_draft_set_run_key (draft, MADE_RUN_KEY);
  jm_job_draft_set_alias (draft, "job_4711");
  jm_job_draft_set_decided (draft);

  return jm_job_draft_to_job (draft);
}

static inline void
made_add (JmReadings *readings,
          JmMetric metric,
          const char *first,
          const char *second,
          guint64 value)
{
  g_autoptr (JmLabels) labels = jm_labels_of (first, second, NULL);

  jm_readings_add_labelled (readings, metric, labels, value);
}

static inline void
made_fill (JmReadings *readings)
{
  jm_readings_add (readings, JM_METRIC_NODE_CPUS, 64);
  jm_readings_add (readings, JM_METRIC_NODE_MEMORY_SIZE, G_GUINT64_CONSTANT (1) << 41);
  jm_readings_set_subject (readings, MADE_JOB);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, 7199123456789);
  jm_readings_add (readings, JM_METRIC_CPUS, 2);
  jm_readings_add (readings, JM_METRIC_MEMORY_PEAK, G_GUINT64_CONSTANT (1) << 40);
  /* more nanoseconds than a double can count */
  jm_readings_add (readings, JM_METRIC_CPU_USER,
                   G_GUINT64_CONSTANT (12345678901234567));
  jm_readings_add (readings, JM_METRIC_PROCESS_READ_CHARS, G_MAXINT64);
  jm_readings_add (readings, JM_METRIC_PROCESS_WRITE_CHARS, G_MAXUINT64);
  made_add (readings, JM_METRIC_ENERGY, "package", "measured", 123456789);
  made_add (readings, JM_METRIC_ENERGY, "dram", "estimated", 1);
  made_add (readings, JM_METRIC_EXECUTABLE_CPU, "/bin/\"x\\y\"", NULL, 333333333);

  jm_readings_set_subject (readings, MADE_GPU);
  made_add (readings, JM_METRIC_GPU_SHARE, "hook", NULL, 250000);
  jm_readings_add (readings, JM_METRIC_GPU_ENERGY, 42000001);

  jm_readings_set_subject (readings, MADE_STEP);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, 1);
  jm_readings_set_subject (readings, MADE_TASK);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, 0);
}

static inline JmSnapshot *
made_snapshot (JmJob *job, gint64 end_us)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmCollectorSet) collectors =
    jm_collector_set_copy (jm_collector_set_get_all ());
  g_autoptr (JmLabels) gpu = jm_labels_of ("nvidia0", NULL);
  g_autoptr (JmLabels) step = jm_labels_of ("batch", NULL);
  g_autoptr (JmLabels) task = jm_labels_of ("batch", "0", NULL);
  const JmSubject subjects[N_MADE_SUBJECTS] = {
    [MADE_NODE] = { JM_SUBJECT_KIND_NODE },
    [MADE_JOB] = { JM_SUBJECT_KIND_JOB, MADE_NODE, job, NULL, end_us },
    [MADE_GPU] = { JM_SUBJECT_KIND_JOB_GPU, MADE_JOB, job, gpu, end_us },
    [MADE_STEP] = { JM_SUBJECT_KIND_STEP, MADE_JOB, job, step, end_us },
    [MADE_TASK] = { JM_SUBJECT_KIND_TASK, MADE_STEP, job, task, end_us },
  };

  made_fill (readings);
  jm_collector_set_subtract (collectors, JM_COLLECTOR_SET (JM_COLLECTOR_RDMA));

  return jm_snapshot_new (MADE_END_US - 1, 0, collectors, subjects, N_MADE_SUBJECTS,
                          readings);
}

/* A life that was read every few seconds, but for a gap. */
static inline JmJobProfile *
made_profile (GRand *rand, gint64 life_us)
{
  JmJobProfile *profile = jm_job_profile_new (MADE_BEGIN_US);
  gint64 now_us = MADE_BEGIN_US;

  while (now_us < MADE_BEGIN_US + life_us)
    {
      gint64 next_us = now_us + 4990000 + g_rand_int_range (rand, 0, 20000);

      if (now_us - MADE_BEGIN_US < 600000000 || now_us - MADE_BEGIN_US > 700000000)
        {
          jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_CPU, now_us, next_us,
                                  (guint64) g_rand_int_range (rand, 0, 2000000000));
          jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_ENERGY, now_us, next_us,
                                  (guint64) g_rand_int_range (rand, 0, 500000000));
          jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_READ, now_us, next_us,
                                  (guint64) g_rand_int_range (rand, 0, 1000) * 4096);
          jm_job_profile_add_sum (profile, JM_PROFILE_SERIES_WRITE, now_us, next_us, 0);
          jm_job_profile_add_level (profile, JM_PROFILE_SERIES_MEMORY, now_us, next_us,
                                    (guint64) g_rand_int_range (rand, 1, 1 << 20) *
                                      4096);
          jm_job_profile_add_level (profile, JM_PROFILE_SERIES_THREADS, now_us, next_us,
                                    (guint64) g_rand_int_range (rand, 1, 9));
        }
      now_us = next_us;
    }
  jm_job_profile_add_level (profile, JM_PROFILE_SERIES_GPU_UTILIZATION, MADE_BEGIN_US,
                            MADE_BEGIN_US + life_us, 123456);

  return profile;
}

/* The caller gives a profile, or NULL. */
/* Of a site's own meter, whose domain has a name of as many letters as may be. */
#define LONGEST_COVERAGE                                                               \
 "energy.Rack-B_7:Chassis.3-0123456789-0123456789-0123456789-0123456789ABC.estimated"

static inline JmJobRecord *
made_record (JmRunState state, JmJobProfile *profile)
{
  const JmCoverage coverage[] = { { "life", 0.987654321, JM_TOTAL_METHOD_LAST },
                                  { "cpu", 1, JM_TOTAL_METHOD_FINAL },
                                  { "energy.package.0", 0, JM_TOTAL_METHOD_UNKNOWN },
                                  { LONGEST_COVERAGE, 0.5, JM_TOTAL_METHOD_LAST } };
  gint64 end_us = state != JM_RUN_STATE_RUNNING ? MADE_END_US : 0;
  g_autoptr (JmJob) job = made_job ();
  g_autoptr (JmSnapshot) snapshot = made_snapshot (job, end_us);
  JmJobRecordContent content = { .job = job,
                                 .node = "n1",
                                 .state = state,
                                 .begin_us = MADE_BEGIN_US,
                                 .end_us = end_us,
                                 .seen_us = MADE_END_US - 1,
                                 .snapshot = snapshot,
                                 .profile = profile,
                                 .coverage = coverage,
                                 .n_coverage = G_N_ELEMENTS (coverage) };

  return jm_job_record_new (&content);
}
