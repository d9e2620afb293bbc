/* jm-pull-targets-private.h: whose ledgers are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "io/jm-ledger-client-private.h"

G_BEGIN_DECLS

#define JM_PULL_TARGETS_MAX_BYTES (32 * 1024 * 1024)

typedef struct
{
  char *cluster;
  char *node;
  char *url;
} JmPullTarget;

/* Of a list as Prometheus' file_sd_configs has it, and `--discovery.file` writes it: of
 * JmPullTarget. The node is the label `__meta_jobmetrics_node`, or the target's host;
 * `__scheme__` may say https.
 *
 * - Errors: `INVALID`, with @path and what is wrong with it; those of reading. */
GPtrArray *
jm_pull_targets_parse (const char *path, const char *text, gsize size, GError **error);
GPtrArray *jm_pull_targets_read (const char *path, GError **error);

/* The same of http_sd_configs, as the cluster role's /discovery serves it. @client says
 * by what the server lets it in.
 *
 * - Errors: those of jm_http_ask() besides. */
GPtrArray *jm_pull_targets_fetch (const JmLedgerClient *client,
                                  const char *url,
                                  GCancellable *cancellable,
                                  GError **error);

/* Which clusters had a run within a day whose records could not be held to the
 * accounting's list of its nodes, as no name there is that of a target.
 *
 * Returns: (transfer full): sentences, by cluster */
GHashTable *jm_pull_targets_find_unmatched (const GPtrArray *targets,
                                            JmArchiveDatabase *store,
                                            GError **error);

/* Asks each of @targets, of JmPullTarget, for one record, many at once and for a minute
 * at most. Returns a text `CLUSTER/NODE: REASON` for each that fails, in their order,
 * and sets @n_unasked to how many were not asked in that time. */
GPtrArray *jm_pull_probe (const JmLedgerClient *client,
                          const GPtrArray *targets,
                          guint *n_unasked);

G_END_DECLS
