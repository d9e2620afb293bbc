/* jm-percpu-times-private.h: how long cgroups ran on each CPU
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmPercpuTimes:
 *
 * A program in the kernel that reports how long each of some cgroups of version 2 ran
 * on each CPU, with all that was ever below it.
 */
typedef struct _JmPercpuTimes JmPercpuTimes;

/* @dir is where version 2 is mounted.
 *
 * Errors: ABSENT where this kernel or build has no such program, or the kernel does not
 * count that; DENIED without CAP_BPF and CAP_PERFMON. */
JmPercpuTimes *jm_percpu_times_new (JmHost *host, const char *dir, GError **error);
void jm_percpu_times_free (JmPercpuTimes *self);

/* Asks for a cgroup, by its number, from the next round on. Returns its place.
 *
 * Errors: UNAVAILABLE where too many are asked for. */
gboolean
jm_percpu_times_add (JmPercpuTimes *self, guint64 inode, guint *place, GError **error);
void jm_percpu_times_remove (JmPercpuTimes *self, guint64 inode, guint place);

/* Reads all that are asked for. */
gboolean jm_percpu_times_read (JmPercpuTimes *self, GError **error);

/* How many CPUs the machine can have. */
guint jm_percpu_times_get_n_cpus (JmPercpuTimes *self);

/* The times of a place, in nanoseconds, one for each CPU: as of the last round. NULL
 * where the cgroup was not there then. */
const guint64 *jm_percpu_times_get (JmPercpuTimes *self, guint place);

G_END_DECLS
