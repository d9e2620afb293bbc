/* jm-metric-selection-private.h: the names of selected metrics, for encoders
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-metric-selection.h"
#include "expose/jm-reading-buckets-private.h"

G_BEGIN_DECLS

struct _JmMetricSelection
{
  GPtrArray *include;        /* of GPatternSpec */
  GPtrArray *exclude;        /* of GPatternSpec */
  char *names[JM_N_BUCKETS]; /* whole names; NULL for what is not selected */
};

/* As jm_metric_selection_has() does. */
gboolean jm_metric_selection_has_metric (JmMetricSelection *self,
                                         JmSubjectKind kind,
                                         JmMetric metric);

JmMetricSelection *jm_metric_selection_ref (JmMetricSelection *self);

G_END_DECLS
