/* jm-power-meters.c: what the node's power sources have measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-power-meters-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "host/jm-source-private.h"
#include "sources/power/jm-power-types-private.h"

/* A source with more domains than this makes them up. */
#define MAX_CHANNELS 1024

#define ROUNDS_BETWEEN_TRIALS 12

typedef struct
{
  char *name;
  JmLabels *labels; /* the name alone */
  JmPowerSource *source;
  guint n_rounds;   /* in which it was not open */
  GArray *channels; /* of JmMeterChannel */
} Meter;

struct _JmPowerMeters
{
  GPtrArray *meters; /* of Meter */
  JmReadings *scratch;
  GArray *intervals; /* of JmMeterInterval */
  GArray *earlier;   /* of JmMeterRecord: what is kept of channels not seen yet */
  gint64 read_us;    /* when they were read last */
  JmFindDevice find; /* NULL where nobody knows */
  gpointer find_data;
};

static void
channel_clear (gpointer channel)
{
  jm_meter_channel_clear (channel);
}

static void
meter_free (gpointer data)
{
  Meter *meter = data;

  g_array_unref (meter->channels);
  g_object_unref (meter->source);
  jm_labels_unref (meter->labels);
  g_free (meter->name);
  g_free (meter);
}

JmPowerMeters *
jm_power_meters_new (void)
{
  JmPowerMeters *self = g_new0 (JmPowerMeters, 1);

  self->meters = g_ptr_array_new_with_free_func (meter_free);
  self->scratch = jm_readings_new ();
  self->intervals = g_array_new (FALSE, FALSE, sizeof (JmMeterInterval));
  self->earlier = jm_meter_records_new ();

  return self;
}

void
jm_power_meters_free (JmPowerMeters *self)
{
  g_ptr_array_unref (self->meters);
  jm_readings_unref (self->scratch);
  g_array_unref (self->intervals);
  g_array_unref (self->earlier);
  g_free (self);
}

void
jm_power_meters_add (JmPowerMeters *self, const char *name, JmPowerSource *source)
{
  Meter *meter = g_new0 (Meter, 1);

  meter->name = g_strdup (name);
  meter->labels = jm_labels_of (name, NULL);
  meter->source = g_object_ref (source);
  meter->channels = g_array_new (FALSE, FALSE, sizeof (JmMeterChannel));
  g_array_set_clear_func (meter->channels, channel_clear);
  g_ptr_array_add (self->meters, meter);
}

gboolean
jm_power_meters_is_empty (JmPowerMeters *self)
{
  return self->meters->len == 0;
}

/* --- channels --- */

/* Whether it is what a domain takes. */
static gboolean
is_of_power (JmMetric metric)
{
  return metric == JM_METRIC_NODE_ENERGY || metric == JM_METRIC_NODE_POWER;
}

/* The position of the first of a domain's channels; of the next one if it has none. */
static guint
find_domain (Meter *meter, JmLabels *labels)
{
  guint i = 0;

  while (i < meter->channels->len &&
         g_array_index (meter->channels, JmMeterChannel, i).labels != labels)
    i++;

  return i;
}

/* Goes on with what an earlier program kept of it. */
static void
meet (JmPowerMeters *self, Meter *meter, JmMeterChannel *channel, JmReadings *readings)
{
  const char *domain = jm_meter_channel_get_domain (channel);

  for (guint i = 0; i < self->earlier->len; i++)
    {
      const JmMeterRecord *record = &g_array_index (self->earlier, JmMeterRecord, i);

      if (record->is_counter != channel->is_counter ||
          !g_str_equal (record->source, meter->name) ||
          !g_str_equal (record->domain, domain))
        continue;

      jm_meter_channel_restore (channel, record, meter->source, readings);
      g_array_remove_index_fast (self->earlier, i);
      return;
    }
}

static JmMeterChannel *
add_channel (JmPowerMeters *self,
             Meter *meter,
             const JmReading *reading,
             JmReadings *readings)
{
  JmMeterChannel channel;

  if (meter->channels->len == MAX_CHANNELS)
    return NULL;

  jm_meter_channel_init (&channel, meter->name, reading);
  channel.first = find_domain (meter, channel.labels);
  if (is_of_power (channel.metric))
    meet (self, meter, &channel, readings);
  g_array_append_val (meter->channels, channel);

  return &g_array_index (meter->channels, JmMeterChannel, meter->channels->len - 1);
}

static gboolean
channel_is_of (const JmMeterChannel *channel, const JmReading *reading)
{
  return channel->metric == reading->metric && channel->read == reading->labels;
}

