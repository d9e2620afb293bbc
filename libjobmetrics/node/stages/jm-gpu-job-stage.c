/* jm-gpu-job-stage.c: what each job has of the accelerators, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "core/jm-gpu-grants-private.h"
#include "core/jm-job-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-host-private.h"
#include "node/jm-stage-private.h"
#include "node/ledger/jm-ledger-memory-private.h"

#define PPM 1e6
/* What a ledger calls the totals of runs. */
#define OF_JOBS "gpus"
/* After so many intervals without a round, what was meanwhile is not known. */
#define INTERVALS_OF_A_GAP 3

typedef struct
{
  JmLabels *origins[JM_N_GPU_ORIGINS]; /* by whose word a job has a device */
  JmLedgerMemory *memory;              /* of JmGpuTotals */
  guint n_rounds;                      /* and one more for each gap between them */
  GArray *errors;                      /* of JmReading, of the device at hand */
  gint64 round_us;                     /* when this one began, by the monotonic clock */
} GpuJobStage;

static gpointer
restore_totals (GBytes *bytes)
{
  return jm_gpu_totals_restore (bytes);
}

static gpointer
gpu_job_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  GpuJobStage *self = g_new0 (GpuJobStage, 1);
  JmSource *processes = jm_source_set_find (sources, JM_SOURCE_KIND_PROCESSES);
  g_autofree char *boot_id = jm_host_read_boot_id (jm_source_get_host (processes));

  self->memory = jm_ledger_memory_new (OF_JOBS, boot_id, restore_totals,
                                       (GDestroyNotify) jm_gpu_totals_free);
  self->errors = g_array_new (FALSE, FALSE, sizeof (JmReading));
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
  jm_ledger_memory_free (self->memory);
  g_array_unref (self->errors);
  g_free (self);
}

/* --- what outlives the program --- */

static void
gpu_job_restore (gpointer data,
                 const JmCheckpoint *checkpoint,
                 const GPtrArray *running)
{
  GpuJobStage *self = data;
  g_autoptr (GHashTable) kept = jm_checkpoint_load (checkpoint, OF_JOBS);
  guint n_broken = jm_ledger_memory_take_all (self->memory, kept);

  if (n_broken > 0)
    g_warning ("the ledger: what %u of the jobs that run have used of GPUs is broken, "
               "and left out",
               n_broken);
}

/* Whether it has any or not: what no job claims is forgotten. */
static void
go_on (GpuJobStage *self, JmTrackedJob *tracked)
{
  JmJob *job = jm_tracked_job_get_job (tracked);
  JmGpuJob *gpus;
  gpointer totals = NULL;

  if (job == NULL || !jm_ledger_memory_take (self->memory, job, &totals) ||
      totals == NULL)
    return;

  gpus = jm_gpu_map_take_job (tracked);
  jm_gpu_totals_free (gpus->totals);
  gpus->totals = totals;
}

static void
save_job (GpuJobStage *self, JmTrackedJob *tracked, JmLedgerBatch *batch)
{
  JmJob *job = jm_tracked_job_get_job (tracked);
  const char *run_key = job != NULL ? jm_job_get_run_key (job) : NULL;
  const JmGpuJob *gpus = jm_gpu_map_get_job (tracked);
  GBytes *bytes;

  if (gpus == NULL || run_key == NULL)
    return;

  bytes = jm_gpu_totals_save (gpus->totals);
  if (bytes != NULL)
    jm_ledger_memory_save (self->memory, batch, run_key, bytes);
}

static void
gpu_job_save (gpointer data, JmRound *round, JmLedgerBatch *batch)
{
  GpuJobStage *self = data;

  for (guint t = 0; t < round->trackers->len; t++)
    {
      GPtrArray *jobs = jm_job_tracker_get_jobs (round->trackers->pdata[t]);

      for (guint i = 0; i < jobs->len; i++)
        save_job (self, jobs->pdata[i], batch);
    }
  jm_ledger_memory_end_save (self->memory, batch);
}

/* --- a round --- */

static gboolean
is_gap (gint64 since_us, gint64 interval_us)
{
  return interval_us > 0 && since_us > INTERVALS_OF_A_GAP * interval_us;
}

static void
gpu_job_begin (gpointer data, JmRound *round)
{
  GpuJobStage *self = data;
  gint64 before_us = self->round_us;

  self->round_us = g_get_monotonic_time ();
  self->n_rounds++;
  if (is_gap (self->round_us - before_us, round->plan->interval_us))
    self->n_rounds++;
}

static void
add_known (JmReadings *readings, JmMetric metric, gint64 value)
{
  if (value >= 0)
    jm_readings_add (readings, metric, (guint64) value);
}

/* Of what several have, or one uses that was not given it, only that is the job's which
 * the driver has of its processes. -1 where nothing is. */
