/* jm-cgroup-watch-private.h: births and deaths of cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmCgroupWatch:
 *
 * Watches directories of cgroups, and whether cgroups become empty. Its results are
 * paths of cgroups; one may have several directories.
 */
typedef struct _JmCgroupWatch JmCgroupWatch;

JmCgroupWatch *jm_cgroup_watch_new (JmHost *host, gboolean live);
void jm_cgroup_watch_free (JmCgroupWatch *self);

gboolean jm_cgroup_watch_is_live (JmCgroupWatch *self);
int jm_cgroup_watch_get_fd (JmCgroupWatch *self);

gboolean jm_cgroup_watch_add_directory (JmCgroupWatch *self,
                                        const char *mount,
                                        const char *path);
void jm_cgroup_watch_expect (JmCgroupWatch *self, const char *path);
int jm_cgroup_watch_add_events (JmCgroupWatch *self, const char *dir, const char *path);
gboolean jm_cgroup_watch_has_process (JmCgroupWatch *self, const char *path);
void jm_cgroup_watch_add_process (JmCgroupWatch *self, const char *path, guint pid);
void jm_cgroup_watch_remove_process (JmCgroupWatch *self, const char *path);
void jm_cgroup_watch_remove (JmCgroupWatch *self, int id);

char **jm_cgroup_watch_take (JmCgroupWatch *self);

/* When the cgroup came and went last, as far as jm_cgroup_watch_take() has heard of it:
 * microseconds since 1970, 0 where that is not known. */
void jm_cgroup_watch_find_times (JmCgroupWatch *self,
                                 const char *path,
                                 gint64 *born_us,
                                 gint64 *died_us);

gboolean
jm_cgroup_events_read (JmHost *host, const char *events, gboolean *is_populated);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupWatch, jm_cgroup_watch_free)

G_END_DECLS
