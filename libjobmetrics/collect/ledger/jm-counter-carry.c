/* jm-counter-carry.c: counters that go on where an earlier program left them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/ledger/jm-counter-carry-private.h"

/* One counter. */
typedef struct
{
  JmMetric metric;
  JmLabels *labels; /* NULL for none */
  guint64 shown;
  guint64 base; /* what is added to each reading */
} Carry;

struct _JmCounterCarry
{
  GArray *carries; /* of Carry */
  gboolean has_begun;
};

static void
carry_clear (gpointer carry)
{
  g_clear_pointer (&((Carry *) carry)->labels, jm_labels_unref);
}

/* Energy has accounts, devices have counters of their own, and what the kernel keeps
 * for each CPU would only fill the store. */
static gboolean
is_carried (JmMetric metric)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);

  return info->kind == JM_METRIC_KIND_COUNTER &&
         (info->collector == JM_COLLECTOR_PROCESS ||
          info->collector == JM_COLLECTOR_CPU);
}

/* --- saving --- */

GVariant *
jm_counter_carry_save (const JmReading *readings, guint n_readings)
{
  GVariantBuilder builder;
  guint n_saved = 0;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (JM_COUNTER_CARRY_TYPE));
  for (guint i = 0; i < n_readings; i++)
    {
      JmLabels *labels = readings[i].labels;

      if (!is_carried (readings[i].metric))
        continue;

      g_variant_builder_open (&builder, G_VARIANT_TYPE ("(sast)"));
      g_variant_builder_add (&builder, "s", jm_metric_get_name (readings[i].metric));
      g_variant_builder_open (&builder, G_VARIANT_TYPE ("as"));
      for (guint l = 0; labels != NULL && l < jm_labels_get_size (labels); l++)
        g_variant_builder_add (&builder, "s", jm_labels_get_value (labels, l));
      g_variant_builder_close (&builder);
      g_variant_builder_add (&builder, "t", readings[i].value);
      g_variant_builder_close (&builder);
      n_saved++;
    }

  if (n_saved > 0)
    return g_variant_ref_sink (g_variant_builder_end (&builder));

  g_variant_builder_clear (&builder);

  return NULL;
}

/* --- restoring --- */

/* Another version may name what this one does not know, or label it otherwise. */
static void
restore_one (JmCounterCarry *self, const char *name, GVariant *values, guint64 shown)
{
  g_autofree const char **labels = g_variant_get_strv (values, NULL);
  guint n_labels = g_strv_length ((GStrv) labels);
  Carry carry = { .shown = shown };

  if (!jm_metric_from_name (name, JM_SUBJECT_KIND_JOB, &carry.metric) ||
      jm_metric_get_info (carry.metric)->n_labels != n_labels)
    return;

  if (n_labels > 0)
    carry.labels = jm_labels_new (labels);
  g_array_append_val (self->carries, carry);
}

JmCounterCarry *
jm_counter_carry_restore (GVariant *saved)
{
  g_autoptr (JmCounterCarry) self = g_new0 (JmCounterCarry, 1);
  GVariantIter iter;
  const char *name;
  GVariant *labels;
  guint64 shown;

  self->carries = g_array_new (FALSE, FALSE, sizeof (Carry));
  g_array_set_clear_func (self->carries, carry_clear);
  g_variant_iter_init (&iter, saved);
  while (g_variant_iter_loop (&iter, "(&s@ast)", &name, &labels, &shown))
    restore_one (self, name, labels, shown);

  return self->carries->len > 0 ? g_steal_pointer (&self) : NULL;
}

void
jm_counter_carry_free (JmCounterCarry *self)
{
  g_array_unref (self->carries);
  g_free (self);
}

/* --- going on --- */

static gboolean
find (JmReadings *readings, guint from, const Carry *carry, guint *position)
{
  guint n_values;
  const JmReading *values = jm_readings_get_values (readings, &n_values);

  for (*position = from; *position < n_values; (*position)++)
    if (values[*position].metric == carry->metric &&
        values[*position].labels == carry->labels)
      return TRUE;

  return FALSE;
}

static void
add (JmReadings *readings, const Carry *carry)
{
  if (carry->base == 0 ||
      !jm_readings_begin (readings, jm_metric_get_info (carry->metric)->collector))
    return;

  if (carry->labels != NULL)
    jm_readings_add_labelled (readings, carry->metric, carry->labels, carry->base);
  else
    jm_readings_add (readings, carry->metric, carry->base);
}

void
jm_counter_carry_apply (JmCounterCarry *self, JmReadings *readings, guint from)
{
  for (guint i = 0; i < self->carries->len; i++)
    {
      Carry *carry = &g_array_index (self->carries, Carry, i);
      guint position;
      gboolean is_read = find (readings, from, carry, &position);
      guint n_values;
      guint64 value =
        is_read ? jm_readings_get_values (readings, &n_values)[position].value : 0;

      if (!self->has_begun && carry->shown > value)
        carry->base = carry->shown - value;
      if (is_read)
        jm_readings_raise (readings, position, carry->base);
      else
        add (readings, carry);
    }

  self->has_begun = TRUE;
}
