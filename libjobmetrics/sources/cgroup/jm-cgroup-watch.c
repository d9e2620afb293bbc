/* jm-cgroup-watch.c: births and deaths of cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-watch-private.h"

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "host/jm-watcher-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"

/* Somebody may be too late again and again. */
#define MAX_UNTOLD 4096
#define MAX_LIVES 16384

typedef enum
{
  WATCHED_DIRECTORY,
  WATCHED_EVENTS,  /* cgroup.events of a directory */
  WATCHED_PROCESS, /* of a cgroup that has no such file */
} WatchedKind;

typedef struct
{
  char *target; /* logical path of what is watched; of a process that of its cgroup */
  char *path;   /* of the cgroup */
  WatchedKind kind;
} Watched;

struct _JmCgroupWatch
{
  JmHost *host;
  gboolean live;
  JmWatcher *watcher;    /* NULL where nothing can be watched */
  GHashTable *by_id;     /* of Watched, by the watcher's id */
  GHashTable *by_target; /* of the watcher's id, by Watched.target */
  GHashTable *processes; /* the same of processes, which have another's name */
  GHashTable *by_path;   /* of the number of watched directories, by Watched.path */
  GHashTable *lives;     /* of Life, by path */
  GHashTable *pending; /* set of paths to be listed again, since they were found late */
  GPtrArray *untold;   /* of char *: what was heard of when some may have been missed */
  gboolean lost;       /* whether changes may have been missed */
  gboolean overflowed;
};

/* Of a cgroup that was heard of. */
typedef struct
{
  gint64 born_us;
  gint64 died_us; /* 0 while it is there in any hierarchy */
} Life;

/* What is put together from one look at the events. */
typedef struct
{
  JmCgroupWatch *watch;
  GPtrArray *paths;
} Take;

static guint
count_directories (JmCgroupWatch *self, const char *path)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->by_path, path));
}

static GHashTable *
names_of (JmCgroupWatch *self, WatchedKind kind)
{
  return kind == WATCHED_PROCESS ? self->processes : self->by_target;
}

/* A cgroup has one directory in each hierarchy that it is in. */
static void
count_directory (JmCgroupWatch *self, const Watched *watched, int change)
{
  guint n = count_directories (self, watched->path) + (guint) change;

  if (watched->kind != WATCHED_DIRECTORY)
    return;

  if (n > 0)
    g_hash_table_insert (self->by_path, g_strdup (watched->path), GUINT_TO_POINTER (n));
  else
    g_hash_table_remove (self->by_path, watched->path);
}

static void
watched_free (gpointer data)
{
  Watched *watched = data;

  g_free (watched->target);
  g_free (watched->path);
  g_free (watched);
}

/* @live: whether it is a kernel's hierarchy; in a copied tree nothing changes. All has
 * to be listed once in any case. */
JmCgroupWatch *
jm_cgroup_watch_new (JmHost *host, gboolean live)
{
  JmCgroupWatch *self = g_new0 (JmCgroupWatch, 1);
  g_autoptr (GError) error = NULL;

  self->host = g_object_ref (host);
  self->live = live;
  self->lost = TRUE;
  self->by_id = g_hash_table_new_full (NULL, NULL, NULL, watched_free);
  self->by_target = g_hash_table_new (g_str_hash, g_str_equal);
  self->processes = g_hash_table_new (g_str_hash, g_str_equal);
  self->by_path = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->untold = g_ptr_array_new_with_free_func (g_free);
  self->lives = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->pending = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (live)
    {
      self->watcher = jm_watcher_new (host, &error);
      if (self->watcher != NULL)
        jm_watcher_start (self->watcher);
      else
        g_debug ("%s: cgroups are listed in each round", error->message);
    }

  return self;
}

void
jm_cgroup_watch_free (JmCgroupWatch *self)
{
  g_clear_pointer (&self->watcher, jm_watcher_free);
  g_ptr_array_unref (self->untold);
  g_hash_table_unref (self->lives);
  g_hash_table_unref (self->pending);
  g_hash_table_unref (self->by_path);
  g_hash_table_unref (self->processes);
  g_hash_table_unref (self->by_target);
  g_hash_table_unref (self->by_id);
  g_object_unref (self->host);
  g_free (self);
}

gboolean
jm_cgroup_watch_is_live (JmCgroupWatch *self)
{
  return self->live;
}

