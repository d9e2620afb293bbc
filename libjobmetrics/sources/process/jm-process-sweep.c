/* jm-process-sweep.c: rounds over the processes of groups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-sweep-private.h"

#include <errno.h>
#include <string.h>

#include "core/jm-readings-private.h"
#include "sources/process/jm-process-sweep-parts-private.h"

/* Of a process that sleeps, other processes may still change the resident set. */
#define ALL_INTERVAL_US (60 * G_USEC_PER_SEC)

/* The one under which the work counts that all collectors here need. */
static JmCollector
get_main_collector (JmProcessSweep *self)
{
  if (jm_process_sweep_wants (self, JM_COLLECTOR_PROCESS))
    return JM_COLLECTOR_PROCESS;

  return jm_process_sweep_wants (self, JM_COLLECTOR_THREADS) ? JM_COLLECTOR_THREADS
                                                             : JM_COLLECTOR_FILES;
}

/* What nobody will read any more of one that has ended. */
static void
add_loss (JmProcessSweep *self, const JmKeptProcess *process)
{
  if (process->counts && process->io_failed && !process->io_read)
    jm_process_groups_add_loss (self->groups, process->group,
                                JM_PROCESS_PART_BIT (JM_PROCESS_PART_IO));
}

static void
bequeath (JmProcessSweep *self, const JmKeptProcess *process)
{
  JmKeptProcess *heir =
    process->counts ? jm_process_roll_find_heir (self->roll, process) : NULL;

  if (heir != NULL)
    jm_kept_process_inherit (heir, process);
}

/* A child that came and went between two rounds may have run any executable. */
static void
take_child_cpu (JmProcessSweep *self, const JmWaited *waited)
{
  guint64 user, system;

  jm_kept_process_take_child_cpu (waited->process, waited->child_user_ns,
                                  waited->child_system_ns, &user, &system);
  jm_process_sweep_add_cpu (self, waited->process, NULL, user, system);
}

/* Leaves to @waited what is of children too. */
static void
read_io (JmProcessSweep *self,
         JmKeptProcess *process,
         guint32 child_mark,
         JmWaited *waited)
{
  int result = jm_kept_process_read_io (process, waited->io_figures, &self->report);

  process->io_failed = jm_process_sweep_is_gap (process, result);
  if (process->io_failed)
    jm_process_sweep_add_gap (self, process->group, JM_PROCESS_PART_IO);
  if (result < 0)
    return;

  process->io_read = TRUE;
  waited->has_io = process->child_mark != child_mark;
  process->child_mark = child_mark;
  if (!waited->has_io)
    jm_process_sweep_take_io (self, process, waited->io_figures, FALSE);
}

static void
take_figures (JmProcessSweep *self,
              JmKeptProcess *process,
              const JmProcessStatus *status)
{
  JmWaited waited = { .process = process,
                      .child_user_ns = status->child_user_ns,
                      .child_system_ns = status->child_system_ns };

  jm_process_sweep_take_cpu (self, process, status);
  if (jm_process_sweep_wants (self, JM_COLLECTOR_PROCESS))
    read_io (self, process, status->child_mark, &waited);

  if (waited.has_io || jm_kept_process_has_child_cpu (process, status->child_user_ns,
                                                      status->child_system_ns))
    g_array_append_val (self->waited, waited);
}

static gboolean
is_there (JmProcessSweep *self, guint pid)
{
  int result = 0;
  JmKeptProcess *process = jm_kept_process_open (self->host, pid, &result);

  g_clear_pointer (&process, jm_kept_process_free);

  return result != -ENOENT && result != -ESRCH;
}

