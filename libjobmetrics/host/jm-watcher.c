/* jm-watcher.c: births, deaths and changes, as the kernel reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-watcher-private.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "host/jm-host-private.h"

#define CREATED_MASK (IN_CREATE | IN_MOVED_TO)
#define DELETED_MASK (IN_DELETE | IN_MOVED_FROM)
#define DIRECTORY_MASK (CREATED_MASK | DELETED_MASK | IN_ONLYDIR)

/* Events may come as fast as they are read: at some time the caller wants its turn.
 * What waits at the call is taken in any case, as a birth may have its death behind it.
 */
#define READS_MAX 64
#define ENDS_MAX 64

/* Ids of processes are their descriptors behind those that the kernel gives to paths.
 */
#define FIRST_PROCESS (1 << 30)

#define CHUNK_BYTES (16 * 1024)
/* Events that wait to be taken. The kernel keeps 16384 events more, and then says so.
 */
#define CHUNKS_MAX 512
#define MOMENT_US (10 * 1000)
/* How long events wait before the thread looks after new directories itself. */
#define UNATTENDED_US (100 * 1000)
#define DEPTH_MAX 8
/* The kernel has another meaning for it, which is not asked for: of a directory that
 * the thread has watched; the id of its watch is the event's cookie. */
#define FOUND_MASK IN_OPEN

/* What the kernel said at once. */
typedef struct
{
  gint64 time_us;
  gsize length;
  gboolean is_seen; /* the thread has looked after it */
  _Alignas(struct inotify_event) char events[];
} Chunk;

struct _JmWatcher
{
  JmHost *host;
  int fd;
  int poll_fd;     /* of both kinds */
  gint64 time_us;  /* of the event that was taken */
  GThread *thread; /* NULL where nobody takes what happens before it is asked for */
  int news_fd;     /* readable while chunks wait that the thread has taken */
  int end_fd;      /* readable once the thread is to end */
  GMutex lock;     /* of the chunks; held while no call can hang */
  GQueue chunks;   /* of Chunk */
  GHashTable *directories; /* of real paths, by the id of the watch */
  gboolean is_at_work;     /* the thread adds watches: what they say comes behind */
  int found_id;            /* of the directory of the event that was taken */
  GHashTable *processes;   /* set of ids; their descriptors are open */
  gboolean is_blind; /* to processes: the kernel does not know how to watch them */
};

static gboolean
poll_id (int poll_fd, int fd, int id)
{
  struct epoll_event event = { .events = EPOLLIN, .data.fd = id };

  return fd >= 0 && poll_fd >= 0 && epoll_ctl (poll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void
close_all (int fd, int poll_fd)
{
  if (fd >= 0)
    close (fd);
  if (poll_fd >= 0)
    close (poll_fd);
}

/**
 * jm_watcher_new: (skip)
 * @host: the host
 * @error: return location for an error
 *
 * Makes a watcher that watches nothing yet.
 *
 * - Errors: `UNAVAILABLE` where the user has too many of them already: rescan instead.
 *
 * Returns: (transfer full): the watcher
 */
JmWatcher *
jm_watcher_new (JmHost *host, GError **error)
{
  JmWatcher *self;
  int fd = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
  int poll_fd = fd >= 0 ? epoll_create1 (EPOLL_CLOEXEC) : -1;

  if (!poll_id (poll_fd, fd, -1))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "/proc/sys/fs/inotify/max_user_instances: cannot watch files: %s",
                   g_strerror (errno));
      close_all (fd, poll_fd);
      return NULL;
    }

  self = g_new0 (JmWatcher, 1);
  self->host = g_object_ref (host);
  self->fd = fd;
  self->poll_fd = poll_fd;
  self->news_fd = self->end_fd = -1;
  g_mutex_init (&self->lock);
  g_queue_init (&self->chunks);
  self->directories = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->processes = g_hash_table_new (NULL, NULL);
  return self;
}

/* --- what the kernel says --- */

static gboolean
has_room (JmWatcher *self)
{
  return g_queue_get_length (&self->chunks) < CHUNKS_MAX;
}

