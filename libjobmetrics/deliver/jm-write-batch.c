/* jm-write-batch.c: sweeps to requests of remote write
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "deliver/jm-write-batch-private.h"

#include <dlfcn.h>
#include <math.h>
#include <snappy-c.h>
#include <string.h>

#include "base/jm-error.h"
#include "expose/jm-exposition-reader-private.h"
#include "expose/remote-write.pb-c.h"

/* The version of its interface, as its package libsnappy1v5 has it. */
#define LIBRARY "libsnappy.so.1"

#define STALE_BITS G_GUINT64_CONSTANT (0x7ff0000000000002)
#define COMMON_NAN_BITS G_GUINT64_CONSTANT (0x7ff8000000000001)

/* A series, kept from text to text so that only its value is written anew. */
typedef struct
{
  RemoteWrite__TimeSeries message; /* sorted labels and one sample */
  RemoteWrite__Sample sample;
  RemoteWrite__Sample *samples[1];
  RemoteWrite__Label *labels;
  guint round; /* of the text that had it last */
} Series;

/* It brings the library of C++ with it, a tenth of a node's memory: so it is loaded
 * when the first request is to be made. */
typedef struct
{
  __typeof__ (snappy_compress) *compress;
  __typeof__ (snappy_max_compressed_length) *max_compressed_length;
} Snappy;

struct _JmWriteBatch
{
  const Snappy *snappy;
  char *job;
  char *instance;
  JmExpositionLabel external[2];
  guint n_external;
  GHashTable *series; /* of Series, by name and labels as the text has them */
  GString *key;
  GPtrArray *wanted; /* what is to be sent, of Series in the table */
  guint round;
  gint64 last_ms;
};

static void
add_external (JmWriteBatch *self, const char *name, const char *value)
{
  if (value != NULL && *value != '\0')
    self->external[self->n_external++] = (JmExpositionLabel){ name, value };
}

static gboolean
load (Snappy *self, GError **error)
{
  gpointer handle = dlopen (LIBRARY, RTLD_LAZY | RTLD_LOCAL);

  if (handle != NULL)
    {
      self->compress = dlsym (handle, "snappy_compress");
      self->max_compressed_length = dlsym (handle, "snappy_max_compressed_length");
    }
  if (self->compress != NULL && self->max_compressed_length != NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "remote write needs the library of snappy: %s", dlerror ());
  return FALSE;
}

/* Errors: `ABSENT` where the library is not installed. */
static const Snappy *
snappy_get (GError **error)
{
  static Snappy library;
  static gboolean is_loaded = FALSE;
  static GMutex lock;
  const Snappy *result;

  g_mutex_lock (&lock);
  is_loaded = is_loaded || load (&library, error);
  result = is_loaded ? &library : NULL;
  g_mutex_unlock (&lock);

  return result;
}

static double
from_bits (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);

  return value;
}

static void
add_label (Series *self, const char *name, const char *value)
{
  RemoteWrite__Label *label = &self->labels[self->message.n_labels++];

  remote_write__label__init (label);
  label->name = g_strdup (name);
  label->value = g_strdup (value);
}

/* An empty label is the same as none. */
static void
add_labels (Series *self, const JmExpositionSample *sample)
{
  for (guint i = 0; i < sample->n_labels; i++)
    if (*sample->labels[i].value != '\0')
      add_label (self, sample->labels[i].name, sample->labels[i].value);
}

static void
add_external_labels (Series *self,
                     const JmExpositionSample *sample,
                     const JmExpositionLabel *external,
                     guint n_external)
{
  for (guint i = 0; i < n_external; i++)
    {
      const char *own = jm_exposition_sample_get_label (sample, external[i].name);

      if (own == NULL || *own == '\0')
        add_label (self, external[i].name, external[i].value);
    }
}

