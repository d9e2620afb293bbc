/* jm-process-facts.bpf.c: all processes and threads in one read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-facts.bpf.h"
#include "host/jm-kernel.bpf.h"

/* What the kernel asks of programs that use its own helpers; LGPL code may be used
 * under the GPL. */
char licence[] SEC ("license") = "GPL";

SEC ("iter/task")
int
list_processes (struct bpf_iter__task *context)
{
  struct task_struct *task = context->task;
  struct jm_bpf_process process = { 0 };

  if (task == NULL || task->pid != task->tgid)
    return 0;

  process.pid = (__u32) task->tgid;
  process.start_time_ns = task->start_boottime;
  bpf_seq_write (context->meta->seq, &process, sizeof process);

  return 0;
}
