/* jm-plot.h: series over time as a picture
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/jm-version-macros.h"
#include "core/jm-format.h"

G_BEGIN_DECLS

/**
 * JmPlotKind:
 * @JM_PLOT_KIND_LINES: a line for each series; of more than eight all in one hue, and
 *   their mean in bold
 * @JM_PLOT_KIND_STACKED: areas upon each other, which add up, in the order of the
 *   series; of more than eight the smaller ones as one
 * @JM_PLOT_KIND_MAP: a row of cells for each series, the darker the greater the value;
 *   on dark paper the lighter
 *
 * How a plot shows its series.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_PLOT_KIND_LINES,
  JM_PLOT_KIND_STACKED,
  JM_PLOT_KIND_MAP,
} JmPlotKind;

/**
 * JM_PLOT_MAX_SERIES:
 *
 * How many series a plot shows at most.
 *
 * Since: 0.1
 */
#define JM_PLOT_MAX_SERIES 128

/**
 * JM_PLOT_MIN_SIZE:
 *
 * The least width and height of a picture.
 *
 * Since: 0.1
 */
#define JM_PLOT_MIN_SIZE 100

/**
 * JM_PLOT_MAX_SIZE:
 *
 * The largest width and height of a picture.
 *
 * Since: 0.1
 */
#define JM_PLOT_MAX_SIZE 4000

/**
 * JmPlot:
 *
 * A picture of series over time, as SVG, PNG or PDF. The series can be
 * distinguished with colour blindness, by their marks without colours, and by the names
 * at the ends of the lines.
 *
 * A plot is filled by one thread, and is not changed any more once it is shared.
 *
 * Since: 0.1
 */
typedef struct _JmPlot JmPlot;

#define JM_TYPE_PLOT (jm_plot_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_plot_get_type (void);

JM_AVAILABLE_IN_ALL
JmPlot *jm_plot_new (JmPlotKind kind, const char *title, JmFormat format);

JM_AVAILABLE_IN_ALL
void jm_plot_unref (JmPlot *self);

JM_AVAILABLE_IN_ALL
void jm_plot_set_range (JmPlot *self, gint64 begin_us, gint64 end_us);

JM_AVAILABLE_IN_ALL
void jm_plot_set_zoom (JmPlot *self, double from_seconds, double to_seconds);

JM_AVAILABLE_IN_ALL
void jm_plot_add_series (JmPlot *self,
                         const char *name,
                         const double *times_seconds,
                         const double *values,
                         gsize n_points);

JM_AVAILABLE_IN_ALL
void jm_plot_set_limit (JmPlot *self, const char *name, double value);

JM_AVAILABLE_IN_ALL
char *jm_plot_describe (JmPlot *self);

JM_AVAILABLE_IN_ALL
char *jm_plot_to_svg (JmPlot *self, guint width, guint height);

JM_AVAILABLE_IN_ALL
GBytes *jm_plot_to_png (JmPlot *self, guint width, guint height, GError **error);

JM_AVAILABLE_IN_ALL
GBytes *jm_plot_to_pdf (JmPlot *self, guint width, guint height, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPlot, jm_plot_unref)

G_END_DECLS
