/* jm-counter-carry.c: counters that go on where an earlier program left them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-counter-carry-private.h"

/* One counter. */
typedef struct
{
  JmMetric metric;
  JmLabels *labels; /* NULL for none */
  guint64 shown;
  guint64 base;       /* what is added to each reading */
  guint64 excess;     /* what is taken from it, as other counters show it */
  gboolean has_begun; /* it was read since; base and excess are known */
  gboolean is_read;   /* in this round: now is its reading, at that position */
  guint64 now;
  guint position;
} Carry;

struct _JmCounterCarry
{
  GArray *carries;          /* of Carry */
  gboolean has_executables; /* all that had CPU time when they were read first */
};

/* Counters that are parts of one total. */
static const JmMetric totals[][2] = {
  { JM_METRIC_CPU_USER, JM_METRIC_CPU_SYSTEM },
  { JM_METRIC_PROCESS_CPU_USER, JM_METRIC_PROCESS_CPU_SYSTEM },
  { JM_METRIC_EXECUTABLE_CPU, JM_METRIC_EXECUTABLE_CPU },
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

static void
reading_clear (gpointer reading)
{
  g_clear_pointer (&((JmReading *) reading)->labels, jm_labels_unref);
}

GArray *
jm_counter_carry_make_shown (void)
{
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (JmReading));

  g_array_set_clear_func (shown, reading_clear);

  return shown;
}

/* From position @at on, where it mostly stands, as readings keep their order. */
static guint
find_shown (const GArray *shown, guint at, const JmReading *reading)
{
  for (guint i = 0; i < shown->len; i++)
    {
      guint place = (at + i) % shown->len;
      const JmReading *one = &g_array_index (shown, JmReading, place);

      if (one->metric == reading->metric && one->labels == reading->labels)
        return place;
    }

  return shown->len;
}

static void
add_shown (GArray *shown, JmMetric metric, JmLabels *labels, guint64 value)
{
  const JmReading reading = { .metric = metric,
                              .labels = labels != NULL ? jm_labels_ref (labels) : NULL,
                              .value = value };

  g_array_append_val (shown, reading);
}

void
jm_counter_carry_note_shown (GArray *shown, const JmReading *readings, guint n_readings)
{
  guint at = 0;

  for (guint i = 0; i < n_readings; i++)
    {
      const JmReading *reading = &readings[i];

      if (!is_carried (reading->metric))
        continue;

      at = find_shown (shown, at, reading);
      if (at < shown->len)
        g_array_index (shown, JmReading, at).value = reading->value;
      else
        add_shown (shown, reading->metric, reading->labels, reading->value);
      at++;
    }
}

static void
save_one (GVariantBuilder *builder, const JmReading *reading)
{
  JmLabels *labels = reading->labels;

  g_variant_builder_open (builder, G_VARIANT_TYPE ("(sast)"));
  g_variant_builder_add (builder, "s", jm_metric_get_name (reading->metric));
  g_variant_builder_open (builder, G_VARIANT_TYPE ("as"));
  for (guint i = 0; labels != NULL && i < jm_labels_get_size (labels); i++)
    g_variant_builder_add (builder, "s", jm_labels_get_value (labels, i));
  g_variant_builder_close (builder);
  g_variant_builder_add (builder, "t", reading->value);
  g_variant_builder_close (builder);
}

GVariant *
jm_counter_carry_save (const GArray *shown)
{
  GVariantBuilder builder;

  if (shown->len == 0)
    return NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (JM_COUNTER_CARRY_TYPE));
  for (guint i = 0; i < shown->len; i++)
    save_one (&builder, &g_array_index (shown, JmReading, i));

  return g_variant_ref_sink (g_variant_builder_end (&builder));
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

GArray *
jm_counter_carry_list_shown (const JmCounterCarry *self)
{
  GArray *shown = jm_counter_carry_make_shown ();

  for (guint i = 0; i < self->carries->len; i++)
    {
      const Carry *carry = &g_array_index (self->carries, Carry, i);

      add_shown (shown, carry->metric, carry->labels, carry->shown);
    }

  return shown;
}

void
jm_counter_carry_free (JmCounterCarry *self)
{
  g_array_unref (self->carries);
  g_free (self);
}

/* --- reading --- */

static void
find (Carry *carry, JmReadings *readings, guint from)
{
  guint n_values;
  const JmReading *values = jm_readings_get_values (readings, &n_values);

  carry->is_read = FALSE;
  for (guint i = from; i < n_values && !carry->is_read; i++)
    if (values[i].metric == carry->metric && values[i].labels == carry->labels)
      {
        carry->is_read = TRUE;
        carry->now = values[i].value;
        carry->position = i;
      }
}

static gboolean
is_of_executable (const Carry *carry)
{
  return carry->metric == JM_METRIC_EXECUTABLE_CPU;
}

static gboolean
has_executable (JmCounterCarry *self, JmLabels *labels)
{
  for (guint i = 0; i < self->carries->len; i++)
    {
      const Carry *carry = &g_array_index (self->carries, Carry, i);

      if (is_of_executable (carry) && carry->labels == labels)
        return TRUE;
    }

  return FALSE;
}

