/* jmc-report-array.h: the report of a job array, or of jobs by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "report/jmc-report-query.h"

G_BEGIN_DECLS

/* States, the spread of what the tasks used, their verdicts, tasks that failed and
 * those that took much longer than the others: lines of text, or an object of JSON.
 * NULL where the archive has fewer than two tasks of such an array, or jobs of such a
 * name. */
char *jmc_report_array_make (const JmcOptions *options,
                             const JmcReportQuery *query,
                             gboolean is_json,
                             GError **error);

G_END_DECLS
