/* jm-remote-write-format.c: series and requests of Prometheus remote write
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
#include "expose/remote-write.pb-c.h"

/* The version of its interface, as its package libsnappy1v5 has it. */
#define LIBRARY "libsnappy.so.1"

#define STALE_BITS G_GUINT64_CONSTANT (0x7ff0000000000002)
#define COMMON_NAN_BITS G_GUINT64_CONSTANT (0x7ff8000000000001)

/* A series, kept from text to text so that only its value is written anew. */
typedef struct
{
  JmWriteSeries parent;
  RemoteWrite__TimeSeries message; /* sorted labels and one sample */
  RemoteWrite__Sample sample;
  RemoteWrite__Sample *samples[1];
  RemoteWrite__Label *labels;
} Series;

/* It brings the library of C++ with it, a tenth of a node's memory: so it is loaded
 * when the first request is to be made. */
typedef struct
{
  __typeof__ (snappy_compress) *compress;
  __typeof__ (snappy_max_compressed_length) *max_compressed_length;
} Snappy;

typedef struct
{
  JmWriteFormat parent;
  const Snappy *snappy;
  char *job;
  char *instance;
  JmExpositionLabel external[2];
  guint n_external;
} Format;

static void
add_external (Format *self, const char *name, const char *value)
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

static JmWriteSeries *
series_new (JmWriteFormat *format, const JmExpositionSample *sample)
{
  const Format *of = (const Format *) format;
  Series *self = g_new0 (Series, 1);

  remote_write__time_series__init (&self->message);
  remote_write__sample__init (&self->sample);
  self->samples[0] = &self->sample;
  self->message.samples = self->samples;
  self->message.n_samples = 1;

  self->labels = g_new (RemoteWrite__Label, 1 + sample->n_labels + of->n_external);
  add_label (self, "__name__", sample->name);
  add_labels (self, sample);
  add_external_labels (self, sample, of->external, of->n_external);
  sort_labels (self);

  return &self->parent;
}

/* A figure that is no number must not be taken for the marker. */
static void
series_set (JmWriteSeries *series, double value, gint64 time_ms)
{
  Series *self = (Series *) series;

  self->sample.value = isnan (value) ? from_bits (COMMON_NAN_BITS) : value;
  self->sample.timestamp = time_ms;
}

/* https://prometheus.io/docs/specs/prw/remote_write_spec/#stale-markers */
static void
series_set_gone (JmWriteSeries *series, gint64 time_ms)
{
  Series *self = (Series *) series;

  self->sample.value = from_bits (STALE_BITS);
  self->sample.timestamp = time_ms;
}

static void
series_free (JmWriteSeries *series)
{
  Series *self = (Series *) series;

  for (gsize i = 0; i < self->message.n_labels; i++)
    {
      g_free (self->labels[i].name);
      g_free (self->labels[i].value);
    }
  g_free (self->message.labels);
  g_free (self->labels);
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

static GBytes *
pack (JmWriteFormat *format, JmWriteSeries *const *series, guint n)
{
  g_autofree RemoteWrite__TimeSeries **messages = g_new (RemoteWrite__TimeSeries *, n);
  RemoteWrite__WriteRequest message = REMOTE_WRITE__WRITE_REQUEST__INIT;
  g_autofree guint8 *packed = NULL;
  gsize length;

  for (guint i = 0; i < n; i++)
    messages[i] = &((Series *) series[i])->message;
  message.timeseries = messages;
  message.n_timeseries = n;

  packed = g_malloc (remote_write__write_request__get_packed_size (&message));
  length = remote_write__write_request__pack (&message, packed);

  return compress (((Format *) format)->snappy, packed, length);
}

static void
format_free (JmWriteFormat *format)
{
  Format *self = (Format *) format;

  g_free (self->job);
  g_free (self->instance);
  g_free (self);
}

JmWriteFormat *
jm_remote_write_format_new (const char *job, const char *instance, GError **error)
{
  const Snappy *snappy = snappy_get (error);
  Format *self;

  if (snappy == NULL)
    return NULL;

  self = g_new0 (Format, 1);
  self->parent = (JmWriteFormat){ .series_new = series_new,
                                  .series_set = series_set,
                                  .series_set_gone = series_set_gone,
                                  .series_free = series_free,
                                  .pack = pack,
                                  .free = format_free };
  self->snappy = snappy;
  self->job = g_strdup (job);
  self->instance = g_strdup (instance);
  add_external (self, "instance", self->instance);
  add_external (self, "job", self->job);

  return &self->parent;
}
