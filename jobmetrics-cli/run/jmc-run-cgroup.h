/* jmc-run-cgroup.h: the cgroup of a command that we run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <sys/types.h>

#include "host/jm-host.h"

G_BEGIN_DECLS

/* Making cgroups is a write to the system, which only `run` does: hence it is here and
 * not in the library, which reads. */
typedef struct _JmcRunCgroup JmcRunCgroup;

JmcRunCgroup *
jmc_run_cgroup_new (JmHost *host, const char *job_id, pid_t pid, GError **error);
void jmc_run_cgroup_free (JmcRunCgroup *self);
const char *jmc_run_cgroup_get_path (JmcRunCgroup *self);
GPtrArray *jmc_run_cgroup_list_paths (JmcRunCgroup *self);
GArray *jmc_run_cgroup_list_processes (JmcRunCgroup *self);
gboolean jmc_run_cgroup_remove (JmcRunCgroup *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcRunCgroup, jmc_run_cgroup_free)

G_END_DECLS
