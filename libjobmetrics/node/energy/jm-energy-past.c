/* jm-energy-past.c: the accounts of before the program began
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-memory-private.h"

#include "host/jm-host-private.h"
#include "node/energy/jm-energy-archive-private.h"

struct _JmEnergyPast
{
  JmEnergyArchive *archive;
  JmEnergyMemory *memory;
};

JmEnergyPast *
jm_energy_past_new (const char *boot_id)
{
  JmEnergyPast *self = g_new0 (JmEnergyPast, 1);

  self->archive = jm_energy_archive_new ();
  self->memory = jm_energy_memory_new (boot_id);

  return self;
}

void
jm_energy_past_free (JmEnergyPast *self)
{
  jm_energy_memory_free (self->memory);
  jm_energy_archive_free (self->archive);
  g_free (self);
}

void
jm_energy_past_set_files (JmEnergyPast *self,
                          const char *const *paths,
                          GPtrArray *problems)
{
  jm_energy_archive_set_files (self->archive, paths, problems);
}

gboolean
jm_energy_past_follow_files (JmEnergyPast *self)
{
  return jm_energy_archive_follow (self->archive);
}

gboolean
jm_energy_past_restore (JmEnergyPast *self, GHashTable *node, GHashTable *jobs)
{
  jm_energy_memory_take_all (self->memory, node, jobs);
  if (!jm_energy_memory_has_loaded (self->memory))
    {
      jm_energy_archive_forget_jobs_before (self->archive,
                                            jm_clock_get_boot_ns () / 1000);
      return FALSE;
    }

  jm_energy_archive_forget (self->archive);

  return TRUE;
}

void
jm_energy_past_forget_files (JmEnergyPast *self)
{
  jm_energy_archive_forget (self->archive);
}

gboolean
jm_energy_past_is_empty (JmEnergyPast *self)
{
  return !jm_energy_archive_has_loaded (self->archive) &&
         !jm_energy_memory_has_loaded (self->memory);
}

/* Nothing of a file is left in an account that the ledger has lost. */
void
jm_energy_past_take (JmEnergyPast *self, const char *name, JmEnergyAccount **account)
{
  if (!jm_energy_memory_has_loaded (self->memory))
    {
      jm_energy_archive_take (self->archive, name, account);
      return;
    }

  jm_energy_account_free (*account);
  *account = jm_energy_account_new (0);
  jm_energy_memory_take (self->memory, name, account);
}

gboolean
jm_energy_past_take_job (JmEnergyPast *self,
                         JmJob *job,
                         gint64 start_us,
                         JmEnergyAccount **account)
{
  if (*account == NULL && jm_energy_memory_take_job (self->memory, job, account))
    return TRUE;

  jm_energy_archive_take_job (self->archive, job, start_us, account);

  return FALSE;
}

JmEnergyMemory *
jm_energy_past_get_memory (JmEnergyPast *self)
{
  return self->memory;
}
