/* jm-group-walk-private.h: all processes of a machine, and the groups they are in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmGroupWalk:
 *
 * The processes of a machine and their additional groups, which root alone can give. A
 * process is looked at when it is new, and for some seconds more: whoever starts a job
 * forks first and changes the groups then. After that only its name in `/proc` is read.
 */
typedef struct _JmGroupWalk JmGroupWalk;

JmGroupWalk *jm_group_walk_new (JmHost *host);
void jm_group_walk_free (JmGroupWalk *self);

/* Looks at the processes that there are now. FALSE where they cannot be listed. */
gboolean jm_group_walk_run (JmGroupWalk *self, gint64 now_us, GError **error);

typedef void (*JmGroupWalkFunc) (guint pid,
                                 const guint *groups,
                                 guint n_groups,
                                 gpointer user_data);

/* Calls @func for each process that is in any additional group, in the order of their
 * numbers in `/proc`. */
void
jm_group_walk_foreach (JmGroupWalk *self, JmGroupWalkFunc func, gpointer user_data);

/* How often a file of a process was read so far. */
guint64 jm_group_walk_get_n_read (JmGroupWalk *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmGroupWalk, jm_group_walk_free)

G_END_DECLS
