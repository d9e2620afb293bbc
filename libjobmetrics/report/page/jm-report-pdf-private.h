/* jm-report-pdf-private.h: the report of a run as PDF
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/page/jm-report-content-private.h"
#include "report/page/jm-report.h"

G_BEGIN_DECLS

/* What makes pages of the content and the plots, of JmPlot. ABSENT where the
 * library was built without. */
GBytes *jm_report_pdf_draw (JmReportContent *content, GPtrArray *plots, GError **error);

G_END_DECLS
