/* jm-plot-ticks-private.h: where an axis has its marks, and what stands there
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-format.h"

G_BEGIN_DECLS

typedef struct
{
  double at;
  char *label;
} JmPlotTick;

/* What an axis shows reaches from @from to @to. */
typedef struct
{
  double from;
  double to;
  GArray *ticks; /* of JmPlotTick, ascending */
} JmPlotTicks;

/* From the tick before @lowest to that after @highest: at least 3, where there is room
 * for 5. Steps are 1, 2 or 5 of a power of ten, of bytes a power of two. */
JmPlotTicks *jm_plot_ticks_new_values (JmFormat format,
                                       double lowest,
                                       double highest,
                                       guint max_ticks);

/* Seconds since a begin, such as `1h30m`. The ticks lie within, in steps that clocks
 * have. */
JmPlotTicks *jm_plot_ticks_new_elapsed (double from, double to, guint max_ticks);

void jm_plot_ticks_free (JmPlotTicks *self);

static inline const JmPlotTick *
jm_plot_ticks_get (const JmPlotTicks *self, guint i)
{
  return &g_array_index (self->ticks, JmPlotTick, i);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPlotTicks, jm_plot_ticks_free)

G_END_DECLS
