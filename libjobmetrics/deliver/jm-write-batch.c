/* jm-write-batch.c: sweeps to requests
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "deliver/jm-write-batch-private.h"

struct _JmWriteBatch
{
  JmWriteFormat *format;
  GHashTable *series; /* of JmWriteSeries, by name and labels as the text has them */
  GString *key;
  GPtrArray *wanted; /* what is to be sent, of JmWriteSeries in the table */
  guint round;
  gint64 last_ms;
};

JmWriteBatch *
jm_write_batch_new (JmWriteFormat *format)
{
  JmWriteBatch *self = g_new0 (JmWriteBatch, 1);

  self->format = format;
  self->series = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) format->series_free);
  self->key = g_string_new (NULL);
  self->wanted = g_ptr_array_new ();

  return self;
}

void
jm_write_batch_free (JmWriteBatch *self)
{
  g_ptr_array_unref (self->wanted);
  g_string_free (self->key, TRUE);
  g_hash_table_unref (self->series);
  self->format->free (self->format);
  g_free (self);
}

/* --- packing --- */

static JmWriteRequest *
pack (JmWriteBatch *self, guint first, guint n)
{
  JmWriteRequest *request = g_new (JmWriteRequest, 1);

  request->body =
    self->format->pack (self->format,
                        (JmWriteSeries *const *) self->wanted->pdata + first, n);
  request->n_samples = n;

  return request;
}

static void
pack_wanted (JmWriteBatch *self, GPtrArray *requests)
{
  for (guint i = 0; i < self->wanted->len; i += JM_WRITE_SERIES_MAX)
    g_ptr_array_add (requests,
                     pack (self, i, MIN (self->wanted->len - i, JM_WRITE_SERIES_MAX)));
}

/* --- what a text has, and has no more --- */

/* The name and the labels as the text has them. */
static const char *
make_key (JmWriteBatch *self, const JmExpositionSample *sample)
{
  g_string_truncate (self->key, 0);
  g_string_append_len (self->key, sample->line, (gssize) sample->series_length);

  return self->key->str;
}

static JmWriteSeries *
find_or_add (JmWriteBatch *self, const JmExpositionSample *sample)
{
  const char *key = make_key (self, sample);
  JmWriteSeries *series = g_hash_table_lookup (self->series, key);

  if (series == NULL)
    {
      series = self->format->series_new (self->format, sample);
      series->round = self->round - 1;
      g_hash_table_insert (self->series, g_strdup (key), series);
    }

  return series;
}

/* Of several samples of one series the first counts. */
static void
take_sample (JmWriteBatch *self, const JmExpositionSample *sample, gint64 time_ms)
{
  JmWriteSeries *series = find_or_add (self, sample);

  if (series->round == self->round)
    return;

  series->round = self->round;
  self->format->series_set (series, sample->value, time_ms);
  g_ptr_array_add (self->wanted, series);
}

/* A text that breaks off is left out as a whole. */
static gboolean
read_ahead (JmWriteBatch *self, const char *text, gsize length, GError **error)
{
  g_auto (JmExpositionReader) reader = { 0 };
  g_autoptr (GError) reason = NULL;
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, length);
  while (jm_exposition_reader_next (&reader, &sample, &reason))
    if (self->format->see != NULL)
      self->format->see (self->format, &sample);
  if (reason == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&reason));

  return FALSE;
}

static void
take_samples (JmWriteBatch *self, const char *text, gsize length, gint64 time_ms)
{
  g_auto (JmExpositionReader) reader = { 0 };
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, length);
  while (jm_exposition_reader_next (&reader, &sample, NULL))
    take_sample (self, &sample, time_ms);
}

static void
mark_what_is_gone (JmWriteBatch *self, gint64 time_ms)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->series);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      JmWriteSeries *series = value;

      if (series->round == self->round)
        continue;
      self->format->series_set_gone (series, time_ms);
      g_ptr_array_add (self->wanted, series);
    }
}

static gboolean
is_old (gpointer key, gpointer value, gpointer user_data)
{
  return ((JmWriteSeries *) value)->round != GPOINTER_TO_UINT (user_data);
}

static void
begin_round (JmWriteBatch *self, gint64 time_ms)
{
  self->last_ms = time_ms;
  self->round++;
  g_ptr_array_set_size (self->wanted, 0);
}

static void
end_round (JmWriteBatch *self, gint64 time_ms, GPtrArray *requests)
{
  mark_what_is_gone (self, time_ms);
  pack_wanted (self, requests);
  g_hash_table_foreach_remove (self->series, is_old, GUINT_TO_POINTER (self->round));
}

gboolean
jm_write_batch_add (JmWriteBatch *self,
                    const char *text,
                    gsize length,
                    gint64 time_ms,
                    GPtrArray *requests,
                    GError **error)
{
  if (!read_ahead (self, text, length, error))
    return FALSE;
  if (time_ms <= self->last_ms)
    return TRUE;

  begin_round (self, time_ms);
  take_samples (self, text, length, time_ms);
  end_round (self, time_ms, requests);

  return TRUE;
}

void
jm_write_batch_end (JmWriteBatch *self, gint64 time_ms, GPtrArray *requests)
{
  time_ms = MAX (time_ms, self->last_ms + 1);
  begin_round (self, time_ms);
  end_round (self, time_ms, requests);
}
