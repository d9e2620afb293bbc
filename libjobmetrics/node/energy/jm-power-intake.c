/* jm-power-intake.c: what a node has taken since the round before
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-parts-private.h"

struct _JmPowerIntake
{
  JmPowerMeters *meters;
  JmEnergyBalance *balance;
  gint64 began_us;   /* monotonic; when the last round's meters were read */
  GVariant *earlier; /* what an earlier program left, until the first round; or NULL */
  gint64 until_us;   /* up to when that is accounted for, on this clock */
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
  g_clear_pointer (&self->earlier, g_variant_unref);
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

/* Sources may be added up to the first round. Those of others would be believed to be
 * there, or missed. */
static void
go_on (JmPowerIntake *self)
{
  g_autoptr (GVariant) value = g_steal_pointer (&self->earlier);
  g_autoptr (GVariant) names = NULL;
  g_autoptr (GVariant) earlier_names = g_variant_get_child_value (value, 2);
  g_autoptr (GVariant) balance = g_variant_get_child_value (value, 3);
  g_autoptr (GVariant) meters = g_variant_get_child_value (value, 4);

  names = g_variant_ref_sink (jm_power_meters_list_names (self->meters));
  if (g_variant_equal (names, earlier_names))
    jm_energy_balance_restore (self->balance, balance, self->until_us);
  jm_power_meters_restore (self->meters, meters, self->until_us);
  self->began_us = self->until_us;
}

const GArray *
jm_power_intake_read (JmPowerIntake *self,
                      gint64 now_us,
                      JmReadings *readings,
                      gint64 *round_us)
{
  const GArray *items;

  if (jm_power_meters_is_empty (self->meters))
    return NULL;
  if (self->earlier != NULL)
    go_on (self);

  *round_us = self->began_us != 0 ? now_us - self->began_us : 0;
  items = jm_energy_balance_take (self->balance,
                                  jm_power_meters_read (self->meters, now_us, readings),
                                  self->began_us);
  self->began_us = now_us;

  return items;
}

const GArray *
jm_power_intake_get_sockets (JmPowerIntake *self)
{
  return jm_energy_balance_get_sockets (self->balance);
}

void
jm_power_intake_wait (JmPowerIntake *self, gint64 timeout_us)
{
  jm_power_meters_wait (self->meters, timeout_us);
}

GVariant *
jm_power_intake_save (JmPowerIntake *self, const char *boot_id)
{
  if (self->earlier != NULL)
    return NULL;

  return g_variant_new ("(sx@as@" JM_ENERGY_BALANCE_TYPE "@" JM_POWER_METERS_TYPE ")",
                        boot_id != NULL ? boot_id : "", self->began_us,
                        jm_power_meters_list_names (self->meters),
                        jm_energy_balance_save (self->balance),
                        jm_power_meters_save (self->meters));
}

void
jm_power_intake_restore (JmPowerIntake *self,
                         GVariant *value,
                         const char *boot_id,
                         gint64 now_us)
{
  const char *earlier_boot_id;
  gint64 until_us;

  g_variant_get_child (value, 0, "&s", &earlier_boot_id);
  g_variant_get_child (value, 1, "x", &until_us);
  g_clear_pointer (&self->earlier, g_variant_unref);
  self->earlier = g_variant_ref (value);

  /* a clock that shows less is another one, as that of a container may be */
  self->until_us =
    g_strcmp0 (earlier_boot_id, boot_id) == 0 && until_us > 0 && until_us <= now_us
      ? until_us
      : 0;
}
