/* jm-energy-archive-private.h: the files that energy accounts are kept in, or followed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-account-private.h"
#include "core/jm-job.h"

G_BEGIN_DECLS

/* Accounts that were read and are not claimed yet; and when to write them again. */
typedef struct _JmEnergyArchive JmEnergyArchive;

JmEnergyArchive *jm_energy_archive_new (void);
void jm_energy_archive_free (JmEnergyArchive *self);

/* Reads the first of the files that can be read; @keeps: and writes all of them. What is
 * in the way goes to @problems, of GError. */
void jm_energy_archive_set_files (JmEnergyArchive *self,
                                  const char *const *paths,
                                  gboolean keeps,
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

/* Whether the time has come to write @accounts, by uuid, and those that may still be
 * claimed. */
gboolean jm_energy_archive_is_due (JmEnergyArchive *self);
void jm_energy_archive_save (JmEnergyArchive *self, GHashTable *accounts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEnergyArchive, jm_energy_archive_free)

G_END_DECLS
