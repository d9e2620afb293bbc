/* jm-process-feed.bpf.c: what all processes use, and what those used that have ended
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-kernel.bpf.h"

#include "sources/process/jm-process-feed.bpf.h"

#define PF_EXITING 0x00000004
#define PF_KTHREAD 0x00200000
#define EXIT_DEAD 0x0010
#define TASK_REPORT 0x7f
#define TASK_IDLE 0x0402
#define PATH_DEPTH 24
#define PATH_TEXT 512
#define NAME_MAX 255
#define FD_WORDS 1024
#define MAX_LOOKS 8

/* What the kernel asks of programs that use its helpers for the GPL's alone. */
char licence[] SEC ("license") = "GPL";

/* --- settings --- */

/* The controller in whose hierarchy jobs are distinguished; with neither it is v2's. */
const volatile bool uses_cpuacct = false;
const volatile bool uses_memory = false;

/* Which of the two tables of sums is written to, and how many are about to write to
 * each: the other one is read when nobody is. */
volatile __u32 epoch = 0;
__u32 n_writers[2] = { 0, 0 };

/* What was put into the tables of the dead, and what had no room in some table. */
__u64 n_ended = 0;
__u64 n_summed = 0;
__u64 n_lost = 0;

/* --- what we keep --- */

/* A process, by its signal_struct: the one number that is not given away before the
 * last of its threads has been reported. */
struct process
{
  struct jm_bpf_use ended; /* of its threads that did */
  struct jm_bpf_file file;
  __u32 is_told;
};

struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, 131072);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, __u64);
  __type (value, struct process);
} processes SEC (".maps");

struct sums
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, 8192);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, struct jm_bpf_sum_key);
  __type (value, struct jm_bpf_sum);
} sums_even SEC (".maps"), sums_odd SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, 32768);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, __u64);
  __type (value, struct jm_bpf_ended);
} ended SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 1024);
  __type (key, struct jm_bpf_file);
  __type (value, struct jm_bpf_path);
} paths SEC (".maps");

/* Room for what the stack has none. */
struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, __u32);
  __type (value, struct jm_bpf_path);
} path_room SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, __u32);
  __type (value, struct jm_bpf_ended);
} ended_room SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, __u32);
  __type (value, struct jm_bpf_process);
} process_room SEC (".maps");

/* --- one task --- */

static __always_inline void
read_use (struct task_struct *task, struct jm_bpf_use *use)
{
  use->exec_ns = task->se.sum_exec_runtime;
  use->user_ns = task->utime;
  use->system_ns = task->stime;
  use->io[0] = task->ioac.read_bytes;
  use->io[1] = task->ioac.write_bytes;
  use->io[2] = task->ioac.rchar;
  use->io[3] = task->ioac.wchar;
  use->io[4] = task->ioac.syscr;
  use->io[5] = task->ioac.syscw;
}

static __always_inline void
add_atomically (struct jm_bpf_use *sum, const struct jm_bpf_use *use)
{
  __sync_fetch_and_add (&sum->exec_ns, use->exec_ns);
  __sync_fetch_and_add (&sum->user_ns, use->user_ns);
  __sync_fetch_and_add (&sum->system_ns, use->system_ns);
  for (int i = 0; i < 6; i++)
    __sync_fetch_and_add (&sum->io[i], use->io[i]);
}

static __always_inline void
add_use (struct jm_bpf_use *sum, const struct jm_bpf_use *use)
{
  sum->exec_ns += use->exec_ns;
  sum->user_ns += use->user_ns;
  sum->system_ns += use->system_ns;
  for (int i = 0; i < 6; i++)
    sum->io[i] += use->io[i];
}

static __always_inline __u32
read_processor (struct task_struct *task)
{
  struct task_struct___old *old = (void *) task;

  if (bpf_core_field_exists (task->thread_info.cpu))
    return task->thread_info.cpu;
  if (bpf_core_field_exists (old->cpu))
    return old->cpu;

  return ~0u;
}

