/* jm-process-living-private.h: all processes that live, and where
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <linux/types.h>

#include "core/jm-readings.h"
#include "sources/process/jm-process-feed.bpf.h"
#include "sources/process/jm-process-status-private.h"

G_BEGIN_DECLS

/**
 * JmProcessLiving:
 *
 * All processes and threads, as programs in the kernel listed them, and which cgroup
 * each process is in.
 */
typedef struct _JmProcessLiving JmProcessLiving;

JmProcessLiving *jm_process_living_new (void);
void jm_process_living_free (JmProcessLiving *self);

/* Reads all records from @fd, or a negative `errno`: processes, and threads that are not the first of one.
 * Those of before are forgotten, and so are cgroups that were added. Returns 0 or a
 * negative `errno`. */
int jm_process_living_read (JmProcessLiving *self, int fd);

/* What was told of a process, with what all of its threads used; NULL for none. */
const struct jm_bpf_process *
jm_process_living_find (JmProcessLiving *self, guint pid, guint *first_thread);

/* What was told of a thread, and which is the next of its process; 0 for none. */
const struct jm_bpf_task *
jm_process_living_get_thread (JmProcessLiving *self, guint thread, guint *next);

/* Says that processes of the cgroup of that number are a group's: best of all cgroups
 * before any is asked for. */
void jm_process_living_add_cgroup (JmProcessLiving *self, guint64 inode, guint group);

/* The group of a cgroup that was added; 0 for none. */
guint jm_process_living_find_group (JmProcessLiving *self, guint64 inode);

/* Adds the processes in a cgroup that was added, in the order of their numbers. FALSE
 * where there are none. */
gboolean jm_process_living_list_cgroup (JmProcessLiving *self,
                                        guint64 inode,
                                        JmReadings *readings);

G_END_DECLS
