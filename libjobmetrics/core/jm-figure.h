/* jm-figure.h: a figure of a snapshot, which may be absent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-format.h"
#include "core/jm-quantity.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/**
 * JM_FIGURE_ESTIMATE_MARK:
 *
 * What stands before a figure that is estimated, in whole or in part.
 *
 * Since: 0.1
 */
#define JM_FIGURE_ESTIMATE_MARK "~"

/**
 * JM_FIGURE_ESTIMATE_LEGEND:
 *
 * What %JM_FIGURE_ESTIMATE_MARK means, for a line below a table.
 *
 * Since: 0.1
 */
#define JM_FIGURE_ESTIMATE_LEGEND JM_FIGURE_ESTIMATE_MARK " is estimated, not measured"

/**
 * JmFigure:
 * @value: how much, in the base unit; 0 where it is not known
 * @is_known: whether there is a figure at all
 * @is_estimated: whether any part of it was estimated and not measured
 *
 * A figure that may be absent. It is handed around by value; a zeroed one is absent.
 * What is reckoned with an absent figure is absent, and never zero.
 *
 * Since: 0.1
 */
typedef struct
{
  double value;
  gboolean is_known;
  gboolean is_estimated;
} JmFigure;

JM_AVAILABLE_IN_ALL
JmFigure jm_figure_known (double value);

JM_AVAILABLE_IN_ALL
JmFigure
jm_figure_of_quantity (JmSnapshot *snapshot, guint subject, const JmQuantity *quantity);

JM_AVAILABLE_IN_ALL
JmFigure jm_figure_of_name (JmSnapshot *snapshot, guint subject, const char *name);

JM_AVAILABLE_IN_ALL
JmFigure jm_figure_of_label (JmSnapshot *snapshot,
                             guint subject,
                             const JmQuantity *quantity,
                             JmLabels *labels);

JM_AVAILABLE_IN_ALL
JmFigure jm_figure_get_share (JmFigure part, JmFigure whole);

JM_AVAILABLE_IN_ALL
JmFigure jm_figure_get_rate (JmFigure now, JmFigure before, double seconds);

JM_AVAILABLE_IN_ALL
int jm_figure_compare (JmFigure a, JmFigure b, gboolean descending);

JM_AVAILABLE_IN_ALL
char *jm_figure_format (JmFigure self, JmFormat format);

JM_AVAILABLE_IN_ALL
char *jm_figure_format_beside (JmFigure self, JmFormat format, double greatest);

G_END_DECLS
