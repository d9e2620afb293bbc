/* jm-gpu-weighing.c: what follows of all that is said of jobs and accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/gpu/jm-gpu-numbering-private.h"

/* What all jobs together have of a device. */
typedef struct
{
  double share;
  guint n_jobs;        /* that were given it or use it */
  gboolean is_of_root; /* some job has it by root's word */
} Tally;

static const JmGpuWord *
get_word (const JmGpuJob *job, guint i)
{
  return &g_array_index (job->words, JmGpuWord, i);
}

static JmGpuHold *
get_hold (const JmGpuJob *job, guint i)
{
  return &g_array_index (job->holds, JmGpuHold, i);
}

static gboolean
names (const JmGpuJob *job, JmGpuOrigin origin, guint gpu)
{
  for (guint i = 0; i < job->words->len; i++)
    if (get_word (job, i)->origin == origin && get_word (job, i)->gpu == gpu)
      return TRUE;

  return FALSE;
}

/* Whose word on what the job was given counts; the driver's for nobody's. */
static JmGpuOrigin
find_decider (const JmGpuJob *job)
{
  static const JmGpuOrigin deciders[] = { JM_GPU_ORIGIN_HOOK, JM_GPU_ORIGIN_CGROUP,
                                          JM_GPU_ORIGIN_ENVIRONMENT };

  for (guint k = 0; k < G_N_ELEMENTS (deciders); k++)
    for (guint i = 0; i < job->words->len; i++)
      if (get_word (job, i)->origin == deciders[k])
        return deciders[k];

  return JM_GPU_ORIGIN_DRIVER;
}

static gboolean
is_belied_by_driver (const JmGpuJob *job)
{
  for (guint i = 0; i < job->uses->len; i++)
    if (!names (job, JM_GPU_ORIGIN_ENVIRONMENT,
                g_array_index (job->uses, JmGpuUse, i).gpu))
      return TRUE;

  return FALSE;
}

/* --- what one job has --- */

static JmGpuHold *
find_hold (JmGpuJob *job, guint gpu)
{
  for (guint i = 0; i < job->holds->len; i++)
    if (get_hold (job, i)->gpu == gpu)
      return get_hold (job, i);

  return NULL;
}

static JmGpuHold *
take_hold (JmGpuJob *job, guint gpu, JmGpuOrigin origin)
{
  const JmGpuHold hold = { .gpu = gpu,
                           .origin = origin,
                           .memory_bytes = -1,
                           .utilization_ppm = -1 };
  JmGpuHold *found = find_hold (job, gpu);

  if (found != NULL)
    return found;
  g_array_append_val (job->holds, hold);

  return get_hold (job, job->holds->len - 1);
}

/* Somebody may say the same in two ways. */
static void
give (JmGpuJob *job, JmGpuOrigin origin, const Tally *tallies)
{
  for (guint i = 0; i < job->words->len; i++)
    {
      const JmGpuWord *word = get_word (job, i);
      JmGpuHold *hold;

      if (word->origin != origin ||
          (origin == JM_GPU_ORIGIN_ENVIRONMENT && tallies[word->gpu].is_of_root))
        continue;

      hold = take_hold (job, word->gpu, origin);
      hold->is_allocated = TRUE;
      hold->share = MAX (hold->share, word->share);
    }
}

static void
add_uses (JmGpuJob *job)
{
  for (guint i = 0; i < job->uses->len; i++)
    {
      const JmGpuUse *use = &g_array_index (job->uses, JmGpuUse, i);
      JmGpuHold *hold = take_hold (job, use->gpu, JM_GPU_ORIGIN_DRIVER);

      hold->is_used = TRUE;
      hold->n_processes = use->n_processes;
      hold->memory_bytes = use->memory_bytes;
      hold->utilization_ppm = use->utilization_ppm;
    }
}

static int
compare_holds (gconstpointer a, gconstpointer b)
{
  const JmGpuHold *first = a;
  const JmGpuHold *second = b;

  return (first->gpu > second->gpu) - (first->gpu < second->gpu);
}

static void
weigh_job (JmGpuJob *job, Tally *tallies)
{
  JmGpuOrigin decider = find_decider (job);

  g_array_set_size (job->holds, 0);
  if (decider != JM_GPU_ORIGIN_ENVIRONMENT || !is_belied_by_driver (job))
    give (job, decider, tallies);
  add_uses (job);
  g_array_sort (job->holds, compare_holds);

  for (guint i = 0; i < job->holds->len; i++)
    {
      const JmGpuHold *hold = get_hold (job, i);

      tallies[hold->gpu].share += hold->share;
      tallies[hold->gpu].n_jobs++;
    }
}

/* --- what all have --- */

static void
mark_roots (const JmGpuJob *job, Tally *tallies)
{
  JmGpuOrigin decider = find_decider (job);

  if (decider <= JM_GPU_ORIGIN_DRIVER)
    return;

  for (guint i = 0; i < job->words->len; i++)
    if (get_word (job, i)->origin == decider)
      tallies[get_word (job, i)->gpu].is_of_root = TRUE;
}

static void
share_out (JmGpuJob *job, const Tally *tallies)
{
  for (guint i = 0; i < job->holds->len; i++)
    {
      JmGpuHold *hold = get_hold (job, i);
      const Tally *tally = &tallies[hold->gpu];

      if (tally->share > 1)
        hold->share /= tally->share;
      hold->is_alone = hold->share >= 1 && tally->n_jobs == 1;
    }
}

void
jm_gpu_jobs_weigh (const GPtrArray *jobs, guint n_gpus)
{
  g_autofree Tally *tallies = g_new0 (Tally, n_gpus);

  for (guint i = 0; i < jobs->len; i++)
    mark_roots (g_ptr_array_index (jobs, i), tallies);
  for (guint i = 0; i < jobs->len; i++)
    weigh_job (g_ptr_array_index (jobs, i), tallies);
  for (guint i = 0; i < jobs->len; i++)
    share_out (g_ptr_array_index (jobs, i), tallies);
}
