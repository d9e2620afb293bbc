/* jme-node-answers.c: what scrapers of a node are told
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-answers.h"

#include <string.h>

#include "daemon/jme-own-metrics.h"

struct _JmeNodeAnswers
{
  JmTextEncoder *encoder;
  gboolean is_native; /* another exporter's names have none of this one's own */
  JmeOwnCounters counters;
  JmeFurtherFigures append_further; /* NULL for none */
  gpointer further;
  gsize last_size; /* of an answer: how much the next one will need */

  JmeBody *last; /* NULL where what follows does not hold any more */
  guint expiry;
  JmSnapshot *snapshot;
  JmCollectorSet collectors;
  JmTextFormat format;
};

JmeNodeAnswers *
jme_node_answers_new (JmTextEncoder *encoder)
{
  JmeNodeAnswers *self = g_new0 (JmeNodeAnswers, 1);

  self->encoder = encoder;
  g_object_get (encoder, "native", &self->is_native, NULL);
  jme_own_counters_init (&self->counters);

  return self;
}

static void
forget (JmeNodeAnswers *self)
{
  g_clear_handle_id (&self->expiry, g_source_remove);
  g_clear_pointer (&self->last, jme_body_unref);
  g_clear_pointer (&self->snapshot, jm_snapshot_unref);
}

void
jme_node_answers_free (JmeNodeAnswers *self)
{
  forget (self);
  g_object_unref (self->encoder);
  g_free (self);
}

JmeOwnCounters *
jme_node_answers_get_counters (JmeNodeAnswers *self)
{
  return &self->counters;
}

static gboolean
on_expiry (gpointer user_data)
{
  JmeNodeAnswers *self = user_data;

  self->expiry = 0;
  forget (self);

  return G_SOURCE_REMOVE;
}

static void
remember (JmeNodeAnswers *self,
          JmSnapshot *snapshot,
          const JmCollectorSet *collectors,
          JmTextFormat format,
          guint max_age_ms)
{
  self->expiry = g_timeout_add (max_age_ms, on_expiry, self);
  self->snapshot = jm_snapshot_ref (snapshot);
  self->collectors = *collectors;
  self->format = format;
}

static gboolean
is_same (const JmeNodeAnswers *self,
         JmSnapshot *snapshot,
         const JmCollectorSet *collectors,
         JmTextFormat format)
{
  return self->last != NULL && self->snapshot == snapshot && self->format == format &&
         memcmp (&self->collectors, collectors, sizeof *collectors) == 0;
}

void
jme_node_answers_set_further (JmeNodeAnswers *self,
                              JmeFurtherFigures append,
                              gpointer user_data)
{
  self->append_further = append;
  self->further = user_data;
}

static void
append_own (JmeNodeAnswers *self, JmTextFormat format, GString *out)
{
  JmTextWriter writer;

  jme_own_metrics_append (&self->counters, self->encoder, format, out);
  if (self->append_further == NULL)
    return;

  jm_text_writer_init (&writer, format, out);
  self->append_further (jm_text_encoder_get_selection (self->encoder), &writer,
                        self->further);
}

static GBytes *
encode (JmeNodeAnswers *self,
        JmSnapshot *snapshot,
        const JmCollectorSet *collectors,
        JmTextFormat format)
{
  GString *out = g_string_sized_new (self->last_size + 4096);
  gint64 began_us = g_get_monotonic_time ();

  if (self->is_native)
    append_own (self, format, out);
  jm_text_encoder_encode (self->encoder, snapshot, format, collectors, out);
  self->counters.encode_ns += (guint64) (g_get_monotonic_time () - began_us) * 1000;
  self->last_size = out->len;

  return g_string_free_to_bytes (out);
}

JmeBody *
jme_node_answers_get (JmeNodeAnswers *self,
                      JmSnapshot *snapshot,
                      const JmCollectorSet *collectors,
                      JmTextFormat format,
                      guint max_age_ms)
{
  if (collectors == NULL)
    collectors = jm_collector_set_get_all ();

  if (!is_same (self, snapshot, collectors, format))
    {
      g_autoptr (GBytes) text = encode (self, snapshot, collectors, format);

      forget (self);
      self->last = jme_body_new (text);
      remember (self, snapshot, collectors, format, max_age_ms);
    }
  self->counters.n_scrapes++;

  return jme_body_ref (self->last);
}

GBytes *
jme_node_answers_render (JmeNodeAnswers *self, JmSnapshot *snapshot)
{
  return encode (self, snapshot, jm_collector_set_get_all (),
                 JM_TEXT_FORMAT_PROMETHEUS);
}
