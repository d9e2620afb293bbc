/* jm-energy-total.c: a device's own total, made one that never goes back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-energy-total-private.h"

#include "sources/power/jm-power-bound-private.h"

/* Some devices are behind by as much, and then catch up. */
#define UW_PER_WATT 1000000
#define SLACK_US G_USEC_PER_SEC

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
