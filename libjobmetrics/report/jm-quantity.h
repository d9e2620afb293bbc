/* jm-quantity.h: what a figure measures, as people read and type it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-metric.h"
#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmQuantity:
 * @JM_QUANTITY_TEXT: none: words
 * @JM_QUANTITY_COUNT: things, as they are counted
 * @JM_QUANTITY_BYTES: bytes
 * @JM_QUANTITY_DURATION: a length of time, in seconds
 * @JM_QUANTITY_PERCENT: a share, 100 for the whole
 * @JM_QUANTITY_JOULES: energy
 * @JM_QUANTITY_WATTS: power
 * @JM_QUANTITY_GRAMS: mass of CO2 equivalent
 * @JM_QUANTITY_GRAMS_PER_JOULE: what energy emits; people read grams per kilowatt-hour
 * @JM_QUANTITY_TIME: a moment, in seconds since 1970
 *
 * What a figure measures, and thereby the base unit that it is in.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_QUANTITY_TEXT,
  JM_QUANTITY_COUNT,
  JM_QUANTITY_BYTES,
  JM_QUANTITY_DURATION,
  JM_QUANTITY_PERCENT,
  JM_QUANTITY_JOULES,
  JM_QUANTITY_WATTS,
  JM_QUANTITY_GRAMS,
  JM_QUANTITY_GRAMS_PER_JOULE,
  JM_QUANTITY_TIME,
} JmQuantity;

/**
 * JM_N_QUANTITIES:
 *
 * How many #JmQuantity there are.
 *
 * Since: 0.1
 */
#define JM_N_QUANTITIES (JM_QUANTITY_TIME + 1)

JM_AVAILABLE_IN_ALL
JmQuantity jm_quantity_of_metric (JmMetric metric);

JM_AVAILABLE_IN_ALL
char *jm_quantity_format (JmQuantity quantity, double value);

JM_AVAILABLE_IN_ALL
gboolean jm_quantity_parse (JmQuantity quantity,
                            const char *text,
                            double *value,
                            GError **error);

G_END_DECLS
