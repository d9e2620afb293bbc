/* jm-archive-schema-private.h: the tables of a site's runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* Makes the tables in a database that has none, and brings those of an earlier version
 * up to date, each version in a transaction of its own.
 *
 * - Errors: as jm_archive_schema_check(). */
gboolean jm_archive_schema_prepare (JmSql *sql, GError **error);

/* - Errors: `INVALID` where it is another's database, or of another version; as the
 *   database says. */
gboolean jm_archive_schema_check (JmSql *sql, GError **error);

/* As jm_sql_begin(), unless a later program has changed the tables since: what they
 * have now this one does not know how to write.
 *
 * - Errors: as jm_archive_schema_check(). */
gboolean jm_archive_schema_begin (JmSql *sql, GError **error);

/* Numbers that the database keeps of itself; 0 where there is none of that name. */
gboolean
jm_archive_schema_get (JmSql *sql, const char *name, gint64 *number, GError **error);
gboolean
jm_archive_schema_set (JmSql *sql, const char *name, gint64 number, GError **error);

G_END_DECLS
