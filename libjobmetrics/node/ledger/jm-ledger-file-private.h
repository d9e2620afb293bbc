/* jm-ledger-file-private.h: the file of a ledger, and whose it is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sql/jm-sqlite-private.h"

G_BEGIN_DECLS

/* An open ledger: the connection, and what keeps a second writer out. */
typedef struct
{
  char *path;  /* with no links in it */
  sqlite3 *db; /* NULL where it is closed */
  int lock;    /* -1 for none */
} JmLedgerFile;

/* Opens it for the one that writes, and makes it where there is none. One that is
 * broken is put aside with a warning, and a new one is begun.
 *
 * - Errors: `DENIED` where the file is somebody else's; `INVALID` where it is none of
 *   ours; `UNAVAILABLE` where another program writes it; as the system says. */
gboolean jm_ledger_file_open (JmLedgerFile *self, const char *path, GError **error);

/* To read it, beside one that writes or without.
 *
 * - Errors: as the system says, and as jm_ledger_schema_check(). */
sqlite3 *jm_ledger_file_open_for_reading (const char *path, GError **error);

/* Whether it is still what stands at that path. */
gboolean jm_ledger_file_is_there (sqlite3 *db);

void jm_ledger_file_close (JmLedgerFile *self);

/* Whether the system gives all of it, broken or not. */
gboolean jm_ledger_file_can_be_read (const char *path);

/* Closes it, and gives it another name, which the last one that was broken had. */
void jm_ledger_file_put_aside (JmLedgerFile *self);

G_END_DECLS
