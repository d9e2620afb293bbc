/* jm-watcher.c: births, deaths and changes, as the kernel tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-watcher-private.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/jm-error.h"
#include "host/jm-host-private.h"
#include "host/jm-path-error-private.h"

#define CREATED_MASK (IN_CREATE | IN_MOVED_TO)
#define DELETED_MASK (IN_DELETE | IN_MOVED_FROM)

/* Events may come as fast as they are read: at some time the caller wants its turn. */
#define READS_MAX 64
#define ENDS_MAX 64

/* Ids of processes are their descriptors behind those that the kernel gives to paths.
 */
#define FIRST_PROCESS (1 << 30)

#define CHUNK_BYTES (16 * 1024)
/* Events that wait to be taken. The kernel keeps 16384 events more, and then says so.
 */
#define CHUNKS_MAX 256

/* What the kernel said at once. */
typedef struct
{
  gint64 time_us;
  gsize length;
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
  GHashTable *processes; /* set of ids; their descriptors are open */
  gboolean is_blind;     /* to processes: the kernel does not know how to watch them */
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
  self->processes = g_hash_table_new (NULL, NULL);
  return self;
}

/* --- what the kernel says --- */

/* Whether there was a chunk, and room for it. */
static gboolean
take_chunk (JmWatcher *self)
{
  _Alignas(struct inotify_event) char buffer[CHUNK_BYTES];
  gssize length = g_queue_get_length (&self->chunks) < CHUNKS_MAX
                    ? read (self->fd, buffer, sizeof buffer)
                    : 0;
  Chunk *chunk;

  if (length <= 0)
    return FALSE;

  chunk = g_malloc (sizeof *chunk + (gsize) length);
  chunk->time_us = g_get_real_time ();
  chunk->length = (gsize) length;
  memcpy (chunk->events, buffer, (gsize) length);
  g_queue_push_tail (&self->chunks, chunk);

  return TRUE;
}

static Chunk *
pop_chunk (JmWatcher *self)
{
  Chunk *chunk;

  g_mutex_lock (&self->lock);
  take_chunk (self);
  chunk = g_queue_pop_head (&self->chunks);
  g_mutex_unlock (&self->lock);

  return chunk;
}

static gpointer
run (gpointer data)
{
  JmWatcher *self = data;
  struct pollfd fds[] = { { .fd = self->end_fd, .events = POLLIN },
                          { .fd = self->fd, .events = POLLIN } };

  while (poll (fds, G_N_ELEMENTS (fds), -1) >= 0 || errno == EINTR)
    {
      gboolean has_room;

      if (fds[0].revents != 0)
        break;
      g_mutex_lock (&self->lock);
      while (take_chunk (self))
        continue;
      has_room = g_queue_get_length (&self->chunks) < CHUNKS_MAX;
      g_mutex_unlock (&self->lock);
      eventfd_write (self->news_fd, 1);
      /* the rest waits in the kernel until somebody asks */
      if (!has_room)
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
 * told that it went: few kernels end its watch by themselves.
 *
 * - Errors: `UNAVAILABLE` where the user has too many watches: rescan instead.
 *
 * Returns: the id of the watch, or -1; a path that is watched already has its old id
 */
int
jm_watcher_add_directory (JmWatcher *self, const char *path, GError **error)
{
  return add (self, path, CREATED_MASK | DELETED_MASK | IN_ONLYDIR, error);
}

/**
 * jm_watcher_add_file: (skip)
 * @self: a watcher
 * @path: its logical path
 * @error: return location for an error
 *
 * Watches a file for changes: cgroup.events tells so when a cgroup becomes empty
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
 * Watches for the end of a process, which is told as `ENDED` once, also of one that has
 * ended and was not waited for yet.
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
 * Ends a watch. Of a path, events of before may still be told, and then one of `GONE`.
 */
void
jm_watcher_remove (JmWatcher *self, int id)
{
  if (id < FIRST_PROCESS)
    inotify_rm_watch (self->fd, id);
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
  if (events != 0 && (mask & IN_ISDIR))
    events |= JM_WATCH_DIRECTORY;

  return events;
}

static gsize
report_events (const char *buffer, gsize length, JmWatchFunc func, gpointer user_data)
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

      /* one that was told of before may have removed it */
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
 * Tells what happened since the last call, and does not wait. Where events keep coming
 * it ends all the same, and the descriptor polls readable again.
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

  for (guint i = 0; i < READS_MAX; i++)
    {
      g_autofree Chunk *chunk = pop_chunk (self);

      if (chunk == NULL)
        return n_events;

      self->time_us = chunk->time_us;
      n_events += report_events (chunk->events, chunk->length, func, user_data);
    }
  if (self->thread != NULL)
    eventfd_write (self->news_fd, 1);

  return n_events;
}