/* One that is there may be named again: not every list can be read. */
static void
lose_unopened (JmProcessSweep *self)
{
  GHashTable *before = self->unopened_before;
  GHashTableIter iter;
  gpointer pid, group;

  g_hash_table_iter_init (&iter, before);
  while (g_hash_table_iter_next (&iter, &pid, &group))
    if (g_hash_table_contains (self->unopened, pid))
      continue;
    else if (is_there (self, GPOINTER_TO_UINT (pid)))
      g_hash_table_insert (self->unopened, pid, group);
    else
      jm_process_groups_add_loss (self->groups, GPOINTER_TO_UINT (group),
                                  JM_PROCESS_ALL_PARTS);

  g_hash_table_remove_all (before);
  self->unopened_before = self->unopened;
  self->unopened = before;
}

static void
move_unopened (JmProcessSweep *self, guint group, guint parent)
{
  GHashTableIter iter;
  gpointer old;

  g_hash_table_iter_init (&iter, self->unopened_before);
  while (g_hash_table_iter_next (&iter, NULL, &old))
    if (GPOINTER_TO_UINT (old) == group)
      g_hash_table_iter_replace (&iter, GUINT_TO_POINTER (parent));
}

static JmKeptProcess *
open_process (JmProcessSweep *self, guint group, guint pid, JmProcessStatus *status)
{
  int result;
  JmKeptProcess *process = jm_kept_process_open (self->host, pid, &result);

  if (process == NULL)
    jm_process_report_pid (&self->report, self->host, pid, result);
  else
    {
      result = jm_kept_process_read_status (process, status, &self->report);
      if (result == 0)
        return process;
      jm_kept_process_free (process);
    }

  if (result != -ESRCH && result != -ENOENT)
    {
      jm_process_groups_add_gap (self->groups, group, JM_PROCESS_ALL_PARTS);
      g_hash_table_insert (self->unopened, GUINT_TO_POINTER (pid),
                           GUINT_TO_POINTER (group));
    }

  return NULL;
}

/* Whether the pid is another process's by now. */
static gboolean
is_reused (const JmKeptProcess *process, int result, const JmProcessStatus *status)
{
  return result == -ESRCH ||
         (result == 0 && status->starttime_ticks != process->starttime_ticks);
}

/* Reads a process that is known. Returns FALSE where it ended. */
static gboolean
add_known (JmProcessSweep *self, JmKeptProcess *process, guint group)
{
  JmProcessStatus status;
  int result = jm_kept_process_read_status (process, &status, &self->report);

  process->is_read = FALSE;
  if (is_reused (process, result, &status))
    {
      jm_process_roll_strike (self->roll, process);
      return FALSE;
    }

  jm_process_roll_name (self->roll, process);
  if (result != 0)
    jm_process_groups_add_gap (self->groups, group, JM_PROCESS_ALL_PARTS);
  else if (jm_process_sweep_meet (self, process, group, &status))
    take_figures (self, process, &status);

  return TRUE;
}

/* Whether all that is wanted was read of a process in the round before. */
static gboolean
has_figures (JmProcessSweep *self, const JmKeptProcess *process, guint group)
{
  return jm_process_roll_was_named (self->roll, process) && process->is_read &&
         process->group == group && !process->io_failed;
}

static void
add_sleeping (JmProcessSweep *self, JmKeptProcess *process)
{
  jm_process_roll_name (self->roll, process);
  process->has_slept = TRUE;
  if (process->counts)
    jm_process_groups_add_living (self->groups, process->group, process->executable,
                                  process->n_threads, process->rss_pages);
}

static void
add_unknown (JmProcessSweep *self, guint group, guint pid)
{
  JmProcessStatus status;
  JmKeptProcess *process = open_process (self, group, pid, &status);

  if (process == NULL)
    return;

  g_hash_table_remove (self->unopened_before, GUINT_TO_POINTER (pid));
  jm_process_roll_add (self->roll, process);
  if (jm_process_sweep_meet (self, process, group, &status))
    take_figures (self, process, &status);
}

/* What it did since the last round. Of one that has waited for children since, nobody
 * can say what of the rest was theirs; a parent of ours will be given it. */
