/* jm-spool-job.c: a job in a spool, and its tasks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-spool-job-private.h"

JmSpoolJob *
jm_spool_job_new (const char *path, guint admin)
{
  JmSpoolJob *self = g_new0 (JmSpoolJob, 1);

  self->folder = jm_spool_folder_new (path, admin);
  self->tasks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) jm_spool_folder_free);

  return self;
}

void
jm_spool_job_free (JmSpoolJob *self)
{
  g_hash_table_unref (self->tasks);
  jm_spool_folder_free (self->folder);
  g_free (self);
}

void
jm_spool_job_foreach (JmSpoolJob *self, JmSpoolFolderFunc func, gpointer user_data)
{
  GHashTableIter iter;
  gpointer task;

  func (self->folder, user_data);
  g_hash_table_iter_init (&iter, self->tasks);
  while (g_hash_table_iter_next (&iter, NULL, &task))
    func (task, user_data);
}

void
jm_spool_job_drop_unseen (JmSpoolJob *self, JmSpoolFolderFunc func, gpointer user_data)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->tasks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      JmSpoolFolder *task = value;

      if (task->is_seen)
        continue;

      self->past_user_ns += task->user_ns;
      self->past_system_ns += task->system_ns;
      func (task, user_data);
      g_hash_table_iter_remove (&iter);
    }
}

typedef struct
{
  JmHost *host;
  const char *group_file;
  const char *node_name;
  guint64 number; /* of a folder that has one */
  gboolean is_news;
} Reading;

static void
read_folder (JmSpoolFolder *folder, gpointer user_data)
{
  Reading *reading = user_data;
  gboolean had_usage = folder->has_usage;
  guint had_group = folder->group;

  if (folder->is_stale)
    jm_spool_folder_read (folder, reading->host, reading->group_file,
                          reading->node_name);
  reading->is_news |= folder->has_usage != had_usage || folder->group != had_group;
  if (folder->number != 0)
    reading->number = folder->number;
}

gboolean
jm_spool_job_read (JmSpoolJob *self,
                   JmHost *host,
                   const char *group_file,
                   const char *node_name)
{
  Reading reading = { host, group_file, node_name, 0, FALSE };

  jm_spool_job_foreach (self, read_folder, &reading);

  /* a host that runs but tasks of a job has no group of the job's own */
  if (self->folder->number == 0)
    self->folder->number = reading.number;

  return reading.is_news;
}

static void
find_live (JmSpoolFolder *folder, gpointer user_data)
{
  gboolean *is_any = user_data;

  *is_any |= jm_spool_folder_is_live (folder);
}

gboolean
jm_spool_job_is_live (JmSpoolJob *self)
{
  /* ... and may have none of either between two tasks */
  gboolean is_any = self->is_listed && self->folder->group == 0;

  jm_spool_job_foreach (self, find_live, &is_any);

  return is_any;
}

char **
jm_spool_job_list_tasks (JmSpoolJob *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer name, task;

  g_hash_table_iter_init (&iter, self->tasks);
  while (g_hash_table_iter_next (&iter, &name, &task))
    if (((JmSpoolFolder *) task)->group != 0 && !((JmSpoolFolder *) task)->is_foreign)
      g_strv_builder_add (names, name);

  return g_strv_builder_end (names);
}

typedef struct
{
  guint64 user_ns;
  guint64 system_ns;
} Usage;

static void
add_usage (JmSpoolFolder *folder, gpointer user_data)
{
  Usage *usage = user_data;

  usage->user_ns += folder->user_ns;
  usage->system_ns += folder->system_ns;
  folder->is_told = folder->has_usage;
}

gboolean
jm_spool_job_tell_usage (JmSpoolJob *self, guint64 *user_ns, guint64 *system_ns)
{
  Usage usage = { self->past_user_ns, self->past_system_ns };

  jm_spool_job_foreach (self, add_usage, &usage);
  *user_ns = usage.user_ns;
  *system_ns = usage.system_ns;

  return self->folder->has_usage || *user_ns + *system_ns > 0;
}
