/* jm-job-process.c: what a process has of its job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-job-process-private.h"

#include "base/jm-error.h"

#define FILE_MAX_BYTES (1024 * 1024)
#define N_UIDS 4 /* real, effective, saved, and of the file system */

typedef struct
{
  char *text; /* NULL: could not be read */
  gsize length;
} Text;

struct _JmJobProcess
{
  Text environment;
  Text command;
  Text status;
  Text cgroup;
  gboolean is_partial;
};

/* For lack of descriptors, or since it is about to become another program. */
static gboolean
may_succeed_later (const GError *error)
{
  return g_error_matches (error, JM_ERROR, JM_ERROR_UNAVAILABLE) ||
         g_error_matches (error, JM_ERROR, JM_ERROR_DENIED);
}

static Text
read_text (JmJobProcess *self, JmHost *host, guint pid, const char *name)
{
  g_autoptr (GError) error = NULL;
  Text text = { NULL, 0 };
  char path[64];

  g_snprintf (path, sizeof path, "/proc/%u/%s", pid, name);
  text.text = jm_host_read_all (host, path, FILE_MAX_BYTES, &text.length, &error);
  self->is_partial = self->is_partial || may_succeed_later (error);

  return text;
}

/**
 * jm_job_process_read: (skip)
 * @host: the host
 * @pid: a process
 *
 * Reads what a process reports. What may not be read, or is gone, is not there. The
 * cgroups come last: if they are those of a job, the number had not before become that
 * of a stranger.
 *
 * Returns: (transfer full): the process
 */
JmJobProcess *
jm_job_process_read (JmHost *host, guint pid)
{
  JmJobProcess *self = g_new0 (JmJobProcess, 1);

  self->environment = read_text (self, host, pid, "environ");
  self->status = read_text (self, host, pid, "status");
  self->cgroup = read_text (self, host, pid, "cgroup");

  return self;
}

/**
 * jm_job_process_read_command: (skip)
 * @host: the host
 * @pid: a process
 *
 * Reads the same of a process, but for its command line instead of its environment.
 *
 * Returns: (transfer full): the process
 */
JmJobProcess *
jm_job_process_read_command (JmHost *host, guint pid)
{
  JmJobProcess *self = g_new0 (JmJobProcess, 1);

  self->command = read_text (self, host, pid, "cmdline");
  self->status = read_text (self, host, pid, "status");
  self->cgroup = read_text (self, host, pid, "cgroup");

  return self;
}

/**
 * jm_job_process_free: (skip)
 * @self: (transfer full): a process
 */
void
jm_job_process_free (JmJobProcess *self)
{
  g_free (self->environment.text);
  g_free (self->command.text);
  g_free (self->status.text);
  g_free (self->cgroup.text);
  g_free (self);
}

/**
 * jm_job_process_is_partial: (skip)
 * @self: a process
 *
 * Returns: whether something of it could not be read, though it is there
 */
gboolean
jm_job_process_is_partial (const JmJobProcess *self)
{
  return self->is_partial;
}

/**
 * jm_job_process_get_environ: (skip)
 * @self: a process
 * @length: (out): of the text
 *
 * Returns: the environment, in the form of `/proc/PID/environ`; empty where it may not
 *   be read
 */
const char *
jm_job_process_get_environ (const JmJobProcess *self, gsize *length)
{
  *length = self->environment.length;

  return self->environment.text != NULL ? self->environment.text : "";
}

/**
 * jm_job_process_get_status: (skip)
 * @self: a process
 * @length: (out): of the text
 *
 * Returns: the text of `/proc/PID/status`; empty where it may not be read
 */
const char *
jm_job_process_get_status (const JmJobProcess *self, gsize *length)
{
  *length = self->status.length;

  return self->status.text != NULL ? self->status.text : "";
}

/* The first @n user ids of a process. */
static gboolean
take_uids (JmSlice line, JmSlice *uids, guint n)
{
  const char *cursor = line.text;
  const char *end = line.text + line.length;
  JmSlice key;
  guint64 value;

  if (!jm_parse_next_word (&cursor, end, &key) || !jm_slice_equal (key, "Uid:"))
    return FALSE;

  for (guint i = 0; i < n; i++)
    if (!jm_parse_next_word (&cursor, end, &uids[i]) ||
        !jm_parse_uint64 (uids[i].text, uids[i].length, &value) || value >= G_MAXUINT32)
      return FALSE;

  return TRUE;
}

static gboolean
find_uids (const JmJobProcess *self, JmSlice *uids, guint n)
{
  const char *cursor = self->status.text != NULL ? self->status.text : "";
  const char *end = cursor + self->status.length;
  JmSlice line;

  while (jm_parse_next_line (&cursor, end, &line))
    if (take_uids (line, uids, n))
      return TRUE;

  return FALSE;
}

/**
 * jm_job_process_get_uid: (skip)
 * @self: a process
 * @uid: (out): the real user id, in decimal, a part of @self
 *
 * Says whom the process runs for. That is what `status` reports, and not the owner of
 * `/proc/PID`: root owns that of a process that may not be traced.
 *
 * Returns: whether it could be read
 */
gboolean
jm_job_process_get_uid (const JmJobProcess *self, JmSlice *uid)
{
  return find_uids (self, uid, 1);
}

/**
 * jm_job_process_get_roots_command: (skip)
 * @self: a process
 *
 * Returns: (nullable): the first word of the command line of a process that is root's
 * by all four of its user ids; %NULL of another, and where it could not be read
 */
const char *
jm_job_process_get_roots_command (const JmJobProcess *self)
{
  JmSlice uids[N_UIDS];

  if (!find_uids (self, uids, N_UIDS))
    return NULL;
  for (guint i = 0; i < N_UIDS; i++)
    if (!jm_slice_equal (uids[i], "0"))
      return NULL;

  return self->command.text;
}

/**
 * jm_job_process_foreach_cgroup: (skip)
 * @self: a process
 * @func: called for each hierarchy
 * @user_data: for @func
 *
 * Reports the cgroups that the process is in.
 */
void
jm_job_process_foreach_cgroup (const JmJobProcess *self,
                               JmProcCgroupFunc func,
                               gpointer user_data)
{
  if (self->cgroup.text != NULL)
    jm_parse_proc_cgroup (self->cgroup.text, self->cgroup.length, func, user_data);
}
