/* jm-checkpoint.c: what a program that is killed goes on with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "collect/ledger/jm-checkpoint-private.h"

#include <string.h>

#include "collect/ledger/jm-pending-values-private.h"

/* The number of the last batch, in the ledger: what the memory has up to there was
 * stored. */
#define NAME "checkpoint"
#define KEY "generation"

/* Batches with their numbers, the earlier ones first. */
#define MEMORY_TYPE "a(t" JM_PENDING_VALUES_TYPE ")"
#define N_PARTS 2

/* Batches that were handed over, and are stored as a whole or not yet. */
typedef struct
{
  JmPendingValues *values;
  guint64 generation; /* of the last of them */
  guint64 ticket;
} Part;

struct _JmCheckpoint
{
  JmLedger *ledger;
  JmCheckpointMemory *memory; /* NULL for none */
  Part parts[N_PARTS];        /* what comes goes to the last one */
  guint64 generation;
  guint64 ticket;
  gboolean is_kept; /* the memory has all */
  gboolean has_complained;
};

/* --- parts --- */

/* While a disk is slow, the last batch is never stored, and those before it are. */
static void
drop_stored (JmCheckpoint *self)
{
  for (guint i = 0; i < N_PARTS; i++)
    {
      if (!jm_checkpoint_is_stored (self, self->parts[0].ticket))
        return;

      jm_pending_values_free (self->parts[0].values);
      self->parts[0] = self->parts[1];
      self->parts[1] = (Part){ .values = jm_pending_values_new () };
    }
}

static GBytes *
pack_parts (JmCheckpoint *self)
{
  GVariantBuilder builder;
  g_autoptr (GVariant) all = NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (MEMORY_TYPE));
  for (guint i = 0; i < N_PARTS; i++)
    if (!jm_pending_values_is_empty (self->parts[i].values))
      g_variant_builder_add (&builder, "(t@" JM_PENDING_VALUES_TYPE ")",
                             self->parts[i].generation,
                             jm_pending_values_save (self->parts[i].values));
  all = g_variant_ref_sink (g_variant_builder_end (&builder));

  return g_variant_get_data_as_bytes (all);
}

/* --- restoring --- */

static guint64
read_generation (JmLedger *ledger)
{
  g_autoptr (GHashTable) values = jm_ledger_load (ledger, NAME, NULL);
  GBytes *bytes = values != NULL ? g_hash_table_lookup (values, KEY) : NULL;
  guint64 generation = 0;

  if (bytes != NULL && g_bytes_get_size (bytes) == sizeof generation)
    memcpy (&generation, g_bytes_get_data (bytes, NULL), sizeof generation);

  return generation;
}

/* What was stored already may be older than what the ledger has. */
static void
restore_part (JmCheckpoint *self, guint64 generation, GVariant *saved)
{
  g_autoptr (JmPendingValues) values = NULL;

  if (generation <= self->generation)
    return;

  values = jm_pending_values_restore (saved);
  jm_pending_values_merge (self->parts[0].values, values);
  self->parts[0].ticket =
    jm_ledger_submit (self->ledger, jm_pending_values_make_batch (values));
  self->parts[0].generation = generation;
  self->generation = generation;
}

static void
restore (JmCheckpoint *self)
{
  g_autoptr (GBytes) bytes = jm_checkpoint_memory_read (self->memory);
  g_autoptr (GVariant) all = NULL;
  GVariantIter iter;
  guint64 generation;
  GVariant *saved;

  self->generation = read_generation (self->ledger);
  if (bytes == NULL)
    return;

  all = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (MEMORY_TYPE), bytes, FALSE));
  if (!g_variant_is_normal_form (all))
    {
      g_warning ("the checkpoint is broken, and begun anew");
      return;
    }

  g_variant_iter_init (&iter, all);
  while (
    g_variant_iter_loop (&iter, "(t@" JM_PENDING_VALUES_TYPE ")", &generation, &saved))
    restore_part (self, generation, saved);
}

JmCheckpoint *
jm_checkpoint_new (JmLedger *ledger, JmCheckpointMemory *memory)
{
  JmCheckpoint *self = g_new0 (JmCheckpoint, 1);

  self->ledger = g_object_ref (ledger);
  self->memory = memory;
  for (guint i = 0; i < N_PARTS; i++)
    self->parts[i].values = jm_pending_values_new ();
  if (memory != NULL)
    restore (self);

  return self;
}

void
jm_checkpoint_free (JmCheckpoint *self)
{
  for (guint i = 0; i < N_PARTS; i++)
    jm_pending_values_free (self->parts[i].values);
  g_clear_pointer (&self->memory, jm_checkpoint_memory_free);
  g_object_unref (self->ledger);
  g_free (self);
}

JmLedger *
jm_checkpoint_get_ledger (const JmCheckpoint *self)
{
  return self->ledger;
}

/* --- loading --- */

GHashTable *
jm_checkpoint_load (const JmCheckpoint *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  GHashTable *values = jm_ledger_load (self->ledger, name, &error);

  if (values == NULL)
    {
      g_warning ("the ledger: %s", error->message);
      values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                      (GDestroyNotify) g_bytes_unref);
    }
  for (guint i = 0; i < N_PARTS; i++)
    jm_pending_values_change (self->parts[i].values, name, values);

  return values;
}

GPtrArray *
jm_checkpoint_load_running (const JmCheckpoint *self)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *running = jm_ledger_load_running (self->ledger, &error);

  if (running == NULL)
    {
      g_warning ("the ledger: %s", error->message);
      running = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
    }
  for (guint i = 0; i < N_PARTS; i++)
    jm_pending_values_change_running (self->parts[i].values, running);

  return running;
}

/* --- keeping --- */

static void
take (JmCheckpoint *self, JmLedgerBatch *batch)
{
  Part *part = &self->parts[N_PARTS - 1];
  g_autoptr (GBytes) generation = NULL;

  self->generation++;
  generation = g_bytes_new (&self->generation, sizeof self->generation);
  jm_ledger_batch_set (batch, NAME, KEY, generation);
  drop_stored (self);
  jm_pending_values_take (part->values, batch);
  part->generation = self->generation;
}

static void
keep (JmCheckpoint *self)
{
  g_autoptr (GBytes) bytes = pack_parts (self);
  g_autoptr (GError) error = NULL;

  self->is_kept = jm_checkpoint_memory_write (self->memory, bytes, &error) &&
                  jm_checkpoint_memory_check_shared (self->memory, &error);
  if (error != NULL && !self->has_complained)
    g_warning ("%s: figures wait for the disk", error->message);
  self->has_complained = error != NULL;
}

void
jm_checkpoint_submit (JmCheckpoint *self, JmLedgerBatch *batch)
{
  if (self->memory != NULL)
    {
      take (self, batch);
      keep (self);
    }

  self->ticket = jm_ledger_submit (self->ledger, batch);
  self->parts[N_PARTS - 1].ticket = self->ticket;
}

guint64
jm_checkpoint_get_ticket (const JmCheckpoint *self)
{
  return self->ticket;
}

gboolean
jm_checkpoint_is_stored (const JmCheckpoint *self, guint64 ticket)
{
  return jm_ledger_await (self->ledger, ticket, 0);
}

gboolean
jm_checkpoint_await (JmCheckpoint *self, gint64 timeout_us)
{
  return self->is_kept || jm_ledger_await (self->ledger, self->ticket, timeout_us);
}
