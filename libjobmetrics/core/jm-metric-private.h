/* jm-metric-private.h: what can be measured, for the library alone
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric.h"

G_BEGIN_DECLS

gboolean jm_metric_ends_with_job (JmMetric metric);

double jm_metric_to_base_unit (JmMetric metric, guint64 value);

gboolean jm_collector_is_usual (JmCollector collector);

double jm_unit_to_base (JmUnit unit, guint64 value);

gboolean jm_metric_is_about (JmMetric metric, JmSubjectKind kind);

G_END_DECLS
