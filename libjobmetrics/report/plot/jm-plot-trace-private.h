/* jm-plot-trace-private.h: a line or an area of a plot
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/plot/jm-plot-canvas-private.h"
#include "report/plot/jm-plot-private.h"

G_BEGIN_DECLS

typedef enum
{
  JM_PLOT_TRACE_LINE, /* one of a few, with marks of its own */
  JM_PLOT_TRACE_THIN, /* one of many */
  JM_PLOT_TRACE_MEAN, /* of these */
  JM_PLOT_TRACE_AREA, /* upon those before it */
} JmPlotTraceKind;

/* In seconds since the begin, and base units. An area lies between the points of @base
 * and @points, which are at the same times. */
typedef struct
{
  JmPlotTraceKind kind;
  char *name;
  guint style;
  JmPlotInk ink;
  GArray *points;
  GArray *base; /* NULL of a line */
} JmPlotTrace;

/* What a plot shows from @begin to @end, in seconds since 1970: of JmPlotTrace, in the
 * order in which they are drawn. */
GPtrArray *jm_plot_list_traces (JmPlot *self, double begin, double end);

/* NULL where the trace needs no mark of its own in the legend. */
const char *jm_plot_trace_get_key (const JmPlotTrace *self);

/* FALSE where no point has a value. */
gboolean
jm_plot_trace_get_extent (const JmPlotTrace *self, double *lowest, double *highest);

G_END_DECLS
