/* jm-plot-canvas.c: what a plot is drawn on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/plot/jm-plot-canvas-private.h"

#define INFO(id, name, light, dark) { name, 0x##light, 0x##dark },

static const JmPlotInkInfo inks[] = { JM_PLOT_FOR_EACH_INK (INFO) };

const JmPlotInkInfo *
jm_plot_ink_get_info (JmPlotInk ink)
{
  g_return_val_if_fail ((guint) ink < JM_N_PLOT_INKS, NULL);

  return &inks[ink];
}
