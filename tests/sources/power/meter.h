/* meter.h: a power source under test, and what it said last
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "sources/power/jm-power-source.h"

typedef struct
{
  JmPowerSource *source;
  JmReadings *readings;
} Meter;

/* Takes @source, and reads it once. */
Meter *meter_new (gpointer source);
void meter_free (Meter *self);

void meter_read (Meter *self);
void meter_fail (Meter *self, JmError code, const char *message_part);

gboolean meter_find (Meter *self, JmMetric metric, const char *domain, guint64 *value);
guint64 meter_get_uj (Meter *self, const char *domain);

/* All domains in their order, comma separated. */
char *meter_list (Meter *self);
guint meter_count_errors (Meter *self);
const GError *meter_get_error (Meter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Meter, meter_free)

#define assert_uj(meter, domain, expected)                                             \
 g_assert_cmpuint (meter_get_uj (meter, domain), ==, expected)

#define assert_silent(meter, domain)                                                   \
 g_assert_false (meter_find (meter, JM_METRIC_NODE_ENERGY, domain, NULL))

#define assert_domains(meter, expected)                                                \
 do                                                                                    \
  {                                                                                    \
   g_autofree char *domains_ = meter_list (meter);                                     \
   g_assert_cmpstr (domains_, ==, expected);                                           \
  }                                                                                    \
 while (0)