static void
take_last_figures (JmProcessSweep *self,
                   JmKeptProcess *process,
                   const JmProcessStatus *status)
{
  JmProcessReport nobody = { NULL, 0 };
  guint64 figures[JM_N_PROCESS_IO];

  jm_process_sweep_take_cpu (self, process, status);
  if (process->io_read && process->child_mark == status->child_mark &&
      jm_kept_process_read_io (process, figures, &nobody) == 0)
    jm_process_sweep_take_io (self, process, figures, FALSE);
}

/* A zombie is in no list, yet it has its last figures until its parent waits for it. A
 * process that is neither named nor ended was moved out, or the list could not be read:
 * it is kept, lest it be counted a second time when it comes back; so is one that
 * cannot be read just now. */
static gboolean
has_ended (JmKeptProcess *process, gpointer user_data)
{
  JmProcessSweep *self = user_data;
  JmProcessReport nobody = { NULL, 0 };
  JmProcessStatus status;
  int result;

  process->is_read = FALSE;
  if (!jm_process_groups_has (self->groups, process->group))
    return TRUE;
  if (self->feed != NULL)
    return jm_process_sweep_has_fed_ended (self, process);

  result = jm_kept_process_read_status (process, &status, &nobody);
  if (is_reused (process, result, &status))
    return TRUE;
  if (result != 0)
    return FALSE;

  process->state = status.state;
  if (!jm_kept_process_is_zombie (process) || status.n_threads > 1)
    return FALSE;

  if (process->counts)
    take_last_figures (self, process, &status);
  return TRUE;
}

static void
sweep_unnamed (JmProcessSweep *self)
{
  const GPtrArray *ended = jm_process_roll_get_ended (self->roll);

  jm_process_roll_ask (self->roll, has_ended, self);

  for (guint i = 0; i < ended->len; i++)
    {
      bequeath (self, g_ptr_array_index (ended, i));
      add_loss (self, g_ptr_array_index (ended, i));
    }

  /* only now, since the parents of some are among them */
  jm_process_roll_drop_ended (self->roll);
}

static void
settle_waited (JmProcessSweep *self)
{
  for (guint i = 0; i < self->waited->len; i++)
    {
      const JmWaited *waited = &g_array_index (self->waited, JmWaited, i);

      take_child_cpu (self, waited);
      if (waited->has_io)
        jm_process_sweep_take_io (self, waited->process, waited->io_figures, TRUE);
    }

  g_array_set_size (self->waited, 0);
}

static void
read_threads (JmProcessSweep *self, JmKeptProcess *process)
{
  guint counts[JM_N_THREAD_STATES];
  int result;

  if (self->feed != NULL)
    {
      jm_process_sweep_read_fed_threads (self, process);
      return;
    }
  if (!self->threads_due && jm_kept_process_recall_threads (process, counts))
    {
      jm_process_groups_add_threads (self->groups, process->group, counts);
      return;
    }

  result = jm_kept_process_read_threads (process, counts, &self->report);
  if (result == 0)
    {
      jm_process_groups_add_threads (self->groups, process->group, counts);
      if (process->n_threads > 1)
        jm_process_sweep_place_threads (self, process);
    }
  else if (jm_process_sweep_is_gap (process, result))
    jm_process_sweep_add_gap (self, process->group, JM_PROCESS_PART_THREADS);
}

static void
read_open_files (JmProcessSweep *self, JmKeptProcess *process)
{
  int result = 0;

  if (self->feed != NULL && jm_process_sweep_read_fed_files (self, process))
    return;

  if (!process->has_slept || !process->files_read)
    result =
      jm_kept_process_count_open_files (process, &process->n_files, &self->report);
  process->files_read = result == 0;
  if (result == 0)
    jm_process_groups_add_open_files (self->groups, process->group, process->n_files);
  else if (jm_process_sweep_is_gap (process, result))
    jm_process_sweep_add_gap (self, process->group, JM_PROCESS_PART_FILES);
}

