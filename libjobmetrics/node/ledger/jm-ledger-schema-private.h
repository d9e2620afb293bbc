/* jm-ledger-schema-private.h: the tables of a ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sql/jm-sqlite-private.h"

G_BEGIN_DECLS

/* "JMLG", at byte 68 of the file. */
#define JM_LEDGER_APPLICATION_ID 0x4a4d4c47
#define JM_LEDGER_VERSION 1

/* Makes the tables in a file that has none, and brings those of an earlier version up
 * to date, for the writer.
 *
 * - Errors: as jm_ledger_schema_check(). */
gboolean jm_ledger_schema_prepare (sqlite3 *db, GError **error);

/* Whether its own tables are those of a ledger, to the letter. Those of others are left
 * alone.
 *
 * - Errors: `INVALID` where it is another's file or of another version; `MALFORMED`
 *   where it is broken; as SQLite says. */
gboolean jm_ledger_schema_check (sqlite3 *db, GError **error);

G_END_DECLS
