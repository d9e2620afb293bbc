/* jm-report-html.h: the report of a run as HTML
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char *jm_run_report_to_html (JmRunReport *self, GPtrArray *advice);

G_END_DECLS
