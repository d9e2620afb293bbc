/* jm-energy-parts-private.h: what the stages of energy and power are made of
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "core/jm-readings.h"
#include "host/jm-host.h"
#include "node/energy/jm-energy-account-private.h"
#include "node/energy/jm-energy-balance-private.h"
#include "node/energy/jm-gpu-energy-private.h"
#include "node/energy/jm-power-meters-private.h"
#include "node/ledger/jm-ledger-private.h"
#include "sources/emissions/jm-emission-provider.h"
#include "sources/machine/jm-machine-private.h"
#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

/* For so long after its end a factor still stands for the moment; a statistic always
 * does. */
#define JM_EMISSION_GRACE_US ((gint64) 2 * 3600 * G_USEC_PER_SEC)

/* An ordered list of providers, each of which is asked in the background. What is got
 * here never waits. It belongs to one thread. */
typedef struct _JmEmissionChain JmEmissionChain;

JmEmissionChain *jm_emission_chain_new (void);
void jm_emission_chain_free (JmEmissionChain *self);

/* Adds one at the end, and begins to ask it. @name is what it is called while it has
 * not given a factor. */
void jm_emission_chain_add (JmEmissionChain *self,
                            const char *name,
                            JmEmissionProvider *provider);

/* The factor to use now, a reference of its own: of the first provider in order that
 * has a fresh one of this method and of the scope of the method's first provider; else
 * the one that is the least stale, see jm_emission_factor_get_age(); NULL if
 * there is none. */
JmEmissionFactor *
jm_emission_chain_get (JmEmissionChain *self, JmEmissionMethod method, gint64 now_us);

/* Adds each provider's last factor with its age, whether it is up, and why not, to the
 * readings, whose present collector the reason becomes an error of. */
void
jm_emission_chain_tell (JmEmissionChain *self, gint64 now_us, JmReadings *readings);

/* For programs that look once: waits until all were asked; FALSE if that took longer.
 */
gboolean jm_emission_chain_wait (JmEmissionChain *self, gint64 timeout_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEmissionChain, jm_emission_chain_free)

/* Reads the meters, and makes of their intervals the items of one round. */
typedef struct _JmPowerIntake JmPowerIntake;

JmPowerIntake *jm_power_intake_new (void);
void jm_power_intake_free (JmPowerIntake *self);

/* One that could not be opened, such as for a driver that is not loaded yet, is tried
 * again now and then. */
void jm_power_intake_add (JmPowerIntake *self, const char *name, JmPowerSource *source);

/* As jm_power_meters_set_finder() has it. */
void
jm_power_intake_set_finder (JmPowerIntake *self, JmFindDevice find, gpointer user_data);

/* The node's figures go to @readings. Returns the items, of JmEnergyItem, which stay
 * the intake's; NULL without meters. @now_us is of the monotonic clock, @round_us since
 * when; 0 in the first round. */
const GArray *jm_power_intake_read (JmPowerIntake *self,
                                    gint64 now_us,
                                    JmReadings *readings,
                                    gint64 *round_us);

/* How well the meters of sockets were read, of JmEnergySocket; they stay the intake's.
 */
const GArray *jm_power_intake_get_sockets (JmPowerIntake *self);

/* Waits until sources that answer in the background have done so once. */
void jm_power_intake_wait (JmPowerIntake *self, gint64 timeout_us);

/* What the next program needs to go on from this round, as JM_POWER_INTAKE_TYPE. The
 * first round of that then spans the time between, where it is in the same boot; in
 * another one only sums go on. @boot_id is NULL where it is not known. NULL while
 * nothing was read: what is kept then stays as it is. */
#define JM_POWER_INTAKE_TYPE "(sxas" JM_ENERGY_BALANCE_TYPE JM_POWER_METERS_TYPE ")"
GVariant *jm_power_intake_save (JmPowerIntake *self, const char *boot_id);
void jm_power_intake_restore (JmPowerIntake *self,
                              GVariant *value,
                              const char *boot_id,
                              gint64 now_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowerIntake, jm_power_intake_free)

/* Writes the accounts from time to time into a file that every user may read, in a
 * thread of its own: who has no meters shows energy by it. */
typedef struct _JmEnergyBulletin JmEnergyBulletin;

#define JM_ENERGY_BULLETIN "/run/jobmetrics-exporter/energy.json"

JmEnergyBulletin *jm_energy_bulletin_new (JmHost *host);

/* What was handed over is written by then. */
void jm_energy_bulletin_free (JmEnergyBulletin *self);

