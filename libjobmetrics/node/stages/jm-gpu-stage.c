/* jm-gpu-stage.c: the accelerators, in every round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-readings-private.h"
#include "host/jm-source-private.h"
#include "node/gpu/jm-gpu-roll-private.h"
#include "node/jm-stage-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

typedef struct
{
  JmGpuRoll *roll;
  JmGpuMap *map;
} GpuStage;

static gpointer
gpu_open (const JmSweepPlan *plan, JmSourceSet *sources, GPtrArray *problems)
{
  GpuStage *self = g_new0 (GpuStage, 1);

  self->roll = jm_gpu_roll_new ();
  self->map = jm_gpu_map_new (self->roll,
                              jm_source_get_host (
                                jm_source_set_find (sources, JM_SOURCE_KIND_PROCESSES)),
                              plan->gpu_order, plan->gpu_shards);

  return self;
}

static void
gpu_close (gpointer data)
{
  GpuStage *self = data;

  jm_gpu_map_free (self->map);
  jm_gpu_roll_free (self->roll);
  g_free (self);
}

static void
gpu_add_source (gpointer data, const JmSourceEntry *entry)
{
  GpuStage *self = data;

  if (entry->kind != JM_SOURCE_KIND_GPUS || !jm_source_is_open (entry->source))
    return;

  jm_gpu_map_add_mapper (self->map, JM_GPU_MAPPER (entry->source));
  if (jm_gpu_mapper_knows_devices (JM_GPU_MAPPER (entry->source)))
    jm_gpu_roll_add_library (self->roll, entry->name, JM_GPU_MAPPER (entry->source));
}

/* Devices come before the jobs. */
static void
tell_devices (GpuStage *self, JmRound *round)
{
  for (guint i = 0; i < jm_gpu_roll_get_size (self->roll); i++)
    {
      const JmSubject subject = { .kind = JM_SUBJECT_KIND_GPU,
                                  .parent = JM_NODE_SUBJECT,
                                  .labels = jm_gpu_roll_get_labels (self->roll, i) };

      int n_jobs = jm_gpu_map_count_jobs (self->map, i);

      if (!jm_gpu_roll_is_present (self->roll, i))
        continue;

      jm_gpu_roll_set_subject (self->roll, i, jm_round_add_subject (round, &subject));
      jm_gpu_roll_tell (self->roll, i, round->readings);
      if (n_jobs >= 0)
        jm_readings_add (round->readings, JM_METRIC_GPU_JOBS, (guint64) n_jobs);
    }
  jm_readings_set_subject (round->readings, JM_NODE_SUBJECT);
}

static void
gpu_begin (gpointer data, JmRound *round)
{
  GpuStage *self = data;

  if (jm_gpu_roll_is_empty (self->roll) ||
      !jm_readings_begin (round->readings, JM_COLLECTOR_GPU))
    return;

  jm_gpu_roll_read (self->roll, round->readings);
  jm_gpu_map_read (self->map, round->trackers, round->readings);
  round->gpu_map = self->map;
  tell_devices (self, round);
  jm_readings_end (round->readings);
}

/* Without a library there is nothing that could succeed or fail. */
static void
gpu_add_idle_collectors (gpointer data, JmCollectorSet *idle)
{
  GpuStage *self = data;

  if (jm_gpu_roll_is_empty (self->roll))
    jm_collector_set_add (idle, JM_COLLECTOR_GPU);
}

static void
gpu_wait (gpointer data, gint64 timeout_us)
{
  GpuStage *self = data;

  jm_gpu_roll_wait (self->roll, timeout_us);
}

const JmStageClass jm_gpu_stage = {
  .name = "gpus",
  .open = gpu_open,
  .close = gpu_close,
  .add_source = gpu_add_source,
  .begin = gpu_begin,
  .add_idle_collectors = gpu_add_idle_collectors,
  .wait = gpu_wait,
};
