/* jm-cluster-file-private.h: what the scheduler's own file calls the cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "host/jm-parse-private.h"

G_BEGIN_DECLS

/* Finds the first line `KEY = VALUE` of a text, however KEY's letters are written,
 * where VALUE may be a cluster's name: letters, digits and `_.-`, at most 64, in quotes
 * or not. What follows a `#` is no part of a line. Without a key, the first line has to
 * be the name. */
gboolean
jm_cluster_file_find (const char *text, gsize length, const char *key, JmSlice *value);

/* What the group `Cluster` of a definition says. */
typedef struct _JmClusterFile JmClusterFile;

JmClusterFile *jm_cluster_file_new (void);
void jm_cluster_file_free (JmClusterFile *self);

/* Understands a key of that group; what is wrong is told, and the value. */
gboolean jm_cluster_file_add (JmClusterFile *self,
                              GKeyFile *file,
                              const char *key,
                              GError **error);
gboolean jm_cluster_file_check (const JmClusterFile *self, GError **error);

/* What the first of the files that is there and has the key calls the cluster, in small
 * letters, as Slurm's daemons and accounting have it; NULL where none tells. Of a file
 * 1 MiB is read. */
char *jm_cluster_file_read (const JmClusterFile *self, JmHost *host);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmClusterFile, jm_cluster_file_free)

G_END_DECLS
