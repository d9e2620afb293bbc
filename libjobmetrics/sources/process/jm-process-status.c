/* jm-process-status.c: what was read of a process, by whatever means
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-status-private.h"

#include <string.h>

/**
 * jm_process_status_take_stat: (skip)
 * @self: (out): what is known
 * @stat: what `/proc/PID/stat` reports
 *
 * Takes what procfs reports.
 */
void
jm_process_status_take_stat (JmProcessStatus *self, const JmProcStat *stat)
{
  G_STATIC_ASSERT (sizeof self->comm == sizeof stat->comm);

  memcpy (self->comm, stat->comm, sizeof self->comm);
  self->state = stat->state;
  self->flags = stat->flags;
  self->ppid = stat->ppid;
  self->n_threads = stat->n_threads;
  self->processor = stat->processor;
  self->starttime_ticks = stat->starttime_ticks;
  self->user_ns = stat->utime_ticks * JM_NS_PER_TICK;
  self->system_ns = stat->stime_ticks * JM_NS_PER_TICK;
  self->child_user_ns = stat->cutime_ticks * JM_NS_PER_TICK;
  self->child_system_ns = stat->cstime_ticks * JM_NS_PER_TICK;
  self->child_mark = (guint32) stat->child_faults;
  self->rss_pages = stat->rss_pages;
  self->executable = NULL;
  self->is_root = -1;
}
