/* jm-process-sweep.c: rounds over the processes of groups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-sweep-private.h"

#include <errno.h>

#include "sources/process/jm-kept-process-private.h"
#include "sources/process/jm-process-report-private.h"
#include "sources/process/jm-process-roll-private.h"

struct _JmProcessSweep
{
  JmHost *host;
  JmProcessGroups *groups;     /* the table's */
  const JmProcessRules *rules; /* the table's */
  char **filesystems;
  guint threads_interval_ms;
  gint64 threads_read_us; /* when all threads were read last; 0 is never */
  gboolean threads_due;   /* in this round */

  JmProcessRoll *roll;
  GArray *waited; /* of Waited */

  /* Those that were named and could not be opened: pid -> group. One is lost when it
   * has ended, until then it may be read yet. */
  GHashTable *unopened;
  GHashTable *unopened_before; /* in the round before */

  JmReadings *readings; /* NULL between rounds */
  JmProcessReport report;
  JmCollectorSet collectors; /* wanted in this round, or the last one */
};

/* What was read of a process that has waited for children. It is taken at the end of
 * the round, when it is known which children ended. */
typedef struct
{
  JmKeptProcess *process;
  gboolean has_io;
  guint64 io_figures[JM_N_PROCESS_IO];
  guint64 child_user_ticks;
  guint64 child_system_ticks;
} Waited;

static gboolean
is_wanted (JmProcessSweep *self, JmCollector collector)
{
  return jm_collector_set_has (&self->collectors, collector);
}

/* The one under which the work counts that all collectors here need. */
static JmCollector
get_main_collector (JmProcessSweep *self)
{
  if (is_wanted (self, JM_COLLECTOR_PROCESS))
    return JM_COLLECTOR_PROCESS;

  return is_wanted (self, JM_COLLECTOR_THREADS) ? JM_COLLECTOR_THREADS
                                                : JM_COLLECTOR_FILES;
}

static void
add_gap (JmProcessSweep *self, guint group, JmProcessPart part)
{
  jm_process_groups_add_gap (self->groups, group, JM_PROCESS_PART_BIT (part));
}

/* Whether what could not be read of a process should have been: one that ended
 * meanwhile leaves no gap, but not every kernel has every file. */