/* Whether the time has come, and the one before is written. */
gboolean jm_energy_bulletin_is_due (JmEnergyBulletin *self);

/* Copies the accounts, of JmEnergyAccount by uuid or by a name of the file's. Where the
 * directory is not there, nothing is written. */
void jm_energy_bulletin_publish (JmEnergyBulletin *self, GHashTable *accounts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyBulletin, jm_energy_bulletin_free)

/* Keeps an account for each job, one for the system, and one for nobody; in each round
 * what the meters have measured is split among them. */
typedef struct _JmEnergyAccounts JmEnergyAccounts;

/* What of a node's figures one job has in a round. */
typedef struct
{
  guint subject;
  guint from; /* where its readings begin */
  JmJob *job;
  const GString *cpus;     /* those that it may use, as a list; empty where unknown */
  const GArray *placed_ns; /* of guint64, by CPU: how long it ran there, so far */
  gboolean has_ended;
  gboolean has_claimed_cpus; /* how many is its user's word, and moves no energy */
} JmEnergyClaim;

/* @machine may be NULL, and @boot_id where it is not known. */
JmEnergyAccounts *
jm_energy_accounts_new (JmMachine *machine, gboolean share_idle, const char *boot_id);
void jm_energy_accounts_free (JmEnergyAccounts *self);

/* Says that there are meters: each round will have items. */
void jm_energy_accounts_expect_meters (JmEnergyAccounts *self);

gboolean jm_energy_accounts_has_meters (JmEnergyAccounts *self);

/* Whether there is nothing to export: neither a meter nor accounts of before. */
gboolean jm_energy_accounts_is_empty (JmEnergyAccounts *self);

/* Goes on with the accounts in the first of these files that can be read, such as those
 * of another program. What is in the way goes to @problems, of GError. */
void jm_energy_accounts_set_files (JmEnergyAccounts *self,
                                   const char *const *paths,
                                   GPtrArray *problems);

/* Before a round: who has no meters shows the accounts of a program that goes on
 * exporting them. */
void jm_energy_accounts_follow_files (JmEnergyAccounts *self);

/* Goes on with what the program kept before it ended (JM_ENERGY_MEMORY_OF_NODE and
 * JM_ENERGY_MEMORY_OF_JOBS, of GBytes by key), unless the ledger is new: then with the
 * files, for once. Those of jobs count in the boot in which they were written. */
void
jm_energy_accounts_restore (JmEnergyAccounts *self, GHashTable *node, GHashTable *jobs);

/* At the end of a round: keeps all that the next program needs to go on from it. What
 * was kept of jobs is not kept again before the next round. */
void jm_energy_accounts_save (JmEnergyAccounts *self, JmLedgerBatch *batch);

/* Adds the accounts that are no job's to @accounts, by their names in the file. */
void jm_energy_accounts_list (JmEnergyAccounts *self, GHashTable *accounts);

/* One round: what was measured, of JmEnergyItem, since @round_us; then each job; then
 * the split, whose figures go to @readings. A job without an account gets one. @items
 * is NULL where nothing is read, and stays the caller's. */
void jm_energy_accounts_begin_round (JmEnergyAccounts *self,
                                     const GArray *items,
                                     gint64 round_us,
                                     JmReadings *readings);
/* Of the round that began: how well the meters of sockets were read, of JmEnergySocket,
 * which stay the caller's. */
void jm_energy_accounts_read_sockets (JmEnergyAccounts *self, const GArray *sockets);
/* What processors counted of the whole node so far; NULL where that is not known. */
void jm_energy_accounts_count_node (JmEnergyAccounts *self, JmReadings *counts);
void jm_energy_accounts_claim (JmEnergyAccounts *self,
                               JmEnergyAccount **account,
                               const JmEnergyClaim *claim,
                               JmReadings *readings);
void jm_energy_accounts_end_round (JmEnergyAccounts *self,
                                   const JmRoundFactors *factors,
                                   JmReadings *readings);

/* Between the last claim and the end: the accelerators; then what each job that has an
 * account had of them, the presence of which is set here. @subject is the number of the
 * job and the device together. */
void jm_energy_accounts_add_gpu (JmEnergyAccounts *self, const JmGpuDevice *device);
void jm_energy_accounts_add_gpu_user (JmEnergyAccounts *self,
                                      JmEnergyAccount *account,
                                      const JmGpuUser *user,
                                      guint subject);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyAccounts, jm_energy_accounts_free)

G_END_DECLS