/* Events of the same moment share a chunk, of which there are only so many. */
static void
push_chunk (JmWatcher *self, gconstpointer events, gsize length, gboolean is_seen)
{
  gint64 now_us = g_get_real_time ();
  Chunk *chunk = g_queue_pop_tail (&self->chunks);

  if (chunk == NULL || chunk->is_seen != is_seen ||
      chunk->length + length > CHUNK_BYTES || now_us - chunk->time_us > MOMENT_US)
    {
      if (chunk != NULL)
        g_queue_push_tail (&self->chunks, chunk);
      chunk = g_new0 (Chunk, 1);
      chunk->time_us = now_us;
      chunk->is_seen = is_seen;
    }
  chunk = g_realloc (chunk, sizeof *chunk + chunk->length + length);
  memcpy (chunk->events + chunk->length, events, length);
  chunk->length += length;
  g_queue_push_tail (&self->chunks, chunk);
}

/* Whether there was a chunk, and room for it. */
static gboolean
take_chunk (JmWatcher *self)
{
  _Alignas(struct inotify_event) char buffer[CHUNK_BYTES];
  gssize length = has_room (self) ? read (self->fd, buffer, sizeof buffer) : 0;

  if (length <= 0)
    return FALSE;
  push_chunk (self, buffer, (gsize) length, FALSE);

  return TRUE;
}

static guint
count_chunks (JmWatcher *self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = g_queue_get_length (&self->chunks);
  g_mutex_unlock (&self->lock);

  return n;
}

static Chunk *
pop_chunk (JmWatcher *self)
{
  Chunk *chunk;

  g_mutex_lock (&self->lock);
  if (!self->is_at_work)
    take_chunk (self);
  chunk = g_queue_pop_head (&self->chunks);
  g_mutex_unlock (&self->lock);

  return chunk;
}

/* --- new directories while nobody asks --- */

/* Whoever takes the events watches what is new, and hears what comes in it. Where that
 * one hangs, what came and went in a new directory would be heard of by nobody: then
 * the thread watches it. */

/* As if the kernel had said it. */
static void
say (JmWatcher *self, int id, guint32 mask, guint32 cookie, const char *name)
{
  const gsize length = strlen (name) + 1;
  g_autofree struct inotify_event *event = g_malloc0 (sizeof *event + NAME_MAX + 1);

  event->wd = id;
  event->mask = mask | IN_ISDIR;
  event->cookie = cookie;
  /* the next one is aligned as this one is */
  event->len = (guint32) ((length + sizeof *event - 1) / sizeof *event * sizeof *event);
  memcpy (event->name, name, length);
  if (has_room (self))
    push_chunk (self, event, sizeof *event + event->len, TRUE);
}

static void
attend (JmWatcher *self, int parent, const char *name, const char *path, guint depth);

/* What came between its birth and its watch. */
static void
list_directory (JmWatcher *self, int id, const char *path, guint depth)
{
  DIR *directory = opendir (path);
  const struct dirent *entry;

  while (directory != NULL && (entry = readdir (directory)) != NULL)
    if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
      {
        g_autofree char *child = g_build_filename (path, entry->d_name, NULL);

        g_mutex_lock (&self->lock);
        say (self, id, IN_CREATE, 0, entry->d_name);
        g_mutex_unlock (&self->lock);
        attend (self, id, entry->d_name, child, depth + 1);
      }
  if (directory != NULL)
    closedir (directory);
}

static void
attend (JmWatcher *self, int parent, const char *name, const char *path, guint depth)
{
  int id = depth < DEPTH_MAX ? inotify_add_watch (self->fd, path, DIRECTORY_MASK) : -1;
  gboolean is_new = FALSE;

  if (id < 0)
    return;
  g_mutex_lock (&self->lock);
  if (!g_hash_table_contains (self->directories, GINT_TO_POINTER (id)))
    {
      is_new = TRUE;
      g_hash_table_insert (self->directories, GINT_TO_POINTER (id), g_strdup (path));
      say (self, parent, FOUND_MASK, (guint32) id, name);
    }
  g_mutex_unlock (&self->lock);
  if (is_new)
    list_directory (self, id, path, depth);
}

