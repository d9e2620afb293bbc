/* jm-power-intake.c: what a node has taken since the round before
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-power-intake-private.h"

struct _JmPowerIntake
{
  JmPowerMeters *meters;
  JmEnergyBalance *balance;
  gint64 began_us; /* monotonic; when the last round's meters were read */
};

JmPowerIntake *
jm_power_intake_new (void)
{
  JmPowerIntake *self = g_new0 (JmPowerIntake, 1);

  self->meters = jm_power_meters_new ();
  self->balance = jm_energy_balance_new ();

  return self;
}

void
jm_power_intake_free (JmPowerIntake *self)
{
  jm_energy_balance_free (self->balance);
  jm_power_meters_free (self->meters);
  g_free (self);
}

void
jm_power_intake_add (JmPowerIntake *self, const char *name, JmPowerSource *source)
{
  jm_power_meters_add (self->meters, name, source);
}

void
jm_power_intake_set_finder (JmPowerIntake *self, JmFindDevice find, gpointer user_data)
{
  jm_power_meters_set_finder (self->meters, find, user_data);
}

const GArray *
jm_power_intake_read (JmPowerIntake *self, JmReadings *readings, gint64 *round_us)
{
  gint64 now_us = g_get_monotonic_time ();
  const GArray *items;

  if (jm_power_meters_is_empty (self->meters))
    return NULL;

  *round_us = self->began_us != 0 ? now_us - self->began_us : 0;
  items = jm_energy_balance_take (self->balance,
                                  jm_power_meters_read (self->meters, now_us, readings),
                                  self->began_us);
  self->began_us = now_us;

  return items;
}

void
jm_power_intake_wait (JmPowerIntake *self, gint64 timeout_us)
{
  jm_power_meters_wait (self->meters, timeout_us);
}
