/* jm-checkpoint.c: what a program that is killed goes on with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "node/ledger/jm-checkpoint-private.h"

#include <string.h>

/* The number of the last batch, in the ledger: what the memory has up to there was
 * stored. */
#define NAME "checkpoint"
#define KEY "generation"

/* The number of the last batch; the totals that the ledger had when all of an earlier
 * one was stored, and how many records it had dropped by then; and the values. */
#define TOTAL_TYPE "(ssttttdd)"
#define TOTALS_TYPE "a" TOTAL_TYPE
#define MEMORY_TYPE "(tt" TOTALS_TYPE JM_PENDING_VALUES_TYPE ")"

struct _JmCheckpoint
{
  JmLedger *ledger;
  JmCheckpointMemory *memory; /* NULL for none */
  JmPendingValues *values;    /* all that the ledger has, or will have */
  GHashTable *forgotten;      /* keys of runs that the ledger had, and that had ended */
  GArray *totals;             /* of JmLedgerTotal, without the runs among the values */
  guint64 n_dropped;
  guint64 generation;
  guint64 ticket;
  gboolean is_kept; /* the memory has all */
  gboolean has_complained;
};

/* --- totals --- */

static void
take_totals (JmCheckpoint *self)
{
  g_auto (JmLedgerStatus) status = { 0 };

  jm_ledger_get_status (self->ledger, &status);
  g_clear_pointer (&self->totals, g_array_unref);
  self->totals = jm_ledger_list_totals (self->ledger);
  self->n_dropped = status.n_dropped;
}

static GVariant *
save_totals (JmCheckpoint *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (TOTALS_TYPE));
  for (guint i = 0; i < self->totals->len; i++)
    {
      const JmLedgerTotal *total = &g_array_index (self->totals, JmLedgerTotal, i);

      g_variant_builder_add (&builder, TOTAL_TYPE, total->user, total->account,
                             total->n_jobs, total->cpu_ns, total->energy_uj[0],
                             total->energy_uj[1], total->emissions_ug[0],
                             total->emissions_ug[1]);
    }

  return g_variant_builder_end (&builder);
}

static GArray *
restore_totals (GVariant *saved)
{
  GArray *totals = g_array_new (FALSE, FALSE, sizeof (JmLedgerTotal));
  GVariantIter iter;
  JmLedgerTotal total;

  g_variant_iter_init (&iter, saved);
  while (g_variant_iter_next (&iter, "(&s&sttttdd)", &total.user, &total.account,
                              &total.n_jobs, &total.cpu_ns, &total.energy_uj[0],
                              &total.energy_uj[1], &total.emissions_ug[0],
                              &total.emissions_ug[1]))
    {
      total.user = g_intern_string (total.user);
      total.account = g_intern_string (total.account);
      g_array_append_val (totals, total);
    }

  return totals;
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

/* A run that the ledger has, and the memory has not, ended while another ledger was in
 * its place: the totals have it, and it may have been read there. */
static void
forget_ended (JmCheckpoint *self, JmLedgerBatch *batch)
{
  g_autoptr (GPtrArray) running = jm_ledger_load_running (self->ledger, NULL);

  for (guint i = 0; running != NULL && i < running->len; i++)
    {
      const char *key = jm_job_record_get_key (running->pdata[i]);

      if (jm_pending_values_has (self->values, key))
        continue;
      jm_ledger_batch_forget (batch, key);
      g_hash_table_add (self->forgotten, g_strdup (key));
    }
}

/* What the ledger lacks, which may be another one, or one of before. */
static void
go_on (JmCheckpoint *self, GVariant *all)
{
  g_autoptr (GVariant) saved_totals = g_variant_get_child_value (all, 2);
  g_autoptr (GVariant) saved_values = g_variant_get_child_value (all, 3);
  g_autoptr (GArray) totals = restore_totals (saved_totals);
  guint64 generation, n_dropped;
  JmLedgerBatch *batch;

  g_variant_get_child (all, 0, "t", &generation);
  g_variant_get_child (all, 1, "t", &n_dropped);
  if (generation <= self->generation)
    return;

  /* before a run among the values is counted */
  batch = jm_ledger_batch_new ();
  jm_ledger_batch_raise (batch, totals, n_dropped);
  jm_ledger_submit (self->ledger, batch);
  take_totals (self);

  jm_pending_values_free (self->values);
  self->values = jm_pending_values_restore (saved_values);
  jm_pending_values_drop_ended (self->values, self->generation);
  batch = jm_pending_values_make_batch (self->values);
  forget_ended (self, batch);
  self->generation = generation;
  self->ticket = jm_ledger_submit (self->ledger, batch);
}

static void
restore (JmCheckpoint *self)
{
  g_autoptr (GBytes) bytes = jm_checkpoint_memory_read (self->memory);
  g_autoptr (GVariant) all = NULL;

  self->generation = read_generation (self->ledger);
  if (bytes == NULL)
    return;

  all = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (MEMORY_TYPE), bytes, FALSE));
  if (g_variant_is_normal_form (all))
    go_on (self, all);
  else
    g_warning ("the checkpoint is broken, and begun anew");
}

JmCheckpoint *
jm_checkpoint_new (JmLedger *ledger, JmCheckpointMemory *memory)
{
  JmCheckpoint *self = g_new0 (JmCheckpoint, 1);

  self->ledger = g_object_ref (ledger);
  self->memory = memory;
  self->values = jm_pending_values_new ();
  self->forgotten = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  take_totals (self);
  if (memory != NULL)
    restore (self);

  return self;
}

void
jm_checkpoint_free (JmCheckpoint *self)
{
  jm_pending_values_free (self->values);
  g_hash_table_unref (self->forgotten);
  g_array_unref (self->totals);
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
  jm_pending_values_change (self->values, name, values);
  if (self->memory != NULL)
    jm_pending_values_complete (self->values, name, values);

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
  for (guint i = running->len; i-- > 0;)
    if (g_hash_table_contains (self->forgotten,
                               jm_job_record_get_key (running->pdata[i])))
      g_ptr_array_remove_index (running, i);
  jm_pending_values_change_running (self->values, running);
  if (self->memory != NULL)
    jm_pending_values_complete_running (self->values, running);

  return running;
}

/* --- keeping --- */

static void
take (JmCheckpoint *self, JmLedgerBatch *batch)
{
  g_autoptr (GBytes) generation = NULL;

  if (jm_checkpoint_is_stored (self, self->ticket))
    {
      take_totals (self);
      jm_pending_values_settle (self->values);
    }

  self->generation++;
  generation = g_bytes_new (&self->generation, sizeof self->generation);
  jm_ledger_batch_set (batch, NAME, KEY, generation);
  jm_pending_values_take (self->values, batch, self->generation);
}

static void
keep (JmCheckpoint *self)
{
  g_autoptr (GVariant) all = g_variant_ref_sink (
    g_variant_new ("(tt@" TOTALS_TYPE "@" JM_PENDING_VALUES_TYPE ")", self->generation,
                   self->n_dropped, save_totals (self),
                   jm_pending_values_save (self->values)));
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (all);
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