/* A copy of the first chunk that has waited too long; NULL where there is none. */
static Chunk *
copy_unattended (JmWatcher *self)
{
  const gint64 until_us = g_get_real_time () - UNATTENDED_US;

  for (GList *l = self->chunks.head; l != NULL; l = l->next)
    {
      Chunk *chunk = l->data;

      if (!chunk->is_seen && chunk->time_us <= until_us)
        {
          chunk->is_seen = TRUE;
          return g_memdup2 (chunk, sizeof *chunk + chunk->length);
        }
    }

  return NULL;
}

static void
attend_chunk (JmWatcher *self, const Chunk *chunk)
{
  for (gsize offset = 0; offset < chunk->length;)
    {
      const struct inotify_event *event = (const void *) (chunk->events + offset);
      g_autofree char *path = NULL;
      const char *parent;

      offset += sizeof *event + event->len;
      if ((event->mask & CREATED_MASK) == 0 || (event->mask & IN_ISDIR) == 0)
        continue;
      g_mutex_lock (&self->lock);
      parent = g_hash_table_lookup (self->directories, GINT_TO_POINTER (event->wd));
      if (parent != NULL)
        path = g_build_filename (parent, event->name, NULL);
      g_mutex_unlock (&self->lock);
      if (path != NULL)
        attend (self, event->wd, event->name, path, 0);
    }
}

static void
attend_all (JmWatcher *self)
{
  Chunk *chunk;

  g_mutex_lock (&self->lock);
  while ((chunk = copy_unattended (self)) != NULL)
    {
      self->is_at_work = TRUE;
      g_mutex_unlock (&self->lock);
      attend_chunk (self, chunk);
      g_free (chunk);
      g_mutex_lock (&self->lock);
    }
  self->is_at_work = FALSE;
  g_mutex_unlock (&self->lock);
}

/* Milliseconds until there is something to look after; -1 while there is nothing. */
static int
get_patience (JmWatcher *self)
{
  int patience = -1;

  for (GList *l = self->chunks.head; l != NULL && patience < 0; l = l->next)
    if (!((Chunk *) l->data)->is_seen)
      patience = UNATTENDED_US / 1000 + 1;

  return patience;
}

static gpointer
run (gpointer data)
{
  JmWatcher *self = data;
  struct pollfd fds[] = { { .fd = self->end_fd, .events = POLLIN },
                          { .fd = self->fd, .events = POLLIN } };
  int patience = -1;

  while (poll (fds, G_N_ELEMENTS (fds), patience) >= 0 || errno == EINTR)
    {
      gboolean is_full;

      if (fds[0].revents != 0)
        break;
      g_mutex_lock (&self->lock);
      while (take_chunk (self))
        continue;
      g_mutex_unlock (&self->lock);
      attend_all (self);
      g_mutex_lock (&self->lock);
      is_full = !has_room (self);
      patience = get_patience (self);
      g_mutex_unlock (&self->lock);
      eventfd_write (self->news_fd, 1);
      /* the rest waits in the kernel until somebody asks */
      if (is_full)
        g_usleep (G_USEC_PER_SEC / 10);
    }

  return NULL;
}

static void
end_thread (JmWatcher *self)
{
  if (self->thread != NULL)
    {
      eventfd_write (self->end_fd, 1);
      g_thread_join (g_steal_pointer (&self->thread));
    }
  close_all (self->news_fd, self->end_fd);
  self->news_fd = self->end_fd = -1;
}

void
jm_watcher_start (JmWatcher *self)
{
  g_return_if_fail (self->thread == NULL);

  self->news_fd = eventfd (0, EFD_NONBLOCK | EFD_CLOEXEC);
  self->end_fd = eventfd (0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (self->end_fd >= 0 && poll_id (self->poll_fd, self->news_fd, -1))
    {
      epoll_ctl (self->poll_fd, EPOLL_CTL_DEL, self->fd, NULL);
      self->thread = g_thread_new ("watcher", run, self);
    }
  else
    end_thread (self);
}

int
jm_watcher_get_found (const JmWatcher *self)
{
  return self->found_id;
}

gint64
jm_watcher_get_time (const JmWatcher *self)
{
  return self->time_us;
}

/**
 * jm_watcher_free: (skip)
 * @self: a watcher
 *
 * Ends all its watches.
 */
void
jm_watcher_free (JmWatcher *self)
{
  GHashTableIter iter;
  gpointer id;

  end_thread (self);
  g_queue_clear_full (&self->chunks, g_free);
  g_hash_table_unref (self->directories);
  g_mutex_clear (&self->lock);
  g_hash_table_iter_init (&iter, self->processes);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      close (GPOINTER_TO_INT (id) - FIRST_PROCESS);
      jm_host_give_descriptor (self->host);
    }
  g_hash_table_unref (self->processes);
  close_all (self->fd, self->poll_fd);
  g_object_unref (self->host);
  g_free (self);
}

