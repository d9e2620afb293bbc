/* jm-cgroup-balance-private.h: CPU time of cgroups that were removed unread
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* A removed cgroup cannot be read, but the one above it keeps counting its CPU time. A
 * balance is what a cgroup has used less what those in it have: CPU time of removed
 * ones. By how much it grows when one of them is removed, so much had that used. */
typedef struct _JmCgroupBalances JmCgroupBalances;

/* A cgroup of which all CPU time is wanted once it is removed. */
typedef struct _JmCgroupChild JmCgroupChild;

/* In the hierarchy at @mount, a logical path, the file @name of each cgroup has its CPU
 * time: nanoseconds, or the key `usage_usec`. NULL where nothing can be watched. */
JmCgroupBalances *
jm_cgroup_balances_new (JmHost *host, const char *mount, const char *name);
void jm_cgroup_balances_free (JmCgroupBalances *self);

/* NULL where the cgroup @path is not there, or has nothing above it. */
JmCgroupChild *jm_cgroup_balances_add (JmCgroupBalances *self, const char *path);
void jm_cgroup_balances_remove (JmCgroupBalances *self, JmCgroupChild *child);

/* So much CPU time was read of it. */
void jm_cgroup_child_note (JmCgroupChild *child, guint64 used_ns);

/* How much CPU time it has used, and how much more than was read of it, at least; it
 * @is_all where no more than some per cent can be missing. Of those that were removed
 * together only the sum is known: it is what was seen of it when another one was
 * removed. FALSE where it is there still. */
gboolean jm_cgroup_balances_settle (JmCgroupBalances *self,
                                    JmCgroupChild *child,
                                    guint64 *used_ns,
                                    guint64 *unread_ns,
                                    gboolean *is_all);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupBalances, jm_cgroup_balances_free)

G_END_DECLS
