/* jm-report-text-private.h: the report of a run as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/page/jm-report.h"

G_BEGIN_DECLS

/* As jm_run_report_to_text(), with where the report was had from. */
char *jm_report_text_format (JmRunReport *report,
                             GPtrArray *advice,
                             const char *origin,
                             guint width,
                             gboolean color);

/* What a user asks first, in at most twelve lines of 80 cells: who and what the run
 * was,
 * bars, the verdict, and where there is more. @more is a line, or NULL. */
char *jm_report_text_format_brief (JmRunReport *report,
                                   GPtrArray *advice,
                                   const char *more,
                                   guint width,
                                   gboolean color);

G_END_DECLS
