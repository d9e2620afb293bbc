/* jm-kept-process.c: one process that is read again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-kept-process-private.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/jm-error.h"
#include "host/jm-host-private.h"
#include "sources/process/jm-process-rules-private.h"

/* /proc/PID/stat is 52 numbers and a name. */
#define STAT_SIZE 2048
#define IO_SIZE 512

/* Of a longer path the end is kept, which says more than its beginning. */
#define EXECUTABLE_MAX 255

static void
process_init (JmKeptProcess *self, guint pid)
{
  jm_dir_init (&self->dir);
  jm_dir_init (&self->fd_dir);
  jm_file_init (&self->stat);
  jm_file_init (&self->io);
  self->pid = pid;
}

static JmKeptProcess *
try_open (JmHost *host, guint pid, int *result)
{
  JmKeptProcess *self = g_new0 (JmKeptProcess, 1);
  char path[32];

  process_init (self, pid);
  g_snprintf (path, sizeof path, "/proc/%u", pid);

  *result = jm_dir_open (&self->dir, host, path);
  if (*result == 0)
    *result = jm_file_open_at (&self->stat, &self->dir, "stat", JM_FILE_KEEP);
  if (*result < 0)
    g_clear_pointer (&self, jm_kept_process_free);

  return self;
}

/**
 * jm_kept_process_open_told: (skip)
 * @host: the host
 * @pid: a process
 * @result: (out): 0, or a negative `errno`
 *
 * Opens a process whose figures come by other means than its files.
 *
 * Returns: (transfer full) (nullable): the process
 */
JmKeptProcess *
jm_kept_process_open_told (JmHost *host, guint pid, int *result)
{
  JmKeptProcess *self = g_new0 (JmKeptProcess, 1);
  char path[32];

  process_init (self, pid);
  g_snprintf (path, sizeof path, "/proc/%u", pid);
  *result = jm_dir_open (&self->dir, host, path);
  if (*result < 0)
    g_clear_pointer (&self, jm_kept_process_free);
  else
    self->stat = (JmFile){ &self->dir, "stat", -1, JM_FILE_REOPEN };

  return self;
}

/* Without hidepid every process can be seen. With it, those of others look as if they
 * had ended. */
static gboolean
is_hidden (JmHost *host, guint pid)
{
  return jm_host_is_live (host) && (kill ((pid_t) pid, 0) == 0 || errno == EPERM);
}

/**
 * jm_kept_process_open: (skip)
 * @host: the host
 * @pid: a process
 * @result: (out): 0, or a negative `errno`: `-EACCES` for one that is hidden
 *
 * Opens a process; nothing is read yet.
 *
 * Returns: (transfer full) (nullable): the process
 */
JmKeptProcess *
jm_kept_process_open (JmHost *host, guint pid, int *result)
{
  JmKeptProcess *self = try_open (host, pid, result);

  /* the second time, since the pid may have been given anew in between */
  if (self == NULL && *result == -ENOENT && is_hidden (host, pid))
    {
      self = try_open (host, pid, result);
      if (*result == -ENOENT)
        *result = -EACCES;
    }

  return self;
}

void
jm_kept_process_free (JmKeptProcess *self)
{
  jm_kept_process_forget_threads (self);
  jm_file_close (&self->stat);
  if (self->io.name != NULL)
    jm_file_close (&self->io);
  if (self->fd_dir.path != NULL)
    jm_dir_close (&self->fd_dir);
  if (self->dir.path != NULL)
    jm_dir_close (&self->dir);
  g_clear_pointer (&self->executable, jm_labels_unref);
  g_free (self->inherited);
  g_free (self);
}

/**
 * jm_kept_process_read_stat: (skip)
 * @self: a process
 * @stat: (out): what it reports
 * @report: where a failure goes
 *
 * Returns: 0, `-ESRCH` when the process ended, %JM_PROCESS_MALFORMED, or another
 * `-errno`
 */
