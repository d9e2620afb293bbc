/* jm-report-paper-table-private.h: a table on paper
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/page/jm-report-paper-private.h"

G_BEGIN_DECLS

void jm_report_paper_draw_table (JmReportPaper *self, const JmReportTable *table);

G_END_DECLS
