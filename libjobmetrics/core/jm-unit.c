/* jm-unit.c: the integer units of figures, and how they become base units
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-metric-private.h"

#define NANO G_GUINT64_CONSTANT (1000000000)
#define MICRO G_GUINT64_CONSTANT (1000000)
#define MILLI G_GUINT64_CONSTANT (1000)

/* Micrograms per kilowatt-hour in a gram per joule: 1e6 x 3.6e6. */
#define PER_KWH G_GUINT64_CONSTANT (3600000000000)

/* clang-format off */
static const JmUnitInfo units[JM_N_UNITS] = {
  [JM_UNIT_COUNT] = { JM_UNIT_COUNT, NULL, 1, 0 },
  [JM_UNIT_NANOSECONDS] = { JM_UNIT_NANOSECONDS, "seconds", NANO, 9 },
  [JM_UNIT_MICROSECONDS] = { JM_UNIT_MICROSECONDS, "seconds", MICRO, 6 },
  [JM_UNIT_BYTES] = { JM_UNIT_BYTES, "bytes", 1, 0 },
  [JM_UNIT_MICROJOULES] = { JM_UNIT_MICROJOULES, "joules", MICRO, 6 },
  [JM_UNIT_MICROWATTS] = { JM_UNIT_MICROWATTS, "watts", MICRO, 6 },
  [JM_UNIT_MICROGRAMS] = { JM_UNIT_MICROGRAMS, "grams", MICRO, 6 },
  [JM_UNIT_MICROGRAMS_PER_KWH] = { JM_UNIT_MICROGRAMS_PER_KWH, "grams_per_joule", PER_KWH, -1 },
  [JM_UNIT_PARTS_PER_MILLION] = { JM_UNIT_PARTS_PER_MILLION, "ratio", MICRO, 6 },
  [JM_UNIT_MILLICELSIUS] = { JM_UNIT_MILLICELSIUS, "celsius", MILLI, 3 },
  [JM_UNIT_HERTZ] = { JM_UNIT_HERTZ, "hertz", 1, 0 },
};
/* clang-format on */

/**
 * jm_unit_get_info:
 * @unit: a unit
 *
 * Looks an entry of the table of units up.
 *
 * Returns: (transfer none): the entry, which is static
 * Since: 0.1
 */
const JmUnitInfo *
jm_unit_get_info (JmUnit unit)
{
  g_return_val_if_fail ((guint) unit < JM_N_UNITS, NULL);

  return &units[unit];
}

/* Converts to the base unit: seconds, bytes, joules, watts, grams, grams per joule,
 * ratio, degrees Celsius, hertz, or a count.
 *
 * Returns the figure in the base unit, rounded once. */
double
jm_unit_to_base (JmUnit unit, guint64 value)
{
  g_return_val_if_fail ((guint) unit < JM_N_UNITS, 0);

  /* Dividing by a power of ten rounds once; multiplying by its inverse, twice. */
  return (double) value / (double) units[unit].divisor;
}
