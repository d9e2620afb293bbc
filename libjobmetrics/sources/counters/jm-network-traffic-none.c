/* jm-network-traffic-none.c: no programs for the kernel, without libbpf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-bpf-private.h"
#include "sources/counters/jm-network-traffic-private.h"

JmNetworkTraffic *
jm_network_traffic_new (JmHost *host, GError **error)
{
  jm_bpf_prepare (host, error);

  return NULL;
}

/* There is none of either. */
void
jm_network_traffic_free (JmNetworkTraffic *self)
{
}

JmNetworkCount *
jm_network_count_new (JmNetworkTraffic *traffic, const char *dir, GError **error)
{
  g_return_val_if_reached (NULL);
}

void
jm_network_count_free (JmNetworkCount *self)
{
}

gboolean
jm_network_count_read (JmNetworkCount *self,
                       JmNetworkSum *received,
                       JmNetworkSum *sent,
                       GError **error)
{
  g_return_val_if_reached (FALSE);
}
