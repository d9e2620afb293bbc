/* jm-process-sweep-fed.c: rounds in which the kernel itself reports all processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <errno.h>
#include <string.h>

#include "base/jm-error.h"
#include "sources/process/jm-process-sweep-parts-private.h"

/* The kernel reports an end when it lets go of a process, which is a moment after
 * nothing more can be read of it; some seconds where it is lazy. */
#define MAX_MISSED 250

void
jm_process_sweep_begin_fed (JmProcessSweep *self)
{
  g_autoptr (GError) error = NULL;

  self->feed_failed = !jm_process_feed_read (self->feed, &error);
  if (!self->feed_failed)
    return;

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    if (jm_process_sweep_wants (self, i) && jm_readings_begin (self->readings, i))
      jm_readings_add_error (self->readings, error);
  jm_readings_end (self->readings);
}

/* --- figures --- */

/* Where each end is shown, what children did is theirs, and what a process waited for
 * is not counted again. */
static void
pass_over_children (JmKeptProcess *process, const JmProcessStatus *status)
{
  process->child_user_ns = MAX (process->child_user_ns, status->child_user_ns);
  process->child_system_ns = MAX (process->child_system_ns, status->child_system_ns);
}

static void
add_child_io (guint64 figures[JM_N_PROCESS_IO], const JmFedProcess *fed)
{
  for (guint i = 0; i < JM_N_PROCESS_IO; i++)
    figures[i] += fed->child_io[i];
}

static void
take_figures (JmProcessSweep *self, JmKeptProcess *process, const JmFedProcess *fed)
{
  const JmProcessStatus *status = &fed->status;
  gboolean has_ends = jm_process_groups_has_ends (self->groups, process->group);
  JmWaited waited = { .process = process,
                      .child_user_ns = status->child_user_ns,
                      .child_system_ns = status->child_system_ns };

  jm_process_sweep_take_cpu (self, process, status);
  memcpy (waited.io_figures, fed->io, sizeof waited.io_figures);
  process->io_read = TRUE;

  /* of one that is older than we are, nobody saw what its first children did */
  if (has_ends && !(process->is_new && fed->is_older))
    {
      pass_over_children (process, status);
      jm_process_sweep_take_io (self, process, waited.io_figures, FALSE);
      return;
    }

  if (!has_ends)
    add_child_io (waited.io_figures, fed);
  waited.has_io = !has_ends && process->child_mark != status->child_mark;
  process->child_mark = status->child_mark;
  if (!waited.has_io)
    jm_process_sweep_take_io (self, process, waited.io_figures, FALSE);
  if (waited.has_io || jm_kept_process_has_child_cpu (process, status->child_user_ns,
                                                      status->child_system_ns))
    g_array_append_val (self->waited, waited);
}

/* Its last figures. */
static void
take_end (JmProcessSweep *self, JmKeptProcess *process, const JmFedEnd *end)
{
  const JmProcessStatus status = {
    .user_ns = end->user_ns,
    .system_ns = end->system_ns,
    .processor = process->processor,
    .n_threads = 1,
  };

  if (!process->counts)
    return;

  jm_process_sweep_take_cpu (self, process, &status);
  if (jm_process_groups_has_ends (self->groups, process->group))
    jm_process_sweep_take_io (self, process, end->io, FALSE);
}

/* --- the processes of a round --- */

static gboolean
has_end (JmProcessSweep *self, JmKeptProcess *process)
{
  JmFedEnd end;

  if (!jm_process_feed_take_end (self->feed, process->pid, process->starttime_ticks,
                                 &end))
    return FALSE;

  take_end (self, process, &end);
  return TRUE;
}

static gboolean
find (JmProcessSweep *self, const JmKeptProcess *process, JmFedProcess *fed)
{
  return jm_process_feed_find (self->feed, process->pid, fed) &&
         fed->status.starttime_ticks == process->starttime_ticks;
}

/* What it runs matters only where it is new or has another name. */
static void
take_fed (JmProcessSweep *self, JmKeptProcess *process, guint group, JmFedProcess *fed)
{
  JmProcessStatus *status = &fed->status;

  if (strncmp (process->comm, status->comm, sizeof process->comm) != 0)
    status->executable = jm_process_feed_find_executable (self->feed, process->pid);

  if (jm_process_sweep_meet (self, process, group, status))
    take_figures (self, process, fed);
}

