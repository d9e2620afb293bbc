/* jme-column-chart.h: a column for each day or hour
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-figure.h"

G_BEGIN_DECLS

/* One figure, and when its time begins, seconds since 1970. */
typedef struct
{
  gint64 time;
  JmFigure figure;
} JmeColumn;

/* JmeColumnChart:
 * @title: text of ours
 * @format: of the figures, or JME_PART_HOURS
 * @step_seconds: of each column: a day or an hour
 * @min_columns: room for so many, where there are fewer
 * @columns: of JmeColumn, ascending
 * @whole: what the figures are a part of: a line, which is in the frame
 *
 * What is drawn. */
typedef struct
{
  const char *title;
  JmFormat format;
  gint64 step_seconds;
  guint min_columns;
  GArray *columns;
  JmFigure whole;
} JmeColumnChart;

/* Draws it. An unknown figure has no column, and where none is above 0 nothing is
 * drawn. Each column has its time and figure as a title. */
void jme_column_chart_append (GString *out, const JmeColumnChart *self);

G_END_DECLS
