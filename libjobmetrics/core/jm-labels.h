/* jm-labels.h: the values that distinguish the figures of one metric
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmLabels:
 *
 * The values of a metric's labels, such as the name of a device, in the order in which
 * the metric's row of the table names them (see #JmMetricInfo): immutable, shared by
 * reference.
 *
 * Labels of equal values are one and the same: to compare them is to compare pointers,
 * and to make them again while somebody holds them allocates nothing.
 *
 * Since: 0.1
 */
typedef struct _JmLabels JmLabels;

#define JM_TYPE_LABELS (jm_labels_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_labels_get_type (void);

JM_AVAILABLE_IN_ALL
JmLabels *jm_labels_new (const char *const *values);

JM_AVAILABLE_IN_ALL
JmLabels *jm_labels_of (const char *value, ...) G_GNUC_NULL_TERMINATED;

JM_AVAILABLE_IN_ALL
JmLabels *jm_labels_ref (JmLabels *self);

JM_AVAILABLE_IN_ALL
void jm_labels_unref (JmLabels *self);

JM_AVAILABLE_IN_ALL
guint jm_labels_get_size (JmLabels *self);

JM_AVAILABLE_IN_ALL
const char *jm_labels_get_value (JmLabels *self, guint i);

JM_AVAILABLE_IN_ALL
const char *const *jm_labels_get_values (JmLabels *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLabels, jm_labels_unref)

G_END_DECLS