int
jm_kept_process_read_stat (JmKeptProcess *self,
                           JmProcStat *stat,
                           JmProcessReport *report)
{
  char text[STAT_SIZE];
  gssize n = jm_file_read (&self->stat, text, sizeof text);

  if (n == -ENOENT)
    return -ESRCH;
  if (n < 0)
    {
      jm_process_report_file (report, JM_PROCESS_PART_STAT, &self->stat, n);
      return (int) n;
    }
  if (!jm_parse_proc_stat (text, (gsize) n, stat))
    {
      jm_process_report_text (report, JM_PROCESS_PART_STAT, &self->stat, text,
                              (gsize) n);
      return JM_PROCESS_MALFORMED;
    }

  return jm_proc_stat_is_over (stat) ? -ESRCH : 0;
}

/**
 * jm_kept_process_read_status: (skip)
 * @self: a process
 * @status: (out): what its `stat` reports
 * @report: where a failure goes
 *
 * Returns: as jm_kept_process_read_stat() does
 */
int
jm_kept_process_read_status (JmKeptProcess *self,
                             JmProcessStatus *status,
                             JmProcessReport *report)
{
  JmProcStat stat;
  int result = jm_kept_process_read_stat (self, &stat, report);

  if (result == 0)
    jm_process_status_take_stat (status, &stat);

  return result;
}

static int
open_io (JmKeptProcess *self, JmProcessReport *report)
{
  int result = 0;

  if (self->io.name == NULL)
    result = jm_file_open_at (&self->io, &self->dir, "io", JM_FILE_KEEP);
  if (result < 0)
    jm_process_report_path (report, JM_PROCESS_PART_IO, &self->dir, "io", result);

  return result;
}

static void
order_io (const JmProcIo *io, guint64 figures[JM_N_PROCESS_IO])
{
  const guint64 ordered[JM_N_PROCESS_IO] = {
    [JM_METRIC_PROCESS_READ_BYTES - JM_METRIC_PROCESS_READ_BYTES] = io->read_bytes,
    [JM_METRIC_PROCESS_WRITE_BYTES - JM_METRIC_PROCESS_READ_BYTES] = io->write_bytes,
    [JM_METRIC_PROCESS_READ_CHARS - JM_METRIC_PROCESS_READ_BYTES] = io->read_chars,
    [JM_METRIC_PROCESS_WRITE_CHARS - JM_METRIC_PROCESS_READ_BYTES] = io->write_chars,
    [JM_METRIC_PROCESS_READ_CALLS - JM_METRIC_PROCESS_READ_BYTES] = io->read_calls,
    [JM_METRIC_PROCESS_WRITE_CALLS - JM_METRIC_PROCESS_READ_BYTES] = io->write_calls,
  };

  memcpy (figures, ordered, sizeof ordered);
}

/**
 * jm_kept_process_read_io: (skip)
 * @self: a process
 * @figures: (out): in the order of their metrics, the children's that were waited for
 *   included
 * @report: where a failure goes
 *
 * Returns: 0, or a negative `errno` or %JM_PROCESS_MALFORMED
 */
int
jm_kept_process_read_io (JmKeptProcess *self,
                         guint64 figures[JM_N_PROCESS_IO],
                         JmProcessReport *report)
{
  char text[IO_SIZE];
  JmProcIo io;
  gssize n = open_io (self, report);

  if (n < 0)
    return (int) n;

  n = jm_file_read (&self->io, text, sizeof text);
  if (n < 0)
    {
      jm_process_report_file (report, JM_PROCESS_PART_IO, &self->io, n);
      return (int) n;
    }
  if (!jm_parse_proc_io (text, (gsize) n, &io))
    {
      jm_process_report_text (report, JM_PROCESS_PART_IO, &self->io, text, (gsize) n);
      return JM_PROCESS_MALFORMED;
    }

  order_io (&io, figures);
  return 0;
}

/* The label of an executable. */
JmLabels *
jm_kept_process_make_labels (const char *name)
{
  gsize length = strlen (name);
  g_autofree char *cut = NULL;

  if (length > EXECUTABLE_MAX)
    cut = g_strconcat ("...", name + length - EXECUTABLE_MAX + 3, NULL);

  return jm_labels_of (cut != NULL ? cut : name, NULL);
}

