/* jme-discovery.h: the nodes of clusters, for Prometheus to scrape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "host/jm-settings-private.h"

G_BEGIN_DECLS

void jme_discovery_add_settings (JmSettings *settings);

/* Errors: `INVALID` for a target in which no node stands. */
gboolean jme_discovery_check (const JmSettings *settings, GError **error);

/* Of the file to be written, or NULL. */
const char *jme_discovery_get_path (const JmSettings *settings);

/* Those of which the nodes are known. */
guint jme_discovery_count_clusters (JmSnapshot *snapshot);

/* As Prometheus' `http_sd_config` has it: a group for each node. */
GBytes *jme_discovery_render (const JmSettings *settings, JmSnapshot *snapshot);

G_END_DECLS
