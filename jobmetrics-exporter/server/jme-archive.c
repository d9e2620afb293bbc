/* jme-archive.c: the archive of a site, for requests that come at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-archive.h"

#include "judge/jm-run-gap-private.h"
#include "server/jme-archive-fill.h"
#include "server/jme-intake-peer.h"

/* An archive that is read for long keeps what was written meanwhile apart. */
#define MAX_TABLES 2

struct _JmeAccounts
{
  char *uri;
  const JmeIdentityConfig *identity;
  const JmSettings *settings;
  JmArchiveSite site;
  JmeArchiveIntake *intake;
  JmRunRules *rules;
  GAsyncQueue *idle; /* of JmArchiveDatabase: that nobody asks at present */
  GMutex lock;
  GHashTable *readers; /* of names: who reads a whole table */
};

static const JmSetting members_row = {
  .name = "server.account-members",
  .group = "server",
  .kind = JM_SETTING_FLAG,
  .help =
    "Let users ask for the series of all runs of each account that they have runs "
    "in, as CEEMS does; only where the scheduler checks accounts",
};

void
jme_archive_add_settings (JmSettings *settings)
{
  jm_settings_add (settings, &members_row);
}

JmeArchive *
jme_archive_new (const char *uri, const JmeIdentityConfig *identity)
{
  JmeArchive *self = g_new0 (JmeArchive, 1);

  self->uri = g_strdup (uri);
  self->identity = identity;
  self->idle = g_async_queue_new_full (g_object_unref);
  g_mutex_init (&self->lock);
  self->readers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->site.managers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
jme_archive_free (JmeArchive *self)
{
  g_hash_table_unref (self->readers);
  g_mutex_clear (&self->lock);
  g_hash_table_unref (self->site.managers);
  g_async_queue_unref (self->idle);
  g_free (self->uri);
  g_free (self);
}

const JmeIdentityConfig *
jme_archive_get_identity (JmeArchive *self)
{
  return self->identity;
}

/* --- the site --- */

static const struct
{
  const char *history; /* what its name begins with */
  const char *manager;
} managers[] = {
  { "sacct", "slurm" },
  { "slurm", "slurm" },
  { "pbs", "pbs" },
  { "gridengine", "gridengine" },
};

static const char *
name_manager (const char *history)
{
  for (guint i = 0; i < G_N_ELEMENTS (managers); i++)
    if (g_str_has_prefix (history, managers[i].history))
      return managers[i].manager;

  return "";
}

/* All clusters are thought to have the manager that all histories have. */
static void
add_history (GHashTable *names, const char *specification)
{
  const char *manager = name_manager (specification);
  const char *others = g_hash_table_lookup (names, "");
  char *cluster = jme_history_get_cluster (specification);

  if (cluster != NULL)
    g_hash_table_insert (names, cluster, (gpointer) manager);
  if (others != NULL && !g_str_equal (others, manager))
    manager = "";
  g_hash_table_insert (names, g_strdup (""), (gpointer) manager);
}

void
jme_archive_set_settings (JmeArchive *self, const JmSettings *settings)
{
  const char *const *histories = jme_archive_intake_get_histories (settings);

  self->settings = settings;
  self->site.shares_accounts = jm_settings_get_flag (settings, members_row.name);
  for (; histories != NULL && *histories != NULL; histories++)
    add_history (self->site.managers, *histories);
}

const JmArchiveSite *
jme_archive_get_site (JmeArchive *self)
{
  return &self->site;
}

void
jme_archive_set_intake (JmeArchive *self, JmeArchiveIntake *intake)
{
  self->intake = intake;
}

void
jme_archive_set_rules (JmeArchive *self, JmRunRules *rules)
{
  self->rules = rules;
}

JmRunRules *
jme_archive_get_rules (JmeArchive *self)
{
  return self->rules;
}

char *
jme_archive_explain_gap (JmeArchive *self, JmRun *run)
{
  return jm_run_gap_explain (run, jme_archive_intake_explain_node, self->intake);
}

JmTsdb *
jme_archive_make_tsdb (JmeArchive *self, GError **error)
{
  return jme_archive_fill_make_tsdb (self->settings, error);
}

JmArchiveDatabase *
jme_archive_take_store (JmeArchive *self, GCancellable *stop, GError **error)
{
  JmArchiveDatabase *store = g_async_queue_try_pop (self->idle);

  if (store == NULL)
    return jm_archive_database_open_for_reading (self->uri, stop, error);
  jm_archive_database_set_stop (store, stop);

  return store;
}

void
jme_archive_give_back (JmeArchive *self, JmArchiveDatabase *store)
{
  if (jm_archive_database_set_stop (store, NULL))
    g_async_queue_push (self->idle, store);
  else
    g_object_unref (store);
}

gboolean
jme_archive_keep (JmeArchive *self, JmRun *run, gint64 time, GError **error)
{
  g_autoptr (JmArchiveDatabase) store = jm_archive_database_open (self->uri, error);

  return store != NULL && jm_archive_database_keep (store, run, time, error);
}

/* --- whole tables --- */

gboolean
jme_archive_begin_table (JmeArchive *self, const char *user)
{
  const char *name = user != NULL ? user : "";
  gboolean may;

  g_mutex_lock (&self->lock);
  may = g_hash_table_size (self->readers) < MAX_TABLES &&
        !g_hash_table_contains (self->readers, name);
  if (may)
    g_hash_table_add (self->readers, g_strdup (name));
  g_mutex_unlock (&self->lock);

  return may;
}

void
jme_archive_end_table (JmeArchive *self, const char *user)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove (self->readers, user != NULL ? user : "");
  g_mutex_unlock (&self->lock);
}

void
jme_archive_close_idle (JmeArchive *self)
{
  JmArchiveDatabase *store;

  while ((store = g_async_queue_try_pop (self->idle)) != NULL)
    g_object_unref (store);
}