/* A source reports its domains in the same order each time: @hint is right as a
 * rule. */
static JmMeterChannel *
get_channel (JmPowerMeters *self,
             Meter *meter,
             const JmReading *reading,
             guint hint,
             JmReadings *readings)
{
  for (guint i = 0; i < meter->channels->len; i++)
    {
      guint position = (hint + i) % meter->channels->len;
      JmMeterChannel *channel =
        &g_array_index (meter->channels, JmMeterChannel, position);

      if (channel_is_of (channel, reading))
        return channel;
    }

  return add_channel (self, meter, reading, readings);
}

/* --- reading --- */

static void
tell (const JmMeterChannel *channel, guint64 power_uw, JmReadings *readings)
{
  jm_readings_add_labelled (readings, JM_METRIC_NODE_ENERGY, channel->labels,
                            channel->energy_uj);
  if (power_uw > 0)
    jm_readings_add_labelled (readings, JM_METRIC_NODE_POWER, channel->labels,
                              power_uw);
}

/* What an estimate reckons of memory is by its size alone. */
static gboolean
is_constant (const Meter *meter, const JmMeterChannel *channel)
{
  return JM_IS_ESTIMATE_SOURCE (meter->source) && channel->kind == JM_POWER_DOMAIN_DRAM;
}

/* A device that its library has just now not reported is the one that it was. FALSE
 * where it is not known which one it is: it would be taken for another. */
static gboolean
find_device (JmPowerMeters *self, const Meter *meter, JmMeterChannel *channel)
{
  guint device = JM_NO_DEVICE;

  if (self->find == NULL || channel->kind != JM_POWER_DOMAIN_GPU ||
      !self->find (meter->source, channel->number, &device, self->find_data))
    return TRUE;
  if (device != JM_NO_DEVICE)
    channel->device = device;

  return channel->device != JM_NO_DEVICE;
}

static guint64
get_power (guint64 energy_uj, gint64 span_us)
{
  return (guint64) ((unsigned __int128) energy_uj * 1000000 / (guint64) span_us);
}

/* A counter that is asked in the background makes steps, each of which is of the time
 * since the one before. That of an accelerator goes on by its power. */
static gboolean
makes_steps (JmPowerMeters *self, const JmMeterChannel *channel)
{
  return channel->is_counter && channel->kind != JM_POWER_DOMAIN_GPU &&
         jm_readings_get_age (self->scratch) > 0;
}

/* In which @energy_uj was counted: between two answers, and not since the round before;
 * -1 where that is not known. */
static gint64
take_step (JmMeterChannel *channel, guint64 energy_uj, gint64 answer_us)
{
  gint64 span_us = channel->stepped_us != 0 ? answer_us - channel->stepped_us : -1;

  if (energy_uj == 0 || span_us == 0)
    return -1;

  channel->stepped_us = answer_us;
  channel->step_uw = span_us > 0 ? get_power (energy_uj, span_us) : 0;

  return span_us;
}

static void
take_reading (JmPowerMeters *self,
              Meter *meter,
              JmMeterChannel *channel,
              guint64 value,
              gint64 now_us,
              JmReadings *readings)
{
  gboolean is_in_steps = makes_steps (self, channel);
  gint64 answer_us = now_us - (gint64) jm_readings_get_age (self->scratch);
  gint64 began_us = channel->read_us;
  guint64 energy_uj = 0;
  guint64 power_uw = channel->is_counter ? 0 : value;

  if (jm_meter_channel_take (channel, value, now_us, readings, &energy_uj))
    {
      JmMeterInterval interval = {
        channel->kind,
        channel->number,
        channel->die,
        jm_power_source_is_estimate (meter->source),
        energy_uj,
        began_us,
        now_us,
        is_constant (meter, channel),
        channel->device != JM_NO_DEVICE,
        channel->device,
      };

      interval.span_us =
        is_in_steps ? take_step (channel, energy_uj, answer_us) : now_us - began_us;
      g_array_append_val (self->intervals, interval);
      if (channel->is_counter)
        power_uw =
          is_in_steps ? channel->step_uw : get_power (energy_uj, interval.span_us);
    }

  tell (channel, power_uw, readings);
}

/* What nothing is reckoned from. */
static gboolean
is_handed_on (JmMetric metric)
{
  return metric == JM_METRIC_NODE_MEMORY_TRAFFIC ||
         metric == JM_METRIC_NODE_POWER_STATISTIC ||
         metric == JM_METRIC_NODE_POWER_LIMIT;
}

