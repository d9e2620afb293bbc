/* jm-power-source.c: what a node's energy went into
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-source.h"

/**
 * JmPowerSource:
 *
 * Reports a node's energy or power by domain: see #JmPowerDomain. One that asks a
 * device or service that may be slow does so in the background: reading never waits.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (JmPowerSource, jm_power_source, JM_TYPE_SOURCE)

static void
jm_power_source_default_init (JmPowerSourceInterface *iface)
{
}

/**
 * jm_power_source_read:
 * @self: a power source
 * @readings: where the figures go
 * @error: return location for an error
 *
 * Reads every domain once.
 *
 * - Shape: jm_readings_add_energy() or jm_readings_add_power() once for each domain,
 *   in the same order every time. A domain that cannot be read is left out; why goes to
 *   jm_readings_add_error().
 * - Units: microjoules since the source was opened, wraps already unfolded; microwatts.
 * - Errors: `ABSENT` when the device went away; `UNAVAILABLE` when it gives no answer
 *   now; `MALFORMED` when its answer makes no sense. Nothing is then reported.
 *
 * Returns: whether the source answered
 * Since: 0.1
 */
gboolean
jm_power_source_read (JmPowerSource *self, JmReadings *readings, GError **error)
{
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_POWER_SOURCE (self), FALSE);
  g_return_val_if_fail (readings != NULL, FALSE);

  /* A binding that cannot hand on what an implementation raised prints it instead. */
  return JM_POWER_SOURCE_GET_IFACE (self)->read (self, readings,
                                                 error != NULL ? error : &unwanted);
}

/**
 * jm_power_source_is_estimate:
 * @self: a power source
 *
 * Whether the figures are calculated from a model, not measured. They are marked as
 * estimated everywhere, and used only where nothing is measured.
 *
 * Returns: %TRUE for an estimate
 * Since: 0.1
 */
gboolean
jm_power_source_is_estimate (JmPowerSource *self)
{
  JmPowerSourceInterface *iface;

  g_return_val_if_fail (JM_IS_POWER_SOURCE (self), FALSE);

  iface = JM_POWER_SOURCE_GET_IFACE (self);

  return iface->is_estimate != NULL && iface->is_estimate (self);
}

/**
 * jm_power_source_wait:
 * @self: a power source
 * @timeout_us: for how long at most, microseconds
 *
 * Waits for the first answer of a source that asks its device in the background. For
 * programs that read it but once.
 *
 * Returns: whether it was asked by now, whatever came of it
 * Since: 0.1
 */
gboolean
jm_power_source_wait (JmPowerSource *self, gint64 timeout_us)
{
  JmPowerSourceInterface *iface;

  g_return_val_if_fail (JM_IS_POWER_SOURCE (self), FALSE);

  iface = JM_POWER_SOURCE_GET_IFACE (self);

  return iface->wait == NULL || iface->wait (self, timeout_us);
}
