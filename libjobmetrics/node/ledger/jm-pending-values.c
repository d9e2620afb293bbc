/* jm-pending-values.c: what is handed to a ledger, and may not be stored yet
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "node/ledger/jm-checkpoint-private.h"

#include "core/jm-ledger-content-private.h"

/* Among the names of a key: the record of a run that goes on, and of one that has
 * ended, since when the key has no other value. */
#define RUNNING "=running"
#define ENDED "=ended"

typedef struct
{
  guint64 ended;     /* the number of the batch in which a run ended; 0 for none */
  GHashTable *names; /* to GBytes, NULL for one that goes */
} Key;

struct _JmPendingValues
{
  GHashTable *keys; /* of Key, by key */
};

static void
key_free (gpointer data)
{
  Key *self = data;

  g_hash_table_unref (self->names);
  g_free (self);
}

JmPendingValues *
jm_pending_values_new (void)
{
  JmPendingValues *self = g_new0 (JmPendingValues, 1);

  self->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, key_free);

  return self;
}

void
jm_pending_values_free (JmPendingValues *self)
{
  g_hash_table_unref (self->keys);
  g_free (self);
}

/* --- taking --- */

static void
unref_bytes (gpointer bytes)
{
  if (bytes != NULL)
    g_bytes_unref (bytes);
}

static Key *
take_key (JmPendingValues *self, const char *name)
{
  Key *key = g_hash_table_lookup (self->keys, name);

  if (key != NULL)
    return key;

  key = g_new0 (Key, 1);
  key->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_bytes);
  g_hash_table_insert (self->keys, g_strdup (name), key);

  return key;
}

static void
set (Key *key, const char *name, GBytes *content)
{
  g_hash_table_replace (key->names, g_strdup (name),
                        content != NULL ? g_bytes_ref (content) : NULL);
}

static void
take_ended (JmPendingValues *self, const JmLedgerRow *row, guint64 generation)
{
  Key *key = take_key (self, row->texts[JM_LEDGER_COLUMN_KEY]);

  g_hash_table_remove_all (key->names);
  key->ended = generation;
  set (key, ENDED, row->content);
}

static void
take_kept (Key *key, const JmLedgerKept *kept)
{
  for (guint i = 0; i < kept->values->len; i++)
    {
      const JmLedgerValue *value = &g_array_index (kept->values, JmLedgerValue, i);

      set (key, value->name, value->content);
    }
  if (kept->running != NULL && kept->running->content != NULL)
    set (key, RUNNING, kept->running->content);
}

void
jm_pending_values_take (JmPendingValues *self, JmLedgerBatch *batch, guint64 generation)
{
  GHashTableIter iter;
  gpointer key, kept;

  jm_ledger_batch_pack (batch);
  for (guint i = 0; i < batch->ended->len; i++)
    take_ended (self, batch->ended->pdata[i], generation);

  g_hash_table_iter_init (&iter, batch->kept);
  while (g_hash_table_iter_next (&iter, &key, &kept))
    take_kept (take_key (self, key), kept);
}

/* --- what the ledger had --- */

static void
complete (JmPendingValues *self,
          const char *key_name,
          const char *name,
          GBytes *content)
{
  Key *key = take_key (self, key_name);

  if (key->ended == 0 && !g_hash_table_contains (key->names, name))
    set (key, name, content);
}

void
jm_pending_values_complete (JmPendingValues *self, const char *name, GHashTable *values)
{
  GHashTableIter iter;
  gpointer key, content;

  g_hash_table_iter_init (&iter, values);
  while (g_hash_table_iter_next (&iter, &key, &content))
    complete (self, key, name, content);
}

void
jm_pending_values_complete_running (JmPendingValues *self, GPtrArray *running)
{
  for (guint i = 0; i < running->len; i++)
    {
      JmJobRecord *record = running->pdata[i];
      g_autoptr (GBytes) content = jm_ledger_content_pack (record, NULL);

      if (content != NULL)
        complete (self, jm_job_record_get_key (record), RUNNING, content);
    }
}

gboolean
jm_pending_values_has (const JmPendingValues *self, const char *key)
{
  return g_hash_table_contains (self->keys, key);
}

void
jm_pending_values_drop_ended (JmPendingValues *self, guint64 generation)
{
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      Key *key = data;

      if (key->ended == 0 || key->ended > generation)
        continue;
      key->ended = 0;
      g_hash_table_remove (key->names, ENDED);
    }
}

static gboolean
is_removed (gpointer name, gpointer content, gpointer data)
{
  return content == NULL;
}