/* As fs/proc/array.c names it: the number of the highest bit that is set. */
static __always_inline __u32
read_state (struct task_struct *task)
{
  struct task_struct___old *old = (void *) task;
  __u32 state =
    bpf_core_field_exists (task->__state) ? task->__state : (__u32) old->state;
  __u32 bits = (state | (__u32) task->exit_state) & TASK_REPORT;

  if ((state & TASK_IDLE) == TASK_IDLE)
    return 8;
  if (bits & 0x40)
    return 7;
  if (bits & 0x20)
    return 6;
  if (bits & 0x10)
    return 5;
  if (bits & 0x08)
    return 4;
  if (bits & 0x04)
    return 3;
  if (bits & 0x02)
    return 2;

  return bits & 0x01;
}

static __always_inline bool
is_root (struct task_struct *task)
{
  const struct cred *cred = task->cred;

  return cred != NULL &&
         (cred->uid.val | cred->euid.val | cred->suid.val | cred->fsuid.val) == 0;
}

/* --- the file that it runs --- */

static __always_inline void
read_file (struct file *exe, struct jm_bpf_file *file)
{
  struct inode *inode = BPF_CORE_READ (exe, f_inode);

  file->inode = BPF_CORE_READ (inode, i_ino);
  file->device = BPF_CORE_READ (inode, i_sb, s_dev);
}

static __always_inline void
prepend (struct jm_bpf_path *path, __u32 *position, struct dentry *dentry)
{
  __u32 length = BPF_CORE_READ (dentry, d_name.len) & NAME_MAX;
  const unsigned char *name = BPF_CORE_READ (dentry, d_name.name);

  if (length + 1 > *position)
    return;

  *position = (*position - length) & (PATH_TEXT - 1);
  bpf_probe_read_kernel (&path->text[*position], length, name);
  *position = (*position - 1) & (PATH_TEXT - 1);
  path->text[*position] = '/';
}

/* Of a file that lies too deep the end is reported. */
static __always_inline void
write_path (struct file *exe, struct jm_bpf_path *path)
{
  struct vfsmount *mount = BPF_CORE_READ (exe, f_path.mnt);
  struct dentry *dentry = BPF_CORE_READ (exe, f_path.dentry);
  __u32 position = PATH_TEXT - 1;

  for (int i = 0; i < PATH_DEPTH; i++)
    {
      struct dentry *parent = BPF_CORE_READ (dentry, d_parent);

      if (dentry == BPF_CORE_READ (mount, mnt_root) || dentry == parent)
        {
          struct mount *whole =
            (void *) mount - bpf_core_field_offset (struct mount, mnt);
          struct mount *above = BPF_CORE_READ (whole, mnt_parent);

          if (above == whole)
            break;
          dentry = BPF_CORE_READ (whole, mnt_mountpoint);
          mount = (void *) above + bpf_core_field_offset (struct mount, mnt);
          continue;
        }

      prepend (path, &position, dentry);
      dentry = parent;
    }

  path->start = position;
}

static __always_inline void
note_path (struct file *exe, const struct jm_bpf_file *file)
{
  __u32 zero = 0;
  struct jm_bpf_path *room;

  if (file->inode == 0 || bpf_map_lookup_elem (&paths, file) != NULL)
    return;

  room = bpf_map_lookup_elem (&path_room, &zero);
  if (room == NULL)
    return;

  write_path (exe, room);
  bpf_map_update_elem (&paths, file, room, BPF_ANY);
}

static __always_inline void
find_file (struct task_struct *task, struct jm_bpf_file *file)
{
  struct file *exe = BPF_CORE_READ (task, mm, exe_file);

  if (exe == NULL)
    return;

  read_file (exe, file);
  note_path (exe, file);
}

/* --- where it belongs --- */

