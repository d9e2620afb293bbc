/* jme-ceems-site.c: what CEEMS' names ask of a site
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-ceems-site.h"

#include "server/jme-archive-intake.h"
#include "server/jme-intake-peer.h"

#define UNKNOWN ""

struct _JmeCeemsSite
{
  JmeArchive *accounts;
  GHashTable *managers;     /* by cluster */
  const char *only_manager; /* of whatever cluster; NULL where there are several */
};

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

  return UNKNOWN;
}

static void
add_history (JmeCeemsSite *self, const char *specification)
{
  const char *manager = name_manager (specification);
  char *cluster = jme_history_get_cluster (specification);

  if (cluster != NULL)
    g_hash_table_insert (self->managers, cluster, (gpointer) manager);
  if (self->only_manager == NULL)
    self->only_manager = manager;
  else if (!g_str_equal (self->only_manager, manager))
    self->only_manager = UNKNOWN;
}

JmeCeemsSite *
jme_ceems_site_new (JmeArchive *accounts, const char *const *histories)
{
  JmeCeemsSite *self = g_new0 (JmeCeemsSite, 1);

  self->accounts = accounts;
  self->managers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (; histories != NULL && *histories != NULL; histories++)
    add_history (self, *histories);

  return self;
}

void
jme_ceems_site_free (JmeCeemsSite *self)
{
  g_hash_table_unref (self->managers);
  g_free (self);
}

JmeArchive *
jme_ceems_site_get_accounts (JmeCeemsSite *self)
{
  return self->accounts;
}

const char *
jme_ceems_site_find_manager (JmeCeemsSite *self, const char *cluster)
{
  const char *manager = g_hash_table_lookup (self->managers, cluster);

  if (manager != NULL)
    return manager;

  return self->only_manager != NULL ? self->only_manager : UNKNOWN;
}
