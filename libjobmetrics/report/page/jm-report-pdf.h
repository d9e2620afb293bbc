/* jm-report-pdf.h: the report of a run as PDF
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
GBytes *jm_run_report_to_pdf (JmRunReport *self, GPtrArray *advice, GError **error);

G_END_DECLS
