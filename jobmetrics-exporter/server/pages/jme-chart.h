/* jme-chart.h: columns, one for each day
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-format.h"
#include "store/jm-usage.h"

G_BEGIN_DECLS

/* Draws one quantity of @usages, which are of a day each, in their order. Days of which
 * nobody knows it have no column; where none is known nothing is drawn. */
void jme_chart_append (GString *out,
                       GPtrArray *usages,
                       JmUsageQuantity amount,
                       JmFormat format,
                       const char *title);

G_END_DECLS