static void
read_filesystems (JmProcessSweep *self, JmKeptProcess *process)
{
  const char *const *paths = (const char *const *) self->filesystems;
  guint64 mask;
  int result =
    jm_kept_process_find_filesystems (process, paths, g_strv_length (self->filesystems),
                                      &mask, &self->report);

  if (result == 0)
    jm_process_groups_add_filesystems (self->groups, process->group, mask);
  else if (jm_process_sweep_is_gap (process, result))
    jm_process_sweep_add_gap (self, process->group, JM_PROCESS_PART_FILESYSTEMS);
}

static void
read_files (JmProcessSweep *self, JmKeptProcess *process)
{
  if (jm_kept_process_is_zombie (process))
    return;

  read_open_files (self, process);
  if (self->filesystems != NULL && self->filesystems[0] != NULL)
    read_filesystems (self, process);
}

static void
read_each (JmProcessSweep *self,
           JmCollector collector,
           void (*read) (JmProcessSweep *self, JmKeptProcess *process))
{
  const GPtrArray *named = jm_process_roll_get_named (self->roll);

  if (!jm_process_sweep_wants (self, collector))
    return;

  jm_readings_begin (self->readings, collector);
  for (guint i = 0; i < named->len; i++)
    {
      JmKeptProcess *process = g_ptr_array_index (named, i);

      if (process->counts && process->is_read)
        read (self, process);
    }
}

JmProcessSweep *
jm_process_sweep_new (JmHost *host,
                      JmProcessGroups *groups,
                      const JmProcessRules *rules)
{
  JmProcessSweep *self = g_new0 (JmProcessSweep, 1);

  self->host = g_object_ref (host);
  self->groups = groups;
  self->rules = rules;
  self->roll = jm_process_roll_new ();
  self->waited = g_array_new (FALSE, FALSE, sizeof (JmWaited));
  self->unopened = g_hash_table_new (NULL, NULL);
  self->unopened_before = g_hash_table_new (NULL, NULL);

  return self;
}

void
jm_process_sweep_free (JmProcessSweep *self)
{
  g_clear_pointer (&self->feed, jm_process_feed_free);
  jm_process_roll_free (self->roll);
  g_array_unref (self->waited);
  g_hash_table_unref (self->unopened);
  g_hash_table_unref (self->unopened_before);
  g_strfreev (self->filesystems);
  g_clear_pointer (&self->readings, jm_readings_unref);
  g_object_unref (self->host);
  g_free (self);
}

/* @paths are absolute, without a slash at their end; at most
 * JM_PROCESS_FILESYSTEMS_MAX. */
void
jm_process_sweep_take_filesystems (JmProcessSweep *self, char **paths)
{
  g_strfreev (self->filesystems);
  self->filesystems = paths;
  jm_process_groups_set_filesystems (self->groups, (const char *const *) paths,
                                     g_strv_length (paths));
}

/* For so long states of threads are good enough. A process whose threads come or go is
 * read anyway. */
void
jm_process_sweep_set_threads_interval (JmProcessSweep *self, guint interval_ms)
{
  self->threads_interval_ms = interval_ms;
}

/* From now on processes are read by @feed. */
void
jm_process_sweep_take_feed (JmProcessSweep *self, JmProcessFeed *feed)
{
  g_clear_pointer (&self->feed, jm_process_feed_free);
  self->feed = feed;
}

/* The processes of @group are its parent's from now on. */
void
jm_process_sweep_move_group (JmProcessSweep *self, guint group, guint parent)
{
  jm_process_roll_move_group (self->roll, group, parent);
  move_unopened (self, group, parent);
}

gboolean
jm_process_sweep_is_running (JmProcessSweep *self)
{
  return self->readings != NULL;
}

/* The collectors that are wanted in this round, or were in the last. */
const JmCollectorSet *
jm_process_sweep_get_collectors (JmProcessSweep *self)
{
  return &self->collectors;
}

