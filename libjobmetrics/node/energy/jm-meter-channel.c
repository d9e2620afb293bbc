/* jm-meter-channel.c: one domain of one power source, from reading to reading
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-power-domain-private.h"
#include "node/energy/jm-power-meters-private.h"

#include "base/jm-error.h"
#include "sources/power/jm-power-bound-private.h"

/* Some counters are behind by as much, and then catch up. */
#define SLACK_US G_USEC_PER_SEC
/* What no node reaches. */
#define MAX_ENERGY_UJ (G_GUINT64_CONSTANT (1) << 62)
/* No node has as many domains, however often its sources change. */
#define MAX_RECORDS 4096
/* What lies between two readings of one counter is far below. */
#define MAX_OWED_UJ (G_GINT64_CONSTANT (1) << 60)

void
jm_meter_channel_init (JmMeterChannel *self,
                       const char *source,
                       const JmReading *reading)
{
  const char *domain =
    jm_metric_find_label (reading->metric, reading->labels, "domain");

  *self = (JmMeterChannel){
    .read = jm_labels_ref (reading->labels),
    .labels = jm_labels_of (source, domain,
                            jm_labels_get_size (reading->labels) > 2
                              ? jm_labels_get_value (reading->labels, 2)
                              : NULL,
                            NULL),
    .metric = reading->metric,
    .is_counter = reading->metric == JM_METRIC_NODE_ENERGY,
    .device = JM_NO_DEVICE,
  };
  self->kind = jm_power_domain_from_name (domain, &self->number, &self->die);
}

void
jm_meter_channel_clear (JmMeterChannel *self)
{
  jm_labels_unref (self->read);
  jm_labels_unref (self->labels);
}

const char *
jm_meter_channel_get_domain (const JmMeterChannel *self)
{
  return jm_metric_find_label (self->metric, self->labels, "domain");
}

static const char *
get_source (const JmMeterChannel *self)
{
  return jm_metric_find_label (self->metric, self->labels, "source");
}

/* --- taking --- */

static void
report (JmReadings *readings,
        const JmMeterChannel *self,
        const char *what,
        guint64 value)
{
  g_autoptr (GError) error =
    g_error_new (JM_ERROR, JM_ERROR_MALFORMED,
                 "power source %s, %s: %s: %" G_GUINT64_FORMAT, get_source (self),
                 jm_meter_channel_get_domain (self), what, value);

  jm_readings_add_error (readings, error);
}

/* Microwatts times microseconds are picojoules. */
static guint64
integrate (JmMeterChannel *self, guint64 power_uw, gint64 elapsed_us)
{
  unsigned __int128 energy_pj =
    (unsigned __int128) ((self->value + power_uw) / 2) * (guint64) elapsed_us +
    self->remainder_pj;

  self->remainder_pj = (guint64) (energy_pj % 1000000);

  return (guint64) (energy_pj / 1000000);
}

/* What is written seldom makes large steps, so time counts from its last one. */
static gboolean
is_possible (const JmMeterChannel *self, guint64 energy_uj, gint64 now_us)
{
  guint64 elapsed_us = (guint64) (now_us - self->changed_us) + SLACK_US;

  return energy_uj <=
         (unsigned __int128) jm_power_get_bound_uw (self->kind) * elapsed_us / 1000000;
}

/* What it was ahead by is waited for. */
static guint64
take_owed (JmMeterChannel *self, guint64 step_uj)
{
  gint64 sum_uj = (gint64) MIN (step_uj, MAX_ENERGY_UJ) + self->owed_uj;

  self->owed_uj = MIN (sum_uj, 0);

  return (guint64) MAX (sum_uj, 0);
}

static gboolean
take_counter (JmMeterChannel *self,
              guint64 value,
              gint64 now_us,
              JmReadings *readings,
              guint64 *energy_uj)
{
  if (value < self->value)
    {
      report (readings, self, "the counter went back, microjoules",
              self->value - value);
      return FALSE;
    }

  *energy_uj = take_owed (self, value - self->value);
  if (!is_possible (self, *energy_uj, now_us))
    {
      report (readings, self, "more than can be drawn, microjoules", *energy_uj);
      return FALSE;
    }

  return TRUE;
}

gboolean
jm_meter_channel_take (JmMeterChannel *self,
                       guint64 value,
                       gint64 now_us,
                       JmReadings *readings,
                       guint64 *energy_uj)
{
  gint64 elapsed_us = now_us - self->read_us;
  gboolean is_known = self->read_us != 0 && elapsed_us > 0;

  if (!self->is_counter &&
      !jm_power_is_possible (jm_meter_channel_get_domain (self), value))
    {
      report (readings, self, "which cannot be, microwatts", value);
      self->read_us = 0;
      return FALSE;
    }

  if (is_known && self->is_counter)
    is_known = take_counter (self, value, now_us, readings, energy_uj);
  else if (is_known)
    *energy_uj = integrate (self, value, elapsed_us);

  if (self->read_us == 0 || self->value != value)
    self->changed_us = now_us;
  self->value = value;
  self->read_us = now_us;
  if (is_known)
    self->energy_uj += *energy_uj;

  return is_known;
}

