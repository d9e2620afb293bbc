/* jm-metric-selection-private.h: the names of selected metrics, for encoders
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/* One bucket for each metric of each kind of subject. */
#define JM_N_BUCKETS (JM_N_SUBJECT_KINDS * JM_N_METRICS)
#define JM_BUCKET(kind, metric) ((kind) *JM_N_METRICS + (metric))

struct _JmMetricSelection
{
  GPtrArray *include;        /* of GPatternSpec */
  GPtrArray *exclude;        /* of GPatternSpec */
  char *names[JM_N_BUCKETS]; /* whole names; NULL for what is not selected */
};

G_END_DECLS
