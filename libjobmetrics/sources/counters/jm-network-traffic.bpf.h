/* jm-network-traffic.bpf.h: what the program and its reader share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#ifdef __bpf__
# include "host/jm-kernel.bpf.h"
#endif

/* One direction, of one cgroup. */
struct jm_bpf_traffic
{
  __u64 packets;
  __u64 bytes;
};
