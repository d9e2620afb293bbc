/* jm-process-source.c: what the processes of jobs do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-source-private.h"

/* What the processes and threads of jobs do, by group: a job, a step or a task. Groups
 * form a tree, and what counts in a group counts in all those above it.
 *
 * A round is jm_process_source_begin_round(), jm_process_source_add_process() for every
 * process of every group, and jm_process_source_end_round(); then
 * jm_process_source_read_group() for the groups that are wanted. All processes must be
 * named in each round: one that is not has ended. A source that learns of them by other
 * means, such as from the kernel's own events, may pass over what it knows.
 *
 * What a process did stays in the sums when it ends.
 *
 * - Units: those of the metric table.
 * - Errors: go to the readings, once a round for each kind. A process that ends
 *   half-way through is none. Where something of one process cannot be read, its group
 *   and those above have a gap: no figure, for as long as it cannot; never a sum over a
 *   part. */
G_DEFINE_INTERFACE (JmProcessSource, jm_process_source, JM_TYPE_SOURCE)

static void
jm_process_source_default_init (JmProcessSourceInterface *iface)
{
}

/* Sets for which file systems processes are counted that have a file open or their
 * working directory there. A file is on a file system when its path is below, as the
 * kernel names it in the process's own mount name space; of a process's open files the
 * first 1024 are looked at. That takes a system call for each, so by default there are
 * none. */
void
jm_process_source_set_filesystems (JmProcessSource *self, const char *const *mounts)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  if (JM_PROCESS_SOURCE_GET_IFACE (self)->set_filesystems != NULL)
    JM_PROCESS_SOURCE_GET_IFACE (self)->set_filesystems (self, mounts);
}

/* Sets, before the first round, which processes are a scheduler's own: those that are
 * named so and whose user ids are all root's. They run in a job's cgroup and do not
 * count as the job's. By default there are none. */
void
jm_process_source_set_helpers (JmProcessSource *self, const char *const *helpers)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  if (JM_PROCESS_SOURCE_GET_IFACE (self)->set_helpers != NULL)
    JM_PROCESS_SOURCE_GET_IFACE (self)->set_helpers (self, helpers);
}

/* Sets for how many executables of a group CPU time is shown one by one; those seen
 * first are, and the time of the others goes under `other`. Names that a group already
 * has stay. */
void
jm_process_source_set_max_executables (JmProcessSource *self, guint max_executables)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  if (JM_PROCESS_SOURCE_GET_IFACE (self)->set_max_executables != NULL)
    JM_PROCESS_SOURCE_GET_IFACE (self)->set_max_executables (self, max_executables);
}

/* Sets for how long the states of threads are good enough: where each takes a read of
 * its own, most of a round is spent on them. How many threads there are is shown as of
 * each round, as is the state of each process's first one; a process of which threads
 * came or went is asked for all of them. */
void
jm_process_source_set_threads_interval (JmProcessSource *self, guint interval_ms)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  if (JM_PROCESS_SOURCE_GET_IFACE (self)->set_threads_interval != NULL)
    JM_PROCESS_SOURCE_GET_IFACE (self)->set_threads_interval (self, interval_ms);
}

/* Adds a job, or a part of one.
 *
 * Returns the group, which is not 0; numbers of removed groups are given again. */
guint
jm_process_source_add_group (JmProcessSource *self, guint parent)
{
  g_return_val_if_fail (JM_IS_PROCESS_SOURCE (self), 0);

  return JM_PROCESS_SOURCE_GET_IFACE (self)->add_group (self, parent);
}

/* Removes a group, between rounds. What it counted stays in the sums of those above it,
 * which its children and processes go to. */
void
jm_process_source_remove_group (JmProcessSource *self, guint group)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  JM_PROCESS_SOURCE_GET_IFACE (self)->remove_group (self, group);
}

/* Begins a round. The collectors are #JM_COLLECTOR_PROCESS, #JM_COLLECTOR_THREADS and
 * #JM_COLLECTOR_FILES; where none is wanted, the round does nothing. */
void
jm_process_source_begin_round (JmProcessSource *self, JmReadings *readings)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));
  g_return_if_fail (readings != NULL);

  JM_PROCESS_SOURCE_GET_IFACE (self)->begin_round (self, readings);
}

/* Finds out whether the numbers of cgroups are of any use to it.
 *
 * Returns whether jm_process_source_add_cgroup() is of any use. */
