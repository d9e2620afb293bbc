/* jm-metric-selection-private.h: which metrics are exported, by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric.h"

G_BEGIN_DECLS

/* One bucket for each metric of each kind of subject. */
#define JM_N_BUCKETS (JM_N_SUBJECT_KINDS * JM_N_METRICS)
#define JM_BUCKET(kind, metric) ((kind) *JM_N_METRICS + (metric))

/* Patterns are names that may have `*` and `?`. A name is exported that no excluding
 * pattern matches and, where there are including ones, one of them does. */
typedef struct
{
  GPtrArray *include;        /* of GPatternSpec */
  GPtrArray *exclude;        /* of GPatternSpec */
  char *names[JM_N_BUCKETS]; /* whole names; NULL for what is not exported */
} JmMetricSelection;

void jm_metric_selection_init (JmMetricSelection *self);
void jm_metric_selection_clear (JmMetricSelection *self);
void jm_metric_selection_set_include (JmMetricSelection *self,
                                      const char *const *patterns);
void jm_metric_selection_set_exclude (JmMetricSelection *self,
                                      const char *const *patterns);

/* Whether anything of that name would be exported, a metric of ours or not. */
gboolean jm_metric_selection_has_name (const JmMetricSelection *self, const char *name);

/* Whether any metric of ours has a name that the pattern matches. */
gboolean jm_metric_pattern_is_of_use (const char *pattern);

G_END_DECLS
