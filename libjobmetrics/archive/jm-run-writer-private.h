/* jm-run-writer-private.h: batches into the tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-batch-private.h"
#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* Merges all of it in one transaction. */
gboolean jm_run_writer_merge (JmSql *sql,
                              JmRunBatch *batch,
                              GHashTable *targets,
                              GError **error);

G_END_DECLS
