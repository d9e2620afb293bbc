/* jm-figure-private.h: figures of metrics, by their numbers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-metric-private.h"

G_BEGIN_DECLS

/* As jm_figure_of_quantity() and jm_figure_of_label() do. */
JmFigure jm_figure_of_metric (JmSnapshot *snapshot, guint subject, JmMetric metric);
JmFigure jm_figure_of_metric_label (JmSnapshot *snapshot,
                                    guint subject,
                                    JmMetric metric,
                                    JmLabels *labels);

/* What is known of two figures together: where one is absent, the other. */
JmFigure jm_figure_add (JmFigure a, JmFigure b);

/* As jm_figure_format_beside(), of what is known. */
char *jm_format_to_string_beside (JmFormat format, double value, double greatest);

G_END_DECLS
