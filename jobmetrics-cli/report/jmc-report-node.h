/* jmc-report-node.h: a job that runs on this node, as a run that is reported
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/jmc-report-place.h"

G_BEGIN_DECLS

/* ABSENT where no such job runs here. */
JmRunReport *jmc_report_node_find (const JmcOptions *options,
                                   const JmcReportQuery *query,
                                   GError **error);

G_END_DECLS
