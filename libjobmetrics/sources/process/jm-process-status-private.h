/* jm-process-status-private.h: what was read of a process, by whatever means
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-proc-private.h"
#include "sources/process/jm-process-groups-private.h"

G_BEGIN_DECLS

/**
 * JmProcessStatus:
 * @comm: the command name
 * @state: of its first thread, one letter
 * @flags: the kernel's `PF_` flags
 * @ppid: of its parent
 * @n_threads: how many it has
 * @processor: on which its first thread ran last
 * @starttime_ticks: when it began, clock ticks after boot
 * @user_ns: time in user mode
 * @system_ns: time in the kernel
 * @child_user_ns: user time of the children that were waited for
 * @child_system_ns: kernel time of those
 * @child_mark: changes when a child was waited for that may have read or written
 * @rss_pages: resident set, pages
 * @executable: the path of what it runs; %NULL where `exe` is to be asked
 * @is_root: whether all of its user ids are root's; -1 is not known
 *
 * What is known of a process in a round, whether procfs or the kernel itself reported
 * it.
 */
typedef struct
{
  char comm[JM_COMM_MAX + 1];
  char state;
  guint32 flags;
  guint ppid;
  guint n_threads;
  guint processor;
  guint64 starttime_ticks;
  guint64 user_ns;
  guint64 system_ns;
  guint64 child_user_ns;
  guint64 child_system_ns;
  guint32 child_mark;
  guint64 rss_pages;
  const char *executable;
  int is_root;
} JmProcessStatus;

void jm_process_status_take_stat (JmProcessStatus *self, const JmProcStat *stat);

G_END_DECLS
