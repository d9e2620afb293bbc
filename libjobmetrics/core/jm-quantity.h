/* jm-quantity.h: what can be known of a subject
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-format.h"
#include "core/jm-labels.h"
#include "core/jm-metric.h"

G_BEGIN_DECLS

/**
 * JmQuantity:
 * @name: without the prefix of the subject's kind, in base units
 * @short_name: (nullable): what people type in a hurry, such as `mem`
 * @heading: what stands above a column of it, such as `MEM`
 * @title: (nullable): what stands before a figure of it in a report; %NULL where it is
 *   in none
 * @help: one sentence for people
 * @format: how a figure of it is written
 *
 * A property of a job, a run or another subject. There is one of each, which is static:
 * do not free it.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *name;
  const char *short_name;
  const char *heading;
  const char *title;
  const char *help;
  JmFormat format;
} JmQuantity;

#define JM_TYPE_QUANTITY (jm_quantity_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_quantity_get_type (void);

JM_AVAILABLE_IN_ALL
const JmQuantity *jm_quantity_of_subject (JmSubjectKind kind, const char *name);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_quantity_list_of_subject (JmSubjectKind kind);

JM_AVAILABLE_IN_ALL
const JmMetricInfo *jm_quantity_get_metric_info (const JmQuantity *self);

JM_AVAILABLE_IN_ALL
const char *
jm_quantity_find_label (const JmQuantity *self, JmLabels *labels, const char *name);

JM_AVAILABLE_IN_ALL
const JmQuantity *jm_quantity_of_run (const char *name);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_quantity_list_of_runs (void);

JM_AVAILABLE_IN_ALL
gboolean jm_quantity_is_called (const JmQuantity *self, const char *typed);

G_END_DECLS
