/* jmc-report-array.h: the report of a job array: its tasks together
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "report/jmc-report-place.h"

G_BEGIN_DECLS

/* Lines of text: states, the spread of what the tasks used, and their verdicts. NULL
 * where the job is no array of which the accounts know several tasks. */
char *jmc_report_array_make (const JmcOptions *options, const JmcReportQuery *query);

G_END_DECLS
