/* jm-watcher.c: births, deaths and changes, as the kernel tells them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-watcher-private.h"

#include <errno.h>
#include <limits.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "core/jm-error.h"
#include "host/jm-host-private.h"
#include "host/jm-path-error-private.h"

#define CREATED_MASK (IN_CREATE | IN_MOVED_TO)
#define DELETED_MASK (IN_DELETE | IN_MOVED_FROM)

/* Events may come as fast as they are read: at some time the caller wants its turn. */
#define READS_MAX 64

struct _JmWatcher
{
  JmHost *host;
  int fd;
};

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

  if (fd < 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "/proc/sys/fs/inotify/max_user_instances: cannot watch files: %s",
                   g_strerror (errno));
      return NULL;
    }

  self = g_new0 (JmWatcher, 1);
  self->host = g_object_ref (host);
  self->fd = fd;
  return self;
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
  close (self->fd);
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

/**
 * jm_watcher_remove: (skip)
 * @self: a watcher
 * @id: of the watch, gone or not
 *
 * Ends a watch. Events of before may still be told, and then one of `GONE`.
 */
void
jm_watcher_remove (JmWatcher *self, int id)
{
  inotify_rm_watch (self->fd, id);
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
  return self->fd;
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
  _Alignas(struct inotify_event) char buffer[16 * 1024];
  gsize n_events = 0;

  for (guint i = 0; i < READS_MAX; i++)
    {
      gssize length = read (self->fd, buffer, sizeof buffer);

      if (length <= 0)
        break;

      n_events += report_events (buffer, (gsize) length, func, user_data);
    }

  return n_events;
}
