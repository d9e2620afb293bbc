/* jm-topology-private.h: cores and sockets of the CPUs that are online
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmTopology:
 * @n_cores: physical cores, 0 where unknown
 * @n_sockets: processor packages, 0 where unknown
 *
 * Of what the CPUs that are online are parts.
 */
typedef struct
{
  guint n_cores;
  guint n_sockets;
} JmTopology;

gboolean jm_topology_read (JmTopology *self,
                           JmHost *host,
                           const char *online,
                           gsize length,
                           GError **error);

G_END_DECLS
