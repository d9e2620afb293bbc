/* jm-process-table.c: what the processes of jobs do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-table.h"

#include <string.h>

#include "sources/process/jm-process-groups-private.h"
#include "sources/process/jm-process-record-private.h"
#include "sources/process/jm-process-sweep-private.h"

#define DEFAULT_MAX_EXECUTABLES 10

/**
 * JmProcessTable:
 *
 * What the processes and threads of jobs do, by group: a job, a step or a task. Groups
 * form a tree, and what counts in a group counts in all those above it.
 *
 * A round is jm_process_table_begin_round(), jm_process_table_add_process() for every
 * process of every group, and jm_process_table_end_round(); then
 * jm_process_table_read_group() for the groups that are wanted. All processes must be
 * named in each round: one that is not has ended.
 *
 * What a process did stays in the sums when it ends. Threads of the kernel and the
 * scheduler's own helpers do not count: `slurmstepd`, and the `sleep` that holds
 * Slurm's extern step open, where they are root's.
 *
 * - Units: those of the metric table; CPU time has a resolution of 10 ms.
 * - Errors: go to the readings, once a round for each kind. A process that ends
 *   half-way through is none. Where something of one process cannot be read, its group
 *   and those above have a gap: no figure, for as long as it cannot; never a sum over a
 *   part.
 * - Source: `/proc/PID/stat`, `io`, `exe`, `status`, `fd`, `cwd` and
 *   `task/TID/stat`. `io`, `exe`, `fd` and `cwd` of another user's process need
 *   `CAP_SYS_PTRACE`.
 *
 * Since: 0.1
 */
struct _JmProcessTable
{
  JmSource parent_instance;

  JmProcessGroups *groups;
  JmProcessSweep *sweep; /* NULL before it is opened */
};

G_DEFINE_FINAL_TYPE (JmProcessTable, jm_process_table, JM_TYPE_SOURCE)

/* Read once: it moves with the clock, though there was but one boot. Without it, starts
 * of processes are absent. */
static void
read_boot_time (JmProcessTable *self, JmHost *host)
{
  gsize length;
  g_autofree char *text =
    jm_host_read_all (host, "/proc/stat", JM_PROC_STAT_MAX, &length, NULL);
  guint64 seconds;

  if (text != NULL && jm_parse_boot_time (text, length, &seconds))
    jm_process_groups_set_boot_time (self->groups, seconds);
}

static gboolean
jm_process_table_open (JmSource *source, GError **error)
{
  JmProcessTable *self = JM_PROCESS_TABLE (source);

  self->sweep = jm_process_sweep_new (jm_source_get_host (source), self->groups);
  read_boot_time (self, jm_source_get_host (source));

  return TRUE;
}

static void
jm_process_table_finalize (GObject *object)
{
  JmProcessTable *self = JM_PROCESS_TABLE (object);

  g_clear_pointer (&self->sweep, jm_process_sweep_free);
  g_clear_pointer (&self->groups, jm_process_groups_free);

  G_OBJECT_CLASS (jm_process_table_parent_class)->finalize (object);
}

static void
jm_process_table_class_init (JmProcessTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_process_table_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_process_table_open;
}

static void
jm_process_table_init (JmProcessTable *self)
{
  self->groups = jm_process_groups_new ();
  jm_process_groups_set_max_executables (self->groups, DEFAULT_MAX_EXECUTABLES);
}

/**
 * jm_process_table_new:
 * @host: the host
 * @error: return location for an error
 *
 * Makes an empty table of the processes of @host.
 *
 * Returns: (transfer full): the table
 * Since: 0.1
 */
JmProcessTable *
jm_process_table_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_PROCESS_TABLE, NULL, error, "host", host, NULL);
}

static char *
normalise (const char *path)
{
  gsize length = strlen (path);

  while (length > 1 && path[length - 1] == '/')
    length--;

  return g_strndup (path, length);
}

/**
 * jm_process_table_set_filesystems:
 * @self: a table
 * @mounts: (nullable) (array zero-terminated=1) (element-type filename): absolute paths,
 *   such as `/scratch`; the first 64 are taken
 *
 * Sets for which file systems processes are counted that have a file open or their
 * working directory there. A file is on a file system when its path is below, as the
 * kernel names it in the process's own mount name space; of a process's open files the
 * first 1024 are looked at. That takes a system call for each, so by default there are
 * none.
 *
 * Since: 0.1
 */
void
jm_process_table_set_filesystems (JmProcessTable *self, const char *const *mounts)
{
  char **paths;
  guint n = mounts != NULL ? g_strv_length ((char **) mounts) : 0;

  g_return_if_fail (JM_IS_PROCESS_TABLE (self));

  g_return_if_fail (!jm_process_sweep_is_running (self->sweep));

  n = MIN (n, JM_PROCESS_FILESYSTEMS_MAX);
  paths = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    paths[i] = normalise (mounts[i]);

  jm_process_sweep_take_filesystems (self->sweep, paths);
}

/**
 * jm_process_table_set_max_executables:
 * @self: a table
 * @max_executables: how many, by default 10
 *
 * Sets for how many executables of a group CPU time is told one by one; those seen
 * first are, and the time of the others goes under `other`. Names that a group already
 * has stay.
 *
 * Since: 0.1
 */
