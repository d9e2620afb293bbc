/* jm-procfs-source.c: what the processes of jobs do, from procfs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-bpf-process-source-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/jm-process-private.h"
#include "host/jm-host-private.h"
#include "sources/process/jm-kept-process-private.h"
#include "sources/process/jm-process-groups-private.h"
#include "sources/process/jm-process-sweep-private.h"

#define DEFAULT_MAX_EXECUTABLES 10
#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* A process source that reads procfs, each process in every round. Threads of the
 * kernel do not count, nor do a scheduler's own helpers where they are root's, see
 * jm_process_source_set_helpers().
 *
 * - Units: CPU time has a resolution of 10 ms.
 * - Source: `/proc/PID/stat`, `io`, `exe`, `status`, `fd`, `cwd` and
 *   `task/TID/stat`. `io`, `exe`, `fd` and `cwd` of another user's process need
 *   `CAP_SYS_PTRACE`. */
typedef struct
{
  JmProcessGroups *groups;
  JmProcessRules *rules;
  JmProcessSweep *sweep;  /* NULL before it is opened */
  gboolean follows_clock; /* the time of the boot does */
} JmProcfsSourcePrivate;

static void process_source_iface_init (JmProcessSourceInterface *iface);

G_DEFINE_TYPE_WITH_CODE (JmProcfsSource,
                         jm_procfs_source,
                         JM_TYPE_SOURCE,
                         G_ADD_PRIVATE (JmProcfsSource)
                           G_IMPLEMENT_INTERFACE (JM_TYPE_PROCESS_SOURCE,
                                                  process_source_iface_init))

static inline JmProcfsSourcePrivate *
get_private (gpointer source)
{
  return jm_procfs_source_get_instance_private (JM_PROCFS_SOURCE (source));
}

/* The boot as of now, to the tick that the kernel has of the start of a process: a
 * clock that is set moves it. A clock that only drifts leaves starts as they are. */
static void
follow_clock (JmProcfsSourcePrivate *self)
{
  const gint64 tick_ns = (gint64) JM_NS_PER_TICK;
  gint64 boot_ns = jm_clock_get_boot_ns ();
  gint64 known_ns = (gint64) jm_process_groups_get_boot_ns (self->groups);

  if (ABS (boot_ns - known_ns) >= tick_ns)
    jm_process_groups_set_boot_ns (self->groups, (guint64) ((boot_ns + tick_ns / 2) /
                                                            tick_ns * tick_ns));
}

/* The kernel has it in whole seconds, rounded down. Where that is not when this machine
 * began, as in a copied tree, nothing finer is known. Without it, starts of processes
 * are absent. */
static void
read_boot_time (JmProcfsSourcePrivate *self, JmHost *host)
{
  gsize length;
  g_autofree char *text =
    jm_host_read_all (host, "/proc/stat", JM_PROC_STAT_MAX, &length, NULL);
  guint64 seconds;

  if (text == NULL || !jm_parse_boot_time (text, length, &seconds))
    return;

  jm_process_groups_set_boot_ns (self->groups, seconds * (guint64) NS_PER_S);
  self->follows_clock =
    ABS (jm_clock_get_boot_ns () - (gint64) seconds * NS_PER_S) < 2 * NS_PER_S;
  if (self->follows_clock)
    follow_clock (self);
}

static gboolean
jm_procfs_source_open (JmSource *source, GError **error)
{
  JmProcfsSourcePrivate *self = get_private (source);

  self->sweep =
    jm_process_sweep_new (jm_source_get_host (source), self->groups, self->rules);
  read_boot_time (self, jm_source_get_host (source));

  return TRUE;
}

static char *
normalise (const char *path)
{
  gsize length = strlen (path);

  while (length > 1 && path[length - 1] == '/')
    length--;

  return g_strndup (path, length);
}

static void
jm_procfs_source_set_filesystems (JmProcessSource *source, const char *const *mounts)
{
  JmProcfsSourcePrivate *self = get_private (source);
  char **paths;
  guint n = mounts != NULL ? g_strv_length ((char **) mounts) : 0;

  g_return_if_fail (!jm_process_sweep_is_running (self->sweep));

  n = MIN (n, JM_PROCESS_FILESYSTEMS_MAX);
  paths = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    paths[i] = normalise (mounts[i]);

  jm_process_sweep_take_filesystems (self->sweep, paths);
}

