/* jm-metric-selection.h: which metrics are shown, by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-metric.h"
#include "core/jm-quantity.h"

G_BEGIN_DECLS

/**
 * JmMetricSelection:
 *
 * Which metrics are shown, whatever the format: immutable, shared by reference.
 *
 * Patterns are whole names, such as `jobmetrics_job_cpus`, that may have `*` and `?`. A
 * name is selected that no excluding pattern matches and, where there are including
 * ones, one of them does.
 *
 * Since: 0.1
 */
typedef struct _JmMetricSelection JmMetricSelection;

#define JM_TYPE_METRIC_SELECTION (jm_metric_selection_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_metric_selection_get_type (void);

JM_AVAILABLE_IN_ALL
JmMetricSelection *jm_metric_selection_new (const char *const *include,
                                            const char *const *exclude);

JM_AVAILABLE_IN_ALL
void jm_metric_selection_unref (JmMetricSelection *self);

JM_AVAILABLE_IN_ALL
gboolean jm_metric_selection_has (JmMetricSelection *self,
                                  JmSubjectKind kind,
                                  const JmQuantity *quantity);

JM_AVAILABLE_IN_ALL
gboolean jm_metric_selection_has_name (JmMetricSelection *self, const char *name);

JM_AVAILABLE_IN_ALL
gboolean jm_metric_selection_check_pattern (const char *pattern, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmMetricSelection, jm_metric_selection_unref)

G_END_DECLS