void
jm_process_table_set_max_executables (JmProcessTable *self, guint max_executables)
{
  g_return_if_fail (JM_IS_PROCESS_TABLE (self));

  jm_process_groups_set_max_executables (self->groups, max_executables);
}

/**
 * jm_process_table_add_group:
 * @self: a table
 * @parent: the group above, or 0 for none
 *
 * Adds a job, or a part of one.
 *
 * Returns: the group, which is not 0; numbers of removed groups are given again
 * Since: 0.1
 */
guint
jm_process_table_add_group (JmProcessTable *self, guint parent)
{
  g_return_val_if_fail (JM_IS_PROCESS_TABLE (self), 0);
  g_return_val_if_fail (parent == 0 || jm_process_groups_has (self->groups, parent), 0);

  return jm_process_groups_add (self->groups, parent);
}

/**
 * jm_process_table_remove_group:
 * @self: a table
 * @group: a group
 *
 * Removes a group, between rounds. What it counted stays in the sums of those above it,
 * which its children and processes go to.
 *
 * Since: 0.1
 */
void
jm_process_table_remove_group (JmProcessTable *self, guint group)
{
  g_return_if_fail (JM_IS_PROCESS_TABLE (self));
  g_return_if_fail (jm_process_groups_has (self->groups, group));
  g_return_if_fail (!jm_process_sweep_is_running (self->sweep));

  jm_process_sweep_move_group (self->sweep, group,
                               jm_process_groups_remove (self->groups, group));
}

/**
 * jm_process_table_begin_round:
 * @self: a table
 * @readings: which collectors are wanted, and where errors go until the round's end
 *
 * Begins a round. The collectors are #JM_COLLECTOR_PROCESS, #JM_COLLECTOR_THREADS and
 * #JM_COLLECTOR_FILES; where none is wanted, the round does nothing.
 *
 * Since: 0.1
 */
void
jm_process_table_begin_round (JmProcessTable *self, JmReadings *readings)
{
  g_return_if_fail (JM_IS_PROCESS_TABLE (self));
  g_return_if_fail (readings != NULL);
  g_return_if_fail (!jm_process_sweep_is_running (self->sweep));

  jm_process_sweep_begin (self->sweep, readings);
}

/**
 * jm_process_table_add_process:
 * @self: a table
 * @group: the innermost group that it is in
 * @pid: a process
 *
 * Names a process, and reads it at once. A second naming in one round does nothing. The
 * order is best that of `cgroup.procs`, parents first and the same each time.
 *
 * Since: 0.1
 */
void
jm_process_table_add_process (JmProcessTable *self, guint group, guint pid)
{
  g_return_if_fail (JM_IS_PROCESS_TABLE (self));
  g_return_if_fail (jm_process_sweep_is_running (self->sweep));
  g_return_if_fail (jm_process_groups_has (self->groups, group));

  jm_process_sweep_add (self->sweep, group, pid);
}

/**
 * jm_process_table_end_round:
 * @self: a table
 *
 * Ends a round: processes that ended since the last one are closed, threads and open
 * files of the others are read.
 *
 * Since: 0.1
 */
void
jm_process_table_end_round (JmProcessTable *self)
{
  g_return_if_fail (JM_IS_PROCESS_TABLE (self));
  g_return_if_fail (jm_process_sweep_is_running (self->sweep));

  jm_process_sweep_end (self->sweep);
}

/**
 * jm_process_table_read_group:
 * @self: a table
 * @group: a group
 * @readings: where its figures go, about the subject that was set there
 *
 * Adds the figures of a group as of the end of the last round, for the collectors that
 * were wanted in it.
 *
 * - Shape: one figure of each metric, in the same order every time; of those with a
 *   labels, one for each label. What could not be read of all processes of the group
 *   is left out.
 *
 * Since: 0.1
 */
void
jm_process_table_read_group (JmProcessTable *self, guint group, JmReadings *readings)
{
  g_return_if_fail (JM_IS_PROCESS_TABLE (self));
  g_return_if_fail (readings != NULL);
  g_return_if_fail (jm_process_groups_has (self->groups, group));

  jm_process_groups_read (self->groups, group,
                          jm_process_sweep_get_collectors (self->sweep), readings);
}

/**
 * jm_process_table_describe:
 * @self: a table
 * @pid: a process
 * @place: which step and task it is in
 *
 * Reads one process now, whether the table has it or not; what rounds count does not
 * change.
 *
 * - Shape: of a process that may not be looked at, or whose text breaks its format,
 * only
 *   @pid and @place.
 *
 * Returns: (transfer full) (nullable): the process; %NULL where it has ended, or does
 *   not count as the job's
 * Since: 0.1
 */
JmProcess *
jm_process_table_describe (JmProcessTable *self, guint pid, JmPlace *place)
{
  g_return_val_if_fail (JM_IS_PROCESS_TABLE (self), NULL);
  g_return_val_if_fail (pid > 0 && pid <= G_MAXINT, NULL);
  g_return_val_if_fail (place != NULL, NULL);

  return jm_process_record_read (jm_source_get_host (JM_SOURCE (self)), pid, place,
                                 jm_process_groups_get_boot_ns (self->groups));
}
