/* jm-spool-members.c: which processes are in which folder's group
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-spool-members-private.h"

#include "host/jm-parse-proc-private.h"
#include "sources/cgroup/jm-group-walk-private.h"

#define CGROUP_FILE_MAX (64 * 1024)

struct _JmSpoolMembers
{
  JmHost *host;
  JmSpoolIsJob is_job;
  gpointer is_job_data;
  GHashTable *by_group; /* of JmSpoolFolder, not owned */
  JmGroupWalk *walk;
};

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

/* Where the kernel has a cgroup for the job, that one tells more. */
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