static int
compare_labels (gconstpointer a, gconstpointer b)
{
  const RemoteWrite__Label *const *label_a = a;
  const RemoteWrite__Label *const *label_b = b;

  return strcmp ((*label_a)->name, (*label_b)->name);
}

static void
sort_labels (Series *self)
{
  self->message.labels = g_new (RemoteWrite__Label *, self->message.n_labels);
  for (gsize i = 0; i < self->message.n_labels; i++)
    self->message.labels[i] = &self->labels[i];
  qsort (self->message.labels, self->message.n_labels, sizeof (RemoteWrite__Label *),
         compare_labels);
}

/* @external: labels that it gets where it has none of that name. */
static Series *
series_new (const JmExpositionSample *sample,
            const JmExpositionLabel *external,
            guint n_external)
{
  Series *self = g_new0 (Series, 1);

  remote_write__time_series__init (&self->message);
  remote_write__sample__init (&self->sample);
  self->samples[0] = &self->sample;
  self->message.samples = self->samples;
  self->message.n_samples = 1;

  self->labels = g_new (RemoteWrite__Label, 1 + sample->n_labels + n_external);
  add_label (self, "__name__", sample->name);
  add_labels (self, sample);
  add_external_labels (self, sample, external, n_external);
  sort_labels (self);

  return self;
}

/* A figure that is no number must not be taken for the marker. */
static void
series_set (Series *self, double value, gint64 time_ms)
{
  self->sample.value = isnan (value) ? from_bits (COMMON_NAN_BITS) : value;
  self->sample.timestamp = time_ms;
}

/* https://prometheus.io/docs/specs/prw/remote_write_spec/#stale-markers */
static void
series_set_stale (Series *self, gint64 time_ms)
{
  self->sample.value = from_bits (STALE_BITS);
  self->sample.timestamp = time_ms;
}

static void
series_free (Series *self)
{
  for (gsize i = 0; i < self->message.n_labels; i++)
    {
      g_free (self->labels[i].name);
      g_free (self->labels[i].value);
    }
  g_free (self->message.labels);
  g_free (self->labels);
  g_free (self);
}

JmWriteBatch *
jm_write_batch_new (const char *job, const char *instance, GError **error)
{
  const Snappy *snappy = snappy_get (error);
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
                                        (GDestroyNotify) series_free);
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
compress (const Snappy *snappy, const guint8 *data, gsize length)
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
pack (const Snappy *snappy, GPtrArray *series, guint first, guint n)
{
  g_autofree RemoteWrite__TimeSeries **messages = g_new (RemoteWrite__TimeSeries *, n);
  RemoteWrite__WriteRequest message = REMOTE_WRITE__WRITE_REQUEST__INIT;
  JmWriteRequest *request = g_new (JmWriteRequest, 1);
  g_autofree guint8 *packed = NULL;
  gsize length;

  for (guint i = 0; i < n; i++)
    messages[i] = &((Series *) series->pdata[first + i])->message;
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

static Series *
find_or_add (JmWriteBatch *self, const JmExpositionSample *sample)
{
  const char *key = make_key (self, sample);
  Series *series = g_hash_table_lookup (self->series, key);

  if (series == NULL)
    {
      series = series_new (sample, self->external, self->n_external);
      series->round = self->round - 1;
      g_hash_table_insert (self->series, g_strdup (key), series);
    }

  return series;
}

/* Of several samples of one series the first counts. */
static void
take_sample (JmWriteBatch *self, const JmExpositionSample *sample, gint64 time_ms)
{
  Series *series = find_or_add (self, sample);

  if (series->round == self->round)
    return;

  series->round = self->round;
  series_set (series, sample->value, time_ms);
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
      Series *series = value;

      if (series->round == self->round)
        continue;
      series_set_stale (series, time_ms);
      g_ptr_array_add (self->wanted, series);
    }
}

static gboolean
is_old (gpointer key, gpointer value, gpointer user_data)
{
  return ((Series *) value)->round != GPOINTER_TO_UINT (user_data);
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
