/* jm-power-trial.c: a power source that is tried once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-power-trial-private.h"

#include "collect/jm-registry-private.h"
#include "core/jm-readings-private.h"
#include "sources/power/jm-power-source.h"

/* How long a BMC may take to answer. */
#define PATIENCE_US (6 * G_USEC_PER_SEC)

static void
take_domains (JmPowerTrial *self, JmReadings *readings)
{
  guint n;
  const JmReading *values = jm_readings_get_values (readings, &n);

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (self->domains, g_strdup (values[i].label));
      if (g_str_equal (values[i].label, "node") ||
          g_str_equal (values[i].label, "psys"))
        self->has_node = TRUE;
    }
}

static void
read_once (JmPowerTrial *self, JmPowerSource *source)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmCollectorStatus *status;

  jm_readings_reset (readings, JM_ALL_COLLECTORS);
  jm_readings_begin (readings, JM_COLLECTOR_POWER);
  jm_power_source_wait (source, PATIENCE_US);
  if (jm_power_source_read (source, readings, &self->error))
    take_domains (self, readings);

  status = jm_readings_get_status (readings, JM_COLLECTOR_POWER);
  if (self->domains->len == 0 && self->error == NULL && status->first_error != NULL)
    self->error = g_error_copy (status->first_error);
}

void
jm_power_trial_init (JmPowerTrial *self, const char *specification, JmHost *host)
{
  g_autoptr (JmNamedSource) named = NULL;

  *self = (JmPowerTrial){ .domains = g_ptr_array_new_with_free_func (g_free) };
  named = jm_registry_open (JM_REGISTRY_POWER, specification, host, &self->error);
  if (named != NULL)
    read_once (self, JM_POWER_SOURCE (named->source));
}

void
jm_power_trial_clear (JmPowerTrial *self)
{
  g_clear_pointer (&self->domains, g_ptr_array_unref);
  g_clear_error (&self->error);
}

gboolean
jm_power_trial_has_worked (const JmPowerTrial *self)
{
  return self->domains->len > 0;
}

gboolean
jm_power_trial_has_failed_with (const JmPowerTrial *self, JmError code)
{
  return g_error_matches (self->error, JM_ERROR, (int) code);
}
