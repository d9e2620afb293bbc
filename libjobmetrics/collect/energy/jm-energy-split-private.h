/* jm-energy-split-private.h: who had which part of a measured energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-cpu-activity-private.h"
#include "collect/energy/jm-energy-balance-private.h"
#include "collect/energy/jm-energy-demand-private.h"
#include "core/jm-readings.h"
#include "sources/machine/jm-machine.h"

G_BEGIN_DECLS

/* Weighs what the jobs of a round did against what was measured in it. It keeps its
 * memory from round to round. */
typedef struct _JmEnergySplit JmEnergySplit;

/* @machine may be NULL. */
JmEnergySplit *jm_energy_split_new (JmMachine *machine, gboolean share_idle);
void jm_energy_split_free (JmEnergySplit *self);

/* One round: what the CPUs did, then each job as in jm_energy_demand_add(), then the
 * weighing, then each item. */
void jm_energy_split_begin_round (JmEnergySplit *self,
                                  gint64 round_us,
                                  JmReadings *readings);
void jm_energy_split_add (JmEnergySplit *self,
                          guint64 id,
                          const JmCpuUser *user,
                          const JmWork *work,
                          const GString *cpus);
void jm_energy_split_count_node (JmEnergySplit *self, const JmWork *work);
void jm_energy_split_weigh (JmEnergySplit *self);

/* The parts of an item: what is no job's, then the jobs' in the order in which they
 * were
 * added. They stay the split's until the next item. @idle_uj is nobody's. */
const guint64 *
jm_energy_split_take (JmEnergySplit *self, const JmEnergyItem *item, guint64 *idle_uj);

/* Whether the item that was taken last was split by what processors counted. */
gboolean jm_energy_split_is_counted (JmEnergySplit *self);

/* How much of what the @job-th used of a kind is in @items, of JmEnergyItem: 0 where it
 * was on sockets alone that could not be read. */
double jm_energy_split_get_covered (JmEnergySplit *self,
                                    guint job,
                                    guint kind,
                                    const GArray *items);

/* Whether the @job-th was on a socket; where that is not known it may have been. */
gboolean jm_energy_split_is_on_socket (JmEnergySplit *self, guint job, guint socket);

/* For how long each CPU was busy as of this round, as JM_ENERGY_ACTIVITY_TYPE, for the
 * program that comes after in the same boot. */
GVariant *jm_energy_split_save (JmEnergySplit *self);
void jm_energy_split_restore (JmEnergySplit *self, GVariant *activity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergySplit, jm_energy_split_free)

G_END_DECLS
