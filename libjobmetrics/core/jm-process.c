/* jm-process.c: a process of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-process-private.h"

#include "core/jm-place-private.h"

struct _JmProcess
{
  guint pid;
  JmPlace *place;
  char *command;
  char *executable;
  JmProcessFacts facts;
};

static const JmProcessFacts nothing = { NULL, NULL, NULL, 0, -1, -1, -1, -1 };

G_DEFINE_BOXED_TYPE (JmProcess, jm_process, g_atomic_rc_box_acquire, jm_process_unref)

static char *
make_valid (const char *text)
{
  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

JmProcess *
jm_process_new (guint pid, JmPlace *place, const JmProcessFacts *facts)
{
  JmProcess *self = g_atomic_rc_box_new0 (JmProcess);

  self->pid = pid;
  self->place = jm_place_ref (place);
  self->facts = facts != NULL ? *facts : nothing;
  self->command = make_valid (self->facts.command);
  self->executable = make_valid (self->facts.executable);
  self->facts.command = NULL;
  self->facts.executable = NULL;

  return self;
}

static void
process_clear (gpointer data)
{
  JmProcess *self = data;

  jm_place_unref (self->place);
  g_free (self->command);
  g_free (self->executable);
}

/**
 * jm_process_unref:
 * @self: (transfer full): a process
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_process_unref (JmProcess *self)
{
  g_atomic_rc_box_release_full (self, process_clear);
}

/**
 * jm_process_get_pid:
 * @self: a process
 *
 * Gets its number. Another process may have it by now: those of the same number and
 * another start time are two.
 *
 * Returns: the number
 * Since: 0.1
 */
guint
jm_process_get_pid (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->pid;
}

/**
 * jm_process_get_step:
 * @self: a process
 *
 * Gets which step of its job it is in.
 *
 * Returns: (nullable): the step's name; %NULL where it is in none
 * Since: 0.1
 */
const char *
jm_process_get_step (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return jm_place_get_step (self->place);
}

/**
 * jm_process_get_task:
 * @self: a process
 *
 * Gets which task of its step it is in.
 *
 * Returns: (nullable): the task's number; %NULL where it is in none
 * Since: 0.1
 */
const char *
jm_process_get_task (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return jm_place_get_task (self->place);
}

/**
 * jm_process_get_command:
 * @self: a process
 *
 * Gets the name that the kernel keeps of its program, of 15 bytes at most; any program
 * may change its own.
 *
 * - Source: `/proc/PID/stat`.
 *
 * Returns: (nullable): the name; %NULL where it may not be known
 * Since: 0.1
 */
const char *
jm_process_get_command (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->command;
}

/**
 * jm_process_get_executable:
 * @self: a process
 *
 * Gets the path of its program, or where that may not be known, its command: what
 * `executable_cpu_seconds` has as its label.
 *
 * - Source: `/proc/PID/exe`; of another user's process it needs `CAP_SYS_PTRACE`.
 *
 * Returns: (nullable): the path or the command; %NULL where neither may be known
 * Since: 0.1
 */
const char *
jm_process_get_executable (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->executable;
}

/**
 * jm_process_get_state:
 * @self: a process
 *
 * Gets what its first thread is at, in the words of `threads`: `running`,
 * `sleeping`, `disk_sleep`, `stopped`, `zombie`, `tracing_stop`, `dead`, `idle` or
 * `other`.
 *
 * - Source: `/proc/PID/stat`.
 *
 * Returns: (nullable): the word; %NULL where it may not be known
 * Since: 0.1
 */
const char *
jm_process_get_state (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->facts.state;
}

/**
 * jm_process_get_start_time:
 * @self: a process
 *
 * Gets when it began.
 *
 * - Source: `/proc/PID/stat`, and `/proc/stat` for the host's boot.
 *
 * Returns: microseconds since 1970, 0 if unknown; to 10 ms
 * Since: 0.1
 */
gint64
jm_process_get_start_time (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->facts.start_time_us;
}

/**
 * jm_process_get_cpu_user:
 * @self: a process
 *
 * Gets how much CPU time all its threads have spent in user mode, without that of its
 * children.
 *
 * - Source: `/proc/PID/stat`.
 *
 * Returns: nanoseconds, to 10 ms; -1 if unknown
 * Since: 0.1
 */
gint64
jm_process_get_cpu_user (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->facts.cpu_user_ns;
}

/**
 * jm_process_get_cpu_system:
 * @self: a process
 *
 * Gets how much CPU time all its threads have spent in the kernel, without that of its
 * children.
 *
 * - Source: `/proc/PID/stat`.
 *
 * Returns: nanoseconds, to 10 ms; -1 if unknown
 * Since: 0.1
 */
gint64
jm_process_get_cpu_system (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->facts.cpu_system_ns;
}

/**
 * jm_process_get_rss:
 * @self: a process
 *
 * Gets how much of its memory is in RAM. What several processes share counts for each.
 *
 * - Source: `/proc/PID/stat`.
 *
 * Returns: bytes; -1 if unknown
 * Since: 0.1
 */
gint64
jm_process_get_rss (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->facts.rss_bytes;
}

/**
 * jm_process_get_n_threads:
 * @self: a process
 *
 * Gets how many threads it has.
 *
 * - Source: `/proc/PID/stat`.
 *
 * Returns: the number; -1 if unknown
 * Since: 0.1
 */
int
jm_process_get_n_threads (JmProcess *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->facts.n_threads;
}
