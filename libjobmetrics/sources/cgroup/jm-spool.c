/* jm-spool.c: the jobs of a scheduler that keeps a folder for each
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "sources/cgroup/jm-spool-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "host/jm-watcher-private.h"
#include "sources/cgroup/jm-spool-file-private.h"

#define USAGE "usage"
#define NAME_MAX_BYTES 128
#define MAX_JOBS 4096
#define MAX_TASKS 1024
#define COMPLAINTS_MAX 1024
/* How often all processes are looked at for those of a job that none is seen of. */
#define WALK_INTERVAL_US G_USEC_PER_SEC

/* What is watched: a folder, or a directory in which folders are or may come. */
typedef struct
{
  char *path;
  JmSpoolFolder *folder;
} Watched;

struct _JmSpool
{
  JmHost *host;
  JmSpoolPlaces *places;
  char *group_file;

  JmWatcher *watcher;   /* NULL where nothing can be watched */
  GHashTable *by_watch; /* of Watched, by the watcher's id */
  GHashTable *jobs;     /* of JmSpoolJob, by name */
  GHashTable *blamed;   /* set of directories whose fault was reported */
  JmSpoolMembers *members;
  gint64 walked_us;
  gboolean is_listing_due;
  gboolean is_walk_due;
  gboolean has_begun;
  gboolean has_lost; /* a job that was listed */
};

/* --- watching --- */

static void
watched_free (gpointer data)
{
  Watched *watched = data;

  g_free (watched->path);
  g_free (watched);
}

/* Returns: the id, or -1 */
static int
remember_watch (JmSpool *self, int id, const char *path, JmSpoolFolder *folder)
{
  Watched *watched;

  if (id < 0 || g_hash_table_contains (self->by_watch, GINT_TO_POINTER (id)))
    return id;

  watched = g_new0 (Watched, 1);
  watched->path = g_strdup (path);
  watched->folder = folder;
  g_hash_table_insert (self->by_watch, GINT_TO_POINTER (id), watched);

  return id;
}

static int
watch_directory (JmSpool *self, const char *path, JmSpoolFolder *folder)
{
  if (self->watcher == NULL)
    return -1;

  return remember_watch (self, jm_watcher_add_directory (self->watcher, path, NULL),
                         path, folder);
}

/* Its end, by which alone its text is whole, shows in the file itself. */
static void
watch_usage (JmSpool *self, JmSpoolFolder *folder)
{
  g_autofree char *path = g_build_filename (folder->path, USAGE, NULL);

  if (self->watcher != NULL && folder->usage_watch < 0)
    folder->usage_watch =
      remember_watch (self, jm_watcher_add_file (self->watcher, path, NULL), path,
                      folder);
}

static void
end_watch (JmSpool *self, int id)
{
  if (id < 0 || !g_hash_table_remove (self->by_watch, GINT_TO_POINTER (id)))
    return;

  jm_watcher_remove (self->watcher, id);
}

/* --- jobs and tasks --- */

static void
forget_folder (JmSpoolFolder *folder, gpointer user_data)
{
  JmSpool *self = user_data;

  end_watch (self, folder->watch);
  end_watch (self, folder->usage_watch);
  jm_spool_members_forget (self->members, folder);
}

static void
forget_job (JmSpool *self, JmSpoolJob *job)
{
  jm_spool_job_foreach (job, forget_folder, self);
  self->has_lost |= job->is_listed;
}

static gboolean
is_name (const char *name)
{
  gsize length = strlen (name);

  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("_.+-", *c) == NULL)
      return FALSE;

  return name[0] != '.' && length > 0 && length <= NAME_MAX_BYTES;
}

static void
blame_directory (JmSpool *self, const char *path, const GError *error)
{
  if (g_hash_table_size (self->blamed) >= COMPLAINTS_MAX)
    g_hash_table_remove_all (self->blamed);

  if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) ||
      !g_hash_table_add (self->blamed, g_strdup (path)))
    return;

  g_warning ("%s: its jobs are left out", error->message);
}

