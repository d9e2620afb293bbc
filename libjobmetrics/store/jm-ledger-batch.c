/* jm-ledger-batch.c: what is to be written, in the order that does not matter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-ledger-batch-private.h"

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

  self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_kept);

  return self;
}

void
jm_ledger_batch_free (JmLedgerBatch *self)
{
  g_hash_table_unref (self->kept);
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

void
jm_ledger_batch_clear (JmLedgerBatch *self)
{
  g_hash_table_remove_all (self->kept);
}

gboolean
jm_ledger_batch_is_empty (const JmLedgerBatch *self)
{
  return g_hash_table_size (self->kept) == 0;
}

static void
merge_kept (JmLedgerKept *self, const JmLedgerKept *later)
{
  for (guint i = 0; i < later->values->len; i++)
    {
      const JmLedgerValue *value = &g_array_index (later->values, JmLedgerValue, i);

      keep_value (self, value->name, value->content);
    }
}

void
jm_ledger_batch_merge (JmLedgerBatch *self, JmLedgerBatch *later)
{
  GHashTableIter iter;
  gpointer key, kept;

  g_hash_table_iter_init (&iter, later->kept);
  while (g_hash_table_iter_next (&iter, &key, &kept))
    merge_kept (take_key (self, key), kept);
  jm_ledger_batch_clear (later);
}
