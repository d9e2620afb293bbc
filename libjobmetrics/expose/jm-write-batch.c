/* jm-write-batch.c: sweeps to requests of remote write
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-write-batch-private.h"

#include "expose/jm-snappy-private.h"
#include "expose/jm-write-series-private.h"

struct _JmWriteBatch
{
  const JmSnappy *snappy;
  char *job;
  char *instance;
  JmExpositionLabel external[2];
  guint n_external;
  GHashTable *series; /* of JmWriteSeries, by name and labels as the text has them */
  GString *key;
  GPtrArray *wanted; /* what is to be sent, of JmWriteSeries in the table */
  guint round;
  gint64 last_ms;
};

static void
add_external (JmWriteBatch *self, const char *name, const char *value)
{
  if (value != NULL && *value != '\0')
    self->external[self->n_external++] = (JmExpositionLabel){ name, value };
}

JmWriteBatch *
jm_write_batch_new (const char *job, const char *instance, GError **error)
{
  const JmSnappy *snappy = jm_snappy_get (error);
  JmWriteBatch *self;

  if (snappy == NULL)
    return NULL;

  self = g_new0 (JmWriteBatch, 1);
  self->snappy = snappy;
  self->job = g_strdup (job);
  self->instance = g_strdup (instance);
  add_external (self, "instance", self->instance);
  add_external (self, "job", self->job);
  self->series = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) jm_write_series_free);
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
  g_free (self->job);
  g_free (self->instance);
  g_free (self);
}

/* --- packing --- */

static GBytes *
compress (const JmSnappy *snappy, const guint8 *data, gsize length)
{
  gsize size = snappy->max_compressed_length (length);
  char *compressed = g_malloc (size);
  snappy_status status =
    snappy->compress ((const char *) data, length, compressed, &size);

  /* the one thing that can fail is a buffer that is too small */
  g_assert (status == SNAPPY_OK);

  return g_bytes_new_take (g_realloc (compressed, size), size);
}

static JmWriteRequest *
pack (const JmSnappy *snappy, GPtrArray *series, guint first, guint n)
{
  g_autofree RemoteWrite__TimeSeries **messages = g_new (RemoteWrite__TimeSeries *, n);
  RemoteWrite__WriteRequest message = REMOTE_WRITE__WRITE_REQUEST__INIT;
  JmWriteRequest *request = g_new (JmWriteRequest, 1);
  g_autofree guint8 *packed = NULL;
  gsize length;

  for (guint i = 0; i < n; i++)
    messages[i] = &((JmWriteSeries *) series->pdata[first + i])->message;
  message.timeseries = messages;
  message.n_timeseries = n;

  packed = g_malloc (remote_write__write_request__get_packed_size (&message));
  length = remote_write__write_request__pack (&message, packed);
  request->body = compress (snappy, packed, length);
  request->n_samples = n;

  return request;
}

static void
pack_wanted (JmWriteBatch *self, GPtrArray *requests)
{
  for (guint i = 0; i < self->wanted->len; i += JM_WRITE_SERIES_MAX)
    g_ptr_array_add (requests, pack (self->snappy, self->wanted, i,
                                     MIN (self->wanted->len - i, JM_WRITE_SERIES_MAX)));
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
      series = jm_write_series_new (sample, self->external, self->n_external);
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
  jm_write_series_set (series, sample->value, time_ms);
  g_ptr_array_add (self->wanted, series);
}

static gboolean
is_text (const char *text, gsize length, GError **error)
{
  g_auto (JmExpositionReader) reader = { 0 };
  g_autoptr (GError) reason = NULL;
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, length);
  while (jm_exposition_reader_next (&reader, &sample, &reason))
    ;
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
      jm_write_series_set_stale (series, time_ms);
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
  if (!is_text (text, length, error))
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
