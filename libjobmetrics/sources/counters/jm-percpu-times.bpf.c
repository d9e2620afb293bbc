/* jm-percpu-times.bpf.c: how long cgroups ran on each CPU
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-kernel.bpf.h"

#include "sources/counters/jm-percpu-times.bpf.h"

/* What the kernel asks of programs that use its helpers for the GPL's alone. */
char licence[] SEC ("license") = "GPL";

/* --- settings --- */

const volatile __u32 n_cpus = 0;
__u64 current_round = 0;

/* The place of each cgroup that is asked for, by its number. */
struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, JM_BPF_PERCPU_CGROUPS);
  __type (key, __u64);
  __type (value, __u32);
} places SEC (".maps");

/* --- results --- */

/* Whether this kernel counts what we ask for. */
bool is_counted = false;

/* The round in which the times of a place were written last. */
struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (map_flags, BPF_F_MMAPABLE);
  __uint (max_entries, JM_BPF_PERCPU_CGROUPS);
  __type (key, __u32);
  __type (value, __u64);
} rounds SEC (".maps");

/* In nanoseconds; those of a place lie together. As many as there are CPUs for each,
 * which is known when the program is loaded. */
struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (map_flags, BPF_F_MMAPABLE);
  __uint (max_entries, JM_BPF_PERCPU_CGROUPS);
  __type (key, __u32);
  __type (value, __u64);
} times SEC (".maps");

/* --- where each CPU's own lies --- */

/* What the kernel keeps for each CPU has one address, to which is added how far that
 * CPU's lies from it. No kernel names that to programs, but they can look at something
 * of their own: its address, and where it is on a CPU. */
struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, __u32);
  __type (value, __u64);
} own SEC (".maps");

bool has_distances = false;
__u64 distances[JM_BPF_PERCPU_CPUS];

/* What is put here as a pointer is taken out as a number. */
volatile __u64 pointer;

static __always_inline void
find_distances (void)
{
  __u64 address = 0;
  __u32 zero = 0;

  pointer = (__u64) &own;
  if (bpf_probe_read_kernel (&address, sizeof address,
                             (void *) (pointer +
                                       bpf_core_field_offset (struct bpf_array,
                                                              pptrs))) != 0)
    return;

  for (__u32 cpu = 0; cpu < JM_BPF_PERCPU_CPUS && cpu < n_cpus; cpu++)
    {
      __u64 *there = bpf_map_lookup_percpu_elem (&own, &zero, cpu);

      if (there == NULL)
        continue;
      pointer = (__u64) there;
      distances[cpu] = pointer - address;
    }

  has_distances = true;
}

/* --- one cgroup --- */

/* CPUs keep what they count to themselves for a while. One of the two there is: the
 * second came with struct cgroup_rstat_base_cpu. */
extern void cgroup_rstat_flush (struct cgroup *cgroup) __ksym __weak;
extern void css_rstat_flush (struct cgroup_subsys_state *state) __ksym __weak;

static __always_inline void
gather (struct cgroup *cgroup)
{
  if (bpf_core_type_exists (struct cgroup_rstat_base_cpu))
    css_rstat_flush (&cgroup->self);
  else
    cgroup_rstat_flush (cgroup);
}

/* The address of a cgroup's time on whichever CPU; 0 where it is not counted. */
static __always_inline __u64
find_time (struct cgroup *cgroup)
{
  struct cgroup___old *old = (void *) cgroup;

  if (bpf_core_field_exists (struct cgroup_rstat_base_cpu, subtree_bstat))
    return (__u64) BPF_CORE_READ (cgroup, rstat_base_cpu) +
           bpf_core_field_offset (struct cgroup_rstat_base_cpu,
                                  subtree_bstat.cputime.sum_exec_runtime);
  if (bpf_core_field_exists (struct cgroup_rstat_cpu, subtree_bstat))
    return (__u64) BPF_CORE_READ (old, rstat_cpu) +
           bpf_core_field_offset (struct cgroup_rstat_cpu,
                                  subtree_bstat.cputime.sum_exec_runtime);

  return 0;
}

static __always_inline void
write_times (__u64 address, __u32 place)
{
  for (__u32 cpu = 0; cpu < JM_BPF_PERCPU_CPUS && cpu < n_cpus; cpu++)
    {
      __u32 index = place * n_cpus + cpu;
      __u64 *time_ns = bpf_map_lookup_elem (&times, &index);

      if (time_ns != NULL)
        bpf_probe_read_kernel (time_ns, sizeof *time_ns,
                               (void *) (address + distances[cpu]));
    }
}

/* It comes first to the topmost one, and gathers what is below. */
SEC ("iter.s/cgroup")
int
visit_cgroup (struct bpf_iter__cgroup *context)
{
  struct cgroup *cgroup = context->cgroup;
  __u64 address, id;
  __u64 *round;
  __u32 *place;

  if (cgroup == NULL)
    return 0;
  if (!has_distances)
    find_distances ();
  if (context->meta->seq_num == 0)
    gather (cgroup);

  address = find_time (cgroup);
  if (address == 0 || !has_distances)
    return 0;

  is_counted = true;
  id = cgroup->kn->id;
  place = bpf_map_lookup_elem (&places, &id);
  if (place == NULL)
    return 0;

  round = bpf_map_lookup_elem (&rounds, place);
  if (round == NULL)
    return 0;

  write_times (address, *place);
  *round = current_round;

  return 0;
}
