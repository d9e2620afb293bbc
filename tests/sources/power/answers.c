/* answers.c: what a power source reports, in a test
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "answers.h"

JmReadings *
answers_new (void)
{
  JmReadings *self = jm_readings_new ();

  jm_readings_reset (self, jm_collector_set_get_all ());

  return self;
}

gboolean
answers_wait (gpointer source)
{
  return jm_power_source_wait (JM_POWER_SOURCE (source), ANSWERS_PATIENCE_US);
}

gboolean
answers_read (JmReadings *self, gpointer source, GError **error)
{
  gboolean is_read;

  jm_readings_reset (self, jm_collector_set_get_all ());
  jm_readings_begin (self, JM_COLLECTOR_POWER);
  is_read = jm_power_source_read (JM_POWER_SOURCE (source), self, error);
  jm_readings_end (self);

  return is_read;
}

static const JmReading *
find (JmReadings *self, JmMetric metric, const char *domain, const char *detail)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("", domain, detail, NULL);
  guint n_values;
  const JmReading *values = jm_readings_get_values (self, &n_values);
  const JmReading *found = NULL;

  for (guint i = 0; i < n_values; i++)
    if (values[i].metric == metric && values[i].labels == labels)
      {
        g_assert_null (found);
        found = &values[i];
      }

  return found;
}

gboolean
answers_have (JmReadings *self, JmMetric metric, const char *domain)
{
  return find (self, metric, domain, NULL) != NULL;
}

guint64
answers_get (JmReadings *self, JmMetric metric, const char *domain)
{
  const JmReading *found = find (self, metric, domain, NULL);

  g_assert_nonnull (found);

  return found->value;
}

guint64
answers_get_detail (JmReadings *self,
                    JmMetric metric,
                    const char *domain,
                    const char *detail)
{
  const JmReading *found = find (self, metric, domain, detail);

  return found != NULL ? found->value : 0;
}

const GError *
answers_get_problem (JmReadings *self)
{
  return jm_readings_get_status (self, JM_COLLECTOR_POWER)->first_error;
}
