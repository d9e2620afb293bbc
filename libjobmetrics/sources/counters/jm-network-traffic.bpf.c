/* jm-network-traffic.bpf.c: what the sockets of a cgroup send and receive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-network-traffic.bpf.h"

#define BPF_MAP_TYPE_CGROUP_STORAGE 19

/* What the kernel asks of programs that use its helpers for the GPL's alone. */
char licence[] SEC ("license") = "GPL";

/* As <linux/bpf.h> has it: the program's view of a packet, and the key of what is kept
 * for a cgroup. Both are the kernel's promise to programs, and never move. */
struct __sk_buff
{
  __u32 len;
  __u32 before_gso_segs[40];
  __u32 gso_segs;
};

_Static_assert(__builtin_offsetof(struct __sk_buff, gso_segs) == 164,
               "where the kernel has it");

struct bpf_cgroup_storage_key
{
  __u64 cgroup_inode_id;
  __u32 attach_type;
};

/* Room in each cgroup that a program is attached to, and for each direction. */
struct
{
  __uint (type, BPF_MAP_TYPE_CGROUP_STORAGE);
  __type (key, struct bpf_cgroup_storage_key);
  __type (value, struct jm_bpf_traffic);
} traffic SEC (".maps");

/* Packets that the card or the stack cuts up later, or has put together, count as what
 * they are on the wire. */
static __always_inline int
count (struct __sk_buff *packet)
{
  struct jm_bpf_traffic *sum = bpf_get_local_storage (&traffic, 0);
  __u32 segments = packet->gso_segs;

  __sync_fetch_and_add (&sum->packets, segments > 0 ? segments : 1);
  __sync_fetch_and_add (&sum->bytes, packet->len);

  /* it may pass */
  return 1;
}

SEC ("cgroup_skb/ingress")
int
on_received (struct __sk_buff *packet)
{
  return count (packet);
}

SEC ("cgroup_skb/egress")
int
on_sent (struct __sk_buff *packet)
{
  return count (packet);
}
