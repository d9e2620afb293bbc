/* jm-process-sweep-figures.c: what of a process counts for its groups, whoever reports
 * it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <errno.h>

#include "sources/process/jm-process-sweep-parts-private.h"

gboolean
jm_process_sweep_wants (JmProcessSweep *self, JmCollector collector)
{
  return jm_collector_set_has (&self->collectors, collector);
}

void
jm_process_sweep_add_gap (JmProcessSweep *self, guint group, JmProcessPart part)
{
  jm_process_groups_add_gap (self->groups, group, JM_PROCESS_PART_BIT (part));
}

gboolean
jm_process_sweep_is_gap (JmKeptProcess *process, int result)
{
  if (result == 0)
    return FALSE;

  return (result != -ESRCH && result != -ENOENT) || jm_kept_process_is_there (process);
}

void
jm_process_sweep_add_cpu (JmProcessSweep *self,
                          const JmKeptProcess *process,
                          JmLabels *executable,
                          guint64 user,
                          guint64 system)
{
  if (user + system > 0)
    jm_process_groups_add_cpu (self->groups, process->group, executable, user, system);
}

/* Says on which CPU a process ran that long of what is not yet known of it. */
static void
place (JmProcessSweep *self, JmKeptProcess *process, guint processor, guint64 ns)
{
  jm_process_groups_place (self->groups, process->group, processor, ns);
  process->new_ns -= MIN (ns, process->new_ns);
}

void
jm_process_sweep_take_cpu (JmProcessSweep *self,
                           JmKeptProcess *process,
                           const JmProcessStatus *status)
{
  guint64 user, system;

  jm_kept_process_take_cpu (process, status->user_ns, status->system_ns, &user,
                            &system);
  process->new_ns += user + system;
  process->processor = status->processor;
  if (status->n_threads <= 1)
    place (self, process, process->processor, process->new_ns);
  jm_process_sweep_add_cpu (self, process, process->executable, user, system);
}

void
jm_process_sweep_take_io (JmProcessSweep *self,
                          JmKeptProcess *process,
                          const guint64 figures[JM_N_PROCESS_IO],
                          gboolean has_waited)
{
  guint64 deltas[JM_N_PROCESS_IO];

  jm_kept_process_take_io (process, figures, has_waited, deltas);
  jm_process_groups_add_io (self->groups, process->group, deltas);
}

/* What no other thread did, the first one did, or some that have ended. */
void
jm_process_sweep_place_threads (JmProcessSweep *self, JmKeptProcess *process)
{
  for (guint i = 0; i < process->n_known_threads; i++)
    {
      const JmKeptThread *thread = &process->threads[i];

      place (self, process, thread->processor, thread->new_ns);
    }

  place (self, process, process->processor, process->new_ns);
}

static void
settle_in (JmProcessSweep *self, JmKeptProcess *process, guint group, gboolean counted)
{
  if (process->counts && (!counted || process->group != group))
    jm_process_groups_add_spawned (self->groups, group, counted ? process->group : 0,
                                   process->starttime_ticks, 1);

  process->group = group;
}

/* Whether it counts must be known: until it is, those that do have no sum. */
static gboolean
identify (JmProcessSweep *self,
          JmKeptProcess *process,
          guint group,
          const JmProcessStatus *status)
{
  int result = jm_kept_process_identify (process, status, self->rules);

  if (result == 0)
    return TRUE;
  if (!jm_process_sweep_is_gap (process, result))
    return FALSE;

  jm_process_report_path (&self->report, JM_PROCESS_PART_STAT, &process->dir, "status",
                          result);
  jm_process_groups_add_gap (self->groups, group, JM_PROCESS_ALL_PARTS);
  return FALSE;
}

gboolean
jm_process_sweep_meet (JmProcessSweep *self,
                       JmKeptProcess *process,
                       guint group,
                       const JmProcessStatus *status)
{
  gboolean counted = process->counts;

  process->starttime_ticks = status->starttime_ticks;
  process->ppid = status->ppid;
  process->state = status->state;
  process->n_threads = status->n_threads;
  process->rss_pages = status->rss_pages;
  process->has_slept = FALSE;
  process->is_read = identify (self, process, group, status);
  if (!process->is_read)
    return FALSE;

  settle_in (self, process, group, counted);
  if (!process->counts)
    return FALSE;

  jm_process_groups_add_living (self->groups, group, process->executable,
                                status->n_threads, status->rss_pages);

  return TRUE;
}
