/* jm-metric-private.h: what can be measured, for the library alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric-id-private.h"
#include "core/jm-metric.h"

G_BEGIN_DECLS

const JmMetricInfo *jm_metric_get_info (JmMetric metric);

JmMetric jm_metric_from_info (const JmMetricInfo *info);

const char *jm_metric_get_name (JmMetric metric);

gboolean jm_metric_from_name (const char *name, JmSubjectKind kind, JmMetric *metric);

gboolean jm_metric_is_estimated (JmMetric metric, JmLabels *labels);

const char *jm_metric_find_label (JmMetric metric, JmLabels *labels, const char *name);

gboolean jm_metric_ends_with_job (JmMetric metric);

double jm_metric_to_base_unit (JmMetric metric, guint64 value);

gboolean jm_collector_is_usual (JmCollector collector);

double jm_unit_to_base (JmUnit unit, guint64 value);

gboolean jm_metric_is_about (JmMetric metric, JmSubjectKind kind);

G_END_DECLS
