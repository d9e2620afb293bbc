/* meter.c: a power source under test, and what it said last
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "meter.h"

#include <string.h>

Meter *
meter_new (gpointer source)
{
  Meter *self = g_new0 (Meter, 1);

  g_assert_true (JM_IS_POWER_SOURCE (source));
  self->source = source;
  self->readings = jm_readings_new ();
  meter_read (self);

  return self;
}

void
meter_free (Meter *self)
{
  g_assert_finalize_object (self->source);
  jm_readings_unref (self->readings);
  g_free (self);
}

static gboolean
ask (Meter *self, GError **error)
{
  gboolean has_answered;

  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  g_assert_true (jm_readings_begin (self->readings, JM_COLLECTOR_POWER));
  has_answered = jm_power_source_read (self->source, self->readings, error);
  jm_readings_end (self->readings);

  return has_answered;
}

void
meter_read (Meter *self)
{
  g_autoptr (GError) error = NULL;

  ask (self, &error);
  g_assert_no_error (error);
}

void
meter_fail (Meter *self, JmError code, const char *message_part)
{
  g_autoptr (GError) error = NULL;
  guint n_values;

  g_assert_false (ask (self, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, message_part));
  jm_readings_get_values (self->readings, &n_values);
  g_assert_cmpuint (n_values, ==, 0);
}

gboolean
meter_find (Meter *self, JmMetric metric, const char *domain, guint64 *value)
{
  g_autoptr (JmLabels) labels = jm_labels_of ("", domain, NULL);
  guint n_values;
  const JmReading *values = jm_readings_get_values (self->readings, &n_values);

  for (guint i = 0; i < n_values; i++)
    if (values[i].metric == metric && values[i].labels == labels)
      {
        if (value != NULL)
          *value = values[i].value;
        return TRUE;
      }

  return FALSE;
}

guint64
meter_get_uj (Meter *self, const char *domain)
{
  guint64 value = 0;

  g_assert_true (meter_find (self, JM_METRIC_NODE_ENERGY, domain, &value));
  return value;
}

char *
meter_list (Meter *self)
{
  guint n_values;
  const JmReading *values = jm_readings_get_values (self->readings, &n_values);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < n_values; i++)
    if (values[i].metric != JM_METRIC_NODE_POWER_DOMAIN_UP &&
        jm_labels_get_size (values[i].labels) == 2)
      g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "",
                              jm_labels_get_value (values[i].labels, 1));

  return g_string_free (list, FALSE);
}

static const JmCollectorStatus *
get_status (Meter *self)
{
  return jm_readings_get_status (self->readings, JM_COLLECTOR_POWER);
}

guint
meter_count_errors (Meter *self)
{
  return get_status (self)->n_errors;
}

const GError *
meter_get_error (Meter *self)
{
  return get_status (self)->first_error;
}