static __always_inline struct cgroup *
get_cgroup (struct task_struct *task)
{
  __u64 set = (__u64) BPF_CORE_READ (task, cgroups);
  __u64 offset = bpf_core_field_offset (struct css_set, subsys);
  struct cgroup_subsys_state *state = NULL;
  __u64 id;

  if (uses_cpuacct &&
      bpf_core_enum_value_exists (enum cgroup_subsys_id, cpuacct_cgrp_id))
    id = bpf_core_enum_value (enum cgroup_subsys_id, cpuacct_cgrp_id);
  else if (uses_memory &&
           bpf_core_enum_value_exists (enum cgroup_subsys_id, memory_cgrp_id))
    id = bpf_core_enum_value (enum cgroup_subsys_id, memory_cgrp_id);
  else
    return BPF_CORE_READ (task, cgroups, dfl_cgrp);

  bpf_probe_read_kernel (&state, sizeof state,
                         (void *) (set + offset + id * sizeof state));

  return BPF_CORE_READ (state, cgroup);
}

static __always_inline void
read_above (struct cgroup *cgroup, __u64 above[JM_BPF_N_ABOVE])
{
  for (int i = 0; i < JM_BPF_N_ABOVE; i++)
    {
      struct cgroup_subsys_state *parent = BPF_CORE_READ (cgroup, self.parent);

      if (parent == NULL)
        break;
      cgroup = BPF_CORE_READ (parent, cgroup);
      above[i] = BPF_CORE_READ (cgroup, kn, id);
    }
}

/* --- births --- */

SEC ("tp_btf/sched_process_fork")
int
BPF_PROG (on_fork, struct task_struct *parent, struct task_struct *child)
{
  struct process process = { 0 };
  __u64 key = (__u64) child->signal;

  if (child->pid != child->tgid || (child->flags & PF_KTHREAD) != 0)
    return 0;

  find_file (parent, &process.file);
  if (bpf_map_update_elem (&processes, &key, &process, BPF_ANY) != 0)
    __sync_fetch_and_add (&n_lost, 1);

  return 0;
}

SEC ("tp_btf/sched_process_exec")
int
BPF_PROG (on_exec, struct task_struct *task)
{
  __u64 key = (__u64) task->signal;
  struct process *process = bpf_map_lookup_elem (&processes, &key);

  if (process != NULL)
    find_file (task, &process->file);

  return 0;
}

/* --- deaths --- */

static __always_inline void
add_to_sums (void *sums,
             const struct jm_bpf_sum_key *key,
             const struct jm_bpf_sum *added)
{
  struct jm_bpf_sum *sum = bpf_map_lookup_elem (sums, key);

  if (sum == NULL)
    {
      if (bpf_map_update_elem (sums, key, added, BPF_NOEXIST) == 0)
        return;
      sum = bpf_map_lookup_elem (sums, key);
    }
  if (sum == NULL)
    {
      __sync_fetch_and_add (&n_lost, 1);
      return;
    }

  add_atomically (&sum->use, &added->use);
  __sync_fetch_and_add (&sum->n_processes, added->n_processes);
}

static __always_inline void
describe (struct task_struct *task, struct jm_bpf_ended *record)
{
  struct cgroup *cgroup = get_cgroup (task);

  __builtin_memset (record, 0, sizeof *record);
  record->pid = (__u32) task->tgid;
  record->key.cgroup = BPF_CORE_READ (cgroup, kn, id);
  record->key.is_root = is_root (task);
  record->sum.start_ns = task->start_boottime;
  read_above (cgroup, record->sum.above);
  bpf_probe_read_kernel (record->sum.comm, sizeof record->sum.comm, task->comm);
}

/* Says into which table to write, once those who read know of us. Who was held up while
 * the tables changed places looks again: that table may be being emptied by now. */
static __always_inline bool
begin_writing (__u32 *table)
{
  for (int i = 0; i < MAX_LOOKS; i++)
    {
      __u32 current = epoch & 1;
      __u32 before = __sync_fetch_and_add (&n_writers[current], 1);

      if ((epoch & 1) == current)
        {
          *table = current;
          return true;
        }
      __sync_fetch_and_sub (&n_writers[current], before < ~0u);
    }

  return false;
}