static void
jm_procfs_source_set_helpers (JmProcessSource *source, const char *const *helpers)
{
  JmProcfsSourcePrivate *self = get_private (source);

  jm_process_rules_set (self->rules, helpers);
}

static void
jm_procfs_source_set_max_executables (JmProcessSource *source, guint max_executables)
{
  JmProcfsSourcePrivate *self = get_private (source);

  jm_process_groups_set_max_executables (self->groups, max_executables);
}

static void
jm_procfs_source_set_threads_interval (JmProcessSource *source, guint interval_ms)
{
  JmProcfsSourcePrivate *self = get_private (source);

  jm_process_sweep_set_threads_interval (self->sweep, interval_ms);
}

static guint
jm_procfs_source_add_group (JmProcessSource *source, guint parent)
{
  JmProcfsSourcePrivate *self = get_private (source);

  g_return_val_if_fail (parent == 0 || jm_process_groups_has (self->groups, parent), 0);

  return jm_process_groups_add (self->groups, parent);
}

static void
jm_procfs_source_remove_group (JmProcessSource *source, guint group)
{
  JmProcfsSourcePrivate *self = get_private (source);

  g_return_if_fail (jm_process_groups_has (self->groups, group));
  g_return_if_fail (!jm_process_sweep_is_running (self->sweep));

  jm_process_sweep_move_group (self->sweep, group,
                               jm_process_groups_remove (self->groups, group));
}

static void
jm_procfs_source_begin_round (JmProcessSource *source, JmReadings *readings)
{
  JmProcfsSourcePrivate *self = get_private (source);

  g_return_if_fail (!jm_process_sweep_is_running (self->sweep));

  if (self->follows_clock)
    follow_clock (self);
  jm_process_sweep_begin (self->sweep, readings);
}

static void
add (JmProcessSource *source, guint group, guint pid, gboolean is_sleeping)
{
  JmProcfsSourcePrivate *self = get_private (source);

  g_return_if_fail (jm_process_sweep_is_running (self->sweep));
  g_return_if_fail (jm_process_groups_has (self->groups, group));

  jm_process_sweep_add (self->sweep, group, pid, is_sleeping);
}

static void
jm_procfs_source_add_process (JmProcessSource *source, guint group, guint pid)
{
  add (source, group, pid, FALSE);
}

static void
jm_procfs_source_add_sleeping (JmProcessSource *source, guint group, guint pid)
{
  add (source, group, pid, TRUE);
}

static void
jm_procfs_source_end_round (JmProcessSource *source)
{
  JmProcfsSourcePrivate *self = get_private (source);

  g_return_if_fail (jm_process_sweep_is_running (self->sweep));

  jm_process_sweep_end (self->sweep);
}

static void
jm_procfs_source_set_group_cpu (JmProcessSource *source, guint group, guint64 total_ns)
{
  JmProcfsSourcePrivate *self = get_private (source);

  g_return_if_fail (jm_process_groups_has (self->groups, group));

  jm_process_groups_set_cpu (self->groups, group, total_ns);
}

static void
jm_procfs_source_read_group (JmProcessSource *source, guint group, JmReadings *readings)
{
  JmProcfsSourcePrivate *self = get_private (source);

  g_return_if_fail (jm_process_groups_has (self->groups, group));

  jm_process_groups_read (self->groups, group,
                          jm_process_sweep_get_collectors (self->sweep), readings);
}

/* What no record has room for was not meant by a kernel. */
static gint64
scale (guint64 count, guint64 unit)
{
  return count <= G_MAXINT64 / unit ? (gint64) (count * unit) : -1;
}

static gint64
get_start_time_us (guint64 boot_ns, guint64 starttime_ticks)
{
  gint64 since_boot_ns = scale (starttime_ticks, JM_NS_PER_TICK);

  if (boot_ns == 0 || since_boot_ns < 0)
    return 0;

  return (gint64) (boot_ns / 1000) + since_boot_ns / 1000;
}

