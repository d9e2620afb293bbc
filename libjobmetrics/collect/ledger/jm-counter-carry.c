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
  guint64 base;       /* what is added to each reading */
  gboolean has_begun; /* it was read since, and the base is known */
} Carry;

struct _JmCounterCarry
{
  GArray *carries; /* of Carry */
};

static void
carry_clear (gpointer carry)
{
  g_clear_pointer (&((Carry *) carry)->labels, jm_labels_unref);
}

/* Energy has accounts, devices have counters of their own, and what the kernel keeps
 * for each CPU would only fill the store. Of failures and kills in cgroups of version 1
 * that were removed, the kernel knows no more. */
static gboolean
is_carried (JmMetric metric)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);

  if (info->kind != JM_METRIC_KIND_COUNTER)
    return FALSE;

  switch (info->collector)
    {
    case JM_COLLECTOR_CPU:
    case JM_COLLECTOR_HUGETLB:
    case JM_COLLECTOR_MEMORY:
    case JM_COLLECTOR_PROCESS:
      return TRUE;
    default:
      return FALSE;
    }
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
add (JmReadings *readings, const Carry *carry, guint64 value)
{
  if (!jm_readings_begin (readings, jm_metric_get_info (carry->metric)->collector))
    return;

  if (carry->labels != NULL)
    jm_readings_add_labelled (readings, carry->metric, carry->labels, value);
  else
    jm_readings_add (readings, carry->metric, value);
}

/* Its first reading decides what it goes on from, whenever that comes: what cannot be
 * read in the first round has not begun anew. */
static guint64
get_base (Carry *carry, guint64 value, gboolean is_late)
{
  if (!carry->has_begun)
    carry->base = carry->shown > value ? carry->shown - value : 0;
  carry->has_begun |= !is_late;

  return carry->base;
}

/* One executable of several, which no process runs any more. */
static gboolean
is_of_executable (const Carry *carry)
{
  return carry->labels != NULL &&
         jm_metric_get_info (carry->metric)->collector == JM_COLLECTOR_PROCESS;
}

void
jm_counter_carry_apply (JmCounterCarry *self,
                        JmReadings *readings,
                        guint from,
                        gboolean is_late)
{
  /* all could be read, before anything is added here */
  gboolean are_read =
    jm_readings_find (readings, from, JM_METRIC_PROCESS_CPU_USER) != NULL;

  for (guint i = 0; i < self->carries->len; i++)
    {
      Carry *carry = &g_array_index (self->carries, Carry, i);
      guint position, n_values;

      if (find (readings, from, carry, &position))
        {
          guint64 value = jm_readings_get_values (readings, &n_values)[position].value;

          jm_readings_raise (readings, position, get_base (carry, value, is_late));
        }
      else if (are_read && is_of_executable (carry))
        add (readings, carry, get_base (carry, 0, is_late));
    }
}
