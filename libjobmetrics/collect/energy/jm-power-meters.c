/* jm-power-meters.c: what the node's power sources have measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-power-meters-private.h"

#include <string.h>

#include "core/jm-error.h"
#include "core/jm-readings-private.h"
#include "sources/jm-source-private.h"
#include "sources/power/jm-estimate-source.h"
#include "sources/power/jm-power-bound-private.h"

/* Some counters are behind by as much, and then catch up. */
#define SLACK_US G_USEC_PER_SEC
/* A source with more domains than this makes them up. */
#define MAX_CHANNELS 1024

#define ROUNDS_BETWEEN_TRIALS 12

/* One domain of one source. */
typedef struct
{
  JmLabels *read;   /* the labels that the source puts on it */
  JmLabels *labels; /* the same with the source's name */
  JmPowerDomain kind;
  guint number;
  guint die;
  JmMetric metric;
  guint first;    /* position of the first channel of this domain */
  gboolean is_up; /* of the first: this round has one of them */
  gboolean is_counter;
  guint64 value;        /* as read last: microjoules or microwatts */
  gint64 read_us;       /* when; 0 where nothing can be reckoned from it */
  gint64 changed_us;    /* when it was another one for the last time */
  guint device;         /* of an accelerator: its number in the node, or JM_NO_DEVICE */
  guint64 energy_uj;    /* since the source was opened */
  guint64 remainder_pj; /* of integrating, less than a microjoule */
} Channel;

typedef struct
{
  char *name;
  JmLabels *labels; /* the name alone */
  JmPowerSource *source;
  guint n_rounds;   /* in which it was not open */
  GArray *channels; /* of Channel */
} Meter;

struct _JmPowerMeters
{
  GPtrArray *meters; /* of Meter */
  JmReadings *scratch;
  GArray *intervals; /* of JmMeterInterval */
  JmFindDevice find; /* NULL where nobody knows */
  gpointer find_data;
};

static void
channel_clear (gpointer data)
{
  Channel *channel = data;

  jm_labels_unref (channel->read);
  jm_labels_unref (channel->labels);
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

  return self;
}

void
jm_power_meters_free (JmPowerMeters *self)
{
  g_ptr_array_unref (self->meters);
  jm_readings_unref (self->scratch);
  g_array_unref (self->intervals);
  g_free (self);
}

void
jm_power_meters_add (JmPowerMeters *self, const char *name, JmPowerSource *source)
{
  Meter *meter = g_new0 (Meter, 1);

  meter->name = g_strdup (name);
  meter->labels = jm_labels_of (name, NULL);
  meter->source = g_object_ref (source);
  meter->channels = g_array_new (FALSE, FALSE, sizeof (Channel));
  g_array_set_clear_func (meter->channels, channel_clear);
  g_ptr_array_add (self->meters, meter);
}

gboolean
jm_power_meters_is_empty (JmPowerMeters *self)
{
  return self->meters->len == 0;
}

/* --- channels --- */

/* The position of the first of a domain's channels; of the next one if it has none. */
static guint
find_domain (Meter *meter, JmLabels *labels)
{
  guint i = 0;

  while (i < meter->channels->len &&
         g_array_index (meter->channels, Channel, i).labels != labels)
    i++;

  return i;
}

static Channel *
add_channel (Meter *meter, const JmReading *reading)
{
  Channel channel = { 0 };
  const char *domain;

  if (meter->channels->len == MAX_CHANNELS)
    return NULL;

  domain = jm_metric_find_label (reading->metric, reading->labels, "domain");
  channel.read = jm_labels_ref (reading->labels);
  channel.labels = jm_labels_of (meter->name, domain,
                                 jm_labels_get_size (reading->labels) > 2
                                   ? jm_labels_get_value (reading->labels, 2)
                                   : NULL,
                                 NULL);
  channel.kind = jm_power_domain_from_name (domain, &channel.number, &channel.die);
  channel.metric = reading->metric;
  channel.is_counter = reading->metric == JM_METRIC_NODE_ENERGY;
  channel.first = find_domain (meter, channel.labels);
  channel.device = JM_NO_DEVICE;
  g_array_append_val (meter->channels, channel);

  return &g_array_index (meter->channels, Channel, meter->channels->len - 1);
}

static gboolean
channel_is_of (const Channel *channel, const JmReading *reading)
{
  return channel->metric == reading->metric && channel->read == reading->labels;
}

/* Sources tell their domains in the same order every time: @hint is right as a rule. */
static Channel *
get_channel (Meter *meter, const JmReading *reading, guint hint)
{
  for (guint i = 0; i < meter->channels->len; i++)
    {
      guint position = (hint + i) % meter->channels->len;
      Channel *channel = &g_array_index (meter->channels, Channel, position);

      if (channel_is_of (channel, reading))
        return channel;
    }

  return add_channel (meter, reading);
}

static const char *
get_domain (const Channel *channel)
{
  return jm_metric_find_label (channel->metric, channel->labels, "domain");
}

static void
report (JmReadings *readings, const Channel *channel, const char *what, guint64 value)
{
  g_autoptr (GError) error =
    g_error_new (JM_ERROR, JM_ERROR_MALFORMED,
                 "power source %s, %s: %s: %" G_GUINT64_FORMAT,
                 jm_metric_find_label (channel->metric, channel->labels, "source"),
                 get_domain (channel), what, value);

  jm_readings_add_error (readings, error);
}