static JmProcess *
make_record (const JmKeptProcess *process,
             const JmProcStat *stat,
             JmPlace *place,
             guint64 boot_ns)
{
  const JmProcessFacts facts = {
    .command = process->comm,
    .executable =
      process->executable != NULL ? jm_labels_get_value (process->executable, 0) : NULL,
    .state = jm_thread_state_get_name (jm_thread_state_from_letter (stat->state)),
    .start_time_us = get_start_time_us (boot_ns, stat->starttime_ticks),
    .cpu_user_ns = scale (stat->utime_ticks, JM_NS_PER_TICK),
    .cpu_system_ns = scale (stat->stime_ticks, JM_NS_PER_TICK),
    .rss_bytes = scale (stat->rss_pages, (guint64) sysconf (_SC_PAGESIZE)),
    .n_threads = stat->n_threads <= G_MAXINT ? (int) stat->n_threads : -1,
  };

  return jm_process_new (process->pid, place, &facts);
}

/* @boot_ns is when the host began, since 1970, or 0. NULL where the process has ended
 * or does not count. */
static JmProcess *
record_read (JmHost *host,
             guint pid,
             JmPlace *place,
             guint64 boot_ns,
             const JmProcessRules *rules)
{
  JmProcessReport nobody = { NULL, 0 };
  JmProcess *record = NULL;
  JmProcStat stat = { 0 };
  JmProcessStatus status;
  int result;
  JmKeptProcess *process = jm_kept_process_open (host, pid, &result);

  if (process != NULL)
    result = jm_kept_process_read_stat (process, &stat, &nobody);
  if (process != NULL && result == 0)
    {
      jm_process_status_take_stat (&status, &stat);
      result = jm_kept_process_identify (process, &status, rules);
    }

  if (process != NULL && result == 0)
    {
      if (process->counts)
        record = make_record (process, &stat, place, boot_ns);
    }
  else if (result != -ENOENT && result != -ESRCH)
    record = jm_process_new (pid, place, NULL);
  g_clear_pointer (&process, jm_kept_process_free);

  return record;
}

static JmProcess *
jm_procfs_source_describe (JmProcessSource *source, guint pid, JmPlace *place)
{
  JmProcfsSourcePrivate *self = get_private (source);

  return record_read (jm_source_get_host (JM_SOURCE (source)), pid, place,
                      jm_process_groups_get_boot_ns (self->groups), self->rules);
}

static void
process_source_iface_init (JmProcessSourceInterface *iface)
{
  iface->set_filesystems = jm_procfs_source_set_filesystems;
  iface->set_helpers = jm_procfs_source_set_helpers;
  iface->set_max_executables = jm_procfs_source_set_max_executables;
  iface->set_threads_interval = jm_procfs_source_set_threads_interval;
  iface->add_group = jm_procfs_source_add_group;
  iface->remove_group = jm_procfs_source_remove_group;
  iface->begin_round = jm_procfs_source_begin_round;
  iface->add_process = jm_procfs_source_add_process;
  iface->add_sleeping = jm_procfs_source_add_sleeping;
  iface->end_round = jm_procfs_source_end_round;
  iface->set_group_cpu = jm_procfs_source_set_group_cpu;
  iface->read_group = jm_procfs_source_read_group;
  iface->describe = jm_procfs_source_describe;
}

static void
jm_procfs_source_finalize (GObject *object)
{
  JmProcfsSourcePrivate *self = get_private (object);

  g_clear_pointer (&self->sweep, jm_process_sweep_free);
  g_clear_pointer (&self->groups, jm_process_groups_free);
  g_clear_pointer (&self->rules, jm_process_rules_free);

  G_OBJECT_CLASS (jm_procfs_source_parent_class)->finalize (object);
}

/* A source that knows more of the kernel is one that reports the same. */
static gboolean
jm_procfs_source_is_superseded_by (JmSource *source, JmSource *other)
{
  return G_TYPE_FROM_INSTANCE (source) == JM_TYPE_PROCFS_SOURCE &&
         JM_IS_PROCFS_SOURCE (other);
}

/* For those that are derived from it: what reads processes in its rounds. */
JmProcessSweep *
jm_procfs_source_get_sweep (JmProcfsSource *source)
{
  return get_private (source)->sweep;
}

static void
jm_procfs_source_class_init (JmProcfsSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_procfs_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_procfs_source_open;
  JM_SOURCE_CLASS (klass)->is_superseded_by = jm_procfs_source_is_superseded_by;
}

static void
jm_procfs_source_init (JmProcfsSource *source)
{
  JmProcfsSourcePrivate *self = get_private (source);

  self->groups = jm_process_groups_new ();
  self->rules = jm_process_rules_new ();
  jm_process_groups_set_max_executables (self->groups, DEFAULT_MAX_EXECUTABLES);
}
