/* jmc-process-tree.h: the processes that come from a command
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <sys/types.h>

#include "base/jm-parse-proc-private.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* For where a command has no cgroup of its own. */
typedef struct _JmcProcessTree JmcProcessTree;

JmcProcessTree *jmc_process_tree_new (JmHost *host);
void jmc_process_tree_free (JmcProcessTree *self);
void jmc_process_tree_adopt_orphans (JmcProcessTree *self);
gboolean jmc_process_tree_add (JmcProcessTree *self, pid_t pid);
guint jmc_process_tree_get_n_seen (JmcProcessTree *self);
GArray *jmc_process_tree_list_processes (JmcProcessTree *self);
gboolean jmc_process_tree_read_stat (JmcProcessTree *self, pid_t pid, JmProcStat *stat);
void jmc_process_tree_get_cpu_times (JmcProcessTree *self,
                                     guint64 *user_ns,
                                     guint64 *system_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcProcessTree, jmc_process_tree_free)

G_END_DECLS
