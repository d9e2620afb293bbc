/* jm-energy-past-private.h: the accounts of before the program began
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-memory-private.h"

G_BEGIN_DECLS

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
