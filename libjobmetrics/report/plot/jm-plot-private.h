/* jm-plot-private.h: what the makers of pages need of plots
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/plot/jm-plot-series-private.h"
#include "report/plot/jm-plot.h"

G_BEGIN_DECLS

/* as cairo.h has it, which a build without cairo lacks */
typedef struct _cairo cairo_t;

struct _JmPlot
{
  JmPlotKind kind;
  char *title;
  JmFormat format;
  GPtrArray *series; /* of JmPlotSeries */
  guint n_left_out;  /* series that were too many */
  char *limit_name;  /* NULL: none */
  double limit;
  double highest; /* in the frame at least, of plots that are compared; 0 for none */
  gboolean has_range;
  double begin_seconds;
  double end_seconds;
  double zoom_from; /* seconds since the begin of what is drawn */
  double zoom_to;   /* 0: all */
};

/* What of a size can be drawn. */
guint jm_plot_fit_size (guint size);

/* Of a size that can be drawn. */
GBytes *jm_plot_make_png (JmPlot *self, guint width, guint height, GError **error);
GBytes *jm_plot_make_pdf (JmPlot *self, guint width, guint height, GError **error);

/* In a picture of the caller, whose paper shows through. Without cairo nothing is
 * drawn. */
void jm_plot_draw (JmPlot *self,
                   cairo_t *cr,
                   double x,
                   double y,
                   double width,
                   double height);

/* For the style sheet of a page that has plots in it: they follow light and dark, and
 * print as light ones do. A page whose paper has a colour of its own sets
 * --jm-plot-paper on the class jm-plot. */
const char *jm_plot_get_css (void);

/* As jm_plot_to_svg() has it, for a file of its own: its style sheet is in it. */
char *jm_plot_to_svg_file (JmPlot *self, guint width, guint height);

G_END_DECLS
