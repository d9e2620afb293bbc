/* jm-energy-bulletin.c: accounts for the other programs of the node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-parts-private.h"

#include "node/energy/jm-energy-file-private.h"

#define INTERVAL_US (10 * G_USEC_PER_SEC)

struct _JmEnergyBulletin
{
  JmHost *host;
  GThreadPool *writer; /* one thread; NULL before the first */
  gint64 handed_us;    /* monotonic; 0 before the first */
};

/* What one writing is made of. */
typedef struct
{
  char *path;
  gint64 time_us;
  GHashTable *accounts;
} Issue;

static void
issue_free (Issue *issue)
{
  g_hash_table_unref (issue->accounts);
  g_free (issue->path);
  g_free (issue);
}

/* A file that cannot be written is tried again. */
static void
write_issue (gpointer data, gpointer user_data)
{
  Issue *issue = data;
  g_autoptr (GError) error = NULL;

  if (!jm_energy_file_save (issue->path, issue->accounts, issue->time_us, &error))
    g_debug ("%s", error->message);
  issue_free (issue);
}

JmEnergyBulletin *
jm_energy_bulletin_new (JmHost *host)
{
  JmEnergyBulletin *self = g_new0 (JmEnergyBulletin, 1);

  self->host = g_object_ref (host);

  return self;
}

void
jm_energy_bulletin_free (JmEnergyBulletin *self)
{
  if (self->writer != NULL)
    g_thread_pool_free (self->writer, FALSE, TRUE);
  g_object_unref (self->host);
  g_free (self);
}

gboolean
jm_energy_bulletin_is_due (JmEnergyBulletin *self)
{
  return self->handed_us == 0 ||
         (g_get_monotonic_time () - self->handed_us >= INTERVAL_US &&
          (self->writer == NULL || g_thread_pool_unprocessed (self->writer) == 0));
}

static GHashTable *
copy_accounts (GHashTable *accounts)
{
  GHashTable *copies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                              (GDestroyNotify) jm_energy_account_free);
  GHashTableIter iter;
  gpointer name, account;

  g_hash_table_iter_init (&iter, accounts);
  while (g_hash_table_iter_next (&iter, &name, &account))
    g_hash_table_insert (copies, g_strdup (name), jm_energy_account_copy (account));

  return copies;
}

void
jm_energy_bulletin_publish (JmEnergyBulletin *self, GHashTable *accounts)
{
  g_autofree char *path = jm_host_resolve (self->host, JM_ENERGY_BULLETIN);
  g_autofree char *directory = g_path_get_dirname (path);
  Issue *issue;

  self->handed_us = g_get_monotonic_time ();
  if (!g_file_test (directory, G_FILE_TEST_IS_DIR))
    return;

  if (self->writer == NULL)
    self->writer = g_thread_pool_new (write_issue, NULL, 1, FALSE, NULL);
  issue = g_new0 (Issue, 1);
  issue->path = g_steal_pointer (&path);
  issue->time_us = g_get_real_time ();
  issue->accounts = copy_accounts (accounts);
  g_thread_pool_push (self->writer, issue, NULL);
}
