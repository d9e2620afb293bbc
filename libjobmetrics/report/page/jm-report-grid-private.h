/* jm-report-grid-private.h: what all nodes of a run did at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* Points of one or more profiles in equal intervals. */
typedef struct
{
  double *times;  /* seconds since 1970: the middle of each interval */
  double *values; /* NaN where not all that ran was observed */
  gsize n;
} JmReportGrid;

/* Of one profile, as it has them: of a sum per second, of a level its mean. FALSE where
 * it has none. */
gboolean jm_report_grid_init_of_profile (JmReportGrid *self,
                                         JmJobProfile *profile,
                                         JmProfileSeries series);

/* Of all nodes together, in intervals of the one that has the longest. */
gboolean jm_report_grid_init_of_all (JmReportGrid *self,
                                     JmRunReport *report,
                                     JmProfileSeries series);

/* The same of those from @from to before @to. */
gboolean jm_report_grid_init_of_nodes (JmReportGrid *self,
                                       JmRunReport *report,
                                       JmProfileSeries series,
                                       guint from,
                                       guint to);

void jm_report_grid_scale (JmReportGrid *self, double factor);
void jm_report_grid_clear (JmReportGrid *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmReportGrid, jm_report_grid_clear)

G_END_DECLS
