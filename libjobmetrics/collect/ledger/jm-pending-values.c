/* jm-pending-values.c: what is handed to a ledger, and may not be stored yet
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "collect/ledger/jm-pending-values-private.h"

#include "store/jm-ledger-content-private.h"

/* Among the names of a key: the record of a run that goes on, and of one that has
 * ended, since when the key has no other value. */
#define RUNNING "=running"
#define ENDED "=ended"

struct _JmPendingValues
{
  GHashTable *keys; /* key to GHashTable: name to GBytes, NULL for one that goes */
};

JmPendingValues *
jm_pending_values_new (void)
{
  JmPendingValues *self = g_new0 (JmPendingValues, 1);

  self->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                      (GDestroyNotify) g_hash_table_unref);

  return self;
}

void
jm_pending_values_free (JmPendingValues *self)
{
  g_hash_table_unref (self->keys);
  g_free (self);
}

gboolean
jm_pending_values_is_empty (const JmPendingValues *self)
{
  return g_hash_table_size (self->keys) == 0;
}

/* --- taking --- */

static void
unref_bytes (gpointer bytes)
{
  if (bytes != NULL)
    g_bytes_unref (bytes);
}

static GHashTable *
take_key (JmPendingValues *self, const char *key)
{
  GHashTable *names = g_hash_table_lookup (self->keys, key);

  if (names != NULL)
    return names;

  names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_bytes);
  g_hash_table_insert (self->keys, g_strdup (key), names);

  return names;
}

static void
set (GHashTable *names, const char *name, GBytes *content)
{
  g_hash_table_replace (names, g_strdup (name),
                        content != NULL ? g_bytes_ref (content) : NULL);
}

static void
end_key (JmPendingValues *self, const char *key, GBytes *record)
{
  GHashTable *names = take_key (self, key);

  g_hash_table_remove_all (names);
  set (names, ENDED, record);
}

void
jm_pending_values_take (JmPendingValues *self, JmLedgerBatch *batch)
{
  GHashTableIter iter;
  gpointer key, value;

  jm_ledger_batch_pack (batch);
  for (guint i = 0; i < batch->ended->len; i++)
    {
      const JmLedgerRow *row = batch->ended->pdata[i];

      end_key (self, row->texts[JM_LEDGER_COLUMN_KEY], row->content);
    }

  g_hash_table_iter_init (&iter, batch->kept);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const JmLedgerKept *kept = value;
      GHashTable *names = take_key (self, key);

      for (guint i = 0; i < kept->values->len; i++)
        {
          const JmLedgerValue *one = &g_array_index (kept->values, JmLedgerValue, i);

          set (names, one->name, one->content);
        }
      if (kept->running != NULL && kept->running->content != NULL)
        set (names, RUNNING, kept->running->content);
    }
}

void
jm_pending_values_merge (JmPendingValues *self, const JmPendingValues *later)
{
  GHashTableIter keys, iter;
  gpointer key, names, name, content;

  g_hash_table_iter_init (&keys, later->keys);
  while (g_hash_table_iter_next (&keys, &key, &names))
    {
      if (g_hash_table_lookup_extended (names, ENDED, NULL, &content))
        end_key (self, key, content);
      g_hash_table_iter_init (&iter, names);
      while (g_hash_table_iter_next (&iter, &name, &content))
        set (take_key (self, key), name, content);
    }
}

/* --- as a value --- */

static GVariant *
save_content (GBytes *content)
{
  return g_variant_new_maybe (G_VARIANT_TYPE_BYTESTRING,
                              content != NULL
                                ? g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING,
                                                            content, TRUE)
                                : NULL);
}