/* A folder that is another's than its directory is none of the scheduler's. */
static JmSpoolFolder *
check_folder (JmSpool *self, const char *path, guint admin)
{
  g_autoptr (GError) error = NULL;
  guint owner;

  if (jm_spool_check_directory (self->host, path, &owner, &error) && owner != admin &&
      owner != 0)
    g_set_error (&error, JM_ERROR, JM_ERROR_DENIED, "%s: not trusted: owned by uid %u",
                 path, owner);
  if (error == NULL)
    return jm_spool_folder_new (path, admin);

  blame_directory (self, path, error);

  return NULL;
}

static void
see_task (JmSpool *self, JmSpoolJob *job, const char *name)
{
  JmSpoolFolder *task = g_hash_table_lookup (job->tasks, name);

  if (task == NULL && g_hash_table_size (job->tasks) < MAX_TASKS)
    {
      g_autofree char *path = g_build_filename (job->folder->path, name, NULL);

      task = check_folder (self, path, job->folder->admin);
      if (task != NULL)
        {
          task->watch = watch_directory (self, path, task);
          g_hash_table_insert (job->tasks, g_strdup (name), task);
        }
    }
  if (task != NULL)
    task->is_seen = TRUE;
}

static void
mark_unseen (JmSpoolFolder *folder, gpointer user_data)
{
  folder->is_seen = FALSE;
}

/* A task's folder is called by its number and its host; no file begins with a digit. */
static void
list_tasks (JmSpool *self, JmSpoolJob *job)
{
  g_auto (GStrv) names = jm_host_list_dir (self->host, job->folder->path, NULL);

  jm_spool_job_foreach (job, mark_unseen, NULL);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (g_ascii_isdigit (names[i][0]) && is_name (names[i]))
      see_task (self, job, names[i]);
  jm_spool_job_drop_unseen (job, forget_folder, self);
}

static void
see_job (JmSpool *self, const char *directory, const char *name, guint admin)
{
  JmSpoolJob *job = g_hash_table_lookup (self->jobs, name);

  if (job == NULL && g_hash_table_size (self->jobs) < MAX_JOBS)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      JmSpoolFolder *folder = check_folder (self, path, admin);

      if (folder == NULL)
        return;

      jm_spool_folder_free (folder);
      job = jm_spool_job_new (path, admin);
      job->folder->watch = watch_directory (self, path, job->folder);
      g_hash_table_insert (self->jobs, g_strdup (name), job);
    }
  if (job != NULL)
    job->folder->is_seen = TRUE;
}

static void
list_directory (JmSpool *self, const char *directory)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  guint admin;

  watch_directory (self, directory, NULL);
  if (!jm_spool_check_directory (self->host, directory, &admin, &error) ||
      (names = jm_host_list_dir (self->host, directory, &error)) == NULL)
    {
      blame_directory (self, directory, error);
      return;
    }

  for (guint i = 0; names[i] != NULL; i++)
    if (is_name (names[i]))
      see_job (self, directory, names[i], admin);
}

static gboolean
is_unseen (gpointer name, gpointer value, gpointer user_data)
{
  JmSpoolJob *job = value;

  if (job->folder->is_seen)
    return FALSE;

  forget_job (user_data, job);

  return TRUE;
}

static void
list_everything (JmSpool *self)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) awaited = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer job;

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    ((JmSpoolJob *) job)->folder->is_seen = FALSE;

  jm_spool_places_find (self->places, found, awaited);
  for (guint i = 0; i < awaited->len; i++)
    watch_directory (self, g_ptr_array_index (awaited, i), NULL);
  for (guint i = 0; i < found->len; i++)
    list_directory (self, g_ptr_array_index (found, i));

  g_hash_table_foreach_remove (self->jobs, is_unseen, self);
}

/* --- what came and went --- */

