/* jm-run-upkeep-private.h: what is done to the tables from time to time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-rules.h"
#include "sql/jm-sql-private.h"

G_BEGIN_DECLS

/* Deletes runs that ended before that time; days keep what they have. Returns how many,
 * or -1 with an error: those of the transactions before are gone then. */
gint64 jm_run_upkeep_forget (JmSql *sql, gint64 before, GError **error);

/* Deletes the nodes' records of such runs, and nothing else of them; FALSE with an
 * error: some are gone then. */
gboolean jm_run_upkeep_forget_records (JmSql *sql, gint64 before, GError **error);

/* Judges some of the runs that have ended and were not judged by these rules, the last
 * to end first, and stores the verdicts. A run whose records were deleted keeps the
 * verdict that it has. @is_done is whether no such run is left. */
gboolean
jm_run_upkeep_judge (JmSql *sql, JmRunRules *rules, gboolean *is_done, GError **error);

/* Whether days are what the runs add up to, of those from which none was deleted.
 *
 * - Errors: `MALFORMED` where they are not. */
gboolean jm_run_upkeep_check (JmSql *sql, GError **error);

G_END_DECLS
