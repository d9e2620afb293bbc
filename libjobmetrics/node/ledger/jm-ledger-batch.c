/* jm-ledger-batch.c: what is to be written, in the order that does not matter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-batch-private.h"

/* Of those that were dropped the totals and the keys are kept, up to so many. */
#define MAX_ENDED (50 * JM_LEDGER_MAX_WAITING)

static void
clear_value (gpointer data)
{
  JmLedgerValue *value = data;

  g_clear_pointer (&value->content, g_bytes_unref);
}

static void
free_kept (gpointer data)
{
  JmLedgerKept *kept = data;

  g_array_unref (kept->values);
  g_clear_pointer (&kept->running, jm_ledger_row_free);
  g_free (kept);
}

static JmLedgerKept *
take_key (JmLedgerBatch *self, const char *key)
{
  JmLedgerKept *kept = g_hash_table_lookup (self->kept, key);

  if (kept != NULL)
    return kept;

  kept = g_new0 (JmLedgerKept, 1);
  kept->values = g_array_sized_new (FALSE, FALSE, sizeof (JmLedgerValue), 1);
  g_array_set_clear_func (kept->values, clear_value);
  g_hash_table_insert (self->kept, g_strdup (key), kept);

  return kept;
}

/* In place of one of that name. */
static void
keep_value (JmLedgerKept *kept, const char *name, GBytes *content)
{
  JmLedgerValue added = { name, content != NULL ? g_bytes_ref (content) : NULL };

  for (guint i = 0; i < kept->values->len; i++)
    {
      JmLedgerValue *value = &g_array_index (kept->values, JmLedgerValue, i);

      if (value->name != name)
        continue;
      clear_value (value);
      *value = added;
      return;
    }

  g_array_append_val (kept->values, added);
}

JmLedgerBatch *
jm_ledger_batch_new (void)
{
  JmLedgerBatch *self = g_new0 (JmLedgerBatch, 1);

  self->forgotten = g_ptr_array_new_with_free_func (g_free);
  self->ended = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_ledger_row_free);
  self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_kept);
  self->raised = g_array_new (FALSE, FALSE, sizeof (JmLedgerTotal));

  return self;
}

void
jm_ledger_batch_free (JmLedgerBatch *self)
{
  g_ptr_array_unref (self->forgotten);
  g_ptr_array_unref (self->ended);
  g_hash_table_unref (self->kept);
  g_array_unref (self->raised);
  g_free (self);
}

void
jm_ledger_batch_set (JmLedgerBatch *self,
                     const char *name,
                     const char *key,
                     GBytes *value)
{
  keep_value (take_key (self, key), g_intern_string (name), value);
}

static void
keep_running (JmLedgerKept *kept, JmLedgerRow *row)
{
  g_clear_pointer (&kept->running, jm_ledger_row_free);
  kept->running = row;
}

void
jm_ledger_batch_set_running (JmLedgerBatch *self, JmJobRecord *record)
{
  keep_running (take_key (self, jm_job_record_get_key (record)),
                jm_ledger_row_new (record));
}

static void
take_ended (JmLedgerBatch *self, JmLedgerRow *row)
{
  g_hash_table_remove (self->kept, row->texts[JM_LEDGER_COLUMN_KEY]);
  g_ptr_array_add (self->ended, row);
  if (jm_ledger_row_is_whole (row))
    self->n_whole++;
}

void
jm_ledger_batch_append (JmLedgerBatch *self, JmJobRecord *record)
{
  take_ended (self, jm_ledger_row_new (record));
}

void
jm_ledger_batch_forget (JmLedgerBatch *self, const char *key)
{
  g_ptr_array_add (self->forgotten, g_strdup (key));
}

void
jm_ledger_batch_raise (JmLedgerBatch *self, const GArray *totals, guint64 n_dropped)
{
  g_array_append_vals (self->raised, totals->data, totals->len);
  self->n_raised = MAX (self->n_raised, n_dropped);
}

void
jm_ledger_batch_clear (JmLedgerBatch *self)
{
  g_ptr_array_set_size (self->forgotten, 0);
  g_ptr_array_set_size (self->ended, 0);
  g_hash_table_remove_all (self->kept);
  g_array_set_size (self->raised, 0);
  self->n_raised = 0;
  self->n_whole = 0;
  self->n_dropped = 0;
}

gboolean
jm_ledger_batch_counts (const JmLedgerBatch *self)
{
  return self->ended->len > 0 || self->n_dropped > 0 || self->raised->len > 0 ||
         self->n_raised > 0;
}

