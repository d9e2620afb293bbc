/* own-cgroup.h: a cgroup of a test's own, and what the kernel has counted for it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

/* Of cpuacct in version 1, else of version 2. */
typedef struct _OwnCgroup OwnCgroup;

/* NULL, and why, on a host where none can be made. */
OwnCgroup *own_cgroup_new (char **reason);

/* The same, of a job of `jobmetrics-cli run`. */
OwnCgroup *own_cgroup_new_job (guint job, char **reason);

/* Removes it; there must be no process in it any more. */
void own_cgroup_free (OwnCgroup *self);

/* The number of its directory. */
guint64 own_cgroup_get_inode (const OwnCgroup *self);

/* CPU time of all processes that ever were in it. */
guint64 own_cgroup_get_cpu_ns (const OwnCgroup *self);

/* The kernel's own list of the processes in it, without order. */
char *own_cgroup_list_processes (const OwnCgroup *self);

/* Moves a process, or the calling one. Returns 0 or an errno. */
int own_cgroup_add (const OwnCgroup *self, pid_t pid);
int own_cgroup_enter (const OwnCgroup *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OwnCgroup, own_cgroup_free)
