/* jm-file-calls.bpf.h: what the program and its reader share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#ifdef __bpf__
# include "host/jm-kernel.bpf.h"
#endif

/* What a system call does to a file. */
enum
{
  JM_BPF_CALL_NOTHING,
  JM_BPF_CALL_READS,
  JM_BPF_CALL_WRITES,
  JM_BPF_CALL_OPENS,
};

/* System calls have numbers below this. */
#define JM_BPF_MAX_CALLS 512

/* A job's cgroup. In each hierarchy they have numbers of their own. */
struct jm_bpf_place
{
  __u64 cgroup;
  __u32 is_v1;
  __u32 device; /* of the file system; 0 for the cgroup itself */
};

struct jm_bpf_calls
{
  __u64 reads;
  __u64 read_bytes;
  __u64 writes;
  __u64 written_bytes;
  __u64 opens;
  __u64 creates;
  __u64 read_errors;
  __u64 write_errors;
};
