/* jm-ledger-memory.c: what a ledger keeps of each run that goes on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-memory-private.h"

#include <string.h>

#include "core/jm-job-private.h"

/* A job that is still there is known by then; the others have ended meanwhile. */
#define SAVES_TO_CLAIM 30

struct _JmLedgerMemory
{
  char *name;
  char *boot_id;
  JmLedgerUnpack unpack;
  GDestroyNotify free_value;
  GHashTable *runs; /* of what was unpacked, by run key; NULL for what is broken */
  GPtrArray *gone;  /* run keys of another boot */
  guint n_saves;
};

JmLedgerMemory *
jm_ledger_memory_new (const char *name,
                      const char *boot_id,
                      JmLedgerUnpack unpack,
                      GDestroyNotify free_value)
{
  JmLedgerMemory *self = g_new0 (JmLedgerMemory, 1);

  self->name = g_strdup (name);
  self->boot_id = g_strdup (boot_id);
  self->unpack = unpack;
  self->free_value = free_value;
  self->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->gone = g_ptr_array_new_with_free_func (g_free);

  return self;
}

/* A destroy function of the table would be called with NULL. */
static void
forget_all (JmLedgerMemory *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->runs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (value != NULL)
      self->free_value (value);
  g_hash_table_remove_all (self->runs);
}

void
jm_ledger_memory_free (JmLedgerMemory *self)
{
  forget_all (self);
  g_hash_table_unref (self->runs);
  g_ptr_array_unref (self->gone);
  g_free (self->boot_id);
  g_free (self->name);
  g_free (self);
}

/* --- loading --- */

/* The key of a run begins with its boot. */
static gboolean
is_of_this_boot (JmLedgerMemory *self, const char *run_key)
{
  gsize length = self->boot_id != NULL ? strlen (self->boot_id) : 0;

  return length > 0 && strncmp (run_key, self->boot_id, length) == 0 &&
         run_key[length] == '/';
}

/* FALSE where it is broken. */
static gboolean
take_run (JmLedgerMemory *self, const char *run_key, GBytes *bytes)
{
  gpointer value;

  if (!is_of_this_boot (self, run_key))
    {
      g_ptr_array_add (self->gone, g_strdup (run_key));
      return TRUE;
    }

  value = self->unpack (bytes);
  g_hash_table_insert (self->runs, g_strdup (run_key), value);

  return value != NULL;
}

guint
jm_ledger_memory_take_all (JmLedgerMemory *self, GHashTable *kept)
{
  guint n_broken = 0;
  GHashTableIter iter;
  gpointer run_key, bytes;

  g_hash_table_iter_init (&iter, kept);
  while (g_hash_table_iter_next (&iter, &run_key, &bytes))
    n_broken += !take_run (self, run_key, bytes);

  return n_broken;
}

gboolean
jm_ledger_memory_take (JmLedgerMemory *self, JmJob *job, gpointer *value)
{
  const char *run_key =
    g_hash_table_size (self->runs) > 0 ? jm_job_get_run_key (job) : NULL;
  gpointer key = NULL;

  if (run_key == NULL ||
      !g_hash_table_steal_extended (self->runs, run_key, &key, value))
    return FALSE;

  g_free (key);

  return TRUE;
}

/* --- saving --- */

void
jm_ledger_memory_save (JmLedgerMemory *self,
                       JmLedgerBatch *batch,
                       const char *run_key,
                       GBytes *bytes)
{
  jm_ledger_batch_set (batch, self->name, run_key, bytes);
  g_bytes_unref (bytes);
}

static void
forget_missing (JmLedgerMemory *self, JmLedgerBatch *batch)
{
  GHashTableIter iter;
  gpointer run_key;

  g_hash_table_iter_init (&iter, self->runs);
  while (g_hash_table_iter_next (&iter, &run_key, NULL))
    jm_ledger_batch_set (batch, self->name, run_key, NULL);
  forget_all (self);
}

gboolean
jm_ledger_memory_end_save (JmLedgerMemory *self, JmLedgerBatch *batch)
{
  for (guint i = 0; i < self->gone->len; i++)
    jm_ledger_batch_set (batch, self->name, g_ptr_array_index (self->gone, i), NULL);
  g_ptr_array_set_size (self->gone, 0);

  if (self->n_saves == SAVES_TO_CLAIM || ++self->n_saves < SAVES_TO_CLAIM)
    return FALSE;

  forget_missing (self, batch);

  return TRUE;
}

gboolean
jm_ledger_memory_has_saved (JmLedgerMemory *self)
{
  return self->n_saves > 0;
}