static gint64
get_own (const JmGpuHold *hold, JmGpuRoll *roll, JmMetric metric, gint64 *answer_us)
{
  if (hold->is_alone)
    {
      *answer_us = jm_gpu_roll_get_time (roll, hold->gpu, metric);
      return jm_gpu_roll_get_value (roll, hold->gpu, metric);
    }
  if (!hold->is_used)
    return -1;

  *answer_us = jm_gpu_roll_get_processes_time (roll, hold->gpu);

  return metric == JM_METRIC_GPU_MEMORY_USED
           ? hold->memory_bytes
           : MIN (hold->utilization_ppm, (gint64) PPM);
}

static void
take_use (GpuJobStage *self,
          JmGpuTotals *totals,
          const JmGpuHold *hold,
          JmGpuRoll *roll)
{
  const char *name = jm_gpu_roll_get_key (roll, hold->gpu);
  JmGpuMoment moment = { .round = self->n_rounds,
                         .round_us = self->round_us,
                         .covered_us = G_MAXINT64 };
  gint64 use = get_own (hold, roll, JM_METRIC_GPU_UTILIZATION, &moment.answer_us);
  gint64 memory;

  if (hold->is_alone)
    use = jm_gpu_roll_get_use (roll, hold->gpu, &moment.covered_us);
  if (use >= 0)
    jm_gpu_totals_take_use (totals, name, use, &moment);

  memory = get_own (hold, roll, JM_METRIC_GPU_MEMORY_USED, &moment.answer_us);
  if (memory >= 0)
    jm_gpu_totals_take_memory (totals, name, memory,
                               hold->is_alone
                                 ? jm_gpu_roll_get_value (roll, hold->gpu,
                                                          JM_METRIC_GPU_MEMORY_SIZE)
                                 : -1,
                               &moment);
}

static void
take_throttle (GpuJobStage *self,
               JmGpuTotals *totals,
               const JmGpuHold *hold,
               JmGpuRoll *roll)
{
  JmGpuMoment moment = { .round = self->n_rounds,
                         .round_us = self->round_us,
                         .covered_us = G_MAXINT64 };
  const gint64 is_throttled =
    jm_gpu_roll_get_throttle (roll, hold->gpu, &moment.answer_us);

  /* a part of the time that is observed */
  if (hold->is_alone)
    jm_gpu_roll_get_use (roll, hold->gpu, &moment.covered_us);
  if (is_throttled >= 0)
    jm_gpu_totals_take_throttle (totals, jm_gpu_roll_get_key (roll, hold->gpu),
                                 is_throttled > 0, &moment);
}

/* Of what the job was given; of what it only uses, too. */
static void
take_errors (GpuJobStage *self,
             JmGpuTotals *totals,
             const JmGpuHold *hold,
             JmGpuRoll *roll)
{
  if (!jm_gpu_roll_is_present (roll, hold->gpu))
    return;

  g_array_set_size (self->errors, 0);
  jm_gpu_roll_list_errors (roll, hold->gpu, self->errors);
  jm_gpu_totals_take_errors (totals, jm_gpu_roll_get_key (roll, hold->gpu),
                             self->errors);
}

static void
tell_use (const JmGpuHold *hold, JmGpuRoll *roll, JmReadings *readings)
{
  gboolean is_listed =
    hold->is_used ||
    jm_gpu_roll_get_value (roll, hold->gpu, JM_METRIC_GPU_PROCESSES) >= 0;
  gint64 answer_us;

  if (is_listed)
    jm_readings_add (readings, JM_METRIC_GPU_PROCESSES, hold->n_processes);

  if (hold->is_alone)
    {
      jm_gpu_roll_tell_of_job (roll, hold->gpu, readings);
      return;
    }

  add_known (readings, JM_METRIC_GPU_MEMORY_USED,
             get_own (hold, roll, JM_METRIC_GPU_MEMORY_USED, &answer_us));
  add_known (readings, JM_METRIC_GPU_UTILIZATION,
             get_own (hold, roll, JM_METRIC_GPU_UTILIZATION, &answer_us));
}

static void
tell_hold (GpuJobStage *self, JmRound *round, guint job, JmGpuHold *hold)
{
  JmGpuRoll *roll = jm_gpu_map_get_roll (round->gpu_map);
  const JmTrackedSubject *tracked = round->subject;
  JmGpuTotals *totals =
    jm_gpu_map_get_job (jm_tracked_subject_get_job (round->subject))->totals;
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
    {
      tell_use (hold, roll, round->readings);
      take_use (self, totals, hold, roll);
      take_errors (self, totals, hold, roll);
      take_throttle (self, totals, hold, roll);
    }
  jm_gpu_totals_tell (totals, jm_gpu_roll_get_key (roll, hold->gpu),
                      subject.end_time != 0, round->readings);
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

  if (round->is_late ||
      jm_tracked_subject_get_kind (round->subject) != JM_SUBJECT_KIND_JOB)
    return;

  go_on (self, jm_tracked_subject_get_job (round->subject));
  if (round->gpu_map == NULL)
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
  .begin = gpu_job_begin,
  .visit = gpu_job_visit,
  .restore = gpu_job_restore,
  .save = gpu_job_save,
};