static int
add (JmWatcher *self, const char *path, guint32 mask, GError **error)
{
  char real[PATH_MAX];
  int result = jm_host_map_path (self->host, path, real);

  if (result < 0)
    {
      jm_path_error_set_errno (error, path, -result);
      return -1;
    }

  result = inotify_add_watch (self->fd, real, mask);
  if (result >= 0 && mask == DIRECTORY_MASK)
    {
      g_mutex_lock (&self->lock);
      g_hash_table_insert (self->directories, GINT_TO_POINTER (result),
                           g_strdup (real));
      g_mutex_unlock (&self->lock);
    }
  if (result < 0 && errno == ENOSPC)
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: cannot be watched: /proc/sys/fs/inotify/max_user_watches is "
                 "reached",
                 real);
  else if (result < 0)
    jm_path_error_set_errno (error, real, errno);

  return result;
}

/**
 * jm_watcher_add_directory: (skip)
 * @self: a watcher
 * @path: its logical path
 * @error: return location for an error
 *
 * Watches what comes and goes in a directory. List it after this call, not before, or
 * what comes in between is missed. Remove a cgroup from the watcher once its parent has
 * reported that it went: few kernels end its watch by themselves.
 *
 * - Errors: `UNAVAILABLE` where the user has too many watches: rescan instead.
 *
 * Returns: the id of the watch, or -1; a path that is watched already has its old id
 */
int
jm_watcher_add_directory (JmWatcher *self, const char *path, GError **error)
{
  return add (self, path, DIRECTORY_MASK, error);
}

/**
 * jm_watcher_add_file: (skip)
 * @self: a watcher
 * @path: its logical path
 * @error: return location for an error
 *
 * Watches a file for changes: cgroup.events reports it when a cgroup becomes empty
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html#un-populated-notification).
 *
 * - Errors: `UNAVAILABLE` where the user has too many watches: rescan instead.
 *
 * Returns: the id of the watch, or -1; a path that is watched already has its old id
 */
int
jm_watcher_add_file (JmWatcher *self, const char *path, GError **error)
{
  return add (self, path, IN_MODIFY, error);
}

static void
forget_directory (JmWatcher *self, int id)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove (self->directories, GINT_TO_POINTER (id));
  g_mutex_unlock (&self->lock);
}