static void
note_time (JmProcessSweep *self)
{
  gint64 now_us = g_get_monotonic_time ();

  self->threads_due =
    jm_process_sweep_wants (self, JM_COLLECTOR_THREADS) &&
    (self->threads_read_us == 0 ||
     now_us - self->threads_read_us >= (gint64) self->threads_interval_ms * 1000);
  if (self->threads_due)
    self->threads_read_us = now_us;

  self->all_due |= now_us - self->all_read_us >= ALL_INTERVAL_US;
  if (self->all_due)
    self->all_read_us = now_us;
}

void
jm_process_sweep_begin (JmProcessSweep *self, JmReadings *readings)
{
  static const JmCollector ours[] = { JM_COLLECTOR_PROCESS, JM_COLLECTOR_THREADS,
                                      JM_COLLECTOR_FILES };
  const JmCollectorSet before = self->collectors;

  self->collectors = (JmCollectorSet){ { 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (ours); i++)
    if (jm_readings_begin (readings, ours[i]))
      jm_collector_set_add (&self->collectors, ours[i]);
  jm_readings_end (readings);

  self->readings = jm_readings_ref (readings);
  jm_process_report_begin (&self->report, readings);
  if (jm_collector_set_is_empty (&self->collectors))
    return;

  self->all_due = memcmp (&before, &self->collectors, sizeof before) != 0;
  note_time (self);
  jm_process_roll_begin (self->roll);
  jm_process_groups_begin_round (self->groups);
  if (self->feed != NULL)
    jm_process_sweep_begin_fed (self);
}

/* Says that processes in a cgroup, by its number, are of @group. */
void
jm_process_sweep_add_cgroup (JmProcessSweep *self, guint group, guint64 inode)
{
  if (self->feed == NULL || jm_collector_set_is_empty (&self->collectors))
    return;

  jm_process_feed_add_cgroup (self->feed, inode, group);
  jm_process_groups_set_ends (self->groups, group);
}

/* FALSE where it is not known which processes are in it. */
gboolean
jm_process_sweep_list_cgroup (JmProcessSweep *self, guint64 inode, JmReadings *readings)
{
  return self->feed != NULL && !self->feed_failed &&
         !jm_collector_set_is_empty (&self->collectors) &&
         jm_process_feed_list_cgroup (self->feed, inode, readings);
}

void
jm_process_sweep_add (JmProcessSweep *self,
                      guint group,
                      guint pid,
                      gboolean is_sleeping)
{
  JmKeptProcess *process;

  /* 0 is a process of an outer pid name space, which has no number in ours */
  if (jm_collector_set_is_empty (&self->collectors) || pid == 0 || pid > G_MAXINT)
    return;

  jm_readings_begin (self->readings, get_main_collector (self));
  if (self->feed != NULL)
    {
      jm_process_sweep_add_fed (self, group, pid);
      return;
    }

  process = jm_process_roll_find (self->roll, pid);
  if (process != NULL && jm_process_roll_is_named (self->roll, process))
    return;

  if (process != NULL && is_sleeping && !self->all_due &&
      has_figures (self, process, group))
    add_sleeping (self, process);
  else if (process == NULL || !add_known (self, process, group))
    add_unknown (self, group, pid);
}

void
jm_process_sweep_end (JmProcessSweep *self)
{
  if (!jm_collector_set_is_empty (&self->collectors))
    {
      jm_readings_begin (self->readings, get_main_collector (self));
      sweep_unnamed (self);
      if (self->feed != NULL)
        jm_process_sweep_take_ends (self);
      lose_unopened (self);
      settle_waited (self);
      read_each (self, JM_COLLECTOR_THREADS, read_threads);
      read_each (self, JM_COLLECTOR_FILES, read_files);
      jm_process_roll_end (self->roll);
      jm_readings_end (self->readings);
    }

  g_clear_pointer (&self->readings, jm_readings_unref);
  jm_process_report_begin (&self->report, NULL);
}
