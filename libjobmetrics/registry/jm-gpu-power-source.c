/* jm-gpu-power-source.c: a library of accelerators as a power source
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "registry/jm-gpu-power-source-private.h"

#include "base/jm-error.h"
#include "core/jm-gpu-report-private.h"
#include "core/jm-power-domain-private.h"
#include "sources/power/jm-energy-trace-private.h"
#include "sources/power/jm-power-bound-private.h"

/* By which the time of one answer may differ when it is looked at twice. */
#define SAME_ANSWER_US 1000

/* One device, by the number that its library gives it. */
typedef struct
{
  guint index;
  char *domain;
  guint64 identity;    /* of its uuid, or name */
  JmEnergyTotal total; /* as of the last answer */
  gint64 answer_us;    /* when that was asked for */
  guint64 power_uw;    /* since then, as far as is known */
  guint64 told_uj;
  gboolean is_sum; /* of power, by its library, and no counter of its own */
  guint n_reads;   /* in which of them it was read last */
} Device;

struct _JmGpuPowerSource
{
  JmSource parent_instance;
  JmGpuMapper *library;
  JmGpuReport *report;
  GArray *devices; /* of Device */
  guint n_reads;
};

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmGpuPowerSource,
                               jm_gpu_power_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static void
device_clear (gpointer data)
{
  g_free (((Device *) data)->domain);
}

static Device *
get_device (JmGpuPowerSource *self, guint index)
{
  Device device = { .index = index };

  for (guint i = 0; i < self->devices->len; i++)
    if (g_array_index (self->devices, Device, i).index == index)
      return &g_array_index (self->devices, Device, i);

  device.domain =
    g_strdup_printf ("%s-%u", jm_power_domain_get_name (JM_POWER_DOMAIN_GPU), index);
  g_array_append_val (self->devices, device);

  return &g_array_index (self->devices, Device, self->devices->len - 1);
}

/* The numbers that a library gives its devices may be others when it begins anew. */
static guint64
identify (JmGpu *gpu)
{
  const char *uuid = jm_gpu_get_field (gpu, JM_GPU_FIELD_UUID);

  return jm_energy_trace_identify (uuid != NULL ? uuid : jm_gpu_get_name (gpu));
}

/* A device that reports no power takes what it took between its last answers. */
static guint64
get_power (const Device *device,
           const JmReading *power,
           guint64 before_uj,
           gint64 answer_us)
{
  if (power != NULL && jm_power_is_possible (device->domain, power->value))
    return power->value;
  if (device->answer_us == 0 || answer_us <= device->answer_us)
    return 0;

  return (guint64) ((double) (device->total.total_uj - before_uj) * G_USEC_PER_SEC /
                    (double) (answer_us - device->answer_us));
}

static gboolean
take_answer (Device *device,
             guint64 energy_uj,
             const JmReading *power,
             gint64 answer_us,
             JmReadings *readings)
{
  guint64 raw_uj = device->total.raw_uj;
  guint64 before_uj = device->total.total_uj;
  g_autoptr (GError) error = NULL;

  if (device->answer_us != 0 && answer_us - device->answer_us < SAME_ANSWER_US)
    return TRUE;

  if (jm_energy_total_take (&device->total, energy_uj, answer_us))
    {
      device->power_uw = get_power (device, power, before_uj, answer_us);
      device->answer_us = answer_us;
      return TRUE;
    }

  /* it begins with the driver, and anew with it */
  error = g_error_new (JM_ERROR, JM_ERROR_MALFORMED,
                       "%s: its counter went from %" G_GUINT64_FORMAT
                       " uJ to %" G_GUINT64_FORMAT " uJ, which cannot be",
                       device->domain, raw_uj, energy_uj);
  jm_readings_add_error (readings, error);

  return FALSE;
}

/* Devices are asked less often than they may be looked at: meanwhile the counter goes
 * on by the power. What that was too much is waited for. */
static void
tell_energy (Device *device, guint64 age_us, JmReadings *readings)
{
  double since_uj = (double) device->power_uw * (double) age_us / G_USEC_PER_SEC;

  device->told_uj = MAX (device->told_uj, device->total.total_uj + (guint64) since_uj);
  jm_readings_add_energy (readings, device->domain, device->told_uj);
}

/* Its own counter, or what its library has summed up of its power. The one does not go
 * on where the other was. */
