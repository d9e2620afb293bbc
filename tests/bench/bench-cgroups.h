/* bench-cgroups.h: cgroups laid out as Slurm lays them out
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

/* The cgroups of one made-up node, in every hierarchy that Slurm uses. */
typedef struct _BenchCgroups BenchCgroups;

/* Where a process of a job belongs: one cgroup in each hierarchy. */
typedef struct _BenchCgroup BenchCgroup;

/* NULL, and why, on a host where no such node can be made. */
BenchCgroups *bench_cgroups_new (char **reason);

/* Removes all cgroups that were made; there must be no process in them any more. */
void bench_cgroups_free (BenchCgroups *self);

/* The node's name, which is part of the paths. */
const char *bench_cgroups_get_node (BenchCgroups *self);

/* Makes the cgroups of a job with one step of one task. The node owns the result. */
BenchCgroup *
bench_cgroups_add_job (BenchCgroups *self, guint uid, guint job, GError **error);

/* Moves the calling process; no memory is allocated. Returns 0 or an errno. */
int bench_cgroup_enter (const BenchCgroup *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchCgroups, bench_cgroups_free)
