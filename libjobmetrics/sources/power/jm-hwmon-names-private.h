/* jm-hwmon-names-private.h: what the names of sensors stand for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define JM_HWMON_ACPI_METER "power_meter"
#define JM_HWMON_AMD_ENERGY "amd_energy"

/* What a sensor tells, the better kind last. */
typedef enum
{
  JM_HWMON_NONE,
  JM_HWMON_POWER_INPUT,
  JM_HWMON_POWER_AVERAGE,
  JM_HWMON_ENERGY,
} JmHwmonKind;

/* Of a file such as `power1_average`; @channel is `power1`, for the caller to free. */
JmHwmonKind jm_hwmon_parse_file_name (const char *name, char **channel);

/* The domain of a sensor, or NULL if it is none of interest, such as each of an AMD
 * processor's cores. @label is NULL where the sensor has none. */
char *jm_hwmon_make_domain (const char *chip, const char *channel, const char *label);

G_END_DECLS
