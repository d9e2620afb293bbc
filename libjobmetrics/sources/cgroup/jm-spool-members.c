/* jm-spool-members.c: which processes are in a group, and in which folder's
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-spool-private.h"

#include <string.h>

#include "base/jm-parse-proc-private.h"
#include "base/jm-path-error-private.h"
#include "host/jm-dir-private.h"

#define CGROUP_FILE_MAX (64 * 1024)

/* Room for thousands of groups; a process of more is in no job that is known so. */
#define STATUS_MAX (64 * 1024)

#define PROCESSES_MAX 262144

/* How long after it was first seen a process may still be given its groups. */
#define SETTLE_US (10 * G_USEC_PER_SEC)

typedef struct
{
  guint pid;
  guint round;
  guint64 inode; /* of its directory: a later process of that number has another */
  gint64 first_seen_us;
  gboolean is_settled;
  guint n_groups;
  guint *groups;
} Process;

struct _JmGroupWalk
{
  JmHost *host;
  GHashTable *by_pid;   /* of Process */
  GPtrArray *processes; /* of Process, as they were listed last */
  guint round;
  gint64 now_us;
  GArray *groups; /* of guint: of the process that is looked at */
  guint64 n_read;
};

struct _JmSpoolMembers
{
  JmHost *host;
  JmSpoolIsJob is_job;
  gpointer is_job_data;
  GHashTable *by_group; /* of JmSpoolFolder, not owned */
  JmGroupWalk *walk;
};

static void
process_free (gpointer data)
{
  Process *process = data;

  g_free (process->groups);
  g_free (process);
}

JmGroupWalk *
jm_group_walk_new (JmHost *host)
{
  JmGroupWalk *self = g_new0 (JmGroupWalk, 1);

  self->host = g_object_ref (host);
  self->by_pid = g_hash_table_new_full (NULL, NULL, NULL, process_free);
  self->processes = g_ptr_array_new ();
  self->groups = g_array_new (FALSE, FALSE, sizeof (guint));

  return self;
}

void
jm_group_walk_free (JmGroupWalk *self)
{
  g_array_unref (self->groups);
  g_ptr_array_unref (self->processes);
  g_hash_table_unref (self->by_pid);
  g_object_unref (self->host);
  g_free (self);
}

/* One that ends meanwhile, or whose groups are no such list, is in none. */
static void
read_groups (JmGroupWalk *self, Process *process)
{
  char path[32];
  gsize length;
  g_autofree char *text = NULL;

  g_snprintf (path, sizeof path, "/proc/%u/status", process->pid);
  text = jm_host_read_all (self->host, path, STATUS_MAX, &length, NULL);
  self->n_read++;

  g_array_set_size (self->groups, 0);
  if (text == NULL || !jm_parse_proc_groups (text, length, self->groups))
    g_array_set_size (self->groups, 0);

  g_free (process->groups);
  process->n_groups = self->groups->len;
  process->groups = g_memdup2 (self->groups->data, process->n_groups * sizeof (guint));
}

static Process *
find_process (JmGroupWalk *self, guint pid, guint64 inode)
{
  Process *process = g_hash_table_lookup (self->by_pid, GUINT_TO_POINTER (pid));

  if (process != NULL && (process->inode == inode || process->round == self->round))
    return process;

  process = g_new0 (Process, 1);
  process->pid = pid;
  process->inode = inode;
  process->first_seen_us = self->now_us;
  g_hash_table_replace (self->by_pid, GUINT_TO_POINTER (pid), process);

  return process;
}

static void
on_entry (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  JmGroupWalk *self = user_data;
  guint64 pid;
  Process *process;

  if (!g_ascii_isdigit (name[0]) || self->processes->len >= PROCESSES_MAX ||
      !jm_parse_uint64 (name, strlen (name), &pid) || pid == 0 || pid > G_MAXINT)
    return;

  process = find_process (self, (guint) pid, inode);
  if (process->round == self->round)
    return;

  process->round = self->round;
  g_ptr_array_add (self->processes, process);
}

static gboolean
is_gone (gpointer pid, gpointer process, gpointer walk)
{
  return ((Process *) process)->round != ((JmGroupWalk *) walk)->round;
}

