/* jm-power-meter-private.h: what a meter writes, line by line
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "sources/power/jm-power-answer-private.h"

G_BEGIN_DECLS

/* Letters, digits and `-_.:` alone. */
#define JM_POWER_DOMAIN_NAME_MAX 64
#define JM_POWER_LINES_MAX 256

typedef struct
{
  const char *name;
  gboolean is_energy;
  guint64 micro; /* how many microwatts or microjoules it is */
} JmPowerUnit;

typedef struct
{
  JmSlice domain;
  gboolean is_energy;
  guint64 micro; /* microwatts, or microjoules */
} JmPowerLine;

/* NULL for one that is not known. */
const JmPowerUnit *jm_power_unit_find (JmSlice name);

/* Their names, for messages. */
#define JM_POWER_UNIT_NAMES "W, mW, uW, J, mJ, kJ, uJ, Wh or kWh"

/* A decimal number, perhaps with a point and an exponent, never negative; what is below
 * a millionth is cut off. FALSE if it is none, or too large. */
gboolean
jm_power_quantity_parse (JmSlice number, const JmPowerUnit *unit, guint64 *micro);

gboolean jm_power_domain_name_is_valid (JmSlice name);

/* Lines `DOMAIN VALUE UNIT`, or one line with a value alone if @unit is given; what is
 * behind a `#` and empty lines are passed over. Adds JmPowerLines to @lines, which
 * point into @text and @domain. @what is where the text is from, for messages. */
gboolean jm_power_lines_parse (const char *text,
                               gsize length,
                               const char *domain,
                               const JmPowerUnit *unit,
                               const char *what,
                               GArray *lines,
                               GError **error);

/* What of a meter is set, as an administrator writes it; any of them NULL. */
typedef struct
{
  const char *domain; /* of a number alone; `node` if not set */
  const char *unit;   /* of a number alone */
  const char *range;  /* where counters begin again: `65536 J`, or a number in @unit */
} JmPowerMeterSettings;

/* Knows where each counter stood. Belongs to one thread at a time. */
typedef struct _JmPowerMeter JmPowerMeter;

/* `INVALID` for an invalid setting. @what is the meter, for messages. */
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
