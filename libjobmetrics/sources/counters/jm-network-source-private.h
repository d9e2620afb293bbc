/* jm-network-source-private.h: what jobs send and receive by IP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/counters/jm-counter-source-private.h"

G_BEGIN_DECLS

#define JM_TYPE_NETWORK_SOURCE (jm_network_source_get_type ())

G_DECLARE_FINAL_TYPE (JmNetworkSource, jm_network_source, JM, NETWORK_SOURCE, JmSource)

JmNetworkSource *jm_network_source_new (JmHost *host, GError **error);

G_END_DECLS
