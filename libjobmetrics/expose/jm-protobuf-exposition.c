/* jm-protobuf-exposition.c: the text that scrapers get, as protobuf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-protobuf-exposition-private.h"

#include <string.h>

#include "expose/jm-exposition-reader-private.h"
#include "expose/metric-family.pb-c.h"

/* Seven bits a byte. */
#define MAX_VARINT_BYTES 10

typedef struct
{
  GByteArray *out;
  GByteArray *family; /* the message that has begun; empty for none */
  GString *name;      /* of its samples */
  Exposition__MetricType type;
} Encoder;

static void
append_varint (GByteArray *out, guint64 value)
{
  guint8 bytes[MAX_VARINT_BYTES];
  guint n = 0;

  for (; value >= 0x80; value >>= 7)
    bytes[n++] = (guint8) (value | 0x80);
  bytes[n++] = (guint8) value;

  g_byte_array_append (out, bytes, n);
}

static void
end_family (Encoder *self)
{
  if (self->family->len == 0)
    return;

  append_varint (self->out, self->family->len);
  g_byte_array_append (self->out, self->family->data, self->family->len);
  g_byte_array_set_size (self->family, 0);
}

/* A message may come in parts, one behind the other: so no more than one sample of a
 * family is ever held in structures. */
static void
append_part (Encoder *self, const Exposition__MetricFamily *part)
{
  gsize size = exposition__metric_family__get_packed_size (part);
  guint end = self->family->len;

  g_byte_array_set_size (self->family, end + (guint) size);
  exposition__metric_family__pack (part, self->family->data + end);
}

static Exposition__MetricType
find_type (const char *type)
{
  if (strcmp (type, "counter") == 0)
    return EXPOSITION__METRIC_TYPE__COUNTER;
  if (strcmp (type, "gauge") == 0)
    return EXPOSITION__METRIC_TYPE__GAUGE;

  return EXPOSITION__METRIC_TYPE__UNTYPED;
}

static void
begin_family (Encoder *self, const JmExpositionSample *sample)
{
  Exposition__MetricFamily part = EXPOSITION__METRIC_FAMILY__INIT;

  g_string_assign (self->name, sample->name);
  self->type = find_type (sample->type);

  part.name = self->name->str;
  part.help = *sample->help != '\0' ? (char *) sample->help : NULL;
  part.has_type = TRUE;
  part.type = self->type;
  append_part (self, &part);
}

static void
append_metric (Encoder *self, Exposition__Metric *metric, double value)
{
  Exposition__MetricFamily part = EXPOSITION__METRIC_FAMILY__INIT;
  Exposition__Counter counter = EXPOSITION__COUNTER__INIT;
  Exposition__Gauge gauge = EXPOSITION__GAUGE__INIT;
  Exposition__Untyped untyped = EXPOSITION__UNTYPED__INIT;

  counter.value = gauge.value = untyped.value = value;
  counter.has_value = gauge.has_value = untyped.has_value = TRUE;
  if (self->type == EXPOSITION__METRIC_TYPE__COUNTER)
    metric->counter = &counter;
  else if (self->type == EXPOSITION__METRIC_TYPE__GAUGE)
    metric->gauge = &gauge;
  else
    metric->untyped = &untyped;

  part.metric = &metric;
  part.n_metric = 1;
  append_part (self, &part);
}

static void
append_sample (Encoder *self, const JmExpositionSample *sample)
{
  Exposition__LabelPair pairs[JM_EXPOSITION_LABELS_MAX];
  Exposition__LabelPair *labels[JM_EXPOSITION_LABELS_MAX];
  Exposition__Metric metric = EXPOSITION__METRIC__INIT;

  for (guint i = 0; i < sample->n_labels; i++)
    {
      Exposition__LabelPair *pair = &pairs[metric.n_label];

      if (*sample->labels[i].value == '\0')
        continue;
      exposition__label_pair__init (pair);
      pair->name = (char *) sample->labels[i].name;
      pair->value = (char *) sample->labels[i].value;
      labels[metric.n_label++] = pair;
    }
  metric.label = labels;

  append_metric (self, &metric, sample->value);
}

static void
take_samples (Encoder *self, JmExpositionReader *reader, GError **error)
{
  JmExpositionSample sample;

  while (jm_exposition_reader_next (reader, &sample, error))
    {
      if (self->family->len == 0 || strcmp (sample.name, self->name->str) != 0)
        {
          end_family (self);
          begin_family (self, &sample);
        }
      append_sample (self, &sample);
    }
  end_family (self);
}

gboolean
jm_protobuf_exposition_is_wanted (const char *accept)
{
  return jm_prefers_protobuf (accept);
}

GBytes *
jm_protobuf_exposition_encode (const char *text, gsize length, GError **error)
{
  g_auto (JmExpositionReader) reader = { 0 };
  g_autoptr (GByteArray) family = g_byte_array_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GError) reason = NULL;
  Encoder encoder = { .out = out, .family = family, .name = g_string_new (NULL) };

  jm_exposition_reader_init (&reader, text, length);
  take_samples (&encoder, &reader, &reason);
  g_string_free (encoder.name, TRUE);
  if (reason == NULL)
    return g_byte_array_free_to_bytes (g_steal_pointer (&out));

  g_propagate_error (error, g_steal_pointer (&reason));

  return NULL;
}
