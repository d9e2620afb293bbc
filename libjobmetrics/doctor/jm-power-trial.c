/* jm-power-trial.c: a power source that is tried once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-power-trial-private.h"

#include "base/jm-error.h"
#include "core/jm-power-domain-private.h"
#include "core/jm-readings-private.h"
#include "doctor/jm-examination-private.h"
#include "sources/power/jm-power-source.h"

/* How long a BMC may take to answer. */
#define PATIENCE_US (6 * G_USEC_PER_SEC)

/* Where a figure's domain goes: a source says that one is up of those alone that are
 * not.
 */
static GPtrArray *
choose_list (JmPowerTrial *self, guint metric)
{
  switch (metric)
    {
    case JM_METRIC_NODE_ENERGY:
    case JM_METRIC_NODE_POWER:
      return self->domains;
    case JM_METRIC_NODE_POWER_DOMAIN_UP:
      return self->missing;
    default:
      return NULL;
    }
}

static void
take_domains (JmPowerTrial *self, JmReadings *readings)
{
  guint n;
  const JmReading *values = jm_readings_get_values (readings, &n);

  for (guint i = 0; i < n; i++)
    {
      GPtrArray *list = choose_list (self, values[i].metric);

      if (values[i].labels != NULL && list != NULL)
        g_ptr_array_add (list,
                         g_strdup (jm_metric_find_label (values[i].metric,
                                                         values[i].labels, "domain")));
    }
}

static void
name_missing (JmPowerTrial *self)
{
  g_autofree char *names = jm_examination_join (self->missing);

  g_prefix_error (&self->error, "%s missing: ", names);
}

static void
read_once (JmPowerTrial *self, JmPowerSource *source)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmCollectorStatus *status;

  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_readings_begin (readings, JM_COLLECTOR_POWER);
  jm_power_source_wait (source, PATIENCE_US);
  if (jm_power_source_read (source, readings, &self->error))
    take_domains (self, readings);

  status = jm_readings_get_status (readings, JM_COLLECTOR_POWER);
  if (self->error == NULL && status->first_error != NULL)
    self->error = g_error_copy (status->first_error);
  if (self->error != NULL && self->missing->len > 0)
    name_missing (self);
}

JmPowerTrial *
jm_power_trial_new (const char *name, JmSource *source)
{
  JmPowerTrial *self = g_new0 (JmPowerTrial, 1);

  self->name = g_strdup (name);
  self->source = g_object_ref (source);
  self->domains = g_ptr_array_new_with_free_func (g_free);
  self->missing = g_ptr_array_new_with_free_func (g_free);
  if (g_initable_init (G_INITABLE (source), NULL, &self->error))
    read_once (self, JM_POWER_SOURCE (source));

  return self;
}

void
jm_power_trial_free (JmPowerTrial *self)
{
  g_free (self->name);
  g_object_unref (self->source);
  g_ptr_array_unref (self->domains);
  g_ptr_array_unref (self->missing);
  g_clear_error (&self->error);
  g_free (self);
}

gboolean
jm_power_trial_has_worked (const JmPowerTrial *self)
{
  return self->domains->len > 0;
}

gboolean
jm_power_trial_is_absent (const JmPowerTrial *self)
{
  return g_error_matches (self->error, JM_ERROR, JM_ERROR_ABSENT);
}

/* The platform stands for the node where nothing better does. */
static JmPowerDomain
get_domain (const char *name)
{
  guint number, die;
  JmPowerDomain domain = jm_power_domain_from_name (name, &number, &die);

  return domain == JM_POWER_DOMAIN_PSYS ? JM_POWER_DOMAIN_NODE : domain;
}

gboolean
jm_power_trial_tells (const JmPowerTrial *self, const char *gain)
{
  for (guint i = 0; i < self->domains->len; i++)
    if (get_domain (self->domains->pdata[i]) == get_domain (gain))
      return TRUE;

  return FALSE;
}
