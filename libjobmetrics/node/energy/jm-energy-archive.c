/* jm-energy-archive.c: the files that energy accounts are read from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-archive-private.h"

#include "base/jm-error.h"
#include "node/energy/jm-energy-file-private.h"

/* How far apart two who look at a job may see its first process begin: by a tick, as
 * the kernel has it. */
#define SAME_START_US (G_USEC_PER_SEC / 10)

struct _JmEnergyArchive
{
  char **paths;                /* NULL if there are none */
  JmEnergyFileVersion version; /* of the one that was read last */
  gint64 time_us;              /* when that was written, since 1970 */
  gboolean has_loaded;
  GHashTable *pending; /* of JmEnergyAccount, by uuid */
};

JmEnergyArchive *
jm_energy_archive_new (void)
{
  JmEnergyArchive *self = g_new0 (JmEnergyArchive, 1);

  self->pending = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) jm_energy_account_free);

  return self;
}

void
jm_energy_archive_free (JmEnergyArchive *self)
{
  g_hash_table_unref (self->pending);
  g_strfreev (self->paths);
  g_free (self);
}

/* --- reading --- */

static void
load (JmEnergyArchive *self, const char *path, GPtrArray *problems)
{
  g_autoptr (GError) error = NULL;

  self->has_loaded = jm_energy_file_load (path, self->pending, &self->time_us, &error);
  if (!self->has_loaded && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    g_ptr_array_add (problems, g_steal_pointer (&error));
}

void
jm_energy_archive_set_files (JmEnergyArchive *self,
                             const char *const *paths,
                             GPtrArray *problems)
{
  for (guint i = 0; paths[i] != NULL && !self->has_loaded; i++)
    load (self, paths[i], problems);

  self->paths = g_strdupv ((char **) paths);
  jm_energy_file_find (self->paths, &self->version);
}

/* A file that is broken now is reported at the start alone; it is written again soon.
 */
gboolean
jm_energy_archive_follow (JmEnergyArchive *self)
{
  g_autoptr (GPtrArray) problems = NULL;
  JmEnergyFileVersion version;
  const char *path;

  if (self->paths == NULL)
    return FALSE;

  path = jm_energy_file_find (self->paths, &version);
  if (path == NULL || (version.inode == self->version.inode &&
                       version.written_ns == self->version.written_ns))
    return FALSE;

  problems = g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  self->version = version;
  g_hash_table_remove_all (self->pending);
  load (self, path, problems);

  return TRUE;
}

void
jm_energy_archive_forget (JmEnergyArchive *self)
{
  g_clear_pointer (&self->paths, g_strfreev);
  g_hash_table_remove_all (self->pending);
  self->has_loaded = FALSE;
}

void
jm_energy_archive_forget_jobs_before (JmEnergyArchive *self, gint64 time_us)
{
  if (self->time_us < time_us)
    g_hash_table_remove_all (self->pending);
}

gboolean
jm_energy_archive_has_loaded (JmEnergyArchive *self)
{
  return self->has_loaded;
}

/* --- taking --- */

char *
jm_energy_archive_make_alias (JmJob *job)
{
  const char *scheduler = jm_job_get_field (job, JM_JOB_FIELD_SCHEDULER);

  return g_strconcat (scheduler != NULL ? scheduler : "", "/", jm_job_get_id (job),
                      NULL);
}

gboolean
jm_energy_archive_take (JmEnergyArchive *self,
                        const char *name,
                        JmEnergyAccount **account)
{
  gpointer key = NULL;
  gpointer loaded = NULL;

  if (name == NULL || !g_hash_table_steal_extended (self->pending, name, &key, &loaded))
    return FALSE;

  g_free (key);
  g_clear_pointer (account, jm_energy_account_free);
  *account = loaded;
  (*account)->has_changed = TRUE;

  return TRUE;
}

static gboolean
is_alias (const JmEnergyAccount *account, const char *alias, gint64 start_us)
{
  return g_strcmp0 (account->alias, alias) == 0 && account->start_us != 0 &&
         ABS (account->start_us - start_us) <= SAME_START_US;
}

/* The uuid of the account of a job of that scheduler and id, which began at that time:
 * job ids come again. */
static const char *
find_alias (JmEnergyArchive *self, const char *alias, gint64 start_us)
{
  GHashTableIter iter;
  gpointer uuid, account;

  g_hash_table_iter_init (&iter, self->pending);
  while (g_hash_table_iter_next (&iter, &uuid, &account))
    if (is_alias (account, alias, start_us))
      return uuid;

  return NULL;
}

/* A weak uuid may have been made when less was known of the job. */
gboolean
jm_energy_archive_take_job (JmEnergyArchive *self,
                            JmJob *job,
                            gint64 start_us,
                            JmEnergyAccount **account)
{
  g_autofree char *alias = NULL;

  if (g_hash_table_size (self->pending) == 0)
    return FALSE;
  if (jm_energy_archive_take (self, jm_job_get_field (job, JM_JOB_FIELD_UUID), account))
    return TRUE;
  if (start_us == 0)
    return FALSE;

  alias = jm_energy_archive_make_alias (job);

  return jm_energy_archive_take (self, find_alias (self, alias, start_us), account);
}
