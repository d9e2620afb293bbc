/* jm-kernel.bpf.h: what our BPF programs know of the kernel
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Of each structure the members that we read, and no other: where these lie in the
 * kernel that runs is found out when a program is loaded. So a build needs neither
 * that kernel's types nor its headers.
 */

#pragma once

typedef unsigned char __u8;
typedef signed char __s8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef __u16 __sum16;
typedef _Bool bool;

enum
{
  false = 0,
  true = 1
};

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#ifndef NULL
# define NULL ((void *) 0)
#endif

#include <bpf/bpf_tracing.h>

/* Some of what <linux/bpf.h> has. */
enum
{
  BPF_MAP_TYPE_HASH = 1,
  BPF_MAP_TYPE_ARRAY = 2,
  BPF_MAP_TYPE_PERCPU_HASH = 5,
  BPF_MAP_TYPE_PERCPU_ARRAY = 6,
  BPF_MAP_TYPE_LRU_HASH = 9,
  BPF_MAP_TYPE_TASK_STORAGE = 29,
};

enum
{
  BPF_ANY = 0,
  BPF_NOEXIST = 1,
  BPF_LOCAL_STORAGE_GET_F_CREATE = 1,
  BPF_F_NO_PREALLOC = 1,
  BPF_F_MMAPABLE = 1024,
};

#define JM_COMM_SIZE 16

#define JM_KERNEL_TYPE __attribute__ ((preserve_access_index))

typedef struct
{
  int counter;
} atomic_t;

typedef struct
{
  long counter;
} atomic_long_t;

typedef struct
{
  unsigned int val;
} kuid_t;

struct list_head
{
  struct list_head *next;
} JM_KERNEL_TYPE;

struct thread_info
{
  __u32 cpu;
} JM_KERNEL_TYPE;

struct task_io_accounting
{
  __u64 rchar;
  __u64 wchar;
  __u64 syscr;
  __u64 syscw;
  __u64 read_bytes;
  __u64 write_bytes;
} JM_KERNEL_TYPE;

struct sched_entity
{
  __u64 sum_exec_runtime;
} JM_KERNEL_TYPE;

struct signal_struct
{
  atomic_t live;
  int nr_threads;
  __u64 utime;
  __u64 stime;
  __u64 cutime;
  __u64 cstime;
  unsigned long cmin_flt;
  unsigned long cmaj_flt;
  unsigned long long sum_sched_runtime;
  struct task_io_accounting ioac;
} JM_KERNEL_TYPE;

struct cred
{
  kuid_t uid;
  kuid_t suid;
  kuid_t euid;
  kuid_t fsuid;
} JM_KERNEL_TYPE;

struct percpu_counter
{
  __s64 count;
} JM_KERNEL_TYPE;

struct qstr
{
  __u32 len;
  const unsigned char *name;
} JM_KERNEL_TYPE;

struct super_block
{
  __u32 s_dev;
} JM_KERNEL_TYPE;

struct inode
{
  struct super_block *i_sb;
  unsigned long i_ino;
} JM_KERNEL_TYPE;

struct dentry
{
  struct dentry *d_parent;
  struct qstr d_name;
  struct inode *d_inode;
} JM_KERNEL_TYPE;

struct vfsmount
{
  struct dentry *mnt_root;
} JM_KERNEL_TYPE;

struct path
{
  struct vfsmount *mnt;
  struct dentry *dentry;
} JM_KERNEL_TYPE;

struct mount
{
  struct mount *mnt_parent;
  struct dentry *mnt_mountpoint;
  struct vfsmount mnt;
} JM_KERNEL_TYPE;

struct file
{
  struct path f_path;
  struct inode *f_inode;
} JM_KERNEL_TYPE;

struct mm_struct
{
  struct percpu_counter rss_stat[4]; /* since 6.2 */
  struct file *exe_file;
} JM_KERNEL_TYPE;

struct mm_rss_stat
{
  atomic_long_t count[4];
} JM_KERNEL_TYPE;

/* The same before 6.2. */
struct mm_struct___summed
{
  struct mm_rss_stat rss_stat;
} JM_KERNEL_TYPE;

struct fdtable
{
  unsigned int max_fds;
  unsigned long *open_fds;
} JM_KERNEL_TYPE;

struct files_struct
{
  struct fdtable *fdt;
} JM_KERNEL_TYPE;

struct kernfs_node
{
  __u64 id;
} JM_KERNEL_TYPE;

struct cgroup;

struct cgroup_subsys_state
{
  struct cgroup *cgroup;
  struct cgroup_subsys_state *parent;
} JM_KERNEL_TYPE;

struct task_cputime
{
  unsigned long long sum_exec_runtime;
} JM_KERNEL_TYPE;

struct cgroup_base_stat
{
  struct task_cputime cputime;
} JM_KERNEL_TYPE;

/* What a cgroup and all below it used on one CPU, since 6.16. */
struct cgroup_rstat_base_cpu
{
  struct cgroup_base_stat subtree_bstat;
} JM_KERNEL_TYPE;

/* The same before; since 6.6 with what is below it. */
struct cgroup_rstat_cpu
{
  struct cgroup_base_stat subtree_bstat;
} JM_KERNEL_TYPE;

struct cgroup
{
  struct cgroup_subsys_state self;
  struct kernfs_node *kn;
  struct cgroup_rstat_base_cpu *rstat_base_cpu;
} JM_KERNEL_TYPE;

struct cgroup___old
{
  struct cgroup_rstat_cpu *rstat_cpu;
} JM_KERNEL_TYPE;

struct css_set
{
  struct cgroup_subsys_state *subsys[16];
  struct cgroup *dfl_cgrp;
} JM_KERNEL_TYPE;

/* Their values are those of the kernel that runs. */
enum cgroup_subsys_id
{
  cpuset_cgrp_id,
  cpu_cgrp_id,
  cpuacct_cgrp_id,
  memory_cgrp_id,
  freezer_cgrp_id,
  devices_cgrp_id,
  pids_cgrp_id,
};

struct task_struct
{
  struct thread_info thread_info;
  unsigned int __state; /* since 5.14 */
  unsigned int flags;
  struct sched_entity se;
  struct mm_struct *mm;
  int exit_state;
  int pid;
  int tgid;
  struct task_struct *real_parent;
  struct task_struct *group_leader;
  __u64 utime;
  __u64 stime;
  __u64 start_time;
  __u64 start_boottime; /* since 5.5 */
  const struct cred *cred;
  char comm[JM_COMM_SIZE];
  struct files_struct *files;
  struct signal_struct *signal;
  struct task_io_accounting ioac;
  struct css_set *cgroups;
} JM_KERNEL_TYPE;

/* The same before 5.16, where the number of the CPU did not lie in thread_info, and
 * before 5.14, where the state had this name. */
struct task_struct___old
{
  long state;
  unsigned int cpu;
} JM_KERNEL_TYPE;

struct bpf_array
{
  void *pptrs[1];
} JM_KERNEL_TYPE;

struct seq_file;

struct bpf_iter_meta
{
  struct seq_file *seq;
  __u64 seq_num;
} JM_KERNEL_TYPE;

struct bpf_iter__cgroup
{
  struct bpf_iter_meta *meta;
  struct cgroup *cgroup;
} JM_KERNEL_TYPE;

struct bpf_iter__task
{
  struct bpf_iter_meta *meta;
  struct task_struct *task;
} JM_KERNEL_TYPE;