static gboolean
is_gap (JmKeptProcess *process, int result)
{
  if (result == 0)
    return FALSE;

  return (result != -ESRCH && result != -ENOENT) || jm_kept_process_is_there (process);
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

static void
add_cpu (JmProcessSweep *self,
         const JmKeptProcess *process,
         guint64 user,
         guint64 system)
{
  if (user + system > 0)
    jm_process_groups_add_cpu (self->groups, process->group, process->executable, user,
                               system);
}

/* Says on which CPU a process ran that long of what is not yet known of it. */
static void
place (JmProcessSweep *self, JmKeptProcess *process, guint processor, guint64 ticks)
{
  jm_process_groups_place (self->groups, process->group, processor, ticks);
  process->new_ticks -= MIN (ticks, process->new_ticks);
}

static void
take_cpu (JmProcessSweep *self, JmKeptProcess *process, const JmProcStat *stat)
{
  guint64 user, system;

  jm_kept_process_take_cpu (process, stat, &user, &system);
  process->new_ticks += user + system;
  process->processor = stat->processor;
  if (stat->n_threads <= 1)
    place (self, process, process->processor, process->new_ticks);
  add_cpu (self, process, user, system);
}

/* What nobody saw of the children counts as who started them. */
static void
take_child_cpu (JmProcessSweep *self, const Waited *waited)
{
  guint64 user, system;

  jm_kept_process_take_child_cpu (waited->process, waited->child_user_ticks,
                                  waited->child_system_ticks, &user, &system);
  add_cpu (self, waited->process, user, system);
}

static void
take_io (JmProcessSweep *self,
         JmKeptProcess *process,
         const guint64 figures[JM_N_PROCESS_IO],
         gboolean has_waited)
{
  guint64 deltas[JM_N_PROCESS_IO];

  jm_kept_process_take_io (process, figures, has_waited, deltas);
  jm_process_groups_add_io (self->groups, process->group, deltas);
}

/* Leaves to @waited what is of children too. */
static void
read_io (JmProcessSweep *self,
         JmKeptProcess *process,
         guint32 child_faults,
         Waited *waited)
{
  int result = jm_kept_process_read_io (process, waited->io_figures, &self->report);

  process->io_failed = is_gap (process, result);
  if (process->io_failed)
    add_gap (self, process->group, JM_PROCESS_PART_IO);
  if (result < 0)
    return;

  process->io_read = TRUE;
  waited->has_io = process->child_faults != child_faults;
  process->child_faults = child_faults;
  if (!waited->has_io)
    take_io (self, process, waited->io_figures, FALSE);
}

static void
take_figures (JmProcessSweep *self, JmKeptProcess *process, const JmProcStat *stat)
{
  Waited waited = { .process = process,
                    .child_user_ticks = stat->cutime_ticks,
                    .child_system_ticks = stat->cstime_ticks };

  take_cpu (self, process, stat);
  if (is_wanted (self, JM_COLLECTOR_PROCESS))
    read_io (self, process, (guint32) stat->child_faults, &waited);

  if (waited.has_io ||
      jm_kept_process_has_child_cpu (process, stat->cutime_ticks, stat->cstime_ticks))
    g_array_append_val (self->waited, waited);
}

static void
settle_in (JmProcessSweep *self, JmKeptProcess *process, guint group, gboolean counted)
{
  if (process->counts && (!counted || process->group != group))
    jm_process_groups_add_spawned (self->groups, group, counted ? process->group : 0,
                                   process->starttime_ticks);

  process->group = group;
}

/* Whether it counts must be known: until it is, those that do have no sum. */
static gboolean
identify (JmProcessSweep *self,
          JmKeptProcess *process,
          guint group,
          const JmProcStat *stat)
{
  int result = jm_kept_process_identify (process, stat, self->rules);

  if (result == 0)
    return TRUE;
  if (!is_gap (process, result))
    return FALSE;

  jm_process_report_path (&self->report, JM_PROCESS_PART_STAT, &process->dir, "status",
                          result);
  jm_process_groups_add_gap (self->groups, group, JM_PROCESS_ALL_PARTS);
  return FALSE;
}

/* Takes what @stat tells of a process that was named in @group. */
static void
take_stat (JmProcessSweep *self,
           JmKeptProcess *process,
           guint group,
           const JmProcStat *stat)
{
  gboolean counted = process->counts;

  process->starttime_ticks = stat->starttime_ticks;
  process->ppid = stat->ppid;
  process->state = stat->state;
  process->n_threads = stat->n_threads;
  process->is_read = identify (self, process, group, stat);
  if (!process->is_read)
    return;

  settle_in (self, process, group, counted);
  if (!process->counts)
    return;

  jm_process_groups_add_living (self->groups, group, stat->rss_pages);
  take_figures (self, process, stat);
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
open_process (JmProcessSweep *self, guint group, guint pid, JmProcStat *stat)
{
  int result;
  JmKeptProcess *process = jm_kept_process_open (self->host, pid, &result);

  if (process == NULL)
    jm_process_report_pid (&self->report, self->host, pid, result);
  else
    {
      result = jm_kept_process_read_stat (process, stat, &self->report);
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
is_reused (const JmKeptProcess *process, int result, const JmProcStat *stat)
{
  return result == -ESRCH ||
         (result == 0 && stat->starttime_ticks != process->starttime_ticks);
}

/* Reads a process that is known. Returns FALSE where it ended. */
static gboolean
add_known (JmProcessSweep *self, JmKeptProcess *process, guint group)
{
  JmProcStat stat;
  int result = jm_kept_process_read_stat (process, &stat, &self->report);

  process->is_read = FALSE;
  if (is_reused (process, result, &stat))
    {
      jm_process_roll_strike (self->roll, process);
      return FALSE;
    }

  jm_process_roll_name (self->roll, process);
  if (result == 0)
    take_stat (self, process, group, &stat);
  else
    jm_process_groups_add_gap (self->groups, group, JM_PROCESS_ALL_PARTS);

  return TRUE;
}

static void
add_unknown (JmProcessSweep *self, guint group, guint pid)
{
  JmProcStat stat;
  JmKeptProcess *process = open_process (self, group, pid, &stat);

  if (process == NULL)
    return;

  g_hash_table_remove (self->unopened_before, GUINT_TO_POINTER (pid));
  jm_process_roll_add (self->roll, process);
  take_stat (self, process, group, &stat);
}

/* What it did since the last round. Of one that has waited for children since, nobody
 * can say what of the rest was theirs; a parent of ours will be given it. */
static void
take_last_figures (JmProcessSweep *self, JmKeptProcess *process, const JmProcStat *stat)
{
  JmProcessReport nobody = { NULL, 0 };
  guint64 figures[JM_N_PROCESS_IO];

  take_cpu (self, process, stat);
  if (process->io_read && process->child_faults == (guint32) stat->child_faults &&
      jm_kept_process_read_io (process, figures, &nobody) == 0)
    take_io (self, process, figures, FALSE);
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
  JmProcStat stat;
  int result;

  process->is_read = FALSE;
  if (!jm_process_groups_has (self->groups, process->group))
    return TRUE;

  result = jm_kept_process_read_stat (process, &stat, &nobody);
  if (is_reused (process, result, &stat))
    return TRUE;
  if (result != 0)
    return FALSE;

  process->state = stat.state;
  if (!jm_kept_process_is_zombie (process) || stat.n_threads > 1)
    return FALSE;

  if (process->counts)
    take_last_figures (self, process, &stat);
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
      const Waited *waited = &g_array_index (self->waited, Waited, i);

      take_child_cpu (self, waited);
      if (waited->has_io)
        take_io (self, waited->process, waited->io_figures, TRUE);
    }

  g_array_set_size (self->waited, 0);
}

/* What no other thread did, the first one did, or some that have ended. */
static void
place_threads (JmProcessSweep *self, JmKeptProcess *process)
{
  for (guint i = 0; i < process->n_known_threads; i++)
    {
      const JmKeptThread *thread = &process->threads[i];

      place (self, process, thread->processor, thread->new_ticks);
    }

  place (self, process, process->processor, process->new_ticks);
}

static void
read_threads (JmProcessSweep *self, JmKeptProcess *process)
{
  guint counts[JM_N_THREAD_STATES];
  int result;

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
        place_threads (self, process);
    }
  else if (is_gap (process, result))
    add_gap (self, process->group, JM_PROCESS_PART_THREADS);
}

static void
read_open_files (JmProcessSweep *self, JmKeptProcess *process)
{
  guint n_files;
  int result = jm_kept_process_count_open_files (process, &n_files, &self->report);

  if (result == 0)
    jm_process_groups_add_open_files (self->groups, process->group, n_files);
  else if (is_gap (process, result))
    add_gap (self, process->group, JM_PROCESS_PART_FILES);
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
  else if (is_gap (process, result))
    add_gap (self, process->group, JM_PROCESS_PART_FILESYSTEMS);
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

  if (!is_wanted (self, collector))
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
  self->waited = g_array_new (FALSE, FALSE, sizeof (Waited));
  self->unopened = g_hash_table_new (NULL, NULL);
  self->unopened_before = g_hash_table_new (NULL, NULL);

  return self;
}

void
jm_process_sweep_free (JmProcessSweep *self)
{
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
    is_wanted (self, JM_COLLECTOR_THREADS) &&
    (self->threads_read_us == 0 ||
     now_us - self->threads_read_us >= (gint64) self->threads_interval_ms * 1000);
  if (self->threads_due)
    self->threads_read_us = now_us;
}

void
jm_process_sweep_begin (JmProcessSweep *self, JmReadings *readings)
{
  static const JmCollector ours[] = { JM_COLLECTOR_PROCESS, JM_COLLECTOR_THREADS,
                                      JM_COLLECTOR_FILES };

  self->collectors = (JmCollectorSet){ { 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (ours); i++)
    if (jm_readings_begin (readings, ours[i]))
      jm_collector_set_add (&self->collectors, ours[i]);
  jm_readings_end (readings);

  self->readings = jm_readings_ref (readings);
  jm_process_report_begin (&self->report, readings);
  if (jm_collector_set_is_empty (&self->collectors))
    return;

  note_time (self);
  jm_process_roll_begin (self->roll);
  jm_process_groups_begin_round (self->groups);
}

void
jm_process_sweep_add (JmProcessSweep *self, guint group, guint pid)
{
  JmKeptProcess *process;

  /* 0 is a process of an outer pid name space, which has no number in ours */
  if (jm_collector_set_is_empty (&self->collectors) || pid == 0 || pid > G_MAXINT)
    return;

  jm_readings_begin (self->readings, get_main_collector (self));
  process = jm_process_roll_find (self->roll, pid);
  if (process != NULL && jm_process_roll_is_named (self->roll, process))
    return;

  if (process == NULL || !add_known (self, process, group))
    add_unknown (self, group, pid);
}

void
jm_process_sweep_end (JmProcessSweep *self)
{
  if (!jm_collector_set_is_empty (&self->collectors))
    {
      jm_readings_begin (self->readings, get_main_collector (self));
      sweep_unnamed (self);
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
