/* jm-archive-private.h: the two kinds of an archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "archive/jm-archive.h"

G_BEGIN_DECLS

/* A database that one may read, and so sees all of. */
JmArchive *jm_archive_open_database (const char *uri, GError **error);

/* A server: `https://HOST`, or `unix:PATH` of its local socket. */
gboolean jm_archive_is_server (const char *place);
JmArchive *jm_archive_open_server (const char *url,
                                   const char *login_file,
                                   const char *ca_file,
                                   GError **error);

const char *jm_archive_get_name (JmArchive *self);

/* What jm_archive_list_statistics() returns: of an array of JmRunStatistics; and of the
 * answer of a server, which may be NULL.
 *
 * - Errors: `MALFORMED`, with @about before it. */
GVariant *jm_run_statistics_pack (const GPtrArray *rows);
GVariant *jm_run_statistics_read (JsonNode *json,
                                  JmUsageGroups groups,
                                  const char *about,
                                  GError **error);

/* How much is read of runs: the pages of a filter by node may have few each. */
typedef struct
{
  guint n_runs;
  guint n_pages;
} JmRunBounds;

/* As jm_archive_read_runs(). @has_more: whether it ended before the last run. */
gboolean jm_archive_read_first_runs (JmArchive *self,
                                     JmRunFilter *filter,
                                     const JmRunBounds *bounds,
                                     JmRunFunc func,
                                     gpointer user_data,
                                     gboolean *has_more,
                                     GCancellable *cancellable,
                                     GError **error);

G_END_DECLS