static gboolean
settle_key (gpointer name, gpointer data, gpointer user_data)
{
  Key *key = data;

  g_hash_table_foreach_remove (key->names, is_removed, NULL);

  return g_hash_table_size (key->names) == 0;
}

void
jm_pending_values_settle (JmPendingValues *self)
{
  jm_pending_values_drop_ended (self, G_MAXUINT64);
  g_hash_table_foreach_remove (self->keys, settle_key, NULL);
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

static GVariant *
save_key (const Key *key)
{
  GVariantBuilder builder;
  GHashTableIter iter;
  gpointer name, content;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("(ta{smay})"));
  g_variant_builder_add (&builder, "t", key->ended);
  g_variant_builder_open (&builder, G_VARIANT_TYPE ("a{smay}"));
  g_hash_table_iter_init (&iter, key->names);
  while (g_hash_table_iter_next (&iter, &name, &content))
    g_variant_builder_add (&builder, "{s@may}", name, save_content (content));
  g_variant_builder_close (&builder);

  return g_variant_builder_end (&builder);
}

GVariant *
jm_pending_values_save (const JmPendingValues *self)
{
  GVariantBuilder builder;
  GHashTableIter iter;
  gpointer name, key;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (JM_PENDING_VALUES_TYPE));
  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, &name, &key))
    g_variant_builder_add (&builder, "{s@(ta{smay})}", name, save_key (key));

  return g_variant_builder_end (&builder);
}

static void
restore_names (Key *key, GVariant *values)
{
  GVariantIter iter;
  const char *name;
  GVariant *content;

  g_variant_iter_init (&iter, values);
  while (g_variant_iter_loop (&iter, "{&s@may}", &name, &content))
    {
      g_autoptr (GVariant) inner = g_variant_get_maybe (content);
      g_autoptr (GBytes) bytes =
        inner != NULL ? g_variant_get_data_as_bytes (inner) : NULL;

      set (key, name, bytes);
    }
}

JmPendingValues *
jm_pending_values_restore (GVariant *saved)
{
  JmPendingValues *self = jm_pending_values_new ();
  GVariantIter iter;
  const char *name;
  guint64 ended;
  GVariant *values;

  g_variant_iter_init (&iter, saved);
  while (g_variant_iter_loop (&iter, "{&s(t@a{smay})}", &name, &ended, &values))
    {
      Key *key = take_key (self, name);

      key->ended = ended;
      restore_names (key, values);
    }

  return self;
}

/* --- using --- */

/* NULL for none, and for one that is broken. */
static JmJobRecord *
make_record (const Key *key, const char *name)
{
  GBytes *content = g_hash_table_lookup (key->names, name);
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
add_key (JmLedgerBatch *batch, const char *name, const Key *key)
{
  g_autoptr (JmJobRecord) ended = make_record (key, ENDED);
  g_autoptr (JmJobRecord) running = make_record (key, RUNNING);
  GHashTableIter iter;
  gpointer value, content;

  if (ended != NULL)
    jm_ledger_batch_append (batch, ended);
  if (running != NULL)
    jm_ledger_batch_set_running (batch, running);

  g_hash_table_iter_init (&iter, key->names);
  while (g_hash_table_iter_next (&iter, &value, &content))
    if (!g_str_equal (value, RUNNING) && !g_str_equal (value, ENDED))
      jm_ledger_batch_set (batch, value, name, content);
}

JmLedgerBatch *
jm_pending_values_make_batch (const JmPendingValues *self)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  GHashTableIter iter;
  gpointer name, key;

  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, &name, &key))
    add_key (batch, name, key);

  return batch;
}

void
jm_pending_values_change (const JmPendingValues *self,
                          const char *name,
                          GHashTable *values)
{
  GHashTableIter iter;
  gpointer key_name, data, content;

  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, &key_name, &data))
    {
      const Key *key = data;

      if (!g_hash_table_lookup_extended (key->names, name, NULL, &content))
        content = NULL;
      if (content != NULL)
        g_hash_table_replace (values, g_strdup (key_name), g_bytes_ref (content));
      else if (key->ended != 0 || g_hash_table_contains (key->names, name))
        g_hash_table_remove (values, key_name);
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
  gpointer name, data;

  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, &name, &data))
    {
      const Key *key = data;
      JmJobRecord *record = make_record (key, RUNNING);

      if (record != NULL || key->ended != 0)
        remove_record (running, name);
      if (record != NULL)
        g_ptr_array_add (running, record);
    }
}