static __always_inline void
add_ended (const struct jm_bpf_ended *record)
{
  __u32 table;

  if (!begin_writing (&table))
    {
      __sync_fetch_and_add (&n_lost, 1);
      return;
    }

  if (table == 0)
    add_to_sums (&sums_even, &record->key, &record->sum);
  else
    add_to_sums (&sums_odd, &record->key, &record->sum);

  __sync_fetch_and_add (&n_summed, 1);
  __sync_fetch_and_sub (&n_writers[table & 1], 1);
}

/* A thread that is not the last of its process adds to that; one that is reported after
 * its process has nobody left to add to. Returns whether there is nothing more to do.
 */
static __always_inline bool
leave (struct task_struct *task, const __u64 *key, const struct jm_bpf_use *use)
{
  struct process *process = bpf_map_lookup_elem (&processes, key);

  if (process == NULL)
    return false;

  add_atomically (&process->ended, use);
  return true;
}

/* Only when a task is let go has it been charged for all that it did, its own end
 * included. */
SEC ("tp_btf/sched_process_free")
int
BPF_PROG (on_free, struct task_struct *task)
{
  __u64 key = (__u64) task->signal;
  bool is_first = task->pid == task->tgid;
  struct jm_bpf_use use;
  struct process *process;
  struct jm_bpf_ended *record;
  __u32 zero = 0;

  if ((task->flags & PF_KTHREAD) != 0)
    return 0;

  read_use (task, &use);
  if (!is_first && leave (task, &key, &use))
    return 0;

  record = bpf_map_lookup_elem (&ended_room, &zero);
  if (record == NULL)
    return 0;

  describe (task, record);
  record->sum.use = use;
  record->sum.n_processes = is_first;
  process = bpf_map_lookup_elem (&processes, &key);
  if (process != NULL)
    {
      bool is_told = process->is_told;

      record->key.file = process->file;
      add_use (&record->sum.use, &process->ended);
      bpf_map_delete_elem (&processes, &key);
      if (is_told)
        {
          bool is_full = bpf_map_update_elem (&ended, &key, record, BPF_ANY) != 0;

          __sync_fetch_and_add (is_full ? &n_lost : &n_ended, 1);
          return 0;
        }
    }

  add_ended (record);
  return 0;
}

/* --- the living --- */

static __always_inline __u64
read_rss (struct mm_struct *mm)
{
  struct mm_struct___summed *summed = (void *) mm;
  __s64 pages[4] = { 0 }; /* of files, anonymous, in swap, shared */
  __u64 sum = 0;

  if (mm == NULL)
    return 0;

  if (bpf_core_field_exists (summed->rss_stat.count))
    bpf_core_read (pages, sizeof pages, &summed->rss_stat.count);
  else
    {
      pages[0] = mm->rss_stat[0].count;
      pages[1] = mm->rss_stat[1].count;
      pages[3] = mm->rss_stat[3].count;
    }

  /* each is kept by every CPU on its own for a while, so one may be below 0 */
  for (int i = 0; i < 4; i++)
    if (i != 2 && pages[i] > 0)
      sum += (__u64) pages[i];

  return sum;
}

static __always_inline __u32
count_bits (__u64 word)
{
  word = word - ((word >> 1) & 0x5555555555555555ull);
  word = (word & 0x3333333333333333ull) + ((word >> 2) & 0x3333333333333333ull);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0full;

  return (__u32) ((word * 0x0101010101010101ull) >> 56);
}

static __always_inline __u32
count_files (struct task_struct *task)
{
  struct files_struct *files = task->files;
  struct fdtable *table;
  const unsigned long *words;
  __u32 n_words;
  __u32 n = 0;

  if (files == NULL)
    return 0;

  table = files->fdt;
  n_words = table->max_fds / 64;
  words = table->open_fds;
  for (__u32 i = 0; i < FD_WORDS && i < n_words; i++)
    {
      __u64 word = 0;

      bpf_probe_read_kernel (&word, sizeof word, words + i);
      n += count_bits (word);
    }

  return n_words <= FD_WORDS ? n : ~0u;
}

