/* jm-energy-split.c: who had which part of a measured energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-split-private.h"

#include "node/energy/jm-attribution-private.h"

struct _JmEnergySplit
{
  JmEnergyDemand *demand;
  JmAttribution *attribution;
  gint64 round_us;
  GArray *parts; /* of guint64: the system's, then one for each job */
};

JmEnergySplit *
jm_energy_split_new (JmMachine *machine, gboolean share_idle)
{
  JmEnergySplit *self = g_new0 (JmEnergySplit, 1);

  self->demand = jm_energy_demand_new (machine);
  self->attribution =
    jm_attribution_new (share_idle ? JM_IDLE_POLICY_SHARED : JM_IDLE_POLICY_APART);
  self->parts = g_array_new (FALSE, TRUE, sizeof (guint64));

  return self;
}

void
jm_energy_split_free (JmEnergySplit *self)
{
  g_array_unref (self->parts);
  jm_attribution_free (self->attribution);
  jm_energy_demand_free (self->demand);
  g_free (self);
}

void
jm_energy_split_begin_round (JmEnergySplit *self, gint64 round_us, JmReadings *readings)
{
  self->round_us = round_us;
  jm_energy_demand_begin_round (self->demand, round_us, readings);
}

void
jm_energy_split_add (JmEnergySplit *self,
                     guint64 id,
                     const JmCpuUser *user,
                     const JmWork *work,
                     const GString *cpus)
{
  jm_energy_demand_add (self->demand, id, user, work, cpus);
}

void
jm_energy_split_count_node (JmEnergySplit *self, const JmWork *work)
{
  jm_energy_demand_count_node (self->demand, work);
}

void
jm_energy_split_weigh (JmEnergySplit *self)
{
  jm_energy_demand_weigh (self->demand);
}

GVariant *
jm_energy_split_save (JmEnergySplit *self)
{
  return jm_energy_demand_save (self->demand);
}

void
jm_energy_split_restore (JmEnergySplit *self, GVariant *activity)
{
  jm_energy_demand_restore (self->demand, activity);
}

static gboolean
is_whole (const JmEnergyItem *item)
{
  return item->kind % JM_N_ENERGY_PARTS == JM_ENERGY_NODE;
}

const guint64 *
jm_energy_split_take (JmEnergySplit *self, const JmEnergyItem *item, guint64 *idle_uj)
{
  JmPowerDomain domain = is_whole (item) ? JM_POWER_DOMAIN_PSYS : item->domain;
  JmDomainInterval interval = {
    domain, item->number,     item->energy_uj, (double) self->round_us / G_USEC_PER_SEC,
    0,      item->is_constant
  };
  const JmLoad *loads;
  guint n_loads;

  loads = jm_energy_demand_get_loads (self->demand, item->domain, item->number,
                                      &n_loads, &interval.capacity_seconds);
  g_array_set_size (self->parts, n_loads);
  *idle_uj = jm_attribution_split (self->attribution, &interval, loads, n_loads,
                                   (guint64 *) (gpointer) self->parts->data);

  return (const guint64 *) (gpointer) self->parts->data;
}

gboolean
jm_energy_split_is_counted (JmEnergySplit *self)
{
  return jm_attribution_is_counted (self->attribution);
}

double
jm_energy_split_get_covered (JmEnergySplit *self,
                             guint job,
                             guint kind,
                             const GArray *items)
{
  double covered = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const JmEnergyItem *item = &g_array_index (items, JmEnergyItem, i);

      if (item->kind == kind)
        covered += item->covered *
                   jm_energy_demand_get_presence (self->demand, job, item->number);
    }

  return MIN (covered, 1);
}

gboolean
jm_energy_split_is_on_socket (JmEnergySplit *self, guint job, guint socket)
{
  return jm_energy_demand_get_presence (self->demand, job, socket) > 0;
}
