/* jm-report-identity-private.h: who a run was, and when, in words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"
#include "report/page/jm-report-lines-private.h"

G_BEGIN_DECLS

/* Whatever node list a site writes, a line of it is enough. */
#define JM_REPORT_MAX_LIST_CHARACTERS 60

/* Lines of who and when it was, what it was given, and who told of it. */
GArray *jm_report_identity_list (JmRunReport *report, GTimeZone *zone);

G_END_DECLS
