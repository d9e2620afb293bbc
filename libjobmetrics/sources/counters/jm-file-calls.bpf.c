/* jm-file-calls.bpf.c: what jobs read and write of each file system
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-file-calls.bpf.h"

#define S_IFMT 0170000
#define S_IFREG 0100000
#define FMODE_CREATED 0x100000
#define TS_COMPAT 0x0002
#define MAX_DEPTH 8

/* What the kernel asks of programs that use its helpers for the GPL's alone. */
char licence[] SEC ("license") = "GPL";

/* --- of the kernel's structures, besides those that all our programs know --- */

struct pt_regs___x86
{
  unsigned long di;
  unsigned long orig_ax;
} JM_KERNEL_TYPE;

struct pt_regs___arm
{
  __u64 orig_x0;
  __s32 syscallno;
} JM_KERNEL_TYPE;

struct fdtable___files
{
  unsigned int max_fds;
  struct file **fd;
} JM_KERNEL_TYPE;

struct file___mode
{
  unsigned int f_mode;
} JM_KERNEL_TYPE;

struct inode___mode
{
  unsigned short i_mode;
} JM_KERNEL_TYPE;

struct thread_info___status
{
  __u32 status;
} JM_KERNEL_TYPE;

struct task_struct___status
{
  struct thread_info___status thread_info;
} JM_KERNEL_TYPE;

/* --- settings --- */

/* By number, what each call does. */
const volatile __u8 kinds[JM_BPF_MAX_CALLS] = { 0 };

/* Whether there are jobs in cgroups of version 1: they are distinguished by cpuacct. */
bool uses_v1 = false;

/* What had no room. */
__u64 n_lost = 0;

/* Jobs' cgroups. */
struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, 8192);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, struct jm_bpf_place);
  __type (value, __u32);
} jobs SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, 65536);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, struct jm_bpf_place);
  __type (value, struct jm_bpf_calls);
} calls SEC (".maps");

/* --- which call --- */

struct call
{
  __u32 kind;
  __u64 first_argument;
};

/* A program of 32 bits has other numbers. */
static __always_inline bool
is_compat (struct task_struct *task)
{
  struct task_struct___status *with_status = (void *) task;

  return bpf_core_field_exists (with_status->thread_info.status) &&
         (BPF_CORE_READ (with_status, thread_info.status) & TS_COMPAT) != 0;
}

static __always_inline bool
read_call (void *regs, struct call *call)
{
  struct pt_regs___x86 *x86 = regs;
  struct pt_regs___arm *arm = regs;
  __u64 number;

  if (bpf_core_field_exists (x86->orig_ax))
    {
      number = BPF_CORE_READ (x86, orig_ax);
      call->first_argument = BPF_CORE_READ (x86, di);
    }
  else if (bpf_core_field_exists (arm->syscallno))
    {
      number = (__u64) BPF_CORE_READ (arm, syscallno);
      call->first_argument = BPF_CORE_READ (arm, orig_x0);
    }
  else
    return false;

  if (number >= JM_BPF_MAX_CALLS)
    return false;
  call->kind = kinds[number & (JM_BPF_MAX_CALLS - 1)];

  return call->kind != JM_BPF_CALL_NOTHING;
}

/* --- which file --- */

static __always_inline struct file *
find_file (struct task_struct *task, __u64 number)
{
  struct fdtable___files *table = (void *) BPF_CORE_READ (task, files, fdt);
  struct file **files = BPF_CORE_READ (table, fd);
  struct file *file = NULL;

  if (number >= BPF_CORE_READ (table, max_fds))
    return NULL;

  bpf_probe_read_kernel (&file, sizeof file, files + number);

  return file;
}

/* Pipes, sockets and terminals are on none. */
static __always_inline __u32
find_device (struct file *file)
{
  struct inode *inode = BPF_CORE_READ (file, f_inode);
  struct inode___mode *with_mode = (void *) inode;

  if (inode == NULL || (BPF_CORE_READ (with_mode, i_mode) & S_IFMT) != S_IFREG)
    return 0;

  return BPF_CORE_READ (inode, i_sb, s_dev);
}

/* --- whose it is --- */

