/* add-labelled.h: figures with one label
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-readings-private.h"

G_BEGIN_DECLS

static inline void
add_labelled (JmReadings *readings, JmMetric metric, const char *label, guint64 value)
{
  g_autoptr (JmLabels) labels = jm_labels_of (label, NULL);

  jm_readings_add_labelled (readings, metric, labels, value);
}

G_END_DECLS
