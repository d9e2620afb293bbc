/* jm-cgroup-v1-events-private.h: events that version 1 counts in one cgroup alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-v1-dirs-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupV1EventTable:
 *
 * The files of such events, and which opened cgroup of a reader is below which.
 */
typedef struct _JmCgroupV1EventTable JmCgroupV1EventTable;

JmCgroupV1EventTable *jm_cgroup_v1_event_table_new (JmCgroupHugetlb *hugetlb);
void jm_cgroup_v1_event_table_free (JmCgroupV1EventTable *self);

/**
 * JmCgroupV1Events:
 *
 * The events of one opened cgroup. Version 2 counts an event in all cgroups above the
 * one where it happens. Version 1 does so with usage, but counts a process that the OOM
 * killer ended in the process's own cgroup, and a failed charge or a throttled period
 * in the cgroup with the limit: a job has the sum over its cgroups.
 *
 * https://docs.kernel.org/admin-guide/cgroup-v1/memory.html
 */
typedef struct _JmCgroupV1Events JmCgroupV1Events;

/* Both @table and @dirs outlive it. The opened cgroup next above it counts on it. */
JmCgroupV1Events *jm_cgroup_v1_events_new (JmCgroupV1EventTable *table,
                                           JmCgroupV1Dirs *dirs);

/* What it counted stays in the sums of those above it. */
void jm_cgroup_v1_events_free (JmCgroupV1Events *self);

/* Adds the sums over the cgroup and the opened ones below it. */
void jm_cgroup_v1_events_read (JmCgroupV1Events *self, JmCgroupSweep *sweep);

G_END_DECLS