static gboolean
is_of_meter (JmMetric metric)
{
  return is_of_power (metric) || is_handed_on (metric) ||
         metric == JM_METRIC_NODE_POWER_DOMAIN_UP;
}

static void
take_readings (JmPowerMeters *self, Meter *meter, gint64 now_us, JmReadings *readings)
{
  const JmReading *values;
  guint n;

  values = jm_readings_get_values (self->scratch, &n);
  for (guint i = 0; i < n; i++)
    {
      JmMeterChannel *channel;

      if (!is_of_meter (values[i].metric))
        continue;

      channel = get_channel (self, meter, &values[i], i, readings);
      if (channel == NULL)
        continue;
      if (is_handed_on (channel->metric))
        jm_readings_add_labelled (readings, channel->metric, channel->labels,
                                  values[i].value);
      else if (is_of_power (channel->metric) && channel->read_us != now_us)
        {
          if (find_device (self, meter, channel))
            take_reading (self, meter, channel, values[i].value, now_us, readings);
        }
    }
}

/* --- which domains were read --- */

/* Of which domain a channel is; NULL where it is not a meter's. */
static JmMeterChannel *
get_first (Meter *meter, const JmMeterChannel *channel)
{
  return is_handed_on (channel->metric)
           ? NULL
           : &g_array_index (meter->channels, JmMeterChannel, channel->first);
}

static void
note_read_domains (Meter *meter, gint64 now_us)
{
  for (guint i = 0; i < meter->channels->len; i++)
    {
      JmMeterChannel *channel = &g_array_index (meter->channels, JmMeterChannel, i);
      JmMeterChannel *first = get_first (meter, channel);

      if (first == NULL)
        continue;

      if (first == channel)
        first->is_up = FALSE;
      first->is_up |= is_of_power (channel->metric) && channel->read_us == now_us;
    }
}

/* Exports which domains are up, and returns the names of those that are not. */
static char *
tell_domains (Meter *meter, JmReadings *readings)
{
  g_autoptr (GString) down = g_string_new (NULL);

  for (guint i = 0; i < meter->channels->len; i++)
    {
      const JmMeterChannel *channel =
        &g_array_index (meter->channels, JmMeterChannel, i);

      if (get_first (meter, channel) != channel)
        continue;

      jm_readings_add_labelled (readings, JM_METRIC_NODE_POWER_DOMAIN_UP,
                                channel->labels, channel->is_up);
      if (!channel->is_up)
        g_string_append_printf (down, "%s%s", down->len > 0 ? ", " : "",
                                jm_labels_get_value (channel->labels, 1));
    }

  return g_string_free (g_steal_pointer (&down), FALSE);
}

/* Power that nobody saw is not integrated; a counter has it counted. */
static void
forget_power (Meter *meter, gint64 now_us)
{
  for (guint i = 0; i < meter->channels->len; i++)
    {
      JmMeterChannel *channel = &g_array_index (meter->channels, JmMeterChannel, i);

      if (!channel->is_counter && channel->read_us != now_us)
        channel->read_us = 0;
    }
}

/* What a source that answered could not read, and why where it says so. */
static void
tell_missing (JmPowerMeters *self,
              const Meter *meter,
              const char *down,
              JmReadings *readings)
{
  const GError *why =
    jm_readings_get_status (self->scratch, JM_COLLECTOR_POWER)->first_error;
  g_autoptr (GError) told = NULL;

  if (why == NULL && *down == '\0')
    return;

  told = g_error_new (JM_ERROR, why != NULL ? why->code : JM_ERROR_UNAVAILABLE,
                      "power source %s: %s%s%s", meter->name, down,
                      *down == '\0' ? "" : " missing: ",
                      why != NULL ? why->message : "could be read before");
  jm_readings_add_error (readings, told);
}

/* Readings pass over what is absent, as a job that ended is; a meter that was asked
 * for, or went away, is missed, and may come back. */
static void
tell_failure (const Meter *meter, const GError *error, JmReadings *readings)
{
  gboolean is_absent = g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT);
  g_autoptr (GError) told =
    g_error_new (error->domain, is_absent ? JM_ERROR_UNAVAILABLE : error->code,
                 "power source %s: %s", meter->name, error->message);

  jm_readings_add_error (readings, told);
}

static gboolean
open_meter (Meter *meter, JmReadings *readings)
{
  JmSource *source = JM_SOURCE (meter->source);
  const GError *error;

  if (!jm_source_is_open (source) && meter->n_rounds++ % ROUNDS_BETWEEN_TRIALS == 0)
    g_initable_init (G_INITABLE (source), NULL, NULL);
  if (jm_source_is_open (source))
    return TRUE;

  error = jm_source_get_error (source);
  if (error != NULL)
    tell_failure (meter, error, readings);
  jm_readings_add_labelled (readings, JM_METRIC_NODE_POWER_SOURCE_UP, meter->labels,
                            FALSE);

  return FALSE;
}

