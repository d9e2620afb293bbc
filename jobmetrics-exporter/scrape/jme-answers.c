/* jme-answers.c: what scrapers are sent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "scrape/jme-answers.h"

#include <string.h>

#include "expose/jm-protobuf-exposition-private.h"
#include "expose/jm-text-encoder.h"

typedef struct
{
  JmeFurtherFigures append;
  gpointer user_data;
} Further;

struct _JmeAnswers
{
  JmTextEncoder *encoder;
  gboolean is_native; /* another exporter's names have none of this one's own */
  JmeOwnCounters counters;
  GArray *further; /* of Further */
  gsize last_size; /* of an answer: how much the next one will need */

  JmSnapshot *snapshot; /* NULL where what follows does not hold any more */
  JmCollectorSet collectors;
  JmeBody *bodies[JME_N_FORMATS]; /* NULL for a format that nobody has wanted yet */
  guint expiry;
};

JmeFormat
jme_format_negotiate (const char *accept)
{
  if (jm_protobuf_exposition_is_wanted (accept))
    return JME_FORMAT_PROTOBUF;

  return jm_negotiate_text_format (accept) == JM_TEXT_FORMAT_OPENMETRICS
           ? JME_FORMAT_OPENMETRICS
           : JME_FORMAT_PROMETHEUS;
}

const char *
jme_format_get_content_type (JmeFormat self)
{
  switch (self)
    {
    case JME_FORMAT_PROTOBUF:
      return JM_PROTOBUF_EXPOSITION_CONTENT_TYPE;
    case JME_FORMAT_OPENMETRICS:
      return jm_text_format_get_content_type (JM_TEXT_FORMAT_OPENMETRICS);
    case JME_FORMAT_PROMETHEUS:
    default:
      return jm_text_format_get_content_type (JM_TEXT_FORMAT_PROMETHEUS);
    }
}

JmeAnswers *
jme_answers_new (JmTextEncoder *encoder)
{
  JmeAnswers *self = g_new0 (JmeAnswers, 1);

  self->encoder = encoder;
  self->further = g_array_new (FALSE, FALSE, sizeof (Further));
  g_object_get (encoder, "native", &self->is_native, NULL);
  jme_own_counters_init (&self->counters);

  return self;
}

static void
forget (JmeAnswers *self)
{
  g_clear_handle_id (&self->expiry, g_source_remove);
  for (guint i = 0; i < JME_N_FORMATS; i++)
    g_clear_pointer (&self->bodies[i], jme_body_unref);
  g_clear_pointer (&self->snapshot, jm_snapshot_unref);
}

void
jme_answers_free (JmeAnswers *self)
{
  forget (self);
  g_object_unref (self->encoder);
  g_array_unref (self->further);
  g_free (self);
}

static gboolean
on_expiry (gpointer user_data)
{
  JmeAnswers *self = user_data;

  self->expiry = 0;
  forget (self);

  return G_SOURCE_REMOVE;
}

static void
begin (JmeAnswers *self,
       JmSnapshot *snapshot,
       const JmCollectorSet *collectors,
       guint max_age_ms)
{
  forget (self);
  self->expiry = g_timeout_add (max_age_ms, on_expiry, self);
  self->snapshot = jm_snapshot_ref (snapshot);
  self->collectors = *collectors;
}

static gboolean
is_same (const JmeAnswers *self, JmSnapshot *snapshot, const JmCollectorSet *collectors)
{
  return self->snapshot == snapshot &&
         memcmp (&self->collectors, collectors, sizeof *collectors) == 0;
}

void
jme_answers_add_further (JmeAnswers *self, JmeFurtherFigures append, gpointer user_data)
{
  const Further further = { append, user_data };

  g_array_append_val (self->further, further);
}

void
jme_answers_remove_further (JmeAnswers *self, gpointer user_data)
{
  for (guint i = self->further->len; i-- > 0;)
    if (g_array_index (self->further, Further, i).user_data == user_data)
      g_array_remove_index (self->further, i);
}