/* --- over a restart --- */

static void
report_gap (const JmMeterChannel *self, JmReadings *readings)
{
  g_autoptr (GError) error =
    g_error_new (JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "power source %s, %s: what it took while the program did not run is "
                 "not known: its counter has begun anew, or may have gone around",
                 get_source (self), jm_meter_channel_get_domain (self));

  jm_readings_add_error (readings, error);
}

void
jm_meter_channel_restore (JmMeterChannel *self,
                          const JmMeterRecord *record,
                          JmPowerSource *source,
                          JmReadings *readings)
{
  JmEnergyTrace trace;
  guint64 span_uj;

  self->energy_uj = record->energy_uj;
  self->remainder_pj = record->remainder_pj;
  if (!self->is_counter || record->read_us == 0 ||
      !jm_power_source_trace (source, jm_meter_channel_get_domain (self), &trace))
    return;

  if (!jm_energy_trace_span (&record->trace, &trace, &span_uj))
    {
      report_gap (self, readings);
      return;
    }

  self->value = 0;
  self->read_us = record->read_us;
  self->changed_us = record->changed_us;
  self->owed_uj = record->owed_uj + (gint64) MIN (span_uj, (guint64) MAX_OWED_UJ);
}

JmMeterRecord
jm_meter_channel_save (const JmMeterChannel *self, JmPowerSource *source)
{
  JmMeterRecord record = {
    .source = (char *) get_source (self),
    .domain = (char *) jm_meter_channel_get_domain (self),
    .is_counter = self->is_counter,
    .energy_uj = self->energy_uj,
    .remainder_pj = self->remainder_pj,
  };

  if (!self->is_counter || self->read_us == 0 ||
      !jm_power_source_trace (source, record.domain, &record.trace))
    return record;

  record.read_us = self->read_us;
  record.changed_us = self->changed_us;
  /* a source may have read it since, or reported more than it has read */
  record.owed_uj =
    self->owed_uj + (gint64) record.trace.total_uj - (gint64) self->value;

  return record;
}

/* --- records --- */

static void
record_clear (gpointer data)
{
  JmMeterRecord *record = data;

  g_free (record->source);
  g_free (record->domain);
}

GArray *
jm_meter_records_new (void)
{
  GArray *records = g_array_new (FALSE, FALSE, sizeof (JmMeterRecord));

  g_array_set_clear_func (records, record_clear);

  return records;
}

void
jm_meter_records_pack (GVariantBuilder *builder, const JmMeterRecord *record)
{
  const JmEnergyTrace *trace = &record->trace;

  g_variant_builder_add (builder, JM_METER_RECORD_TYPE, record->source, record->domain,
                         record->is_counter, record->energy_uj, record->remainder_pj,
                         record->read_us, record->changed_us, record->owed_uj,
                         trace->last_uj, trace->last_us, trace->max_uj,
                         trace->ceiling_uw, trace->peak_uw, trace->identity);
}

/* Numbers that no program writes are as good as none. */
static gboolean
is_sound (const JmMeterRecord *record)
{
  const JmEnergyTrace *trace = &record->trace;

  return record->energy_uj <= MAX_ENERGY_UJ && record->remainder_pj < 1000000 &&
         record->read_us >= 0 && record->changed_us >= 0 &&
         record->changed_us <= record->read_us && record->owed_uj <= MAX_OWED_UJ &&
         record->owed_uj >= -MAX_OWED_UJ && trace->last_us >= 0 &&
         trace->last_uj <= MAX_ENERGY_UJ && trace->max_uj <= MAX_ENERGY_UJ &&
         trace->peak_uw >= 0;
}

void
jm_meter_records_unpack (GArray *records, GVariant *value)
{
  for (gsize i = 0; i < MIN (g_variant_n_children (value), MAX_RECORDS); i++)
    {
      JmMeterRecord record = { 0 };
      JmEnergyTrace *trace = &record.trace;

      g_variant_get_child (value, i, JM_METER_RECORD_TYPE, &record.source,
                           &record.domain, &record.is_counter, &record.energy_uj,
                           &record.remainder_pj, &record.read_us, &record.changed_us,
                           &record.owed_uj, &trace->last_uj, &trace->last_us,
                           &trace->max_uj, &trace->ceiling_uw, &trace->peak_uw,
                           &trace->identity);
      if (is_sound (&record))
        g_array_append_val (records, record);
      else
        record_clear (&record);
    }
}
