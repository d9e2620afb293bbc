/* jm-spool-folder.c: a job in a spool: its folder, and those of its tasks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "sources/cgroup/jm-spool-private.h"

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "sources/cgroup/jm-spool-file-private.h"

#define GROUP_FILE_MAX 64
#define USAGE_FILE_MAX (16 * 1024)
/* A line for each host of a job. */
#define SLOTS_FILE_MAX (1024 * 1024)

JmSpoolFolder *
jm_spool_folder_new (const char *path, guint admin)
{
  JmSpoolFolder *self = g_new0 (JmSpoolFolder, 1);

  self->path = g_strdup (path);
  self->admin = admin;
  self->watch = self->usage_watch = -1;
  self->pids = g_array_new (FALSE, FALSE, sizeof (guint));
  self->is_stale = TRUE;

  return self;
}

void
jm_spool_folder_free (JmSpoolFolder *self)
{
  g_array_unref (self->pids);
  g_free (self->path);
  g_free (self);
}

/* A fault costs this job alone, and is reported once. */
static void
blame (JmSpoolFolder *self, const GError *error)
{
  if (error == NULL || self->is_blamed ||
      g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    return;

  g_warning ("%s: the job is left out", error->message);
  self->is_blamed = TRUE;
}

/* An empty one is about to be written. */
static void
read_group (JmSpoolFolder *self, JmHost *host, const char *group_file)
{
  g_autofree char *path = g_build_filename (self->path, group_file, NULL);
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  g_autofree char *text = jm_spool_read_file (host, path, self->admin, GROUP_FILE_MAX,
                                              &length, &self->moment, &error);

  if (length > 0 && !jm_spool_parse_group (text, length, &self->group))
    jm_path_error_set_malformed (&error, path, "not a group of a job's own", text,
                                 length);
  else if (length > 0)
    self->number = g_str_hash (self->path) ^ self->moment;
  blame (self, error);
}

static void
read_usage (JmSpoolFolder *self, JmHost *host)
{
  g_autofree char *path = g_build_filename (self->path, "usage", NULL);
  gsize length;
  g_autofree char *text =
    jm_spool_read_file (host, path, self->admin, USAGE_FILE_MAX, &length, NULL, NULL);

  if (text != NULL &&
      jm_spool_parse_usage (text, length, &self->user_ns, &self->system_ns))
    self->has_usage = TRUE;
}

static void
read_slots (JmSpoolFolder *self, JmHost *host, const char *node_name)
{
  g_autofree char *path = g_build_filename (self->path, "pe_hostfile", NULL);
  gsize length;
  g_autofree char *text =
    jm_spool_read_file (host, path, self->admin, SLOTS_FILE_MAX, &length, NULL, NULL);

  if (text != NULL)
    jm_spool_parse_slots (text, length, node_name, &self->n_slots);
}

void
jm_spool_folder_read (JmSpoolFolder *self,
                      JmHost *host,
                      const char *group_file,
                      const char *node_name)
{
  if (self->group == 0)
    {
      read_group (self, host, group_file);
      read_slots (self, host, node_name);
    }
  if (self->group != 0 && !self->has_usage)
    read_usage (self, host);

  /* what is there is not written again */
  self->is_stale = self->group == 0;
}

gboolean
jm_spool_folder_is_live (const JmSpoolFolder *self)
{
  if (self->group == 0 || self->is_foreign)
    return FALSE;
  if (self->pids->len > 0)
    return TRUE;

  return self->has_usage ? !self->is_told : self->was_joined;
}

gboolean
jm_spool_folder_is_awaited (const JmSpoolFolder *self)
{
  return self->group != 0 && !self->was_joined && !self->has_usage && !self->is_foreign;
}

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
