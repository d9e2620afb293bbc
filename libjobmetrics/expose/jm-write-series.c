/* jm-write-series.c: one series as remote write sends it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-write-series-private.h"

#include <math.h>
#include <string.h>

#define STALE_BITS G_GUINT64_CONSTANT (0x7ff0000000000002)
#define COMMON_NAN_BITS G_GUINT64_CONSTANT (0x7ff8000000000001)

static double
from_bits (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);

  return value;
}

static void
add_label (JmWriteSeries *self, const char *name, const char *value)
{
  RemoteWrite__Label *label = &self->labels[self->message.n_labels++];

  remote_write__label__init (label);
  label->name = g_strdup (name);
  label->value = g_strdup (value);
}

/* An empty label is the same as none. */
static void
add_labels (JmWriteSeries *self, const JmExpositionSample *sample)
{
  for (guint i = 0; i < sample->n_labels; i++)
    if (*sample->labels[i].value != '\0')
      add_label (self, sample->labels[i].name, sample->labels[i].value);
}

static void
add_external_labels (JmWriteSeries *self,
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
sort_labels (JmWriteSeries *self)
{
  self->message.labels = g_new (RemoteWrite__Label *, self->message.n_labels);
  for (gsize i = 0; i < self->message.n_labels; i++)
    self->message.labels[i] = &self->labels[i];
  qsort (self->message.labels, self->message.n_labels, sizeof (RemoteWrite__Label *),
         compare_labels);
}

JmWriteSeries *
jm_write_series_new (const JmExpositionSample *sample,
                     const JmExpositionLabel *external,
                     guint n_external)
{
  JmWriteSeries *self = g_new0 (JmWriteSeries, 1);

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
void
jm_write_series_set (JmWriteSeries *self, double value, gint64 time_ms)
{
  self->sample.value = isnan (value) ? from_bits (COMMON_NAN_BITS) : value;
  self->sample.timestamp = time_ms;
}

void
jm_write_series_set_stale (JmWriteSeries *self, gint64 time_ms)
{
  self->sample.value = from_bits (STALE_BITS);
  self->sample.timestamp = time_ms;
}

void
jm_write_series_free (JmWriteSeries *self)
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
