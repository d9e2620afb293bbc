/* jm-gpu-job-stage.c: what each job has of the accelerators, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-stage-private.h"
#include "core/jm-readings-private.h"

#define PPM 1e6

/* Labels of the figure that says by whose word a job has a device. */
typedef struct
{
  JmLabels *origins[JM_N_GPU_ORIGINS];
} GpuJobStage;

static gpointer
gpu_job_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  GpuJobStage *self = g_new0 (GpuJobStage, 1);

  for (guint i = 0; i < JM_N_GPU_ORIGINS; i++)
    self->origins[i] = jm_labels_of (jm_gpu_origin_get_name (i), NULL);

  return self;
}

static void
gpu_job_close (gpointer data)
{
  GpuJobStage *self = data;

  for (guint i = 0; i < JM_N_GPU_ORIGINS; i++)
    jm_labels_unref (self->origins[i]);
  g_free (self);
}

static void
add_known (JmReadings *readings, JmMetric metric, gint64 value)
{
  if (value >= 0)
    jm_readings_add (readings, metric, (guint64) value);
}

/* Of what several have, or one uses that was not given it, only that is the job's which
 * the driver tells of its processes. */
static void
tell_use (const JmGpuHold *hold, JmGpuRoll *roll, JmReadings *readings)
{
  gboolean is_listed =
    hold->is_used ||
    jm_gpu_roll_get_value (roll, hold->gpu, JM_METRIC_GPU_PROCESSES) >= 0;

  if (is_listed)
    jm_readings_add (readings, JM_METRIC_GPU_PROCESSES, hold->n_processes);

  if (hold->is_alone)
    jm_gpu_roll_tell_of_job (roll, hold->gpu, readings);
  else if (hold->is_used)
    {
      add_known (readings, JM_METRIC_GPU_MEMORY_USED, hold->memory_bytes);
      add_known (readings, JM_METRIC_GPU_UTILIZATION,
                 MIN (hold->utilization_ppm, (gint64) PPM));
    }
}

static void
tell_hold (GpuJobStage *self, JmRound *round, guint job, JmGpuHold *hold)
{
  JmGpuRoll *roll = jm_gpu_map_get_roll (round->gpu_map);
  const JmTrackedSubject *tracked = round->subject;
  const JmSubject subject = { .kind = JM_SUBJECT_KIND_JOB_GPU,
                              .parent = job,
                              .job = jm_tracked_job_get_job (
                                jm_tracked_subject_get_job (tracked)),
                              .labels = jm_gpu_roll_get_labels (roll, hold->gpu),
                              .end_time = jm_tracked_subject_get_end_time (tracked) };

  hold->job_subject = job;
  hold->subject = jm_round_add_subject (round, &subject);
  jm_readings_add_labelled (round->readings, JM_METRIC_GPU_SHARE,
                            self->origins[hold->origin],
                            (guint64) (hold->share * PPM + 0.5));
  if (subject.end_time == 0)
    tell_use (hold, roll, round->readings);
}

static guint
count_allocated (const JmGpuHold *holds, guint n_holds)
{
  guint n = 0;

  for (guint i = 0; i < n_holds; i++)
    n += holds[i].is_allocated ? 1 : 0;

  return n;
}

static void
gpu_job_visit (gpointer data, JmRound *round, guint subject)
{
  GpuJobStage *self = data;
  guint n_holds;
  JmGpuHold *holds;
  guint n_allocated;

  if (round->gpu_map == NULL || round->is_late ||
      jm_tracked_subject_get_kind (round->subject) != JM_SUBJECT_KIND_JOB)
    return;

  holds = jm_gpu_map_get_holds (jm_tracked_subject_get_job (round->subject), &n_holds);
  if (n_holds == 0 || !jm_readings_begin (round->readings, JM_COLLECTOR_GPU))
    return;

  /* of one that ended, the last figure was added already */
  n_allocated = count_allocated (holds, n_holds);
  if (n_allocated > 0 && round->is_read)
    jm_readings_add (round->readings, JM_METRIC_ALLOCATED_GPUS, n_allocated);
  for (guint i = 0; i < n_holds; i++)
    tell_hold (self, round, subject, &holds[i]);
  jm_readings_set_subject (round->readings, subject);
}

const JmStageClass jm_gpu_job_stage = {
  .name = "gpus of jobs",
  .open = gpu_job_open,
  .close = gpu_job_close,
  .visit = gpu_job_visit,
};
