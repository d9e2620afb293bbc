/* jm-run-table-private.h: runs and their parts in rows of the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* A run from a row of the columns that jm_run_append_columns() lists. */
JmRun *jm_run_table_read_run (JmSqlStatement *row, const char *cluster);

/* Binds the fields of a run, from the parameter of that number on. */
void jm_run_table_bind_run (const JmRun *run, JmSqlStatement *statement, int first);

/* A part from a row of the columns that jm_run_part_kind_append_columns() lists. */
JmRunPart *jm_run_table_read_part (JmRunPartKind kind, JmSqlStatement *row);

/* Writes a part in place of that of the same key, by the statement of its kind. */
JmSqlStatement *
jm_run_table_get_part_upsert (JmRunPartKind kind, JmSql *sql, GError **error);
gboolean jm_run_table_store_part (JmRunPart *part,
                                  JmSqlStatement *statement,
                                  gint64 run_id,
                                  GError **error);

/* Deletes all parts of a run, or those of a JSON array of keys: each has the parts of
 * one record. */
gboolean jm_run_table_forget_parts_of_run (JmSql *sql, gint64 run_id, GError **error);
gboolean jm_run_table_forget_parts (JmSql *sql, const char *keys, GError **error);
char *jm_run_table_make_key (gint64 run_id, const char *node, const char *run_key);

G_END_DECLS