/* The path, or where that may not be read, the command name. A negative `errno` where
 * it can neither be read nor is it known that it may not. */
static int
read_executable (JmKeptProcess *self)
{
  static const char deleted[] = " (deleted)";
  char path[PATH_MAX];
  gssize length = jm_dir_read_link (&self->dir, "exe", path, sizeof path);

  if (length < 0 && jm_error_from_errno ((int) -length) == JM_ERROR_UNAVAILABLE)
    return (int) length;
  if (length > 0 && g_str_has_suffix (path, deleted))
    path[length - (gssize) strlen (deleted)] = '\0';

  g_clear_pointer (&self->executable, jm_labels_unref);
  self->executable = jm_kept_process_make_labels (length > 0 ? path : self->comm);

  return 0;
}

static int
take_executable (JmKeptProcess *self, const JmProcessStatus *status)
{
  if (status->executable == NULL)
    return read_executable (self);

  g_clear_pointer (&self->executable, jm_labels_unref);
  self->executable = jm_kept_process_make_labels (status->executable);

  return 0;
}

static int
is_helper (const JmKeptProcess *self,
           const JmProcessStatus *status,
           const JmProcessRules *rules)
{
  if ((status->flags & JM_PROC_FLAG_KTHREAD) != 0)
    return 1;

  return jm_process_rules_match (rules, &self->dir, status->comm, status->is_root);
}

static int
ask_root (const JmKeptProcess *self, const JmProcessStatus *status)
{
  return status->is_root >= 0 ? status->is_root : jm_process_ask_root (&self->dir);
}

/**
 * jm_kept_process_identify: (skip)
 * @self: a process
 * @status: what was just read of it
 * @rules: what helpers look like
 *
 * Finds out what a process runs and whether it counts, when it is new or has another
 * name: that is another program, or a fork that has begun its own. A helper is asked in
 * each round whether it is root's still, since a program may be named as the helper
 * that starts it.
 *
 * Returns: 0, or a negative `errno` where it cannot be found out now
 */
int
jm_kept_process_identify (JmKeptProcess *self,
                          const JmProcessStatus *status,
                          const JmProcessRules *rules)
{
  gboolean renamed = strncmp (self->comm, status->comm, sizeof self->comm - 1) != 0;
  gboolean is_known = !renamed && !self->is_new;
  int result;

  if (is_known && (self->counts || (status->flags & JM_PROC_FLAG_KTHREAD) != 0))
    return 0;

  result = is_known ? ask_root (self, status) : 0;
  if (result != 0)
    return MIN (result, 0);

  result = is_helper (self, status, rules);
  if (result < 0)
    return result;

  g_strlcpy (self->comm, status->comm, sizeof self->comm);
  self->counts = result == 0;
  result = take_executable (self, status);
  if (result < 0)
    self->comm[0] = '\0'; /* to be asked again */

  return result;
}

/**
 * jm_kept_process_is_there: (skip)
 * @self: a process
 *
 * Asks once more, to distinguish a file that a process does not have from one that it
 * had.
 *
 * Returns: whether the process still exists
 */
gboolean
jm_kept_process_is_there (JmKeptProcess *self)
{
  JmProcessReport nobody = { NULL, 0 };
  JmProcStat stat = { 0 };

  return jm_kept_process_read_stat (self, &stat, &nobody) == 0 &&
         stat.starttime_ticks == self->starttime_ticks;
}

/* A zombie has its last figures, and neither files nor a directory. */
gboolean
jm_kept_process_is_zombie (const JmKeptProcess *self)
{
  return self->state == 'Z' || self->state == 'X' || self->state == 'x';
}

static guint64
take_ns (guint64 *last, guint64 now)
{
  guint64 delta = now > *last ? now - *last : 0;

  *last += delta;
  return delta;
}

/**
 * jm_kept_process_take_cpu: (skip)
 * @self: a process
 * @stat: what was just read of it
 * @user: (out): ns since the last time
 * @system: (out): ns since the last time
 *
 * Makes the CPU time of @stat the last one.
 */
