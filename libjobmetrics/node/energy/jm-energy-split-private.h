/* jm-energy-split-private.h: who had which part of a measured energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "node/energy/jm-attribution-private.h"
#include "node/energy/jm-cpu-activity-private.h"
#include "node/energy/jm-energy-balance-private.h"
#include "sources/machine/jm-machine-private.h"

G_BEGIN_DECLS

/* Turns CPU times, lists of CPUs, and what each CPU did into loads of each socket. It
 * keeps its memory from round to round. */
typedef struct _JmEnergyDemand JmEnergyDemand;

/* @machine may be NULL. */
JmEnergyDemand *jm_energy_demand_new (JmMachine *machine);
void jm_energy_demand_free (JmEnergyDemand *self);

/* One round: what the CPUs did, then each job, then the weighing. */
void jm_energy_demand_begin_round (JmEnergyDemand *self,
                                   gint64 round_us,
                                   JmReadings *readings);

/* Job @id, which is not 0, for that is the system, did what @user says; on @cpus, a
 * list, which is empty where it is not known. @work is what was counted of it. */
void jm_energy_demand_add (JmEnergyDemand *self,
                           guint64 id,
                           const JmCpuUser *user,
                           const JmWork *work,
                           const GString *cpus);
/* What was counted of the whole node; where that is not known, the system is taken to
 * have done as much in each second as the jobs did. */
void jm_energy_demand_count_node (JmEnergyDemand *self, const JmWork *work);
void jm_energy_demand_weigh (JmEnergyDemand *self);

/* What drove @domain of socket @number, or of all sockets: the system's load first,
 * then the jobs' in the order in which they were added. They stay the demand's. */
const JmLoad *jm_energy_demand_get_loads (JmEnergyDemand *self,
                                          JmPowerDomain domain,
                                          guint number,
                                          guint *n_loads,
                                          double *capacity_seconds);

/* Which part of what the @job-th did in the round was on socket @number: by CPU time,
 * by CPUs that are its if it had none; 1 for what is no socket. */
double jm_energy_demand_get_presence (JmEnergyDemand *self, guint job, guint number);

/* For how long each CPU was busy as of this round, as JM_ENERGY_ACTIVITY_TYPE, for the
 * program that comes after in the same boot. */
#define JM_ENERGY_ACTIVITY_TYPE "at"
GVariant *jm_energy_demand_save (JmEnergyDemand *self);
void jm_energy_demand_restore (JmEnergyDemand *self, GVariant *activity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyDemand, jm_energy_demand_free)

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
