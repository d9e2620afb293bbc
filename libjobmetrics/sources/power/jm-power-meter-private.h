/* jm-power-meter-private.h: a site's own meter, from one reading to the next
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-answer-private.h"

G_BEGIN_DECLS

/* What of a meter is set, as an administrator writes it; any of them NULL. */
typedef struct
{
  const char *domain; /* of a number alone; `node` if not set */
  const char *unit;   /* of a number alone */
  const char *range;  /* where counters begin again: `65536 J`, or a number in @unit */
} JmPowerMeterSettings;

/* Knows where each counter stood. Belongs to one thread at a time. */
typedef struct _JmPowerMeter JmPowerMeter;

/* `INVALID` for a setting that cannot be meant. @what is the meter, for messages. */
JmPowerMeter *jm_power_meter_new (const JmPowerMeterSettings *settings,
                                  const char *what,
                                  GError **error);
void jm_power_meter_free (JmPowerMeter *self);

/* What the meter wrote, read at @now_us of the monotonic clock. */
JmPowerAnswer *jm_power_meter_take (JmPowerMeter *self,
                                    const char *text,
                                    gsize length,
                                    gint64 now_us,
                                    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowerMeter, jm_power_meter_free)

G_END_DECLS
