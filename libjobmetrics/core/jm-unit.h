/* jm-unit.h: the integer units of figures, and how they become base units
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmUnit:
 * @JM_UNIT_COUNT: things, as they are counted
 * @JM_UNIT_NANOSECONDS: exported as seconds
 * @JM_UNIT_MICROSECONDS: exported as seconds
 * @JM_UNIT_BYTES: bytes
 * @JM_UNIT_MICROJOULES: exported as joules
 * @JM_UNIT_MICROWATTS: exported as watts
 * @JM_UNIT_MICROGRAMS: exported as grams
 * @JM_UNIT_MICROGRAMS_PER_KWH: exported as grams per joule
 * @JM_UNIT_PARTS_PER_MILLION: exported as a ratio, 0 to 1
 * @JM_UNIT_MILLICELSIUS: exported as degrees Celsius
 * @JM_UNIT_HERTZ: hertz
 *
 * The integer unit in which the library keeps a metric.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_UNIT_COUNT,
  JM_UNIT_NANOSECONDS,
  JM_UNIT_MICROSECONDS,
  JM_UNIT_BYTES,
  JM_UNIT_MICROJOULES,
  JM_UNIT_MICROWATTS,
  JM_UNIT_MICROGRAMS,
  JM_UNIT_MICROGRAMS_PER_KWH,
  JM_UNIT_PARTS_PER_MILLION,
  JM_UNIT_MILLICELSIUS,
  JM_UNIT_HERTZ,
} JmUnit;

/**
 * JM_N_UNITS:
 *
 * How many #JmUnit there are.
 *
 * Since: 0.1
 */
#define JM_N_UNITS (JM_UNIT_HERTZ + 1)

/**
 * JmUnitInfo:
 * @unit: the unit
 * @base: (nullable): the base unit as it stands in metrics' names, such as `seconds`;
 *   %NULL for what is but counted
 * @divisor: how many of the unit make one of the base unit
 * @n_decimals: how many decimals of the base unit are one of the unit, where @divisor
 *   is a power of ten; -1 where it is none
 *
 * An entry of the table of units.
 *
 * Since: 0.1
 */
typedef struct
{
  JmUnit unit;
  const char *base;
  guint64 divisor;
  gint n_decimals;
} JmUnitInfo;

JM_AVAILABLE_IN_ALL
const JmUnitInfo *jm_unit_get_info (JmUnit unit);

JM_AVAILABLE_IN_ALL
double jm_unit_to_base (JmUnit unit, guint64 value);

G_END_DECLS