void
jm_kept_process_take_cpu (JmKeptProcess *self,
                          guint64 user_ns,
                          guint64 system_ns,
                          guint64 *user,
                          guint64 *system)
{
  *user = take_ns (&self->user_ns, user_ns);
  *system = take_ns (&self->system_ns, system_ns);
}

/* What of @delta was counted as a child's already. */
static guint64
take_inherited (JmKeptProcess *self, guint index, guint64 delta)
{
  guint64 known;

  if (self->inherited == NULL)
    return 0;

  known = MIN (delta, self->inherited[index]);
  self->inherited[index] -= known;

  return known;
}

/**
 * jm_kept_process_has_child_cpu: (skip)
 * @self: a process
 * @user_ns: `cutime`, as it was just read
 * @system_ns: `cstime`
 *
 * Returns: whether @self has waited for a child that used CPU time
 */
gboolean
jm_kept_process_has_child_cpu (const JmKeptProcess *self,
                               guint64 user_ns,
                               guint64 system_ns)
{
  return user_ns > self->child_user_ns || system_ns > self->child_system_ns;
}

/**
 * jm_kept_process_take_child_cpu: (skip)
 * @self: a process
 * @user_ns: `cutime`, as it was just read
 * @system_ns: `cstime`
 * @user: (out): ns that are not counted yet
 * @system: (out): ns that are not counted yet
 *
 * Makes what children used that @self waited for the last ones, and says what of it was
 * seen of none of them: a child may come and go between two rounds.
 */
void
jm_kept_process_take_child_cpu (JmKeptProcess *self,
                                guint64 user_ns,
                                guint64 system_ns,
                                guint64 *user,
                                guint64 *system)
{
  *user = take_ns (&self->child_user_ns, user_ns);
  *user -= take_inherited (self, JM_PROCESS_INHERITED_USER, *user);
  *system = take_ns (&self->child_system_ns, system_ns);
  *system -= take_inherited (self, JM_PROCESS_INHERITED_SYSTEM, *system);
}

/**
 * jm_kept_process_inherit: (skip)
 * @self: a process
 * @child: a process that ended, whose parent @self is
 *
 * Notes what @self will be given when it waits for @child, or has been given just now:
 * the kernel adds what a child read and wrote to the parent's own figures, and the CPU
 * time that it used to that of the parent's children. We counted that as the child's
 * already.
 */
void
jm_kept_process_inherit (JmKeptProcess *self, const JmKeptProcess *child)
{
  if (self->inherited == NULL)
    self->inherited = g_new0 (guint64, JM_N_PROCESS_INHERITED);

  for (guint i = 0; i < JM_N_PROCESS_IO; i++)
    self->inherited[i] += child->io_figures[i];
  self->inherited[JM_PROCESS_INHERITED_USER] += child->user_ns + child->child_user_ns;
  self->inherited[JM_PROCESS_INHERITED_SYSTEM] +=
    child->system_ns + child->child_system_ns;

  for (guint i = 0; child->inherited != NULL && i < JM_N_PROCESS_INHERITED; i++)
    self->inherited[i] += child->inherited[i];
}

/**
 * jm_kept_process_take_io: (skip)
 * @self: a process
 * @figures: as they were just read
 * @less_inherited: whether @self has waited for a child meanwhile
 * @deltas: (out): what @self read and wrote itself since the last time; children that
 *   ended unseen included
 *
 * Makes @figures the last ones.
 */
void
jm_kept_process_take_io (JmKeptProcess *self,
                         const guint64 figures[JM_N_PROCESS_IO],
                         gboolean less_inherited,
                         guint64 deltas[JM_N_PROCESS_IO])
{
  for (guint i = 0; i < JM_N_PROCESS_IO; i++)
    {
      guint64 last = self->io_figures[i];
      guint64 delta = figures[i] > last ? figures[i] - last : 0;

      if (less_inherited)
        delta -= take_inherited (self, i, delta);

      self->io_figures[i] = MAX (last, figures[i]);
      deltas[i] = delta;
    }
}
