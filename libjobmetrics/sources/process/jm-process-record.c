/* jm-process-record.c: one process, read once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-record-private.h"

#include <errno.h>
#include <unistd.h>

#include "core/jm-process-private.h"
#include "sources/process/jm-kept-process-private.h"

/* What no record has room for was not meant by a kernel. */
static gint64
scale (guint64 count, guint64 unit)
{
  return count <= G_MAXINT64 / unit ? (gint64) (count * unit) : -1;
}

static gint64
get_start_time_us (guint64 boot_ns, guint64 starttime_ticks)
{
  gint64 since_boot_ns = scale (starttime_ticks, JM_NS_PER_TICK);

  if (boot_ns == 0 || since_boot_ns < 0)
    return 0;

  return (gint64) (boot_ns / 1000) + since_boot_ns / 1000;
}

static JmProcess *
make_record (const JmKeptProcess *process,
             const JmProcStat *stat,
             JmPlace *place,
             guint64 boot_ns)
{
  const JmProcessFacts facts = {
    .command = process->comm,
    .executable =
      process->executable != NULL ? jm_labels_get_value (process->executable, 0) : NULL,
    .state = jm_thread_state_get_name (jm_thread_state_from_letter (stat->state)),
    .start_time_us = get_start_time_us (boot_ns, stat->starttime_ticks),
    .cpu_user_ns = scale (stat->utime_ticks, JM_NS_PER_TICK),
    .cpu_system_ns = scale (stat->stime_ticks, JM_NS_PER_TICK),
    .rss_bytes = scale (stat->rss_pages, (guint64) sysconf (_SC_PAGESIZE)),
    .n_threads = stat->n_threads <= G_MAXINT ? (int) stat->n_threads : -1,
  };

  return jm_process_new (process->pid, place, &facts);
}

JmProcess *
jm_process_record_read (JmHost *host,
                        guint pid,
                        JmPlace *place,
                        guint64 boot_ns,
                        const JmProcessRules *rules)
{
  JmProcessReport nobody = { NULL, 0 };
  JmProcess *record = NULL;
  JmProcStat stat = { 0 };
  JmProcessStatus status;
  int result;
  JmKeptProcess *process = jm_kept_process_open (host, pid, &result);

  if (process != NULL)
    result = jm_kept_process_read_stat (process, &stat, &nobody);
  if (process != NULL && result == 0)
    {
      jm_process_status_take_stat (&status, &stat);
      result = jm_kept_process_identify (process, &status, rules);
    }

  if (process != NULL && result == 0)
    {
      if (process->counts)
        record = make_record (process, &stat, place, boot_ns);
    }
  else if (result != -ENOENT && result != -ESRCH)
    record = jm_process_new (pid, place, NULL);
  g_clear_pointer (&process, jm_kept_process_free);

  return record;
}
