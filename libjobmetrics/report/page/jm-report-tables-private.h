/* jm-report-tables-private.h: nodes and accelerators of a run as tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/page/jm-report-content-private.h"

G_BEGIN_DECLS

/* NULL where there is nothing to show. */
JmReportTable *jm_report_tables_make_nodes (JmRunReport *report);
JmReportTable *jm_report_tables_make_gpus (JmRunReport *report);
JmReportTable *jm_report_tables_make_energy (JmRunReport *report);

void jm_report_table_free (JmReportTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmReportTable, jm_report_table_free)

G_END_DECLS
