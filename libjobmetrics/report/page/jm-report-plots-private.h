/* jm-report-plots-private.h: what a run did over time, as plots
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-comparison.h"
#include "report/plot/jm-plot.h"

G_BEGIN_DECLS

/* More nodes are shown as one, and by a map. */
#define JM_REPORT_MAX_PLOT_LINES 16

/* Rows of a map, each of one node, or of as many nodes as all have rows for. */
#define JM_REPORT_MAX_MAP_ROWS 32

/* Of JmPlot, made of the series of a time series database where the report has them,
 * else of what the nodes' ledgers have; none of what nobody saw. */
GPtrArray *jm_report_plots_list (JmRunReport *report);

/* More nodes have no plot of their own. */
#define JM_REPORT_MAX_MULTIPLES 32

/* One quantity, with a small plot for each node: all have the same axes. */
typedef struct
{
  char *title;
  GPtrArray *plots; /* of JmPlot */
} JmReportMultiples;

/* Of JmReportMultiples, where a quantity is known of more nodes than lines can be
 * distinguished: the node with the least in the mean first, then the others. */
GPtrArray *jm_report_plots_list_multiples (JmRunReport *report);

/* Of JmPlot, with a line for each run from its own start on, in the order of the runs,
 * made of what the nodes' ledgers know; none of what was seen of less than two of
 * them. */
GPtrArray *jm_report_plots_compare (JmRunComparison *comparison);

G_END_DECLS
