/* jm-bpf-process-source.c: what the processes of jobs do, from the kernel itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-bpf-process-source-private.h"

#include "base/jm-error.h"

/*
 * JmBpfProcessSource:
 *
 * A process source that has programs in the kernel. One lists all processes and threads
 * of the host with all of their figures, and which cgroup each is in, so that a round
 * reads no file for any of them that it knows, nor for cgroups that have some. The
 * others take down what each process used when it is let go, so that none is too short
 * to be seen: its CPU time counts for what it ran, it counts as spawned, and what it
 * read and wrote counts too.
 *
 * - Units: CPU time is counted as the scheduler does, in nanoseconds.
 * - Errors: #JM_ERROR_DENIED without the capabilities, #JM_ERROR_ABSENT where the
 *   kernel does not take the programs, and in a copied tree.
 * - Source: BPF programs iter/task, and tp_btf at sched_process_fork,
 *   sched_process_exec and sched_process_free; they need `CAP_BPF` and `CAP_PERFMON`.
 *   Of procfs still comes which file systems are in use, where they are looked for:
 *   `cwd` and `fd`; and `exe` of a process whose path was forgotten, for the programs
 *   keep a thousand of them.
 */
struct _JmBpfProcessSource
{
  JmProcfsSource parent_instance;
};

static void process_source_iface_init (JmProcessSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmBpfProcessSource,
                               jm_bpf_process_source,
                               JM_TYPE_PROCFS_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_PROCESS_SOURCE,
                                                      process_source_iface_init))

static gboolean
jm_bpf_process_source_open (JmSource *source, GError **error)
{
  JmProcessFeed *feed = jm_process_feed_new (jm_source_get_host (source), error);

  if (feed == NULL)
    return FALSE;

  if (!JM_SOURCE_CLASS (jm_bpf_process_source_parent_class)->open (source, error))
    {
      jm_process_feed_free (feed);
      return FALSE;
    }

  jm_process_sweep_take_feed (jm_procfs_source_get_sweep (JM_PROCFS_SOURCE (source)),
                              feed);
  return TRUE;
}

static void
jm_bpf_process_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice, "CAP_BPF and CAP_PERFMON; until then procfs is read",
                   "process-bpf.conf");
}

static void
jm_bpf_process_source_add_cgroup (JmProcessSource *source, guint group, guint64 inode)
{
  jm_process_sweep_add_cgroup (jm_procfs_source_get_sweep (JM_PROCFS_SOURCE (source)),
                               group, inode);
}

static gboolean
jm_bpf_process_source_list_cgroup (JmProcessSource *source,
                                   guint64 inode,
                                   JmReadings *readings)
{
  JmProcessSweep *sweep = jm_procfs_source_get_sweep (JM_PROCFS_SOURCE (source));

  g_return_val_if_fail (jm_process_sweep_is_running (sweep), FALSE);

  return jm_process_sweep_list_cgroup (sweep, inode, readings);
}

static void
process_source_iface_init (JmProcessSourceInterface *iface)
{
  iface->add_cgroup = jm_bpf_process_source_add_cgroup;
  iface->list_cgroup = jm_bpf_process_source_list_cgroup;
}

static void
jm_bpf_process_source_class_init (JmBpfProcessSourceClass *klass)
{
  JM_SOURCE_CLASS (klass)->open = jm_bpf_process_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_bpf_process_source_advise;
}

static void
jm_bpf_process_source_init (JmBpfProcessSource *self)
{
}

JmBpfProcessSource *
jm_bpf_process_source_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_BPF_PROCESS_SOURCE, NULL, error, "host", host, NULL);
}
