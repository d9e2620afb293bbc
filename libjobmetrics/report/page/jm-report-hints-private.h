/* jm-report-hints-private.h: advice on a run as a report shows it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/page/jm-report-content-private.h"

G_BEGIN_DECLS

/* More is for nobody. */
#define JM_REPORT_MAX_HINTS 50

/* Of JmReportHint; none for @advice that is NULL. */
GArray *jm_report_hints_list (GPtrArray *advice);

G_END_DECLS