static void
add_new (JmProcessSweep *self, guint group, guint pid)
{
  JmFedProcess fed;
  JmKeptProcess *process;
  int result;

  /* what began since all were read is reported in the next round */
  if (!jm_process_feed_find (self->feed, pid, &fed))
    return;

  process = jm_kept_process_open_told (self->host, pid, &result);
  if (process == NULL)
    {
      /* it may have ended meanwhile, which will be reported */
      if (result != -ENOENT && result != -ESRCH)
        {
          jm_process_report_pid (&self->report, self->host, pid, result);
          jm_process_groups_add_gap (self->groups, group, JM_PROCESS_ALL_PARTS);
        }
      return;
    }

  jm_process_roll_add (self->roll, process);
  take_fed (self, process, group, &fed);
}

void
jm_process_sweep_add_fed (JmProcessSweep *self, guint group, guint pid)
{
  JmKeptProcess *process = jm_process_roll_find (self->roll, pid);
  JmFedProcess fed;

  if (self->feed_failed)
    {
      jm_process_groups_add_gap (self->groups, group, JM_PROCESS_ALL_PARTS);
      return;
    }
  if (process == NULL)
    {
      add_new (self, group, pid);
      return;
    }
  if (jm_process_roll_is_named (self->roll, process))
    return;

  process->is_read = FALSE;
  if (has_end (self, process))
    {
      jm_process_roll_strike (self->roll, process);
      add_new (self, group, pid);
      return;
    }
  if (!find (self, process, &fed))
    return;

  process->n_missed = 0;
  jm_process_roll_name (self->roll, process);
  take_fed (self, process, group, &fed);
}

/* Asks of one that was not named. A zombie still has figures, and its end will be
 * reported. */
gboolean
jm_process_sweep_has_fed_ended (JmProcessSweep *self, JmKeptProcess *process)
{
  JmFedProcess fed;

  if (self->feed_failed)
    return FALSE;
  if (has_end (self, process))
    return TRUE;
  if (!find (self, process, &fed))
    return ++process->n_missed > MAX_MISSED;

  process->n_missed = 0;
  process->state = fed.status.state;
  return FALSE;
}

/* --- those that nobody saw --- */

/* Of a longer path the end is kept, as of one that procfs has. */
static void
add_ended (guint group, const JmFedEnd *end, gpointer user_data)
{
  JmProcessSweep *self = user_data;
  g_autoptr (JmLabels) executable = NULL;

  if (!jm_process_groups_has (self->groups, group) ||
      (end->is_root && jm_process_rules_name (self->rules, end->comm)))
    return;

  executable =
    jm_kept_process_make_labels (end->executable != NULL ? end->executable : end->comm);
  jm_process_groups_add_spawned (self->groups, group, 0, end->starttime_ticks,
                                 end->n_processes);
  jm_process_groups_add_cpu (self->groups, group, executable, end->user_ns,
                             end->system_ns);
  jm_process_groups_add_io (self->groups, group, end->io);
}

static void
report_lost (JmProcessSweep *self)
{
  guint64 n_lost = jm_process_feed_get_n_lost (self->feed);
  g_autoptr (GError) error = NULL;

  if (n_lost == self->n_lost)
    return;

  g_set_error (&error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "BPF: processes: there was no room for %" G_GUINT64_FORMAT " of them",
               n_lost - self->n_lost);
  self->n_lost = n_lost;
  jm_readings_add_error (self->readings, error);
}

void
jm_process_sweep_take_ends (JmProcessSweep *self)
{
  if (self->feed_failed)
    return;

  jm_process_feed_take_ends (self->feed, add_ended, self);
  report_lost (self);
}

/* --- threads and files --- */

void
jm_process_sweep_read_fed_threads (JmProcessSweep *self, JmKeptProcess *process)
{
  guint counts[JM_N_THREAD_STATES] = { 0 };
  JmFedProcess fed;
  guint n = 0;

  if (!find (self, process, &fed))
    return;

  counts[jm_thread_state_from_letter (fed.status.state)]++;
  for (guint i = fed.first_thread; i != 0; n++)
    {
      JmFedThread told;
      JmKeptThread *thread;

      i = jm_process_feed_next_thread (self->feed, i, &told);
      thread = jm_kept_process_meet_thread (process, n, told.tid);
      thread->new_ns = told.ns > thread->ns ? told.ns - thread->ns : 0;
      thread->ns = MAX (thread->ns, told.ns);
      thread->processor = told.processor;
      counts[jm_thread_state_from_letter (told.state)]++;
    }

  jm_kept_process_cut_threads (process, n);
  jm_process_groups_add_threads (self->groups, process->group, counts);
  if (n > 0)
    jm_process_sweep_place_threads (self, process);
}

/* FALSE where they must be counted by procfs. */
gboolean
jm_process_sweep_read_fed_files (JmProcessSweep *self, JmKeptProcess *process)
{
  JmFedProcess fed;

  if (!find (self, process, &fed) || fed.n_files < 0)
    return FALSE;

  jm_process_groups_add_open_files (self->groups, process->group, (guint) fed.n_files);
  return TRUE;
}
