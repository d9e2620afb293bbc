/* jm-sqlite-private.h: SQLite, with errors of ours
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* The path with a directory that has no links in it, which SQLite would refuse; systemd
 * has one in place of a unit's StateDirectory. A link of somebody else is refused with
 * `DENIED`: it may lead anywhere. */
char *jm_sqlite_resolve (const char *path, GError **error);

/* A connection that trusts nothing that a file says of itself. It belongs to one thread
 * at a time. No link in @path is followed: see jm_sqlite_resolve().
 *
 * - Errors: as jm_sqlite_set_error(). */
sqlite3 *jm_sqlite_open (const char *path, gboolean is_for_writing, GError **error);

/* One of no file, which lives as long as it is open. */
sqlite3 *jm_sqlite_open_in_memory (GError **error);
void jm_sqlite_close (sqlite3 *db);

/* What went wrong last: `ABSENT` where there is no such file, `DENIED`, `MALFORMED`
 * where the file is broken, else `UNAVAILABLE`. */
void jm_sqlite_set_error (GError **error, sqlite3 *db);

gboolean jm_sqlite_run (sqlite3 *db, const char *sql, GError **error);
sqlite3_stmt *jm_sqlite_prepare (sqlite3 *db, const char *sql, GError **error);

/* Does all of a statement that returns nothing, and makes it ready for the next time.
 */
gboolean jm_sqlite_finish (sqlite3_stmt *statement, GError **error);

/* Goes on to the next row; FALSE with no error behind the last. */
gboolean jm_sqlite_next (sqlite3_stmt *statement, GError **error);

/* The one number, or text, that a query is for. */
gboolean
jm_sqlite_get_number (sqlite3 *db, const char *sql, gint64 *number, GError **error);
char *jm_sqlite_get_text (sqlite3 *db, const char *sql, GError **error);

/* @text has to outlive the statement's next reset; NULL is null. */
void jm_sqlite_bind_text (sqlite3_stmt *statement, int number, const char *text);
void jm_sqlite_bind_bytes (sqlite3_stmt *statement, int number, GBytes *bytes);

/* A copy; NULL for null, and for what is no text. */
char *jm_sqlite_dup_text (sqlite3_stmt *statement, int column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3, jm_sqlite_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

G_END_DECLS