/* Microwatts times microseconds are picojoules. */
static guint64
integrate (Channel *channel, guint64 power_uw, gint64 elapsed_us)
{
  unsigned __int128 energy_pj =
    (unsigned __int128) ((channel->value + power_uw) / 2) * (guint64) elapsed_us +
    channel->remainder_pj;

  channel->remainder_pj = (guint64) (energy_pj % 1000000);

  return (guint64) (energy_pj / 1000000);
}

/* What is written seldom makes large steps, so time counts from its last one. */
static gboolean
is_possible (const Channel *channel, guint64 energy_uj, gint64 now_us)
{
  guint64 elapsed_us = (guint64) (now_us - channel->changed_us) + SLACK_US;

  return energy_uj <= (unsigned __int128) jm_power_get_bound_uw (channel->kind) *
                        elapsed_us / 1000000;
}

/* What went into the domain since it was read last; FALSE where that is not known. */
static gboolean
take_counter (Channel *channel,
              guint64 value,
              gint64 now_us,
              JmReadings *readings,
              guint64 *energy_uj)
{
  if (value < channel->value)
    {
      report (readings, channel, "the counter went back, microjoules",
              channel->value - value);
      return FALSE;
    }

  *energy_uj = value - channel->value;
  if (!is_possible (channel, *energy_uj, now_us))
    {
      report (readings, channel, "more than can be drawn, microjoules", *energy_uj);
      return FALSE;
    }

  return TRUE;
}

static gboolean
take_value (Channel *channel,
            guint64 value,
            gint64 now_us,
            JmReadings *readings,
            guint64 *energy_uj)
{
  gint64 elapsed_us = now_us - channel->read_us;
  gboolean is_known = channel->read_us != 0 && elapsed_us > 0;

  if (!channel->is_counter && !jm_power_is_possible (get_domain (channel), value))
    {
      report (readings, channel, "which cannot be, microwatts", value);
      channel->read_us = 0;
      return FALSE;
    }

  if (is_known && channel->is_counter)
    is_known = take_counter (channel, value, now_us, readings, energy_uj);
  else if (is_known)
    *energy_uj = integrate (channel, value, elapsed_us);

  if (channel->read_us == 0 || channel->value != value)
    channel->changed_us = now_us;
  channel->value = value;
  channel->read_us = now_us;
  if (is_known)
    channel->energy_uj += *energy_uj;

  return is_known;
}

/* --- reading --- */

static void
tell (const Channel *channel, guint64 power_uw, JmReadings *readings)
{
  jm_readings_add_labelled (readings, JM_METRIC_NODE_ENERGY, channel->labels,
                            channel->energy_uj);
  if (power_uw > 0)
    jm_readings_add_labelled (readings, JM_METRIC_NODE_POWER, channel->labels,
                              power_uw);
}

/* What an estimate reckons of memory is by its size alone. */
static gboolean
is_constant (const Meter *meter, const Channel *channel)
{
  return JM_IS_ESTIMATE_SOURCE (meter->source) && channel->kind == JM_POWER_DOMAIN_DRAM;
}

/* A device that its library has just now not told of is the one that it was. FALSE
 * where it is not known which one it is: it would be taken for another. */
static gboolean
find_device (JmPowerMeters *self, const Meter *meter, Channel *channel)
{
  guint device = JM_NO_DEVICE;

  if (self->find == NULL || channel->kind != JM_POWER_DOMAIN_GPU ||
      !self->find (meter->source, channel->number, &device, self->find_data))
    return TRUE;
  if (device != JM_NO_DEVICE)
    channel->device = device;

  return channel->device != JM_NO_DEVICE;
}

static void
take_reading (JmPowerMeters *self,
              Meter *meter,
              Channel *channel,
              guint64 value,
              gint64 now_us,
              JmReadings *readings)
{
  gint64 began_us = channel->read_us;
  guint64 energy_uj = 0;
  guint64 power_uw = channel->is_counter ? 0 : value;

  if (take_value (channel, value, now_us, readings, &energy_uj))
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

      g_array_append_val (self->intervals, interval);
      if (channel->is_counter)
        power_uw = (guint64) ((unsigned __int128) energy_uj * 1000000 /
                              (guint64) (now_us - began_us));
    }

  tell (channel, power_uw, readings);
}

/* Whether it tells what a domain takes. */
static gboolean
is_of_power (JmMetric metric)
{
  return metric == JM_METRIC_NODE_ENERGY || metric == JM_METRIC_NODE_POWER;
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
      Channel *channel;

      if (!is_of_meter (values[i].metric))
        continue;

      channel = get_channel (meter, &values[i], i);
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
static Channel *
get_first (Meter *meter, const Channel *channel)
{
  return is_handed_on (channel->metric)
           ? NULL
           : &g_array_index (meter->channels, Channel, channel->first);
}

static void
note_read_domains (Meter *meter, gint64 now_us)
{
  for (guint i = 0; i < meter->channels->len; i++)
    {
      Channel *channel = &g_array_index (meter->channels, Channel, i);
      Channel *first = get_first (meter, channel);

      if (first == NULL)
        continue;

      if (first == channel)
        first->is_up = FALSE;
      first->is_up |= is_of_power (channel->metric) && channel->read_us == now_us;
    }
}

/* Tells which domains are up, and returns the names of those that are not. */
static char *
tell_domains (Meter *meter, JmReadings *readings)
{
  g_autoptr (GString) down = g_string_new (NULL);

  for (guint i = 0; i < meter->channels->len; i++)
    {
      const Channel *channel = &g_array_index (meter->channels, Channel, i);

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
      Channel *channel = &g_array_index (meter->channels, Channel, i);

      if (!channel->is_counter && channel->read_us != now_us)
        channel->read_us = 0;
    }
}

/* What a source that answered could not tell, and why where it says so. */
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
