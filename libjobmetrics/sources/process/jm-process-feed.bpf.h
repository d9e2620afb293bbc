/* jm-process-feed.bpf.h: what our BPF programs report of processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Read by programs of the kernel and by ours. Times are in nanoseconds.
 */

#pragma once

#define JM_BPF_COMM_SIZE 16
#define JM_BPF_PATH_SIZE 768

/* How many cgroups above that of a process are reported. */
#define JM_BPF_N_ABOVE 4

/* The letters of jm_bpf_task.state, as in /proc/PID/stat; bit n is letter n + 1. */
#define JM_BPF_STATES "RSDTtXZPI"

/* What a task used itself. The figures of io are in the order of their metrics. */
struct jm_bpf_use
{
  __u64 exec_ns; /* as the scheduler counts it */
  __u64 user_ns; /* as ticks of the clock sampled it */
  __u64 system_ns;
  __u64 io[6];
};

/* A thread. Of the first one of a process, `use` has that of those which ended too. */
struct jm_bpf_task
{
  __u32 pid;
  __u32 tgid;
  __u32 processor;
  __u32 state; /* index into JM_BPF_STATES */
  struct jm_bpf_use use;
};

/* Where the file of a program lies. */
struct jm_bpf_file
{
  __u64 inode;
  __u64 device;
};

/* The first thread of a process, and what all of its threads have in common. */
struct jm_bpf_process
{
  struct jm_bpf_task task;
  __u32 ppid;
  __u32 n_threads;
  __u32 n_files;  /* that are open */
  __u32 is_root;  /* all user ids are root's */
  __u64 start_ns; /* since boot, sleep included */
  __u64 child_user_ns;
  __u64 child_system_ns;
  __u64 rss_pages;
  __u64 child_io[6]; /* of children that were waited for */
  __u64 cgroup;      /* that lists it; 0 where it is dead and none does */
  struct jm_bpf_file file;
  char comm[JM_BPF_COMM_SIZE];
};

/* What distinguishes processes that were not seen alive. */
struct jm_bpf_sum_key
{
  __u64 cgroup;
  struct jm_bpf_file file;
  __u64 is_root;
};

struct jm_bpf_sum
{
  struct jm_bpf_use use;
  __u64 n_processes;
  __u64 start_ns; /* of one of them */
  __u64 above[JM_BPF_N_ABOVE];
  char comm[JM_BPF_COMM_SIZE]; /* of one of them */
};

/* One that was reported before it ended. */
struct jm_bpf_ended
{
  struct jm_bpf_sum_key key;
  struct jm_bpf_sum sum;
  __u32 pid;
  __u32 padding;
};

struct jm_bpf_path
{
  __u32 start; /* the text ends with the array */
  char text[JM_BPF_PATH_SIZE];
};