/* A descriptor that polls readable on changes; -1 where there is none. */
int
jm_cgroup_watch_get_fd (JmCgroupWatch *self)
{
  return self->watcher != NULL ? jm_watcher_get_fd (self->watcher) : -1;
}

static void
forget (JmCgroupWatch *self, int id)
{
  Watched *watched = g_hash_table_lookup (self->by_id, GINT_TO_POINTER (id));

  if (watched == NULL)
    return;

  count_directory (self, watched, -1);
  g_hash_table_remove (names_of (self, watched->kind), watched->target);
  g_hash_table_remove (self->by_id, GINT_TO_POINTER (id));
}

/* Ends a watch. */
void
jm_cgroup_watch_remove (JmCgroupWatch *self, int id)
{
  if (!g_hash_table_contains (self->by_id, GINT_TO_POINTER (id)))
    return;

  forget (self, id);
  jm_watcher_remove (self->watcher, id);
}

static void
remove_target (JmCgroupWatch *self, WatchedKind kind, const char *target)
{
  gpointer id;

  if (g_hash_table_lookup_extended (names_of (self, kind), target, NULL, &id))
    jm_cgroup_watch_remove (self, GPOINTER_TO_INT (id));
}

static void
remember (JmCgroupWatch *self, int id, char *target, const char *path, WatchedKind kind)
{
  Watched *watched = g_new (Watched, 1);

  *watched = (Watched){ target, g_strdup (path), kind };
  forget (self, id);
  remove_target (self, kind, target); /* what had this name before was removed since */
  g_hash_table_insert (self->by_id, GINT_TO_POINTER (id), watched);
  g_hash_table_insert (names_of (self, kind), watched->target, GINT_TO_POINTER (id));
  count_directory (self, watched, 1);
}

static gboolean
is_known (JmCgroupWatch *self, int id, const char *target)
{
  const Watched *watched = g_hash_table_lookup (self->by_id, GINT_TO_POINTER (id));

  return watched != NULL && g_str_equal (watched->target, target);
}

/* One that may not be read cannot be listed either, and who tried knows that. */
static gboolean
may_miss_changes (const GError *error)
{
  return !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) &&
         !g_error_matches (error, JM_ERROR, JM_ERROR_DENIED);
}

/* Watches the births and deaths in one directory. Where that fails, the next
 * jm_cgroup_watch_take() says that all must be listed. TRUE where it is watched. */
static gboolean
watch_directory (JmCgroupWatch *self,
                 const char *dir,
                 const char *path,
                 gboolean *is_new)
{
  g_autoptr (GError) error = NULL;
  int id = jm_watcher_add_directory (self->watcher, dir, &error);

  *is_new = id >= 0 && !is_known (self, id, dir);
  if (*is_new)
    remember (self, id, g_strdup (dir), path, WATCHED_DIRECTORY);
  else if (id < 0 && may_miss_changes (error))
    self->lost = TRUE;

  return id >= 0;
}

/* What is above may have come after its path was listed in another hierarchy: then what
 * came in it meanwhile is to be found too. FALSE where it is not there. */
static gboolean
watch_above (JmCgroupWatch *self, const char *mount, const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *dir = jm_cgroup_mounts_join (mount, parent);
  gboolean is_new;

  if (g_str_equal (path, "/") || g_hash_table_contains (self->by_target, dir))
    return TRUE;
  if (!watch_above (self, mount, parent) ||
      !watch_directory (self, dir, parent, &is_new))
    return FALSE;

  g_hash_table_add (self->pending, g_strdup (parent));
  return TRUE;
}

/* Watches the births and deaths in the directory that the cgroup @path has below
 * @mount, and in those above it: its own end is an event of its parent alone.
 *
 * Returns: whether it was not watched before */
gboolean
jm_cgroup_watch_add_directory (JmCgroupWatch *self, const char *mount, const char *path)
{
  g_autofree char *dir = jm_cgroup_mounts_join (mount, path);
  gboolean is_new = FALSE;

  if (self->watcher != NULL && !g_hash_table_contains (self->by_target, dir) &&
      watch_above (self, mount, path))
    watch_directory (self, dir, path, &is_new);

  return is_new;
}

/* Has the next jm_cgroup_watch_take() return the cgroup @path, if it was listed: it may
 * by now be in a hierarchy in which it was not then. */
void
jm_cgroup_watch_expect (JmCgroupWatch *self, const char *path)
{
  if (count_directories (self, path) > 0)
    g_hash_table_add (self->pending, g_strdup (path));
}

