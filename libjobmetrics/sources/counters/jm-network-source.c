/* jm-network-source.c: what jobs send and receive by IP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-counter-types-private.h"

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "sources/counters/jm-network-traffic-private.h"

/* Counts packets of IP by cgroup, with a BPF program that the kernel runs for each
 * (BPF_PROG_TYPE_CGROUP_SKB). A socket is of the cgroup in which it was made, and of
 * those above; it takes cgroup v2.
 *
 * - Shape: bytes and packets, in each direction.
 * - Errors: ABSENT on a copied tree, and where kernel or build have no BPF; DENIED
 *   without CAP_BPF and CAP_NET_ADMIN. */
struct _JmNetworkSource
{
  JmSource parent_instance;

  JmNetworkTraffic *traffic;
};

static void counter_source_iface_init (JmCounterSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmNetworkSource,
                               jm_network_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_COUNTER_SOURCE,
                                                      counter_source_iface_init))

static gboolean
jm_network_source_open (JmSource *source, GError **error)
{
  JmNetworkSource *self = JM_NETWORK_SOURCE (source);

  self->traffic = jm_network_traffic_new (jm_source_get_host (source), error);

  return self->traffic != NULL;
}

static gpointer
jm_network_source_open_cgroup (JmCounterSource *source, const char *dir, GError **error)
{
  return jm_network_count_new (JM_NETWORK_SOURCE (source)->traffic, dir, error);
}

static gboolean
jm_network_source_read (JmCounterSource *source,
                        gpointer cgroup,
                        JmReadings *readings,
                        GError **error)
{
  JmNetworkSum received, sent;

  if (!jm_network_count_read (cgroup, &received, &sent, error))
    return FALSE;

  jm_readings_add (readings, JM_METRIC_NETWORK_RECEIVED_BYTES, received.bytes);
  jm_readings_add (readings, JM_METRIC_NETWORK_RECEIVED_PACKETS, received.packets);
  jm_readings_add (readings, JM_METRIC_NETWORK_SENT_BYTES, sent.bytes);
  jm_readings_add (readings, JM_METRIC_NETWORK_SENT_PACKETS, sent.packets);

  return TRUE;
}

static void
jm_network_source_close_cgroup (JmCounterSource *source, gpointer cgroup)
{
  jm_network_count_free (cgroup);
}

static void
counter_source_iface_init (JmCounterSourceInterface *iface)
{
  iface->collector = JM_COLLECTOR_NETWORK;
  iface->open_cgroup = jm_network_source_open_cgroup;
  iface->read = jm_network_source_read;
  iface->close_cgroup = jm_network_source_close_cgroup;
}

static void
jm_network_source_finalize (GObject *object)
{
  g_clear_pointer (&JM_NETWORK_SOURCE (object)->traffic, jm_network_traffic_free);

  G_OBJECT_CLASS (jm_network_source_parent_class)->finalize (object);
}

static void
jm_network_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice, "CAP_BPF and CAP_NET_ADMIN", "network.conf");
}

static void
jm_network_source_class_init (JmNetworkSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_network_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_network_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_network_source_advise;
}

static void
jm_network_source_init (JmNetworkSource *self)
{
}

JmNetworkSource *
jm_network_source_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_NETWORK_SOURCE, NULL, error, "host", host, NULL);
}