/* One of that name that is there by now is another. */
static void
on_folder_deleted (JmSpool *self, const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  JmSpoolJob *job = g_hash_table_lookup (self->jobs, name);

  if (job == NULL || !g_str_equal (job->folder->path, path))
    return;

  forget_job (self, job);
  g_hash_table_remove (self->jobs, name);
}

static void
on_event (int id, JmWatchEvents events, const char *name, gpointer user_data)
{
  JmSpool *self = user_data;
  const Watched *watched = g_hash_table_lookup (self->by_watch, GINT_TO_POINTER (id));

  if (events & JM_WATCH_OVERFLOW)
    self->is_listing_due = TRUE;
  if (watched == NULL)
    return;

  if (watched->folder != NULL)
    watched->folder->is_stale = TRUE;
  else if (events & (JM_WATCH_DIRECTORY | JM_WATCH_GONE))
    self->is_listing_due = TRUE;

  if (watched->folder == NULL && (events & JM_WATCH_DELETED) && name != NULL)
    on_folder_deleted (self, watched->path, name);
  if (watched->folder != NULL && (events & JM_WATCH_CREATED) &&
      g_strcmp0 (name, USAGE) == 0)
    watch_usage (self, watched->folder);
  if (events & JM_WATCH_GONE)
    g_hash_table_remove (self->by_watch, GINT_TO_POINTER (id));
}

/* --- processes --- */

static void
foreach_folder (JmSpool *self, JmSpoolFolderFunc func, gpointer user_data)
{
  GHashTableIter iter;
  gpointer job;

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    jm_spool_job_foreach (job, func, user_data);
}

static void
add_member (JmSpoolFolder *folder, gpointer user_data)
{
  jm_spool_members_add (user_data, folder);
}

static void
check_member (JmSpoolFolder *folder, gpointer user_data)
{
  jm_spool_members_check (user_data, folder);
}

static gboolean
walk (JmSpool *self, GError **error)
{
  self->is_walk_due = FALSE;
  self->walked_us = g_get_monotonic_time ();
  jm_spool_members_clear (self->members);
  foreach_folder (self, add_member, self->members);
  if (!jm_spool_members_find (self->members, error))
    return FALSE;

  foreach_folder (self, check_member, self->members);

  return TRUE;
}

gboolean
jm_spool_look_for_processes (JmSpool *self, GError **error)
{
  return !self->is_walk_due || walk (self, error);
}

/* --- news --- */

/* Returns: whether it is of use to read it at once */
static gboolean
read_job (JmSpool *self, JmSpoolJob *job)
{
  guint n_tasks = g_hash_table_size (job->tasks);
  gboolean is_news;

  if (job->folder->is_stale)
    list_tasks (self, job);
  is_news = jm_spool_job_read (job, self->host, self->group_file,
                               jm_spool_places_get_node_name (self->places));

  return is_news || g_hash_table_size (job->tasks) != n_tasks;
}

static void
count_awaited (JmSpoolFolder *folder, gpointer user_data)
{
  guint *n = user_data;

  *n += jm_spool_folder_is_awaited (folder);
}

/* What ended before anybody looked is nobody's news. */
static void
settle (JmSpoolFolder *folder, gpointer user_data)
{
  folder->is_told = folder->has_usage && folder->pids->len == 0;
}

static void
take_events (JmSpool *self)
{
  if (self->watcher != NULL)
    jm_watcher_take (self->watcher, on_event, self);
  if (self->is_listing_due || self->watcher == NULL)
    list_everything (self);
  self->is_listing_due = FALSE;
  self->is_walk_due = TRUE;
}

static void
walk_if_wanted (JmSpool *self, gboolean is_news)
{
  gint64 since_us = g_get_monotonic_time () - self->walked_us;
  guint n_awaited = 0;

  foreach_folder (self, count_awaited, &n_awaited);
  if (is_news || !self->has_begun || (n_awaited > 0 && since_us >= WALK_INTERVAL_US))
    walk (self, NULL);

  if (!self->has_begun)
    foreach_folder (self, settle, NULL);
  self->has_begun = TRUE;
}