GVariant *
jm_pending_values_save (const JmPendingValues *self)
{
  GVariantBuilder builder;
  GHashTableIter keys, iter;
  gpointer key, names, name, content;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (JM_PENDING_VALUES_TYPE));
  g_hash_table_iter_init (&keys, self->keys);
  while (g_hash_table_iter_next (&keys, &key, &names))
    {
      g_variant_builder_open (&builder, G_VARIANT_TYPE ("{sa{smay}}"));
      g_variant_builder_add (&builder, "s", key);
      g_variant_builder_open (&builder, G_VARIANT_TYPE ("a{smay}"));
      g_hash_table_iter_init (&iter, names);
      while (g_hash_table_iter_next (&iter, &name, &content))
        g_variant_builder_add (&builder, "{s@may}", name, save_content (content));
      g_variant_builder_close (&builder);
      g_variant_builder_close (&builder);
    }

  return g_variant_builder_end (&builder);
}

static void
restore_key (JmPendingValues *self, const char *key, GVariant *values)
{
  GHashTable *names = take_key (self, key);
  GVariantIter iter;
  const char *name;
  GVariant *content;

  g_variant_iter_init (&iter, values);
  while (g_variant_iter_loop (&iter, "{&s@may}", &name, &content))
    {
      g_autoptr (GVariant) inner = g_variant_get_maybe (content);
      g_autoptr (GBytes) bytes =
        inner != NULL ? g_variant_get_data_as_bytes (inner) : NULL;

      set (names, name, bytes);
    }
}

JmPendingValues *
jm_pending_values_restore (GVariant *saved)
{
  JmPendingValues *self = jm_pending_values_new ();
  GVariantIter iter;
  const char *key;
  GVariant *values;

  g_variant_iter_init (&iter, saved);
  while (g_variant_iter_loop (&iter, "{&s@a{smay}}", &key, &values))
    restore_key (self, key, values);

  return self;
}

/* --- using --- */

/* NULL for none, and for one that is broken. */
static JmJobRecord *
make_record (GHashTable *names, const char *name)
{
  GBytes *content = g_hash_table_lookup (names, name);
  g_autoptr (GError) error = NULL;
  JmJobRecord *record;

  if (content == NULL)
    return NULL;

  record = jm_ledger_content_unpack (content, 0, "the checkpoint", &error);
  if (record == NULL)
    g_warning ("%s; a record is left out", error->message);

  return record;
}

static void
add_key (JmLedgerBatch *batch, const char *key, GHashTable *names)
{
  g_autoptr (JmJobRecord) ended = make_record (names, ENDED);
  g_autoptr (JmJobRecord) running = make_record (names, RUNNING);
  GHashTableIter iter;
  gpointer name, content;

  if (ended != NULL)
    jm_ledger_batch_append (batch, ended);
  if (running != NULL)
    jm_ledger_batch_set_running (batch, running);

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, &content))
    if (!g_str_equal (name, RUNNING) && !g_str_equal (name, ENDED))
      jm_ledger_batch_set (batch, name, key, content);
}

JmLedgerBatch *
jm_pending_values_make_batch (const JmPendingValues *self)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  GHashTableIter iter;
  gpointer key, names;

  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, &key, &names))
    add_key (batch, key, names);

  return batch;
}

void
jm_pending_values_change (const JmPendingValues *self,
                          const char *name,
                          GHashTable *values)
{
  GHashTableIter iter;
  gpointer key, names, content;

  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, &key, &names))
    {
      if (!g_hash_table_lookup_extended (names, name, NULL, &content))
        content = NULL;
      if (content != NULL)
        g_hash_table_replace (values, g_strdup (key), g_bytes_ref (content));
      else if (g_hash_table_contains (names, name) ||
               g_hash_table_contains (names, ENDED))
        g_hash_table_remove (values, key);
    }
}

static void
remove_record (GPtrArray *running, const char *key)
{
  for (guint i = running->len; i-- > 0;)
    if (g_str_equal (jm_job_record_get_key (running->pdata[i]), key))
      g_ptr_array_remove_index (running, i);
}

void
jm_pending_values_change_running (const JmPendingValues *self, GPtrArray *running)
{
  GHashTableIter iter;
  gpointer key, names;

  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, &key, &names))
    {
      JmJobRecord *record = make_record (names, RUNNING);

      if (record != NULL || g_hash_table_contains (names, ENDED))
        remove_record (running, key);
      if (record != NULL)
        g_ptr_array_add (running, record);
    }
}