gboolean
jm_process_source_takes_cgroups (JmProcessSource *self)
{
  g_return_val_if_fail (JM_IS_PROCESS_SOURCE (self), FALSE);

  return JM_PROCESS_SOURCE_GET_IFACE (self)->add_cgroup != NULL;
}

/* Says in each round, before its processes are named, which cgroups are a group's. A
 * source that learns of ends by itself so knows whose those processes were that nobody
 * has named. */
void
jm_process_source_add_cgroup (JmProcessSource *self, guint group, guint64 inode)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));
  g_return_if_fail (inode != 0);

  if (jm_process_source_takes_cgroups (self))
    JM_PROCESS_SOURCE_GET_IFACE (self)->add_cgroup (self, group, inode);
}

/* Lists the processes in a cgroup itself, as they were at the round's begin, where the
 * source has learned of them together with all else: then nobody need list them again.
 *
 * Returns whether they are known; where not, the cgroup's reader knows them, see
 * jm_cgroup_reader_list_processes(). */
gboolean
jm_process_source_list_cgroup (JmProcessSource *self,
                               guint64 inode,
                               JmReadings *readings)
{
  JmProcessSourceInterface *iface;

  g_return_val_if_fail (JM_IS_PROCESS_SOURCE (self), FALSE);
  g_return_val_if_fail (readings != NULL, FALSE);

  iface = JM_PROCESS_SOURCE_GET_IFACE (self);

  return iface->list_cgroup != NULL && iface->list_cgroup (self, inode, readings);
}

/* Names a process, and reads it at once. A second naming in one round does nothing. The
 * order is best that of `cgroup.procs`, parents first and the same each time. */
void
jm_process_source_add_process (JmProcessSource *self, guint group, guint pid)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  JM_PROCESS_SOURCE_GET_IFACE (self)->add_process (self, group, pid);
}

/* The same for a process that has not run since it was named in the round before: its
 * figures need not be read again. */
void
jm_process_source_add_sleeping (JmProcessSource *self, guint group, guint pid)
{
  JmProcessSourceInterface *iface;

  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  iface = JM_PROCESS_SOURCE_GET_IFACE (self);
  if (iface->add_sleeping != NULL)
    iface->add_sleeping (self, group, pid);
  else
    iface->add_process (self, group, pid);
}

/* Ends a round: processes that ended since the last one are closed, threads and open
 * files of the others are read. */
void
jm_process_source_end_round (JmProcessSource *self)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  JM_PROCESS_SOURCE_GET_IFACE (self)->end_round (self);
}

/* Sets the total that executables divide: what no process had, as of those that
 * come and go between two rounds, is then shown as other, one round later. */
void
jm_process_source_set_group_cpu (JmProcessSource *self, guint group, guint64 total_ns)
{
  JmProcessSourceInterface *iface;

  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));

  iface = JM_PROCESS_SOURCE_GET_IFACE (self);
  if (iface->set_group_cpu != NULL)
    iface->set_group_cpu (self, group, total_ns);
}

/* Adds the figures of a group as of the end of the last round, for the collectors that
 * were wanted in it.
 *
 * - Shape: one figure of each metric, in the same order every time; of those with a
 *   labels, one for each label. What could not be read of all processes of the group
 *   is left out. */
void
jm_process_source_read_group (JmProcessSource *self, guint group, JmReadings *readings)
{
  g_return_if_fail (JM_IS_PROCESS_SOURCE (self));
  g_return_if_fail (readings != NULL);

  JM_PROCESS_SOURCE_GET_IFACE (self)->read_group (self, group, readings);
}

/* Reads one process now, whether the source has it or not; what rounds count does not
 * change.
 *
 * - Shape: of a process that may not be looked at, or whose text breaks its format,
 *   only @pid and @place.
 *
 * Returns the process; NULL where it has ended, or does not count as the job's. */
JmProcess *
jm_process_source_describe (JmProcessSource *self, guint pid, JmPlace *place)
{
  g_return_val_if_fail (JM_IS_PROCESS_SOURCE (self), NULL);
  g_return_val_if_fail (pid > 0 && pid <= G_MAXINT, NULL);
  g_return_val_if_fail (place != NULL, NULL);

  return JM_PROCESS_SOURCE_GET_IFACE (self)->describe (self, pid, place);
}