static gboolean
find_energy (JmGpuPowerSource *self, guint i, Device *device, guint64 *energy_uj)
{
  const JmReading *energy = jm_gpu_report_find (self->report, i, JM_METRIC_GPU_ENERGY);
  const JmGpuSums *sums = jm_gpu_report_get_sums (self->report, i);
  gboolean is_sum = energy == NULL && sums != NULL && sums->has_energy;

  if (energy == NULL && !is_sum)
    return FALSE;

  *energy_uj = is_sum ? sums->energy_uj : energy->value;
  if (is_sum != device->is_sum && device->answer_us != 0)
    jm_energy_total_restart (&device->total, *energy_uj, device->answer_us);
  device->is_sum = is_sum;

  return TRUE;
}

static void
tell_device (JmGpuPowerSource *self, guint i, guint64 age_us, JmReadings *readings)
{
  JmGpu *gpu = jm_gpu_report_get_device (self->report, i);
  const JmReading *power = jm_gpu_report_find (self->report, i, JM_METRIC_GPU_POWER);
  Device *device;
  guint64 energy_uj;

  if (jm_gpu_get_field (gpu, JM_GPU_FIELD_PARENT) != NULL)
    return;

  device = get_device (self, jm_gpu_get_index (gpu));
  if (device->n_reads == self->n_reads)
    return;

  device->n_reads = self->n_reads;
  device->identity = identify (gpu);
  if (find_energy (self, i, device, &energy_uj))
    {
      if (take_answer (device, energy_uj, power,
                       g_get_monotonic_time () - (gint64) age_us, readings))
        tell_energy (device, age_us, readings);
    }
  else if (power != NULL)
    jm_readings_add_power (readings, device->domain, power->value);
}

static gboolean
jm_gpu_power_source_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  JmGpuPowerSource *self = JM_GPU_POWER_SOURCE (source);
  guint64 age_us;

  jm_gpu_report_reset (self->report);
  if (!jm_gpu_mapper_read_devices (self->library, self->report, error))
    return FALSE;

  age_us = jm_gpu_report_get_age (self->report);
  jm_readings_set_age (readings, age_us);
  self->n_reads++;
  for (guint i = 0; i < jm_gpu_report_get_n_devices (self->report); i++)
    tell_device (self, i, age_us, readings);

  return TRUE;
}

static gboolean
jm_gpu_power_source_wait (JmPowerSource *source, gint64 timeout_us)
{
  return jm_gpu_mapper_wait (JM_GPU_POWER_SOURCE (source)->library, timeout_us);
}

static gboolean
jm_gpu_power_source_trace (gpointer source, const char *domain, gpointer trace)
{
  JmGpuPowerSource *self = JM_GPU_POWER_SOURCE (source);

  for (guint i = 0; i < self->devices->len; i++)
    {
      const Device *device = &g_array_index (self->devices, Device, i);

      if (!g_str_equal (device->domain, domain) || device->is_sum ||
          !jm_energy_total_trace (&device->total, trace))
        continue;

      ((JmEnergyTrace *) trace)->identity = device->identity;

      return TRUE;
    }

  return FALSE;
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_gpu_power_source_read;
  iface->wait = jm_gpu_power_source_wait;
  iface->trace = jm_gpu_power_source_trace;
}

/* What mends the library mends this. */
static void
jm_gpu_power_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  jm_source_advise (JM_SOURCE (JM_GPU_POWER_SOURCE (source)->library), error, advice);
}

static void
jm_gpu_power_source_finalize (GObject *object)
{
  JmGpuPowerSource *self = JM_GPU_POWER_SOURCE (object);

  g_clear_object (&self->library);
  jm_gpu_report_unref (self->report);
  g_array_unref (self->devices);

  G_OBJECT_CLASS (jm_gpu_power_source_parent_class)->finalize (object);
}

static void
jm_gpu_power_source_class_init (JmGpuPowerSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_gpu_power_source_finalize;
  JM_SOURCE_CLASS (klass)->advise = jm_gpu_power_source_advise;
}

static void
jm_gpu_power_source_init (JmGpuPowerSource *self)
{
  self->report = jm_gpu_report_new ();
  self->devices = g_array_new (FALSE, FALSE, sizeof (Device));
  g_array_set_clear_func (self->devices, device_clear);
}

JmGpuPowerSource *
jm_gpu_power_source_new (JmGpuMapper *library)
{
  JmGpuPowerSource *self =
    g_object_new (JM_TYPE_GPU_POWER_SOURCE, "host",
                  jm_source_get_host (JM_SOURCE (library)), NULL);

  self->library = g_object_ref (library);
  g_initable_init (G_INITABLE (self), NULL, NULL);

  return self;
}

JmGpuMapper *
jm_gpu_power_source_get_library (JmGpuPowerSource *self)
{
  return self->library;
}
