/* jm-power-files-private.h: names and values of files that have power
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"

G_BEGIN_DECLS

#define JM_CRAY_PM_DIR "/sys/cray/pm_counters"

typedef enum
{
  JM_CRAY_PM_ENERGY,
  JM_CRAY_PM_POWER,
  JM_CRAY_PM_CAP, /* a limit of power */
} JmCrayPmKind;

/* What a file of counters is about. */
typedef struct
{
  JmCrayPmKind kind;
  JmPowerDomain domain;
  gboolean has_number; /* else all of the node's together */
  guint number;
} JmCrayPmName;

/* FALSE for a file that has neither energy nor power. */
gboolean jm_cray_pm_parse_name (const char *name, JmCrayPmName *parsed);

/* A text such as `9871234 J 1700000000123456 us`, of which older systems leave out the
 * time; `W` for power and its limit. FALSE if it is not so, or too much for a number of
 * microjoules or microwatts. */
gboolean jm_cray_pm_parse_value (const char *text,
                                 gsize length,
                                 JmCrayPmKind kind,
                                 guint64 *micro);

#define JM_HWMON_ACPI_METER "power_meter"
#define JM_HWMON_AMD_ENERGY "amd_energy"

/* What a sensor has, the better kind last. */
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
