/* jm-energy-accounts-private.h: who has used what of a node's energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-account-private.h"
#include "collect/energy/jm-gpu-energy-private.h"
#include "core/jm-job.h"
#include "sources/machine/jm-machine.h"
#include "store/jm-ledger-private.h"

G_BEGIN_DECLS

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
} JmEnergyClaim;

/* @machine may be NULL, and @boot_id where it is not known. */
JmEnergyAccounts *
jm_energy_accounts_new (JmMachine *machine, gboolean share_idle, const char *boot_id);
void jm_energy_accounts_free (JmEnergyAccounts *self);

/* Says that there are meters: each round will have items. */
void jm_energy_accounts_expect_meters (JmEnergyAccounts *self);

gboolean jm_energy_accounts_has_meters (JmEnergyAccounts *self);

/* Whether there is nothing to tell: neither a meter nor accounts of before. */
gboolean jm_energy_accounts_is_empty (JmEnergyAccounts *self);

/* Goes on with the accounts in the first of these files that can be read, such as those
 * of another program. What is in the way goes to @problems, of GError. */
void jm_energy_accounts_set_files (JmEnergyAccounts *self,
                                   const char *const *paths,
                                   GPtrArray *problems);

/* Before a round: who has no meters shows the accounts of a program that goes on
 * telling them. */
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

/* One round: what was measured, of JmEnergyItem, since @round_us; then each job; then the
 * split, whose figures go to @readings. A job without an account gets one. @items is NULL
 * where nothing is read, and stays the caller's. */
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