/* Returns: whether any came or went */
static gboolean
renew_list (JmSpool *self)
{
  gboolean is_changed = self->has_lost;
  GHashTableIter iter;
  gpointer value;

  self->has_lost = FALSE;
  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      JmSpoolJob *job = value;
      gboolean was_listed = job->is_listed;

      job->is_listed = jm_spool_job_is_live (job);
      is_changed |= job->is_listed != was_listed;
    }

  return is_changed;
}

void
jm_spool_take (JmSpool *self, GPtrArray *changes)
{
  g_autoptr (GPtrArray) news = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer name, job;

  take_events (self);
  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, &name, &job))
    if (read_job (self, job))
      g_ptr_array_add (news, g_strdup (name));

  walk_if_wanted (self, news->len > 0);
  if (renew_list (self))
    g_ptr_array_add (changes, g_strdup (""));
  g_ptr_array_extend_and_steal (changes, g_steal_pointer (&news));
}

/* --- the spool --- */

JmSpool *
jm_spool_new (const JmSpoolPlan *plan)
{
  JmSpool *self = g_new0 (JmSpool, 1);
  g_autoptr (GError) error = NULL;

  self->host = g_object_ref (plan->host);
  self->places = jm_spool_places_new (plan->host, plan->directories, plan->node_name);
  self->group_file = g_strdup (plan->group_file);
  self->by_watch = g_hash_table_new_full (NULL, NULL, NULL, watched_free);
  self->jobs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                      (GDestroyNotify) jm_spool_job_free);
  self->blamed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->members = jm_spool_members_new (plan->host, plan->is_job, plan->user_data);
  self->is_listing_due = TRUE;

  self->watcher = jm_watcher_new (plan->host, &error);
  if (self->watcher == NULL)
    g_debug ("%s: spool directories are listed in each round", error->message);

  return self;
}

void
jm_spool_free (JmSpool *self)
{
  g_clear_pointer (&self->watcher, jm_watcher_free);
  jm_spool_members_free (self->members);
  g_hash_table_unref (self->blamed);
  g_hash_table_unref (self->jobs);
  g_hash_table_unref (self->by_watch);
  jm_spool_places_free (self->places);
  g_free (self->group_file);
  g_object_unref (self->host);
  g_free (self);
}

/* A descriptor that polls readable on changes; -1 where there is none. */
int
jm_spool_get_fd (JmSpool *self)
{
  return self->watcher != NULL ? jm_watcher_get_fd (self->watcher) : -1;
}

static char **
list_jobs (JmSpool *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer name, job;

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, &name, &job))
    if (((JmSpoolJob *) job)->is_listed)
      g_strv_builder_add (names, name);

  return g_strv_builder_end (names);
}

char **
jm_spool_list (JmSpool *self, const char *job)
{
  JmSpoolJob *found;

  if (job == NULL)
    return list_jobs (self);

  found = g_hash_table_lookup (self->jobs, job);

  return found != NULL ? jm_spool_job_list_tasks (found) : g_new0 (char *, 1);
}

JmSpoolFolder *
jm_spool_find (JmSpool *self, const char *job, const char *task)
{
  const JmSpoolJob *found = g_hash_table_lookup (self->jobs, job);

  if (found == NULL || !found->is_listed)
    return NULL;

  return task != NULL ? g_hash_table_lookup (found->tasks, task) : found->folder;
}

gboolean
jm_spool_tell_usage (JmSpool *self,
                     const char *job,
                     const char *task,
                     guint64 *user_ns,
                     guint64 *system_ns)
{
  JmSpoolFolder *folder = jm_spool_find (self, job, task);

  if (folder == NULL)
    return FALSE;
  if (task == NULL)
    return jm_spool_job_tell_usage (g_hash_table_lookup (self->jobs, job), user_ns,
                                    system_ns);

  *user_ns = folder->user_ns;
  *system_ns = folder->system_ns;
  folder->is_told = folder->has_usage;

  return folder->has_usage;
}
