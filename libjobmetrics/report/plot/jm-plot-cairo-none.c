/* jm-plot-cairo-none.c: no pictures of plots, without cairo
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "report/plot/jm-plot-private.h"

static GBytes *
fail (const char *format, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "this build of jobmetrics draws plots as SVG only, not as %s", format);

  return NULL;
}

GBytes *
jm_plot_make_png (JmPlot *self, guint width, guint height, GError **error)
{
  return fail ("PNG", error);
}

GBytes *
jm_plot_make_pdf (JmPlot *self, guint width, guint height, GError **error)
{
  return fail ("PDF", error);
}

void
jm_plot_draw (JmPlot *self,
              cairo_t *cr,
              double x,
              double y,
              double width,
              double height)
{
}