/* Those of which nothing was shown: a process may have been shown by another name. */
static void
add_unseen_executables (JmCounterCarry *self, JmReadings *readings, guint from)
{
  guint n_values;
  const JmReading *values = jm_readings_get_values (readings, &n_values);

  for (guint i = from; i < n_values; i++)
    if (values[i].metric == JM_METRIC_EXECUTABLE_CPU &&
        !has_executable (self, values[i].labels))
      {
        const Carry carry = { .metric = JM_METRIC_EXECUTABLE_CPU,
                              .labels = jm_labels_ref (values[i].labels) };

        g_array_append_val (self->carries, carry);
      }
}

/* One executable of several, which no process runs any more. */
static void
add_missing (Carry *carry, JmReadings *readings)
{
  if (carry->is_read || !is_of_executable (carry) ||
      !jm_readings_begin (readings, JM_COLLECTOR_PROCESS))
    return;

  carry->is_read = TRUE;
  carry->now = 0;
  jm_readings_get_values (readings, &carry->position);
  jm_readings_add_labelled (readings, carry->metric, carry->labels, 0);
}

static void
take_readings (JmCounterCarry *self, JmReadings *readings, guint from)
{
  /* all could be read */
  gboolean has_processes =
    jm_readings_find (readings, from, JM_METRIC_PROCESS_CPU_USER) != NULL;

  if (has_processes && !self->has_executables)
    add_unseen_executables (self, readings, from);
  for (guint i = 0; i < self->carries->len; i++)
    {
      Carry *carry = &g_array_index (self->carries, Carry, i);

      find (carry, readings, from);
      if (has_processes)
        add_missing (carry, readings);
    }
}

/* --- going on --- */

static gboolean
is_beginning (const Carry *carry)
{
  return carry->is_read && !carry->has_begun;
}

/* The first reading decides what a counter goes on from, whenever that comes: what
 * cannot be read in the first round has not begun anew. */
static void
begin (JmCounterCarry *self)
{
  for (guint i = 0; i < self->carries->len; i++)
    {
      Carry *carry = &g_array_index (self->carries, Carry, i);

      if (is_beginning (carry))
        {
          carry->base = carry->shown > carry->now ? carry->shown - carry->now : 0;
          carry->excess = 0;
        }
    }
}

/* The next part of a total from position @i on that goes on from now. */
static Carry *
next_part (JmCounterCarry *self, const JmMetric total[2], guint *i)
{
  while (*i < self->carries->len)
    {
      Carry *carry = &g_array_index (self->carries, Carry, (*i)++);

      if (is_beginning (carry) &&
          (carry->metric == total[0] || carry->metric == total[1]))
        return carry;
    }

  return NULL;
}

/* By how much the parts together are ahead of what is read of all, and was shown. */
static guint64
get_excess (JmCounterCarry *self, const JmMetric total[2])
{
  guint64 now = 0, shown = 0, sum = 0;
  const Carry *part;

  for (guint i = 0; (part = next_part (self, total, &i)) != NULL;)
    {
      now += part->now;
      shown += part->shown;
      sum += part->now + part->base;
    }

  return sum - MAX (now, shown);
}

static void
take_excess (Carry *part, guint64 *excess)
{
  part->excess = MIN (part->now + part->base - part->shown, *excess);
  *excess -= part->excess;
}

/* All of the CPU time of a process that has executed another program since is read as
 * that one's, and the part before was shown as the other's. So what was shown is taken
 * off, first from those of which nothing was, and never from what was. */
static void
conserve (JmCounterCarry *self, const JmMetric total[2])
{
  guint64 excess = get_excess (self, total);
  Carry *part;

  for (guint i = 0; (part = next_part (self, total, &i)) != NULL;)
    if (part->shown == 0)
      take_excess (part, &excess);
  for (guint i = 0; (part = next_part (self, total, &i)) != NULL;)
    if (part->shown != 0)
      take_excess (part, &excess);
}

static void
show (Carry *carry, JmReadings *readings)
{
  guint64 value = carry->now + carry->base;

  value -= MIN (carry->excess, value);
  carry->shown = MAX (carry->shown, value);
  /* modulo 2^64, for it may be less */
  jm_readings_raise (readings, carry->position, carry->shown - carry->now);
}

/* Without the job's CPU time, the part that no process has used is not known yet. */
static gboolean
is_split (JmReadings *readings, guint from)
{
  return jm_readings_find (readings, from, JM_METRIC_CPU_TOTAL) != NULL ||
         !jm_readings_begin (readings, JM_COLLECTOR_CPU);
}

void
jm_counter_carry_apply (JmCounterCarry *self,
                        JmReadings *readings,
                        guint from,
                        gboolean is_late)
{
  gboolean begins_executables = !is_late && is_split (readings, from);

  take_readings (self, readings, from);
  begin (self);
  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    conserve (self, totals[i]);

  for (guint i = 0; i < self->carries->len; i++)
    {
      Carry *carry = &g_array_index (self->carries, Carry, i);

      if (!carry->is_read)
        continue;

      show (carry, readings);
      carry->has_begun |= is_of_executable (carry) ? begins_executables : !is_late;
      self->has_executables |= is_of_executable (carry) && carry->has_begun;
    }
}