static void
append_further (JmeAnswers *self, JmTextFormat format, GString *out)
{
  JmMetricSelection *selection = jm_text_encoder_get_selection (self->encoder);
  JmTextWriter writer;

  jm_text_writer_init (&writer, format == JM_TEXT_FORMAT_OPENMETRICS, out);
  for (guint i = 0; i < self->further->len; i++)
    {
      const Further *further = &g_array_index (self->further, Further, i);

      further->append (selection, &writer, further->user_data);
    }
}

void
jme_answers_append_further (JmeAnswers *self, GString *out)
{
  append_further (self, JM_TEXT_FORMAT_PROMETHEUS, out);
}

static GBytes *
encode (JmeAnswers *self,
        JmSnapshot *snapshot,
        const JmCollectorSet *collectors,
        JmTextFormat format)
{
  GString *out = g_string_sized_new (self->last_size + 4096);
  gint64 began_us = g_get_monotonic_time ();

  if (self->is_native)
    {
      jme_own_metrics_append (&self->counters, self->encoder, format, out);
      append_further (self, format, out);
    }
  jm_text_encoder_encode (self->encoder, snapshot, format, collectors, out);
  self->counters.encode_ns += (guint64) (g_get_monotonic_time () - began_us) * 1000;
  self->last_size = out->len;

  return g_string_free_to_bytes (out);
}

static JmeBody *
get_text (JmeAnswers *self, JmeFormat format)
{
  JmTextFormat text_format = format == JME_FORMAT_OPENMETRICS
                               ? JM_TEXT_FORMAT_OPENMETRICS
                               : JM_TEXT_FORMAT_PROMETHEUS;

  if (self->bodies[format] == NULL)
    {
      g_autoptr (GBytes) text =
        encode (self, self->snapshot, &self->collectors, text_format);

      self->bodies[format] = jme_body_new (text);
    }

  return self->bodies[format];
}

static GBytes *
encode_protobuf (JmeAnswers *self, GBytes *text)
{
  gint64 began_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  GBytes *encoded = jm_protobuf_exposition_encode (g_bytes_get_data (text, NULL),
                                                   g_bytes_get_size (text), &error);

  self->counters.encode_ns += (guint64) (g_get_monotonic_time () - began_us) * 1000;
  if (encoded == NULL)
    g_warning_once ("scrapers that want protobuf are given text: %s", error->message);

  return encoded;
}

/* NULL where the text does not read as one. */
static JmeBody *
get_protobuf (JmeAnswers *self)
{
  JmeBody **body = &self->bodies[JME_FORMAT_PROTOBUF];

  if (*body == NULL)
    {
      JmeBody *text = get_text (self, JME_FORMAT_PROMETHEUS);
      g_autoptr (GBytes) encoded = encode_protobuf (self, jme_body_get_plain (text));

      if (encoded != NULL)
        *body = jme_body_new (encoded);
    }

  return *body;
}

JmeBody *
jme_answers_get (JmeAnswers *self,
                 JmSnapshot *snapshot,
                 const JmCollectorSet *collectors,
                 JmeFormat *format,
                 guint max_age_ms)
{
  JmeBody *body = NULL;

  if (collectors == NULL)
    collectors = jm_collector_set_get_all ();
  if (!is_same (self, snapshot, collectors))
    begin (self, snapshot, collectors, max_age_ms);

  if (*format == JME_FORMAT_PROTOBUF)
    body = get_protobuf (self);
  if (body == NULL)
    {
      *format = *format == JME_FORMAT_PROTOBUF ? JME_FORMAT_PROMETHEUS : *format;
      body = get_text (self, *format);
    }
  self->counters.n_scrapes++;

  return jme_body_ref (body);
}

GBytes *
jme_answers_render (JmeAnswers *self, JmSnapshot *snapshot)
{
  return encode (self, snapshot, jm_collector_set_get_all (),
                 JM_TEXT_FORMAT_PROMETHEUS);
}
