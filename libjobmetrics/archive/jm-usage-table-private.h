/* jm-usage-table-private.h: sums of runs out of rows of the archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-usage-private.h"
#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* What is selected, as jm_usage_table_read() reads it. */
void jm_usage_table_append_columns (GString *sql, JmUsageGroups groups);

/* ` GROUP BY ... ORDER BY ...`, or nothing. */
void jm_usage_table_append_groups (GString *sql, JmUsageGroups groups);

JmUsage *jm_usage_table_read (JmSqlStatement *row, JmUsageGroups groups);

G_END_DECLS