static __always_inline void
read_signal_io (struct signal_struct *signal, __u64 io[6])
{
  io[0] = signal->ioac.read_bytes;
  io[1] = signal->ioac.write_bytes;
  io[2] = signal->ioac.rchar;
  io[3] = signal->ioac.wchar;
  io[4] = signal->ioac.syscr;
  io[5] = signal->ioac.syscw;
}

/* One that began before we did: what its threads used that are no more, the kernel has
 * added to what its children read and wrote. */
static __always_inline struct process *
adopt (struct task_struct *task, const __u64 *key)
{
  struct process process = { 0 };
  struct signal_struct *signal = task->signal;

  process.ended.exec_ns = signal->sum_sched_runtime;
  process.ended.user_ns = signal->utime;
  process.ended.system_ns = signal->stime;
  read_signal_io (signal, process.ended.io);
  find_file (task, &process.file);
  bpf_map_update_elem (&processes, key, &process, BPF_NOEXIST);

  return bpf_map_lookup_elem (&processes, key);
}

static __always_inline void
fill_task (struct task_struct *task, struct jm_bpf_task *record)
{
  record->pid = (__u32) task->pid;
  record->tgid = (__u32) task->tgid;
  record->processor = read_processor (task);
  record->state = read_state (task);
  read_use (task, &record->use);
}

/* The kernel adds what threads that ended read and wrote to what children did. */
static __always_inline void
read_child_io (struct signal_struct *signal,
               const struct jm_bpf_use *ended,
               __u64 io[6])
{
  read_signal_io (signal, io);
  for (int i = 0; i < 6; i++)
    io[i] = io[i] > ended->io[i] ? io[i] - ended->io[i] : 0;
}

static __always_inline void
fill_process (struct task_struct *task, struct jm_bpf_process *record)
{
  struct signal_struct *signal = task->signal;

  record->ppid = (__u32) task->real_parent->tgid;
  record->n_threads = (__u32) signal->nr_threads;
  record->n_files = count_files (task);
  record->is_root = is_root (task);
  record->start_ns = task->start_boottime;
  record->child_user_ns = signal->cutime;
  record->child_system_ns = signal->cstime;
  record->rss_pages = read_rss (task->mm);
  record->cgroup =
    signal->live.counter > 0 ? BPF_CORE_READ (get_cgroup (task), kn, id) : 0;
  bpf_probe_read_kernel (record->comm, sizeof record->comm, task->comm);
}

SEC ("iter/task")
int
list_tasks (struct bpf_iter__task *context)
{
  struct task_struct *task = context->task;
  struct jm_bpf_process *record;
  struct process *process;
  __u64 key;
  __u32 zero = 0;

  /* what is dead will be let go, and reported then */
  if (task == NULL || (task->flags & PF_KTHREAD) != 0 ||
      (task->exit_state & EXIT_DEAD) != 0)
    return 0;

  record = bpf_map_lookup_elem (&process_room, &zero);
  if (record == NULL)
    return 0;

  fill_task (task, &record->task);
  if (task->pid != task->tgid)
    {
      bpf_seq_write (context->meta->seq, &record->task, sizeof record->task);
      return 0;
    }

  key = (__u64) task->signal;
  process = bpf_map_lookup_elem (&processes, &key);
  if (process == NULL)
    process = adopt (task, &key);
  if (process == NULL)
    {
      __sync_fetch_and_add (&n_lost, 1);
      return 0;
    }

  process->is_told = 1;
  fill_process (task, record);
  record->file = process->file;
  read_child_io (task->signal, &process->ended, record->child_io);
  add_use (&record->task.use, &process->ended);
  bpf_seq_write (context->meta->seq, record, sizeof *record);

  return 0;
}
