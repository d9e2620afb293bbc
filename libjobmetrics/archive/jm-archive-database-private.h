/* jm-archive-database-private.h: the tables of a site's runs, for who reads them
 * elsewhere
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database.h"
#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* The store's own; NULL with `UNAVAILABLE` once it is closed. */
JmSql *jm_archive_database_get_sql (JmArchiveDatabase *self, GError **error);

/* Sets the names of the nodes that the site reads now, as jm_run_targets_new() makes
 * them. Until then they are those that have been read. */
void jm_archive_database_set_targets (JmArchiveDatabase *self, GHashTable *targets);

/* These, which no thread changes any more; NULL where none were set or needed yet. */
GHashTable *jm_archive_database_get_targets (JmArchiveDatabase *self);

G_END_DECLS