static void
read_meter (JmPowerMeters *self, Meter *meter, gint64 now_us, JmReadings *readings)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *down = NULL;
  gboolean is_up;
  guint64 age_us;

  jm_readings_reset (self->scratch, jm_collector_set_get_all ());
  jm_readings_begin (self->scratch, JM_COLLECTOR_POWER);
  is_up = jm_power_source_read (meter->source, self->scratch, &error);
  age_us = jm_readings_get_age (self->scratch);

  if (is_up)
    take_readings (self, meter, now_us, readings);
  else if (error != NULL)
    tell_failure (meter, error, readings);
  jm_source_set_error (JM_SOURCE (meter->source), error);
  forget_power (meter, now_us);
  note_read_domains (meter, now_us);
  down = tell_domains (meter, readings);
  if (is_up)
    tell_missing (self, meter, down, readings);

  jm_readings_add_labelled (readings, JM_METRIC_NODE_POWER_SOURCE_UP, meter->labels,
                            is_up);
  if (age_us > 0)
    jm_readings_add_labelled (readings, JM_METRIC_NODE_POWER_SOURCE_AGE, meter->labels,
                              age_us);
}

void
jm_power_meters_set_finder (JmPowerMeters *self, JmFindDevice find, gpointer user_data)
{
  self->find = find;
  self->find_data = user_data;
}

const GArray *
jm_power_meters_read (JmPowerMeters *self, gint64 now_us, JmReadings *readings)
{
  g_array_set_size (self->intervals, 0);
  self->read_us = now_us;
  for (guint i = 0; i < self->meters->len; i++)
    {
      Meter *meter = g_ptr_array_index (self->meters, i);

      if (open_meter (meter, readings))
        read_meter (self, meter, now_us, readings);
    }

  return self->intervals;
}

void
jm_power_meters_wait (JmPowerMeters *self, gint64 timeout_us)
{
  gint64 end_us = g_get_monotonic_time () + timeout_us;

  for (guint i = 0; i < self->meters->len; i++)
    {
      const Meter *meter = g_ptr_array_index (self->meters, i);

      if (jm_source_is_open (JM_SOURCE (meter->source)))
        jm_power_source_wait (meter->source, MAX (end_us - g_get_monotonic_time (), 0));
    }
}

/* --- over a restart --- */

/* An accelerator may be another library's from round to round: what it did before the
 * last one may be reported already. */
static gboolean
is_in_time (JmPowerMeters *self, const JmMeterChannel *channel)
{
  return channel->device == JM_NO_DEVICE || channel->read_us == self->read_us;
}

static void
pack_meter (JmPowerMeters *self, const Meter *meter, GVariantBuilder *builder)
{
  for (guint i = 0; i < meter->channels->len; i++)
    {
      const JmMeterChannel *channel =
        &g_array_index (meter->channels, JmMeterChannel, i);
      JmMeterRecord record;

      if (!is_of_power (channel->metric))
        continue;

      record = jm_meter_channel_save (channel, meter->source);
      if (!is_in_time (self, channel))
        record.read_us = 0;
      jm_meter_records_pack (builder, &record);
    }
}

GVariant *
jm_power_meters_save (JmPowerMeters *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (JM_METER_RECORDS_TYPE));
  for (guint i = 0; i < self->meters->len; i++)
    pack_meter (self, g_ptr_array_index (self->meters, i), &builder);
  for (guint i = 0; i < self->earlier->len; i++)
    jm_meter_records_pack (&builder, &g_array_index (self->earlier, JmMeterRecord, i));

  return g_variant_builder_end (&builder);
}

void
jm_power_meters_restore (JmPowerMeters *self, GVariant *value, gint64 until_us)
{
  jm_meter_records_unpack (self->earlier, value);
  for (guint i = 0; i < self->earlier->len; i++)
    {
      JmMeterRecord *record = &g_array_index (self->earlier, JmMeterRecord, i);

      if (record->read_us > until_us)
        record->read_us = 0;
    }
}

GVariant *
jm_power_meters_list_names (JmPowerMeters *self)
{
  GVariantBuilder names;

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < self->meters->len; i++)
    g_variant_builder_add (&names, "s",
                           ((const Meter *) g_ptr_array_index (self->meters, i))->name);

  return g_variant_builder_end (&names);
}
