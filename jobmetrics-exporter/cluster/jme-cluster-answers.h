/* jme-cluster-answers.h: what the cluster role answers: a page, and nodes for
 * Prometheus to scrape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* @trace_path is NULL where nothing is traced. */
GBytes *jme_cluster_page_render (JmSnapshot *snapshot,
                                 const char *metrics_path,
                                 const char *trace_path);

void jme_discovery_add_settings (JmSettings *settings);

/* Errors: `INVALID` for a target in which no node stands. */
gboolean jme_discovery_check (const JmSettings *settings, GError **error);

/* Of the file to be written, or NULL. */
const char *jme_discovery_get_path (const JmSettings *settings);

/* Those of which the nodes are known. */
guint jme_discovery_count_clusters (JmSnapshot *snapshot);

/* As Prometheus' `http_sd_config` has it: a group for each node. */
GBytes *jme_discovery_render (const JmSettings *settings, JmSnapshot *snapshot);

/* A file as Prometheus' `file_sd_config` has it, which is replaced as a whole. */
typedef struct _JmeDiscoveryFile JmeDiscoveryFile;

JmeDiscoveryFile *jme_discovery_file_new (const char *path);
void jme_discovery_file_free (JmeDiscoveryFile *self);

/* Writes it, if it is not what was written last. Everybody may read it. Errors, which
 * name the file, leave the one before as it is; the next time it is tried again. */
gboolean
jme_discovery_file_write (JmeDiscoveryFile *self, GBytes *targets, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeDiscoveryFile, jme_discovery_file_free)

G_END_DECLS
