/* jm-energy-trace.c: a device's own counter of energy, and how it was followed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-energy-trace-private.h"

#include "sources/power/jm-power-bound-private.h"

/* Some devices are behind by as much, and then catch up. */
#define UW_PER_WATT 1000000
#define SLACK_US G_USEC_PER_SEC

/* Of units that are no microjoules something would be rounded away. */
gboolean
jm_energy_counter_trace (const JmEnergyCounter *self, JmEnergyTrace *trace)
{
  if (!self->is_begun || !self->has_first || self->factor != 1 || self->shift != 0)
    return FALSE;

  *trace = (JmEnergyTrace){
    .first_uj = self->first_raw,
    .first_us = self->first_us,
    .last_uj = self->raw,
    .last_us = self->read_us,
    .total_uj = jm_energy_counter_get_uj (self),
    .max_uj = self->max,
    .ceiling_uw = self->ceiling_uw,
    .peak_uw = self->has_peak ? self->peak_uw : 0,
  };

  return TRUE;
}

gboolean
jm_energy_total_trace (const JmEnergyTotal *self, JmEnergyTrace *trace)
{
  if (!self->has_raw)
    return FALSE;

  *trace = (JmEnergyTrace){
    .first_uj = self->first_uj,
    .first_us = self->first_us,
    .last_uj = self->raw_uj,
    .last_us = self->raw_us,
    .total_uj = self->total_uj,
  };

  return TRUE;
}

gboolean
jm_power_source_trace (JmPowerSource *self, const char *domain, JmEnergyTrace *trace)
{
  JmPowerSourceInterface *iface = JM_POWER_SOURCE_GET_IFACE (self);

  return iface->trace != NULL && iface->trace (self, domain, trace);
}

/* While it is watched, a counter may go around as often as it likes; over a time in
 * which nobody looked it may have once at most. */
static gboolean
span_around (const JmEnergyTrace *before,
             const JmEnergyTrace *after,
             guint64 *energy_uj)
{
  JmEnergyCounter counter = {
    .max = before->max_uj,
    .factor = 1,
    .ceiling_uw = MAX (before->ceiling_uw, after->ceiling_uw),
    .raw = before->last_uj,
    .read_us = before->last_us,
    .is_begun = TRUE,
    .has_peak = before->peak_uw > 0,
    .peak_uw = before->peak_uw,
  };

  if (counter.ceiling_uw == 0 ||
      after->first_us - before->last_us > jm_energy_counter_get_wrap_us (&counter) ||
      jm_energy_counter_step (&counter, after->first_uj, after->first_us) !=
        JM_ENERGY_STEP_COUNTED)
    return FALSE;

  *energy_uj = jm_energy_counter_get_uj (&counter);

  return TRUE;
}

static gboolean
is_plausible (guint64 from_uj, gint64 from_us, guint64 to_uj, gint64 to_us)
{
  guint64 elapsed_us = (guint64) MAX (to_us - from_us, 0) + SLACK_US;

  /* a watt is a microjoule in a microsecond */
  return to_uj >= from_uj &&
         (to_uj - from_uj) /
             (jm_power_get_bound_uw (JM_POWER_DOMAIN_NODE) / UW_PER_WATT) <=
           elapsed_us;
}

static void
go_on_from (JmEnergyTotal *self, guint64 raw_uj, gint64 now_us)
{
  if (!self->has_raw)
    {
      self->first_uj = raw_uj;
      self->first_us = now_us;
    }
  self->raw_uj = raw_uj;
  self->raw_us = now_us;
  self->has_raw = TRUE;
  self->has_suspect = FALSE;
}

gboolean
jm_energy_total_take (JmEnergyTotal *self, guint64 raw_uj, gint64 now_us)
{
  if (!self->has_raw)
    go_on_from (self, raw_uj, now_us);

  if (is_plausible (self->raw_uj, self->raw_us, raw_uj, now_us))
    self->total_uj += raw_uj - self->raw_uj;
  else if (self->has_suspect &&
           is_plausible (self->suspect_uj, self->suspect_us, raw_uj, now_us))
    self->total_uj += raw_uj - self->suspect_uj;
  else
    {
      self->suspect_uj = raw_uj;
      self->suspect_us = now_us;
      self->has_suspect = TRUE;
      return FALSE;
    }

  go_on_from (self, raw_uj, now_us);

  return TRUE;
}

void
jm_energy_total_restart (JmEnergyTotal *self, guint64 raw_uj, gint64 now_us)
{
  go_on_from (self, raw_uj, now_us);
}

static gboolean
span_straight (const JmEnergyTrace *before,
               const JmEnergyTrace *after,
               guint64 *energy_uj)
{
  JmEnergyTotal total = {
    .raw_uj = before->last_uj,
    .raw_us = before->last_us,
    .has_raw = TRUE,
  };

  if (!jm_energy_total_take (&total, after->first_uj, after->first_us))
    return FALSE;

  *energy_uj = total.total_uj;

  return TRUE;
}

gboolean
jm_energy_trace_span (const JmEnergyTrace *before,
                      const JmEnergyTrace *after,
                      guint64 *energy_uj)
{
  if (before->identity != after->identity || before->max_uj != after->max_uj ||
      before->last_us > after->first_us)
    return FALSE;

  return before->max_uj != 0 ? span_around (before, after, energy_uj)
                             : span_straight (before, after, energy_uj);
}

guint64
jm_energy_trace_identify (const char *text)
{
  guint64 identity = G_GUINT64_CONSTANT (14695981039346656037);

  /* FNV-1a, the same in each program */
  for (const char *c = text; *c != '\0'; c++)
    identity = (identity ^ (guchar) *c) * G_GUINT64_CONSTANT (1099511628211);

  return MAX (identity, 1);
}