/* Watches whether the cgroup @path becomes empty, by the cgroup.events in @dir.
 *
 * Returns: the id of the watch, or -1 where it cannot be watched */
int
jm_cgroup_watch_add_events (JmCgroupWatch *self, const char *dir, const char *path)
{
  g_autofree char *target = g_strconcat (dir, "/cgroup.events", NULL);
  int id;

  if (self->watcher == NULL)
    return -1;

  id = jm_watcher_add_file (self->watcher, target, NULL);
  if (id >= 0 && !is_known (self, id, target))
    remember (self, id, g_steal_pointer (&target), path, WATCHED_EVENTS);

  return id;
}

/* Whether a process of the cgroup @path is watched. */
gboolean
jm_cgroup_watch_has_process (JmCgroupWatch *self, const char *path)
{
  return g_hash_table_contains (self->processes, path);
}

/* Watches for the end of a process: where nothing shows that a cgroup becomes empty, it
 * has to be looked at when one of its processes ends. A cgroup has one at most. */
void
jm_cgroup_watch_add_process (JmCgroupWatch *self, const char *path, guint pid)
{
  int id = self->watcher != NULL && self->live
             ? jm_watcher_add_process (self->watcher, pid)
             : -1;

  if (id >= 0)
    remember (self, id, g_strdup (path), path, WATCHED_PROCESS);
}

void
jm_cgroup_watch_remove_process (JmCgroupWatch *self, const char *path)
{
  remove_target (self, WATCHED_PROCESS, path);
}

/* Reads from a file cgroup.events whether there is a process in its cgroup or below. */
gboolean
jm_cgroup_events_read (JmHost *host, const char *events, gboolean *is_populated)
{
  static const JmFlatKey keys[] = { JM_FLAT_KEY ("populated") };
  char text[256];
  gssize length = jm_host_read (host, events, text, sizeof text, NULL);
  guint64 populated = 1, found;

  if (length < 0 || !jm_parse_flat_keyed (text, (gsize) length, keys,
                                          G_N_ELEMENTS (keys), &populated, &found))
    return FALSE;
  *is_populated = populated != 0;

  return TRUE;
}

static void
add_path (Take *take, const char *path)
{
  guint n = take->paths->len;

  /* births of one job come in a row */
  if (n == 0 || !g_str_equal (g_ptr_array_index (take->paths, n - 1), path))
    g_ptr_array_add (take->paths, g_strdup (path));
}

/* A child that is there again has a directory of its own, which nobody watches yet: who
 * hears of it lists it, and that watches it. */
static void
on_child_deleted (Take *take, const Watched *parent, const char *name)
{
  JmCgroupWatch *self = take->watch;
  g_autofree char *child = g_strconcat (parent->target, "/", name, NULL);
  const Watched *watched;
  gpointer id;

  if (!g_hash_table_lookup_extended (self->by_target, child, NULL, &id))
    return;

  watched = g_hash_table_lookup (self->by_id, id);
  if (jm_host_exists (self->host, child))
    add_path (take, watched->path);
  jm_cgroup_watch_remove (self, GPOINTER_TO_INT (id));
}

/* It may have gone again before its parent is listed. In cgroup v1 a path comes to one
 * hierarchy after the other. */
static void
on_child_created (Take *take, const Watched *parent, const char *name)
{
  g_autofree char *path = jm_cgroup_mounts_get_child (parent->path, name);

  add_path (take, path);
}

/* In cgroup v1 it comes and goes in one hierarchy after the other. */
static void
note_life (JmCgroupWatch *self, const char *path, gboolean is_born)
{
  gint64 time_us = jm_watcher_get_time (self->watcher);
  Life *life = g_hash_table_lookup (self->lives, path);

  if (life == NULL)
    {
      if (g_hash_table_size (self->lives) == MAX_LIVES)
        g_hash_table_remove_all (self->lives);
      life = g_new0 (Life, 1);
      g_hash_table_insert (self->lives, g_strdup (path), life);
    }
  if (is_born && (life->born_us == 0 || life->died_us != 0))
    *life = (Life){ .born_us = time_us };
  else if (!is_born)
    life->died_us = time_us;
}

static void
on_directory (Take *take,
              const Watched *watched,
              JmWatchEvents events,
              const char *name)
{
  add_path (take, watched->path);
  if ((events & (JM_WATCH_CREATED | JM_WATCH_DELETED)) && name != NULL)
    {
      g_autofree char *path = jm_cgroup_mounts_get_child (watched->path, name);

      note_life (take->watch, path, (events & JM_WATCH_CREATED) != 0);
    }
  if ((events & JM_WATCH_CREATED) && name != NULL)
    on_child_created (take, watched, name);
  if ((events & JM_WATCH_DELETED) && name != NULL)
    on_child_deleted (take, watched, name);
}

