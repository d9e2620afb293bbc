/* jm-energy-counter.c: a counter of energy that begins anew at its end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-energy-counter-private.h"

#include <math.h>

#include "base/jm-error.h"

#define UW_PER_WATT G_GUINT64_CONSTANT (1000000)
#define US_PER_SECOND 1e6

/* A counter moves in steps, some thousand a second, and short peaks are higher. */
#define SLACK_SECONDS 1
#define PEAK 2

/* Shorter intervals give no power. */
#define LEAST_SECONDS 0.1

guint64
jm_energy_delta (guint64 before, guint64 now, guint64 max)
{
  return now >= before ? now - before : max - before + now + 1;
}

/* The largest processors of 2026 are made for 600 W, and a psys may be a whole node. */
guint64
jm_energy_get_ceiling_uw (JmPowerDomain domain)
{
  switch (domain)
    {
    case JM_POWER_DOMAIN_PSYS:
    case JM_POWER_DOMAIN_NODE:
      return 4000 * UW_PER_WATT;
    case JM_POWER_DOMAIN_PACKAGE:
    case JM_POWER_DOMAIN_GPU:
      return 1000 * UW_PER_WATT;
    case JM_POWER_DOMAIN_OTHER:
    case JM_POWER_DOMAIN_CORE:
    case JM_POWER_DOMAIN_UNCORE:
    case JM_POWER_DOMAIN_DRAM:
    default:
      return 500 * UW_PER_WATT;
    }
}

static double
to_uj (const JmEnergyCounter *self, guint64 units)
{
  return ldexp ((double) units * (double) self->factor, -(int) self->shift);
}

static double
get_wrap_seconds (const JmEnergyCounter *self)
{
  return to_uj (self, self->max) / (double) self->ceiling_uw;
}

gint64
jm_energy_counter_get_wrap_us (const JmEnergyCounter *self)
{
  return (gint64) MIN (get_wrap_seconds (self) * US_PER_SECOND,
                       (double) G_MAXINT32 * US_PER_SECOND);
}

static JmEnergyStep
judge (const JmEnergyCounter *self, guint64 delta, gint64 elapsed_us)
{
  double seconds = (double) MAX (elapsed_us, 0) / US_PER_SECOND;

  if (seconds > PEAK * get_wrap_seconds (self))
    return JM_ENERGY_STEP_LOST;
  if (to_uj (self, delta) >
      PEAK * (double) self->ceiling_uw * (seconds + SLACK_SECONDS))
    return JM_ENERGY_STEP_IMPOSSIBLE;

  return JM_ENERGY_STEP_COUNTED;
}

/* A counter that went back may have reached its end, or been reset near it, by a driver
 * that was loaded again or a processor that slept. One that reads 0 was reset; and so,
 * to make nothing up, was one that would have to have counted far more than it ever
 * did.
 */
static gboolean
is_reset (const JmEnergyCounter *self, guint64 raw, guint64 delta, gint64 elapsed_us)
{
  double seconds = MAX ((double) elapsed_us / US_PER_SECOND, LEAST_SECONDS);

  return raw < self->raw &&
         (raw == 0 ||
          (self->has_peak && to_uj (self, delta) > PEAK * self->peak_uw * seconds));
}

static void
note_power (JmEnergyCounter *self, guint64 delta, gint64 elapsed_us)
{
  double seconds = (double) elapsed_us / US_PER_SECOND;

  if (seconds < LEAST_SECONDS)
    return;

  self->peak_uw = MAX (self->peak_uw, to_uj (self, delta) / seconds);
  self->has_peak = TRUE;
}

static JmEnergyStep
count (JmEnergyCounter *self, guint64 raw, gint64 now_us)
{
  guint64 delta = jm_energy_delta (self->raw, raw, self->max);
  gint64 elapsed_us = now_us - self->read_us;
  JmEnergyStep step = judge (self, delta, elapsed_us);

  if (step != JM_ENERGY_STEP_COUNTED)
    return step;
  if (is_reset (self, raw, delta, elapsed_us))
    return JM_ENERGY_STEP_IMPOSSIBLE;

  note_power (self, delta, elapsed_us);
  self->total += (unsigned __int128) delta * self->factor;

  return step;
}

JmEnergyStep
jm_energy_counter_step (JmEnergyCounter *self, guint64 raw, gint64 now_us)
{
  JmEnergyStep step = JM_ENERGY_STEP_COUNTED;

  if (raw > self->max)
    {
      jm_energy_counter_pause (self);
      return JM_ENERGY_STEP_IMPOSSIBLE;
    }

  if (self->is_begun)
    step = count (self, raw, now_us);
  if (!self->has_first)
    {
      self->first_raw = raw;
      self->first_us = now_us;
      self->has_first = TRUE;
    }
  self->raw = raw;
  self->read_us = now_us;
  self->is_begun = TRUE;

  return step;
}

void
jm_energy_counter_pause (JmEnergyCounter *self)
{
  self->is_begun = FALSE;
}

guint64
jm_energy_counter_get_uj (const JmEnergyCounter *self)
{
  return (guint64) (self->total >> self->shift);
}

void
jm_energy_step_set_error (JmEnergyStep step,
                          const char *path,
                          guint64 before,
                          guint64 now,
                          GError **error)
{
  g_autofree char *name = g_filename_display_name (path);

  if (step == JM_ENERGY_STEP_LOST)
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: was not read for so long that it may have begun anew more than "
                 "once; what it counted since is not reported",
                 name);
  else
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                 "%s: went from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                 ", which no processor does in that time; it may have been reset",
                 name, before, now);
}
