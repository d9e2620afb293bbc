/* jm-cluster-targets-private.h: what a site has agreed that somebody gets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "cluster/jm-cluster-teller-private.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;
  char *cluster;
  char *account; /* NULL for the whole cluster */
  gboolean is_of_gpus;
  guint64 total_us; /* of one CPU, or GPU */
  gint64 from_s;    /* seconds since 1970 */
  gint64 to_s;      /* the first that is behind it */
} JmClusterTarget;

/* Of a key file with a group `Target NAME` for each: of JmClusterTarget, in the file's
 * order. Errors: `INVALID`, with @path, group, key and value; those of reading. */
GPtrArray *jm_cluster_targets_parse (const char *path,
                                     const char *text,
                                     gsize size,
                                     GError **error);
GPtrArray *jm_cluster_targets_read (const char *path, GError **error);

/* About the present subject, which is the cluster: those that are its own. */
void jm_cluster_tell_targets (const JmClusterTeller *teller,
                              const GPtrArray *targets,
                              gint64 now_us);

G_END_DECLS
