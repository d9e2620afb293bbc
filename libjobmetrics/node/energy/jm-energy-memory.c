/* jm-energy-memory.c: the accounts that a ledger keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-memory-private.h"

#include "core/jm-job-private.h"
#include "node/energy/jm-energy-checkpoint-private.h"
#include "node/ledger/jm-ledger-memory-private.h"

/* Values have the id of the boot in front that they were read in. */
#define BOOT_VALUE(type) "(s" type ")"

struct _JmEnergyMemory
{
  char *boot_id;
  GHashTable *node;     /* of GBytes, by name */
  JmLedgerMemory *jobs; /* of JmEnergyAccount */
  gboolean has_loaded;
};

static gpointer
unpack_account (GBytes *bytes)
{
  return jm_energy_checkpoint_unpack_account (bytes);
}

JmEnergyMemory *
jm_energy_memory_new (const char *boot_id)
{
  JmEnergyMemory *self = g_new0 (JmEnergyMemory, 1);

  self->boot_id = g_strdup (boot_id);
  self->node = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                      (GDestroyNotify) g_bytes_unref);
  self->jobs = jm_ledger_memory_new (JM_ENERGY_MEMORY_OF_JOBS, boot_id, unpack_account,
                                     (GDestroyNotify) jm_energy_account_free);

  return self;
}

void
jm_energy_memory_free (JmEnergyMemory *self)
{
  jm_ledger_memory_free (self->jobs);
  g_hash_table_unref (self->node);
  g_free (self->boot_id);
  g_free (self);
}

/* --- loading --- */

void
jm_energy_memory_take_all (JmEnergyMemory *self, GHashTable *node, GHashTable *jobs)
{
  GHashTableIter iter;
  gpointer name, bytes;
  guint n_broken;

  g_hash_table_iter_init (&iter, node);
  while (g_hash_table_iter_next (&iter, &name, &bytes))
    g_hash_table_insert (self->node, g_strdup (name), g_bytes_ref (bytes));

  self->has_loaded = g_hash_table_size (self->node) > 0;
  n_broken = jm_ledger_memory_take_all (self->jobs, jobs);
  if (n_broken > 0)
    g_warning ("the ledger: what %u of the jobs that run have used of the node's "
               "energy is no account, and left out",
               n_broken);
}

gboolean
jm_energy_memory_has_loaded (JmEnergyMemory *self)
{
  return self->has_loaded;
}

/* --- taking --- */

/* Whether it means something in one boot alone. */
static gboolean
is_of_boot (const char *name)
{
  return g_str_equal (name, JM_ENERGY_MEMORY_ACTIVITY);
}

static void
warn_broken (const char *name)
{
  g_warning ("the ledger: what it has of the energy of the node, %s, is broken, and "
             "left out",
             name);
}

gboolean
jm_energy_memory_take (JmEnergyMemory *self,
                       const char *name,
                       JmEnergyAccount **account)
{
  GBytes *bytes = g_hash_table_lookup (self->node, name);
  JmEnergyAccount *kept;

  if (bytes == NULL)
    return FALSE;

  kept = jm_energy_checkpoint_unpack_account (bytes);
  if (kept == NULL)
    warn_broken (name);
  g_hash_table_remove (self->node, name);
  if (kept == NULL)
    return FALSE;

  g_clear_pointer (account, jm_energy_account_free);
  *account = kept;

  return TRUE;
}

GVariant *
jm_energy_memory_take_value (JmEnergyMemory *self, const char *name, const char *type)
{
  g_autofree char *whole = g_strdup_printf (BOOT_VALUE ("%s"), type);
  GBytes *bytes = g_hash_table_lookup (self->node, name);
  g_autoptr (GVariant) value = NULL;
  const char *boot_id;

  if (bytes == NULL)
    return NULL;

  value = jm_energy_checkpoint_unpack (bytes, whole);
  if (value == NULL)
    warn_broken (name);
  g_hash_table_remove (self->node, name);
  if (value == NULL)
    return NULL;

  g_variant_get_child (value, 0, "&s", &boot_id);

  return !is_of_boot (name) || g_strcmp0 (boot_id, self->boot_id) == 0
           ? g_variant_get_child_value (value, 1)
           : NULL;
}

gboolean
jm_energy_memory_take_job (JmEnergyMemory *self, JmJob *job, JmEnergyAccount **account)
{
  gpointer kept;

  if (!jm_ledger_memory_take (self->jobs, job, &kept))
    return FALSE;

  *account = kept != NULL ? kept : jm_energy_account_new (0);

  return TRUE;
}

/* --- saving --- */

static void
set (JmLedgerBatch *batch, const char *name, GBytes *bytes)
{
  jm_ledger_batch_set (batch, JM_ENERGY_MEMORY_OF_NODE, name, bytes);
  g_bytes_unref (bytes);
}

void
jm_energy_memory_save (JmEnergyMemory *self,
                       JmLedgerBatch *batch,
                       const char *name,
                       JmEnergyAccount *account)
{
  if (!account->has_changed && jm_ledger_memory_has_saved (self->jobs))
    return;

  set (batch, name, jm_energy_checkpoint_pack_account (account));
  account->has_changed = FALSE;
}

void
jm_energy_memory_save_value (JmEnergyMemory *self,
                             JmLedgerBatch *batch,
                             const char *name,
                             GVariant *value)
{
  set (batch, name,
       jm_energy_checkpoint_pack (
         g_variant_new (BOOT_VALUE ("@*"), self->boot_id != NULL ? self->boot_id : "",
                        value)));
}

void
jm_energy_memory_save_job (JmEnergyMemory *self,
                           JmLedgerBatch *batch,
                           JmJob *job,
                           JmEnergyAccount *account)
{
  const char *run_key = jm_job_get_run_key (job);

  if (!account->has_changed || run_key == NULL)
    return;

  jm_ledger_memory_save (self->jobs, batch, run_key,
                         jm_energy_checkpoint_pack_account (account));
  account->has_changed = FALSE;
}

gboolean
jm_energy_memory_end_save (JmEnergyMemory *self, JmLedgerBatch *batch)
{
  return jm_ledger_memory_end_save (self->jobs, batch);
}
