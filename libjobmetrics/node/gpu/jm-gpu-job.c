/* jm-gpu-job.c: which accelerators one job has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/gpu/jm-gpu-job-private.h"

JmGpuJob *
jm_gpu_job_new (void)
{
  JmGpuJob *self = g_new0 (JmGpuJob, 1);

  self->grants = jm_gpu_grants_new ();
  self->words = g_array_new (FALSE, FALSE, sizeof (JmGpuWord));
  self->uses = g_array_new (FALSE, FALSE, sizeof (JmGpuUse));
  self->holds = g_array_new (FALSE, FALSE, sizeof (JmGpuHold));
  self->totals = jm_gpu_totals_new ();

  return self;
}

void
jm_gpu_job_free (JmGpuJob *self)
{
  g_clear_pointer (&self->job, jm_job_unref);
  jm_gpu_grants_unref (self->grants);
  g_array_unref (self->words);
  g_array_unref (self->uses);
  g_array_unref (self->holds);
  jm_gpu_totals_free (self->totals);
  g_free (self);
}

/* A sum of which a part is not known is none. */
static gint64
add_known (gint64 sum, gint64 more)
{
  if (sum < 0 || more < 0)
    return -1;

  return sum <= G_MAXINT64 - more ? sum + more : G_MAXINT64;
}

static JmGpuUse *
take_use (JmGpuJob *self, guint gpu)
{
  const JmGpuUse none = { .gpu = gpu };

  for (guint i = 0; i < self->uses->len; i++)
    if (g_array_index (self->uses, JmGpuUse, i).gpu == gpu)
      return &g_array_index (self->uses, JmGpuUse, i);
  g_array_append_val (self->uses, none);

  return &g_array_index (self->uses, JmGpuUse, self->uses->len - 1);
}

void
jm_gpu_job_add_use (JmGpuJob *self,
                    guint gpu,
                    gboolean is_new,
                    gint64 memory_bytes,
                    gint64 utilization_ppm)
{
  JmGpuUse *use = take_use (self, gpu);

  use->n_processes += is_new ? 1 : 0;
  use->memory_bytes = add_known (use->memory_bytes, memory_bytes);
  use->utilization_ppm = add_known (use->utilization_ppm, utilization_ppm);
}

void
jm_gpu_job_end (JmGpuJob *self)
{
  g_array_set_size (self->words, 0);
  g_array_set_size (self->uses, 0);

  for (guint i = 0; i < self->holds->len; i++)
    {
      JmGpuHold *hold = &g_array_index (self->holds, JmGpuHold, i);

      hold->is_used = FALSE;
      hold->is_alone = FALSE;
      hold->n_processes = 0;
      hold->memory_bytes = -1;
      hold->utilization_ppm = -1;
    }
}
