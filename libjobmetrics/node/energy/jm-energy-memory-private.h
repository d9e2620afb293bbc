/* jm-energy-memory-private.h: accounts of before, in a ledger or in files
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "node/energy/jm-energy-account-private.h"
#include "node/ledger/jm-ledger-private.h"

G_BEGIN_DECLS

/* The accounts that are no job's, and what else is kept of the node, by these names. */
#define JM_ENERGY_MEMORY_SYSTEM "system"
#define JM_ENERGY_MEMORY_IDLE "idle"
#define JM_ENERGY_MEMORY_NODE "node"
#define JM_ENERGY_MEMORY_GPUS "gpus"
#define JM_ENERGY_MEMORY_ACTIVITY "activity" /* of the same boot alone */

/* What a ledger calls the values of the node, and of the jobs. */
#define JM_ENERGY_MEMORY_OF_NODE "energy.node"
#define JM_ENERGY_MEMORY_OF_JOBS "energy"

/* What was read of a ledger and is not claimed yet; and writes it again. */
typedef struct _JmEnergyMemory JmEnergyMemory;

/* @boot_id is the one of now; NULL where it is not known. */
JmEnergyMemory *jm_energy_memory_new (const char *boot_id);
void jm_energy_memory_free (JmEnergyMemory *self);

/* Takes what a ledger has of the node and of the jobs, of GBytes by key. What breaks
 * its format is left out, with one warning. */
void
jm_energy_memory_take_all (JmEnergyMemory *self, GHashTable *node, GHashTable *jobs);

/* Whether the ledger had something of the node: else it is new. */
gboolean jm_energy_memory_has_loaded (JmEnergyMemory *self);

/* Takes the account of that name in place of @account, which stays where there is none. */
gboolean jm_energy_memory_take (JmEnergyMemory *self,
                                const char *name,
                                JmEnergyAccount **account);

/* NULL where there is none of that type. */
GVariant *
jm_energy_memory_take_value (JmEnergyMemory *self, const char *name, const char *type);

/* The same of the account of a job, by the key of its run. TRUE if the job was known;
 * one whose account was broken gets one of which nothing is known. */
gboolean
jm_energy_memory_take_job (JmEnergyMemory *self, JmJob *job, JmEnergyAccount **account);

/* At the end of a round: all of that which has changed since the last; then the end,
 * which removes jobs that did not come back, once that is certain: then it is TRUE. */
void jm_energy_memory_save (JmEnergyMemory *self,
                            JmLedgerBatch *batch,
                            const char *name,
                            JmEnergyAccount *account);
void jm_energy_memory_save_value (JmEnergyMemory *self,
                                  JmLedgerBatch *batch,
                                  const char *name,
                                  GVariant *value);
void jm_energy_memory_save_job (JmEnergyMemory *self,
                                JmLedgerBatch *batch,
                                JmJob *job,
                                JmEnergyAccount *account);
gboolean jm_energy_memory_end_save (JmEnergyMemory *self, JmLedgerBatch *batch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyMemory, jm_energy_memory_free)

/* Those that the ledger keeps; where it is new, or there is none, those of files. */
typedef struct _JmEnergyPast JmEnergyPast;

/* @boot_id is the one of now; NULL where it is not known. */
JmEnergyPast *jm_energy_past_new (const char *boot_id);
void jm_energy_past_free (JmEnergyPast *self);

/* Reads the first of the files that can be read. What is in the way goes to @problems,
 * of GError. */
void jm_energy_past_set_files (JmEnergyPast *self,
                               const char *const *paths,
                               GPtrArray *problems);

/* Reads the files of another program again if they have changed; TRUE if so. */
gboolean jm_energy_past_follow_files (JmEnergyPast *self);

/* Goes by what the ledger has (see jm_energy_memory_take_all()) from here on, unless
 * that is new: then by the files, those of jobs in the boot alone in which they were
 * written. TRUE if the ledger had something. */
gboolean
jm_energy_past_restore (JmEnergyPast *self, GHashTable *node, GHashTable *jobs);

/* Drops what of the files nobody has taken: a job id comes again. */
void jm_energy_past_forget_files (JmEnergyPast *self);

gboolean jm_energy_past_is_empty (JmEnergyPast *self);

/* Takes the account of that name in place of @account. */
void
jm_energy_past_take (JmEnergyPast *self, const char *name, JmEnergyAccount **account);

/* The same of a job's which began at that time; of files alone where @account is there
 * already. TRUE if the ledger knows the job: it was there when that was written. */
gboolean jm_energy_past_take_job (JmEnergyPast *self,
                                  JmJob *job,
                                  gint64 start_us,
                                  JmEnergyAccount **account);

/* What is written for the program that comes after. */
JmEnergyMemory *jm_energy_past_get_memory (JmEnergyPast *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyPast, jm_energy_past_free)

G_END_DECLS