gboolean
jm_group_walk_run (JmGroupWalk *self, gint64 now_us, GError **error)
{
  JmDir proc = JM_DIR_INIT;
  int result = jm_dir_open (&proc, self->host, "/proc");
  gssize n = result;

  self->round++;
  self->now_us = now_us;
  g_ptr_array_set_size (self->processes, 0);
  if (result == 0)
    {
      n = jm_dir_foreach (&proc, on_entry, self);
      jm_dir_close (&proc);
    }
  g_hash_table_foreach_remove (self->by_pid, is_gone, self);
  if (n < 0)
    {
      jm_path_error_set_errno (error, "/proc", (int) -n);
      return FALSE;
    }

  for (guint i = 0; i < self->processes->len; i++)
    {
      Process *process = g_ptr_array_index (self->processes, i);

      if (process->is_settled)
        continue;

      process->is_settled = now_us - process->first_seen_us >= SETTLE_US;
      read_groups (self, process);
    }

  return TRUE;
}

void
jm_group_walk_foreach (JmGroupWalk *self, JmGroupWalkFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      const Process *process = g_ptr_array_index (self->processes, i);

      if (process->n_groups > 0)
        func (process->pid, process->groups, process->n_groups, user_data);
    }
}

guint64
jm_group_walk_get_n_read (JmGroupWalk *self)
{
  return self->n_read;
}

JmSpoolMembers *
jm_spool_members_new (JmHost *host, JmSpoolIsJob is_job, gpointer user_data)
{
  JmSpoolMembers *self = g_new0 (JmSpoolMembers, 1);

  self->host = g_object_ref (host);
  self->is_job = is_job;
  self->is_job_data = user_data;
  self->by_group = g_hash_table_new (NULL, NULL);
  self->walk = jm_group_walk_new (host);

  return self;
}

void
jm_spool_members_free (JmSpoolMembers *self)
{
  jm_group_walk_free (self->walk);
  g_hash_table_unref (self->by_group);
  g_object_unref (self->host);
  g_free (self);
}

void
jm_spool_members_clear (JmSpoolMembers *self)
{
  g_hash_table_remove_all (self->by_group);
}

void
jm_spool_members_add (JmSpoolMembers *self, JmSpoolFolder *folder)
{
  const JmSpoolFolder *other =
    g_hash_table_lookup (self->by_group, GUINT_TO_POINTER (folder->group));

  g_array_set_size (folder->pids, 0);
  /* a folder that was left behind has a number that was given anew */
  if (folder->group != 0 && (other == NULL || other->moment <= folder->moment))
    g_hash_table_insert (self->by_group, GUINT_TO_POINTER (folder->group), folder);
}

void
jm_spool_members_forget (JmSpoolMembers *self, const JmSpoolFolder *folder)
{
  if (g_hash_table_lookup (self->by_group, GUINT_TO_POINTER (folder->group)) == folder)
    g_hash_table_remove (self->by_group, GUINT_TO_POINTER (folder->group));
}

static void
on_process (guint pid, const guint *groups, guint n_groups, gpointer user_data)
{
  JmSpoolMembers *self = user_data;
  JmSpoolFolder *folder = NULL;

  for (guint i = 0; i < n_groups && folder == NULL; i++)
    folder = g_hash_table_lookup (self->by_group, GUINT_TO_POINTER (groups[i]));
  if (folder == NULL)
    return;

  g_array_append_val (folder->pids, pid);
  folder->was_joined = TRUE;
}

gboolean
jm_spool_members_find (JmSpoolMembers *self, GError **error)
{
  if (g_hash_table_size (self->by_group) == 0)
    return TRUE;
  if (!jm_group_walk_run (self->walk, g_get_monotonic_time (), error))
    return FALSE;

  jm_group_walk_foreach (self->walk, on_process, self);

  return TRUE;
}

typedef struct
{
  const JmSpoolMembers *members;
  gboolean is_jobs;
} Verdict;

static void
on_cgroup (const JmProcCgroup *cgroup, gpointer user_data)
{
  Verdict *verdict = user_data;
  g_autofree char *path = g_strndup (cgroup->path.text, cgroup->path.length);

  verdict->is_jobs =
    verdict->is_jobs || verdict->members->is_job (path, verdict->members->is_job_data);
}

/* Where the kernel has a cgroup for the job, that one has more. */
void
jm_spool_members_check (JmSpoolMembers *self, JmSpoolFolder *folder)
{
  Verdict verdict = { self, FALSE };
  char path[32];
  gsize length;
  g_autofree char *text = NULL;

  if (folder->is_checked || folder->pids->len == 0 || self->is_job == NULL)
    return;

  g_snprintf (path, sizeof path, "/proc/%u/cgroup",
              g_array_index (folder->pids, guint, 0));
  text = jm_host_read_all (self->host, path, CGROUP_FILE_MAX, &length, NULL);
  if (text == NULL)
    return;

  jm_parse_proc_cgroup (text, length, on_cgroup, &verdict);
  folder->is_foreign = verdict.is_jobs;
  folder->is_checked = TRUE;
}