static __always_inline bool
is_job_above (struct cgroup *cgroup, struct jm_bpf_place *place)
{
  for (int i = 0; i < MAX_DEPTH; i++)
    {
      struct cgroup_subsys_state *parent;

      if (cgroup == NULL)
        return false;
      place->cgroup = BPF_CORE_READ (cgroup, kn, id);
      if (bpf_map_lookup_elem (&jobs, place) != NULL)
        return true;
      parent = BPF_CORE_READ (cgroup, self.parent);
      if (parent == NULL)
        return false;
      cgroup = BPF_CORE_READ (parent, cgroup);
    }

  return false;
}

static __always_inline struct cgroup *
get_v1_cgroup (struct task_struct *task)
{
  __u64 set = (__u64) BPF_CORE_READ (task, cgroups);
  __u64 offset = bpf_core_field_offset (struct css_set, subsys);
  struct cgroup_subsys_state *state = NULL;
  __u64 id;

  if (!bpf_core_enum_value_exists (enum cgroup_subsys_id, cpuacct_cgrp_id))
    return NULL;

  id = bpf_core_enum_value (enum cgroup_subsys_id, cpuacct_cgrp_id);
  bpf_probe_read_kernel (&state, sizeof state,
                         (void *) (set + offset + id * sizeof state));

  return state != NULL ? BPF_CORE_READ (state, cgroup) : NULL;
}

static __always_inline bool
find_job (struct task_struct *task, struct jm_bpf_place *place)
{
  if (uses_v1)
    {
      place->is_v1 = 1;
      if (is_job_above (get_v1_cgroup (task), place))
        return true;
      place->is_v1 = 0;
    }

  return is_job_above (BPF_CORE_READ (task, cgroups, dfl_cgrp), place);
}

/* --- counting --- */

static __always_inline struct jm_bpf_calls *
get_calls (const struct jm_bpf_place *place)
{
  struct jm_bpf_calls *sum = bpf_map_lookup_elem (&calls, place);
  struct jm_bpf_calls none = { 0 };

  if (sum != NULL)
    return sum;

  bpf_map_update_elem (&calls, place, &none, BPF_NOEXIST);

  return bpf_map_lookup_elem (&calls, place);
}

static __always_inline void
add (struct jm_bpf_calls *sum, __u32 kind, long result, struct file *file)
{
  struct file___mode *with_mode = (void *) file;

  if (result < 0)
    __sync_fetch_and_add (kind == JM_BPF_CALL_READS ? &sum->read_errors
                                                    : &sum->write_errors,
                          1);
  else if (kind == JM_BPF_CALL_READS)
    {
      __sync_fetch_and_add (&sum->reads, 1);
      __sync_fetch_and_add (&sum->read_bytes, result);
    }
  else if (kind == JM_BPF_CALL_WRITES)
    {
      __sync_fetch_and_add (&sum->writes, 1);
      __sync_fetch_and_add (&sum->written_bytes, result);
    }
  else
    {
      __sync_fetch_and_add (&sum->opens, 1);
      if ((BPF_CORE_READ (with_mode, f_mode) & FMODE_CREATED) != 0)
        __sync_fetch_and_add (&sum->creates, 1);
    }
}

SEC ("tp_btf/sys_exit")
int
BPF_PROG (on_call, void *regs, long result)
{
  struct task_struct *task = (void *) bpf_get_current_task ();
  struct jm_bpf_place place = { 0 };
  struct jm_bpf_calls *sum;
  struct call call = { 0 };
  struct file *file;
  __u32 device;

  if (!read_call (regs, &call) || (result < 0 && call.kind == JM_BPF_CALL_OPENS) ||
      is_compat (task) || !find_job (task, &place))
    return 0;

  file = find_file (task, call.kind == JM_BPF_CALL_OPENS ? (__u64) result
                                                         : call.first_argument);
  device = file != NULL ? find_device (file) : 0;
  if (device == 0)
    return 0;

  place.device = device;
  sum = get_calls (&place);
  if (sum != NULL)
    add (sum, call.kind, result, file);
  else
    __sync_fetch_and_add (&n_lost, 1);

  return 0;
}