gboolean
jm_ledger_batch_is_empty (const JmLedgerBatch *self)
{
  return !jm_ledger_batch_counts (self) && self->forgotten->len == 0 &&
         g_hash_table_size (self->kept) == 0;
}

static void
merge_kept (JmLedgerKept *self, JmLedgerKept *later)
{
  for (guint i = 0; i < later->values->len; i++)
    {
      const JmLedgerValue *value = &g_array_index (later->values, JmLedgerValue, i);

      keep_value (self, value->name, value->content);
    }
  if (later->running != NULL)
    keep_running (self, g_steal_pointer (&later->running));
}

void
jm_ledger_batch_merge (JmLedgerBatch *self, JmLedgerBatch *later)
{
  gsize n_ended, n_forgotten;
  g_autofree gpointer *ended = g_ptr_array_steal (later->ended, &n_ended);
  g_autofree gpointer *forgotten = g_ptr_array_steal (later->forgotten, &n_forgotten);
  GHashTableIter iter;
  gpointer key, kept;

  for (gsize i = 0; i < n_forgotten; i++)
    g_ptr_array_add (self->forgotten, forgotten[i]);
  for (gsize i = 0; i < n_ended; i++)
    take_ended (self, ended[i]);
  g_hash_table_iter_init (&iter, later->kept);
  while (g_hash_table_iter_next (&iter, &key, &kept))
    merge_kept (take_key (self, key), kept);
  jm_ledger_batch_raise (self, later->raised, later->n_raised);
  self->n_dropped += later->n_dropped;
  self->n_given_up += later->n_given_up;
  self->given_up_us = MAX (self->given_up_us, later->given_up_us);
  jm_ledger_batch_clear (later);
  later->n_given_up = 0;
  later->given_up_us = 0;
}

static void
note_drop (JmLedgerBatch *self)
{
  self->n_whole--;
  self->n_dropped++;
}

static void
note_loss (JmLedgerBatch *self)
{
  note_drop (self);
  self->n_given_up++;
  self->given_up_us = g_get_real_time ();
}

void
jm_ledger_batch_pack (JmLedgerBatch *self)
{
  GHashTableIter iter;
  gpointer kept;

  for (guint i = 0; i < self->ended->len; i++)
    {
      JmLedgerRow *row = self->ended->pdata[i];

      if (!jm_ledger_row_is_whole (row))
        continue;
      jm_ledger_row_pack (row);
      if (!jm_ledger_row_is_whole (row))
        note_loss (self);
    }

  g_hash_table_iter_init (&iter, self->kept);
  while (g_hash_table_iter_next (&iter, NULL, &kept))
    if (((JmLedgerKept *) kept)->running != NULL)
      jm_ledger_row_pack (((JmLedgerKept *) kept)->running);
}

/* How many of the first it takes until no more bytes are left than are allowed. */
static guint
count_by_bytes (const JmLedgerBatch *self)
{
  gsize n_bytes = 0;
  guint n = 0;

  for (guint i = self->ended->len; i-- > 0;)
    {
      const JmLedgerRow *row = self->ended->pdata[i];

      if (row->content != NULL)
        n_bytes += g_bytes_get_size (row->content);
      if (n_bytes > JM_LEDGER_MAX_WAITING_BYTES && jm_ledger_row_is_whole (row))
        n++;
    }

  return n;
}

guint
jm_ledger_batch_count_excess (const JmLedgerBatch *self)
{
  guint n_more =
    self->n_whole > JM_LEDGER_MAX_WAITING ? self->n_whole - JM_LEDGER_MAX_WAITING : 0;

  return MAX (n_more, count_by_bytes (self));
}

void
jm_ledger_batch_give_up (JmLedgerBatch *self, guint n, gboolean keeps_oldest)
{
  for (guint i = 0; n > 0 && i < self->ended->len; i++)
    {
      guint number = keeps_oldest ? self->ended->len - 1 - i : i;
      JmLedgerRow *row = self->ended->pdata[number];

      if (!jm_ledger_row_is_whole (row))
        continue;
      jm_ledger_row_drop (row);
      note_loss (self);
      n--;
    }

  while (self->ended->len > MAX_ENDED)
    {
      const JmLedgerRow *first = self->ended->pdata[0];

      if (jm_ledger_row_is_whole (first))
        note_loss (self);
      g_ptr_array_remove_index (self->ended, 0);
    }
}

void
jm_ledger_batch_decline (JmLedgerBatch *self)
{
  for (guint i = 0; i < self->ended->len; i++)
    {
      JmLedgerRow *row = self->ended->pdata[i];

      if (!jm_ledger_row_is_whole (row))
        continue;
      jm_ledger_row_drop (row);
      note_drop (self);
    }
}
