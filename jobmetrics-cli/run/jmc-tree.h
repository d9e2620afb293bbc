/* jmc-tree.h: the processes that come from a command
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <sys/types.h>

#include "host/jm-host.h"

G_BEGIN_DECLS

/* For where a command has no cgroup of its own. */
typedef struct _JmcTree JmcTree;

JmcTree *jmc_tree_new (JmHost *host);
void jmc_tree_free (JmcTree *self);
void jmc_tree_adopt_orphans (JmcTree *self);
gboolean jmc_tree_add (JmcTree *self, pid_t pid);
guint jmc_tree_get_n_seen (JmcTree *self);
GArray *jmc_tree_list_processes (JmcTree *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTree, jmc_tree_free)

G_END_DECLS
