/* jm-watcher-private.h: births, deaths and changes, as the kernel reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmWatchEvents:
 * @JM_WATCH_CREATED: something of that name came, or moved here
 * @JM_WATCH_DELETED: something of that name went, or moved away
 * @JM_WATCH_MODIFIED: the watched file changed
 * @JM_WATCH_DIRECTORY: with one of the former: it is a directory
 * @JM_WATCH_GONE: the watched directory or file itself went; its id means nothing more
 * @JM_WATCH_OVERFLOW: events were lost: look at everything once; the id is -1
 * @JM_WATCH_ENDED: the watched process ended; its id means nothing more
 * @JM_WATCH_FOUND: the directory of that name has been watched since, as its birth
 * was not asked for; jm_watcher_get_found() has the id
 *
 * What happened.
 */
typedef enum
{
  JM_WATCH_CREATED = 1 << 0,
  JM_WATCH_DELETED = 1 << 1,
  JM_WATCH_MODIFIED = 1 << 2,
  JM_WATCH_DIRECTORY = 1 << 3,
  JM_WATCH_GONE = 1 << 4,
  JM_WATCH_OVERFLOW = 1 << 5,
  JM_WATCH_ENDED = 1 << 6,
  JM_WATCH_FOUND = 1 << 7,
} JmWatchEvents;

/**
 * JmWatchFunc:
 * @id: of the watch
 * @events: what happened
 * @name: (nullable): the name within a watched directory
 * @user_data: as given
 *
 * May add and remove watches.
 */
typedef void (*JmWatchFunc) (int id,
                             JmWatchEvents events,
                             const char *name,
                             gpointer user_data);

/**
 * JmWatcher:
 *
 * A set of watched directories, files and processes of a host, on one descriptor that
 * polls readable when something happened (inotify(7), pidfd_open(2)).
 */
typedef struct _JmWatcher JmWatcher;

JmWatcher *jm_watcher_new (JmHost *host, GError **error);
void jm_watcher_free (JmWatcher *self);

int jm_watcher_add_directory (JmWatcher *self, const char *path, GError **error);
int jm_watcher_add_file (JmWatcher *self, const char *path, GError **error);
int jm_watcher_add_process (JmWatcher *self, guint pid);
void jm_watcher_remove (JmWatcher *self, int id);

/* Takes what happens from the kernel in a thread from here on, which waits for nobody:
 * jm_watcher_get_time() is then true however late jm_watcher_take() is called, and what
 * comes and goes in directories that are new meanwhile is known. */
void jm_watcher_start (JmWatcher *self);

/* The id of the watch of the directory of an event with `FOUND`. */
int jm_watcher_get_found (const JmWatcher *self);

/* When the event happened that jm_watcher_take() returned last: microseconds since
 * 1970. */
gint64 jm_watcher_get_time (const JmWatcher *self);

int jm_watcher_get_fd (JmWatcher *self);
gsize jm_watcher_take (JmWatcher *self, JmWatchFunc func, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmWatcher, jm_watcher_free)

G_END_DECLS
