/* jme-discovery-file.h: the nodes of clusters, in a file for Prometheus to read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
