/* fake-energy.c: a meter and a provider that a test reads from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "fake-energy.h"

#include "base/jm-error.h"

/* --- meter --- */

typedef struct
{
  char *domain;
  gboolean is_counter;
  guint64 value;
} Figure;

struct _FakeMeter
{
  JmSource parent_instance;
  GPtrArray *figures; /* of Figure */
  guint64 age_us;
  char *reason;
  gboolean is_estimate;
};

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeMeter,
                               fake_meter,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static gboolean
fake_meter_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  FakeMeter *self = FAKE_METER (source);

  if (self->reason != NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE, self->reason);
      return FALSE;
    }

  for (guint i = 0; i < self->figures->len; i++)
    {
      const Figure *figure = g_ptr_array_index (self->figures, i);

      if (figure->is_counter)
        jm_readings_add_energy (readings, figure->domain, figure->value);
      else
        jm_readings_add_power (readings, figure->domain, figure->value);
    }
  jm_readings_set_age (readings, self->age_us);

  return TRUE;
}

static gboolean
fake_meter_is_estimate (JmPowerSource *source)
{
  return FAKE_METER (source)->is_estimate;
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = fake_meter_read;
  iface->is_estimate = fake_meter_is_estimate;
}

static void
fake_meter_finalize (GObject *object)
{
  FakeMeter *self = FAKE_METER (object);

  g_ptr_array_unref (self->figures);
  g_free (self->reason);

  G_OBJECT_CLASS (fake_meter_parent_class)->finalize (object);
}

static void
fake_meter_class_init (FakeMeterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fake_meter_finalize;
}

static void
figure_free (gpointer figure)
{
  g_free (((Figure *) figure)->domain);
  g_free (figure);
}

static void
fake_meter_init (FakeMeter *self)
{
  self->figures = g_ptr_array_new_with_free_func (figure_free);
}

FakeMeter *
fake_meter_new (JmHost *host)
{
  return g_object_new (FAKE_TYPE_METER, "host", host, NULL);
}

static void
set_figure (FakeMeter *self, const char *domain, gboolean is_counter, guint64 value)
{
  Figure *figure;

  for (guint i = 0; i < self->figures->len; i++)
    {
      figure = g_ptr_array_index (self->figures, i);
      if (g_str_equal (figure->domain, domain))
        {
          figure->value = value;
          return;
        }
    }

  figure = g_new (Figure, 1);
  *figure = (Figure){ g_strdup (domain), is_counter, value };
  g_ptr_array_add (self->figures, figure);
}

void
fake_meter_set_energy (FakeMeter *self, const char *domain, guint64 energy_uj)
{
  set_figure (self, domain, TRUE, energy_uj);
}

void
fake_meter_set_power (FakeMeter *self, const char *domain, guint64 power_uw)
{
  set_figure (self, domain, FALSE, power_uw);
}

void
fake_meter_lose (FakeMeter *self, const char *domain)
{
  for (guint i = self->figures->len; i-- > 0;)
    if (g_str_equal (((Figure *) self->figures->pdata[i])->domain, domain))
      g_ptr_array_remove_index (self->figures, i);
}

void
fake_meter_fail (FakeMeter *self, const char *reason)
{
  g_free (self->reason);
  self->reason = g_strdup (reason);
}

void
fake_meter_set_age (FakeMeter *self, guint64 age_us)
{
  self->age_us = age_us;
}

void
fake_meter_be_an_estimate (FakeMeter *self)
{
  self->is_estimate = TRUE;
}

/* --- provider --- */

struct _FakeProvider
{
  JmSource parent_instance;
  double grams_per_kwh;
  JmEmissionMethod method;
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeProvider,
                               fake_provider,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

static JmEmissionFactor *
fake_provider_fetch (JmEmissionProvider *provider,
                     GCancellable *cancellable,
                     GError **error)
{
  FakeProvider *self = FAKE_PROVIDER (provider);

  return jm_emission_factor_new ("fake", "XX", self->grams_per_kwh, self->method,
                                 JM_EMISSION_SCOPE_LIFECYCLE,
                                 JM_EMISSION_QUALITY_STATISTIC, 0, 0);
}

static guint
fake_provider_get_interval (JmEmissionProvider *provider)
{
  return 0;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = fake_provider_fetch;
  iface->get_interval = fake_provider_get_interval;
}

static void
fake_provider_class_init (FakeProviderClass *klass)
{
}

static void
fake_provider_init (FakeProvider *self)
{
}

FakeProvider *
fake_provider_new (JmHost *host, double grams_per_kwh, JmEmissionMethod method)
{
  FakeProvider *self = g_object_new (FAKE_TYPE_PROVIDER, "host", host, NULL);

  self->grams_per_kwh = grams_per_kwh;
  self->method = method;

  return self;
}
