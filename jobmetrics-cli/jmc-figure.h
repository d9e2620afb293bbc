/* jmc-figure.h: a figure of a snapshot, which may not have been read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean is_known;
  double value; /* in base units: seconds, bytes, or a count */
} JmcFigure;

JmcFigure jmc_figure_known (double value);
JmcFigure jmc_figure_get (JmSnapshot *snapshot, guint subject, JmMetric metric);
JmcFigure jmc_figure_sum (JmSnapshot *snapshot, guint subject, JmMetric metric);
JmcFigure jmc_figure_get_age (JmSnapshot *snapshot, guint subject);
JmcFigure jmc_figure_get_efficiency (JmSnapshot *snapshot, guint subject);
JmcFigure
jmc_figure_compute_efficiency (JmcFigure cpu_time, JmcFigure cpus, JmcFigure elapsed);
char *jmc_figure_format (JmcFigure self, char *(*format) (double value));

G_END_DECLS
