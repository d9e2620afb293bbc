/* jm-process-facts.bpf.h: what our BPF programs tell of processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Read by programs of the kernel and by ours. Times are in nanoseconds.
 */

#pragma once

#define JM_BPF_COMM_SIZE 16

/* In the order of the metrics. */
struct jm_bpf_io
{
  __u64 read_bytes;
  __u64 write_bytes;
  __u64 read_chars;
  __u64 write_chars;
  __u64 read_calls;
  __u64 write_calls;
};

/* A process: its first thread, and what its threads have in common. Those of its
 * threads that are not the first follow it, one jm_bpf_thread each. */
struct jm_bpf_process
{
  __u32 pid;
  __u32 ppid;
  __u32 processor;
  __u32 state; /* of the first thread, see jm_bpf_state_of() */
  __u32 flags; /* the first thread's PF_... */
  __u32 n_threads;
  __u32 is_root;       /* whether all four user ids are root's */
  __u32 n_files;       /* open ones */
  __u64 start_time_ns; /* since boot, time of sleep included */
  __u64 exec_ns;       /* CPU time of the first thread, and those that ended */
  __u64 user_ns;       /* shares of it as they were sampled, to be scaled */
  __u64 system_ns;
  __u64 child_user_ns;
  __u64 child_system_ns;
  __u64 child_faults;
  __u64 rss_pages;
  struct jm_bpf_io io; /* of the first thread and those that ended */
  char comm[JM_BPF_COMM_SIZE];
};
