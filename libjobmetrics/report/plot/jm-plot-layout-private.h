/* jm-plot-layout-private.h: where everything of a plot is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/plot/jm-plot-canvas-private.h"
#include "report/plot/jm-plot-private.h"
#include "report/plot/jm-plot-ticks-private.h"
#include "report/plot/jm-plot-trace-private.h"

G_BEGIN_DECLS

/* A line of the legend: of a trace, or of the limit. */
typedef struct
{
  const JmPlotTrace *trace; /* NULL: the limit */
  char *text;
  double wanted_y; /* where the trace ends */
  double x;
  double y; /* the middle of the line */
} JmPlotKey;

typedef struct
{
  JmPlot *plot;
  JmPlotCanvas *canvas;
  double width;
  double height;
  double unit; /* of a picture of the usual size a pixel */

  GPtrArray *traces; /* of JmPlotTrace */
  gboolean has_data;
  gboolean has_limit; /* in the range of the axis */
  double begin;       /* seconds since 1970 */
  double passed;      /* seconds before the begin, which are not drawn */
  double span;        /* seconds */
  JmPlotTicks *values;
  JmPlotTicks *times;
  GArray *keys; /* of JmPlotKey */

  double left; /* of the area within the axes */
  double right;
  double top;
  double bottom;
} JmPlotLayout;

void jm_plot_layout_init (JmPlotLayout *self,
                          JmPlot *plot,
                          JmPlotCanvas *canvas,
                          double width,
                          double height);
void jm_plot_layout_clear (JmPlotLayout *self);

double jm_plot_layout_get_x (const JmPlotLayout *self, double seconds);
double jm_plot_layout_get_y (const JmPlotLayout *self, double value);

JmPlotFont jm_plot_layout_get_font (const JmPlotLayout *self, JmPlotInk ink);
JmPlotFont jm_plot_layout_get_title_font (const JmPlotLayout *self);

/* How wide the sample is that stands before the text of a key, with its space. */
double jm_plot_layout_get_sample_width (const JmPlotLayout *self);

/* Each series as a row of cells, with their names and the scale of the shades. */
void jm_plot_map_paint (const JmPlotLayout *self);

/* All of it, on @canvas. */
void jm_plot_paint (JmPlot *plot, JmPlotCanvas *canvas, double width, double height);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmPlotLayout, jm_plot_layout_clear)

G_END_DECLS
