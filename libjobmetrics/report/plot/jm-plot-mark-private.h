/* jm-plot-mark-private.h: small shapes that tell lines apart
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/plot/jm-plot-series-private.h"

G_BEGIN_DECLS

/* A polygon of about @size around @at, with a gap after it; there are
 * %JM_PLOT_N_STYLES of them. */
void
jm_plot_mark_append (GArray *polygons, guint style, const JmPlotPoint *at, double size);

/* Whether it is drawn by its outline, and filled as the paper is. */
gboolean jm_plot_mark_is_hollow (guint style);

G_END_DECLS