/* The watcher has watched a directory by itself, while nobody could list its parent. */
static void
on_found (Take *take, const Watched *parent, const char *name)
{
  JmCgroupWatch *self = take->watch;
  int id = jm_watcher_get_found (self->watcher);
  g_autofree char *target = g_strconcat (parent->target, "/", name, NULL);
  g_autofree char *path = jm_cgroup_mounts_get_child (parent->path, name);

  add_path (take, path);
  if (!is_known (self, id, target))
    remember (self, id, g_steal_pointer (&target), path, WATCHED_DIRECTORY);
}

static void
on_event (int id, JmWatchEvents events, const char *name, gpointer user_data)
{
  Take *take = user_data;
  JmCgroupWatch *self = take->watch;
  const Watched *watched;

  if (events & JM_WATCH_OVERFLOW)
    self->lost = self->overflowed = TRUE;

  watched = g_hash_table_lookup (self->by_id, GINT_TO_POINTER (id));
  if (watched == NULL)
    return;

  if (events & JM_WATCH_FOUND)
    {
      on_found (take, watched, name);
      return;
    }
  if (events & JM_WATCH_ENDED)
    add_path (take, watched->path);
  if (events & (JM_WATCH_GONE | JM_WATCH_ENDED))
    {
      forget (self, id);
      return;
    }

  if (watched->kind == WATCHED_EVENTS)
    {
      gboolean is_populated;

      if ((events & JM_WATCH_MODIFIED) &&
          jm_cgroup_events_read (self->host, watched->target, &is_populated) &&
          !is_populated)
        add_path (take, watched->path);
    }
  else if (events & JM_WATCH_DIRECTORY)
    on_directory (take, watched, events, name);
}

static gboolean
remove_directory (gpointer id, gpointer data, gpointer user_data)
{
  JmCgroupWatch *self = user_data;
  const Watched *watched = data;

  if (watched->kind != WATCHED_DIRECTORY)
    return FALSE;

  count_directory (self, watched, -1);
  g_hash_table_remove (self->by_target, watched->target);
  jm_watcher_remove (self->watcher, GPOINTER_TO_INT (id));
  return TRUE;
}

static void
take_pending (JmCgroupWatch *self, GPtrArray *paths)
{
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, self->pending);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    {
      g_hash_table_iter_steal (&iter);
      g_ptr_array_add (paths, path);
    }
}

/* What came and went meanwhile is found by no listing. */
static void
keep_untold (JmCgroupWatch *self, GPtrArray *paths)
{
  if (paths->len > MAX_UNTOLD)
    g_ptr_array_set_size (paths, MAX_UNTOLD);
  g_ptr_array_unref (self->untold);
  self->untold = paths;
}

/* Takes the paths of cgroups whose children changed, of children that came, behind
 * their parents, and of cgroups that became empty or may have; NULL where changes may
 * have been missed: then the next call returns those that were not. */
char **
jm_cgroup_watch_take (JmCgroupWatch *self)
{
  g_autoptr (GPtrArray) paths = g_steal_pointer (&self->untold);
  Take take = { self, paths };

  self->untold = g_ptr_array_new_with_free_func (g_free);
  take_pending (self, paths);
  if (self->watcher != NULL)
    jm_watcher_take (self->watcher, on_event, &take);

  if (self->overflowed)
    {
      /* deaths were missed too, and listing all anew watches what is left */
      g_hash_table_foreach_remove (self->by_id, remove_directory, self);
      self->overflowed = FALSE;
    }

  if (self->lost || (self->live && self->watcher == NULL))
    {
      self->lost = FALSE;
      g_hash_table_remove_all (self->lives);
      keep_untold (self, g_steal_pointer (&paths));
      return NULL;
    }

  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_steal (paths, NULL);
}

void
jm_cgroup_watch_find_times (JmCgroupWatch *self,
                            const char *path,
                            gint64 *born_us,
                            gint64 *died_us)
{
  const Life *life = g_hash_table_lookup (self->lives, path);

  *born_us = life != NULL ? life->born_us : 0;
  /* it may have gone from one hierarchy alone */
  *died_us = life != NULL && count_directories (self, path) == 0 ? life->died_us : 0;
}