/* The C library of the oldest systems has no name for it. */
static int
open_process (guint pid)
{
#ifdef SYS_pidfd_open
  return (int) syscall (SYS_pidfd_open, (pid_t) pid, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/**
 * jm_watcher_add_process: (skip)
 * @self: a watcher
 * @pid: a process of this machine, of whichever user
 *
 * Watches for the end of a process, which is reported as `ENDED` once, also of one that
 * has ended and was not waited for yet.
 *
 * Returns: the id of the watch, or -1: where there is no such process any more, and
 *   where the kernel (before 5.3), who confines the program or the host's budget of
 *   descriptors does not let it be watched
 */
int
jm_watcher_add_process (JmWatcher *self, guint pid)
{
  int fd = self->is_blind ? -1 : open_process (pid);
  int id = FIRST_PROCESS + fd;

  if (fd < 0)
    {
      self->is_blind = self->is_blind || errno == ENOSYS || errno == EPERM;
      return -1;
    }

  if (!jm_host_take_descriptor (self->host, JM_WORTH_MUCH))
    {
      close (fd);
      return -1;
    }
  if (!poll_id (self->poll_fd, fd, id))
    {
      close (fd);
      jm_host_give_descriptor (self->host);
      return -1;
    }

  g_hash_table_add (self->processes, GINT_TO_POINTER (id));
  return id;
}

/**
 * jm_watcher_remove: (skip)
 * @self: a watcher
 * @id: of the watch, gone or not
 *
 * Ends a watch. Of a path, events of before may still be reported, and then one of
 * `GONE`.
 */
void
jm_watcher_remove (JmWatcher *self, int id)
{
  if (id < FIRST_PROCESS)
    {
      inotify_rm_watch (self->fd, id);
      forget_directory (self, id);
    }
  else if (g_hash_table_remove (self->processes, GINT_TO_POINTER (id)))
    {
      /* a program that was forked may have it open still */
      epoll_ctl (self->poll_fd, EPOLL_CTL_DEL, id - FIRST_PROCESS, NULL);
      close (id - FIRST_PROCESS);
      jm_host_give_descriptor (self->host);
    }
}

/**
 * jm_watcher_get_fd: (skip)
 * @self: a watcher
 *
 * Returns: the descriptor to poll; it stays the watcher's
 */
int
jm_watcher_get_fd (JmWatcher *self)
{
  return self->poll_fd;
}

static JmWatchEvents
translate (guint32 mask)
{
  JmWatchEvents events = 0;

  if (mask & CREATED_MASK)
    events |= JM_WATCH_CREATED;
  if (mask & DELETED_MASK)
    events |= JM_WATCH_DELETED;
  if (mask & IN_MODIFY)
    events |= JM_WATCH_MODIFIED;
  if (mask & IN_IGNORED)
    events |= JM_WATCH_GONE;
  if (mask & IN_Q_OVERFLOW)
    events |= JM_WATCH_OVERFLOW;
  if (mask & FOUND_MASK)
    events |= JM_WATCH_FOUND;
  if (events != 0 && (mask & IN_ISDIR))
    events |= JM_WATCH_DIRECTORY;

  return events;
}

static gsize
report_events (JmWatcher *self,
               const char *buffer,
               gsize length,
               JmWatchFunc func,
               gpointer user_data)
{
  gsize n_events = 0;
  gsize offset = 0;

  while (offset < length)
    {
      const struct inotify_event *event = (const void *) (buffer + offset);
      JmWatchEvents events = translate (event->mask);

      offset += sizeof *event + event->len;
      if (events == 0)
        continue;
      if (events & JM_WATCH_GONE)
        forget_directory (self, event->wd);
      self->found_id = (int) event->cookie;

      func (event->wd, events, event->len > 0 ? event->name : NULL, user_data);
      n_events++;
    }

  return n_events;
}

/* Ends come first: what they were of can be read for a moment only. */
static gsize
report_ends (JmWatcher *self, JmWatchFunc func, gpointer user_data)
{
  struct epoll_event events[ENDS_MAX];
  int n = epoll_wait (self->poll_fd, events, ENDS_MAX, 0);
  gsize n_ends = 0;

  for (int i = 0; i < n; i++)
    {
      int id = events[i].data.fd;

      /* an event before this one may have removed it */
      if (!g_hash_table_contains (self->processes, GINT_TO_POINTER (id)))
        continue;

      jm_watcher_remove (self, id);
      func (id, JM_WATCH_ENDED, NULL, user_data);
      n_ends++;
    }

  return n_ends;
}

/**
 * jm_watcher_take: (skip)
 * @self: a watcher
 * @func: called for each event, in their order
 * @user_data: for @func
 *
 * Reports what happened since the last call, and does not wait. Where events keep
 * coming it ends all the same, and the descriptor polls readable again.
 *
 * Returns: how many events there were
 */
gsize
jm_watcher_take (JmWatcher *self, JmWatchFunc func, gpointer user_data)
{
  eventfd_t n_news;
  gsize n_events;

  self->time_us = g_get_real_time ();
  if (self->thread != NULL)
    eventfd_read (self->news_fd, &n_news);
  n_events = report_ends (self, func, user_data);

  for (guint i = count_chunks (self) + READS_MAX; i > 0; i--)
    {
      g_autofree Chunk *chunk = pop_chunk (self);

      if (chunk == NULL)
        return n_events;

      self->time_us = chunk->time_us;
      n_events += report_events (self, chunk->events, chunk->length, func, user_data);
    }
  if (self->thread != NULL)
    eventfd_write (self->news_fd, 1);

  return n_events;
}
