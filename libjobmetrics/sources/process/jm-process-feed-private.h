/* jm-process-feed-private.h: what the kernel itself reports of all processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <linux/types.h>

#include "core/jm-readings.h"
#include "host/jm-host.h"
#include "sources/process/jm-process-feed.bpf.h"
#include "sources/process/jm-process-status-private.h"

G_BEGIN_DECLS

/**
 * JmProcessFeed:
 *
 * All processes and threads of the host, read at once by programs that run in the
 * kernel; and what those used that have ended, whether they were ever read or not.
 */
typedef struct _JmProcessFeed JmProcessFeed;

/* A process that was read. Of its threads those that are not the first are read by
 * jm_process_feed_next_thread(). */
typedef struct
{
  JmProcessStatus status;
  guint64 io[JM_N_PROCESS_IO];       /* its own */
  guint64 child_io[JM_N_PROCESS_IO]; /* of children that were waited for */
  gint64 n_files;                    /* that are open; -1 is not known */
  gboolean is_older;  /* than our programs: not all of its children were seen */
  guint first_thread; /* 0 for none */
} JmFedProcess;

typedef struct
{
  guint tid;
  char state;
  guint processor;
  guint64 ns;
} JmFedThread;

/* One that has ended, or several that have in common what they ran and where. */
typedef struct
{
  guint64 user_ns;
  guint64 system_ns;
  guint64 io[JM_N_PROCESS_IO];
  guint64 starttime_ticks; /* of one of them */
  guint n_processes;
  const char *executable; /* a path; NULL where it is not known */
  const char *comm;
  gboolean is_root;
} JmFedEnd;

typedef void (*JmFedEndFunc) (guint group, const JmFedEnd *end, gpointer user_data);

JmProcessFeed *jm_process_feed_new (JmHost *host, GError **error);
void jm_process_feed_free (JmProcessFeed *self);

/* --- a round --- */

/* Reads all that lives, and what has ended since the last round. */
gboolean jm_process_feed_read (JmProcessFeed *self, GError **error);

/* Says that processes of the cgroup of that number are a group's; in each round, best
 * of all cgroups before any is asked for. */
void jm_process_feed_add_cgroup (JmProcessFeed *self, guint64 inode, guint group);

/* Adds the processes in a cgroup that was added, in the order of their numbers. FALSE
 * where there are none: what began since all were read is not known. */
gboolean
jm_process_feed_list_cgroup (JmProcessFeed *self, guint64 inode, JmReadings *readings);

/* FALSE where it has ended, or has begun only since. */
gboolean jm_process_feed_find (JmProcessFeed *self, guint pid, JmFedProcess *process);

/* The path of what a process runs that was found; NULL where it is not known. It is
 * good up to the next call. */
const char *jm_process_feed_find_executable (JmProcessFeed *self, guint pid);

/* Goes from a thread to the next, in the order of their numbers. */
guint
jm_process_feed_next_thread (JmProcessFeed *self, guint thread, JmFedThread *told);

/* The last figures of a process that was found in a round before; they are read once.
 */
gboolean jm_process_feed_take_end (JmProcessFeed *self,
                                   guint pid,
                                   guint64 starttime_ticks,
                                   JmFedEnd *end);

/* Reports all others that ended in cgroups that were added. */
void
jm_process_feed_take_ends (JmProcessFeed *self, JmFedEndFunc func, gpointer user_data);

/* How many ends or processes had no room, since ever. */
guint64 jm_process_feed_get_n_lost (JmProcessFeed *self);

/**
 * JmProcessLiving:
 *
 * All processes and threads, as programs in the kernel listed them, and which cgroup
 * each process is in.
 */
typedef struct _JmProcessLiving JmProcessLiving;

JmProcessLiving *jm_process_living_new (void);
void jm_process_living_free (JmProcessLiving *self);

/* Reads all records from @fd, or a negative `errno`: processes, and threads that are
 * not the first of one. Those of before are forgotten, and so are cgroups that were
 * added. Returns 0 or a negative `errno`. */
int jm_process_living_read (JmProcessLiving *self, int fd);

/* What was reported of a process, with what all of its threads used; NULL for none. */
const struct jm_bpf_process *
jm_process_living_find (JmProcessLiving *self, guint pid, guint *first_thread);

/* What was reported of a thread, and which is the next of its process; 0 for none. */
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
