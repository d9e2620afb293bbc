/* jm-network-traffic-private.h: what the sockets of a cgroup send and receive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/* The program that counts, in the kernel. */
typedef struct _JmNetworkTraffic JmNetworkTraffic;

/* The same, attached to one cgroup: until it is freed, or the cgroup goes. */
typedef struct _JmNetworkCount JmNetworkCount;

typedef struct
{
  guint64 packets;
  guint64 bytes;
} JmNetworkSum;

/* Errors: ABSENT where this kernel or build has no BPF; DENIED without CAP_BPF. */
JmNetworkTraffic *jm_network_traffic_new (JmHost *host, GError **error);
void jm_network_traffic_free (JmNetworkTraffic *self);

/* Errors: DENIED without CAP_NET_ADMIN; UNAVAILABLE where the cgroup takes no program.
 */
JmNetworkCount *
jm_network_count_new (JmNetworkTraffic *traffic, const char *dir, GError **error);
void jm_network_count_free (JmNetworkCount *self);

gboolean jm_network_count_read (JmNetworkCount *self,
                                JmNetworkSum *received,
                                JmNetworkSum *sent,
                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmNetworkCount, jm_network_count_free)

G_END_DECLS
