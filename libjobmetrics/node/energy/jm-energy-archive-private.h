/* jm-energy-archive-private.h: the files that energy accounts are read from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "node/energy/jm-energy-account-private.h"

G_BEGIN_DECLS

/* Accounts that were read and are not claimed yet. */
typedef struct _JmEnergyArchive JmEnergyArchive;

JmEnergyArchive *jm_energy_archive_new (void);
void jm_energy_archive_free (JmEnergyArchive *self);

/* Reads the first of the files that can be read. What is in the way goes to @problems,
 * of GError. */
void jm_energy_archive_set_files (JmEnergyArchive *self,
                                  const char *const *paths,
                                  GPtrArray *problems);

/* Reads the files of another program again if they have changed; TRUE if so. */
gboolean jm_energy_archive_follow (JmEnergyArchive *self);

gboolean jm_energy_archive_has_loaded (JmEnergyArchive *self);

/* Takes the account of that name, or of that job, in place of @account. */
gboolean jm_energy_archive_take (JmEnergyArchive *self,
                                 const char *name,
                                 JmEnergyAccount **account);
gboolean jm_energy_archive_take_job (JmEnergyArchive *self,
                                     JmJob *job,
                                     gint64 start_us,
                                     JmEnergyAccount **account);

/* Scheduler and job id. */
char *jm_energy_archive_make_alias (JmJob *job);

/* Has nothing to do with files any more. */
void jm_energy_archive_forget (JmEnergyArchive *self);

/* Drops what was not taken yet of a file that was written before that, since 1970. */
void jm_energy_archive_forget_jobs_before (JmEnergyArchive *self, gint64 time_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyArchive, jm_energy_archive_free)

G_END_DECLS
